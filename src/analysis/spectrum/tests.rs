//! Matrices whose singular values are known, and what holds of every matrix.

use wasm_bindgen_test::wasm_bindgen_test;

use super::*;
use crate::kernels::testing::Random;

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

fn energy(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

fn transposed(matrix: &[f32], n_columns: usize) -> Vec<f32> {
    let column = |at: usize| matrix.iter().skip(at).step_by(n_columns).copied();
    (0..n_columns).flat_map(column).collect()
}

#[wasm_bindgen_test(unsupported = test)]
fn small_matrices_by_hand() {
    close(&of(&[3.0, 0.0, 0.0, -4.0], 2).values, &[4.0, 3.0], "diagonal");
    // Trefethen & Bau 1997, exercise 4.1 (c) and (e), and a Jordan block.
    close(&of(&[0.0, 2.0, 0.0, 0.0, 0.0, 0.0], 2).values, &[2.0, 0.0], "one cell");
    close(&of(&[1.0, 1.0, 1.0, 1.0], 2).values, &[2.0, 0.0], "ones");
    let golden = 0.5 * (5f64.sqrt() + 1.0);
    close(&of(&[1.0, 1.0, 0.0, 1.0], 2).values, &[golden, 1.0 / golden], "a Jordan block");
    close(&of(&[3.0, 4.0], 2).values, &[5.0], "a row");
    close(&of(&[3.0, 4.0], 1).values, &[5.0], "a column");
}

#[wasm_bindgen_test(unsupported = test)]
fn squares_add_up_to_those_of_the_cells_and_the_transpose_has_the_same_values() {
    let mut random = Random::new(11);
    for (n_rows, n_columns) in [(1, 1), (5, 5), (3, 31), (40, 7), (64, 64)] {
        let matrix = random.values(n_rows * n_columns, -2.0, 3.0);
        let found = of(&matrix, n_columns);
        let cells = matrix.iter().map(|&cell| f64::from(cell) * f64::from(cell)).sum::<f64>();
        let what = format!("{n_rows} × {n_columns}");
        assert!((energy(&found.values) - cells).abs() <= 1e-10 * cells, "{what}");
        assert!(found.values.is_sorted_by(|a, b| a >= b), "{what}");
        let other = of(&transposed(&matrix, n_columns), n_rows);
        close(&other.values, &found.values, &what);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_rank_counts_squares() {
    // 9 + 1 + 0: nine tenths are reached by the first alone.
    assert_eq!(of(&[3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 3).rank90, 1);
    // Ten equal ones: nine of them.
    let identity: Vec<f32> = (0..100).map(|at| f32::from(u8::from(at % 11 == 0))).collect();
    assert_eq!(of(&identity, 10).rank90, 9);
    assert_eq!(of(&[1.0; 12], 4).rank90, 1);
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

#[wasm_bindgen_test(unsupported = test)]
fn short_steps_lead_to_the_same_bits() {
    let matrix = Random::new(3).values(30 * 20, 0.0, 1.0);
    let whole = of(&matrix, 20);
    let mut work = Decomposition::new(&matrix, 20);
    let mut steps = 1;
    let stepped = loop {
        match work.advance(1) {
            Some(found) => break found,
            None => steps += 1,
        }
    };
    assert!(steps > 50, "only {steps} steps");
    assert_eq!(stepped, whole);
    assert_eq!(work.advance(1), Some(whole));
}
