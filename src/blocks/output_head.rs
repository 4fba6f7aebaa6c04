//! From the residual stream to a score for every entry of the vocabulary.
//!
//! `logits = t(x) W_out + b`, where `t` is nothing, or (BERT) dense, activation, norm.
//!
//! Sources: Vaswani et al. 2017, section 3.4 (weights tied with the embedding: Press &
//! Wolf 2017); BERT's transform, Devlin et al. 2019, appendix A.1.

use super::Norm;
use crate::backend::{Backend, Linear, Then};
use crate::kernels::activation::Activation;

/// What a token goes through before it is compared with the vocabulary.
pub struct Transform<B: Backend> {
    /// `[d, d]`.
    pub dense: Linear<B>,
    /// After the dense map.
    pub activation: Activation,
    /// Last.
    pub norm: Norm<B>,
}

/// The projection onto the vocabulary.
pub struct OutputHead<B: Backend> {
    /// BERT's transform.
    pub transform: Option<Transform<B>>,
    /// `[d, vocabulary]`.
    pub projection: Linear<B>,
}

impl<B: Backend> OutputHead<B> {
    /// `[n, d]` → `[n, vocabulary]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        match &self.transform {
            None => self.projection.forward(backend, x),
            Some(transform) => {
                let then = Then { activation: Some(transform.activation), ..Then::default() };
                let hidden = transform.dense.forward_then(backend, x, &then);
                self.projection.forward(backend, &transform.norm.forward(backend, &hidden))
            }
        }
    }
}
