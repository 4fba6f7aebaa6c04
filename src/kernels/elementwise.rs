//! Sums and multiples of whole slices, in place: the residual connection and the factors
//! `√d` and `1/√d_h`.
//!
//! `a ← a + b`, `a ← factor · a`
//!
//! Source: A. Vaswani et al. 2017, sections 3.1 (residual), 3.2.1 and 3.4 (factors).
//! Shapes: any slices of equal length. It does not broadcast.

use super::lanes::{F32x4, LANES, map};

/// Adds `b` to `a`.
///
/// # Panics
/// When the lengths differ.
pub fn add_into(a: &mut [f32], b: &[f32]) {
    assert_eq!(a.len(), b.len(), "only slices of equal length can be added");
    let (whole, rest) = a.as_chunks_mut::<LANES>();
    let (b_whole, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in whole.iter_mut().zip(b_whole) {
        (F32x4::load(a) + F32x4::load(b)).store(a);
    }
    for (a, b) in rest.iter_mut().zip(b_rest) {
        *a += b;
    }
}

/// Multiplies every value by `factor`.
pub fn scale(a: &mut [f32], factor: f32) {
    let factors = F32x4::splat(factor);
    map(a, 0.0, |values| values * factors);
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;

    #[test]
    fn by_hand() {
        let mut a = [1.0, 2.0, 3.0, 4.0, 5.0];
        add_into(&mut a, &[10.0, 20.0, 30.0, 40.0, 50.0]);
        same_bits(&a, &[11.0, 22.0, 33.0, 44.0, 55.0], "sum");
        scale(&mut a, -0.5);
        same_bits(&a, &[-5.5, -11.0, -16.5, -22.0, -27.5], "multiple");
    }

    #[test]
    fn every_size_has_the_bits_of_the_plain_loop() {
        let mut random = Random::new(41);
        for size in AWKWARD_SIZES {
            let a = random.values(size, -1.0, 1.0);
            let b = random.values(size, -1.0, 1.0);
            let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            let scaled: Vec<f32> = a.iter().map(|a| a * 0.3).collect();
            let (mut left, mut right) = (a.clone(), a);
            add_into(&mut left, &b);
            scale(&mut right, 0.3);
            same_bits(&left, &sum, "sum");
            same_bits(&right, &scaled, "multiple");
        }
    }
}
