//! The activations of feed-forward layers, value by value and in place.
//!
//! * `Relu`: `max(x, 0)` (A. Vaswani et al. 2017, section 3.3)
//! * `Gelu`: `½x · (1 + erf(x / √2))` (D. Hendrycks and K. Gimpel, "Gaussian Error Linear
//!   Units", 2016, section 2)
//! * `GeluTanh`: `½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))` (same paper, the approximation)
//! * `Silu`: `x / (1 + exp(-x))` (S. Elfwing, E. Uchibe and K. Doya 2018; "swish")
//! * `Tanh`: the hyperbolic tangent
//! * `GeluClipped`: `Gelu`, at least -10 and at most 10 (S. Kim et al. 2021, "I-BERT")
//! * `QuickGelu`: `x / (1 + exp(-1.702x))` (D. Hendrycks and K. Gimpel 2016, section 2)
//! * `Mish`: `x · tanh(ln(1 + exp(x)))` (D. Misra 2019)
//! * `Relu2`: `max(x, 0)²` (D. So et al. 2021, "Primer")
//! * `Relu6`: `max(x, 0)`, at most 6 (A. Howard et al. 2017, "`MobileNets`")
//! * `LeakyRelu`: `x`, below 0 a hundredth of `x` (A. Maas et al. 2013)
//! * `Hardswish`: `x · min(max(x + 3, 0), 6) / 6` (A. Howard et al. 2019)
//! * `Sigmoid`: `1 / (1 + exp(-x))`
//! * `Laplace`: `½ · (1 + erf((x - μ) / (σ√2)))`, `μ` = 0.707107, `σ` = 0.282095 (X. Ma et al.
//!   2022, "Mega")
//! * `Linear`: `x`
//!
//! Names and constants are those of `activations.py` of Hugging Face transformers. Shapes: any
//! slice. A NaN stays a NaN. A gated feed-forward network multiplies afterwards (`elementwise`).

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::lanes::{F32x4, map};
use super::math::{Erf, Exp, Tanh};

/// The factor of the cubic term in the tanh form of GELU.
pub(super) const GELU_CUBIC: f32 = 0.044_715;
/// `√(2/π)`.
pub(super) const GELU_SCALE: f32 = FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// The range of clipped GELU.
pub(super) const GELU_LIMIT: f32 = 10.0;
/// The factor in the exponent of the quick form of GELU.
pub(super) const QUICK_GELU_SCALE: f32 = 1.702;
/// The slope of the leaky rectifier below 0.
pub(super) const LEAK: f32 = 0.01;
/// From here on Mish is the identity in f32.
pub(super) const MISH_LINEAR: f32 = 20.0;
/// Mean and deviation of the Laplace activation.
#[expect(clippy::approx_constant, reason = "the constant is the model's, with its six digits")]
pub(super) const LAPLACE_MEAN: f32 = 0.707_107;
pub(super) const LAPLACE_DEVIATION: f32 = 0.282_095;

/// The activation of a feed-forward layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// ReLU: `max(x, 0)`.
    Relu,
    /// GELU, exact, with the error function.
    Gelu,
    /// GELU with the hyperbolic tangent in place of the error function, as in GPT-2.
    GeluTanh,
    /// `SiLU` (swish): `x · sigmoid(x)`.
    Silu,
    /// The hyperbolic tangent, `tanh(x)`.
    Tanh,
    /// GELU, clipped to -10..10.
    GeluClipped,
    /// `QuickGELU`: `x · sigmoid(1.702x)`.
    QuickGelu,
    /// Mish: `x · tanh(softplus(x))`.
    Mish,
    /// Squared `ReLU`: `max(x, 0)²`.
    Relu2,
    /// `ReLU6`: `min(max(x, 0), 6)`.
    Relu6,
    /// Leaky `ReLU`: `x`, and `0.01x` below 0.
    LeakyRelu,
    /// Hardswish: `x` times a ramp that rises from 0 at -3 to 1 at 3.
    Hardswish,
    /// The logistic function, `1 / (1 + exp(-x))`.
    Sigmoid,
    /// The cumulative distribution function of a normal distribution.
    Laplace,
    /// The identity, `x`.
    Linear,
}

