//! Exponential, hyperbolic tangent, error function (four lanes at a time) and natural
//! logarithm (one value), each with a bound on its error in units in the last place.
//!
//! * `exp(x) = 2ⁿ · exp(r)`, `n = round(x / ln 2)`, `r = x - n·ln 2` with `ln 2` in two
//!   parts so that `r` stays exact (W. J. Cody and W. Waite, "Software Manual for the
//!   Elementary Functions", 1980, chapter 6); polynomial of S. L. Moshier, Cephes
//!   library 2.2, `expf`.
//! * `tanh(x) = 1 - 2 / (exp(2x) + 1)`, and an odd polynomial near zero (Cephes `tanhf`).
//! * `erf(x) = x · p(x²) / q(x²)`, the quotient with the least largest relative error, 2e-8 (by
//!   linear programs over 1,800 points; without an exponential GELU takes a quarter of the time).
//! * `ln(x) = e·ln 2 + ln(m)`, `m` in `√½..√2` (Cephes `logf`).
//!
//! Shapes: `[4]` in, `[4]` out. NaN gives NaN; infinities give the limits; exponentials
//! below 2⁻¹²⁵ are 0.
//! No function sets error flags or calls the platform's own library, whose last bit differs from
//! one system to the next.

#![expect(clippy::excessive_precision, reason = "coefficients keep their published digits")]

use std::f32::consts::LOG2_E;

use super::lanes::{EXPONENT_BIAS, F32x4, FRACTION_BITS, ROUNDER};

/// `ln 2` as a part with nine significant bits, whose product with any exponent is
/// exact, and the rest.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = -2.121_944_40e-4;
/// The constants of `exp`: the range of `x` (below it `exp` is 0, above it ∞; from -125.5 · ln 2
/// down, where 2ⁿ⁻¹ is no normal number, it is 0 too), the rounder, the exponent bias of 2ⁿ⁻¹, and
/// the factors of `n` and `r`.
const EXP_CONSTANTS: [f32; 8] =
    [-87.3, 89.0, ROUNDER, EXPONENT_BIAS - 1.0, LOG2_E, -LN_2_HIGH, -LN_2_LOW, 1.0];
/// `(exp(r) - 1 - r) / r²` for `|r| <= ½ ln 2`, highest power first.
const EXP_POLYNOMIAL: [f32; 6] = [
    1.987_569_150_0e-4,
    1.398_199_950_7e-3,
    8.333_451_907_3e-3,
    4.166_579_589_4e-2,
    1.666_666_545_9e-1,
    5.000_000_120_1e-1,
];

/// Below this magnitude `tanh` is the odd polynomial.
const TANH_SMALL: f32 = 0.625;
/// `(tanh(x) - x) / x³` in powers of `x²`, highest first.
const TANH_POLYNOMIAL: [f32; 5] = [
    -5.704_988_727_45e-3,
    2.063_908_879_54e-2,
    -5.373_971_555_31e-2,
    1.333_144_220_36e-1,
    -3.333_328_194_22e-1,
];

/// From this magnitude on, `erf` is 1.
const ERF_ONE: f32 = 3.9;
/// `erf(x) / x` below `ERF_ONE` as a quotient of two polynomials in `x²`, highest power first.
const ERF_ABOVE: [f32; 6] = [
    2.070_127_345e-6,
    2.846_213_806e-4,
    3.718_688_984e-3,
    5.260_811_240e-2,
    1.892_086_974e-1,
    1.128_379_156,
];
const ERF_BELOW: [f32; 6] =
    [3.828_456_319e-5, 1.152_596_507e-3, 1.487_517_090e-2, 1.136_300_516e-1, 5.010_147_613e-1, 1.0];

/// `(ln(1 + x) - x + ½x²) / x³` for `1 + x` in `√½..√2`, highest power first.
const LN_POLYNOMIAL: [f32; 9] = [
    7.037_683_629_2e-2,
    -1.151_461_031_0e-1,
    1.167_699_874_0e-1,
    -1.242_014_084_6e-1,
    1.424_932_278_7e-1,
    -1.666_805_766_5e-1,
    2.000_071_476_5e-1,
    -2.499_999_399_3e-1,
    3.333_333_117_4e-1,
];
/// The fraction field of `f32`.
const FRACTION_MASK: u32 = (1 << FRACTION_BITS) - 1;
/// The factor that makes a denormal number normal before its exponent is read: `2²⁴`.
const DENORMAL_SCALE: f32 = 16_777_216.0;
const DENORMAL_SCALE_EXPONENT: i32 = 24;

/// A function's constants in all lanes, read from memory once per row. A constant that
/// the compiler can see is rebuilt by the browser at each use, in three instructions;
/// that took more than half the time of the exponential.
#[inline]
fn in_all_lanes<const N: usize>(values: [f32; N]) -> [F32x4; N] {
    std::hint::black_box(values).map(F32x4::splat)
}

