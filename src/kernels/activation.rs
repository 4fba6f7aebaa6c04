//! The activations of feed-forward layers, value by value and in place.
//!
//! * `Relu`: `max(x, 0)` (A. Vaswani et al. 2017, section 3.3)
//! * `Gelu`: `½x · (1 + erf(x / √2))` (D. Hendrycks and K. Gimpel, "Gaussian Error Linear
//!   Units", 2016, section 2)
//! * `GeluTanh`: `½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))` (the same, its approximation)
//! * `Silu`: `x / (1 + exp(-x))` (S. Elfwing, E. Uchibe and K. Doya 2018; "swish")
//! * `Tanh`: the hyperbolic tangent
//!
//! Shapes: any slice. A NaN stays a NaN.
//! It does not gate: a gated feed-forward multiplies afterwards.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::lanes::{F32x4, map};
use super::math::{Erf, Exp, Tanh};

/// The factor of the cubic term in the tanh form of GELU.
const GELU_CUBIC: f32 = 0.044_715;
/// `√(2/π)`.
const GELU_SCALE: f32 = FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// Which activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// `max(x, 0)`.
    Relu,
    /// The exact form with the error function.
    Gelu,
    /// The form with the hyperbolic tangent, as GPT-2 has it.
    GeluTanh,
    /// `x · sigmoid(x)`.
    Silu,
    /// `tanh(x)`.
    Tanh,
}

impl Activation {
    /// The name as people know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relu => "ReLU",
            Self::Gelu => "GELU",
            Self::GeluTanh => "GELU (tanh)",
            Self::Silu => "SiLU",
            Self::Tanh => "tanh",
        }
    }

    /// Replaces every value.
    pub fn apply(self, values: &mut [f32]) {
        match self {
            Self::Relu => relu(values),
            Self::Gelu => gelu(values),
            Self::GeluTanh => gelu_tanh(values),
            Self::Silu => silu(values),
            Self::Tanh => tanh(values),
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

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::{Random, same_bits};
    use super::*;

    const ALL: [Activation; 4] =
        [Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu];

    fn applied(activation: Activation, x: f32) -> f32 {
        let mut value = [x];
        activation.apply(&mut value);
        value[0]
    }

    #[test]
    fn a_value_alone_has_the_same_bits_as_in_a_row() {
        let mut random = Random::new(32);
        let values = random.values(33, -9.0, 9.0);
        for activation in ALL {
            let mut row = values.clone();
            activation.apply(&mut row);
            let alone: Vec<f32> = values.iter().map(|&x| applied(activation, x)).collect();
            same_bits(&row, &alone, activation.name());
        }
    }

    #[test]
    fn far_out_it_is_the_identity_or_nothing() {
        for activation in ALL {
            same_bits(&[applied(activation, 1e4)], &[1e4], activation.name());
            assert_eq!(applied(activation, -1e4).abs().to_bits(), 0, "{}", activation.name());
            assert!(applied(activation, f32::NAN).is_nan(), "{}", activation.name());
        }
    }
}
