//! The rank-`r` matrix that is nearest to a matrix: its largest `r` singular values with their
//! directions.
//!
//! `A = Σᵢ uᵢ σᵢ vᵢᵀ`, `A_r = Σ_{i ≤ r} uᵢ σᵢ vᵢᵀ = Σ_{i ≤ r} uᵢ (uᵢᵀ A)`
//!
//! Source: C. Eckart and G. Young 1936. The `σᵢ uᵢᵀ` are the orthogonal rows that
//! `kernels::orthogonal` makes of `A`, step by step, so the result is nearest to a matrix within
//! `2⁻³⁵ ‖A‖` of `A`: far below the precision of f32. If `σ_r` and the next are equal, there are
//! many nearest matrices, and the result is one of them. Shapes: `A [rows, columns]`, row-major;
//! the result has `r · (rows + columns)` numbers.

use std::mem;

use super::orthogonal::{Orthogonal, dot};

/// What counts as rounding, as a share of `‖A‖`: `2⁻³⁶`, small beside the rounding of a cell in
/// f32.
const ROUNDING: f64 = 1.0 / (1u64 << 36) as f64;

/// The largest directions of a matrix, whose sum is the rank-`r` approximation, largest first.
#[derive(Default)]
pub struct Directions {
    /// Left directions `uᵢ`, row `i` of `rows` numbers.
    pub left: Vec<Vec<f64>>,
    /// Right directions `σᵢ vᵢ`, row `i` of `columns` numbers.
    pub right: Vec<Vec<f64>>,
    /// Rows of the triangle that the matrix was reduced to on the way.
    pub reduced: usize,
    /// The multiplications and additions that the computation took.
    pub operations: u64,
}

/// The computation of the largest directions of a matrix, step by step.
pub struct Truncation {
    matrix: Vec<f32>,
    rank: usize,
    work: Orthogonal,
    /// The orthogonal rows of `work` that no direction was made from yet, each as the square of its
    /// length and its index; `None` until the rows are orthogonal.
    open: Option<Vec<(f64, usize)>>,
    found: Directions,
}

impl Truncation {
    /// Starts with a matrix whose rows have `columns` numbers, for its `rank` largest directions.
    pub fn new(matrix: Vec<f32>, columns: usize, rank: usize) -> Self {
        let work = Orthogonal::new(&matrix, columns, ROUNDING);
        Self { matrix, rank, work, open: None, found: Directions::default() }
    }

    /// Does about `multiplications` more multiplications; returns the directions once they are
    /// known.
    pub fn advance(&mut self, multiplications: usize) -> Option<Directions> {
        let (mut done, is_orthogonal) = self.work.advance(multiplications);
        self.found.operations += done as u64;
        self.found.reduced = self.work.rows().len();
        while is_orthogonal && done < multiplications {
            let Some(more) = self.take_longest() else { return Some(mem::take(&mut self.found)) };
            self.found.operations += more as u64;
            done = done.saturating_add(more);
        }
        None
    }

    /// Makes one more direction from the longest row that is left; returns its multiplications.
    /// `None` if `rank` directions are found or no row is left.
    fn take_longest(&mut self) -> Option<usize> {
        let [n_rows, n_columns] = self.work.shape();
        let Directions { left, right, .. } = &mut self.found;
        if !self.work.is_finite() {
            // A matrix that is not finite has one direction of NaN.
            let none = |n: usize| vec![vec![f64::NAN; n]; self.rank.min(1)];
            (*left, *right) = (none(n_rows), none(n_columns));
            return None;
        }
        let rows = self.work.rows();
        let open = self.open.get_or_insert_with(|| {
            rows.iter().enumerate().map(|(at, row)| (dot(row, row), at)).collect()
        });
        if rows.len() - open.len() >= self.rank {
            return None;
        }
        let longest = (0..open.len()).max_by(|&a, &b| open[a].0.total_cmp(&open[b].0))?;
        // A short row is orthogonal to a long one within the precision of `A`, but not within the
        // precision of its own direction. Orthogonalising twice is enough (Giraud et al. 2005).
        let mut own = rows[open.swap_remove(longest).1].clone();
        for before in left.iter().chain(&*left) {
            let part = dot(before, &own);
            own.iter_mut().zip(before).for_each(|(cell, along)| *cell -= part * along);
        }
        let length = dot(&own, &own).sqrt();
        let made_orthogonal = n_rows * (4 * left.len() + 2);
        if length == 0.0 {
            return Some(made_orthogonal);
        }
        for cell in &mut own {
            *cell /= length;
        }
        let mut along = vec![0.0; n_columns];
        for (part, row) in own.iter().zip(self.matrix.chunks_exact(n_columns)) {
            along.iter_mut().zip(row).for_each(|(sum, &x)| *sum += part * f64::from(x));
        }
        left.push(own);
        right.push(along);
        Some(made_orthogonal + n_rows * n_columns)
    }
}

