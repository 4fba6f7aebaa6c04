//! The angles of rotary positions: each pair of a head's dimensions turns at a speed of its
//! own, the speeds a geometric progression from one radian per token downwards.
//!
//! `θ(p, i) = p / base^(2i/d_h)`, `i` from 0 to `d_h/2 − 1`
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
//! (2021), sections 3.2.2 and 3.3; the base is 10 000 there and a field of the config here.
//!
//! Shape: `[n, d_h]`, row-major, the cosines of all pairs and then their sines. It turns
//! nothing (`kernels::rotary` does) and does not stretch its angles for long texts.

use ndarray::Array2;

/// The table for positions `0..n` and heads of `head_dim` dimensions, an even number.
/// Computed in f64 and rounded once.
pub fn rotary(n: usize, head_dim: usize, base: f64) -> Array2<f32> {
    let half = head_dim / 2;
    Array2::from_shape_fn((n, head_dim), |(position, column)| {
        let pair = column % half.max(1);
        let angle = position as f64 / base.powf(2.0 * pair as f64 / head_dim as f64);
        (if column < half { angle.cos() } else { angle.sin() }) as f32
    })
}
