//! Numbers that stand for weights which nobody trained, drawn by seed: evenly, with mean 0
//! and a given standard deviation σ, each a function of its place alone.
//!
//! `w(place) = (2u − 1)·√3·σ`, `u` the fraction of `mix(… mix(seed) ⊕ place …)`
//!
//! Source: `kernels::random`. No logarithm and no cosine is taken, so that every machine
//! draws the same.

use crate::kernels::random::{fraction, seed_of};

/// One number.
pub(super) fn drawn(seed: u64, place: &[usize], deviation: f64) -> f64 {
    (2.0 * fraction(seed_of(seed, place)) - 1.0) * 3f64.sqrt() * deviation
}

/// A table of positions `[n, d]`, row-major; its first rows do not depend on `n`.
pub fn drawn_table(n: usize, d: usize, seed: u64, deviation: f64) -> Vec<f32> {
    (0..n * d).map(|at| drawn(seed, &[at / d, at % d], deviation) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_table_has_its_deviation_and_grows_without_changing() {
        let table = drawn_table(400, 50, 7, 0.5);
        let n = table.len() as f64;
        let mean = table.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
        let variance = table.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>() / n;
        // Five standard errors of the mean, and of the variance of an even distribution.
        assert!(mean.abs() < 5.0 * 0.5 / n.sqrt(), "{mean}");
        assert!((variance - 0.25).abs() < 5.0 * 0.25 * (0.8 / n).sqrt(), "{variance}");
        assert_eq!(drawn_table(3, 50, 7, 0.5), table[..150]);
        assert_ne!(drawn_table(3, 50, 8, 0.5), table[..150]);
    }
}
