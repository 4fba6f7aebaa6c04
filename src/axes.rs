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
    /// The token that a query attends to.
    Key,
    /// A position in the text.
    Position,
    /// A dimension of one head; of all heads side by side in the steps of a block.
    HeadDim,
    /// A dimension of the residual stream.
    ModelDim,
    /// A dimension between the two maps of a feed-forward network.
    InnerDim,
    /// An entry of the vocabulary.
    Vocabulary,
    /// How far a query stands behind a key, from the largest negative to the largest.
    Distance,
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
            Self::InnerDim => "inner_dim",
            Self::Vocabulary => "vocabulary",
            Self::Distance => "distance",
        }
    }
}

/// One of the places where a model attends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Stack {
    /// Source tokens look at source tokens.
    Encoder,
    /// Target tokens look at earlier target tokens.
    Decoder,
    /// Target tokens look at source tokens.
    Cross,
}

/// How far a head's computation has gone (Vaswani et al. 2017, section 3.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Stage {
    /// `Q Kᵀ`.
    Raw,
    /// Scaled by `1/√d_h`, plus a positional bias where the model has one.
    Scores,
    /// Plus the mask: forbidden cells are `-∞`.
    Masked,
    /// After softmax: rows sum to one, forbidden cells are exactly 0.
    Weights,
}

/// One of the three projections of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Part {
    /// What a token asks for.
    Query,
    /// What a token offers to be found by.
    Key,
    /// The vector that a token contributes to the output.
    Value,
}

/// A part of a block with a residual of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Sublayer {
    /// Self-attention.
    #[cfg_attr(test, ts(rename = "self-attention"))]
    Own,
    /// Cross-attention.
    #[cfg_attr(test, ts(rename = "cross-attention"))]
    Cross,
    /// The feed-forward network.
    FeedForward,
}

/// A choice of names, its text at the boundary and the error for any other text.
macro_rules! named {
    ($type:ident, $code:expr, $what:literal, $($text:literal => $variant:ident),+) => {
        impl $type {
            /// All choices, in their usual order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name as it crosses the boundary.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The choice with this name.
            ///
            /// # Errors
            /// The code of the choice for any other text.
            pub fn parse(name: &str) -> Result<Self> {
                match name {
                    $($text => Ok(Self::$variant),)+
                    other => Err(Error::new(
                        $code,
                        $what,
                        concat!("one of" $(, " \"", $text, "\"")+),
                        format!("{other:?}"),
                    )),
                }
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

mod step;

pub use step::{Step, Weight};

named!(Stack, Code::SelectionBadStack, "the stack", "encoder" => Encoder, "decoder" => Decoder, "cross" => Cross);
named!(Stage, Code::SelectionBadStage, "the stage", "raw" => Raw, "scores" => Scores, "masked" => Masked, "weights" => Weights);
named!(Sublayer, Code::EditUnsupported, "the sublayer", "self-attention" => Own, "cross-attention" => Cross, "feed-forward" => FeedForward);
named!(Part, Code::SelectionBadStage, "the part", "query" => Query, "key" => Key, "value" => Value);

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
    /// `engine/internal` when the number of values or axes contradicts the shape.
    pub fn new(data: Vec<f32>, shape: &[usize], axes: &[Axis]) -> Result<Self> {
        let count = data.len();
        let mismatch = || {
            Error::new(
                Code::Internal,
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
    fn names_are_read_back_and_others_refused() {
        for stage in Stage::ALL {
            assert_eq!(Stage::parse(stage.name()).unwrap(), *stage);
        }
        let error = Stack::parse("middle").unwrap_err();
        assert_eq!(error.code.as_str(), "selection/bad-stack");
        assert!(error.to_string().contains("\"cross\""), "{error}");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_tensor_is_labelled_or_refused() {
        let tensor = Tensor::new(vec![1.0; 6], &[2, 3], &[Axis::Query, Axis::Key]).unwrap();
        assert_eq!(tensor.shape(), [2, 3]);
        assert_eq!(tensor.axes()[1].name(), "key");
        assert!(Tensor::new(vec![1.0; 5], &[2, 3], &[Axis::Query, Axis::Key]).is_err());
        assert!(Tensor::new(vec![1.0; 6], &[2, 3], &[Axis::Query]).is_err());
    }
}
