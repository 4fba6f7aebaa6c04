//! Sums of products in f64 of numbers in f32, each summed from first to last, several side by side.
//!
//! `s ← s + factor · x`, and `out[n] = x · w_n` with all rows `w_n` of a matrix, whose products are
//! taken eight at a time: a single sum waits for each of its additions.
//!
//! Sources: the formulas; eight sums hide the latency of an addition, as the tile of `matmul` does.
//! Shapes: `x [width]`, `w [count, width]`, `out [count]`. A product of two f32 is exact in f64. No
//! multiplication is fused with an addition, so every build finds the same bits.

use super::lanes::{F32x4, F64x2, LANES, WIDE_LANES};

/// The rows that are multiplied side by side.
const ROWS: usize = 8;
const VECTORS: usize = ROWS / WIDE_LANES;

/// The sum of no products, as `Iterator::sum` begins.
const NOTHING: f64 = -0.0;

/// `s ← s + factor · x`.
pub fn add_multiple(sums: &mut [f64], factor: f64, x: &[f32]) {
    let (wide_sums, rest_sums) = sums.as_chunks_mut::<LANES>();
    let (wide_x, rest) = x.as_chunks::<LANES>();
    let factors = F64x2::splat(factor);
    for (sums, x) in wide_sums.iter_mut().zip(wide_x) {
        let (halves, _) = sums.as_chunks_mut();
        for (sum, x) in halves.iter_mut().zip(F32x4::load(x).widened()) {
            (F64x2::load(sum) + factors * x).store(sum);
        }
    }
    rest_sums.iter_mut().zip(rest).for_each(|(sum, &x)| *sum += factor * f64::from(x));
}

/// `‖x‖²`.
pub fn square(x: &[f32]) -> f64 {
    x.iter().map(|&number| f64::from(number).powi(2)).sum()
}

/// The rows of a matrix, side by side in f64, for products with one row after another.
#[derive(Debug, Clone)]
pub struct Beside {
    width: usize,
    count: usize,
    /// For each eight rows, for each of their numbers, the eight; the last are filled up by zeros.
    panels: Vec<[f64; ROWS]>,
}

impl Beside {
    /// The rows of a matrix `[count, width]`.
    pub fn of(rows: &[f32], width: usize) -> Self {
        let count = rows.len() / width.max(1);
        let mut panels = vec![[0.0; ROWS]; count.div_ceil(ROWS) * width];
        for (index, row) in rows.chunks_exact(width.max(1)).enumerate() {
            let panel = &mut panels[index / ROWS * width..][..width];
            for (numbers, &number) in panel.iter_mut().zip(row) {
                numbers[index % ROWS] = f64::from(number);
            }
        }
        Self { width, count, panels }
    }

    /// Writes the product of `x` with each row.
    ///
    /// # Panics
    /// When `x` is not as long as a row, or `out` has not a number for each row.
    pub fn products(&self, x: &[f32], out: &mut [f64]) {
        assert!(x.len() == self.width && out.len() == self.count, "a product for each row");
        let panels = self.panels.chunks_exact(self.width.max(1));
        for (out, panel) in out.chunks_mut(ROWS).zip(panels) {
            let mut all = [0.0; ROWS];
            let (halves, _) = all.as_chunks_mut();
            let sums = sums(x, panel);
            halves.iter_mut().zip(sums).for_each(|(half, sums)| sums.store(half));
            out.copy_from_slice(&all[..out.len()]);
        }
    }
}

/// The products of all rows of one matrix with all rows of another, whose rows are `width` long,
/// `[rows of one, rows of other]`.
pub fn products(one: &[f32], other: &[f32], width: usize) -> Vec<f64> {
    let beside = Beside::of(other, width);
    let mut out = vec![0.0; one.len() / width.max(1) * beside.count];
    let rows = one.chunks_exact(width.max(1));
    rows.zip(out.chunks_exact_mut(beside.count.max(1)))
        .for_each(|(x, out)| beside.products(x, out));
    out
}

/// The products of a row with eight.
fn sums(x: &[f32], panel: &[[f64; ROWS]]) -> [F64x2; VECTORS] {
    let mut sums = [F64x2::splat(NOTHING); VECTORS];
    for (&x, numbers) in x.iter().zip(panel) {
        let x = F64x2::splat(f64::from(x));
        let (halves, _) = numbers.as_chunks();
        for (sum, half) in sums.iter_mut().zip(halves) {
            *sum = *sum + x * F64x2::load(half);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{AWKWARD_SIZES, Random};
    use super::*;

    fn bits(numbers: &[f64]) -> Vec<u64> {
        numbers.iter().map(|number| number.to_bits()).collect()
    }

    #[test]
    fn rows_side_by_side_have_the_bits_of_single_products() {
        let mut random = Random::new(3);
        for width in AWKWARD_SIZES {
            for count in AWKWARD_SIZES {
                let rows = random.values(width * count, -3.0, 3.0);
                let x = random.values(width, -3.0, 3.0);
                let count = if width == 0 { 0 } else { count };
                let mut out = vec![f64::NAN; count];
                Beside::of(&rows, width).products(&x, &mut out);
                let plain = rows.chunks_exact(width.max(1)).map(|row| {
                    let mut sum = -0.0;
                    for at in 0..width {
                        sum += f64::from(x[at]) * f64::from(row[at]);
                    }
                    sum
                });
                let plain: Vec<f64> = plain.collect();
                assert_eq!(bits(&out), bits(&plain), "{count} rows of {width}");
                assert_eq!(bits(&products(&x, &rows, width)), bits(&plain), "{count} of {width}");
            }
        }
    }

    #[test]
    fn a_multiple_has_the_bits_of_the_plain_loop() {
        let mut random = Random::new(4);
        for size in AWKWARD_SIZES {
            let x = random.values(size, -3.0, 3.0);
            let mut sums: Vec<f64> =
                random.values(size, -1.0, 1.0).into_iter().map(f64::from).collect();
            let mut plain = sums.clone();
            for (sum, &x) in plain.iter_mut().zip(&x) {
                *sum += 0.3 * f64::from(x);
            }
            add_multiple(&mut sums, 0.3, &x);
            assert_eq!(bits(&sums), bits(&plain), "{size}");
        }
    }
}
