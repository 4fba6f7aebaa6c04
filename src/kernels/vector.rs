//! Products and sums of single vectors in the order of their numbers, which is the order in which
//! `matmul` sums: where a row is computed by itself it has the bits of a whole product.
//!
//! `x · y`, `‖x‖`, `out ← out + factor · x`
//!
//! Shapes: slices of equal length. They are not the fast way to multiply matrices.

use super::counting::count;

/// `x · y`.
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    count(x.len());
    x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + x * y)
}

/// `‖x‖`.
pub fn length(x: &[f32]) -> f32 {
    dot(x, x).sqrt()
}

/// `out ← out + factor · x`.
pub fn add_multiple(out: &mut [f32], factor: f32, x: &[f32]) {
    count(x.len());
    out.iter_mut().zip(x).for_each(|(out, x)| *out += factor * x);
}
