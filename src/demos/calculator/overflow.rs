//! Softmax by its formula, `exp(xᵢ) / Σⱼ exp(xⱼ)`, beside softmax with the maximum subtracted
//! first, both in f32 and in f64: where the plain formula overflows, it divides ∞ by ∞.
//!
//! `exp(x)` is finite up to `x = ln(MAX)`: 88.72 in f32, 709.78 in f64. The sum of a row of finite
//! exponentials may be infinite nevertheless, and then every weight of the row is 0.
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

/// The question of the overflow demo: scores and their factor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OverflowAsked {
    /// The scores, `[query, key]`; -∞ is a masked cell and stays -∞.
    pub scores: Rows,
    /// The factor of the scores, a finite number.
    pub times: f64,
}

/// The result of one way to compute a softmax.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SoftmaxWay {
    /// The weights, `[query, key]`; NaN where ∞ was divided by ∞, or 0 by 0.
    pub weights: Rows,
    /// The number of infinite exponentials.
    pub infinite: usize,
    /// The number of rows with an infinite sum, also of finite exponentials.
    pub infinite_sums: usize,
    /// The number of weights that are NaN.
    pub not_numbers: usize,
}

/// The answer of the overflow demo: four ways to compute a softmax.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Overflow {
    /// The scores after multiplication.
    pub scores: Rows,
    /// Softmax by its formula in f32.
    pub plain_single: SoftmaxWay,
    /// Softmax by its formula in f64.
    pub plain_double: SoftmaxWay,
    /// Softmax in f32 with the maximum subtracted: the engine's own kernel.
    pub shifted_single: SoftmaxWay,
    /// Softmax in f64 with the maximum subtracted.
    pub shifted_double: SoftmaxWay,
    /// The largest score with a finite exponential in f32.
    pub largest_single: f64,
    /// The largest score with a finite exponential in f64.
    pub largest_double: f64,
    /// The factor beyond which an exponential or a row's sum of exponentials is infinite in f32;
    /// none without a score above 0.
    pub from_single: Option<f64>,
    /// The factor beyond which an exponential or a row's sum of exponentials is infinite in f64;
    /// none without a score above 0.
    pub from_double: Option<f64>,
}

/// Answers the overflow demo.
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

/// One row's softmax with its intermediates.
pub(in super::super) struct ShiftedRow {
    /// The largest score; -∞ for a fully masked row.
    pub(super) top: f64,
    /// The exponentials `exp(x - top)`.
    pub(super) exponentials: Vec<f64>,
    /// The sum of the exponentials.
    pub(super) total: f64,
    /// The weights; all 0 for a fully masked row.
    pub(in super::super) weights: Vec<f64>,
}

/// Softmax in f64 with the maximum subtracted first.
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

/// One row's softmax by its formula, and what was infinite in it.
struct RowSoftmax {
    weights: Vec<f64>,
    infinite: usize,
    infinite_sum: bool,
}

/// A row without infinities: with the maximum subtracted no exponential is above 1.
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

/// Bisection steps of an interval that is narrower than its upper end: to about the last bit.
const HALVINGS: usize = 50;

/// The smallest factor from which a row's sum is infinite; `None` if no score is above 0.
///
/// `Σⱼ exp(t·xⱼ)` is convex in `t` and finite at 0, so it crosses the largest number once. The sum
/// lies between `exp(t·top)` and `n·exp(t·top)`, so it crosses at a `t·top` between `largest -
/// ln(n)` and `largest`.
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

/// A score times a factor; a masked score stays -∞.
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
