//! Measures of the residual stream, token by token: how large its numbers are, how much
//! of it a sublayer writes, how alike tokens are, and how far it is from another one.
//!
//! * `μ = Σ x_i / d`, `σ = √(Σ (x_i − μ)² / d)`, `‖x‖ = √Σ x_i²`
//! * similarity of a token: the mean over all other tokens of `cos(x, y)`, not defined of a
//!   token alone; zeros have no direction and take no part
//! * share of a sublayer: `‖F(x)‖ / ‖x‖`, not defined where x is zero
//! * distance: `‖x − y‖`
//!
//! Tokens that grow alike with depth: Ethayarajh 2019, section 4.2, whose similarity of random
//! words this is within one text. Rows are `[n, width]`, row-major; sums are f64.

use super::pattern::{Pattern, Row};
use crate::kernels::features::dot;

/// Mean, deviation and length of every row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spread {
    /// `μ`.
    pub mean: Vec<f64>,
    /// `σ`, over `d`.
    pub deviation: Vec<f64>,
    /// `‖x‖`.
    pub norm: Vec<f64>,
}

/// Mean, deviation and length of every row.
pub fn spread(rows: &[f32], width: usize) -> Spread {
    let mut found = Spread::default();
    for row in rows.chunks_exact(width) {
        let values = || row.iter().map(|&x| f64::from(x));
        let mean = values().sum::<f64>() / width as f64;
        let variance = values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / width as f64;
        found.mean.push(mean);
        found.deviation.push(variance.sqrt());
        found.norm.push(length(row));
    }
    found
}

/// Of every row the mean cosine with all other rows.
pub fn similarity(rows: &[f32], width: usize) -> Vec<Option<f64>> {
    // With unit vectors u the cosines of one row add up to u · Σ u', which is n·d and not n²·d.
    let units: Vec<Option<Vec<f64>>> = rows
        .chunks_exact(width)
        .map(|row| {
            let norm = length(row);
            (norm > 0.0).then(|| row.iter().map(|&x| f64::from(x) / norm).collect())
        })
        .collect();
    let mut all = vec![0.0; width];
    for unit in units.iter().flatten() {
        all.iter_mut().zip(unit).for_each(|(sum, x)| *sum += x);
    }
    let others = units.iter().flatten().count().saturating_sub(1);
    units
        .iter()
        .map(|unit| {
            let unit = unit.as_ref().filter(|_| others > 0)?;
            let together: f64 = unit.iter().zip(&all).map(|(x, sum)| x * (sum - x)).sum();
            Some((together / others as f64).clamp(-1.0, 1.0))
        })
        .collect()
}

/// Of every row how long what was found is, measured by what entered.
pub fn shares(found: &[f32], entered: &[f32], width: usize) -> Vec<Option<f64>> {
    let rows = found.chunks_exact(width).zip(entered.chunks_exact(width));
    rows.map(|(found, entered)| {
        let norm = length(entered);
        (norm > 0.0).then(|| length(found) / norm)
    })
    .collect()
}

/// Of every row how far it is from the same row of another text.
pub fn distances(one: &[f32], other: &[f32], width: usize) -> Vec<f64> {
    let rows = one.chunks_exact(width).zip(other.chunks_exact(width));
    rows.map(|(one, other)| {
        let square = |(x, y): (&f32, &f32)| (f64::from(*x) - f64::from(*y)).powi(2);
        one.iter().zip(other).map(square).sum::<f64>().sqrt()
    })
    .collect()
}

