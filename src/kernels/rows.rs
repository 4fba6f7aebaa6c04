//! Softmax and log-softmax of one row, with the maximum subtracted first so
//! that nothing overflows.
//!
//! `softmax(x)ᵢ = exp(xᵢ - m) / Σⱼ exp(xⱼ - m)`, `m = max x`
//!
//! Source: A. Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1; the
//! shifted form: P. Blanchard, D. Higham and N. Higham, "Accurately computing the
//! log-sum-exp and softmax functions", IMA J. Numer. Anal. 41 (2021).
//! Shapes: a row `[n]`, in place.
//!
//! A forbidden entry is `-∞` and its weight exactly 0. A fully masked row gets weights 0
//! and is reported, never NaN. Entry `i` is summed in lane `i mod 4`, and a missing lane
//! is a `-∞`: appending forbidden entries changes no bit of the others.
//! A NaN or `+∞` in the row makes it NaN. It does not scale and it does not mask.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::activation::Activation;
use super::lanes::{F32x4, LANES, for_each, map};
use super::math::{Exp, ln};

/// Turns scores into weights. `false` when no entry is allowed: the row is then all 0.
pub fn softmax_row(row: &mut [f32]) -> bool {
    let Some(top) = maximum(row) else {
        row.fill(0.0);
        return false;
    };
    let exp = Exp::load();
    let top = F32x4::splat(top);
    let mut sums = F32x4::zero();
    map(row, f32::NEG_INFINITY, |score| {
        let weight = exp.of(score - top);
        sums = sums + weight;
        weight
    });
    let total = F32x4::splat(sums.sum());
    map(row, 0.0, |weight| weight / total);
    true
}

/// Turns logits into log-probabilities. A row without an allowed entry stays `-∞`.
pub fn log_softmax_row(row: &mut [f32]) {
    let Some(top) = maximum(row) else { return };
    let exp = Exp::load();
    let top = F32x4::splat(top);
    let mut sums = F32x4::zero();
    for_each(row, f32::NEG_INFINITY, |value| sums = sums + exp.of(value - top));
    let log_total = F32x4::splat(ln(sums.sum()));
    map(row, 0.0, |logit| (logit - top) - log_total);
}

/// The largest entry, or none when all are `-∞`. A NaN counts as an entry.
fn maximum(row: &[f32]) -> Option<f32> {
    let lowest = f32::NEG_INFINITY;
    let mut tops = F32x4::splat(lowest);
    for_each(row, lowest, |value| tops = tops.max(value));
    let top = tops.maximum();
    if top > lowest {
        return Some(top);
    }
    row.iter().copied().find(|value| value.is_nan())
}

// Normalisation of one row: layer norm, which takes the mean first and then the variance
// of the differences from it, so that a large common offset costs no precision; and the
// norm by the root of the mean square, which leaves the mean where it is.
//
// Layer: `out = (x - μ) / √(σ² + ε) · γ + β`, `μ = Σ xᵢ / d`, `σ² = Σ (xᵢ - μ)² / d`
// RMS: `out = x / √(m + ε) · γ`, `m = Σ xᵢ² / d`
//
// Sources: J. Ba, J. Kiros and G. Hinton, "Layer Normalization" (2016), equation 3; the
// variance is the biased one, and ε stands under the root. B. Zhang and R. Sennrich, "Root
// Mean Square Layer Normalization" (2019), equation 4, with ε as H. Touvron et al.,
// "LLaMA" (2023), have it.
// Shapes: `x [d]`, `gamma [d]`, `beta [d]`, `out [d]`.
// It does not keep running statistics and has no version without γ.

