//! The names of what lies between a block's input and its output, in the order in which a
//! block computes it. Which of them a block has follows from its family and its place.

named! {
    /// One matrix on the way through a block, a row per token.
    Step, SelectionBadStage, "the step" {
        /// Token, position and type added up, before the norm that follows (BERT).
        Embedded = "embedded",
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
        /// Plus the stream.
        FfSum = "ff-sum",
        /// Normed, where the norm stands after the sum.
        FfNormed = "ff-normed",
        /// After the norm at the end of the stack, in the last block of GPT-2 or Llama.
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
        /// `W₁`.
        Inner = "inner",
        /// `W₂`.
        Outer = "outer",
        /// `W₃`, of a gated network.
        Linear = "linear",
    }
}
