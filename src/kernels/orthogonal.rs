//! The rows of a small triangle that has the singular values and the left directions of a matrix
//! `A`, made orthogonal in steps.
//!
//! `A` is first reduced to that triangle: `Aᵀ P = Q R`, by modified Gram-Schmidt with the
//! largest remaining row next (Golub & Van Loan 2013, section 5.4.2). `Q` is orthonormal, so
//! `R` has the singular values of `A`, as accurately as by reflections (Björck & Paige 1992).
//! The reduction ends when the rest of `A` is no longer than `ε ‖A‖`, with `ε` given by the caller;
//! no singular value is off by more (Weyl).
//!
//! Then the `r` rows of `R` are rotated in pairs until all are orthogonal: one-sided Jacobi
//! (Hestenes 1958), which after such a reduction needs few sweeps (Drmač & Veselić 2008). A pair is
//! skipped if a change of `ε ‖A‖ / r` would make it orthogonal, which for all pairs together is
//! once more the bound `ε ‖A‖`. So the rows are `σᵢ uᵢᵀ`, exactly, of a matrix that is no farther
//! than `2 ε ‖A‖` from `A`. Numbers and sums are f64, computed by sums, products, quotients and
//! roots alone, so that every machine finds the same bits.
//!
//! Shapes: `A [rows, columns]`, row-major. Right directions are not kept: `σᵢ vᵢᵀ = uᵢᵀ A`.

use std::mem;

/// The most sweeps of rotations: far more than was ever needed.
const MOST_SWEEPS: usize = 60;

/// The computation that makes the rows of one matrix orthogonal, step by step.
#[derive(Debug, Clone)]
pub struct Orthogonal {
    n_rows: usize,
    n_columns: usize,
    /// The remainder of `A` after the factor's rows are taken out, row-major.
    rest: Vec<f64>,
    /// The square of each row's length: of `rest` in `Reduce`, of `factor` in `Turn`.
    squares: Vec<f64>,
    /// The rows of `A` that no factor row was made from yet.
    open: Vec<usize>,
    /// The length up to which a matrix counts as rounding, `ε ‖A‖`.
    negligible: f64,
    /// The rows of `R`, its columns in the order of `A`'s rows.
    factor: Vec<Vec<f64>>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Computes the next row of the factor.
    Reduce,
    /// Rotates row `row` of the factor against every row behind it.
    Turn {
        row: usize,
        sweep: usize,
        turned: bool,
    },
    Done,
}

impl Orthogonal {
    /// Starts with a matrix `[rows, n_columns]`, row-major; `rounding` is `ε`.
    pub fn new(matrix: &[f32], n_columns: usize, rounding: f64) -> Self {
        let rest: Vec<f64> = matrix.iter().copied().map(f64::from).collect();
        let squares: Vec<f64> =
            rest.chunks_exact(n_columns.max(1)).map(|row| dot(row, row)).collect();
        let negligible = rounding * squares.iter().sum::<f64>().sqrt();
        let n_rows = squares.len();
        let phase = if negligible.is_finite() { Phase::Reduce } else { Phase::Done };
        Self {
            n_rows,
            n_columns,
            rest,
            squares,
            open: (0..n_rows).collect(),
            negligible,
            factor: Vec::new(),
            phase,
        }
    }

    /// Does about `multiplications` more multiplications; returns how many it did, and whether the
    /// computation is complete.
    pub fn advance(&mut self, multiplications: usize) -> (usize, bool) {
        let mut done: usize = 0;
        while done < multiplications {
            let more = match self.phase {
                Phase::Reduce => self.reduce(),
                Phase::Turn { row, sweep, turned } => self.turn(row, sweep, turned),
                Phase::Done => return (done, true),
            };
            // The multiplications of a long text exceed 32 bits.
            done = done.saturating_add(more);
        }
        (done, self.phase == Phase::Done)
    }

    /// Whether all numbers are finite; otherwise the matrix has no directions.
    pub fn is_finite(&self) -> bool {
        self.negligible.is_finite()
    }

    /// The numbers of rows and columns of `A`.
    pub fn shape(&self) -> [usize; 2] {
        [self.n_rows, self.n_columns]
    }

