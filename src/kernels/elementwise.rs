//! Sums, products and multiples of whole slices, in place: the residual connection, the
//! gate of a feed-forward network and the factors `√d` and `1/√d_h`.
//!
//! `a ← a + b`, `a ← a ⊙ b`, `a ← factor · a`
//!
//! Sources: A. Vaswani et al. 2017, sections 3.1 (residual), 3.2.1 and 3.4 (factors);
//! N. Shazeer, "GLU Variants Improve Transformer" (2020), section 2 (gate).
//! Shapes: any slices of equal length, without broadcasting.

use super::activation::Activation;
use super::lanes::{F32x4, LANES, map};

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
