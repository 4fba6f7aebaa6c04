//! How many directions a pattern really has: the singular values `σ₁ ≥ σ₂ ≥ …` of a matrix
//! `A`, and the rank that holds nine tenths of it.
//!
//! They are the lengths of the rows that `kernels::orthogonal` makes of `A`. It ends where what is
//! left of `A` is what rounding leaves of sums of some dozens of products in f32, `2⁻²⁰ ‖A‖`.
//! Scores come from vectors of `d_h` numbers, so this leaves `d_h` rows of them however long the
//! text is.
//!
//! The *rank that holds 90 %* is the smallest `r` with `σ₁² + … + σ_r² ≥ 0.9 ‖A‖²`. Squares,
//! because `‖A‖² = Σ σ²` counts every cell once, and because no matrix of rank `r` comes
//! closer to `A` than by the squares that are left (Eckart & Young 1936).
//!
//! It works in steps, whose caller decides how long each is. It knows no directions, only
//! lengths: no singular vectors.

use serde::Serialize;

use crate::kernels::orthogonal::{Orthogonal, dot};

/// Of `‖A‖`: what is no more than rounding, sixteen of f32's smallest steps.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// The share of the energy that the rank holds.
const SHARE: f64 = 0.9;

/// What a matrix has of each of its directions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SingularValues {
    /// Largest first; as many as the shorter side has cells, or none of a matrix with a number
    /// that is not finite. What is no more than f32's rounding is 0.
    pub values: Vec<f64>,
    /// How many of them hold 90 % of the sum of all squares; 0 where there are none, and of a
    /// matrix of zeros.
    pub rank90: usize,
}

impl SingularValues {
    fn new(values: Vec<f64>, count: usize) -> Self {
        // The bits of numbers that are not negative have their order.
        let mut bits: Vec<u64> = values.into_iter().map(f64::to_bits).collect();
        bits.sort_unstable();
        let mut values: Vec<f64> = bits.into_iter().rev().map(f64::from_bits).collect();
        values.resize(count, 0.0);
        let wanted = SHARE * values.iter().map(|value| value * value).sum::<f64>();
        let mut held = 0.0;
        let missing = |value: &&f64| {
            let more = held < wanted;
            held += *value * *value;
            more
        };
        let rank90 = values.iter().take_while(missing).count();
        Self { values, rank90 }
    }
}

/// The singular values of one matrix, as far as they are computed.
#[derive(Debug, Clone)]
pub struct Decomposition(Orthogonal);

impl Decomposition {
    /// Takes a matrix `[rows, n_columns]`, row-major.
    pub fn new(matrix: &[f32], n_columns: usize) -> Self {
        Self(Orthogonal::new(matrix, n_columns, ROUNDING))
    }

    /// Goes on for about so many multiplications; gives the singular values once they are
    /// known, and again whenever it is asked after that.
    pub fn advance(&mut self, multiplications: usize) -> Option<SingularValues> {
        let (_, is_done) = self.0.advance(multiplications);
        is_done.then(|| self.values())
    }

    /// A matrix with a number that is not finite has no singular values.
    fn values(&self) -> SingularValues {
        if !self.0.is_finite() {
            return SingularValues::default();
        }
        let [n_rows, n_columns] = self.0.shape();
        let lengths = self.0.rows().iter().map(|row| dot(row, row).sqrt()).collect();
        SingularValues::new(lengths, n_rows.min(n_columns))
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn of(matrix: &[f32], n_columns: usize) -> SingularValues {
        Decomposition::new(matrix, n_columns).advance(usize::MAX).unwrap()
    }

    /// Within some units of what f32 tells apart.
    #[track_caller]
    fn close(got: &[f64], want: &[f64], what: &str) {
        assert_eq!(got.len(), want.len(), "{what}");
        let largest = want.iter().fold(0f64, |largest, &value| largest.max(value));
        for (got, want) in got.iter().zip(want) {
            assert!((got - want).abs() <= 4.0 * ROUNDING * largest, "{what}: {got} and {want}");
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn nothing_has_no_direction() {
        assert_eq!(of(&[0.0; 6], 3), SingularValues { values: vec![0.0; 2], rank90: 0 });
        assert_eq!(of(&[], 3), SingularValues::default());
        assert_eq!(of(&[], 0), SingularValues::default());
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_number_that_is_none_is_not_hidden() {
        for bad in [f32::NAN, f32::INFINITY] {
            let found = of(&[1.0, bad, 0.5, 2.0], 2);
            assert_eq!(found, SingularValues::default());
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn tiny_and_huge_numbers_keep_their_digits() {
        for scale in [1e-18_f32, 1e15] {
            let found = of(&[3.0 * scale, 0.0, 0.0, 4.0 * scale], 2);
            close(&found.values, &[f64::from(4.0 * scale), f64::from(3.0 * scale)], "scaled");
        }
    }
}
