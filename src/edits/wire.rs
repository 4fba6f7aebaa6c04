//! Edits as they are sent: plain data with optional fields, not yet checked.
//!
//! Numbers arrive as f64 because that is what a page can send; whether they are usable
//! layers, heads and cells is decided when they are resolved against a model.

mod heads;
mod masks;
mod positions;

use serde::{Deserialize, Serialize};

pub use heads::{HeadEdit, HeadPattern};
pub use masks::{MaskEdit, MaskFill, MaskMode, MaskPreset};
pub use positions::{PositionEdit, PositionParameters};

/// Everything that is changed in the mechanism, applied in the order written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(deny_unknown_fields, default)]
pub struct Edits {
    /// Changes of who may look at whom.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(as = "Option<Vec<MaskEdit>>", optional))]
    pub masks: Vec<MaskEdit>,
    /// Changes of whole heads.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(as = "Option<Vec<HeadEdit>>", optional))]
    pub heads: Vec<HeadEdit>,
    /// Changes of how sublayers are joined to the stream.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(as = "Option<Vec<BlockEdit>>", optional)
    )]
    pub blocks: Vec<BlockEdit>,
    /// Changes of what makes weights of queries and keys.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(as = "Option<Vec<AttentionEdit>>", optional)
    )]
    pub attention: Vec<AttentionEdit>,
    /// Changes of how tokens know where they stand.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(as = "Option<Vec<PositionEdit>>", optional)
    )]
    pub positions: Vec<PositionEdit>,
}

/// Residuals and norms around sublayers, left out or moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct BlockEdit {
    /// `encoder` or `decoder`; absent: both.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "\"encoder\" | \"decoder\"")
    )]
    pub stack: Option<String>,
    /// Blocks, from 0; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<f64>>,
    /// Absent: all that a block has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(as = "Option<Vec<crate::axes::Sublayer>>")
    )]
    pub sublayers: Option<Vec<String>>,
    /// Whether what enters a sublayer is added to what it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<bool>,
    /// Where its norm stands: as the model has it, nowhere, before the sublayer, after the sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "\"model\" | \"none\" | \"pre\" | \"post\"")
    )]
    pub norm: Option<String>,
}

/// Another way from queries and keys to weights. Of several edits of one head the last to name a
/// part has its way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct AttentionEdit {
    /// `encoder`, `decoder` or `cross`; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(as = "Option<crate::axes::Stack>"))]
    pub stack: Option<String>,
    /// Blocks, from 0; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<f64>>,
    /// Heads, from 0; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<Vec<f64>>,
    /// Which kind; absent: as it was, at first `softmax`, the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(
            optional,
            type = "\"softmax\" | \"cosine\" | \"additive\" | \"sliding\" | \"blocks\" | \"linear\" | \"performer\" | \"low-rank\" | \"linformer\" | \"chunked\""
        )
    )]
    pub kind: Option<String>,
    /// The kind's numbers, all of them whole; what is absent is as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<KindParameters>,
    /// What scores are multiplied by; absent: as it was, at first `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "\"model\" | \"none\" | number")
    )]
    pub scale: Option<ScoreScale>,
    /// What scores are divided by before the softmax; absent: as it was, at first 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Weights that are dropped by chance; absent: as it was, at first none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropout: Option<Dropout>,
}

/// The numbers that kinds of attention have; each kind takes its own and no others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct KindParameters {
    /// `additive`: units between queries and keys. `sliding`: keys on each side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// `additive`, `performer`: which draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<f64>,
    /// `blocks`: tokens of a block. `chunked`: keys of a chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// `blocks`: blocks on each side of a query's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<f64>,
    /// `performer`: random features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<f64>,
    /// `low-rank`: singular values that are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<f64>,
    /// `linformer`: pooled keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<f64>,
}

/// What scores are multiplied by: `model`, which is `1/√d_h` for products and 1 for what is none,
/// `none`, or a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ScoreScale {
    /// By name.
    Named(String),
    /// A factor.
    By(f64),
}

/// Weights dropped by chance; what is left is divided by `1 − rate`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Dropout {
    /// The share that is dropped, from 0 to below 1.
    pub rate: f64,
    /// Which draw.
    pub seed: f64,
}
