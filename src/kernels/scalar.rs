//! The plain version of every kernel: one loop per sum, nothing packed, nothing in
//! lanes. It is what the fast kernels are tested against, with the same conventions (a fully
//! masked row is 0 and flagged).
//!
//! Formulas and sources stand in the files of the fast versions. Where these use
//! approximations of their own, this one calls the standard library in `f64`.
//! Shapes: row-major, without strides.
//! It does not try to be fast, and only [`matmul`] and [`rotate_row`] promise the
//! bits of their counterparts.

use super::activation::{Activation, GELU_CUBIC};

/// `out[r, n] = Σₖ x[r, k] · w[k, n] (+ bias[n])` for `x [count, inner]` and
/// `w [inner, outer]`, with `shape = (count, inner, outer)`.
///
/// # Panics
/// When a slice is too short for the shape.
pub fn matmul(
    x: &[f32],
    w: &[f32],
    bias: Option<&[f32]>,
    shape: (usize, usize, usize),
    out: &mut [f32],
) {
    let (count, inner, outer) = shape;
    for r in 0..count {
        for n in 0..outer {
            let mut sum = 0.0;
            for k in 0..inner {
                sum += x[r * inner + k] * w[k * outer + n];
            }
            out[r * outer + n] = bias.map_or(sum, |bias| sum + bias[n]);
        }
    }
}

/// Turns scores into weights. `false` when no entry is allowed: the row is then all 0.
pub fn softmax_row(row: &mut [f32]) -> bool {
    if row.iter().all(|&score| score == f32::NEG_INFINITY) {
        row.fill(0.0);
        return false;
    }
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in row.iter_mut() {
        *score = (*score - top).exp();
    }
    let total: f32 = row.iter().sum();
    for weight in row.iter_mut() {
        *weight /= total;
    }
    true
}

/// Turns logits into log-probabilities. A row without an allowed entry stays `-∞`.
pub fn log_softmax_row(row: &mut [f32]) {
    let total = precise_log_sum_exp(row);
    if total != f64::NEG_INFINITY {
        for logit in row.iter_mut() {
            *logit = (f64::from(*logit) - total) as f32;
        }
    }
}

/// `ln Σ exp(xᵢ)`; `-∞` when no entry is allowed.
pub fn log_sum_exp(row: &[f32]) -> f32 {
    precise_log_sum_exp(row) as f32
}

fn precise_log_sum_exp(row: &[f32]) -> f64 {
    if row.iter().all(|&value| value == f32::NEG_INFINITY) {
        return f64::NEG_INFINITY;
    }
    let top = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let total: f64 = row.iter().map(|&value| (f64::from(value) - top).exp()).sum();
    top + total.ln()
}

/// Normalises `x` into `out`.
///
/// # Panics
/// When `gamma`, `beta` or `out` is shorter than `x`.
pub fn layer_norm_row(x: &[f32], gamma: &[f32], beta: &[f32], epsilon: f32, out: &mut [f32]) {
    let count = x.len() as f32;
    let mean = x.iter().sum::<f32>() / count;
    let variance = x.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
    for i in 0..x.len() {
        out[i] = (x[i] - mean) / (variance + epsilon).sqrt() * gamma[i] + beta[i];
    }
}

/// Normalises `x` by the root of its mean square into `out`.
///
/// # Panics
/// When `gamma` or `out` is shorter than `x`.
pub fn rms_norm_row(x: &[f32], gamma: &[f32], epsilon: f32, out: &mut [f32]) {
    let mean_square = x.iter().map(|value| value * value).sum::<f32>() / x.len() as f32;
    for i in 0..x.len() {
        out[i] = x[i] / (mean_square + epsilon).sqrt() * gamma[i];
    }
}

/// Turns every head of a row by the cosines and sines in `turn`.
///
/// # Panics
/// When the row is no whole number of heads of at least as many dimensions as `turn`.
pub fn rotate_row(row: &mut [f32], turn: &[f32], head_dim: usize) {
    let half = turn.len() / 2;
    for first in (0..row.len()).step_by(head_dim.max(1)) {
        for i in 0..half {
            let (a, b) = (row[first + i], row[first + half + i]);
            let (cos, sin) = (turn[i], turn[half + i]);
            row[first + i] = a * cos - b * sin;
            row[first + half + i] = b * cos + a * sin;
        }
    }
}

/// One activated value.
pub fn activation(kind: Activation, x: f32) -> f32 {
    let x = f64::from(x);
    let value = match kind {
        Activation::Relu => {
            if x < 0.0 {
                0.0
            } else {
                x
            }
        }
        Activation::Gelu => 0.5 * x * (1.0 + erf(x / 2.0_f64.sqrt())),
        Activation::GeluTanh => {
            let scale = (2.0 / std::f64::consts::PI).sqrt();
            0.5 * x * (1.0 + (scale * (x + f64::from(GELU_CUBIC) * x.powi(3))).tanh())
        }
        Activation::Silu => x / (1.0 + (-x).exp()),
        Activation::Tanh => x.tanh(),
    };
    value as f32
}

/// The error function in `f64` from its series of positive terms,
/// `erf(x) = 2/√π · exp(-x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·…·(2n+1))` (M. Abramowitz and I. Stegun,
/// "Handbook of Mathematical Functions", 1964, 7.1.6), which cannot cancel.
pub fn erf(x: f64) -> f64 {
    /// From here on erf is 1 in `f64`.
    const ONE: f64 = 6.0;
    if x.abs() > ONE {
        return x.signum();
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON * 0.1 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// The `k` largest entries, largest first, by sorting all of them.
pub fn top_k(row: &[f32], k: usize) -> Vec<(usize, f32)> {
    let mut all: Vec<(usize, f32)> = row.iter().copied().enumerate().collect();
    all.sort_by(|(_, a), (_, b)| b.partial_cmp(a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
    all.truncate(k);
    all
}
