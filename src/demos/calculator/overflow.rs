//! Softmax as it is written, `exp(xᵢ) / Σⱼ exp(xⱼ)`, beside the one that subtracts the
//! maximum first, both in f32 and in f64: where the plain one overflows, it divides ∞ by ∞.
//!
//! `exp(x)` is finite up to `x = ln(MAX)`: 88.72 in f32, 709.78 in f64. A row's sum of finite
//! ones may be infinite nevertheless, and then every weight of the row is 0.
//!
//! Source: P. Blanchard, D. Higham and N. Higham, "Accurately computing the log-sum-exp and
//! softmax functions", IMA J. Numer. Anal. 41 (2021), section 1.

use serde::{Deserialize, Serialize};

use super::table::{Holds, Rows, Table};
use crate::demos::refused;
use crate::error::{Result, shown};
use crate::kernels::lanes::{F32x4, LANES};
use crate::kernels::math::Exp;
use crate::kernels::softmax::softmax_row;

/// Scores, and what they are multiplied by.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OverflowAsked {
    /// `[query, key]`; -∞ is forbidden and stays so.
    pub scores: Rows,
    /// A finite number.
    pub times: f64,
}

/// One way to take a softmax of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SoftmaxWay {
    /// `[query, key]`; NaN where ∞ was divided by ∞, or 0 by 0.
    pub weights: Rows,
    /// How many exponentials are infinite.
    pub infinite: usize,
    /// How many rows have an infinite sum, be it of finite exponentials.
    pub infinite_sums: usize,
    /// How many weights are no numbers.
    pub not_numbers: usize,
}

/// The four ways side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    /// The factor beyond which an exponential or a row's sum of them is infinite in f32; none
    /// without a score above 0.
    pub from_single: Option<f64>,
    /// The same in f64.
    pub from_double: Option<f64>,
}

/// Multiplies the scores and takes their softmax in four ways.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn overflow(asked: &OverflowAsked) -> Result<Overflow> {
    if !asked.times.is_finite() {
        return Err(refused("the factor", "a finite number", shown(asked.times)));
    }
    let given = Table::checked("the scores", &asked.scores, Holds::Forbidden)?;
    let scores = Table::from_cells(given.rows(), given.columns(), |row, column| {
        multiplied(given.row(row)[column], asked.times)
    });
    let largest_single = f64::from(f32::MAX).ln();
    let largest_double = f64::MAX.ln();
    Ok(Overflow {
        plain_single: way(&scores, plain_single),
        plain_double: way(&scores, plain_double),
        shifted_single: way(&scores, |row| {
            let mut weights: Vec<f32> = row.iter().map(|&score| score as f32).collect();
            softmax_row(&mut weights);
            RowSoftmax { weights: weights.into_iter().map(f64::from).collect(), ..FINITE }
        }),
        shifted_double: way(&scores, |row| RowSoftmax { weights: shifted(row).weights, ..FINITE }),
        from_single: breaks_from(&given, largest_single, plain_single),
        from_double: breaks_from(&given, largest_double, plain_double),
        scores: scores.to_rows(),
        largest_single,
        largest_double,
    })
}

/// A row's softmax with what it is made of.
pub(in super::super) struct ShiftedRow {
    /// The largest score; -∞ where none is allowed.
    pub(super) top: f64,
    /// `exp(x - top)`.
    pub(super) exponentials: Vec<f64>,
    /// Their sum.
    pub(super) total: f64,
    /// All 0 where none is allowed, as everywhere in Headscope.
    pub(in super::super) weights: Vec<f64>,
}

/// With the maximum subtracted first, in f64.
pub(in super::super) fn shifted(row: &[f64]) -> ShiftedRow {
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

/// One row's softmax, and what was infinite on the way to it.
struct RowSoftmax {
    weights: Vec<f64>,
    infinite: usize,
    infinite_sum: bool,
}

/// With the maximum subtracted no exponential is above 1.
const FINITE: RowSoftmax = RowSoftmax { weights: Vec::new(), infinite: 0, infinite_sum: false };

fn plain_double(row: &[f64]) -> RowSoftmax {
    let exponentials: Vec<f64> = row.iter().map(|score| score.exp()).collect();
    let total: f64 = exponentials.iter().sum();
    RowSoftmax {
        infinite: exponentials.iter().filter(|share| share.is_infinite()).count(),
        infinite_sum: total.is_infinite(),
        weights: exponentials.iter().map(|share| share / total).collect(),
    }
}

fn plain_single(row: &[f64]) -> RowSoftmax {
    let exp = Exp::load();
    let single =
        |score: &f64| exp.of(F32x4::load_partial(&[*score as f32; LANES], 0.0)).to_array()[0];
    let exponentials: Vec<f32> = row.iter().map(single).collect();
    let total: f32 = exponentials.iter().sum();
    RowSoftmax {
        infinite: exponentials.iter().filter(|share| share.is_infinite()).count(),
        infinite_sum: total.is_infinite(),
        weights: exponentials.iter().map(|share| f64::from(share / total)).collect(),
    }
}

/// Halvings of an interval that is narrower than its end: to about the last bit.
const HALVINGS: usize = 50;

/// The smallest factor from which a row's sum is infinite; none where no score is above 0.
///
/// `Σⱼ exp(t·xⱼ)` is convex in `t` and finite at 0, so it crosses the largest number once. It
/// lies between `exp(t·top)` and `n·exp(t·top)`, so it does that for a `t·top` between
/// `largest - ln(n)` and `largest`.
fn breaks_from(scores: &Table, largest: f64, plain: impl Fn(&[f64]) -> RowSoftmax) -> Option<f64> {
    let breaks = |row: &[f64], factor: f64| {
        let multiplied: Vec<f64> = row.iter().map(|&score| multiplied(score, factor)).collect();
        plain(&multiplied).infinite_sum
    };
    let mut from: Option<f64> = None;
    for row in (0..scores.rows()).map(|row| scores.row(row)) {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if top <= 0.0 || from.is_some_and(|from| !breaks(row, from)) {
            continue;
        }
        let mut holds = ((largest - (row.len() as f64).ln()) / top).max(0.0);
        let mut broken = from.unwrap_or(f64::INFINITY).min(largest / top);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(holds, broken);
            if breaks(row, middle) {
                broken = middle;
            } else {
                holds = middle;
            }
        }
        from = Some(broken);
    }
    from
}

/// A score that is forbidden stays so, whatever it is multiplied by.
fn multiplied(score: f64, factor: f64) -> f64 {
    if score == f64::NEG_INFINITY { score } else { score * factor }
}

fn way(scores: &Table, softmax: impl Fn(&[f64]) -> RowSoftmax) -> SoftmaxWay {
    let rows: Vec<RowSoftmax> = (0..scores.rows()).map(|row| softmax(scores.row(row))).collect();
    let infinite = rows.iter().map(|row| row.infinite).sum();
    let infinite_sums = rows.iter().filter(|row| row.infinite_sum).count();
    let weights: Rows = rows.into_iter().map(|row| row.weights).collect();
    let not_numbers = weights.iter().flatten().filter(|weight| weight.is_nan()).count();
    SoftmaxWay { weights, infinite, infinite_sums, not_numbers }
}
