//! The reverse pass of the norms of one row.
//!
//! With `x̂` the normalised row, `r` the root it was divided by and `g = dy ⊙ γ`:
//! Layer: `dx = (g − mean(g) − x̂ · mean(g ⊙ x̂)) / r`; RMS: without `mean(g)`.
//! Both: `dγ = Σ dy ⊙ x̂`, `dβ = Σ dy` over the rows.
//!
//! Source: the derivatives of the formulas in `norm`.
//! Shapes: `x [d]`, `gamma [d]`, `dy [d]`, `dx [d]`, `dgamma [d]`.

use super::norm::{mean_square, moments};

/// Writes the gradient of a row before its layer norm into `dx`, and adds that of the gain to
/// `dgamma`.
///
/// # Panics
/// When a slice is shorter than the row.
pub fn layer_norm_backward_row(
    [x, gamma, dy]: [&[f32]; 3],
    epsilon: f32,
    dx: &mut [f32],
    dgamma: &mut [f32],
) {
    let (mean, variance) = moments(x);
    let scale = 1.0 / (f64::from(variance) + f64::from(epsilon)).sqrt();
    let shift = -f64::from(mean) * scale;
    backward_row([x, gamma, dy], [scale, shift], true, dx, dgamma);
}

/// Writes the gradient of a row before its RMS norm into `dx`, and adds that of the gain to
/// `dgamma`.
///
/// # Panics
/// When a slice is shorter than the row.
pub fn rms_norm_backward_row(
    [x, gamma, dy]: [&[f32]; 3],
    epsilon: f32,
    dx: &mut [f32],
    dgamma: &mut [f32],
) {
    let scale = 1.0 / (f64::from(mean_square(x)) + f64::from(epsilon)).sqrt();
    backward_row([x, gamma, dy], [scale, 0.0], false, dx, dgamma);
}

/// The reverse pass of `x̂ = scale · x + shift` with `y = x̂ ⊙ γ`.
fn backward_row(
    [x, gamma, dy]: [&[f32]; 3],
    [scale, shift]: [f64; 2],
    subtracts_mean: bool,
    dx: &mut [f32],
    dgamma: &mut [f32],
) {
    let count = x.len() as f64;
    let normal = |at: usize| f64::from(x[at]) * scale + shift;
    let scaled = |at: usize| f64::from(dy[at]) * f64::from(gamma[at]);
    let mean = (0..x.len()).map(scaled).sum::<f64>() / count;
    let along = (0..x.len()).map(|at| scaled(at) * normal(at)).sum::<f64>() / count;
    let subtracted = if subtracts_mean { mean } else { 0.0 };
    for at in 0..x.len() {
        dgamma[at] += (f64::from(dy[at]) * normal(at)) as f32;
        dx[at] = (scale * (scaled(at) - subtracted - normal(at) * along)) as f32;
    }
}
