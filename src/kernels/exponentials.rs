//! The sum of the exponentials of a row in f64,
//!
//! `Σᵢ exp(xᵢ − m)`, `m = max x`, summed from first to last
//!
//! four exponentials side by side, without a call of the platform's own library, whose last bit
//! differs from one system to the next.
//!
//! `exp(x) = 2ᵏ · exp(r)`, `k = round(x / ln 2)`, `r = x − k·ln 2` with `ln 2` in two parts, and
//! `exp(r) = 1 + r c / (2 − c) + r` with a polynomial `c` of `r²`: the algorithm of fdlibm's
//! `e_exp.c` (Sun Microsystems, 1993), its operations in its order, so that the bits are those of
//! the crate `libm`, which is also the library of wasm. Below −700, where `exp` is less than
//! 1e-304, it is 0 here. Shapes: `x [n]` → one number. NaN and `∞ − ∞` make the sum NaN.

#![expect(clippy::excessive_precision, reason = "coefficients keep their published digits")]

use std::f64::consts::LOG2_E;

/// The exponentials side by side.
const BESIDE: usize = 4;

const LN_2_HIGH: f64 = 6.931_471_803_691_238_164_90e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_700_02e-10;
/// The polynomial of `r²`, highest power first.
const POLYNOMIAL: [f64; 5] = [
    4.138_136_797_057_238_460_39e-8,
    -1.653_390_220_546_525_153_90e-6,
    6.613_756_321_437_934_361_17e-5,
    -2.777_777_777_701_559_338_42e-3,
    1.666_666_666_666_660_190_37e-1,
];
/// About ½ ln 2 and 1½ ln 2, where fdlibm changes the branch that finds `k`, and `2⁻²⁸`, up to
/// which it adds no polynomial: in each the numbers whose upper halves are compared there.
const HALF: f64 = f64::from_bits(0x3fd6_2e43 << 32);
const ONE_AND_HALF: f64 = f64::from_bits(0x3ff0_a2b2 << 32);
const TINY: f64 = f64::from_bits(0x3e30_0001 << 32);
const LEAST: f64 = -700.0;
const EXPONENT_BIAS: i64 = 1023;
const FRACTION_BITS: u32 = 52;

/// `Σᵢ exp(xᵢ − top)`, where no number of the row is above `top`.
pub fn sum_below(row: &[f32], top: f64) -> f64 {
    let (chunks, rest) = row.as_chunks::<BESIDE>();
    let mut sum = 0.0;
    for chunk in chunks {
        for exponential in chunk.map(|x| f64::from(x) - top).map(exp_below) {
            sum += exponential;
        }
    }
    for &x in rest {
        sum += exp_below(f64::from(x) - top);
    }
    sum
}

/// `exp(x)` of a number that is not positive. Every branch is a choice between two numbers, so that
/// several are computed side by side.
#[expect(clippy::inline_always, reason = "the threshold of the wasm builds would leave a call")]
#[inline(always)]
fn exp_below(x: f64) -> f64 {
    let k = if x > -HALF {
        0
    } else if x > -ONE_AND_HALF {
        -1
    } else {
        (LOG2_E * x - 0.5) as i32
    };
    let [high, low] = [x - f64::from(k) * LN_2_HIGH, f64::from(k) * LN_2_LOW];
    let r = high - low;
    let square = r * r;
    let [p5, p4, p3, p2, p1] = POLYNOMIAL;
    let c = r - square * (p1 + square * (p2 + square * (p3 + square * (p4 + square * p5))));
    let fraction = 1.0 + (r * c / (2.0 - c) - low + high);
    let power = ((EXPONENT_BIAS + i64::from(k)) << FRACTION_BITS).cast_unsigned();
    let scaled = if x > -TINY { 1.0 + x } else { fraction * f64::from_bits(power) };
    if x < LEAST { 0.0 } else { scaled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_have_the_bits_of_libm() {
        let edges = [HALF, ONE_AND_HALF, TINY, -LEAST].map(|edge| -edge);
        let around = |edge: f64| [edge.next_down(), edge, edge.next_up()];
        let spread =
            (0..1_000_000).map(|at| -7e-4 * f64::from(at) * f64::from(at % 1000 + 1) / 1e3);
        for x in edges.into_iter().flat_map(around).chain(spread).filter(|&x| x >= LEAST) {
            assert_eq!(exp_below(x).to_bits(), libm::exp(x).to_bits(), "{x:e}");
        }
        assert_eq!([exp_below(-0.0), exp_below(0.0)], [1.0; 2]);
        assert_eq!([exp_below(LEAST.next_down()), exp_below(f64::NEG_INFINITY)], [0.0; 2]);
        assert!(exp_below(f64::NAN).is_nan());
    }

    #[test]
    fn a_row_is_summed_from_first_to_last() {
        let row: Vec<f32> = (0..1003_u16).map(|at| f32::from(at % 997) / -50.0).collect();
        for row in [&row[..], &row[..3], &[]] {
            let wanted = row.iter().fold(0.0, |sum, &x| sum + libm::exp(f64::from(x)));
            assert_eq!(sum_below(row, 0.0).to_bits(), wanted.to_bits());
        }
    }
}