/// Normalises `x` into `out`. An empty row stays empty.
///
/// # Panics
/// When the lengths differ.
pub fn layer_norm_row(x: &[f32], gamma: &[f32], beta: &[f32], epsilon: f32, out: &mut [f32]) {
    let lengths = [gamma.len(), beta.len(), out.len()];
    assert_eq!(lengths, [x.len(); 3], "gamma, beta and out are as long as the row");
    let (mean, variance) = moments(x);
    let means = F32x4::splat(mean);
    let inverse = F32x4::splat(1.0 / (variance + epsilon).sqrt());

    let chunks = x.chunks(LANES).zip(gamma.chunks(LANES)).zip(beta.chunks(LANES));
    for (((x, gamma), beta), out) in chunks.zip(out.chunks_mut(LANES)) {
        let normal = (F32x4::load_partial(x, 0.0) - means) * inverse;
        let scaled = normal * F32x4::load_partial(gamma, 0.0) + F32x4::load_partial(beta, 0.0);
        scaled.store_partial(out);
    }
}

/// Normalises `x` by the root of its mean square into `out`. An empty row stays empty.
///
/// # Panics
/// When the lengths differ.
pub fn rms_norm_row(x: &[f32], gamma: &[f32], epsilon: f32, out: &mut [f32]) {
    assert_eq!([gamma.len(), out.len()], [x.len(); 2], "gamma and out are as long as the row");
    let inverse = F32x4::splat(1.0 / (mean_square(x) + epsilon).sqrt());
    let chunks = x.chunks(LANES).zip(gamma.chunks(LANES));
    for ((x, gamma), out) in chunks.zip(out.chunks_mut(LANES)) {
        let normal = F32x4::load_partial(x, 0.0) * inverse;
        (normal * F32x4::load_partial(gamma, 0.0)).store_partial(out);
    }
}

/// The mean of a row's squares.
pub fn mean_square(x: &[f32]) -> f32 {
    let mut squares = F32x4::zero();
    for_each(x, 0.0, |values| squares = squares + values * values);
    squares.sum() / x.len() as f32
}

/// Mean and biased variance of a row.
pub fn moments(x: &[f32]) -> (f32, f32) {
    let count = x.len() as f32;
    let mut sums = F32x4::zero();
    for_each(x, 0.0, |values| sums = sums + values);
    let mean = sums.sum() / count;

    // A missing lane stands at the mean: its difference is 0.
    let means = F32x4::splat(mean);
    let mut squares = F32x4::zero();
    for_each(x, mean, |values| {
        let difference = values - means;
        squares = squares + difference * difference;
    });
    (mean, squares.sum() / count)
}

// Rotary positions: every pair of a head's dimensions is a point in a plane, turned by an
// angle that grows with the position, so that the product of a query and a key depends on
// how far apart they stand.
//
// `aᵢ ← aᵢ cos θᵢ − bᵢ sin θᵢ`, `bᵢ ← bᵢ cos θᵢ + aᵢ sin θᵢ`, `a` the first half of a
// head's dimensions and `b` the second
//
// Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
// (2021), equation 34. The paper pairs neighbours; checkpoints in Hugging Face's format
// pair a dimension with the one half a head further on, which is the same up to the order
// of the columns.
// Shapes: `row [h·d_h]` in place; `turn [d_r]`, first the cosines, then the sines of the
// pairs; the dimensions of a head behind the first `d_r` stay.
// It does not know positions: `positions::Rotation` makes the table of which it gets a row.

/// Turns every head of a row.
///
/// # Panics
/// When the row is no whole number of heads, or `turn` is longer than a head or odd.
pub fn rotate_row(row: &mut [f32], turn: &[f32], head_dim: usize) {
    assert!(turn.len().is_multiple_of(2), "dimensions are turned in pairs");
    assert!(row.len().is_multiple_of(head_dim.max(1)), "a row is a number of heads");
    let half = turn.len() / 2;
    let (cosines, sines) = turn.split_at(half);
    for head in row.chunks_exact_mut(head_dim.max(1)) {
        let (a, b) = head[..turn.len()].split_at_mut(half);
        let pairs = a.chunks_mut(LANES).zip(b.chunks_mut(LANES));
        let turns = cosines.chunks(LANES).zip(sines.chunks(LANES));
        for ((a, b), (cosines, sines)) in pairs.zip(turns) {
            let [x, y] = [&*a, &*b].map(|values| F32x4::load_partial(values, 0.0));
            let [cos, sin] = [cosines, sines].map(|values| F32x4::load_partial(values, 0.0));
            (x * cos - y * sin).store_partial(a);
            (y * cos + x * sin).store_partial(b);
        }
    }
}

