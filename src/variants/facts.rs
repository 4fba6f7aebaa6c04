//! What the rest of Headscope knows of an attention variant, stated once in the variant's own file.
//! `src/bindings.rs` writes what the page needs of it into `VARIANT_PARTS`.

use serde::Serialize;

use crate::axes::Stack;

/// What holds for every head with a variant, whatever its numbers.
#[derive(Debug)]
pub struct Facts {
    /// What raw scores are.
    pub raw: RawScores,
    /// What the scale `model` of an edit stands for.
    pub scale: ModelScale,
    /// What a row of weights is made by.
    pub weights: WeightRule,
    /// What is held of a row before its context is found.
    pub held: Held,
    /// The numbers whose products add up to a raw score, or to a weight of [`WeightRule::Directions`],
    /// of the query and of the key; none for the query or the key itself.
    pub made: [Option<MadePart>; 2],
    /// The stacks that can have it: what mixes tokens needs them all at once.
    pub stacks: &'static [Stack],
    /// The most tokens of a text; a longer one is refused.
    pub longest: Option<usize>,
    /// Which scores the GPU's shaders compute for it; none where they know no such variant, and the
    /// CPU backend computes the whole site.
    pub gpu: Option<GpuScore>,
    /// Whether it is there to compute or to hold less than the softmax of a whole row.
    pub is_cheap: bool,
    /// Whether it has weights that the model does not have.
    pub is_untrained: bool,
}

/// What a raw score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RawScores {
    /// The product of a query and a key.
    Products,
    /// The product of a query and a mean of keys.
    MeanProducts,
    /// Something else of a query and a key.
    Other,
}

/// What the scale `model` of an edit stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ModelScale {
    /// The model's own factor, usually `1/√d_h`: scores are products, which grow with `√d_h`.
    Model,
    /// 1: scores do not grow with `d_h`.
    One,
    /// Scores are multiplied by nothing, so that no edit can set a scale or a temperature.
    Never,
}

/// What makes a row of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum WeightRule {
    /// The softmax over the scores of a row.
    Softmax,
    /// Products of features, each divided by their sum over the open keys. Scores are the logarithms
    /// of the products, of which the softmax is the same pattern.
    Features,
    /// The softmax over means of segments of the open keys, of which each key has its share.
    Segments,
    /// The largest singular values of the pattern that the softmax makes for all rows.
    Directions,
}

/// What is held of a row of scores before the row's context is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// All scores, which relative positions and a soft cap can join.
    Scores,
    /// The weights of the keys that the variant looks at, of which some can be dropped.
    Weights,
    /// Neither: sums, or a part of the row at a time.
    Nothing,
}

/// Which of the scores that shaders know: see `score_tile.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GpuScore {
    /// `q·k`.
    Product,
    /// `q·k / (‖q‖ ‖k‖)`.
    Cosine,
    /// `φ(q)·φ(k)`, of which the score is the logarithm.
    Features,
    /// `vᵀ tanh(W_q q + W_k k)`.
    Additive,
}

/// What an attention variant makes of queries and keys before it multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum MadePart {
    /// A unit of additive attention's network, `tanh(W_q q + W_k k)`.
    Unit,
    /// What such a unit is multiplied by, drawn by seed.
    Drawn,
    /// The mean of the keys of a segment.
    MeanKey,
    /// Features of a query.
    QueryFeature,
    /// Features of a key.
    KeyFeature,
    /// A query's share of a direction of the pattern, `u`.
    Left,
    /// A key's share of it times its singular value, `σ v`.
    Right,
}

impl Facts {
    /// Those of softmax attention; other variants say how they differ.
    pub const SOFTMAX: Self = Self {
        raw: RawScores::Products,
        scale: ModelScale::Model,
        weights: WeightRule::Softmax,
        held: Held::Scores,
        made: [None, None],
        stacks: &Stack::ALL,
        longest: None,
        gpu: Some(GpuScore::Product),
        is_cheap: false,
        is_untrained: false,
    };

    /// Whether the pattern is what the variant implies: it takes no softmax over a row's keys, takes
    /// one over segments of them, or cuts the softmax's own pattern down to a rank.
    pub fn is_implied(&self) -> bool {
        self.weights != WeightRule::Softmax
    }

    /// Whether a row is made of sums over the keys that its mask leaves open, in which a closed key
    /// has no place, whatever a mask adds to its score.
    pub fn sums_open_keys(&self) -> bool {
        matches!(self.weights, WeightRule::Features | WeightRule::Segments)
    }

    /// Whether weights share 1 out among the keys: a pattern with few singular values has rows with
    /// negative numbers and other sums.
    pub fn shares_out(&self) -> bool {
        self.weights != WeightRule::Directions
    }

    /// Whether the first row of weights needs all rows of scores.
    pub fn is_of_all_rows(&self) -> bool {
        self.weights == WeightRule::Directions
    }

    /// Whether a row is made of other rows, or of keys that a causal mask closes.
    pub fn mixes_tokens(&self) -> bool {
        matches!(self.weights, WeightRule::Segments | WeightRule::Directions)
    }

    /// Whether scores are logarithms of sums, of which the softmax is those sums shared out.
    pub fn is_logarithm(&self) -> bool {
        self.weights == WeightRule::Features
    }

    /// Whether a row of weights is there to drop some of.
    pub fn has_rows(&self) -> bool {
        self.weights == WeightRule::Softmax && self.held != Held::Nothing
    }

    /// Whether every score of a row is held before its weights are made, for others to join.
    pub fn holds_scores(&self) -> bool {
        self.held == Held::Scores
    }

    /// Whether scores are multiplied by anything.
    pub fn has_scale(&self) -> bool {
        self.scale != ModelScale::Never
    }
}