fn length(row: &[f32]) -> f64 {
    row.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

// How alike two tokens' hidden states point: the cosine of the angle between two vectors,
//
// `cos(a, b) = a · b / (|a| |b|)`, from -1 to 1, not defined of a vector of zeros.
//
// A word of several pieces is the mean of their vectors. Sums are f64. It compares vectors
// of one space, that is of one model and one layer.

/// The mean of some rows of a matrix `[position, width]`; zeros of no rows.
pub fn mean_row(rows: &[f32], width: usize, positions: &[usize]) -> Vec<f64> {
    let mut mean = vec![0.0; width];
    for &position in positions {
        let row = &rows[position * width..][..width];
        for (sum, &value) in mean.iter_mut().zip(row) {
            *sum += f64::from(value) / positions.len() as f64;
        }
    }
    mean
}

/// The cosine of two vectors of one width; `None` where one of them has no direction.
pub fn cosine(one: &[f64], other: &[f64]) -> Option<f64> {
    let lengths = dot(one, one).sqrt() * dot(other, other).sqrt();
    (lengths > 0.0).then(|| (dot(one, other) / lengths).clamp(-1.0, 1.0))
}

// A mean that goes on: sum and count of what was measured, so that many texts are pooled
// measurement by measurement and a long text weighs more than a short one.

/// Sum and count; the mean of nothing is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    /// Takes in one measurement.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Takes in all that another one has.
    pub fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// How many measurements there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Their mean, if there are any.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

// How unlike two heads are: the Jensen-Shannon divergence of what their rows look at,
//
// `JS(q) = ½ Σ_k A[q, k] ln (A[q, k] / M[q, k]) + ½ Σ_k B[q, k] ln (B[q, k] / M[q, k])`,
// `M = ½ (A + B)`,
//
// in nats (the logarithm is the natural one), the mean over the queries of which both heads
// may look somewhere. 0 of two equal rows, `ln 2` of two that share no key. Lin 1991,
// "Divergence Measures Based on the Shannon Entropy"; between heads: Clark et al. 2019,
// section 6.
//
// Sums are f64. No cell's share of the sum is negative, so nothing cancels. It compares two
// heads of one text: the same queries, the same keys.

/// The mean divergence of the rows of two patterns of one shape, from 0 to `ln 2`; `None`
/// where there is no query of which both may look somewhere.
pub fn divergence(one: &Pattern<'_>, other: &Pattern<'_>) -> Option<f64> {
    let mut mean = Mean::default();
    for row in one.rows() {
        if let Some(partner) = other.row(row.query) {
            mean.add(of_rows(&row, &partner));
        }
    }
    mean.value()
}

fn of_rows(one: &Row<'_>, other: &Row<'_>) -> f64 {
    let cells = one.weights.iter().zip(other.weights);
    0.5 * cells.map(|(&a, &b)| of_cells(f64::from(a), f64::from(b))).sum::<f64>()
}

/// `a ln (a / m) + b ln (b / m)` with `m` their mean.
fn of_cells(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    let mean = 0.5 * (a + b);
    let part = |weight: f64| if weight > 0.0 { weight * (weight / mean).ln() } else { 0.0 };
    part(a) + part(b)
}

// How probable some entries of a vocabulary are, of the scores of all of them,
//
// `ln pᵢ = (xᵢ − m) − ln Σⱼ exp(xⱼ − m)`, `m = max x`
//
// in f64: also where `p` is too small for a number. Source: P. Blanchard, D. Higham and N. Higham,
// "Accurately computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 41 (2021).
// Shapes: a row of logits `[vocabulary]`. It neither ranks nor chooses.
//
// A score of `-∞` has probability 0. What is no number makes all of its row none, and so does a
// row in which nothing is possible.

/// What turns the scores of a row into logarithms of probabilities.
pub struct LogSoftmax {
    top: f64,
    /// `ln Σⱼ exp(xⱼ − m)`, not yet joined with `m`: beside a huge one it would be lost.
    log_total: f64,
}

impl LogSoftmax {
    /// Of all scores of a row.
    pub fn of(logits: &[f32]) -> Self {
        let top = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let total: f64 = logits.iter().map(|&logit| (f64::from(logit) - top).exp()).sum();
        Self { top, log_total: total.ln() }
    }

    /// `ln p` of the entry of the row with this score.
    pub fn at(&self, logit: f32) -> f64 {
        f64::from(logit) - self.top - self.log_total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::LN_2;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn all(logits: &[f32]) -> Vec<f64> {
        let softmax = LogSoftmax::of(logits);
        logits.iter().map(|&logit| softmax.at(logit)).collect()
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn huge_scores_neither_overflow_nor_lose_the_sum() {
        let half = -LN_2;
        assert_eq!(all(&[1e30, 1e30, -1e30]), [half, half, -2.0 * f64::from(1e30f32)]);
        assert_eq!(all(&[f32::MAX, f32::MAX]), [half; 2]);
        assert_eq!(all(&[-1e30, -1e30]), [half; 2]);
        // Far beyond what a probability can show.
        assert_eq!(all(&[500.0, -500.0]), [0.0, -1000.0]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_is_no_number_makes_its_row_none() {
        for bad in [f32::NAN, f32::INFINITY] {
            assert!(all(&[0.0, bad, 1.0]).iter().all(|x| x.is_nan()), "{bad}");
        }
        assert!(all(&[f32::NEG_INFINITY; 2]).iter().all(|x| x.is_nan()));
    }
}
