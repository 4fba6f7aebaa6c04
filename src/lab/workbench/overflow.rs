//! Softmax as it is written, `exp(xᵢ) / Σⱼ exp(xⱼ)`, beside the one that subtracts the
//! maximum first, both in f32 and in f64: where the plain one overflows, it divides ∞ by ∞.
//!
//! `exp(x)` is finite up to `x = ln(MAX)`: 88.72 in f32, 709.78 in f64.
//!
//! Source: P. Blanchard, D. Higham and N. Higham, "Accurately computing the log-sum-exp and
//! softmax functions", IMA J. Numer. Anal. 41 (2021), section 1.

use serde::{Deserialize, Serialize};

use super::table::{Holds, Rows, Table, refused};
use crate::error::{Result, shown};
use crate::kernels::lanes::{F32x4, LANES};
use crate::kernels::math::Exp;
use crate::kernels::softmax::softmax_row;

/// Scores, and what they are multiplied by.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct OverflowAsked {
    /// `[query, key]`; -∞ is forbidden and stays so.
    pub scores: Rows,
    /// A finite number.
    pub times: f64,
}

/// One way to take a softmax of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SoftmaxWay {
    /// `[query, key]`; NaN where ∞ was divided by ∞, or 0 by 0.
    pub weights: Rows,
    /// How many exponentials are infinite.
    pub infinite: usize,
    /// How many weights are no numbers.
    pub not_numbers: usize,
}

/// The four ways side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Overflow {
    /// The scores that were multiplied.
    pub scores: Rows,
    /// In f32, as it is written.
    pub plain_single: SoftmaxWay,
    /// In f64, as it is written.
    pub plain_double: SoftmaxWay,
    /// In f32, with the maximum subtracted: the engine's own kernel.
    pub shifted_single: SoftmaxWay,
    /// In f64, with the maximum subtracted.
    pub shifted_double: SoftmaxWay,
    /// Up to where f32 has an exponential.
    pub largest_single: f64,
    /// Up to where f64 has one.
    pub largest_double: f64,
    /// The factor beyond which an exponential is infinite in f32; none without a score above 0.
    pub from_single: Option<f64>,
    /// The same in f64.
    pub from_double: Option<f64>,
}

/// Multiplies the scores and takes their softmax in four ways.
pub fn overflow(asked: &OverflowAsked) -> Result<Overflow> {
    if !asked.times.is_finite() {
        return Err(refused("the factor", "a finite number", shown(asked.times)));
    }
    let given = Table::checked("the scores", &asked.scores, Holds::Forbidden)?;
    let times = |score: f64| if score == f64::NEG_INFINITY { score } else { score * asked.times };
    let scores = Table::from_cells(given.rows(), given.columns(), |row, column| {
        times(given.row(row)[column])
    });
    let (largest_single, largest_double) = (f64::from(f32::MAX).ln(), f64::MAX.ln());
    let top = given.numbers().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let from = |largest: f64| (top > 0.0).then(|| largest / top);
    Ok(Overflow {
        plain_single: way(&scores, plain_single),
        plain_double: way(&scores, plain_double),
        shifted_single: way(&scores, |row| {
            let mut weights: Vec<f32> = row.iter().map(|&score| score as f32).collect();
            softmax_row(&mut weights);
            (weights.into_iter().map(f64::from).collect(), 0)
        }),
        shifted_double: way(&scores, |row| (shifted(row).weights, 0)),
        from_single: from(largest_single),
        from_double: from(largest_double),
        scores: scores.to_rows(),
        largest_single,
        largest_double,
    })
}

/// A row's softmax with what it is made of.
pub(super) struct ShiftedRow {
    /// The largest score; -∞ where none is allowed.
    pub(super) top: f64,
    /// `exp(x - top)`.
    pub(super) exponentials: Vec<f64>,
    /// Their sum.
    pub(super) total: f64,
    /// All 0 where none is allowed, as everywhere in Headscope.
    pub(super) weights: Vec<f64>,
}

/// With the maximum subtracted first, in f64.
pub(super) fn shifted(row: &[f64]) -> ShiftedRow {
    let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY && !row.iter().any(|score| score.is_nan()) {
        let nothing = vec![0.0; row.len()];
        return ShiftedRow { top, exponentials: nothing.clone(), total: 0.0, weights: nothing };
    }
    let exponentials: Vec<f64> = row.iter().map(|score| (score - top).exp()).collect();
    let total = exponentials.iter().sum();
    let weights = exponentials.iter().map(|share| share / total).collect();
    ShiftedRow { top, exponentials, total, weights }
}

fn plain_double(row: &[f64]) -> (Vec<f64>, usize) {
    let exponentials: Vec<f64> = row.iter().map(|score| score.exp()).collect();
    let total: f64 = exponentials.iter().sum();
    let infinite = exponentials.iter().filter(|share| share.is_infinite()).count();
    (exponentials.iter().map(|share| share / total).collect(), infinite)
}

fn plain_single(row: &[f64]) -> (Vec<f64>, usize) {
    let exp = Exp::load();
    let single =
        |score: &f64| exp.of(F32x4::load_partial(&[*score as f32; LANES], 0.0)).to_array()[0];
    let exponentials: Vec<f32> = row.iter().map(single).collect();
    let total: f32 = exponentials.iter().sum();
    let infinite = exponentials.iter().filter(|share| share.is_infinite()).count();
    (exponentials.iter().map(|share| f64::from(share / total)).collect(), infinite)
}

fn way(scores: &Table, softmax: impl Fn(&[f64]) -> (Vec<f64>, usize)) -> SoftmaxWay {
    let rows: Vec<(Vec<f64>, usize)> =
        (0..scores.rows()).map(|row| softmax(scores.row(row))).collect();
    let infinite = rows.iter().map(|(_, infinite)| infinite).sum();
    let weights: Rows = rows.into_iter().map(|(weights, _)| weights).collect();
    let not_numbers = weights.iter().flatten().filter(|weight| weight.is_nan()).count();
    SoftmaxWay { weights, infinite, not_numbers }
}
