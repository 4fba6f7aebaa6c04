//! The names of what lies between a block's input and its output, in the order in which a
//! block computes it. Which of them a block has follows from its family and its place.

use crate::error::{Code, Error, Result};

/// One matrix on the way through a block, a row per token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Step {
    /// Token, position and type added up, before the norm that follows (BERT).
    Embedded,
    /// The stream as it reaches the sublayer: `X`.
    Input,
    /// What cross-attention looks at: the encoder's output.
    Memory,
    /// `N(X)`, where the norm stands before the sublayer.
    Entered,
    /// `X W_Q`, all heads side by side.
    Query,
    /// `X W_K`, all heads side by side.
    Key,
    /// `X W_V`, all heads side by side.
    Value,
    /// Queries turned by their positions, where these are rotary.
    QueryRotated,
    /// Keys turned by their positions, where these are rotary.
    KeyRotated,
    /// `Q Kᵀ` of one head.
    Raw,
    /// Scaled.
    Scores,
    /// Plus the mask.
    Masked,
    /// After softmax.
    Weights,
    /// Weights times values, all heads joined again.
    Context,
    /// Through the output projection.
    Attended,
    /// Plus the stream.
    Sum,
    /// Normed, where the norm stands after the sum.
    Normed,
    /// What cross-attention found, in a decoder block seen from its self-attention.
    Looked,
    /// Plus the stream.
    LookedSum,
    /// Normed, where the norm stands after the sum.
    LookedNormed,
    /// What the feed-forward network gets to see, where the norm stands before it.
    FfEntered,
    /// Through the first map.
    FfHidden,
    /// After the activation.
    FfActivated,
    /// Through the map of a gated network that has no activation.
    FfLinear,
    /// Both multiplied.
    FfGated,
    /// Through the second map.
    FfOutput,
    /// Plus the stream.
    FfSum,
    /// Normed, where the norm stands after the sum.
    FfNormed,
    /// After the norm at the end of the stack, in the last block of GPT-2 or Llama.
    Final,
}

/// A trained matrix of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Weight {
    /// `W_Q`.
    Query,
    /// `W_K`.
    Key,
    /// `W_V`.
    Value,
    /// `W_O`.
    Output,
    /// `W₁`.
    Inner,
    /// `W₂`.
    Outer,
    /// `W₃`, of a gated network.
    Linear,
}

named!(Step, Code::SelectionBadStage, "the step",
    "embedded" => Embedded, "input" => Input, "memory" => Memory, "entered" => Entered,
    "query" => Query, "key" => Key, "value" => Value, "query-rotated" => QueryRotated,
    "key-rotated" => KeyRotated, "raw" => Raw, "scores" => Scores,
    "masked" => Masked, "weights" => Weights, "context" => Context, "attended" => Attended,
    "sum" => Sum, "normed" => Normed, "looked" => Looked, "looked-sum" => LookedSum,
    "looked-normed" => LookedNormed, "ff-entered" => FfEntered, "ff-hidden" => FfHidden,
    "ff-activated" => FfActivated, "ff-linear" => FfLinear, "ff-gated" => FfGated,
    "ff-output" => FfOutput, "ff-sum" => FfSum,
    "ff-normed" => FfNormed, "final" => Final);
named!(Weight, Code::SelectionBadStage, "the weight", "query" => Query, "key" => Key, "value" => Value, "output" => Output, "inner" => Inner, "outer" => Outer, "linear" => Linear);
