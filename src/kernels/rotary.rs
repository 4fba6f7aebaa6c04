//! Rotary positions: every pair of a head's dimensions is a point in a plane, turned by an
//! angle that grows with the position, so that the product of a query and a key depends on
//! how far apart they stand.
//!
//! `aᵢ ← aᵢ cos θᵢ − bᵢ sin θᵢ`, `bᵢ ← bᵢ cos θᵢ + aᵢ sin θᵢ`, `a` the first half of a
//! head's dimensions and `b` the second
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
//! (2021), equation 34. The paper pairs neighbours; checkpoints in Hugging Face's format
//! pair a dimension with the one half a head further on, which is the same up to the order
//! of the columns.
//! Shapes: `row [h·d_h]` in place; `turn [d_h]`, first the cosines, then the sines of the
//! pairs.
//! It does not know positions: `positions::rotary` makes the table that it is handed a row
//! of.

use super::lanes::{F32x4, LANES};

/// Turns every head of a row.
///
/// # Panics
/// When the row is no whole number of heads, or a head has no whole number of pairs.
pub fn rotate_row(row: &mut [f32], turn: &[f32]) {
    assert!(turn.len().is_multiple_of(2), "a head's dimensions are pairs");
    assert!(row.len().is_multiple_of(turn.len().max(1)), "a row is a number of heads");
    let half = turn.len() / 2;
    let (cosines, sines) = turn.split_at(half);
    for head in row.chunks_exact_mut(turn.len().max(1)) {
        let (a, b) = head.split_at_mut(half);
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

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::scalar;
    use super::super::testing::{Random, close, same_bits};
    use super::*;

    #[test]
    fn every_width_has_the_bits_of_the_plain_version_and_keeps_its_length() {
        let mut random = Random::new(51);
        for width in [2, 4, 6, 8, 10, 14, 16, 26, 64] {
            let row = random.values(3 * width, -2.0, 2.0);
            let angles = random.values(width / 2, -7.0, 7.0);
            let turn: Vec<f32> =
                angles.iter().map(|x| x.cos()).chain(angles.iter().map(|x| x.sin())).collect();
            let (mut fast, mut plain) = (row.clone(), row.clone());
            rotate_row(&mut fast, &turn);
            scalar::rotate_row(&mut plain, &turn);
            same_bits(&fast, &plain, &format!("{width} wide"));
            let square = |row: &[f32]| row.iter().map(|x| x * x).sum::<f32>();
            close(&[square(&fast)], &[square(&row)], 2e-4, &format!("length, {width} wide"));
        }
        rotate_row(&mut [], &[1.0, 0.0]);
    }
}
