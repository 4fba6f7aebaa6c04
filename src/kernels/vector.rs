//! Products and sums of single vectors in the order of their numbers, which is the order in which
//! `matmul` sums: where a row is computed by itself it has the bits of a whole product.
//!
//! `x · y`, `‖x‖`, `out ← out + factor · x`, and the last with several rows
//!
//! Shapes: slices of equal length. They are not the fast way to multiply matrices.

use super::counting::count;
use super::lanes::{F32x4, LANES};

/// `x · y`.
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    count(x.len());
    x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + x * y)
}

/// `‖x‖`.
pub fn length(x: &[f32]) -> f32 {
    dot(x, x).sqrt()
}

/// `out ← out + factor · x`.
pub fn add_multiple(out: &mut [f32], factor: f32, x: &[f32]) {
    count(x.len());
    let (wide_out, rest_out) = out.as_chunks_mut::<LANES>();
    let (wide, rest) = x.as_chunks::<LANES>();
    let factors = F32x4::splat(factor);
    for (out, x) in wide_out.iter_mut().zip(wide) {
        // Not `add_product`, which a build with relaxed SIMD rounds once.
        (F32x4::load(out) + factors * F32x4::load(x)).store(out);
    }
    rest_out.iter_mut().zip(rest).for_each(|(out, x)| *out += factor * x);
}

/// `Y ← Y + fᵀ x`: adds a multiple of `x` to each of the rows `Y`, which start `stride` apart. A
/// row whose factor is 0 stays as it is.
///
/// # Panics
/// When there is not a row for each factor.
pub fn add_to_rows(rows: &mut [f32], stride: usize, factors: &[f32], x: &[f32]) {
    for (index, &factor) in factors.iter().enumerate() {
        if factor != 0.0 {
            add_multiple(&mut rows[index * stride..][..x.len()], factor, x);
        }
    }
}

/// `out ← out + f Y`: adds the multiples of the rows `Y`, which start `stride` apart, but of those
/// whose factor is 0.
///
/// # Panics
/// When there is not a row for each factor.
pub fn add_rows(out: &mut [f32], factors: &[f32], rows: &[f32], stride: usize) {
    for (index, &factor) in factors.iter().enumerate() {
        if factor != 0.0 {
            add_multiple(out, factor, &rows[index * stride..][..out.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;

    #[test]
    fn multiples_have_the_bits_of_the_plain_loops() {
        let mut random = Random::new(23);
        let stride = 40;
        for width in AWKWARD_SIZES {
            let x = random.values(width, -2.0, 2.0);
            let mut factors = random.values(5, -2.0, 2.0);
            factors[2] = 0.0;
            let mut rows = random.values(5 * stride, -2.0, 2.0);
            let mut out = random.values(width, -2.0, 2.0);
            let mut plain = out.clone();
            for (row, factor) in rows.chunks(stride).zip(&factors) {
                for at in 0..width {
                    plain[at] += factor * row[at];
                }
            }
            add_rows(&mut out, &factors, &rows, stride);
            same_bits(&out, &plain, "a sum of rows");
            let mut plain = rows.clone();
            for (row, factor) in plain.chunks_mut(stride).zip(&factors) {
                for at in 0..width {
                    row[at] += factor * x[at];
                }
            }
            add_to_rows(&mut rows, stride, &factors, &x);
            same_bits(&rows, &plain, "rows");
        }
    }
}
