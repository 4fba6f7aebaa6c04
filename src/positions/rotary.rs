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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::rotary::rotate_row;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn position_one_by_hand() {
        let table = rotary(2, 4, 100.0);
        assert_eq!(table.row(0).to_vec(), [1.0, 1.0, 0.0, 0.0]);
        let expected = [1f64.cos(), 0.1f64.cos(), 1f64.sin(), 0.1f64.sin()];
        for (got, want) in table.row(1).iter().zip(expected) {
            assert!((f64::from(*got) - want).abs() < 1e-7);
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_product_of_two_turned_vectors_depends_on_their_distance_alone() {
        let table = rotary(40, 6, 10_000.0);
        let turned = |x: [f32; 6], position: usize| {
            let mut x = x;
            rotate_row(&mut x, table.row(position).as_slice().unwrap());
            x
        };
        let product = |p: usize, q: usize| -> f32 {
            let a = turned([0.3, -1.2, 0.7, 0.9, -0.4, 1.1], p);
            let b = turned([-0.8, 0.5, 1.3, 0.2, 0.6, -0.9], q);
            a.iter().zip(&b).map(|(a, b)| a * b).sum()
        };
        for shift in 1..20 {
            assert!((product(3, 7) - product(3 + shift, 7 + shift)).abs() < 1e-5);
        }
        assert!((product(3, 7) - product(3, 8)).abs() > 1e-2, "the distance does not matter");
    }
}
