//! From token ids to the residual stream: a row per token, scaled, plus where it
//! stands, plus (BERT) which of two texts it belongs to, then a norm where there is one.
//!
//! `x_p = E[id_p] · s (+ P[p]) (+ T[type_p])`, `s = √d` in the 2017 paper
//!
//! Sources: Vaswani et al. 2017, sections 3.4 and 3.5; token types and the norm after
//! the sum, Devlin et al. 2019, section 3.

use std::rc::Rc;

use super::Norm;
use crate::backend::Backend;

/// The tables of one stack.
pub struct Embedding<B: Backend> {
    /// `E`, `[d, vocabulary]`, shared with the output projection where they are tied.
    pub tokens: Rc<B::Matrix>,
    /// `s`.
    pub scale: f32,
    /// The model's own `P`, `[positions, d]`, where order is added here (with rotary positions
    /// it is not). Which table is added in a run, the run says.
    pub positions: Option<B::Tensor>,
    /// `T`, `[d, types]`.
    pub token_types: Option<B::Matrix>,
    /// The norm after the sum.
    pub norm: Option<Norm<B>>,
}

impl<B: Backend> Embedding<B> {
    /// The rows for `ids`, which have `types` and, where order is added, these rows of `P`.
    ///
    /// # Shapes
    /// `n` ids, `n` types → `[n, d]`.
    pub fn forward(
        &self,
        backend: &B,
        ids: &[u32],
        types: &[u32],
        positions: Option<&B::Tensor>,
    ) -> B::Tensor {
        let x = self.sum(backend, ids, types, positions);
        match &self.norm {
            Some(norm) => norm.forward(backend, &x),
            None => x,
        }
    }

    /// What is added up, before the norm.
    pub fn sum(
        &self,
        backend: &B,
        ids: &[u32],
        types: &[u32],
        positions: Option<&B::Tensor>,
    ) -> B::Tensor {
        let tokens = backend.embed(&self.tokens, ids, self.scale);
        let x = match positions {
            Some(rows) => backend.add(&tokens, rows),
            None => tokens,
        };
        match &self.token_types {
            Some(table) => backend.add(&x, &backend.embed(table, types, 1.0)),
            None => x,
        }
    }
}
