//! Sinusoidal positions with any number of dimensions and any base, and how alike two
//! positions are: of an even width their dot product depends on nothing but how far they are apart.
//!
//! Source: Vaswani et al. 2017, section 3.5.

use serde::{Deserialize, Serialize};

use super::{even, refused, seed, whole};
use crate::analysis::stream::cosine;
use crate::error::{self, Result, shown};
use crate::kernels::features::dot;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::random::seed_of;
use crate::kernels::rows::rotate_row;
use crate::positions::{Layout, Rotation, drawn_table, wave};

/// Numbers in a table at most.
const LARGEST_TABLE: usize = 1 << 19;
/// Waves of a smaller base are so short that angles leave the range of numbers.
const SMALLEST_BASE: f64 = 1e-6;

/// How many positions in how many dimensions, and the base of the wavelengths.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WavesAsked {
    /// Positions, at least 1.
    pub length: f64,
    /// Dimensions `d`, at least 1.
    pub dim: f64,
    /// 10000 in the paper; at least 0.000001.
    pub base: f64,
    /// Whether all sines stand before all cosines, as in Marian; absent: side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub halves: Option<bool>,
}

/// The table and what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Waves {
    /// `[position, dimension]`, row-major.
    pub table: Vec<f64>,
    /// Of each pair of dimensions, in positions.
    pub wavelengths: Vec<f64>,
    /// The dot product of the first position with each. Of an even width it is that of any two
    /// positions as far apart; of an odd one the last pair has no cosine.
    pub products: Vec<f64>,
}

/// The waves that were asked for.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn waves(asked: &WavesAsked) -> Result<Waves> {
    let length = whole("the number of positions", asked.length, 1, LARGEST_TABLE)?;
    let dim = whole("the number of dimensions", asked.dim, 1, LARGEST_TABLE)?;
    if length.saturating_mul(dim) > LARGEST_TABLE {
        let got = format!("{length} × {dim}");
        return Err(refused("the table", format!("at most {LARGEST_TABLE} numbers"), got));
    }
    let base = asked.base;
    if !(base.is_finite() && base >= SMALLEST_BASE) {
        let expected = format!("a finite number from {SMALLEST_BASE}");
        return Err(refused("the base", expected, shown(base)));
    }
    let pairs = dim.div_ceil(2);
    let layout = if asked.halves == Some(true) { Layout::SplitHalves } else { Layout::Interleaved };
    let row = |position: usize| {
        (0..dim).map(move |at| {
            let (pair, is_sine) = layout.place(at, dim);
            wave(position, pair, is_sine, dim, base)
        })
    };
    let first: Vec<f64> = row(0).collect();
    Ok(Waves {
        table: (0..length).flat_map(row).collect(),
        wavelengths: (0..pairs)
            .map(|pair| std::f64::consts::TAU * base.powf(2.0 * pair as f64 / dim as f64))
            .collect(),
        products: (0..length)
            .map(|position| row(position).zip(&first).map(|(one, other)| one * other).sum())
            .collect(),
    })
}

// How alike the rows of a table of positions are: their dot products, the cosines of the
// angles between them, and what both come to by how far two positions are apart.
//
// * `a · b`: what attention compares, before anything is learnt of it (Vaswani et al. 2017,
//   section 3.5)
// * `cos(a, b) = a · b / (‖a‖ ‖b‖)`: the similarity of learned positions (Wang & Chen 2020,
//   figure 1)

/// Positions at most: every answer has their square.
const MOST_POSITIONS: usize = 512;

/// A table of positions that the caller supplies.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LikenessAsked {
    /// `[position, dimension]`, row-major.
    pub table: Vec<f64>,
    /// How many dimensions a row has.
    pub dim: f64,
}

/// How alike its rows are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Likeness {
    /// `[position, position]`, row-major: dot products.
    pub products: Vec<f64>,
    /// `[position, position]`, row-major: cosines; NaN where a row is all zeros.
    pub cosines: Vec<f64>,
    /// The mean of the products by how far two positions are apart, from 0.
    pub products_apart: Vec<f64>,
    /// The same of the cosines, of those that there are.
    pub cosines_apart: Vec<f64>,
}

