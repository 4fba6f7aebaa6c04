//! Multi-head attention: every head looks through projections of its own, and one more
//! projection joins what they found.
//!
//! `MultiHead(Q, K, V) = Concat(head₁ … head_h) W_O`,
//! `head_i = softmax(Q W_Q,i (K W_K,i)ᵀ / √d_h) V W_V,i`
//!
//! Source: Vaswani et al. 2017, section 3.2.2. The head projections stand side by side
//! in one matrix each. With fewer heads of keys and values than of queries, neighbouring
//! heads share theirs (grouped queries: J. Ainslie et al., "GQA", 2023, section 2.2; one
//! head for all: N. Shazeer 2019). With rotary positions queries and keys are turned
//! before they are compared (`kernels::rows`). It holds no residual, norm or mask.

use crate::backend::{Backend, Linear, SiteCache};
use crate::edits::{Frozen, Kinds};
use crate::masks::Mask;

use super::PatternSpec;

/// The trained projections of one site: `W_Q` is `[d, h·d_h]`, `W_K` and `W_V` are
/// `[d, h_kv·d_h]`, `W_O` is `[h·d_h, d]`.
pub struct MultiHeadAttention<B: Backend> {
    /// `W_Q`.
    pub query: Linear<B>,
    /// `W_K`.
    pub key: Linear<B>,
    /// `W_V`.
    pub value: Linear<B>,
    /// `W_O`.
    pub output: Linear<B>,
    /// Heads of queries, side by side.
    pub n_heads: usize,
    /// Heads of keys and values; divides `n_heads`.
    pub n_kv_heads: usize,
    /// The width of a head, `d_h`.
    pub head_dim: usize,
    /// By what queries and keys are turned, `[positions, d_h]`, in a model with rotary
    /// positions.
    pub turns: Option<B::Tensor>,
}

impl<B: Backend> MultiHeadAttention<B> {
    /// The record of a site before any token: `forward` and the runs append to it.
    pub fn begin(&self, backend: &B, mask: Mask, gates: Vec<f32>) -> PatternSpec<B> {
        PatternSpec {
            query: backend.empty(self.n_heads * self.head_dim),
            key: backend.empty(self.n_kv_heads * self.head_dim),
            value: backend.empty(self.n_kv_heads * self.head_dim),
            n_heads: self.n_heads,
            n_kv_heads: self.n_kv_heads,
            scale: 1.0 / (self.head_dim as f32).sqrt(),
            mask,
            gates,
            frozen: Frozen::default(),
            kinds: Kinds::default(),
            turns: self.turns.clone(),
            relative: None,
            memo: SiteCache::default(),
        }
    }

    /// Projects more queries, `[n, d]`, into the record. They stand behind those there.
    pub fn extend_queries(&self, backend: &B, spec: &mut PatternSpec<B>, x: &B::Tensor) {
        let query = self.query.forward(backend, x);
        let query = turned(backend, query, spec.turns.as_ref(), backend.rows(&spec.query));
        backend.append(&mut spec.query, &query);
    }

    /// Projects more keys and values into the record, from `[n, d]` each. They stand behind
    /// those there.
    pub fn extend_memory(
        &self,
        backend: &B,
        spec: &mut PatternSpec<B>,
        keys: &B::Tensor,
        values: &B::Tensor,
    ) {
        let key = self.key.forward(backend, keys);
        let key = turned(backend, key, spec.turns.as_ref(), backend.rows(&spec.key));
        backend.append(&mut spec.key, &key);
        backend.append(&mut spec.value, &self.value.forward(backend, values));
    }

    /// The whole of it for one sequence, every head at gate 1.
    ///
    /// # Shapes
    /// `query: [n_q, d]`, `key` and `value: [n_k, d]` → output `[n_q, d]` and the record.
    pub fn forward(
        &self,
        backend: &B,
        query: &B::Tensor,
        key: &B::Tensor,
        value: &B::Tensor,
        mask: Mask,
    ) -> (B::Tensor, PatternSpec<B>) {
        let mut spec = self.begin(backend, mask, vec![1.0; self.n_heads]);
        self.extend_queries(backend, &mut spec, query);
        self.extend_memory(backend, &mut spec, key, value);
        let context = spec.attend(backend, 0..backend.rows(query));
        (self.output.forward(backend, &context), spec)
    }
}

/// Rows that stand from `first` on, turned by their positions where there are turns.
fn turned<B: Backend>(
    backend: &B,
    x: B::Tensor,
    turns: Option<&B::Tensor>,
    first: usize,
) -> B::Tensor {
    let Some(turns) = turns else { return x };
    backend.rotate(&x, &backend.select(turns, first..first + backend.rows(&x)))
}
