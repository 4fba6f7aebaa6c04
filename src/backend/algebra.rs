//! Tensors, packed weights and the operations of a forward pass other than attention.
//!
//! Every tensor is a matrix `[rows, columns]` of f32; a row belongs to one token. Shapes are the
//! caller's duty: they follow from a validated config, so a mismatch is a mistake in the program.

use std::future::Future;
use std::ops::Range;

use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::stored::{Format, widened};

/// The order in which a checkpoint stores a weight that maps `inner` numbers to `outer` numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The order `[inner, outer]`, as in GPT-2's `Conv1D`.
    InnerOuter,
    /// The order `[outer, inner]`, as in `nn.Linear`; also that of an embedding table `[vocabulary,
    /// d]` that serves as output projection.
    OuterInner,
}

/// Epilogue of a linear layer, each part optional: `activation(y) ⊙ times + plus`. Shapes as `y`.
pub struct Epilogue<'a, T> {
    /// The activation of every number, if any.
    pub activation: Option<Activation>,
    /// The factors of the numbers, in their shape.
    pub times: Option<&'a T>,
    /// The numbers that are added, in their shape.
    pub plus: Option<&'a T>,
}

impl<'a, T> Epilogue<'a, T> {
    /// An epilogue that adds `plus`, if given, and does nothing else.
    pub fn plus(plus: Option<&'a T>) -> Self {
        Self { plus, ..Self::default() }
    }
}

impl<T> Default for Epilogue<'_, T> {
    fn default() -> Self {
        Self { activation: None, times: None, plus: None }
    }
}

/// The storage of a backend: tensors, and weights in the layout that it multiplies fastest.
pub trait Storage: 'static {
    /// A tensor `[rows, columns]`, cheap to clone.
    type Tensor: Clone + 'static;
    /// A weight in the layout that the backend multiplies fastest.
    type Matrix: 'static;

    /// A tensor of the given numbers, row-major.
    fn upload(&self, data: Vec<f32>, columns: usize) -> Self::Tensor;
    /// Packs a weight, once, at load.
    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> Self::Matrix;
    /// A matrix from the bytes of a file's rows of `inner` numbers, given in parts.
    ///
    /// # Errors
    /// The errors of reading the rows.
    fn stored_matrix(
        &self,
        format: Format,
        [inner, outer]: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<Self::Matrix> {
        let rows = rows.collect::<Result<Vec<_>>>()?.concat();
        Ok(self.matrix(&widened(format, inner, &rows), inner, outer, Order::OuterInner))
    }
    /// The format in which a matrix of a file's format is stored in the memory of wasm, if it is.
    fn held_format(&self, _: Format) -> Option<Format> {
        None
    }
    /// A tensor without rows, to which about `most` will be appended.
    fn empty(&self, columns: usize, most: usize) -> Self::Tensor;
    /// The number of rows, known without waiting.
    fn rows(&self, x: &Self::Tensor) -> usize;
    /// Some rows of `x`, as a separate tensor.
    fn select(&self, x: &Self::Tensor, rows: Range<usize>) -> Self::Tensor;
    /// The numbers of a tensor in rows of `columns` columns.
    fn reshape(&self, x: &Self::Tensor, columns: usize) -> Self::Tensor;
    /// Appends rows to `x`.
    fn append(&self, x: &mut Self::Tensor, rows: &Self::Tensor);
    /// The rows of all parts, one part's after the other's.
    fn stacked(&self, parts: Vec<Self::Tensor>) -> Self::Tensor {
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else { return self.upload(Vec::new(), 1) };
        for part in parts {
            self.append(&mut all, &part);
        }
        all
    }

    /// The numbers of `x`, row-major, once they are computed.
    fn read(&self, x: &Self::Tensor) -> impl Future<Output = Result<Vec<f32>>> + 'static;
}

/// A matrix with its bias, if it has one.
pub type Affine<'a, S> = (&'a <S as Storage>::Matrix, Option<&'a <S as Storage>::Tensor>);

