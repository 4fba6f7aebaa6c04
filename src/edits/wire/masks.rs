//! Changes of who may look at whom, as they are sent.

use serde::{Deserialize, Serialize};

/// A change of who may look at whom: a preset is joined to what stands, then cells are closed
/// and opened. What stands at first is the model's own mask.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct MaskEdit {
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
    /// How the preset is joined to what stands; absent: `and`. Not without a preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<MaskMode>,
    /// The preset's opposite: yes where it says no. Not without a preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invert: Option<bool>,
    /// A rule for all cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<MaskPreset>,
    /// Cells `[query, key]` to forbid, whatever the preset says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<Vec<(f64, f64)>>,
    /// Cells `[query, key]` to allow, whatever the preset and the model's own mask say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<(f64, f64)>>,
    /// What every forbidden cell of these heads adds to its score, the model's own and those
    /// of padding included; absent: as it was, at first `-inf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<MaskFill>,
}

/// How a preset is joined: `and` keeps open what both allow, `or` what either allows, `replace`
/// forgets what stood, the model's own mask too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MaskMode {
    /// What both allow.
    #[default]
    And,
    /// What either allows.
    Or,
    /// The preset alone.
    Replace,
}

/// What a forbidden cell adds to its score: minus infinity, which leaves a row without an open
/// cell with weights 0, or -1e9, which leaves it with what the arithmetic gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub enum MaskFill {
    /// Minus infinity.
    #[serde(rename = "-inf")]
    MinusInfinity,
    /// A large negative number.
    #[serde(rename = "-1e9")]
    Large,
}

/// Who may look at whom, as a rule with its numbers, all of them whole. `width` counts the keys
/// on each side of a query's own, or before it where the window is `oneSided`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum MaskPreset {
    /// No mask: everybody at everybody.
    None,
    /// A query at no later key.
    Causal,
    /// As if the tokens from `length` on were padding.
    Padding {
        /// Real tokens.
        length: f64,
    },
    /// A query at its neighbours.
    Window {
        /// Keys a side.
        width: f64,
        /// At no later key.
        #[serde(skip_serializing_if = "Option::is_none")]
        one_sided: Option<bool>,
    },
    /// A window with gaps.
    Dilated {
        /// Keys a side.
        width: f64,
        /// From one key to the next; at least 1.
        dilation: f64,
        /// At no later key.
        #[serde(skip_serializing_if = "Option::is_none")]
        one_sided: Option<bool>,
    },
    /// Tokens that look at all and are seen by all, and a window for the others.
    Global {
        /// The global tokens.
        tokens: Vec<f64>,
        /// Keys a side; absent: no window.
        #[serde(skip_serializing_if = "Option::is_none")]
        width: Option<f64>,
        /// The window goes to no later key.
        #[serde(skip_serializing_if = "Option::is_none")]
        one_sided: Option<bool>,
    },
    /// So many keys for each query that its window and the global tokens do not have, by seed.
    Random {
        /// Keys drawn for each query.
        keys: f64,
        /// Which draw.
        seed: f64,
        /// Keys a side; absent: no window.
        #[serde(skip_serializing_if = "Option::is_none")]
        width: Option<f64>,
        /// Global tokens; absent: none.
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens: Option<Vec<f64>>,
        /// The window goes to no later key.
        #[serde(skip_serializing_if = "Option::is_none")]
        one_sided: Option<bool>,
    },
    /// Blocks of tokens that look at each other alone.
    Block {
        /// Tokens of a block; at least 1.
        size: f64,
    },
    /// A query at its neighbours as far as `stride`, and at every `stride`-th key.
    Strided {
        /// At least 1.
        stride: f64,
        /// At no later key.
        #[serde(skip_serializing_if = "Option::is_none")]
        one_sided: Option<bool>,
    },
    /// Everybody at the first keys, and at no later key than itself beyond them.
    Prefix {
        /// The first keys.
        length: f64,
    },
}
