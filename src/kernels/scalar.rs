//! Plain versions that kernels are tested against: the product, whose bits are those of the fast one,
//! and the error function, which no library here has. All other kernels are tested against numbers
//! of PyTorch and NumPy.

/// `out[r, n] = Σₖ x[r, k] · w[k, n] (+ bias[n])` for `x [count, inner]` and
/// `w [inner, outer]`, with `shape = (count, inner, outer)`.
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

/// The error function in `f64` from its series of positive terms,
/// `erf(x) = 2/√π · exp(-x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·…·(2n+1))` (M. Abramowitz and I. Stegun,
/// "Handbook of Mathematical Functions", 1964, 7.1.6), which cannot cancel.
pub fn erf(x: f64) -> f64 {
    /// From here on erf is 1 in `f64`.
    const ONE: f64 = 6.0;
    if x.abs() > ONE {
        return x.signum();
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON * 0.1 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}
