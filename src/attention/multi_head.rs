//! Multi-head attention: every head has its own projections of the input, and one more projection
//! joins the heads' contexts.
//!
//! `MultiHead(Q, K, V) = Concat(head₁ … head_h) W_O`,
//! `head_i = softmax(Q W_Q,i (K W_K,i)ᵀ / √d_h) V W_V,i`
//!
//! Source: Vaswani et al. 2017, section 3.2.2. The projections of all heads are side by side in one
//! matrix each. With fewer heads of keys and values than of queries, neighbouring heads share
//! theirs (grouped queries: J. Ainslie et al., "GQA", 2023, section 2.2; one head for all: N.
//! Shazeer 2019). With rotary positions queries and keys are rotated before their products
//! (`kernels::rotate`). Residual, norm and mask are not part of it.

use std::rc::Rc;

use crate::backend::{Backend, Linear, SiteCache, part};
use crate::edits::FixedPatterns;
use crate::masks::{Mask, Window};
use crate::positions::{Rotation, Terms};
use crate::variants::Variants;

use super::PatternSpec;

/// A norm of queries or keys, of every head by itself or of all heads together (Dehghani et al.
/// 2023, section 2).
pub struct HeadNorm<B: Backend> {
    /// Layer norm or RMS norm, with the gains.
    pub kind: HeadNormKind<B>,
    /// The number of values that are normed together.
    pub width: usize,
    /// The constant `ε` of the norm.
    pub epsilon: f32,
}

/// The formula of a norm of queries or keys.
pub enum HeadNormKind<B: Backend> {
    /// RMS norm; all heads have the gain `γ`, `[1, width]`.
    RootMeanSquare {
        /// The gain `γ`, `[1, width]`.
        gain: B::Tensor,
    },
    /// Layer norm without a bias; each head has its own gain.
    Layer {
        /// The gains of all heads, side by side: `[all heads, 1]`.
        gains: B::Matrix,
        /// The gain and bias `[1, width]` of a neutral layer norm of the backend: ones and zeros.
        neutral: [B::Tensor; 2],
    },
}

impl<B: Backend> HeadNorm<B> {
    /// The normed rows, `[n, all heads]` → `[n, all heads]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        match &self.kind {
            HeadNormKind::RootMeanSquare { gain } => backend.rms_norm(x, gain, self.epsilon),
            HeadNormKind::Layer { gains, neutral: [ones, zeros] } => {
                let normed = backend.layer_norm(x, ones, zeros, self.epsilon);
                let every_row = vec![0; backend.rows(x)];
                backend.multiply(&normed, &backend.embed(gains, &every_row, 1.0))
            }
        }
    }

    /// The gains as one row: of one head, or of all heads if each has its own.
    pub fn gains(&self, backend: &B) -> B::Tensor {
        match &self.kind {
            HeadNormKind::RootMeanSquare { gain } => gain.clone(),
            HeadNormKind::Layer { gains, .. } => backend.embed(gains, &[0], 1.0),
        }
    }
}

/// A rotation with its table for the longest text of the model, `[positions, d_r]`.
pub struct Turns<B: Backend> {
    /// The rotation.
    pub rotation: Rotation,
    /// The table of cosines and sines, `[positions, d_r]`.
    pub table: B::Tensor,
}

/// The trained projections of one site: `W_Q` is `[d, h·d_h]`, `W_K` and `W_V` are
/// `[d, h_kv·d_h]`, `W_O` is `[h·d_h, d]`.
pub struct MultiHeadAttention<B: Backend> {
    /// The projection of queries, `W_Q`.
    pub query: Linear<B>,
    /// The projection of keys, `W_K`.
    pub key: Linear<B>,
    /// The projection of values, `W_V`.
    pub value: Linear<B>,
    /// The output projection, `W_O`.
    pub output: Linear<B>,
    /// The number of query heads, side by side.
    pub n_heads: usize,
    /// The number of heads of keys and values; divides `n_heads`.
    pub n_kv_heads: usize,
    /// The width of a head, `d_h`.
    pub head_dim: usize,
    /// The norm of queries, before their rotation.
    pub query_norm: Option<HeadNorm<B>>,
    /// The norm of keys, before their rotation.
    pub key_norm: Option<HeadNorm<B>>,
    /// The factor of raw scores, usually `1/√d_h`.
    pub scale: f32,
    /// The soft cap of the scaled scores, if any.
    pub cap: Option<f32>,
    /// The rotation of queries and keys, in a model with rotary positions.
    pub turns: Option<Rc<Turns<B>>>,
    /// The relative-position terms of the scores, in a model with relative positions.
    pub relative: Option<Rc<Terms>>,
    /// The window of keys that are visible to a query; `None` for all keys.
    pub window: Option<Window>,
}

