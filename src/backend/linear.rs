//! An affine map, the form in which every trained weight matrix is used.
//!
//! `y = x W + b`, with `x: [n, inner]`, `W: [inner, outer]`, `b: [outer]` or absent.

use std::ops::Range;
use std::rc::Rc;

use super::{Affine, Backend, Epilogue};

/// An affine map: a weight, possibly shared with another use of it (tied embeddings), and a bias.
pub struct Linear<B: Backend> {
    matrix: Rc<B::Matrix>,
    bias: Option<B::Tensor>,
}

impl<B: Backend> Linear<B> {
    /// An affine map from its weight and its bias.
    pub fn new(matrix: Rc<B::Matrix>, bias: Option<B::Tensor>) -> Self {
        Self { matrix, bias }
    }

    /// The map with another bias.
    #[must_use]
    pub fn with_bias(self, bias: B::Tensor) -> Self {
        Self { bias: Some(bias), ..self }
    }

    /// The map as the backend takes it.
    pub fn affine(&self) -> Affine<'_, B> {
        (&self.matrix, self.bias.as_ref())
    }

    /// The outputs of the rows of `x`: `[n, inner]` → `[n, outer]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        backend.linear(x, &self.matrix, self.bias.as_ref())
    }

    /// The outputs of the rows of `x`, with an epilogue.
    pub fn forward_epilogue(
        &self,
        backend: &B,
        x: &B::Tensor,
        then: &Epilogue<'_, B::Tensor>,
    ) -> B::Tensor {
        backend.linear_epilogue(x, &self.matrix, self.bias.as_ref(), then)
    }

    /// The weights of the inputs of one output, `[1, inner]`.
    pub fn column(&self, backend: &B, outer: usize) -> B::Tensor {
        self.columns(backend, outer..outer + 1)
    }

    /// The weights of the inputs of several outputs, `[outers.len(), inner]`.
    pub fn columns(&self, backend: &B, outers: Range<usize>) -> B::Tensor {
        let outers: Vec<u32> = outers.map(|outer| outer as u32).collect();
        backend.embed(&self.matrix, &outers, 1.0)
    }

    /// The weight and the bias, to be replaced.
    pub fn parts_mut(&mut self) -> (&mut Rc<B::Matrix>, Option<&mut B::Tensor>) {
        (&mut self.matrix, self.bias.as_mut())
    }

    /// The bias `b`, `[1, outer]`, if there is one.
    pub fn bias(&self) -> Option<&B::Tensor> {
        self.bias.as_ref()
    }
}