impl Directions {
    /// The `rank` largest directions of a matrix whose rows have `columns` numbers, in one step.
    #[cfg(test)]
    fn of(matrix: &[f32], columns: usize, rank: usize) -> Self {
        let mut work = Truncation::new(matrix.to_vec(), columns, rank);
        work.advance(usize::MAX).unwrap()
    }

    /// Writes row `row` of `A_r` into `out`; returns the multiplications.
    pub fn row(&self, rank: usize, row: usize, out: &mut [f32]) -> usize {
        let rank = rank.min(self.left.len());
        for (column, cell) in out.iter_mut().enumerate() {
            let sum: f64 = (0..rank).map(|i| self.left[i][row] * self.right[i][column]).sum();
            *cell = sum as f32;
        }
        rank * out.len()
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::Random;
    use super::*;

    fn truncated(matrix: &[f32], columns: usize, rank: usize) -> Vec<f32> {
        let directions = Directions::of(matrix, columns, usize::MAX);
        let mut out = vec![0.0; matrix.len()];
        for (row, cells) in out.chunks_exact_mut(columns).enumerate() {
            directions.row(rank, row, cells);
        }
        out
    }

    #[test]
    fn a_number_that_is_none_leaves_none() {
        for bad in [f32::NAN, f32::INFINITY] {
            let found = truncated(&[1.0, bad, 2.0, 3.0], 2, 1);
            assert!(found.iter().all(|cell| cell.is_nan()), "{found:?}");
        }
    }

    #[test]
    fn short_directions_do_not_disturb_long_ones() {
        // Rows that differ by a millionth have short directions behind a long one.
        let mut random = Random::new(11);
        let row = random.values(9, 0.5, 1.0);
        let more = random.values(9 * 9, -1e-6, 1e-6);
        let matrix: Vec<f32> = more.iter().enumerate().map(|(at, x)| row[at % 9] + x).collect();
        let directions = Directions::of(&matrix, 9, usize::MAX);
        assert_eq!(directions.left.len(), 9);
        let lengths: Vec<f64> = directions.right.iter().map(|row| dot(row, row).sqrt()).collect();
        assert!(lengths[0] > 2.0 && lengths[1] < 1e-5 && lengths[8] > 1e-9, "{lengths:?}");
        for (i, left) in directions.left.iter().enumerate() {
            for (j, other) in directions.left.iter().enumerate() {
                let want = if i == j { 1.0 } else { 0.0 };
                assert!((dot(left, other) - want).abs() < 1e-12, "{i} and {j}");
            }
        }
    }

    #[test]
    fn steps_of_any_length_find_the_same_bits() {
        let matrix = Random::new(5).values(11 * 7, 0.0, 1.0);
        let want = truncated(&matrix, 7, 3);
        let mut work = Truncation::new(matrix, 7, 3);
        let mut steps = 0;
        let directions = loop {
            steps += 1;
            if let Some(found) = work.advance(1) {
                break found;
            }
        };
        assert!(steps > 10, "{steps}");
        for (row, want) in want.chunks_exact(7).enumerate() {
            let mut got = [0.0; 7];
            directions.row(3, row, &mut got);
            assert_eq!(got, want);
        }
    }
}