/// `activation(x W + b) ⊙ (x W₃ + b₃)` by two linear maps.
pub(super) fn gated_apart<A: Algebra + ?Sized>(
    backend: &A,
    x: &A::Tensor,
    [gate, factor]: [Affine<'_, A>; 2],
    activation: Activation,
) -> A::Tensor {
    let factors = backend.linear(x, factor.0, factor.1);
    let then = Epilogue { activation: Some(activation), times: Some(&factors), plus: None };
    backend.linear_epilogue(x, gate.0, gate.1, &then)
}

/// The operations of a forward pass, all but attention.
pub trait Algebra: Storage {
    /// The columns `ids` of a matrix as rows, times `scale`: an embedding lookup.
    fn embed(&self, table: &Self::Matrix, ids: &[u32], scale: f32) -> Self::Tensor;
    /// `x · matrix (+ bias)`; `bias` has one row.
    fn linear(
        &self,
        x: &Self::Tensor,
        matrix: &Self::Matrix,
        bias: Option<&Self::Tensor>,
    ) -> Self::Tensor {
        self.linear_epilogue(x, matrix, bias, &Epilogue::default())
    }
    /// A linear map with an epilogue.
    fn linear_epilogue(
        &self,
        x: &Self::Tensor,
        matrix: &Self::Matrix,
        bias: Option<&Self::Tensor>,
        then: &Epilogue<'_, Self::Tensor>,
    ) -> Self::Tensor;
    /// Three linear maps of the same rows.
    fn linear_three(&self, x: &Self::Tensor, maps: [Affine<'_, Self>; 3]) -> [Self::Tensor; 3] {
        maps.map(|(matrix, bias)| self.linear(x, matrix, bias))
    }
    /// The gated product `activation(x W + b) ⊙ (x W₃ + b₃)` of two maps.
    fn gated(
        &self,
        x: &Self::Tensor,
        maps: [Affine<'_, Self>; 2],
        activation: Activation,
    ) -> Self::Tensor {
        gated_apart(self, x, maps, activation)
    }
    /// The product `a ⊙ b`.
    fn multiply(&self, a: &Self::Tensor, b: &Self::Tensor) -> Self::Tensor;
    /// The sum `a + b`.
    fn add(&self, a: &Self::Tensor, b: &Self::Tensor) -> Self::Tensor;
    /// Layer norm of every piece of a row that is as wide as `gain`, then `· gain + bias`.
    fn layer_norm(
        &self,
        x: &Self::Tensor,
        gain: &Self::Tensor,
        bias: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor;
    /// RMS norm: every piece of a row that is as wide as `gain`, divided by the root of its mean
    /// square, then `· gain`.
    fn rms_norm(&self, x: &Self::Tensor, gain: &Self::Tensor, epsilon: f32) -> Self::Tensor;
    /// Fused `layer_norm(a + b)`; the sum is not stored.
    fn add_layer_norm(
        &self,
        a: &Self::Tensor,
        b: &Self::Tensor,
        gain: &Self::Tensor,
        bias: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor {
        self.layer_norm(&self.add(a, b), gain, bias, epsilon)
    }
    /// Fused `rms_norm(a + b)`.
    fn add_rms_norm(
        &self,
        a: &Self::Tensor,
        b: &Self::Tensor,
        gain: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor {
        self.rms_norm(&self.add(a, b), gain, epsilon)
    }
    /// Rotates the first `d_r` dimensions of every head of a row by the same row of `turns`,
    /// `[rows, d_r]`.
    fn rotate(&self, x: &Self::Tensor, turns: &Self::Tensor, head_dim: usize) -> Self::Tensor;
    /// The activation of every number.
    fn activate(&self, x: &Self::Tensor, activation: Activation) -> Self::Tensor;
    /// The `ln softmax` of every row.
    fn log_softmax(&self, x: &Self::Tensor) -> Self::Tensor;
    /// The `k` largest numbers of each row, largest first, the lower index first among equals:
    /// `[rows, 2k]`, first their indices, then their values. With `k` = 1 it is arg-max.
    fn top_k(&self, x: &Self::Tensor, k: usize) -> Self::Tensor;
}
