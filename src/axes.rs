//! The names of all axes, steps and weights, and the labelled tensor that leaves the core.
//! A tensor always names its axes.
//!
//! Letters in shapes throughout the code: `n` tokens (`n_q` queries, `n_k` keys),
//! `h` heads, `d` the model's width, `d_h` one head's width, `v` the vocabulary.

use ndarray::{ArrayD, IxDyn};

use crate::error::{Code, Error, Result};

/// Declares an enum of names: its variants, the list of all in order, the text of each at the
/// boundary, and the error for any other text.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $code:ident, $what:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $type { $($(#[$variant_doc])* #[cfg_attr(test, ts(rename = $text))] $variant,)+ }

        impl $type {
            /// All variants, in their usual order.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The variant's text at the boundary.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The variant with the text `name`.
            ///
            /// # Errors
            /// The error code of the enum for any other text.
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
            // One copy for all fields of the type.
            #[inline(never)]
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                use crate::error::{Code, Error};

                let name = <String as serde::Deserialize>::deserialize(deserializer);
                let name = name.map_err(|error| {
                    let expected = concat!("one of" $(, " \"", $text, "\"")+);
                    let found = Error::found(&error.to_string()).to_owned();
                    Error::new(Code::$code, $what, expected, found).into_reader()
                })?;
                Self::parse(&name).map_err(Error::into_reader)
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
    /// The name of one axis of a tensor.
    Axis, Internal, "the axis" {
        /// Blocks of a stack, from the embeddings upwards.
        Layer = "layer",
        /// Attention heads.
        Head = "head",
        /// The token that attends.
        Query = "query",
        /// The token that a query attends to.
        Key = "key",
        /// A position in a text.
        Position = "position",
        /// A dimension of one head; in the steps of a block, of all heads side by side.
        HeadDim = "head_dim",
        /// A dimension of the residual stream.
        ModelDim = "model_dim",
        /// A dimension between the two maps of a feed-forward network.
        InnerDim = "inner_dim",
        /// An entry of the vocabulary.
        Vocabulary = "vocabulary",
        /// The place of an entry of the vocabulary among the likeliest, from 0.
        Rank = "rank",
        /// The distance from key to query, from the largest negative to the largest.
        Distance = "distance",
    }
}

named! {
    /// An attention stack: the attention sites of one sort in all layers of a model.
    Stack, SelectionBadStack, "the stack" {
        /// Encoder self-attention: source tokens attend to source tokens.
        Encoder = "encoder",
        /// Decoder self-attention: target tokens attend to target tokens up to themselves.
        Decoder = "decoder",
        /// Cross-attention: target tokens attend to source tokens.
        Cross = "cross",
    }
}

named! {
    /// A part of a layer with a residual of its own.
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
    /// A matrix that a layer computes, a row per token, in the order of computation. The family and
    /// the layer's index decide which steps a layer has.
    Step, SelectionBadStage, "the step" {
        /// The sum of token, position and type embeddings, before the norm that follows (BERT).
        Embedded = "embedded",
        /// The normed embeddings, in a model whose tables are narrower than the residual stream.
        EmbeddedNormed = "embedded-normed",
        /// The sublayer's input `X`, rows of the residual stream.
        Input = "input",
        /// The encoder's output, to which cross-attention attends.
        Memory = "memory",
        /// The normed input `N(X)`, where the norm stands before the sublayer.
        Entered = "entered",
        /// Queries `X W_Q`, all heads side by side.
        Query = "query",
        /// Keys `X W_K`, all heads side by side.
        Key = "key",
        /// Values `X W_V`, all heads side by side.
        Value = "value",
        /// Queries after the norm of each head.
        QueryNormed = "query-normed",
        /// Keys after the norm of each head.
        KeyNormed = "key-normed",
        /// Queries after the rotation by their positions (`RoPE`).
        QueryRotated = "query-rotated",
        /// Keys after the rotation by their positions (`RoPE`).
        KeyRotated = "key-rotated",
        /// Raw scores `Q Kᵀ` of one head.
        Raw = "raw",
        /// Scaled scores of one head.
        Scores = "scores",
        /// Masked scores of one head.
        Masked = "masked",
        /// Attention weights of one head, after softmax.
        Weights = "weights",
        /// Head outputs, weights times values, all heads side by side.
        Context = "context",
        /// The attention's output, after the output projection.
        Attended = "attended",
        /// The attention's normed output, where a norm stands before the residual sum.
        AttendedNormed = "attended-normed",
        /// The residual sum of attention output and input.
        Sum = "sum",
        /// The normed residual sum, where the norm stands after the sum.
        Normed = "normed",
        /// The output of cross-attention, in the steps of a decoder layer's self-attention.
        CrossAttended = "cross-attended",
        /// The residual sum after cross-attention.
        CrossSum = "cross-sum",
        /// The normed residual sum after cross-attention, where the norm stands after the sum.
        CrossNormed = "cross-normed",
        /// The feed-forward network's normed input, where the norm stands before the network.
        FfEntered = "ff-entered",
        /// The output of the feed-forward network's first map.
        FfHidden = "ff-hidden",
        /// The hidden values after the activation.
        FfActivated = "ff-activated",
        /// The output of the gated network's map without an activation.
        FfLinear = "ff-linear",
        /// The product of `FfActivated` and `FfLinear` in a gated network.
        FfGated = "ff-gated",
        /// The output of the feed-forward network's second map.
        FfOutput = "ff-output",
        /// The feed-forward network's normed output, where a norm stands before the residual sum.
        FfOutputNormed = "ff-output-normed",
        /// The residual sum after the feed-forward network.
        FfSum = "ff-sum",
        /// The normed residual sum after the feed-forward network, where the norm stands after the
        /// sum.
        FfNormed = "ff-normed",
        /// The layer's input, each token beside its neighbours, in a layer with a convolution.
        Neighbours = "neighbours",
        /// The output of the convolution's map.
        Convolved = "convolved",
        /// The convolution's output after the activation.
        ConvolvedActivated = "convolved-activated",
        /// The residual sum after the convolution.
        ConvolvedSum = "convolved-sum",
        /// The normed residual sum after the convolution.
        ConvolvedNormed = "convolved-normed",
        /// The output of the stack's final norm, in the last layer of a model that has one.
        Final = "final",
    }
}

