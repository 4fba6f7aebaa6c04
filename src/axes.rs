//! The names of every axis, once, and the labelled tensor that leaves the core.
//! A tensor never travels without saying what its axes are.
//!
//! Letters in shapes throughout the code: `n` tokens (`n_q` queries, `n_k` keys),
//! `h` heads, `d` the model's width, `d_h` one head's width, `v` the vocabulary.

use ndarray::{ArrayD, IxDyn};

use crate::error::{Code, Error, Result};

/// An enum of names: its variants, all of them in order, the text of each at the boundary, and the
/// error for any other text.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $code:ident, $what:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $type { $($(#[$variant_doc])* #[cfg_attr(test, ts(rename = $text))] $variant,)+ }

        impl $type {
            /// All of them, in their usual order.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The name as it crosses the boundary.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The one of this name.
            ///
            /// # Errors
            /// Any other text has the code of the enum.
            pub fn parse(name: &str) -> crate::error::Result<Self> {
                match name {
                    $($text => Ok(Self::$variant),)+
                    other => Err(crate::error::Error::new(
                        crate::error::Code::$code,
                        $what,
                        concat!("one of" $(, " \"", $text, "\"")+),
                        format!("{other:?}"),
                    )),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::parse(&name).map_err(crate::error::Error::into_reader)
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

pub(crate) use named;

named! {
    /// What one axis of a tensor runs over.
    Axis, Internal, "the axis" {
        /// Blocks of a stack, from the embeddings upwards.
        Layer = "layer",
        /// Attention heads.
        Head = "head",
        /// The token that looks.
        Query = "query",
        /// The token that a query attends to.
        Key = "key",
        /// A position in the text.
        Position = "position",
        /// A dimension of one head; of all heads side by side in the steps of a block.
        HeadDim = "head_dim",
        /// A dimension of the residual stream.
        ModelDim = "model_dim",
        /// A dimension between the two maps of a feed-forward network.
        InnerDim = "inner_dim",
        /// An entry of the vocabulary.
        Vocabulary = "vocabulary",
        /// How far a query stands behind a key, from the largest negative to the largest.
        Distance = "distance",
    }
}

named! {
    /// One of the places where a model attends.
    Stack, SelectionBadStack, "the stack" {
        /// Source tokens look at source tokens.
        Encoder = "encoder",
        /// Target tokens look at earlier target tokens.
        Decoder = "decoder",
        /// Target tokens look at source tokens.
        Cross = "cross",
    }
}

named! {
    /// How far a head's computation has gone (Vaswani et al. 2017, section 3.2.1).
    Stage, SelectionBadStage, "the stage" {
        /// `Q Kᵀ`.
        Raw = "raw",
        /// Scaled by `1/√d_h`, plus a positional bias where the model has one.
        Scores = "scores",
        /// Plus the mask: forbidden cells are `-∞`.
        Masked = "masked",
        /// After softmax: rows sum to one, forbidden cells are exactly 0.
        Weights = "weights",
    }
}

named! {
    /// One of the three projections of a head.
    Part, SelectionBadStage, "the part" {
        /// What a token asks for.
        Query = "query",
        /// What a token offers to be found by.
        Key = "key",
        /// The vector that a token contributes to the output.
        Value = "value",
    }
}

named! {
    /// A part of a block with a residual of its own.
    Sublayer, EditUnsupported, "the sublayer" {
        /// Self-attention.
        Own = "self-attention",
        /// Cross-attention.
        Cross = "cross-attention",
        /// The feed-forward network.
        FeedForward = "feed-forward",
    }
}

named! {
    /// One matrix on the way through a block, a row per token: in the order in which a block
    /// computes them. Which of them a block has follows from its family and its place.
    Step, SelectionBadStage, "the step" {
        /// Token, position and type added up, before the norm that follows (BERT).
        Embedded = "embedded",
        /// Normed, in a model whose tables are narrower than the stream.
        EmbeddedNormed = "embedded-normed",
        /// The stream as it reaches the sublayer: `X`.
        Input = "input",
        /// What cross-attention attends to: the encoder's output.
        Memory = "memory",
        /// `N(X)`, where the norm stands before the sublayer.
        Entered = "entered",
        /// `X W_Q`, all heads side by side.
        Query = "query",
        /// `X W_K`, all heads side by side.
        Key = "key",
        /// `X W_V`, all heads side by side.
        Value = "value",
        /// Queries, each head's normed.
        QueryNormed = "query-normed",
        /// Keys, each head's normed.
        KeyNormed = "key-normed",
        /// Queries turned by their positions, where these are rotary.
        QueryRotated = "query-rotated",
        /// Keys turned by their positions, where these are rotary.
        KeyRotated = "key-rotated",
        /// `Q Kᵀ` of one head.
        Raw = "raw",
        /// Scaled.
        Scores = "scores",
        /// Plus the mask.
        Masked = "masked",
        /// After softmax.
        Weights = "weights",
        /// Weights times values, all heads joined again.
        Context = "context",
        /// Through the output projection.
        Attended = "attended",
        /// Normed before it is added, where a norm stands there.
        AttendedNormed = "attended-normed",
        /// Plus the stream.
        Sum = "sum",
        /// Normed, where the norm stands after the sum.
        Normed = "normed",
        /// What cross-attention gives, in a decoder block seen from its self-attention.
        CrossAttended = "cross-attended",
        /// Plus the stream.
        CrossSum = "cross-sum",
        /// Normed, where the norm stands after the sum.
        CrossNormed = "cross-normed",
        /// What the feed-forward network gets to see, where the norm stands before it.
        FfEntered = "ff-entered",
        /// Through the first map.
        FfHidden = "ff-hidden",
        /// After the activation.
        FfActivated = "ff-activated",
        /// Through the map of a gated network that has no activation.
        FfLinear = "ff-linear",
        /// Both multiplied.
        FfGated = "ff-gated",
        /// Through the second map.
        FfOutput = "ff-output",
        /// Normed before it is added, where a norm stands there.
        FfOutputNormed = "ff-output-normed",
        /// Plus the stream.
        FfSum = "ff-sum",
        /// Normed, where the norm stands after the sum.
        FfNormed = "ff-normed",
        /// What entered the block, of each token and its neighbours side by side, in a block with a
        /// convolution.
        Neighbours = "neighbours",
        /// Through the convolution's map.
        Convolved = "convolved",
        /// After its activation.
        ConvolvedActivated = "convolved-activated",
        /// Plus the stream.
        ConvolvedSum = "convolved-sum",
        /// Normed.
        ConvolvedNormed = "convolved-normed",
        /// After the norm at the end of the stack, in the last block of a model that has one.
        Final = "final",
    }
}

named! {
    /// A trained matrix of a block.
    Weight, SelectionBadStage, "the weight" {
        /// `W_Q`.
        Query = "query",
        /// `W_K`.
        Key = "key",
        /// `W_V`.
        Value = "value",
        /// `W_O`.
        Output = "output",
        /// From the tables' width to the stream's.
        Embedding = "embedding",
        /// `W₁`.
        Inner = "inner",
        /// `W₂`.
        Outer = "outer",
        /// `W₃`, of a gated network.
        Linear = "linear",
        /// The kernel of a convolution, from neighbours side by side to one token.
        Convolution = "convolution",
    }
}

named! {
    /// What relative positions add to a score beside content with content.
    ScoreTerm, SelectionBadStage, "the term" {
        /// The query with the distance.
        ContentPosition = "contentPosition",
        /// The distance with the key.
        PositionContent = "positionContent",
        /// The key, for all queries alike.
        GlobalContent = "globalContent",
        /// The distance, for all queries alike.
        GlobalPosition = "globalPosition",
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
