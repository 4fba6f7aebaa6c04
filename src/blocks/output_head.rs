//! From the residual stream to a score for every entry of the vocabulary.
//!
//! `logits = t(x) W_out + b`, where `t` is nothing, or (BERT) dense, activation, norm, or (OPT)
//! dense.
//!
//! Sources: Vaswani et al. 2017, section 3.4 (weights tied with the embedding: Press &
//! Wolf 2017); BERT's transform, Devlin et al. 2019, appendix A.1.

use std::ops::Range;

use super::Norm;
use crate::backend::{Backend, Epilogue, Linear};
use crate::kernels::activation::Activation;

/// What a token goes through before it is compared with the vocabulary.
pub struct Transform<B: Backend> {
    /// From the stream to the width of the projection.
    pub dense: Linear<B>,
    /// After the dense map.
    pub activation: Activation,
    /// Last, where there is one.
    pub norm: Option<Norm<B>>,
}

/// The projection onto the vocabulary.
pub struct OutputHead<B: Backend> {
    /// BERT's transform.
    pub transform: Option<Transform<B>>,
    /// `[d, vocabulary]`.
    pub projection: Linear<B>,
    /// Factor on what enters the projection.
    pub factor: Option<f32>,
    /// Soft cap of the logits, which then have no bias.
    pub cap: Option<f32>,
    /// What the distillation token's logits come from, of which and the class token's the mean is
    /// taken (`DeiT`: Touvron et al. 2021, section 4).
    pub distilled: Option<Linear<B>>,
    /// What enters the projection, and the entries of the vocabulary.
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
