//! The position-wise feed-forward network: the same two maps for every token, alone.
//!
//! `FFN(x) = act(x W₁ + b₁) W₂ + b₂`, `W₁: [d, d_ff]`, `W₂: [d_ff, d]`
//!
//! Source: Vaswani et al. 2017, section 3.3 (with ReLU); GELU from Hendrycks & Gimpel
//! 2016. It adds no residual.

use super::{Point, WatchPoint};
use crate::backend::{Backend, Linear};
use crate::kernels::activation::Activation;

/// The two maps and what stands between them.
pub struct FeedForward<B: Backend> {
    /// `W₁`, `b₁`.
    pub inner: Linear<B>,
    /// `W₂`, `b₂`.
    pub outer: Linear<B>,
    /// The non-linearity.
    pub activation: Activation,
}

impl<B: Backend> FeedForward<B> {
    /// `[n, d]` → `[n, d]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor, watch: &mut WatchPoint<'_, B>) -> B::Tensor {
        let hidden = self.inner.forward(backend, x);
        watch(Point::Hidden, &hidden);
        let activated = backend.activate(&hidden, self.activation);
        watch(Point::Activated, &activated);
        self.outer.forward(backend, &activated)
    }
}
