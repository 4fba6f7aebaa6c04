//! How many directions a pattern really has: the singular values `σ₁ ≥ σ₂ ≥ …` of a matrix
//! `A`, and the rank that holds nine tenths of it.
//!
//! `A` is first reduced to a small triangle: `Aᵀ P = Q R`, by modified Gram-Schmidt with the
//! largest remaining row next (Golub & Van Loan 2013, section 5.4.2). `Q` is orthonormal, so
//! `R` has the singular values of `A`, as accurately as by reflections (Björck & Paige 1992).
//! It ends where what is left of `A` is what rounding leaves of sums of some dozens of
//! products in f32, `2⁻²⁰ ‖A‖`, by which no singular value is off (Weyl). Scores come from
//! vectors of `d_h` numbers, so this leaves `d_h` rows of them however long the text is.
//!
//! Then the `r` rows of `R` are turned in pairs until all are orthogonal: one-sided Jacobi
//! (Hestenes 1958), which after such a beginning needs few sweeps (Drmač & Veselić 2008). A
//! pair is passed over if a change of `2⁻²⁰ ‖A‖ / r` would make it orthogonal, which for all
//! pairs together is once more that bound. The rows' lengths are the singular values.
//! Numbers and sums are f64.
//!
//! The *rank that holds 90 %* is the smallest `r` with `σ₁² + … + σ_r² ≥ 0.9 ‖A‖²`. Squares,
//! because `‖A‖² = Σ σ²` counts every cell once, and because no matrix of rank `r` comes
//! closer to `A` than by the squares that are left (Eckart & Young 1936).
//!
//! It works in steps, whose caller decides how long each is. It knows no directions, only
//! lengths: no singular vectors.

use std::mem;

use serde::Serialize;

/// Of `‖A‖`: what is no more than rounding, sixteen of f32's smallest steps.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// Far more than was ever needed.
const MOST_SWEEPS: usize = 60;

/// The share of the energy that the rank holds.
const SHARE: f64 = 0.9;

/// What a matrix has of each of its directions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct SingularValues {
    /// Largest first; as many as the shorter side has cells, or none of a matrix with a number
    /// that is not finite. What is no more than f32's rounding is 0.
    pub values: Vec<f64>,
    /// How many of them hold 90 % of the sum of all squares; 0 where there are none, and of a
    /// matrix of zeros.
    pub rank90: usize,
}

impl SingularValues {
    fn new(mut values: Vec<f64>, count: usize) -> Self {
        values.sort_unstable_by(|a, b| b.total_cmp(a));
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
pub struct Decomposition {
    n_rows: usize,
    n_columns: usize,
    /// `A` without what the factor's rows account for, row after row.
    rest: Vec<f64>,
    /// The square of each row's length in there.
    squares: Vec<f64>,
    /// Rows that were not chosen yet.
    open: Vec<usize>,
    /// A matrix of this length is no more than rounding.
    negligible: f64,
    /// The rows of `R`, its columns in the order of `A`'s rows.
    factor: Vec<Vec<f64>>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The next row of the factor.
    Reduce,
    /// A row of the factor is turned against all behind it.
    Turn {
        row: usize,
        sweep: usize,
        turned: bool,
    },
    Done,
}

impl Decomposition {
    /// Takes a matrix `[rows, n_columns]`, row-major.
    pub fn new(matrix: &[f32], n_columns: usize) -> Self {
        let rest: Vec<f64> = matrix.iter().copied().map(f64::from).collect();
        let squares: Vec<f64> =
            rest.chunks_exact(n_columns.max(1)).map(|row| dot(row, row)).collect();
        let negligible = ROUNDING * squares.iter().sum::<f64>().sqrt();
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

    /// Goes on for about so many multiplications; gives the singular values once they are
    /// known, and again whenever it is asked after that.
    pub fn advance(&mut self, multiplications: usize) -> Option<SingularValues> {
        let mut done = 0;
        while done < multiplications {
            done += match self.phase {
                Phase::Reduce => self.reduce(),
                Phase::Turn { row, sweep, turned } => self.turn(row, sweep, turned),
                Phase::Done => return Some(self.values()),
            };
        }
        None
    }

    /// One more row of the factor, from the longest row that is left.
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

    /// Turns one row of the factor against each row behind it.
    fn turn(&mut self, row: usize, sweep: usize, mut turned: bool) -> usize {
        if row == 0 {
            // Once a sweep anew: they are carried along from turn to turn.
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
            let (a, b) = (self.squares[row], self.squares[other]);
            if product.abs() <= orthogonal * a.max(b).sqrt() {
                continue;
            }
            let half = (b - a) / (2.0 * product);
            let tangent = half.signum() / (half.abs() + half.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
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

    /// A matrix with a number that is not finite has no singular values.
    fn values(&self) -> SingularValues {
        if !self.negligible.is_finite() {
            return SingularValues::default();
        }
        let count = self.n_rows.min(self.n_columns);
        let lengths = self.factor.iter().map(|row| dot(row, row).sqrt()).collect();
        SingularValues::new(lengths, count)
    }
}

/// `x · y`, in four sums side by side.
fn dot(x: &[f64], y: &[f64]) -> f64 {
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

/// `x ← c x − s y`, `y ← s x + c y`.
fn rotate(x: &mut [f64], y: &mut [f64], cosine: f64, sine: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        let before = mem::replace(x, cosine * *x - sine * *y);
        *y = sine * before + cosine * *y;
    }
}

#[cfg(test)]
mod tests;
