//! The names of every axis, once, and the labelled tensor that leaves the core.
//! A tensor never travels without saying what its axes are.
//!
//! Letters in shapes throughout the code: `n` tokens (`n_q` queries, `n_k` keys),
//! `h` heads, `d` the model's width, `d_h` one head's width, `v` the vocabulary.

use ndarray::{ArrayD, IxDyn};

use crate::error::{Code, Error, Result};

/// What one axis of a tensor runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Blocks of a stack, from the embeddings upwards.
    Layer,
    /// Attention heads.
    Head,
    /// The token that looks.
    Query,
    /// The token that is looked at.
    Key,
    /// A position in the text.
    Position,
    /// A dimension of one head.
    HeadDim,
    /// A dimension of the residual stream.
    ModelDim,
    /// An entry of the vocabulary.
    Vocabulary,
}

impl Axis {
    /// The name as it crosses the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Head => "head",
            Self::Query => "query",
            Self::Key => "key",
            Self::Position => "position",
            Self::HeadDim => "head_dim",
            Self::ModelDim => "model_dim",
            Self::Vocabulary => "vocabulary",
        }
    }
}

/// Numbers with their shape and the name of each axis; row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    values: ArrayD<f32>,
    axes: Vec<Axis>,
}

impl Tensor {
    /// Labels row-major numbers.
    ///
    /// # Errors
    /// `run/not-ready` when the number of values or axes contradicts the shape:
    /// that is an internal disagreement, told rather than drawn wrongly.
    pub fn new(data: Vec<f32>, shape: &[usize], axes: &[Axis]) -> Result<Self> {
        let count = data.len();
        let mismatch = || {
            Error::new(
                Code::RunNotReady,
                "a tensor of the run",
                format!("{} values on {} axes", shape.iter().product::<usize>(), shape.len()),
                format!("{count} values on {} axes", axes.len()),
            )
        };
        if shape.len() != axes.len() {
            return Err(mismatch());
        }
        let values = ArrayD::from_shape_vec(IxDyn(shape), data).map_err(|_| mismatch())?;
        Ok(Self { values, axes: axes.to_vec() })
    }

    /// The numbers with their shape.
    pub fn values(&self) -> &ArrayD<f32> {
        &self.values
    }

    /// The axes, outermost first; as many as the shape has entries.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The shape, outermost first.
    pub fn shape(&self) -> &[usize] {
        self.values.shape()
    }

    /// The numbers alone, row-major.
    pub fn into_data(self) -> Vec<f32> {
        self.values.into_raw_vec_and_offset().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_tensor_is_labelled_or_refused() {
        let tensor = Tensor::new(vec![1.0; 6], &[2, 3], &[Axis::Query, Axis::Key]).unwrap();
        assert_eq!(tensor.shape(), [2, 3]);
        assert_eq!(tensor.axes()[1].name(), "key");
        assert!(Tensor::new(vec![1.0; 5], &[2, 3], &[Axis::Query, Axis::Key]).is_err());
        assert!(Tensor::new(vec![1.0; 6], &[2, 3], &[Axis::Query]).is_err());
    }
}
