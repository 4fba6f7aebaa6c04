//! Rotary position embedding: every pair of a head's dimensions is a point in a plane, rotated by
//! an angle that grows with the position, so that the product of a query and a key depends on their
//! distance.
//!
//! `aᵢ ← aᵢ cos θᵢ − bᵢ sin θᵢ`, `bᵢ ← bᵢ cos θᵢ + aᵢ sin θᵢ`, `a` the first half of a
//! head's dimensions and `b` the second
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
//! (2021), equation 34. The paper pairs neighbours; checkpoints in Hugging Face's format
//! pair a dimension with the one half a head further on, which is the same up to the order
//! of the columns.
//! Shapes: `row [h·d_h]` in place; `turn [d_r]`, a row of the table of `positions::Rotation`: first
//! the cosines, then the sines of the pairs; the dimensions of a head behind the first `d_r` stay.

use super::lanes::{F32x4, LANES};

/// Rotates every head of a row `[h·d_h]`.
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