    /// The rows `σᵢ uᵢᵀ`, a cell for each row of `A`, in no order.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.factor
    }

    /// Computes one more row of the factor from the longest remaining row; returns its
    /// multiplications.
    fn reduce(&mut self) -> usize {
        let left: f64 = self.open.iter().map(|&row| self.squares[row]).sum();
        let longest = (0..self.open.len())
            .max_by(|&a, &b| self.squares[self.open[a]].total_cmp(&self.squares[self.open[b]]));
        let Some(place) = longest.filter(|_| left.sqrt() > self.negligible) else {
            self.rest = Vec::new();
            self.phase = Phase::Turn { row: 0, sweep: 0, turned: false };
            return self.n_rows;
        };
        let width = self.n_columns;
        let chosen = self.open.swap_remove(place);
        let length = self.squares[chosen].sqrt();
        let direction: Vec<f64> =
            self.rest[chosen * width..][..width].iter().map(|cell| cell / length).collect();
        let mut found = vec![0.0; self.n_rows];
        found[chosen] = length;
        for &row in &self.open {
            let cells = &mut self.rest[row * width..][..width];
            let part = dot(&direction, cells);
            found[row] = part;
            for (cell, along) in cells.iter_mut().zip(&direction) {
                *cell -= part * along;
            }
            self.squares[row] = dot(cells, cells);
        }
        self.factor.push(found);
        3 * width * (self.open.len() + 1)
    }

    /// Rotates one row of the factor against every row behind it; returns its multiplications.
    fn turn(&mut self, row: usize, sweep: usize, mut turned: bool) -> usize {
        if row == 0 {
            // The squares are computed anew once per sweep; between rotations they are updated.
            self.squares = self.factor.iter().map(|row| dot(row, row)).collect();
        }
        let n_factor = self.factor.len();
        let Some((first, behind)) = self.factor.get_mut(row..).and_then(<[_]>::split_first_mut)
        else {
            let over = !turned || sweep + 1 == MOST_SWEEPS;
            self.phase = if over {
                Phase::Done
            } else {
                Phase::Turn { row: 0, sweep: sweep + 1, turned: false }
            };
            return 1;
        };
        let orthogonal = self.negligible / n_factor as f64;
        let mut turns = 0;
        for (other, second) in (row + 1..).zip(behind.iter_mut()) {
            let product = dot(first, second);
            let a = self.squares[row];
            let b = self.squares[other];
            if product.abs() <= orthogonal * a.max(b).sqrt() {
                continue;
            }
            let half = (b - a) / (2.0 * product);
            // The platform's `hypot` would round differently from machine to machine. Numbers that
            // are too large to be squared are not rotated.
            let tangent = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
            if tangent == 0.0 {
                continue;
            }
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            rotate(first, second, cosine, cosine * tangent);
            self.squares[row] = a - tangent * product;
            self.squares[other] = b + tangent * product;
            turns += 1;
        }
        let work = (behind.len() + 4 * turns + 1) * self.n_rows;
        turned |= turns > 0;
        self.phase = Phase::Turn { row: row + 1, sweep, turned };
        work
    }
}

/// The dot product `x · y`, in four sums side by side.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x, x_rest) = x.as_chunks::<4>();
    let (y, y_rest) = y.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in x.iter().zip(y) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Rotates two rows: `x ← c x − s y`, `y ← s x + c y`.
fn rotate(x: &mut [f64], y: &mut [f64], cosine: f64, sine: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        let before = mem::replace(x, cosine * *x - sine * *y);
        *y = sine * before + cosine * *y;
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::Random;
    use super::*;

    #[test]
    fn every_machine_finds_the_same_bits() {
        let mut work = Orthogonal::new(&Random::new(7).values(12 * 9, -1.0, 1.0), 9, 1e-10);
        assert!(work.advance(usize::MAX).1);
        let bits = work.rows().iter().flatten().map(|cell| cell.to_bits());
        let sum = bits.fold(0u64, |sum, bits| sum.rotate_left(5) ^ bits);
        assert_eq!(sum, 0xF9B7_50D1_B62D_8356, "{sum:#018x}");
    }

    #[test]
    fn what_is_orthogonal_is_not_turned() {
        let mut work = Orthogonal::new(&[3.0, 0.0, 0.0, 2.0], 2, 0.0);
        assert!(work.advance(usize::MAX).1);
        assert_eq!(work.rows(), [[3.0, 0.0], [0.0, 2.0]]);
        let mut work = Orthogonal::new(&[0.0; 6], 3, 0.0);
        assert!(work.advance(1).1 || work.advance(usize::MAX).1);
        assert!(work.rows().is_empty());
    }
}
