//! Edits as they are sent: plain data with optional fields, not yet checked.
//!
//! Numbers arrive as f64 because that is what a page can send; whether they are usable
//! layers, heads and cells is decided when they are resolved against a model.

use serde::{Deserialize, Serialize};

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
}

/// Cells that may no longer be looked at.
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
    /// Cells `[query, key]` to forbid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<Vec<(f64, f64)>>,
}

/// A head turned down, off or up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct HeadEdit {
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
    /// Factor on what the head hands over: 0 silences it, 1 leaves it, 2 doubles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<f64>,
}
