//! The plain matrix product, with the bits of the fast one in `matmul`. The other kernels are
//! tested against numbers of libm, PyTorch and NumPy.

/// The product `out[r, n] = Σₖ x[r, k] · w[k, n] (+ bias[n])` for `x [count, inner]` and `w [inner,
/// outer]`, with `shape = (count, inner, outer)`.
///
/// # Panics
/// When a slice is too short for the shape.
pub fn matmul(
    x: &[f32],
    w: &[f32],
    bias: Option<&[f32]>,
    shape: (usize, usize, usize),
    out: &mut [f32],
) {
    let (count, inner, outer) = shape;
    for r in 0..count {
        for n in 0..outer {
            let mut sum = 0.0;
            for k in 0..inner {
                sum += x[r * inner + k] * w[k * outer + n];
            }
            out[r * outer + n] = bias.map_or(sum, |bias| sum + bias[n]);
        }
    }
}
