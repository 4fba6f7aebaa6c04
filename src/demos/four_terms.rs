//! Transformer-XL's four terms, each alone: query with key, query with distance, and the two terms
//! that are the same for all queries, with key and with distance.
//!
//! `A_ij = (a) q_i·k_j + (b) q_i·r_(i−j) + (c) u·k_j + (d) v·r_(i−j)`, all by `1/√d_h`
//!
//! Source: Z. Dai et al., "Transformer-XL: Attentive Language Models beyond a Fixed-Length
//! Context" (2019), section 3.3. One head; `q`, `k`, `u`, `v` and the map of `r` are drawn by
//! seed: untrained. The scores are those of a model under this edit: `kernels::matmul` in f32,
//! joined by `positions::Relative`.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{distance, seed, whole};
use crate::error::Result;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::random::seed_of;
use crate::positions::{Relative, Sizes, Terms, TransformerXl, drawn_table};

/// The most tokens.
const LONGEST_OF_TERMS: usize = 64;
/// The most dimensions of the head.
const WIDEST: usize = 128;
/// The draws of queries and keys, as numbers in the path of a seed; the draws before are the
/// weights of the mechanism.
const QUERIES: usize = 3;
const KEYS: usize = 4;

/// The question of the four-terms demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FourTermsAsked {
    /// The number of tokens, from 1 to 64.
    pub length: f64,
    /// The width of the head `d_h`, from 1 to 128.
    pub dim: f64,
    /// The seed of the draw, a whole number from 0.
    pub seed: f64,
}

/// The answer of the four-terms demo: matrices `[query, key]`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FourTerms {
    /// The terms (a) to (d), each divided by `√d_h`.
    pub terms: Vec<Vec<f64>>,
    /// The scores that the mechanism computes, in f32.
    pub scores: Vec<f32>,
    /// The largest difference between the sum of the four terms and a score.
    pub residue: f64,
}

/// Answers the four-terms demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn four_terms(asked: &FourTermsAsked) -> Result<FourTerms> {
    let length = whole("the number of tokens", asked.length, 1, LONGEST_OF_TERMS)?;
    let dim = whole("the dimensions of a head", asked.dim, 1, WIDEST)?;
    let seed = seed(asked.seed)?;
    let vectors = |which: usize| drawn_table(length, dim, seed_of(seed, &[which]), 1.0);
    let queries = vectors(QUERIES);
    let keys = vectors(KEYS);
    let (q, k) = (|at: usize| &queries[at * dim..][..dim], |at: usize| &keys[at * dim..][..dim]);

    let parts = TransformerXl::new(Sizes { n_heads: 1, head_dim: dim, d_model: dim }, 0, seed);
    let scale = 1.0 / (dim as f64).sqrt();
    let mut terms = vec![Vec::new(); 4];
    for query in 0..length {
        for key in 0..length {
            let products = q(query).iter().zip(k(key));
            let content: f64 = products.map(|(&q, &k)| f64::from(q) * f64::from(k)).sum();
            let others = parts.terms(0, distance(query, key), q(query), k(key));
            let four = [content * scale].into_iter().chain(others);
            terms.iter_mut().zip(four).for_each(|(matrix, term)| matrix.push(term));
        }
    }

    let mut scores = vec![0.0; length * length];
    let packed = PackedMatrix::from_columns(dim, length, &keys, dim);
    let rows = Rows { data: &queries, stride: dim, count: length };
    matmul(rows, &packed, None, &mut scores, length);
    let relative = Relative { terms: Rc::new(Terms::TransformerXl(parts)), order: Rc::new([]) };
    for (query, row) in scores.chunks_exact_mut(length).enumerate() {
        for score in &mut *row {
            *score *= scale as f32;
        }
        relative.join(0, (query, q(query)), k, row);
    }
    let apart = |(at, &score): (usize, &f32)| {
        let sum: f64 = terms.iter().map(|matrix| matrix[at]).sum();
        (sum - f64::from(score)).abs()
    };
    let residue = scores.iter().enumerate().map(apart).fold(0.0, f64::max);
    Ok(FourTerms { terms, scores, residue })
}
