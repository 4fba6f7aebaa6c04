//! Rotary position embedding, pair by pair: a query at position `m` and a key at `n` are rotated by
//! the model's own kernels, and again `s` positions further on. Their product depends on `m − n`
//! alone; the residue is what rounding adds to that.
//!
//! `(R_m q)·(R_n k) = (R_{m+s} q)·(R_{n+s} k)`, `θ_i = base^(−2i/d_h)`
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021),
//! sections 3.2 and 3.4.2. Products are `kernels::matmul`'s, in f32, as in a model.
//!
//! A pair's numbers do not depend on how many pairs there are, so that a slider moves one picture.

use serde::{Deserialize, Serialize};

use super::{even, refused, seed, whole};
use crate::error::{Result, shown};
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::random::seed_of;
use crate::kernels::rotate::rotate_row;
use crate::positions::{Rotation, drawn_table};

/// The last position, and the largest distance of the curve.
const LAST: usize = 127;
/// The largest shift of both positions.
const FURTHEST: usize = 1024;
/// The most dimensions of a head.
const WIDEST: usize = 128;
/// The smallest base: below it frequencies would grow along the pairs.
const SLOWEST_BASE: f64 = 1.0;
const LARGEST_ROTARY_BASE: f64 = 1e9;

/// The question of the rotary demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RotaryAsked {
    /// The position `m` of the query, from 0 to 127.
    pub query: f64,
    /// The position `n` of the key, from 0 to 127.
    pub key: f64,
    /// The shift `s` of both positions, from 0 to 1024.
    pub shift: f64,
    /// The width of the head `d_h`, an even number from 2 to 128.
    pub head_dim: f64,
    /// The base of the progression of frequencies, from 1; 10000 in the paper.
    pub base: f64,
    /// The seed of the draw, a whole number from 0.
    pub seed: f64,
    /// Whether the key is the same vector as the query.
    pub alike: bool,
}

/// A query and a key, `[d_h]` each, the first numbers of all pairs before the second ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnedPair {
    /// The query, `[d_h]`.
    pub query: Vec<f32>,
    /// The key, `[d_h]`.
    pub key: Vec<f32>,
    /// The product of query and key, `q·k`.
    pub score: f64,
}

/// The answer of the rotary demo: query and key in three places, and their product at every
/// distance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rotary {
    /// The frequency of each pair: its rotation from one position to the next, in radians.
    pub speeds: Vec<f64>,
    /// Query and key as drawn, without rotation.
    pub drawn: TurnedPair,
    /// Query and key, rotated to `m` and `n`.
    pub here: TurnedPair,
    /// Query and key, rotated to `m + s` and `n + s`.
    pub shifted: TurnedPair,
    /// The difference of the scores before and after the shift.
    pub residue: f64,
    /// The score by `m − n`, from −127 to 127.
    pub scores: Vec<f64>,
}

/// Answers the rotary demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn rotary(asked: &RotaryAsked) -> Result<Rotary> {
    let m = whole("the position of the query", asked.query, 0, LAST)?;
    let n = whole("the position of the key", asked.key, 0, LAST)?;
    let shift = whole("the shift", asked.shift, 0, FURTHEST)?;
    let width = even("the dimensions of a head", asked.head_dim, 2, WIDEST)?;
    let base = asked.base;
    if !(SLOWEST_BASE..=LARGEST_ROTARY_BASE).contains(&base) {
        let expected = format!("a number from {SLOWEST_BASE} to {LARGEST_ROTARY_BASE}");
        return Err(refused("the base", expected, shown(base)));
    }
    let seed = seed(asked.seed)?;
    let query = drawn(width, seed, 0);
    let key = if asked.alike { query.clone() } else { drawn(width, seed, 1) };
    let turns = Rotation::new(base, width).table(LAST.max(m.max(n) + shift) + 1);
    let at = |m: usize, n: usize| turned(&query, &key, &turns, (m, n));
    let here = at(m, n);
    let shifted = at(m + shift, n + shift);
    let scores = (0..=2 * LAST)
        .map(|place| at(place.saturating_sub(LAST), LAST.saturating_sub(place)).score)
        .collect();
    let pairs = width / 2;
    Ok(Rotary {
        speeds: (0..pairs).map(|pair| base.powf(-2.0 * pair as f64 / width as f64)).collect(),
        residue: (here.score - shifted.score).abs(),
        // The rotation at position 0 is the identity.
        drawn: at(0, 0),
        here,
        shifted,
        scores,
    })
}

/// A vector of mean 0 and variance 1, drawn pair by pair.
fn drawn(width: usize, seed: u64, which: usize) -> Vec<f32> {
    let pairs = drawn_table(width / 2, 2, seed_of(seed, &[which]), 1.0);
    let side = |side: usize| pairs.iter().skip(side).step_by(2).copied();
    side(0).chain(side(1)).collect()
}

fn turned(query: &[f32], key: &[f32], turns: &[f32], (m, n): (usize, usize)) -> TurnedPair {
    let turn = |vector: &[f32], position: usize| {
        let mut turned = vector.to_vec();
        let width = vector.len();
        rotate_row(&mut turned, &turns[position * width..][..width], width);
        turned
    };
    let query = turn(query, m);
    let key = turn(key, n);
    let width = query.len();
    let mut score = [0.0];
    let keys = PackedMatrix::from_columns(width, 1, &key, width);
    matmul(Rows { data: &query, stride: width, count: 1 }, &keys, None, &mut score, 1);
    TurnedPair { query, key, score: f64::from(score[0]) }
}