// The largest entries of a row, for candidates of the next token.
//
// `top_k(x, k)`: indices `i₁, i₂, …` with `x[i₁] >= x[i₂] >= …`
//
// Shapes: a row `[n]` in, at most `k` pairs of index and value out.
// Equal values go to the lowest index first, so that the choice is the same on every
// machine; NaN comes after `-∞`. It does not turn logits into probabilities.

/// The `k` largest entries, largest first; all of them when there are fewer.
pub fn top_k(row: &[f32], k: usize) -> Vec<(usize, f32)> {
    // The worst of the best stands on top, where the next one that is better takes its place.
    let mut best = BinaryHeap::with_capacity(k.min(row.len()));
    // The value to beat, once there are `k`.
    let mut last = None;
    for (index, &value) in row.iter().enumerate() {
        if last.is_some_and(|last| !outranks(value, last)) {
            continue;
        }
        let key = Reverse(key(value, index));
        if best.len() < k {
            best.push(key);
        } else if let Some(mut worst) = best.peek_mut() {
            *worst = key;
        }
        if best.len() == k {
            last = best.peek().map(|worst| row[index_of(worst.0)]);
        }
    }
    let indices = best.into_sorted_vec().into_iter().map(|key| index_of(key.0));
    indices.map(|index| (index, row[index])).collect()
}

/// A number that is greater for what belongs before: by its value, then by its place.
fn key(value: f32, index: usize) -> u64 {
    let bits = value.to_bits();
    let height = if value.is_nan() {
        0
    } else if value == 0.0 || value.is_sign_positive() {
        // Both zeros are one height.
        bits | SIGN
    } else {
        !bits
    };
    u64::from(height) << 32 | u64::from(!(index as u32))
}

const SIGN: u32 = 1 << 31;

/// The place that a key was made of.
fn index_of(key: u64) -> usize {
    !(key as u32) as usize
}

/// Whether `a` belongs strictly before `b`.
fn outranks(a: f32, b: f32) -> bool {
    a > b || (b.is_nan() && !a.is_nan())
}

// Sums, products and multiples of whole slices, in place: the residual connection, the
// gate of a feed-forward network and the factors `√d` and `1/√d_h`.
//
// `a ← a + b`, `a ← a ⊙ b`, `a ← factor · a`
//
// Sources: A. Vaswani et al. 2017, sections 3.1 (residual), 3.2.1 and 3.4 (factors);
// N. Shazeer, "GLU Variants Improve Transformer" (2020), section 2 (gate).
// Shapes: any slices of equal length. It does not broadcast.

/// Adds `b` to `a`.
///
/// # Panics
/// When the lengths differ.
pub fn add_into(a: &mut [f32], b: &[f32]) {
    zip(a, b, |a, b| a + b);
}

/// Multiplies `a` by `b`, number by number.
///
/// # Panics
/// When the lengths differ.
pub fn multiply_into(a: &mut [f32], b: &[f32]) {
    zip(a, b, |a, b| a * b);
}

fn zip(a: &mut [f32], b: &[f32], join: impl Fn(F32x4, F32x4) -> F32x4) {
    assert_eq!(a.len(), b.len(), "only slices of equal length can be joined");
    for (a, b) in a.chunks_mut(LANES).zip(b.chunks(LANES)) {
        join(F32x4::load_partial(a, 0.0), F32x4::load_partial(b, 0.0)).store_partial(a);
    }
}

/// A soft cap: every value `x` becomes `c · tanh(x / c)` (Gemma 2, 2024, section 2).
pub fn cap(a: &mut [f32], cap: f32) {
    scale(a, 1.0 / cap);
    Activation::Tanh.apply(a);
    scale(a, cap);
}

