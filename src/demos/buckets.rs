//! T5's buckets alone: the bucket of each distance, the borders of the buckets, and the biases that
//! heads add for them, which are drawn by seed and not trained.
//!
//! Source: C. Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
//! Transformer" (2020), section 2.1, and its code. Buckets and biases are those of
//! `positions::Relative`, which edits of models use too.

use std::rc::Rc;

use super::alibi::LONGEST;
use serde::{Deserialize, Serialize};

use super::{distance, even, seed, whole};
use crate::error::Result;
use crate::positions::{Buckets, Relative, Terms};

/// The most buckets.
const MOST_BUCKETS: usize = 128;
/// The limit of the largest distance.
const LARGEST_DISTANCE: usize = 4096;
/// The most heads.
const MOST_BIASED_HEADS: usize = 16;

/// The question of the T5 bucket demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BucketsAsked {
    /// The number of buckets, an even number from 4 to 128; 32 in T5.
    pub buckets: f64,
    /// The distance from which on all distances share a bucket, from half the buckets and one to
    /// 4096; 128 in T5.
    pub max_distance: f64,
    /// Whether later keys have buckets of their own, as in an encoder.
    pub both_sides: bool,
    /// The number of heads, from 1 to 16.
    pub heads: f64,
    /// The head whose matrix is computed, from 0.
    pub head: f64,
    /// The number of tokens, from 1 to 128.
    pub length: f64,
    /// The seed of the draw, a whole number from 0.
    pub seed: f64,
}

/// The first distance of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BucketBorder {
    /// The distance from key back to query, in tokens; negative for a later key.
    pub distance: i32,
    /// The bucket from this distance on.
    pub bucket: usize,
}

/// The answer of the T5 bucket demo: buckets by distance and by pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Bucketed {
    /// The first distance of every bucket, the farthest later key first; the first and the last
    /// distance are listed too.
    pub borders: Vec<BucketBorder>,
    /// The bucket of each pair, `[query, key]`.
    pub matrix: Vec<usize>,
    /// The bias of each head and bucket, `[head, bucket]`; drawn by seed, untrained.
    pub biases: Vec<f64>,
    /// The biases of the requested head, `[query, key]`.
    pub bias: Vec<f32>,
}

/// Answers the T5 bucket demo.
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
    // A little beyond the largest distance, to show that the bucket stays the same there.
    let reach = length.max(max_distance + max_distance / 4);
    Ok(Bucketed {
        borders: borders(of, i32::try_from(reach).unwrap_or(i32::MAX)),
        matrix: pairs.clone().map(|(query, key)| of.of(distance(query, key))).collect(),
        biases,
        bias: pairs.map(|(query, key)| relative.bias(head, (query, &[]), (key, &[]))).collect(),
    })
}

/// The borders of the buckets from `−reach` to `reach`.
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
