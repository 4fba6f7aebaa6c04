//! Edits as they are sent: plain data with optional fields, not yet checked.
//!
//! Numbers arrive as f64 because that is what a page can send; whether they are usable
//! layers, heads and cells is decided when they are resolved against a model.

use std::fmt::Formatter;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::axes::{Stack, Sublayer, named};
use crate::error::Error;
use crate::masks::{MaskFill, MaskMode};
use crate::variants::VariantName;

/// Everything that is changed in the mechanism, applied in the order written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields, default)]
pub struct Edits {
    /// Changes of who may look at whom.
    #[cfg_attr(test, ts(as = "Option<Vec<MaskEdit>>", optional))]
    pub masks: Vec<MaskEdit>,
    /// Changes of whole heads.
    #[cfg_attr(test, ts(as = "Option<Vec<HeadEdit>>", optional))]
    pub heads: Vec<HeadEdit>,
    /// Changes of how sublayers are joined to the stream.
    #[cfg_attr(test, ts(as = "Option<Vec<BlockEdit>>", optional))]
    pub blocks: Vec<BlockEdit>,
    /// Changes of what makes weights of queries and keys.
    #[cfg_attr(test, ts(as = "Option<Vec<AttentionEdit>>", optional))]
    pub attention: Vec<AttentionEdit>,
    /// Changes of how tokens know where they stand.
    #[cfg_attr(test, ts(as = "Option<Vec<PositionEdit>>", optional))]
    pub positions: Vec<PositionEdit>,
}

/// A change of who may look at whom: a preset is joined to what stands, then cells are closed
/// and opened. What stands at first is the model's own mask.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct MaskEdit {
    /// `encoder`, `decoder` or `cross`; absent: all of them.
    pub stack: Option<Stack>,
    /// Blocks, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// Heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// How the preset is joined to what stands; absent: `and`. Not without a preset.
    pub mode: Option<MaskMode>,
    /// The preset's opposite: yes where it says no. Not without a preset.
    pub invert: Option<bool>,
    /// A rule for all cells.
    pub preset: Option<MaskPreset>,
    /// Cells `[query, key]` to forbid, whatever the preset says.
    pub block: Option<Vec<(f64, f64)>>,
    /// Cells `[query, key]` to allow, whatever the preset and the model's own mask say.
    pub allow: Option<Vec<(f64, f64)>>,
    /// What every forbidden cell of these heads adds to its score, the model's own and those
    /// of padding included; absent: as it was, at first `-inf`.
    pub fill: Option<MaskFill>,
}

/// Who may look at whom, as a rule with its numbers, all of them whole. `width` counts the keys
/// on each side of a query's own, or before it where the window is `oneSided`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
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
        one_sided: Option<bool>,
    },
    /// A window with gaps.
    Dilated {
        /// Keys a side.
        width: f64,
        /// From one key to the next; at least 1.
        dilation: f64,
        /// At no later key.
        one_sided: Option<bool>,
    },
    /// Tokens that look at all and are seen by all, and a window for the others.
    Global {
        /// The global tokens.
        tokens: Vec<f64>,
        /// Keys a side; absent: no window.
        width: Option<f64>,
        /// The window goes to no later key.
        one_sided: Option<bool>,
    },
    /// So many keys for each query that its window and the global tokens do not have, by seed.
    Random {
        /// Global tokens; absent: none.
        tokens: Option<Vec<f64>>,
        /// Keys a side; absent: no window.
        width: Option<f64>,
        /// Keys drawn for each query.
        keys: f64,
        /// Which draw.
        seed: f64,
        /// The window goes to no later key.
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
        one_sided: Option<bool>,
    },
    /// Everybody at the first keys, and at no later key than itself beyond them.
    Prefix {
        /// The first keys.
        length: f64,
    },
}

/// A preset as it is sent: a derived reader of the enum would keep a copy of every field with its
/// type until it knows the kind, in ten times the code.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PresetFields {
    kind: PresetKind,
    length: Option<f64>,
    width: Option<f64>,
    dilation: Option<f64>,
    tokens: Option<Vec<f64>>,
    keys: Option<f64>,
    seed: Option<f64>,
    size: Option<f64>,
    stride: Option<f64>,
    one_sided: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PresetKind {
    None,
    Causal,
    Padding,
    Window,
    Dilated,
    Global,
    Random,
    Block,
    Strided,
    Prefix,
}