/// Multiplies every value by `factor`.
pub fn scale(a: &mut [f32], factor: f32) {
    let factors = F32x4::splat(factor);
    map(a, 0.0, |values| values * factors);
}

#[cfg(test)]
mod tests {
    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const FORBIDDEN: f32 = f32::NEG_INFINITY;

    #[test]
    fn a_fully_masked_row_is_zero_and_flagged() {
        for size in AWKWARD_SIZES {
            let mut row = vec![FORBIDDEN; size];
            assert!(!softmax_row(&mut row));
            same_bits(&row, &vec![0.0; size], "weights");
            let mut row = vec![FORBIDDEN; size];
            log_softmax_row(&mut row);
            same_bits(&row, &vec![FORBIDDEN; size], "log-probabilities");
        }
    }

    #[test]
    fn appending_forbidden_entries_changes_no_bit() {
        let mut random = Random::new(12);
        for size in 1..=33 {
            let scores = random.values(size, -8.0, 8.0);
            let mut short = scores.clone();
            softmax_row(&mut short);
            let mut short_log = scores.clone();
            log_softmax_row(&mut short_log);
            for more in 1..=9 {
                let mut long = scores.clone();
                long.resize(size + more, FORBIDDEN);
                let mut long_log = long.clone();
                assert!(softmax_row(&mut long));
                same_bits(&long[..size], &short, "weights");
                same_bits(&long[size..], &vec![0.0; more], "forbidden");
                log_softmax_row(&mut long_log);
                same_bits(&long_log[..size], &short_log, "log-probabilities");
            }
        }
    }

    #[test]
    fn large_scores_do_not_overflow_and_one_entry_is_exactly_one() {
        let mut row = [3e38, -3e38, 3e38];
        assert!(softmax_row(&mut row));
        same_bits(&row, &[0.5, 0.0, 0.5], "large");
        let mut row = [FORBIDDEN, -123.456, FORBIDDEN, FORBIDDEN, FORBIDDEN];
        assert!(softmax_row(&mut row));
        same_bits(&row, &[0.0, 1.0, 0.0, 0.0, 0.0], "one entry");
    }

    #[test]
    fn not_a_number_is_never_hidden() {
        for rest in [FORBIDDEN, 1.0] {
            let mut row = [rest, f32::NAN, rest, rest, rest];
            assert!(softmax_row(&mut row));
            assert!(row.iter().all(|weight| weight.is_nan()), "{row:?}");
        }
    }

    #[test]
    fn zeros_of_both_signs_are_equals() {
        let row = [-1.0, -0.0, 0.0, f32::INFINITY, -0.0, -2.5, 1e-40, -1e-40];
        for k in 0..=row.len() {
            let order: Vec<usize> = top_k(&row, k).into_iter().map(|(index, _)| index).collect();
            assert_eq!(order, [3, 6, 1, 2, 4, 7, 0, 5][..k]);
        }
    }

    #[test]
    fn not_a_number_comes_last() {
        let row = [f32::NAN, f32::NEG_INFINITY, f32::NAN, 0.0];
        let order: Vec<usize> = top_k(&row, 9).into_iter().map(|(index, _)| index).collect();
        assert_eq!(order, [3, 1, 0, 2]);
    }

    #[test]
    fn every_size_has_the_bits_of_the_plain_loop() {
        let mut random = Random::new(41);
        for size in AWKWARD_SIZES {
            let a = random.values(size, -1.0, 1.0);
            let b = random.values(size, -1.0, 1.0);
            let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            let product: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
            let scaled: Vec<f32> = a.iter().map(|a| a * 0.3).collect();
            let mut left = a.clone();
            let mut middle = a.clone();
            let mut right = a;
            add_into(&mut left, &b);
            multiply_into(&mut middle, &b);
            same_bits(&middle, &product, "product");
            scale(&mut right, 0.3);
            same_bits(&left, &sum, "sum");
            same_bits(&right, &scaled, "multiple");
        }
    }
}
