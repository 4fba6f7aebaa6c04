//! The transpose of a matrix, row-major: `out[c, r] = x[r, c]`, a square at a time, so that both
//! are read and written in lines of the cache. Shapes: `x [rows, columns]`, `out [columns, rows]`.

/// The side of a square.
const SIDE: usize = 16;

/// The transpose of rows of `columns` numbers.
pub fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    let rows = numbers.len() / columns.max(1);
    let mut out = vec![0.0; numbers.len()];
    for first_row in (0..rows).step_by(SIDE) {
        for first in (0..columns).step_by(SIDE) {
            for column in first..columns.min(first + SIDE) {
                let end = rows.min(first_row + SIDE);
                let into = &mut out[column * rows..][first_row..end];
                for (row, into) in (first_row..end).zip(into) {
                    *into = numbers[row * columns + column];
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;

    #[test]
    fn every_cell_stands_at_its_exchanged_place() {
        let mut random = Random::new(22);
        for rows in AWKWARD_SIZES {
            for columns in AWKWARD_SIZES {
                let x = random.values(rows * columns, -1.0, 1.0);
                let out = transposed(&x, columns);
                for row in 0..rows {
                    for column in 0..columns {
                        let cell = out[column * rows + row];
                        same_bits(&[cell], &[x[row * columns + column]], "a cell");
                    }
                }
            }
        }
    }
}
