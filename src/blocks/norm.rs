//! Norms, and the residual connection of a sublayer with its norm.
//!
//! `LN(x) = (x − μ) / √(σ² + ε) · γ + β`, per token over its `d` numbers, or
//! `RMSNorm(x) = x / √(mean(x²) + ε) · γ`.
//! Post: `y = N(x + F(x))`. Pre: `y = x + F(N(x))`.
//!
//! Sources: Ba et al. 2016, section 3; RMSNorm Zhang & Sennrich 2019, section 4; post-norm
//! Vaswani et al. 2017, section 3.1;
//! pre-norm Radford et al. 2019, section 2.3, Xiong et al. 2020, section 3.

use crate::backend::Backend;
use crate::edits::NormPlace;

/// A trained norm, whose weights are `[1, d]` each.
pub struct Norm<B: Backend> {
    /// The gain `γ`.
    pub gain: B::Tensor,
    /// Layer norm with its bias, or RMS norm.
    pub kind: NormKind<B>,
    /// The term `ε` under the root, against division by zero.
    pub epsilon: f32,
}

/// The formula of a norm.
pub enum NormKind<B: Backend> {
    /// Layer norm, with its bias `β`.
    Layer(B::Tensor),
    /// RMS norm: division by the root of the mean square.
    RootMeanSquare,
}

impl<B: Backend> Norm<B> {
    /// The norm of each row, `[n, d]` → `[n, d]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        match &self.kind {
            NormKind::Layer(bias) => backend.layer_norm(x, &self.gain, bias, self.epsilon),
            NormKind::RootMeanSquare => backend.rms_norm(x, &self.gain, self.epsilon),
        }
    }

    /// The norm of `a + b`, which a backend may compute without storing the sum.
    pub fn forward_sum(&self, backend: &B, a: &B::Tensor, b: &B::Tensor) -> B::Tensor {
        match &self.kind {
            NormKind::Layer(bias) => backend.add_layer_norm(a, b, &self.gain, bias, self.epsilon),
            NormKind::RootMeanSquare => backend.add_rms_norm(a, b, &self.gain, self.epsilon),
        }
    }
}

/// The residual connection of one sublayer with its norm.
pub struct Residual<B: Backend> {
    /// The norm's weights.
    pub norm: Norm<B>,
    /// The place of the norm in the model.
    pub placement: NormPlace,
    /// A further norm, of the sublayer's output before the sum (Gemma 2, 2024, section 2).
    pub after: Option<Norm<B>>,
}
