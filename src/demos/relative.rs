//! `ALiBi` alone: the slope of each head, what a score loses by distance, and one head's matrix.
//!
//! `b_h(i, j) = −m_h · |i − j|`
//!
//! Source: O. Press, N. A. Smith and M. Lewis, "Train Short, Test Long: Attention with Linear
//! Biases Enables Input Length Extrapolation" (2022), section 3. Slopes and biases are those of
//! `positions::Relative`, which models are edited with.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{distance, even, seed, whole};
use crate::error::Result;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::random::seed_of;
use crate::positions::{Buckets, Relative, Sizes, Terms, TransformerXl, alibi_slopes, drawn_table};

/// Heads at most.
const MOST_SLOPES: usize = 64;
/// Tokens at most.
const LONGEST: usize = 128;

/// How many heads, how many tokens, and which head's matrix.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AlibiAsked {
    /// From 1 to 64.
    pub heads: f64,
    /// Tokens, from 1 to 128.
    pub length: f64,
    /// The head whose matrix is wanted, from 0.
    pub head: f64,
}

/// Slopes and what follows from them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Alibi {
    /// Of each head.
    pub slopes: Vec<f64>,
    /// `[head, distance]`, distances from 0.
    pub biases: Vec<f64>,
    /// Of the head that was asked for, `[query, key]`; both sides count alike.
    pub matrix: Vec<f32>,
}

/// The biases that were asked for.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn alibi(asked: &AlibiAsked) -> Result<Alibi> {
    let heads = whole("the number of heads", asked.heads, 1, MOST_SLOPES)?;
    let length = whole("the number of tokens", asked.length, 1, LONGEST)?;
    let head = whole("the head", asked.head, 0, heads - 1)?;
    let relative = Relative { terms: Rc::new(Terms::alibi(heads)), order: Rc::new([]) };
    Ok(Alibi {
        slopes: alibi_slopes(heads),
        biases: (0..heads)
            .flat_map(|head| (0..length).map(move |away| (head, away)))
            .map(|(head, away)| relative.by_distance(head, distance(away, 0)))
            .collect(),
        matrix: (0..length * length)
            .map(|at| relative.bias(head, (at / length, &[]), (at % length, &[])))
            .collect(),
    })
}

// T5's buckets alone: which distance falls into which, where one ends and the next begins, and
// the numbers that heads add for them, which are drawn here and not trained.
//
// Source: C. Raffel et al., "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer" (2020), section 2.1, and its code. Buckets and numbers are those of
// `positions::Relative`, which models are edited with.

/// Buckets at most.
const MOST_BUCKETS: usize = 128;
/// The largest distance at most.
const LARGEST_DISTANCE: usize = 4096;
/// Heads at most.
const MOST_BIASED_HEADS: usize = 16;

/// How distances are put into buckets, for how many heads and tokens.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BucketsAsked {
    /// An even number from 4 to 128; 32 in T5.
    pub buckets: f64,
    /// From here on all distances share a bucket: from half the buckets and one to 4096; 128 in T5.
    pub max_distance: f64,
    /// Whether keys that come later have buckets of their own, as in an encoder.
    pub both_sides: bool,
    /// From 1 to 16.
    pub heads: f64,
    /// The head whose matrix is wanted, from 0.
    pub head: f64,
    /// Tokens, from 1 to 128.
    pub length: f64,
    /// Which draw; a whole number from 0.
    pub seed: f64,
}

/// A bucket begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BucketBorder {
    /// How far the key stands before its query; negative where it comes later.
    pub distance: i32,
    /// The bucket from here on.
    pub bucket: usize,
}

/// Buckets by distance and by pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Bucketed {
    /// Every distance at which another bucket begins, the furthest later key first; the first and
    /// the last distance belong to it.
    pub borders: Vec<BucketBorder>,
    /// `[query, key]`.
    pub matrix: Vec<usize>,
    /// What a head adds for a bucket, `[head, bucket]`; drawn, untrained.
    pub biases: Vec<f64>,
    /// What the head that was asked for adds, `[query, key]`.
    pub bias: Vec<f32>,
}

/// The buckets that were asked for.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn buckets(asked: &BucketsAsked) -> Result<Bucketed> {
    let count = even("the buckets", asked.buckets, 4, MOST_BUCKETS)?;
    let least = count / 2 + 1;
    let max_distance = whole("the largest distance", asked.max_distance, least, LARGEST_DISTANCE)?;
    let heads = whole("the number of heads", asked.heads, 1, MOST_BIASED_HEADS)?;
    let head = whole("the head", asked.head, 0, heads - 1)?;
    let length = whole("the number of tokens", asked.length, 1, LONGEST)?;
    let seed = seed(asked.seed)?;

    let of = Buckets { count, max_distance, both_sides: asked.both_sides };
    let terms = Terms::t5(of, heads, seed);
    let biases =
        if let Terms::T5(numbers) = &terms { numbers.numbers().to_vec() } else { Vec::new() };
    let relative = Relative { terms: Rc::new(terms), order: Rc::new([]) };
    let pairs = (0..length * length).map(|at| (at / length, at % length));
    // A little beyond the largest distance, to see that nothing changes there.
    let reach = length.max(max_distance + max_distance / 4);
    Ok(Bucketed {
        borders: borders(of, i32::try_from(reach).unwrap_or(i32::MAX)),
        matrix: pairs.clone().map(|(query, key)| of.of(distance(query, key))).collect(),
        biases,
        bias: pairs.map(|(query, key)| relative.bias(head, (query, &[]), (key, &[]))).collect(),
    })
}

/// Where buckets begin, from `−reach` to `reach`.
fn borders(of: Buckets, reach: i32) -> Vec<BucketBorder> {
    let all = (-reach..=reach)
        .map(|distance| BucketBorder { distance, bucket: of.of(i64::from(distance)) });
    let mut borders: Vec<BucketBorder> = Vec::new();
    for border in all {
        let begins = borders.last().is_none_or(|last| last.bucket != border.bucket);
        if begins || border.distance == reach {
            borders.push(border);
        }
    }
    borders
}

// Transformer-XL's four terms, each alone: what queries and keys say to each other, what queries
// say to distances, and what all queries say to keys and to distances alike.
//
// `A_ij = (a) q_i·k_j + (b) q_i·r_(i−j) + (c) u·k_j + (d) v·r_(i−j)`, all by `1/√d_h`
//
// Source: Z. Dai et al., "Transformer-XL: Attentive Language Models beyond a Fixed-Length
// Context" (2019), section 3.3. One head; `q`, `k`, `u`, `v` and the map of `r` are drawn by
// seed: untrained. The scores are those of a model under this edit: `kernels::matmul` in f32,
// joined by `positions::Relative`.

/// Tokens at most.
const LONGEST_OF_TERMS: usize = 64;
/// Dimensions of the head at most.
const WIDEST: usize = 128;
/// Which drawn numbers are queries, and which keys; those before are the mechanism's own.
const QUERIES: usize = 3;
const KEYS: usize = 4;

/// How many tokens, how wide, and which draw.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FourTermsAsked {
    /// Tokens, from 1 to 64.
    pub length: f64,
    /// `d_h`, from 1 to 128.
    pub dim: f64,
    /// A whole number from 0.
    pub seed: f64,
}

/// Matrices `[query, key]`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FourTerms {
    /// (a) to (d), each divided by `√d_h`.
    pub terms: Vec<Vec<f64>>,
    /// What the mechanism makes of them, in f32.
    pub scores: Vec<f32>,
    /// How far the sum of the four is from the scores at most.
    pub residue: f64,
}

/// The terms that were asked for.
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
