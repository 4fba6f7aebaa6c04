//! The norms, and the residual connection around a sublayer that one belongs to.
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

/// A trained norm, its parts `[1, d]` each.
pub struct Norm<B: Backend> {
    /// `γ`.
    pub gain: B::Tensor,
    /// By what it divides, and what it adds.
    pub kind: NormKind<B>,
    /// `ε`, against division by zero.
    pub epsilon: f32,
}

/// Which norm.
pub enum NormKind<B: Backend> {
    /// Layer norm, with its bias `β`.
    Layer(B::Tensor),
    /// By the root of the mean square.
    RootMeanSquare,
}

impl<B: Backend> Norm<B> {
    /// `[n, d]` → `[n, d]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        match &self.kind {
            NormKind::Layer(bias) => backend.layer_norm(x, &self.gain, bias, self.epsilon),
            NormKind::RootMeanSquare => backend.rms_norm(x, &self.gain, self.epsilon),
        }
    }

    /// The norm of a sum, which a backend may take without keeping the sum.
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
    /// Where it stands.
    pub placement: NormPlace,
    /// One more, of what the sublayer gives, before it is added (Gemma 2, 2024, section 2).
    pub after: Option<Norm<B>>,
}