/// The exponential `eˣ`. `exp(0)` is exactly 1, `exp(-∞)` exactly 0.
#[derive(Debug, Clone, Copy)]
pub struct Exp {
    constants: [F32x4; 8],
    polynomial: [F32x4; 6],
}

impl Exp {
    /// Loads the constants of `exp`: once per row.
    #[inline]
    pub fn load() -> Self {
        Self { constants: in_all_lanes(EXP_CONSTANTS), polynomial: in_all_lanes(EXP_POLYNOMIAL) }
    }

    /// The exponential of each lane.
    #[inline]
    pub fn of(&self, x: F32x4) -> F32x4 {
        let [lowest, highest, rounder, bias, log2_e, ln_2_high, ln_2_low, one] = self.constants;
        let x = x.max(lowest).min(highest);
        let above = rounder.add_product(x, log2_e);
        let n = above - rounder;
        let r = x.add_product(n, ln_2_high).add_product(n, ln_2_low);
        let fraction = r.add_product(polynomial(&self.polynomial, r), r * r) + one;
        // Twice the fraction and half of 2ⁿ: for the largest results 2ⁿ is no f32.
        (fraction + fraction) * (above + bias).shift_left::<FRACTION_BITS>()
    }
}

/// The hyperbolic tangent, four lanes at a time.
#[derive(Debug, Clone, Copy)]
pub struct Tanh {
    exp: Exp,
    constants: [F32x4; 3],
    polynomial: [F32x4; 5],
}

impl Tanh {
    /// Loads the constants of `tanh`: once per row.
    #[inline]
    pub fn load() -> Self {
        Self {
            exp: Exp::load(),
            constants: in_all_lanes([TANH_SMALL, 1.0, 2.0]),
            polynomial: in_all_lanes(TANH_POLYNOMIAL),
        }
    }

    /// The hyperbolic tangent of each lane.
    #[inline]
    pub fn of(&self, x: F32x4) -> F32x4 {
        let [small, one, two] = self.constants;
        let magnitude = x.abs();
        let squared = x * x;
        let near_zero = polynomial(&self.polynomial, squared) * squared * magnitude + magnitude;
        let far = one - two / (self.exp.of(magnitude + magnitude) + one);
        magnitude.less(small).select(near_zero, far).with_sign(x)
    }

    /// Writes the hyperbolic tangent of each sum of two numbers.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn of_sum(&self, a: &[f32], b: &[f32], out: &mut [f32]) {
        assert!(a.len() == out.len() && b.len() == out.len(), "a sum for each number of `out`");
        let (a, a_rest) = a.as_chunks();
        let (b, b_rest) = b.as_chunks();
        let (out, rest) = out.as_chunks_mut();
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            self.of(F32x4::load(a) + F32x4::load(b)).store(out);
        }
        if !rest.is_empty() {
            let sum = F32x4::load_partial(a_rest, 0.0) + F32x4::load_partial(b_rest, 0.0);
            self.of(sum).store_partial(rest);
        }
    }
}

/// The error function `2/√π ∫₀ˣ exp(-t²) dt`.
#[derive(Debug, Clone, Copy)]
pub struct Erf {
    constants: [F32x4; 2],
    above: [F32x4; 6],
    below: [F32x4; 6],
}

impl Erf {
    /// Loads the constants of `erf`: once per row.
    #[inline]
    pub fn load() -> Self {
        let constants = in_all_lanes([1.0, ERF_ONE]);
        Self { constants, above: in_all_lanes(ERF_ABOVE), below: in_all_lanes(ERF_BELOW) }
    }

    /// The error function of each lane.
    #[inline]
    pub fn of(&self, x: F32x4) -> F32x4 {
        let [one, large] = self.constants;
        let magnitude = x.abs().min(large);
        let squared = magnitude * magnitude;
        let above = magnitude * polynomial(&self.above, squared);
        (above / polynomial(&self.below, squared)).min(one).with_sign(x)
    }
}

/// The natural logarithm: `ln(0)` is -∞, `ln` of a negative number NaN.
pub fn ln(x: f32) -> f32 {
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x < 0.0 || x.is_nan() {
        return f32::NAN;
    }
    if x == f32::INFINITY {
        return x;
    }
    let (normal, shift) =
        if x.is_normal() { (x, 0) } else { (x * DENORMAL_SCALE, DENORMAL_SCALE_EXPONENT) };
    // The exponent is read as if one were √½, so that the fraction is in √½..√2.
    let offset = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    let above = normal.to_bits().wrapping_sub(offset);
    let exponent = above.cast_signed() >> FRACTION_BITS;
    let fraction = f32::from_bits((above & FRACTION_MASK) + offset);
    let e = (exponent - shift) as f32;
    let x = fraction - 1.0;
    let squared = x * x;
    let tail = LN_POLYNOMIAL.into_iter().reduce(|sum, c| sum * x + c).unwrap_or(0.0);
    let small = (tail * x * squared + e * LN_2_LOW) - 0.5 * squared;
    (x + small) + e * LN_2_HIGH
}