impl<'de> Deserialize<'de> for MaskPreset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = PresetFields::deserialize(deserializer)?;
        let number = |value: Option<f64>, name| value.ok_or_else(|| D::Error::missing_field(name));
        let PresetFields { length, width, dilation, tokens, keys, seed, size, stride, .. } = sent;
        let one_sided = sent.one_sided;
        Ok(match sent.kind {
            PresetKind::None => Self::None,
            PresetKind::Causal => Self::Causal,
            PresetKind::Padding => Self::Padding { length: number(length, "length")? },
            PresetKind::Prefix => Self::Prefix { length: number(length, "length")? },
            PresetKind::Window => Self::Window { width: number(width, "width")?, one_sided },
            PresetKind::Dilated => Self::Dilated {
                width: number(width, "width")?,
                dilation: number(dilation, "dilation")?,
                one_sided,
            },
            PresetKind::Global => {
                let tokens = tokens.ok_or_else(|| D::Error::missing_field("tokens"))?;
                Self::Global { tokens, width, one_sided }
            }
            PresetKind::Random => Self::Random {
                tokens,
                width,
                keys: number(keys, "keys")?,
                seed: number(seed, "seed")?,
                one_sided,
            },
            PresetKind::Block => Self::Block { size: number(size, "size")? },
            PresetKind::Strided => Self::Strided { stride: number(stride, "stride")?, one_sided },
        })
    }
}

/// What stands in place of a head's weights: the name of a pattern, or a matrix
/// `[query][key]` of numbers from 0, whose rows are shared out so that they sum to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum HeadPattern {
    /// By name.
    Named(NamedPattern),
    /// Row after row.
    Drawn(Vec<Vec<f64>>),
}

impl<'de> Deserialize<'de> for HeadPattern {
    /// By what it looks like, cell by cell: a derived reader of either form would keep a copy
    /// of every cell with its type first.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EitherForm)
    }
}

struct EitherForm;

impl<'de> Visitor<'de> for EitherForm {
    type Value = HeadPattern;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the name of a pattern or a matrix of numbers")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<HeadPattern, E> {
        NamedPattern::parse(name).map(HeadPattern::Named).map_err(Error::into_reader)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sent: A) -> Result<HeadPattern, A::Error> {
        let mut rows = Vec::new();
        while let Some(row) = sent.next_element()? {
            rows.push(row);
        }
        Ok(HeadPattern::Drawn(rows))
    }
}

/// A head turned down, off or up, or given a fixed pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct HeadEdit {
    /// `encoder`, `decoder` or `cross`; absent: all of them.
    pub stack: Option<Stack>,
    /// Blocks, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// Heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// Factor on what the head hands over: 0 ablates it, 1 leaves it, 2 doubles it.
    pub gate: Option<f64>,
    /// What stands in place of its weights: every open key alike, the key at the query's own
    /// position, the key before it, or a drawn matrix `[query][key]` of numbers from 0.
    #[cfg_attr(test, ts(optional, type = "NamedPattern | number[][]"))]
    pub pattern: Option<HeadPattern>,
}

/// Residuals and norms around sublayers, left out or moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct BlockEdit {
    /// `encoder` or `decoder`; absent: both.
    #[cfg_attr(test, ts(optional, type = "Exclude<Stack, \"cross\">"))]
    pub stack: Option<Stack>,
    /// Blocks, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// Absent: all that a block has.
    pub sublayers: Option<Vec<Sublayer>>,
    /// Whether what enters a sublayer is added to what it gives.
    pub residual: Option<bool>,
    /// Where its norm stands: as the model has it, nowhere, before the sublayer, after the sum.
    pub norm: Option<NormPlace>,
}

/// Another way from queries and keys to weights. Of several edits of one head the last to name a
/// part has its way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct AttentionEdit {
    /// `encoder`, `decoder` or `cross`; absent: all of them.
    pub stack: Option<Stack>,
    /// Blocks, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// Heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// Which variant; absent: as it was, at first `softmax`, the model's own.
    pub kind: Option<VariantName>,
    /// The variant's numbers, all of them whole; what is absent is as usual.
    pub parameters: Option<VariantParameters>,
    /// What scores are multiplied by; absent: as it was, at first `model`.
    #[cfg_attr(test, ts(optional, type = "ScaleName | number"))]
    pub scale: Option<ScoreScale>,
    /// What scores are divided by before the softmax; absent: as it was, at first 1.
    pub temperature: Option<f64>,
    /// Weights that are dropped by chance; absent: as it was, at first none.
    pub dropout: Option<Dropout>,
}

