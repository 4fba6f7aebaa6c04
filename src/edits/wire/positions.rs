//! Changes of how tokens know where they stand, as they are sent.

use serde::{Deserialize, Serialize};

/// Another scheme of positions, or other places for the tokens. Of several edits of a stack
/// the last one that names a scheme counts, and the last one that names an order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct PositionEdit {
    /// `encoder` or `decoder`; absent: both.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "\"encoder\" | \"decoder\"")
    )]
    pub stack: Option<String>,
    /// How tokens know where they stand: as the model has it, not at all, or otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(
            optional,
            type = "\"model\" | \"none\" | \"sinusoidal\" | \"learned\" | \"rotary\" | \"alibi\" | \"t5\" | \"transformer-xl\""
        )
    )]
    pub scheme: Option<String>,
    /// The numbers of the scheme; those that it does not have are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<PositionParameters>,
    /// The position of each token, a permutation of the first so many; tokens behind them stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<f64>>,
}

/// The numbers of all schemes. What is absent has the default of its paper, or of the model
/// where that has the same scheme.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct PositionParameters {
    /// Of `sinusoidal` and `rotary`: the base of the wavelengths, above 0; absent: 10000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<f64>,
    /// Of `sinusoidal`: sine and cosine of a pair side by side, or all sines first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleaved: Option<bool>,
    /// Of `learned`, `t5` and `transformer-xl`: which draw of the untrained numbers; absent: 1,
    /// but for `learned` in a model that has a table, which is then the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<f64>,
    /// Of `t5`: buckets, an even number from 4; absent: 32.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<f64>,
    /// Of `t5`: from here on all distances are one; absent: 128.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_distance: Option<f64>,
}
