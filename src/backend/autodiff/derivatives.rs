//! The formulas of the reverse pass that need loops of their own. All others are made of the
//! operations of a forward pass.

use std::ops::Range;

use crate::backend::{Attention, Backend};
use crate::kernels::activation::Activation;

/// The gradients of one head's pattern, `[queries.len(), n_k]` each, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Slopes {
    /// With respect to the raw scores `q · k`.
    pub raw: Vec<f32>,
    /// With respect to the scores: scaled, capped, with the terms of relative positions.
    pub scores: Vec<f32>,
    /// With respect to the weights that are multiplied with the values.
    pub weights: Vec<f32>,
}

/// A backend that can be differentiated. `dy` is the gradient with respect to an operation's
/// result, in its shape.
pub trait Derivatives: Backend {
    /// The number of columns of a tensor.
    fn columns(&self, x: &Self::Tensor) -> usize;

    /// The numbers of inputs and outputs of a weight.
    fn shape(&self, matrix: &Self::Matrix) -> [usize; 2];

    /// The transpose of a weight.
    fn transpose(&self, matrix: &Self::Matrix) -> Self::Matrix;

    /// Of `y = x W`: the gradient with respect to `W`, `[outer, inner]`.
    fn weight_backward(&self, x: &Self::Tensor, dy: &Self::Tensor) -> Self::Tensor;

    /// Of rows of an embedding table times `scale`: the gradient with respect to the table,
    /// `[entries, d]`.
    fn embed_backward(
        &self,
        table: &Self::Matrix,
        ids: &[u32],
        scale: f32,
        dy: &Self::Tensor,
    ) -> Self::Tensor;

    /// Adds rows to those of `sum` from row `first` on.
    fn add_rows(&self, sum: &mut Self::Tensor, first: usize, rows: &Self::Tensor);

    /// The sum of the rows, `[1, columns]`.
    fn sum_rows(&self, x: &Self::Tensor) -> Self::Tensor;

    /// The derivative of an activation at every number; at a corner 0, as in PyTorch.
    fn slope(&self, x: &Self::Tensor, activation: Activation) -> Self::Tensor;

    /// Of `y = (x − μ) / √(σ² + ε) ⊙ γ + β`: the gradients with respect to `x`, `γ` and `β`.
    fn layer_norm_backward(
        &self,
        x: &Self::Tensor,
        gain: &Self::Tensor,
        epsilon: f32,
        dy: &Self::Tensor,
    ) -> [Self::Tensor; 3];

    /// Of `y = x / √(mean(x²) + ε) ⊙ γ`: the gradients with respect to `x` and `γ`.
    fn rms_norm_backward(
        &self,
        x: &Self::Tensor,
        gain: &Self::Tensor,
        epsilon: f32,
        dy: &Self::Tensor,
    ) -> [Self::Tensor; 2];

    /// Of `y = ln softmax(x)`, given `y`: the gradient with respect to `x`.
    fn log_softmax_backward(&self, y: &Self::Tensor, dy: &Self::Tensor) -> Self::Tensor;

    /// Of the context of some queries: the gradients with respect to all queries, keys and values
    /// of the site. The patterns are computed anew.
    fn attend_backward(
        &self,
        site: &Attention<'_, Self::Tensor>,
        queries: Range<usize>,
        dy: &Self::Tensor,
    ) -> [Self::Tensor; 3];

    /// Of the context of some queries: the gradients with respect to one head's pattern.
    fn pattern_backward(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        queries: Range<usize>,
        dy: &Self::Tensor,
    ) -> Slopes;
}
