//! T5's buckets alone: which distance falls into which, where one ends and the next begins, and
//! the numbers that heads add for them, which are drawn here and not trained.
//!
//! Source: C. Raffel et al., "Exploring the Limits of Transfer Learning with a Unified
//! Text-to-Text Transformer" (2020), section 2.1, and its code. Buckets and numbers are those of
//! `positions::Relative`, which models are edited with.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::whole::{distance, even, seed, whole};
use crate::error::Result;
use crate::positions::{Buckets, Relative, Terms};

/// Buckets at most.
const MOST_BUCKETS: usize = 128;
/// The largest distance at most.
const LARGEST_DISTANCE: usize = 4096;
/// Heads at most.
const MOST_HEADS: usize = 16;
/// Tokens at most.
const LONGEST: usize = 128;

/// How distances are put into buckets, for how many heads and tokens.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
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
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct BucketBorder {
    /// How far the key stands before its query; negative where it comes later.
    pub distance: i32,
    /// The bucket from here on.
    pub bucket: usize,
}

/// Buckets by distance and by pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
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
pub fn buckets(asked: &BucketsAsked) -> Result<Bucketed> {
    let count = even("the buckets", asked.buckets, 4, MOST_BUCKETS)?;
    let least = count / 2 + 1;
    let max_distance = whole("the largest distance", asked.max_distance, least, LARGEST_DISTANCE)?;
    let heads = whole("the number of heads", asked.heads, 1, MOST_HEADS)?;
    let head = whole("the head", asked.head, 0, heads - 1)?;
    let length = whole("the number of tokens", asked.length, 1, LONGEST)?;
    let seed = seed(asked.seed)?;

    let of = Buckets { count, max_distance, both_sides: asked.both_sides };
    let terms = Terms::t5(of, heads, seed);
    let biases =
        if let Terms::T5(numbers) = &terms { numbers.numbers().to_vec() } else { Vec::new() };
    let relative = Relative { terms, order: Rc::new([]) };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn asked() -> BucketsAsked {
        BucketsAsked {
            buckets: 32.0,
            max_distance: 128.0,
            both_sides: false,
            heads: 4.0,
            head: 2.0,
            length: 12.0,
            seed: 1.0,
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn buckets_grow_with_the_distance_and_none_is_left_out() {
        for (buckets, max_distance) in [(4.0, 3.0), (8.0, 20.0), (32.0, 128.0), (128.0, 4096.0)] {
            for both_sides in [false, true] {
                let asked = BucketsAsked { buckets, max_distance, both_sides, ..asked() };
                let found = buckets_of(&asked);
                let before: Vec<usize> =
                    found.iter().filter(|one| one.distance >= 0).map(|one| one.bucket).collect();
                assert!(before.is_sorted(), "{asked:?}");
                let of_side = if both_sides { buckets / 2.0 } else { buckets };
                assert_eq!(*before.last().unwrap() as f64, of_side - 1.0, "{asked:?}");
                let later = found.iter().filter(|one| one.distance < 0);
                if both_sides {
                    assert!(later.map(|one| one.bucket).is_sorted_by(|a, b| a >= b));
                } else {
                    assert!(later.map(|one| one.bucket).all(|bucket| bucket == 0));
                }
            }
        }
    }

    fn buckets_of(asked: &BucketsAsked) -> Vec<BucketBorder> {
        buckets(asked).unwrap().borders
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_pair_has_the_number_of_its_bucket_and_head() {
        let found = buckets(&BucketsAsked { both_sides: true, ..asked() }).unwrap();
        for (bucket, bias) in found.matrix.iter().zip(&found.bias) {
            assert_eq!(*bias, found.biases[2 * 32 + bucket] as f32);
        }
        assert_eq!((found.matrix[0], found.matrix[1], found.matrix[12]), (0, 17, 1));
        let other = buckets(&BucketsAsked { seed: 2.0, both_sides: true, ..asked() }).unwrap();
        assert_eq!(found.matrix, other.matrix);
        assert_ne!(found.biases, other.biases);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn numbers_that_cannot_be_used_are_refused() {
        let hostile = [
            BucketsAsked { buckets: 7.0, ..asked() },
            BucketsAsked { buckets: 2.0, ..asked() },
            BucketsAsked { buckets: 130.0, ..asked() },
            BucketsAsked { max_distance: 16.0, ..asked() },
            BucketsAsked { max_distance: 1e12, ..asked() },
            BucketsAsked { heads: 0.0, ..asked() },
            BucketsAsked { head: 4.0, ..asked() },
            BucketsAsked { length: f64::NAN, ..asked() },
            BucketsAsked { seed: 0.5, ..asked() },
        ];
        for one in hostile {
            assert_eq!(buckets(&one).unwrap_err().code, Code::InputOutOfRange, "{one:?}");
        }
    }
}
