//! The output head: from the residual stream to a logit for every entry of the vocabulary.
//!
//! `logits = t(x) W_out + b`, where `t` is the identity, or (BERT) dense map, activation, norm, or
//! (OPT) a dense map.
//!
//! Sources: Vaswani et al. 2017, section 3.4 (weights tied with the embedding: Press &
//! Wolf 2017); BERT's transform, Devlin et al. 2019, appendix A.1.

use std::ops::Range;

use super::Norm;
use crate::backend::{Backend, Epilogue, Linear};
use crate::kernels::activation::Activation;

/// The transform of a hidden state before the projection onto the vocabulary.
pub struct Transform<B: Backend> {
    /// The dense map from the residual stream to the projection's width.
    pub dense: Linear<B>,
    /// The activation after the dense map.
    pub activation: Activation,
    /// The norm after the activation, where there is one.
    pub norm: Option<Norm<B>>,
}

/// The output head: the projection onto the vocabulary and what surrounds it.
pub struct OutputHead<B: Backend> {
    /// The transform before the projection, in BERT and OPT.
    pub transform: Option<Transform<B>>,
    /// The projection `W_out`, `b`, `[d, vocabulary]`.
    pub projection: Linear<B>,
    /// The factor of the projection's input.
    pub factor: Option<f32>,
    /// The soft cap of the logits; a capped projection has no bias.
    pub cap: Option<f32>,
    /// The projection of the distillation token, whose logits are averaged with the class token's
    /// (`DeiT`: Touvron et al. 2021, section 4).
    pub distilled: Option<Linear<B>>,
    /// The width of the projection's input, and the size of the vocabulary.
    pub widths: [usize; 2],
}

impl<B: Backend> OutputHead<B> {
    /// The logits of some rows of a stack's output, `[n, d]` → `[rows, vocabulary]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor, rows: Range<usize>) -> B::Tensor {
        if let Some(distilled) = &self.distilled {
            let [class, distilled] = [(&self.projection, 0), (distilled, 1)]
                .map(|(map, row)| map.forward(backend, &backend.select(x, row..row + 1)));
            let half = backend.upload(vec![0.5; self.widths[1]], self.widths[1]);
            return backend.multiply(&backend.add(&class, &distilled), &half);
        }
        let mut x = backend.select(x, rows);
        let rows = backend.rows(&x);
        let all =
            |number: f32, columns: usize| backend.upload(vec![number; rows * columns], columns);
        if let Some(transform) = &self.transform {
            let then = Epilogue { activation: Some(transform.activation), ..Epilogue::default() };
            x = transform.dense.forward_epilogue(backend, &x, &then);
            if let Some(norm) = &transform.norm {
                x = norm.forward(backend, &x);
            }
        }
        let inverse = self.cap.map_or(1.0, |cap| 1.0 / cap);
        let factor = self.factor.unwrap_or(1.0) * inverse;
        if factor.to_bits() != 1f32.to_bits() {
            x = backend.multiply(&x, &all(factor, self.widths[0]));
        }
        let Some(cap) = self.cap else { return self.projection.forward(backend, &x) };
        let times = all(cap, self.widths[1]);
        let activation = Some(Activation::Tanh);
        let then = Epilogue { activation, times: Some(&times), plus: None };
        self.projection.forward_epilogue(backend, &x, &then)
    }
}
