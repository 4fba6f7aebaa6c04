//! The facts of an attention variant that the rest of Headscope uses, stated once in the variant's
//! own file. `src/bindings.rs` writes the facts that the page needs into `VARIANT_PARTS`.

use serde::Serialize;

use crate::axes::Stack;

/// The facts that hold for every head with a variant, whatever its numbers.
#[derive(Debug)]
pub struct Facts {
    /// The kind of raw scores.
    pub raw: RawScores,
    /// The factor that the scale `model` of an edit stands for.
    pub scale: ModelScale,
    /// The rule that makes a row of weights.
    pub weights: WeightRule,
    /// The part of a row that is stored before its context is computed.
    pub held: Held,
    /// The numbers of the query and of the key whose products add up to a raw score, or to a weight
    /// of [`WeightRule::Directions`]; `None` for the query or the key itself.
    pub made: [Option<MadePart>; 2],
    /// The stacks that can have the variant: a variant that mixes tokens needs all of them at once.
    pub stacks: &'static [Stack],
    /// The most tokens of a text; a longer text is refused.
    pub longest: Option<usize>,
    /// The kind of score that the GPU's shaders compute for the variant; `None` if no shader
    /// implements it, so that the CPU backend computes the whole site.
    pub gpu: Option<GpuScore>,
    /// Whether the variant's purpose is to compute or store less than the softmax of a whole row.
    pub is_cheap: bool,
    /// Whether the variant has weights that the model does not have.
    pub is_untrained: bool,
}

/// The kind of a raw score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RawScores {
    /// The product of a query and a key.
    Products,
    /// The product of a query and a mean of keys.
    MeanProducts,
    /// Another function of a query and a key.
    Other,
}

/// The factor that the scale `model` of an edit stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ModelScale {
    /// The model's own factor, usually `1/√d_h`: scores are products, which grow with `√d_h`.
    Model,
    /// 1: scores do not grow with `d_h`.
    One,
    /// No factor: scores are not multiplied, so that no edit can set a scale or a temperature.
    Never,
}

/// The rule that makes a row of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum WeightRule {
    /// The softmax over the scores of a row.
    Softmax,
    /// Products of features, each divided by their sum over the open keys. Scores are the
    /// logarithms of the products, so that their softmax is the same pattern.
    Features,
    /// The softmax over means of segments of the open keys; each key has an equal share of its
    /// segment.
    Segments,
    /// The largest singular values of the softmax's pattern of all rows.
    Directions,
}

/// The part of a row of scores that is stored before the row's context is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// All scores, so that relative positions and a soft cap can be applied.
    Scores,
    /// The weights of the keys that the variant attends to, so that dropout can be applied.
    Weights,
    /// Neither scores nor weights: only sums, or a part of the row at a time.
    Nothing,
}

/// The kinds of scores that shaders compute: see `score_tile.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GpuScore {
    /// The product `q·k`.
    Product,
    /// The cosine `q·k / (‖q‖ ‖k‖)`.
    Cosine,
    /// The product of features `φ(q)·φ(k)`, whose logarithm is the score.
    Features,
    /// The network `vᵀ tanh(W_q q + W_k k)`.
    Additive,
}

/// The numbers that an attention variant computes from queries and keys before it multiplies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum MadePart {
    /// A unit of additive attention's network, `tanh(W_q q + W_k k)`.
    Unit,
    /// The drawn factor of a unit of additive attention's network.
    Drawn,
    /// The mean of the keys of a segment.
    MeanKey,
    /// The features of a query.
    QueryFeature,
    /// The features of a key.
    KeyFeature,
    /// A query's coefficient of a direction of the pattern, `u`.
    Left,
    /// A key's coefficient of a direction of the pattern times its singular value, `σ v`.
    Right,
}

impl Facts {
    /// The facts of softmax attention; other variants state their differences.
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

    /// Whether the pattern is implied by the variant's formula: the variant applies no softmax over
    /// a row's keys, applies one over segments of them, or reduces the softmax's own pattern to a
    /// rank.
    pub fn is_implied(&self) -> bool {
        self.weights != WeightRule::Softmax
    }

    /// Whether a row is made of sums over the keys that its mask leaves open, so that a masked key
    /// is left out, whatever the mask adds to its score.
    pub fn sums_open_keys(&self) -> bool {
        matches!(self.weights, WeightRule::Features | WeightRule::Segments)
    }

    /// Whether the weights of a row sum to 1: a pattern with few singular values has rows with
    /// negative numbers and other sums.
    pub fn shares_out(&self) -> bool {
        self.weights != WeightRule::Directions
    }

    /// Whether the first row of weights needs all rows of scores.
    pub fn is_of_all_rows(&self) -> bool {
        self.weights == WeightRule::Directions
    }

    /// Whether a row depends on other rows, or on keys that a causal mask masks.
    pub fn mixes_tokens(&self) -> bool {
        matches!(self.weights, WeightRule::Segments | WeightRule::Directions)
    }

    /// Whether scores are logarithms of sums, so that the softmax divides each sum by their total.
    pub fn is_logarithm(&self) -> bool {
        self.weights == WeightRule::Features
    }

    /// Whether a row of weights is computed, so that dropout can be applied.
    pub fn has_rows(&self) -> bool {
        self.weights == WeightRule::Softmax && self.held != Held::Nothing
    }

    /// Whether every score of a row is stored before its weights are computed, so that terms can be
    /// added.
    pub fn holds_scores(&self) -> bool {
        self.held == Held::Scores
    }

    /// Whether scores are multiplied by a factor.
    pub fn has_scale(&self) -> bool {
        self.scale != ModelScale::Never
    }
}