/// A polynomial, highest coefficient first: pairs of terms, then Horner's rule in `x²`, which has
/// half as many dependent steps as Horner's rule in `x` (G. Estrin 1960).
#[inline]
fn polynomial<const N: usize>(coefficients: &[F32x4; N], x: F32x4) -> F32x4 {
    let squared = x * x;
    let (odd_one, pairs) = coefficients.split_at(N % 2);
    let (pairs, _) = pairs.as_chunks::<2>();
    let pair = |[a, b]: [F32x4; 2]| b.add_product(a, x);
    let (mut sum, pairs) = match odd_one {
        [single] => (*single, pairs),
        _ => (pair(pairs[0]), &pairs[1..]),
    };
    for &coefficients in pairs {
        sum = pair(coefficients).add_product(sum, squared);
    }
    sum
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::same_bits;
    use super::*;

    /// Every such bit pattern is tried: a million numbers spread over all magnitudes.
    const STRIDE: usize = 4099;

    fn one(function: impl Fn(F32x4) -> F32x4, x: f32) -> f32 {
        function(F32x4::splat(x)).to_array()[3]
    }

    /// The distance between neighbours of f32 around an exact value.
    fn ulp(exact: f64) -> f64 {
        let exponent = exact.abs().log2().floor().max(-126.0);
        (exponent - 23.0).exp2()
    }

    /// The largest error over numbers of all magnitudes, in units of the last place, and where it
    /// is.
    fn largest_error(ours: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> (f64, f32) {
        let mut worst = (0.0, 0.0);
        for bits in (0..=u32::MAX).step_by(STRIDE) {
            let x = f32::from_bits(bits);
            let found = ours(x);
            let wanted = exact(f64::from(x));
            if wanted.is_nan() {
                assert!(found.is_nan(), "{x:e} should give NaN, not {found}");
            } else if (wanted as f32).is_infinite() || found.is_infinite() {
                same_bits(&[found], &[wanted as f32], &format!("at {x:e}"));
            } else {
                let error = (f64::from(found) - wanted).abs() / ulp(wanted);
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
        worst
    }

    #[test]
    fn errors_stay_below_their_bounds() {
        let exp = Exp::load();
        let tanh = Tanh::load();
        let erf = Erf::load();
        let flushed = |x: f64| if x < -125.5 * std::f64::consts::LN_2 { 0.0 } else { x.exp() };
        let (error, at) = largest_error(|x| one(|x| exp.of(x), x), flushed);
        assert!(error <= 1.1, "exp is {error} off at {at:e}");
        let (error, at) = largest_error(|x| one(|x| tanh.of(x), x), f64::tanh);
        assert!(error <= 2.0, "tanh is {error} off at {at:e}");
        let (error, at) = largest_error(|x| one(|x| erf.of(x), x), libm::erf);
        assert!(error <= 6.0, "erf is {error} off at {at:e}");
        let (error, at) = largest_error(ln, f64::ln);
        assert!(error <= 1.1, "ln is {error} off at {at:e}");
    }

    #[test]
    fn the_ends_of_the_range() {
        let infinity = f32::INFINITY;
        let exp = |x| one(|x| Exp::load().of(x), x);
        let tanh = |x| one(|x| Tanh::load().of(x), x);
        let erf = |x| one(|x| Erf::load().of(x), x);
        same_bits(&[exp(0.0), exp(-0.0)], &[1.0, 1.0], "exp at zero");
        same_bits(&[exp(-infinity), exp(-1e30)], &[0.0, 0.0], "exp far down");
        same_bits(&[exp(infinity), exp(1e30)], &[infinity, infinity], "exp far up");
        same_bits(&[tanh(infinity), tanh(-infinity)], &[1.0, -1.0], "tanh");
        same_bits(&[erf(infinity), erf(-infinity)], &[1.0, -1.0], "erf");
        same_bits(&[tanh(-0.0), erf(-0.0)], &[-0.0, -0.0], "the sign of zero");
        same_bits(&[ln(1.0), ln(0.0), ln(infinity)], &[0.0, -infinity, infinity], "ln");
        assert!(
            [exp(f32::NAN), tanh(f32::NAN), erf(f32::NAN), ln(f32::NAN), ln(-1.0)]
                .iter()
                .all(|value| value.is_nan())
        );
    }
}
