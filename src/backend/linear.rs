//! An affine map, the form in which every trained weight matrix is used.
//!
//! `y = x W + b`, with `x: [n, inner]`, `W: [inner, outer]`, `b: [outer]` or absent.

use std::ops::Range;
use std::rc::Rc;

use super::{Backend, Epilogue};

/// A weight, possibly shared with another use of it (tied embeddings), and its bias.
pub struct Linear<B: Backend> {
    matrix: Rc<B::Matrix>,
    bias: Option<B::Tensor>,
}

impl<B: Backend> Linear<B> {
    /// An affine map out of its parts.
    pub fn new(matrix: Rc<B::Matrix>, bias: Option<B::Tensor>) -> Self {
        Self { matrix, bias }
    }

    /// The same with another bias.
    #[must_use]
    pub fn with_bias(self, bias: B::Tensor) -> Self {
        Self { bias: Some(bias), ..self }
    }

    /// `[n, inner]` → `[n, outer]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        backend.linear(x, &self.matrix, self.bias.as_ref())
    }

    /// The same, and what follows it.
    pub fn forward_epilogue(
        &self,
        backend: &B,
        x: &B::Tensor,
        then: &Epilogue<'_, B::Tensor>,
    ) -> B::Tensor {
        backend.linear_epilogue(x, &self.matrix, self.bias.as_ref(), then)
    }

    /// What one of the outputs weighs the inputs with, `[1, inner]`.
    pub fn column(&self, backend: &B, outer: usize) -> B::Tensor {
        self.columns(backend, outer..outer + 1)
    }

    /// The same of several outputs, `[outers.len(), inner]`.
    pub fn columns(&self, backend: &B, outers: Range<usize>) -> B::Tensor {
        let outers: Vec<u32> = outers.map(|outer| outer as u32).collect();
        backend.embed(&self.matrix, &outers, 1.0)
    }

    /// `b`, `[1, outer]`, where there is one.
    pub fn bias(&self) -> Option<&B::Tensor> {
        self.bias.as_ref()
    }
}