impl Activation {
    /// The activation of a name in Hugging Face's `ACT2FN`; `None` for an unknown name, for `prelu`
    /// and `xielu`, which have trained parameters, and for `sqrtsoftplus`.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "relu" => Self::Relu,
            "gelu" | "gelu_python" => Self::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_python_tanh" | "gelu_fast"
            | "gelu_accurate" => Self::GeluTanh,
            "silu" | "swish" => Self::Silu,
            "tanh" => Self::Tanh,
            "gelu_10" => Self::GeluClipped,
            "quick_gelu" => Self::QuickGelu,
            "mish" => Self::Mish,
            "relu2" => Self::Relu2,
            "relu6" => Self::Relu6,
            "leaky_relu" => Self::LeakyRelu,
            "hardswish" => Self::Hardswish,
            "sigmoid" => Self::Sigmoid,
            "laplace" => Self::Laplace,
            "linear" => Self::Linear,
            _ => return None,
        })
    }

    /// The activation's usual name, for display.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relu => "ReLU",
            Self::Gelu => "GELU",
            Self::GeluTanh => "GELU (tanh)",
            Self::Silu => "SiLU",
            Self::Tanh => "tanh",
            Self::GeluClipped => "GELU (clipped)",
            Self::QuickGelu => "QuickGELU",
            Self::Mish => "Mish",
            Self::Relu2 => "ReLU²",
            Self::Relu6 => "ReLU6",
            Self::LeakyRelu => "LeakyReLU",
            Self::Hardswish => "Hardswish",
            Self::Sigmoid => "sigmoid",
            Self::Laplace => "Laplace",
            Self::Linear => "linear",
        }
    }

    /// Applies the activation to every value, in place.
    pub fn apply(self, values: &mut [f32]) {
        match self {
            Self::Relu => relu(values),
            Self::Gelu => gelu(values),
            Self::GeluTanh => gelu_tanh(values),
            Self::Silu => silu(values),
            Self::Tanh => tanh(values),
            Self::GeluClipped => gelu_clipped(values),
            Self::QuickGelu => quick_gelu(values),
            Self::Mish => mish(values),
            Self::Relu2 => relu2(values),
            Self::Relu6 => relu6(values),
            Self::LeakyRelu => leaky_relu(values),
            Self::Hardswish => hardswish(values),
            Self::Sigmoid => sigmoid(values),
            Self::Laplace => laplace(values),
            Self::Linear => {}
        }
    }
}

fn relu(values: &mut [f32]) {
    map(values, 0.0, |x| x.max(F32x4::zero()));
}

fn gelu(values: &mut [f32]) {
    let erf = Erf::load();
    let [half, one, inverse_root] = [0.5, 1.0, FRAC_1_SQRT_2].map(F32x4::splat);
    map(values, 0.0, |x| half * x * (one + erf.of(x * inverse_root)));
}

fn gelu_tanh(values: &mut [f32]) {
    let tanh = Tanh::load();
    let [half, one, scale, cubic] = [0.5, 1.0, GELU_SCALE, GELU_CUBIC].map(F32x4::splat);
    map(values, 0.0, |x| half * x * (one + tanh.of(scale * (x + cubic * (x * x * x)))));
}

fn tanh(values: &mut [f32]) {
    let tanh = Tanh::load();
    map(values, 0.0, |x| tanh.of(x));
}

fn silu(values: &mut [f32]) {
    let exp = Exp::load();
    let one = F32x4::splat(1.0);
    map(values, 0.0, |x| x / (one + exp.of(-x)));
}

