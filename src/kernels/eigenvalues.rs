//! The eigenvalues of a small square matrix with real numbers.
//!
//! The matrix is reduced to Hessenberg form by reflections, then QR steps with Wilkinson's shift
//! split off one eigenvalue after the other, in complex arithmetic (Golub & Van Loan 2013, sections
//! 7.4.2 and 7.5). Numbers are f64.

use std::ops::Range;

/// The most QR steps for one eigenvalue; usually two or three are enough.
const MOST_STEPS: usize = 100;

/// The number of steps after which the shift is another one, against cycles.
const UNUSUAL_SHIFT: usize = 12;

/// A complex number: its real and its imaginary part.
pub type Complex = [f64; 2];

/// The eigenvalues of a matrix `[n, n]`, row-major, in no order; none if a number is not finite.
pub fn eigenvalues(matrix: &[f64], n: usize) -> Vec<Complex> {
    if !matrix.iter().all(|number| number.is_finite()) {
        return Vec::new();
    }
    let mut real = matrix.to_vec();
    reduce(&mut real, n);
    let mut cells: Vec<Complex> = real.into_iter().map(|number| [number, 0.0]).collect();
    let mut found = Vec::with_capacity(n);
    let mut end = n;
    let mut steps = 0;
    while end > 0 {
        let start = first_of_block(&mut cells, n, end);
        if start + 1 == end || steps == MOST_STEPS {
            found.push(cells[(end - 1) * n + end - 1]);
            end -= 1;
            steps = 0;
            continue;
        }
        steps += 1;
        let shift = if steps % UNUSUAL_SHIFT == 0 {
            let [re, im] = cells[(end - 1) * n + end - 2];
            [re.abs() + im.abs(), 0.0]
        } else {
            wilkinson(&cells, n, end)
        };
        step(&mut cells, n, start..end, shift);
    }
    found
}

/// Reduces a matrix to Hessenberg form: zeros below the first subdiagonal.
fn reduce(cells: &mut [f64], n: usize) {
    for column in 0..n.saturating_sub(2) {
        let mut mirror: Vec<f64> = (column + 1..n).map(|row| cells[row * n + column]).collect();
        let length = mirror.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            continue;
        }
        mirror[0] += length.copysign(mirror[0]);
        let square: f64 = mirror.iter().map(|x| x * x).sum();
        for at in 0..n {
            let below =
                mirror.iter().enumerate().map(|(row, x)| x * cells[(column + 1 + row) * n + at]);
            let part = 2.0 * below.sum::<f64>() / square;
            for (row, x) in mirror.iter().enumerate() {
                cells[(column + 1 + row) * n + at] -= part * x;
            }
        }
        for row in cells.chunks_exact_mut(n) {
            let own = &mut row[column + 1..];
            let part = 2.0 * own.iter().zip(&mirror).map(|(a, b)| a * b).sum::<f64>() / square;
            own.iter_mut().zip(&mirror).for_each(|(cell, x)| *cell -= part * x);
        }
    }
}

/// The first row of the last block that no zero below the diagonal splits.
fn first_of_block(cells: &mut [Complex], n: usize, end: usize) -> usize {
    let mut start = end - 1;
    while start > 0 {
        let below = start * n + start - 1;
        let around = size(cells[start * n + start]) + size(cells[(start - 1) * n + start - 1]);
        if size(cells[below]) <= f64::EPSILON * around {
            cells[below] = [0.0; 2];
            break;
        }
        start -= 1;
    }
    start
}

/// The eigenvalue of the last two rows and columns that is nearer to the last cell.
fn wilkinson(cells: &[Complex], n: usize, end: usize) -> Complex {
    let at = |row: usize, column: usize| cells[row * n + column];
    let (i, j) = (end - 2, end - 1);
    let half = scaled(minus(at(i, i), at(j, j)), 0.5);
    let product = times(at(i, j), at(j, i));
    let root = root(plus(times(half, half), product));
    let sums = [plus(half, root), minus(half, root)];
    let larger = if size(sums[0]) >= size(sums[1]) { sums[0] } else { sums[1] };
    if size(larger) == 0.0 { at(j, j) } else { minus(at(j, j), over(product, larger)) }
}

