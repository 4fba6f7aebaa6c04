//! The cosine of the angle between two hidden states, the measure of their similarity:
//!
//! `cos(a, b) = a · b / (|a| |b|)`, from -1 to 1, not defined of a vector of zeros.
//!
//! The hidden state of a word of several pieces is the mean of the pieces' hidden states. Sums are
//! f64. The two vectors must be of one space, that is of one model and one layer.

use crate::kernels::features::dot;

/// The mean of the rows `positions` of a matrix `[position, width]`; zeros if there are none.
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