/// The numbers that attention variants have; each variant takes its own and no others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct VariantParameters {
    /// `additive`: units between queries and keys. `sliding`: keys on each side.
    pub width: Option<f64>,
    /// `blocks`: tokens of a block. `chunked`: keys of a chunk.
    pub size: Option<f64>,
    /// `blocks`: blocks on each side of a query's own.
    pub neighbours: Option<f64>,
    /// `performer`: random features.
    pub features: Option<f64>,
    /// `low-rank`: singular values that are kept.
    pub rank: Option<f64>,
    /// `linformer`: pooled keys.
    pub keys: Option<f64>,
    /// `additive`, `performer`: which draw.
    pub seed: Option<f64>,
}

impl VariantParameters {
    /// Every number under its name.
    pub(super) fn all(self) -> [(&'static str, Option<f64>); 7] {
        let Self { width, size, neighbours, features, rank, keys, seed } = self;
        [
            ("width", width),
            ("size", size),
            ("neighbours", neighbours),
            ("features", features),
            ("rank", rank),
            ("keys", keys),
            ("seed", seed),
        ]
    }
}

/// What scores are multiplied by: `model`, which is `1/√d_h` for products and 1 for what is none,
/// `none`, or a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the scale of the scores: \"model\", \"none\" or a number")]
pub enum ScoreScale {
    /// By name.
    Named(ScaleName),
    /// A factor.
    By(f64),
}

/// Weights dropped by chance; what is left is divided by `1 − rate`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Dropout {
    /// The share that is dropped, from 0 to below 1.
    pub rate: f64,
    /// Which draw.
    pub seed: f64,
}

/// Another scheme of positions, or other places for the tokens. Of several edits of a stack
/// the last one that names a scheme counts, and the last one that names an order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct PositionEdit {
    /// `encoder` or `decoder`; absent: both.
    #[cfg_attr(test, ts(optional, type = "Exclude<Stack, \"cross\">"))]
    pub stack: Option<Stack>,
    /// How tokens know where they stand: as the model has it, not at all, or otherwise.
    pub scheme: Option<PositionScheme>,
    /// The numbers of the scheme; those that it does not have are refused.
    pub parameters: Option<PositionParameters>,
    /// The position of each token, a permutation of the first so many; tokens behind them stay.
    pub order: Option<Vec<f64>>,
}

/// The numbers of all schemes. What is absent has the default of its paper, or of the model
/// where that has the same scheme.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct PositionParameters {
    /// Of `sinusoidal` and `rotary`: the base of the wavelengths, above 0; absent: 10000.
    pub base: Option<f64>,
    /// Of `sinusoidal`: sine and cosine of a pair side by side, or all sines first.
    pub interleaved: Option<bool>,
    /// Of `learned`, `t5` and `transformer-xl`: which draw of the untrained numbers; absent: 1,
    /// but for `learned` in a model that has a table, which is then the model's own.
    pub seed: Option<f64>,
    /// Of `t5`: buckets, an even number from 4; absent: 32.
    pub buckets: Option<f64>,
    /// Of `t5`: from here on all distances are one; absent: 128.
    pub max_distance: Option<f64>,
}

named! {
    /// A pattern that is known by name.
    NamedPattern, EditUnsupported, "the pattern of a head" {
        /// Every open key alike.
        Uniform = "uniform",
        /// The key at the query's own position.
        Diagonal = "diagonal",
        /// The key before it.
        Previous = "previous",
    }
}

named! {
    /// Where the norm of a sublayer stands: as the model has it, nowhere, before the sublayer,
    /// after the sum.
    NormPlace, EditUnsupported, "the norm of an edit" {
        /// As the model has it.
        Model = "model",
        /// Nowhere.
        None = "none",
        /// Before the sublayer.
        Pre = "pre",
        /// After the sum.
        Post = "post",
    }
}

named! {
    /// A factor on scores that is known by name.
    ScaleName, EditUnsupported, "the scale of the scores" {
        /// `1/√d_h` for products, 1 for what is none.
        Model = "model",
        /// 1.
        None = "none",
    }
}

named! {
    /// How a stack encodes positions: as the model does, not at all, or by a scheme of `positions`.
    PositionScheme, EditUnsupported, "the scheme of positions" {
        /// As the model has it.
        Model = "model",
        /// Not at all.
        None = "none",
        /// Waves added to the embeddings.
        Sinusoidal = "sinusoidal",
        /// A row per position.
        Learned = "learned",
        /// Queries and keys are rotated.
        Rotary = "rotary",
        /// A slope per head.
        Alibi = "alibi",
        /// A number per head and bucket.
        T5 = "t5",
        /// Four terms.
        TransformerXl = "transformer-xl",
    }
}