impl<B: Backend> MultiHeadAttention<B> {
    /// The record of a site before any token, with room for the given numbers of queries and keys.
    pub fn begin(
        &self,
        backend: &B,
        mask: Mask,
        gates: Vec<f32>,
        [n_queries, n_keys]: [usize; 2],
    ) -> PatternSpec<B> {
        PatternSpec {
            query: backend.empty(self.n_heads * self.head_dim, n_queries),
            key: backend.empty(self.n_kv_heads * self.head_dim, n_keys),
            value: backend.empty(self.n_kv_heads * self.head_dim, n_keys),
            n_heads: self.n_heads,
            n_kv_heads: self.n_kv_heads,
            scale: self.scale,
            cap: self.cap,
            mask,
            gates,
            fixed_patterns: FixedPatterns::default(),
            variants: Variants::default(),
            turns: None,
            relative: None,
            memo: SiteCache::default(),
        }
    }

    /// The queries of `[n, d]` before their rotation.
    pub fn query_before(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        normed(backend, self.query.forward(backend, x), self.query_norm.as_ref())
    }

    /// The keys of `[n, d]` before their rotation.
    pub fn key_before(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        normed(backend, self.key.forward(backend, x), self.key_norm.as_ref())
    }

    /// Projects more queries, keys and values of self-attention, and appends them to the records:
    /// as many of the rows `x`, `[n, d]`, to each.
    pub fn extend(&self, backend: &B, specs: &mut [&mut PatternSpec<B>], x: &B::Tensor) {
        let maps = [&self.query, &self.key, &self.value].map(Linear::affine);
        let [queries, keys, values] = backend.linear_three(x, maps);
        let queries = normed(backend, queries, self.query_norm.as_ref());
        let keys = normed(backend, keys, self.key_norm.as_ref());
        self.append_queries(backend, specs, &queries);
        self.append_memory(backend, specs, [&keys, &values]);
    }

    /// Projects more queries of cross-attention, and appends them to the records.
    pub fn extend_queries(&self, backend: &B, specs: &mut [&mut PatternSpec<B>], x: &B::Tensor) {
        self.append_queries(backend, specs, &self.query_before(backend, x));
    }

    /// Projects more keys and values of cross-attention, and appends them to the records.
    pub fn extend_memory(&self, backend: &B, specs: &mut [&mut PatternSpec<B>], x: &B::Tensor) {
        let rows = [&self.key_before(backend, x), &self.value.forward(backend, x)];
        self.append_memory(backend, specs, rows);
    }

    fn append_queries(&self, backend: &B, specs: &mut [&mut PatternSpec<B>], queries: &B::Tensor) {
        let n_specs = specs.len();
        for (index, spec) in specs.iter_mut().enumerate() {
            let query = part(backend, queries, index, n_specs);
            let query = self.turned(backend, query, spec, backend.rows(&spec.query));
            backend.append(&mut spec.query, &query);
        }
    }

    fn append_memory(
        &self,
        backend: &B,
        specs: &mut [&mut PatternSpec<B>],
        [keys, values]: [&B::Tensor; 2],
    ) {
        let n_specs = specs.len();
        for (index, spec) in specs.iter_mut().enumerate() {
            let key = part(backend, keys, index, n_specs);
            let key = self.turned(backend, key, spec, backend.rows(&spec.key));
            backend.append(&mut spec.key, &key);
            backend.append(&mut spec.value, &part(backend, values, index, n_specs));
        }
    }

    /// The rows of `x`, which begin at position `first`, rotated if positions are rotary.
    fn turned(&self, backend: &B, x: B::Tensor, spec: &PatternSpec<B>, first: usize) -> B::Tensor {
        let Some(turns) = &spec.turns else { return x };
        let turns = backend.select(turns, first..first + backend.rows(&x));
        backend.rotate(&x, &turns, self.head_dim)
    }
}

fn normed<B: Backend>(backend: &B, x: B::Tensor, norm: Option<&HeadNorm<B>>) -> B::Tensor {
    match norm {
        Some(norm) => norm.forward(backend, &x),
        None => x,
    }
}
