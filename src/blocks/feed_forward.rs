//! The position-wise feed-forward network: the same two maps for every token on its own.
//!
//! `FFN(x) = act(x W₁ + b₁) W₂ + b₂`, `W₁: [d, d_ff]`, `W₂: [d_ff, d]`; gated
//! `FFN(x) = (act(x W₁ + b₁) ⊙ (x W₃ + b₃)) W₂ + b₂`, `W₃: [d, d_ff]`
//!
//! Sources: Vaswani et al. 2017, section 3.3 (with ReLU); GELU from Hendrycks & Gimpel
//! 2016; gated Shazeer 2020, equation 6, its matrices numbered as in Touvron et al. 2023.
//! The residual is not added here, except through the epilogue of the second map.

use super::SublayerHook;
use crate::axes::Step;
use crate::backend::{Backend, Epilogue, Linear};
use crate::kernels::activation::Activation;

/// The maps of the network and its activation.
pub struct FeedForward<B: Backend> {
    /// The first map, `W₁`, `b₁`.
    pub inner: Linear<B>,
    /// The second map, `W₂`, `b₂`.
    pub outer: Linear<B>,
    /// The activation after the first map.
    pub activation: Activation,
    /// The map `W₃`, `b₃` of a gated network, whose output multiplies the activated numbers.
    pub linear: Option<Linear<B>>,
}

impl<B: Backend> FeedForward<B> {
    /// The input of the second map, `[n, d]` → `[n, d_ff]`.
    pub fn within(&self, backend: &B, x: &B::Tensor, watch: SublayerHook<'_, B>) -> B::Tensor {
        match watch {
            None => self.at_once(backend, x),
            Some(watch) => self.step_by_step(backend, x, watch),
        }
    }

    /// The second map, `[n, d_ff]` → `[n, d]`, with an epilogue.
    pub fn leave(&self, backend: &B, x: &B::Tensor, then: &Epilogue<'_, B::Tensor>) -> B::Tensor {
        self.outer.forward_epilogue(backend, x, then)
    }

    fn at_once(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        if let Some(linear) = &self.linear {
            let maps = [&self.inner, linear].map(Linear::affine);
            return backend.gated(x, maps, self.activation);
        }
        let then = Epilogue { activation: Some(self.activation), ..Epilogue::default() };
        self.inner.forward_epilogue(backend, x, &then)
    }

    fn step_by_step(
        &self,
        backend: &B,
        x: &B::Tensor,
        watch: &mut dyn FnMut(Step, &mut B::Tensor),
    ) -> B::Tensor {
        let mut hidden = self.inner.forward(backend, x);
        watch(Step::FfHidden, &mut hidden);
        let mut activated = backend.activate(&hidden, self.activation);
        watch(Step::FfActivated, &mut activated);
        let Some(linear) = &self.linear else { return activated };
        let mut linear = linear.forward(backend, x);
        watch(Step::FfLinear, &mut linear);
        let mut gated = backend.multiply(&activated, &linear);
        watch(Step::FfGated, &mut gated);
        gated
    }
}
