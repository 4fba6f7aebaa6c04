//! The derivatives of the activations of feed-forward layers, value by value and in place.
//!
//! The formulas follow from those of `activation`; at a corner the derivative is that of PyTorch's
//! autograd: 0 for ReLU at 0, the leak for leaky ReLU at 0. Shapes: any slice.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::activation::{
    Activation, GELU_CUBIC, GELU_LIMIT, GELU_SCALE, LAPLACE_DEVIATION, LAPLACE_MEAN, LEAK,
    MISH_LINEAR, QUICK_GELU_SCALE,
};
use super::lanes::{F32x4, map};
use super::math::{Erf, Exp, Tanh};

/// The density of the standard normal distribution at 0, `1 / √(2π)`.
const NORMAL_TOP: f32 = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// Puts the derivative of an activation at every value in place of the value.
pub fn slopes(activation: Activation, values: &mut [f32]) {
    let zero = F32x4::zero();
    let [half, one, two, six] = [0.5, 1.0, 2.0, 6.0].map(F32x4::splat);
    match activation {
        Activation::Relu => map(values, 0.0, |x| zero.less(x).select(one, zero)),
        Activation::Gelu => gelu(values),
        Activation::GeluTanh => gelu_tanh(values),
        Activation::Silu => swish(values, 1.0),
        Activation::Tanh => {
            let tanh = Tanh::load();
            map(values, 0.0, |x| {
                let tanh = tanh.of(x);
                one - tanh * tanh
            });
        }
        Activation::GeluClipped => gelu_clipped(values),
        Activation::QuickGelu => swish(values, QUICK_GELU_SCALE),
        Activation::Mish => mish(values),
        Activation::Relu2 => map(values, 0.0, |x| two * x.max(zero)),
        Activation::Relu6 => map(values, 0.0, |x| {
            let rises = x.less(six).select(one, zero);
            zero.less(x).select(rises, zero)
        }),
        Activation::LeakyRelu => {
            let leak = F32x4::splat(LEAK);
            map(values, 0.0, |x| zero.less(x).select(one, leak));
        }
        Activation::Hardswish => {
            let three = F32x4::splat(3.0);
            map(values, 0.0, |x| {
                let above = three.less(x).select(one, x / three + half);
                x.less(-three).select(zero, above)
            });
        }
        Activation::Sigmoid => {
            let exp = Exp::load();
            map(values, 0.0, |x| {
                let share = one / (one + exp.of(-x));
                share * (one - share)
            });
        }
        Activation::Laplace => {
            let exp = Exp::load();
            let [mean, inverse, top] =
                [LAPLACE_MEAN, 1.0 / LAPLACE_DEVIATION, NORMAL_TOP].map(F32x4::splat);
            map(values, 0.0, |x| {
                let x = (x - mean) * inverse;
                exp.of(-(half * x * x)) * top * inverse
            });
        }
        Activation::Linear => values.fill(1.0),
    }
}

/// `Φ(x) + x φ(x)`.
fn gelu(values: &mut [f32]) {
    let (erf, exp) = (Erf::load(), Exp::load());
    let [half, one, inverse_root, top] = [0.5, 1.0, FRAC_1_SQRT_2, NORMAL_TOP].map(F32x4::splat);
    map(values, 0.0, |x| {
        half * (one + erf.of(x * inverse_root)) + x * (exp.of(-(half * x * x)) * top)
    });
}

/// The derivative of GELU, 0 where GELU is beyond the limits.
fn gelu_clipped(values: &mut [f32]) {
    let erf = Erf::load();
    let [half, one, inverse_root, most] = [0.5, 1.0, FRAC_1_SQRT_2, GELU_LIMIT].map(F32x4::splat);
    let mut within = values.to_vec();
    map(&mut within, 0.0, |x| {
        let gelu = half * x * (one + erf.of(x * inverse_root));
        most.less(gelu.abs()).select(F32x4::zero(), one)
    });
    gelu(values);
    super::elementwise::multiply_into(values, &within);
}

/// `½ (1 + t) + ½ x (1 − t²) u′` with `t = tanh(u)`, `u = √(2/π) (x + 0.044715 x³)`.
fn gelu_tanh(values: &mut [f32]) {
    let tanh = Tanh::load();
    let [half, one, three, scale, cubic] =
        [0.5, 1.0, 3.0, GELU_SCALE, GELU_CUBIC].map(F32x4::splat);
    map(values, 0.0, |x| {
        let squared = cubic * (x * x);
        let tanh = tanh.of(scale * (x + squared * x));
        let inner = scale * (one + three * squared);
        half * (one + tanh) + half * x * (one - tanh * tanh) * inner
    });
}

/// The derivative of `x · sigmoid(s x)`.
fn swish(values: &mut [f32], scale: f32) {
    let exp = Exp::load();
    let [one, scale] = [1.0, scale].map(F32x4::splat);
    map(values, 0.0, |x| {
        let gate = one / (one + exp.of(-(scale * x)));
        gate + scale * x * gate * (one - gate)
    });
}

/// `t + x (1 − t²) sigmoid(x)` with `t = tanh(ln(1 + exp x))`.
fn mish(values: &mut [f32]) {
    let exp = Exp::load();
    let [one, two, linear] = [1.0, 2.0, MISH_LINEAR].map(F32x4::splat);
    map(values, 0.0, |x| {
        let e = exp.of(x.min(linear));
        let n = e * (e + two);
        let tanh = n / (n + two);
        tanh + x * (one - tanh * tanh) * (e / (e + one))
    });
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn slope(activation: Activation, x: f32) -> f32 {
        let mut value = [x];
        slopes(activation, &mut value);
        value[0]
    }

    fn applied(activation: Activation, x: f32) -> f64 {
        let mut value = [x];
        activation.apply(&mut value);
        f64::from(value[0])
    }

    const ALL: [Activation; 15] = [
        Activation::Relu,
        Activation::Gelu,
        Activation::GeluTanh,
        Activation::Silu,
        Activation::Tanh,
        Activation::GeluClipped,
        Activation::QuickGelu,
        Activation::Mish,
        Activation::Relu2,
        Activation::Relu6,
        Activation::LeakyRelu,
        Activation::Hardswish,
        Activation::Sigmoid,
        Activation::Laplace,
        Activation::Linear,
    ];

    /// Activations with a corner, or a bend, at 0, and PyTorch's derivatives there.
    const AT_ZERO: [(Activation, f32); 4] = [
        (Activation::Relu, 0.0),
        (Activation::Relu2, 0.0),
        (Activation::Relu6, 0.0),
        (Activation::LeakyRelu, LEAK),
    ];

    #[wasm_bindgen_test(unsupported = test)]
    fn a_slope_is_the_difference_quotient_away_from_corners() {
        for activation in ALL {
            for at in [-11.3, -3.7, -2.2, -0.9, -0.1, 0.0, 0.2, 0.7, 1.3, 2.6, 3.4, 5.1, 11.7] {
                if at == 0.0 && AT_ZERO.iter().any(|(own, _)| *own == activation) {
                    continue;
                }
                let width = 1.0 / 64.0;
                let quotient = (applied(activation, at + width) - applied(activation, at - width))
                    / (2.0 * f64::from(width));
                let difference = (f64::from(slope(activation, at)) - quotient).abs();
                assert!(difference < 1e-3, "{} at {at}: {difference}", activation.name());
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn at_a_corner_it_is_that_of_pytorch() {
        for (activation, want) in AT_ZERO {
            assert_eq!(slope(activation, 0.0).to_bits(), want.to_bits(), "{}", activation.name());
        }
    }
}