fn gelu_clipped(values: &mut [f32]) {
    gelu(values);
    let [least, most] = [-GELU_LIMIT, GELU_LIMIT].map(F32x4::splat);
    map(values, 0.0, |x| x.max(least).min(most));
}

fn quick_gelu(values: &mut [f32]) {
    let exp = Exp::load();
    let [one, scale] = [1.0, QUICK_GELU_SCALE].map(F32x4::splat);
    map(values, 0.0, |x| x / (one + exp.of(-(scale * x))));
}

/// Mish without a logarithm: with `e = exp(x)` and `n = e² + 2e`, `tanh(ln(1 + e)) = n / (n + 2)`.
fn mish(values: &mut [f32]) {
    let exp = Exp::load();
    let [two, linear] = [2.0, MISH_LINEAR].map(F32x4::splat);
    map(values, 0.0, |x| {
        let e = exp.of(x.min(linear));
        let n = e * (e + two);
        x * (n / (n + two))
    });
}

fn relu2(values: &mut [f32]) {
    map(values, 0.0, |x| {
        let x = x.max(F32x4::zero());
        x * x
    });
}

fn relu6(values: &mut [f32]) {
    let six = F32x4::splat(6.0);
    map(values, 0.0, |x| x.max(F32x4::zero()).min(six));
}

fn leaky_relu(values: &mut [f32]) {
    let leak = F32x4::splat(LEAK);
    map(values, 0.0, |x| x.max(F32x4::zero()) + leak * x.min(F32x4::zero()));
}

fn hardswish(values: &mut [f32]) {
    let [three, six] = [3.0, 6.0].map(F32x4::splat);
    map(values, 0.0, |x| x * (x + three).max(F32x4::zero()).min(six) / six);
}

fn sigmoid(values: &mut [f32]) {
    let exp = Exp::load();
    let one = F32x4::splat(1.0);
    map(values, 0.0, |x| one / (one + exp.of(-x)));
}

fn laplace(values: &mut [f32]) {
    let erf = Erf::load();
    let inverse = FRAC_1_SQRT_2 / LAPLACE_DEVIATION;
    let [half, one, mean, inverse] = [0.5, 1.0, LAPLACE_MEAN, inverse].map(F32x4::splat);
    map(values, 0.0, |x| half * (one + erf.of((x - mean) * inverse)));
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{Random, same_bits};
    use super::*;

    /// Activations that are the identity far above 0 and nothing far below it.
    const GATES: [Activation; 6] = [
        Activation::Relu,
        Activation::Gelu,
        Activation::GeluTanh,
        Activation::Silu,
        Activation::QuickGelu,
        Activation::Mish,
    ];
    const OTHERS: [Activation; 9] = [
        Activation::Tanh,
        Activation::GeluClipped,
        Activation::Relu2,
        Activation::Relu6,
        Activation::LeakyRelu,
        Activation::Hardswish,
        Activation::Sigmoid,
        Activation::Laplace,
        Activation::Linear,
    ];

    fn applied(activation: Activation, x: f32) -> f32 {
        let mut value = [x];
        activation.apply(&mut value);
        value[0]
    }

    #[test]
    fn a_value_alone_has_the_same_bits_as_in_a_row() {
        let mut random = Random::new(32);
        let values = random.values(33, -9.0, 9.0);
        for activation in GATES.into_iter().chain(OTHERS) {
            let mut row = values.clone();
            activation.apply(&mut row);
            let alone: Vec<f32> = values.iter().map(|&x| applied(activation, x)).collect();
            same_bits(&row, &alone, activation.name());
        }
    }

    #[test]
    fn far_out_it_is_the_identity_or_nothing() {
        for activation in GATES {
            same_bits(&[applied(activation, 1e4)], &[1e4], activation.name());
            assert_eq!(applied(activation, -1e4).abs().to_bits(), 0, "{}", activation.name());
        }
        for activation in GATES.into_iter().chain(OTHERS) {
            assert!(applied(activation, f32::NAN).is_nan(), "{}", activation.name());
        }
    }
}
