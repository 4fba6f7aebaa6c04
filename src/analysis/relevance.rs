//! Relevance of tokens for a target, propagated through the blocks of a model by their attention
//! weights and the gradients of the target with respect to these (Chefer, Gur & Wolf 2021, "Generic
//! Attention-model Explainability for Interpreting Bi-Modal and Encoder-Decoder Transformers",
//! section 3).
//!
//! A site counts by `Ā = E_h((∇A ⊙ A)⁺)`, the mean over its heads (equation 5). Self-attention adds
//! `Ā R` to the relevance `R` of its own tokens and to that of the tokens of a memory (equations 6
//! and 7), cross-attention adds `(R̄ᵀ Ā) R̄ₘ` to the latter (equation 10), with `R̄` and `R̄ₘ` the
//! relevance in the text and in the memory: without its diagonal, its rows divided by their sums,
//! and the diagonal again (equations 8 and 9). All of it is in f64.

use super::rollout::identity;
use crate::kernels::product::product;

/// The mean of the positive parts of weights times gradients, over the heads of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct PositivePart {
    sums: Vec<f64>,
    heads: usize,
}

impl PositivePart {
    /// The mean over no head so far, of patterns of `cells` cells.
    pub fn new(cells: usize) -> Self {
        Self { sums: vec![0.0; cells], heads: 0 }
    }

    /// Adds a head.
    pub fn add(&mut self, weights: &[f32], gradients: &[f32]) {
        self.heads += 1;
        let products = weights.iter().zip(gradients).map(|(&a, &b)| f64::from(a) * f64::from(b));
        self.sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product.max(0.0));
    }

    /// The mean, row-major.
    pub fn mean(self) -> Vec<f64> {
        let heads = self.heads.max(1) as f64;
        self.sums.into_iter().map(|sum| sum / heads).collect()
    }
}

/// The relevance of tokens in each position of a text, `[n, n]`, and of the `m` tokens of a memory
/// that the text's stack attends to, `[n, m]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevance {
    n: usize,
    own: Vec<f64>,
    m: usize,
    memory: Vec<f64>,
}

impl Relevance {
    /// The relevance before the first block: each of the `n` positions is its own token, and
    /// nothing of a memory of `m` tokens is in them.
    pub fn new(n: usize, m: usize) -> Self {
        Self { n, own: identity(n), m, memory: vec![0.0; n * m] }
    }

    /// Adds the self-attention of a block, `Ā [n, n]`.
    pub fn add_own(&mut self, attention: &[f64]) {
        let memory = product(attention, &self.memory, self.m);
        let own = product(attention, &self.own, self.n);
        add(&mut self.memory, &memory);
        add(&mut self.own, &own);
    }

    /// Adds the cross-attention of a block, `Ā [n, m]`, to a memory in which tokens have the
    /// relevance `within`.
    pub fn add_cross(&mut self, attention: &[f64], within: &Self) {
        let own = transposed(&normed(&self.own, self.n), self.n);
        let reached = product(&own, attention, self.m);
        add(&mut self.memory, &product(&reached, &normed(&within.own, self.m), self.m));
    }

    /// The relevance of the text's tokens, `[n, n]`.
    pub fn own(self) -> Vec<f64> {
        self.own
    }

    /// The relevance of the memory's tokens, `[n, m]`.
    pub fn memory(self) -> Vec<f64> {
        self.memory
    }
}

/// `R − I` with rows divided by their sums, plus `I`. A row of zeros stays one.
fn normed(relevance: &[f64], n: usize) -> Vec<f64> {
    let mut normed = relevance.to_vec();
    for (position, row) in normed.chunks_exact_mut(n.max(1)).enumerate() {
        row[position] -= 1.0;
        let sum: f64 = row.iter().sum();
        if sum > 0.0 {
            for cell in row.iter_mut() {
                *cell /= sum;
            }
        }
        row[position] += 1.0;
    }
    normed
}

fn transposed(cells: &[f64], n: usize) -> Vec<f64> {
    (0..cells.len()).map(|at| cells[at % n * n + at / n]).collect()
}

fn add(to: &mut [f64], more: &[f64]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += more);
}