/// One QR step: `H − μ = Q R`, then `R Q + μ`, on the rows and columns of a block.
fn step(cells: &mut [Complex], n: usize, block: Range<usize>, shift: Complex) {
    for at in block.clone() {
        cells[at * n + at] = minus(cells[at * n + at], shift);
    }
    let mut turns = Vec::with_capacity(block.len());
    for row in block.start..block.end - 1 {
        let [one, other] = [cells[row * n + row], cells[(row + 1) * n + row]];
        let length = (size(one).powi(2) + size(other).powi(2)).sqrt();
        let [c, s] = if length == 0.0 {
            [[1.0, 0.0], [0.0, 0.0]]
        } else {
            [scaled(one, 1.0 / length), scaled(other, 1.0 / length)]
        };
        for column in row..block.end {
            let [x, y] = [cells[row * n + column], cells[(row + 1) * n + column]];
            cells[row * n + column] = plus(times(conjugate(c), x), times(conjugate(s), y));
            cells[(row + 1) * n + column] = minus(times(c, y), times(s, x));
        }
        turns.push([c, s]);
    }
    for (at, [c, s]) in (block.start..).zip(turns) {
        for row in block.start..(at + 2).min(block.end) {
            let [x, y] = [cells[row * n + at], cells[row * n + at + 1]];
            cells[row * n + at] = plus(times(x, c), times(y, s));
            cells[row * n + at + 1] = minus(times(y, conjugate(c)), times(x, conjugate(s)));
        }
    }
    for at in block {
        cells[at * n + at] = plus(cells[at * n + at], shift);
    }
}

/// The absolute value.
pub fn size([re, im]: Complex) -> f64 {
    (re * re + im * im).sqrt()
}

fn plus(a: Complex, b: Complex) -> Complex {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Complex, b: Complex) -> Complex {
    [a[0] - b[0], a[1] - b[1]]
}

fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn scaled(a: Complex, factor: f64) -> Complex {
    [a[0] * factor, a[1] * factor]
}

fn conjugate(a: Complex) -> Complex {
    [a[0], -a[1]]
}

fn over(a: Complex, b: Complex) -> Complex {
    scaled(times(a, conjugate(b)), 1.0 / (b[0] * b[0] + b[1] * b[1]))
}

/// The root with a real part that is not negative.
fn root(a: Complex) -> Complex {
    let length = size(a);
    let re = f64::midpoint(length, a[0]).max(0.0).sqrt();
    let im = f64::midpoint(length, -a[0]).max(0.0).sqrt();
    [re, im.copysign(a[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(matrix: &[f64], n: usize) -> Vec<Complex> {
        let mut found = eigenvalues(matrix, n);
        found.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        found
    }

    #[test]
    fn known_matrices_have_their_eigenvalues() {
        let turn = sorted(&[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 3.0], 3);
        for (got, want) in turn.iter().zip([[0.0, -1.0], [0.0, 1.0], [3.0, 0.0]]) {
            assert!(size(minus(*got, want)) < 1e-12, "{turn:?}");
        }
        // A permutation of four: the fourth roots of one, on which unshifted steps would not move.
        let mut cycle = [0.0; 16];
        for at in [1, 6, 11, 12] {
            cycle[at] = 1.0;
        }
        for got in sorted(&cycle, 4) {
            assert!((size(got) - 1.0).abs() < 1e-12, "{got:?}");
        }
        assert_eq!(eigenvalues(&[0.0; 9], 3), [[0.0; 2]; 3]);
        assert_eq!(eigenvalues(&[], 0), Vec::<Complex>::new());
        assert_eq!(eigenvalues(&[f64::NAN], 1), Vec::<Complex>::new());
    }

    #[test]
    fn sums_of_powers_are_the_traces() {
        let n = 9;
        let matrix: Vec<f64> = (0..n * n).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
        let square: Vec<f64> = (0..n * n)
            .map(|at| (0..n).map(|k| matrix[at / n * n + k] * matrix[k * n + at % n]).sum())
            .collect();
        let trace = |of: &[f64]| (0..n).map(|at| of[at * n + at]).sum::<f64>();
        let found = eigenvalues(&matrix, n);
        let sum = found.iter().copied().fold([0.0; 2], plus);
        let squares = found.iter().map(|&one| times(one, one)).fold([0.0; 2], plus);
        assert!(size(minus(sum, [trace(&matrix), 0.0])) < 1e-10);
        assert!(size(minus(squares, [trace(&square), 0.0])) < 1e-10);
    }
}
