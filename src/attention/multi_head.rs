//! Multi-head attention: every head looks through projections of its own, and one more
//! projection joins what they found.
//!
//! `MultiHead(Q, K, V) = Concat(head₁ … head_h) W_O`,
//! `head_i = softmax(Q W_Q,i (K W_K,i)ᵀ / √d_h) V W_V,i`
//!
//! Source: Vaswani et al. 2017, section 3.2.2. The head projections stand side by side
//! in one matrix each. It holds no residual, norm or mask.

use crate::backend::{Backend, Linear};
use crate::masks::Mask;

use super::PatternSpec;

/// The trained projections of one site, each `[d, d]` with `d = h·d_h`.
pub struct MultiHeadAttention<B: Backend> {
    /// `W_Q`.
    pub query: Linear<B>,
    /// `W_K`.
    pub key: Linear<B>,
    /// `W_V`.
    pub value: Linear<B>,
    /// `W_O`.
    pub output: Linear<B>,
    /// Heads, side by side.
    pub n_heads: usize,
    /// The model's width `d`, a multiple of `n_heads`.
    pub d_model: usize,
}

impl<B: Backend> MultiHeadAttention<B> {
    /// The record of a site before any token: `forward` and the runs append to it.
    pub fn begin(&self, backend: &B, mask: Mask, gates: Vec<f32>) -> PatternSpec<B> {
        PatternSpec {
            query: backend.empty(self.d_model),
            key: backend.empty(self.d_model),
            value: backend.empty(self.d_model),
            n_heads: self.n_heads,
            scale: 1.0 / ((self.d_model / self.n_heads) as f32).sqrt(),
            mask,
            gates,
        }
    }

    /// Projects more queries, `[n, d]`, into the record.
    pub fn extend_queries(&self, backend: &B, spec: &mut PatternSpec<B>, x: &B::Tensor) {
        backend.append(&mut spec.query, &self.query.forward(backend, x));
    }

    /// Projects more keys and values into the record, from `[n, d]` each.
    pub fn extend_memory(
        &self,
        backend: &B,
        spec: &mut PatternSpec<B>,
        keys: &B::Tensor,
        values: &B::Tensor,
    ) {
        backend.append(&mut spec.key, &self.key.forward(backend, keys));
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