/// How alike the rows of a table are.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn likeness(asked: &LikenessAsked) -> Result<Likeness> {
    let LikenessAsked { table, dim } = asked;
    if table.is_empty() || table.len() > LARGEST_TABLE {
        let expected = format!("1 to {LARGEST_TABLE} numbers");
        return Err(refused("the table", expected, table.len().to_string()));
    }
    if let Some(number) = table.iter().find(|number| !number.is_finite()) {
        return Err(refused("the table", "finite numbers", shown(*number)));
    }
    let width = error::whole(*dim, 1..=table.len());
    let width = width.filter(|&width| table.len().is_multiple_of(width)).ok_or_else(|| {
        let expected = format!("a whole number that divides {} numbers", table.len());
        refused("the number of dimensions", expected, shown(*dim))
    })?;
    let n = table.len() / width;
    if n > MOST_POSITIONS {
        let expected = format!("at most {MOST_POSITIONS}");
        return Err(refused("the number of positions", expected, n.to_string()));
    }
    let rows: Vec<&[f64]> = table.chunks_exact(width).collect();
    let products = of_all(&rows, dot);
    let cosines = of_all(&rows, |one, other| cosine(one, other).unwrap_or(f64::NAN));
    let products_apart = by_distance(&products, n);
    let cosines_apart = by_distance(&cosines, n);
    Ok(Likeness { products, cosines, products_apart, cosines_apart })
}

/// Of every pair of rows; either way round it is the same number.
fn of_all(rows: &[&[f64]], measure: impl Fn(&[f64], &[f64]) -> f64) -> Vec<f64> {
    let n = rows.len();
    let mut all = vec![0.0; n * n];
    for (at, one) in rows.iter().enumerate() {
        for (to, other) in rows.iter().enumerate().skip(at) {
            let value = measure(one, other);
            all[at * n + to] = value;
            all[to * n + at] = value;
        }
    }
    all
}

/// The mean of each diagonal, of the numbers that are there; NaN where none are.
fn by_distance(matrix: &[f64], n: usize) -> Vec<f64> {
    let mean = |apart: usize| {
        let there = (0..n - apart).map(|at| matrix[at * n + at + apart]).filter(|x| !x.is_nan());
        let (sum, count) = there.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
        sum / count
    };
    (0..n).map(mean).collect()
}

// Rotary positions, pair by pair: a query at position `m` and a key at `n` are turned by the
// model's own kernels, and so are the same two `s` positions further on. Their product depends
// on `m − n` alone; what rounding leaves of that is the residue.
//
// `(R_m q)·(R_n k) = (R_{m+s} q)·(R_{n+s} k)`, `θ_i = base^(−2i/d_h)`
//
// Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021),
// sections 3.2 and 3.4.2. Products are `kernels::matmul`'s, in f32, as in a model.
//
// A pair's numbers do not depend on how many pairs there are, so that a slider moves one picture.

/// The last position that can be chosen, and the furthest distance of the curve.
const LAST: usize = 127;
/// The furthest that both can be moved on.
const FURTHEST: usize = 1024;
/// Dimensions of a head at most.
const WIDEST: usize = 128;
/// Below it speeds would grow along the pairs.
const SLOWEST_BASE: f64 = 1.0;
const LARGEST_ROTARY_BASE: f64 = 1e9;

/// Where the two stand, and how they are turned.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RotaryAsked {
    /// `m`, the position of the query, from 0 to 127.
    pub query: f64,
    /// `n`, the position of the key, from 0 to 127.
    pub key: f64,
    /// `s`, by which both are moved on, from 0 to 1024.
    pub shift: f64,
    /// `d_h`, an even number from 2 to 128.
    pub head_dim: f64,
    /// Of the progression of speeds, from 1; 10000 in the paper.
    pub base: f64,
    /// Which draw; a whole number from 0.
    pub seed: f64,
    /// Whether the key is the query's own vector.
    pub alike: bool,
}

/// A query and a key, `[d_h]` each, the first numbers of all pairs before the second ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnedPair {
    /// Of the query.
    pub query: Vec<f32>,
    /// Of the key.
    pub key: Vec<f32>,
    /// Their product, `q·k`.
    pub score: f64,
}

/// The two vectors in three places, and their product at every distance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rotary {
    /// How far each pair turns from one position to the next, in radians.
    pub speeds: Vec<f64>,
    /// As they are drawn.
    pub drawn: TurnedPair,
    /// Turned to `m` and `n`.
    pub here: TurnedPair,
    /// Turned to `m + s` and `n + s`.
    pub shifted: TurnedPair,
    /// How far the two scores are apart.
    pub residue: f64,
    /// The score by `m − n`, from −127 to 127.
    pub scores: Vec<f64>,
}

/// The turned vectors that were asked for.
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
        // Nothing is turned at position 0.
        drawn: at(0, 0),
        here,
        shifted,
        scores,
    })
}

/// A vector of mean 0 and variance 1, pair by pair.
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
