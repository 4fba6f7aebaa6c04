//! Singular values `σ₁ ≥ σ₂ ≥ …` of a pattern `A`, and the rank that holds nine tenths of the sum
//! of their squares.
//!
//! A singular value is the length of a row that `kernels::orthogonal` makes of `A`. The computation
//! ends when the rest of `A` is no more than the rounding of sums of some dozens of products in
//! f32, `2⁻²⁰ ‖A‖`. Scores are products of vectors of `d_h` numbers, so about `d_h` rows remain for
//! a text of any length.
//!
//! The *rank that holds 90 %* is the smallest `r` with `σ₁² + … + σ_r² ≥ 0.9 ‖A‖²`. Squares,
//! because `‖A‖² = Σ σ²` counts every cell once, and because no matrix of rank `r` comes
//! closer to `A` than by the squares that are left (Eckart & Young 1936).
//!
//! The computation proceeds in steps, whose length the caller decides. It gives no singular
//! vectors.

use serde::Serialize;

use crate::kernels::orthogonal::{Orthogonal, dot};

/// What counts as rounding, as a share of `‖A‖`: `2⁻²⁰`, eight times the f32 epsilon.
pub(crate) const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// The share of the sum of squares that `rank90` holds.
const SHARE: f64 = 0.9;

/// The singular values of a matrix, and how many of them hold 90 % of the sum of their squares.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SingularValues {
    /// Singular values, largest first; as many as the shorter side has cells, or none if a number
    /// of the matrix is not finite. A value that is no more than f32's rounding is 0.
    pub values: Vec<f64>,
    /// The number of singular values that hold 90 % of the sum of all squares; 0 if there are none,
    /// and for a matrix of zeros.
    pub rank90: usize,
}

impl SingularValues {
    fn new(values: Vec<f64>, count: usize) -> Self {
        // The bit patterns of non-negative f64 numbers sort as the numbers do.
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

/// The computation of the singular values of one matrix, step by step.
#[derive(Debug, Clone)]
pub struct Decomposition(Orthogonal);

impl Decomposition {
    /// Starts with a matrix `[rows, n_columns]`, row-major.
    pub fn new(matrix: &[f32], n_columns: usize) -> Self {
        Self(Orthogonal::new(matrix, n_columns, ROUNDING))
    }

    /// Does about `multiplications` more multiplications; returns the singular values once they are
    /// known, and on each later call.
    pub fn advance(&mut self, multiplications: usize) -> Option<SingularValues> {
        let (_, is_done) = self.0.advance(multiplications);
        is_done.then(|| self.values())
    }

    /// The singular values; none if a number of the matrix is not finite.
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
