//! The matrix of rank `r` that is nearest to a matrix: its largest `r` singular values with
//! their directions, and no others.
//!
//! `A = Σᵢ uᵢ σᵢ vᵢᵀ`, `A_r = Σ_{i ≤ r} uᵢ σᵢ vᵢᵀ`
//!
//! Sources: C. Eckart and G. Young 1936; one-sided Jacobi, M. Hestenes 1958: the rows of `A`
//! are turned in pairs, by `G`, until all are orthogonal. Then `G A` has the rows `σᵢ vᵢᵀ` and
//! the columns of `Gᵀ` are the `uᵢ`. In f64, with nothing but sums, products, quotients and
//! roots, so that every machine finds the same bits.
//! Shapes: `A [rows, columns]`, row-major. It does not stop early and keeps `rows² ` numbers.

use std::mem;

/// Far more than was ever needed.
const MOST_SWEEPS: usize = 60;

/// Two rows whose cosine is below this are orthogonal.
const ORTHOGONAL: f64 = 1e-12;

/// A matrix as the sum of its directions, the largest first.
pub struct Directions {
    /// `uᵢ`, row `i` of `rows` numbers.
    pub left: Vec<Vec<f64>>,
    /// `σᵢ vᵢ`, row `i` of `columns` numbers.
    pub right: Vec<Vec<f64>>,
    /// Multiplications and additions that it took.
    pub operations: u64,
}

impl Directions {
    /// Of a matrix with rows of `columns` numbers.
    pub fn of(matrix: &[f32], columns: usize) -> Self {
        let mut right: Vec<Vec<f64>> = matrix
            .chunks_exact(columns.max(1))
            .map(|row| row.iter().copied().map(f64::from).collect())
            .collect();
        let n = right.len();
        let unit = |at: usize| {
            let mut row = vec![0.0; n];
            row[at] = 1.0;
            row
        };
        let mut turned: Vec<Vec<f64>> = (0..n).map(unit).collect();
        let mut operations = 0u64;
        for _ in 0..MOST_SWEEPS {
            let mut changed = false;
            for first in 0..n {
                for second in first + 1..n {
                    operations += 3 * columns as u64;
                    let Some((cosine, sine)) = turn(&right[first], &right[second]) else {
                        continue;
                    };
                    rotate(&mut right, first, second, cosine, sine);
                    rotate(&mut turned, first, second, cosine, sine);
                    operations += 4 * (columns + n) as u64;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut both: Vec<(f64, Vec<f64>, Vec<f64>)> = turned
            .into_iter()
            .zip(right)
            .map(|(left, right)| (dot(&right, &right), left, right))
            .collect();
        both.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut left, mut right) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (_, one, other) in both {
            left.push(one);
            right.push(other);
        }
        Self { left, right, operations }
    }

    /// The largest `rank` of them, without the others.
    #[must_use]
    pub fn largest(mut self, rank: usize) -> Self {
        self.left.truncate(rank);
        self.right.truncate(rank);
        self
    }

    /// One row of `A_r`; gives the operations that it took.
    pub fn row(&self, rank: usize, row: usize, out: &mut [f32]) -> usize {
        let rank = rank.min(self.left.len());
        for (column, cell) in out.iter_mut().enumerate() {
            let sum: f64 = (0..rank).map(|i| self.left[i][row] * self.right[i][column]).sum();
            *cell = sum as f32;
        }
        rank * out.len()
    }
}

/// The turn that makes two rows orthogonal, unless they are.
fn turn(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let (a, b, product) = (dot(x, x), dot(y, y), dot(x, y));
    if product == 0.0 || product.abs() <= ORTHOGONAL * (a * b).sqrt() || !product.is_finite() {
        return None;
    }
    let half = (b - a) / (2.0 * product);
    let tangent = if half < 0.0 { -1.0 } else { 1.0 } / (half.abs() + (half * half + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    Some((cosine, cosine * tangent))
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `x ← c x − s y`, `y ← s x + c y`.
fn rotate(rows: &mut [Vec<f64>], first: usize, second: usize, cosine: f64, sine: f64) {
    let (before, behind) = rows.split_at_mut(second);
    for (x, y) in before[first].iter_mut().zip(&mut behind[0]) {
        let old = mem::replace(x, cosine * *x - sine * *y);
        *y = sine * old + cosine * *y;
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{Random, close};
    use super::*;

    fn truncated(matrix: &[f32], columns: usize, rank: usize) -> Vec<f32> {
        let directions = Directions::of(matrix, columns);
        let mut out = vec![0.0; matrix.len()];
        for (row, cells) in out.chunks_exact_mut(columns).enumerate() {
            directions.row(rank, row, cells);
        }
        out
    }

    #[test]
    fn by_hand() {
        // A diagonal matrix loses its smaller numbers.
        let diagonal = [3.0, 0.0, 0.0, 0.0, -5.0, 0.0];
        close(&truncated(&diagonal, 3, 1), &[0.0, 0.0, 0.0, 0.0, -5.0, 0.0], 1e-7, "one");
        close(&truncated(&diagonal, 3, 2), &diagonal, 1e-7, "both");
        close(&truncated(&diagonal, 3, 9), &diagonal, 1e-7, "more than there are");
        close(&truncated(&diagonal, 3, 0), &[0.0; 6], 0.0, "none");
    }

    #[test]
    fn the_rest_is_as_long_as_the_singular_values_that_are_left_out() {
        let mut random = Random::new(3);
        for (rows, columns) in [(1, 1), (5, 3), (3, 7), (9, 9)] {
            let matrix = random.values(rows * columns, -1.0, 1.0);
            let directions = Directions::of(&matrix, columns);
            for rank in 0..=rows {
                let near = truncated(&matrix, columns, rank);
                let rest: f64 =
                    matrix.iter().zip(&near).map(|(a, b)| f64::from(a - b).powi(2)).sum();
                let left: f64 = directions.right[rank..].iter().map(|row| dot(row, row)).sum();
                assert!((rest - left).abs() < 1e-5, "{rows}×{columns}, rank {rank}: {rest} {left}");
            }
        }
    }
}
