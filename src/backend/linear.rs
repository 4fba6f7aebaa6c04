//! An affine map, the form in which every trained weight matrix is used.
//!
//! `y = x W + b`, with `x: [n, inner]`, `W: [inner, outer]`, `b: [outer]` or absent.

use std::rc::Rc;

use super::Backend;

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

    /// `[n, inner]` → `[n, outer]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        backend.linear(x, &self.matrix, self.bias.as_ref())
    }
}
