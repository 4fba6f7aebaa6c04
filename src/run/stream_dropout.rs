//! Dropout of the residual stream while a model is trained: of the embeddings, and of what each
//! sublayer adds, before it is added. A number is dropped with the probability `rate`; the others
//! are divided by `1 − rate`.
//!
//! Sources: N. Srivastava et al., "Dropout" (2014); A. Vaswani et al. 2017, section 5.4. Whether a
//! number is dropped follows from the seed, the stack, the block, the sublayer and the index of the
//! number alone, so that a training can be repeated to the bit.

use crate::axes::{Step, Sublayer};
use crate::backend::Backend;
use crate::kernels::random::{fraction, mix, seed_of};

/// A dropout of the residual stream.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StreamDropout {
    /// The share of numbers that is dropped, from 0 to below 1.
    pub rate: f64,
    /// The seed of the draw.
    pub seed: u64,
}

/// The dropout of one stack, whose rows are `width` wide.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackDropout {
    pub dropout: StreamDropout,
    /// The index of the stack.
    pub stack: usize,
    pub width: usize,
}

impl StackDropout {
    /// The embeddings with dropout.
    pub fn of_embeddings<B: Backend>(self, backend: &B, x: &B::Tensor) -> B::Tensor {
        Self::apply(&[self], backend, [0, 0], x)
    }

    /// A step with dropout, if it is what a sublayer adds; `all` are those of the texts whose rows
    /// it has one after the other, as many of each.
    pub fn of_step<B: Backend>(
        all: &[Self],
        backend: &B,
        (layer, sublayer, step): (usize, Sublayer, Step),
        x: &mut B::Tensor,
    ) {
        let place = match (sublayer, step) {
            (Sublayer::Own, Step::Attended) => 1,
            (Sublayer::Cross, Step::Attended) => 2,
            (_, Step::FfOutput) => 3,
            _ => return,
        };
        if !all.is_empty() {
            *x = Self::apply(all, backend, [layer, place], x);
        }
    }

    fn apply<B: Backend>(all: &[Self], backend: &B, path: [usize; 2], x: &B::Tensor) -> B::Tensor {
        let width = all.first().map_or(1, |own| own.width);
        let count = backend.rows(x) / all.len().max(1) * width;
        let factors = all.iter().flat_map(|own| own.factors(path, count as u64)).collect();
        backend.multiply(x, &backend.upload(factors, width))
    }

    /// The factors of one text's numbers in a place: 0 for what is dropped.
    fn factors(self, [layer, place]: [usize; 2], count: u64) -> impl Iterator<Item = f32> {
        let StreamDropout { rate, seed } = self.dropout;
        let seed = seed_of(seed, &[self.stack, layer, place]);
        let kept = (1.0 / (1.0 - rate)) as f32;
        (0..count).map(move |at| if fraction(mix(seed ^ at)) < rate { 0.0 } else { kept })
    }
}
