//! Feature maps `φ` of approximate attention, with `φ(q)·φ(k)` in place of `exp(q·k)`, and the
//! random directions that they use, drawn by seed.
//!
//! * `φ(x) = elu(x) + 1`: `x + 1` above 0, `exp(x)` below (A. Katharopoulos et al. 2020,
//!   "Transformers are RNNs", eq. 7).
//! * `φ(x)ᵢ = exp(ωᵢ·x − |x|²/2) / √m`, `ωᵢ` normal and orthogonal in blocks of `d`, each as
//!   long as another normal vector (K. Choromanski et al. 2021, "Rethinking Attention with
//!   Performers", sections 2.3 and 2.4: positive orthogonal random features, FAVOR+). The mean of
//!   `φ(q)·φ(k)` over all draws is `exp(q·k)`.
//!
//! Computed in f64, with an exponential of its own, so that every machine finds the same bits.
//! Shapes: `x [d]`, features `[m]`, `ω [m, d]`.

use super::math;
use super::random::Normal;

/// The natural logarithm of 2.
const LN_2: f64 = std::f64::consts::LN_2;
/// The factor `2⁵⁴`, which turns every subnormal number into a normal one.
const SUBNORMAL: f64 = (1u64 << 54) as f64;
/// The number of terms of the exponential series; with `|r| ≤ ½ ln 2` the next term is below
/// `2⁻⁵³`.
const TERMS: u32 = 14;

/// `eˣ`, by the series around the nearest multiple of `ln 2`; NaN stays NaN.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let whole = (x / LN_2).round();
    let rest = x - whole * LN_2;
    let series = (1..=TERMS).rev().fold(1.0, |sum, i| 1.0 + sum * rest / f64::from(i));
    #[expect(clippy::cast_sign_loss, reason = "an exponent from 13 to 2033")]
    let power = f64::from_bits(((whole + 1023.0) as u64) << 52);
    series * power
}

/// `ln x` of a non-negative number, with the precision of f32; NaN stays NaN.
pub fn ln(x: f64) -> f64 {
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if !x.is_finite() {
        return x;
    }
    if x < f64::MIN_POSITIVE {
        // A subnormal number has no exponent bits of its own.
        return ln(x * SUBNORMAL) - 54.0 * LN_2;
    }
    let exponent = ((x.to_bits() >> 52) & 0x7FF) as f64 - 1023.0;
    let fraction = f64::from_bits((x.to_bits() & 0x000F_FFFF_FFFF_FFFF) | (1023 << 52));
    exponent * LN_2 + f64::from(math::ln(fraction as f32))
}

/// `elu(x) + 1` of every number.
pub fn elu(x: &[f32], out: &mut [f64]) {
    for (out, &x) in out.iter_mut().zip(x) {
        let x = f64::from(x);
        *out = if x > 0.0 { x + 1.0 } else { exp(x) };
    }
}

/// Random directions for positive features.
pub struct Directions {
    width: usize,
    rows: Vec<f64>,
}

impl Directions {
    /// Draws `m` directions for vectors of `width` numbers.
    pub fn draw(seed: u64, m: usize, width: usize) -> Self {
        let mut normal = Normal::new(seed);
        let mut rows: Vec<f64> = Vec::with_capacity(m * width);
        let mut block = 0;
        while rows.len() < m * width {
            if rows.len() == (block + 1) * width * width {
                block += 1;
            }
            let mut row: Vec<f64> = (0..width).map(|_| normal.draw()).collect();
            for other in rows[block * width * width..].chunks_exact(width) {
                let part = dot(&row, other);
                row.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
            }
            let length = dot(&row, &row).sqrt();
            rows.extend(row.iter().map(|x| x / length));
        }
        // Lengths last: the rows before are needed at length 1 to be orthogonal to.
        for row in rows.chunks_exact_mut(width) {
            let square: f64 = (0..width).map(|_| normal.draw()).map(|x| x * x).sum();
            for x in row.iter_mut() {
                *x *= square.sqrt();
            }
        }
        Self { width, rows }
    }

    /// The number of features, `m`.
    pub fn count(&self) -> usize {
        self.rows.len() / self.width
    }

    /// The features `[m]` of `x` after multiplication by `factor`.
    pub fn features(&self, x: &[f32], factor: f64, out: &mut [f64]) {
        let x = || x.iter().map(|&x| f64::from(x) * factor);
        let half = x().map(|x| x * x).sum::<f64>() / 2.0;
        let share = 1.0 / (self.count() as f64).sqrt();
        for (out, row) in out.iter_mut().zip(self.rows.chunks_exact(self.width)) {
            let along: f64 = x().zip(row).map(|(x, w)| x * w).sum();
            *out = share * exp(along - half);
        }
    }
}

/// `x · y`, summed from first to last.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn exponential_and_logarithm_agree_with_the_library() {
        for i in -6990..6990 {
            let x = f64::from(i) / 10.0 + 0.037;
            let got = exp(x);
            let want = x.exp();
            assert!((got - want).abs() <= 1e-13 * want, "exp {x}: {got} {want}");
            assert!((ln(want) - x).abs() <= 2e-7 * x.abs().max(1.0), "ln of exp {x}");
        }
        assert_eq!(exp(-1e9), 0.0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        for power in -1074..=-1020_i32 {
            let x = 2f64.powi(-500) * 2f64.powi(power + 500);
            let want = f64::from(power) * LN_2;
            assert!((ln(x) - want).abs() < 1e-4, "ln of two to the {power}: {} {want}", ln(x));
        }
        assert!(exp(f64::NAN).is_nan() && ln(f64::NAN).is_nan());
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    }
}
