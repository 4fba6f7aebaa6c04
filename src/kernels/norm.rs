//! Normalisation of one row: layer norm, which takes the mean first and then the variance of the
//! differences from the mean, so that a large common offset costs no precision; and RMS norm, the
//! division by the root of the mean square, which does not subtract the mean.
//!
//! Layer: `out = (x - μ) / √(σ² + ε) · γ + β`, `μ = Σ xᵢ / d`, `σ² = Σ (xᵢ - μ)² / d`
//! RMS: `out = x / √(m + ε) · γ`, `m = Σ xᵢ² / d`
//!
//! Sources: J. Ba, J. Kiros and G. Hinton, "Layer Normalization" (2016), equation 3; the
//! variance is the biased one, and ε stands under the root. B. Zhang and R. Sennrich, "Root
//! Mean Square Layer Normalization" (2019), equation 4, with ε as H. Touvron et al.,
//! "LLaMA" (2023), have it.
//! Shapes: `x [d]`, `gamma [d]`, `beta [d]`, `out [d]`.
//! No running statistics are kept, and γ is always given.

use super::lanes::{F32x4, LANES, for_each};

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

    // A padded lane is filled with the mean: its difference is 0.
    let means = F32x4::splat(mean);
    let mut squares = F32x4::zero();
    for_each(x, mean, |values| {
        let difference = values - means;
        squares = squares + difference * difference;
    });
    (mean, squares.sum() / count)
}