/// Declares an enum of some of the steps, each under the name of its step.
macro_rules! some_steps {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($(#[$variant_doc:meta])* $variant:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
        pub enum $type { $($(#[$variant_doc])* $variant),+ }

        impl $type {
            /// All variants, in the order of the steps.
            pub const ALL: [Self; [$(Step::$variant),+].len()] = [$(Self::$variant),+];

            /// The step of the same name.
            pub fn step(self) -> Step {
                match self { $(Self::$variant => Step::$variant),+ }
            }

            /// The variant of a step, if it is one of these.
            pub fn of(step: Step) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.step() == step)
            }

            /// The variant with the name `name`.
            ///
            /// # Errors
            /// `selection/bad-stage` for any other text.
            pub fn parse(name: &str) -> Result<Self> {
                let step = Step::parse(name).ok().and_then(Self::of);
                step.ok_or_else(|| Self::refuse(format!("{name:?}")))
            }

            #[inline(never)]
            fn refuse(got: String) -> Error {
                let names = Self::ALL.map(|one| format!("{:?}", one.step().name()));
                let expected = format!("one of {}", names.join(" "));
                Error::new(Code::SelectionBadStage, $what, expected, got)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            // One copy for all fields of the type.
            #[inline(never)]
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                let name = match <String as serde::Deserialize>::deserialize(deserializer) {
                    Ok(name) => Self::parse(&name),
                    Err(error) => Err(Self::refuse(Error::found(&error.to_string()).to_owned())),
                };
                name.map_err(Error::into_reader)
            }
        }
    };
}

some_steps! {
    /// A stage of the computation of attention weights (Vaswani et al. 2017, section 3.2.1): a step
    /// that is a pattern of one head.
    Stage, "the stage" {
        /// Raw scores, `Q Kᵀ`.
        Raw,
        /// Scaled scores: times `1/√d_h`, plus a relative-position term where the model has one.
        Scores,
        /// Masked scores: scaled scores plus the mask, `-∞` at masked cells.
        Masked,
        /// Attention weights, after softmax: rows sum to one, masked cells are exactly 0.
        Weights,
    }
}

some_steps! {
    /// One of the three projections of a head.
    Part, "the part" {
        /// The query, which is compared with keys.
        Query,
        /// The key, which queries are compared with.
        Key,
        /// The value, which the weights sum.
        Value,
    }
}

named! {
    /// A trained matrix of a layer.
    Weight, SelectionBadStage, "the weight" {
        /// The query projection `W_Q`.
        Query = "query",
        /// The key projection `W_K`.
        Key = "key",
        /// The value projection `W_V`.
        Value = "value",
        /// The output projection `W_O`.
        Output = "output",
        /// The projection from the width of the embedding tables to that of the residual stream.
        Embedding = "embedding",
        /// The feed-forward network's first map `W₁`.
        Inner = "inner",
        /// The feed-forward network's second map `W₂`.
        Outer = "outer",
        /// The map `W₃` of a gated network, without an activation.
        Linear = "linear",
        /// The kernel of a convolution, from neighbours side by side to one token.
        Convolution = "convolution",
    }
}

named! {
    /// A term that relative positions add to a score, beside content with content.
    ScoreTerm, SelectionBadStage, "the term" {
        /// The product of the query with the distance.
        ContentPosition = "contentPosition",
        /// The product of the distance with the key.
        PositionContent = "positionContent",
        /// A product with the key that is the same for all queries.
        GlobalContent = "globalContent",
        /// A product with the distance that is the same for all queries.
        GlobalPosition = "globalPosition",
    }
}

/// A tensor as it leaves the core, for TypeScript.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[ts(rename = "Tensor")]
#[expect(dead_code, reason = "only its type is read")]
struct Sent {
    /// Row-major values.
    #[ts(type = "Float32Array")]
    data: Vec<f32>,
    /// How many there are along each axis, outermost first.
    shape: Vec<usize>,
    /// One name per axis, for instance `["query", "key"]` or `["layer", "head", "query", "key"]`.
    axes: Vec<String>,
}

/// A tensor: numbers with their shape and the name of each axis, the input of every figure.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(as = "Sent"))]
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
