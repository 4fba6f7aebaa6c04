//! The derivatives of the activations of feed-forward layers, value by value, in f64.
//!
//! The formulas follow from those of `activation`; at a corner the derivative is that of PyTorch's
//! autograd: 0 for ReLU at 0, the leak for leaky ReLU at 0.

use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};

use super::activation::{
    Activation, GELU_CUBIC, GELU_LIMIT, LAPLACE_DEVIATION, LAPLACE_MEAN, LEAK, QUICK_GELU_SCALE,
};

/// The derivative of an activation at `x`.
pub fn slope(activation: Activation, x: f32) -> f32 {
    let value = f64::from(x);
    let slope = match activation {
        Activation::Relu => step(value > 0.0),
        Activation::Gelu => gelu(x),
        Activation::GeluTanh => gelu_tanh(value),
        Activation::Silu => swish(value, 1.0),
        Activation::Tanh => 1.0 - value.tanh().powi(2),
        Activation::GeluClipped => {
            gelu(x) * step(applied(Activation::Gelu, x).abs() <= f64::from(GELU_LIMIT))
        }
        Activation::QuickGelu => swish(value, f64::from(QUICK_GELU_SCALE)),
        Activation::Mish => mish(value),
        Activation::Relu2 => 2.0 * value.max(0.0),
        Activation::Relu6 => step(value > 0.0 && value < 6.0),
        Activation::LeakyRelu => {
            if value > 0.0 {
                1.0
            } else {
                f64::from(LEAK)
            }
        }
        Activation::Hardswish => hardswish(value),
        Activation::Sigmoid => sigmoid(value) * sigmoid(-value),
        Activation::Laplace => {
            normal_density((value - f64::from(LAPLACE_MEAN)) / f64::from(LAPLACE_DEVIATION))
                / f64::from(LAPLACE_DEVIATION)
        }
        Activation::Linear => 1.0,
    };
    slope as f32
}

fn step(is_on: bool) -> f64 {
    f64::from(u8::from(is_on))
}

fn applied(activation: Activation, x: f32) -> f64 {
    let mut value = [x];
    activation.apply(&mut value);
    f64::from(value[0])
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn normal_density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * PI).sqrt()
}

/// `Φ(x) + x φ(x)`, with `Φ(x) = gelu(x) / x`.
fn gelu(x: f32) -> f64 {
    let value = f64::from(x);
    let share = if x == 0.0 { 0.5 } else { applied(Activation::Gelu, x) / value };
    share + value * normal_density(value)
}

fn gelu_tanh(x: f64) -> f64 {
    let scale = FRAC_2_SQRT_PI / SQRT_2;
    let cubic = f64::from(GELU_CUBIC);
    let tanh = (scale * (x + cubic * x.powi(3))).tanh();
    let inner = scale * (1.0 + 3.0 * cubic * x * x);
    0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner
}

/// The derivative of `x · sigmoid(s x)`.
fn swish(x: f64, scale: f64) -> f64 {
    let gate = sigmoid(scale * x);
    gate + scale * x * gate * (1.0 - gate)
}

fn mish(x: f64) -> f64 {
    let softplus = if x > 30.0 { x } else { x.exp().ln_1p() };
    let tanh = softplus.tanh();
    tanh + x * (1.0 - tanh * tanh) * sigmoid(x)
}

fn hardswish(x: f64) -> f64 {
    if x < -3.0 {
        0.0
    } else if x <= 3.0 {
        x / 3.0 + 0.5
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

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
