//! Edits as they are sent: plain data with optional fields, not yet checked.
//!
//! Numbers arrive as f64 because that is what a page can send; whether they are usable
//! layers, heads and cells is decided when they are resolved against a model.

use std::fmt::Formatter;

use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::axes::{Stack, Sublayer, named};
use crate::error::Error;
use crate::masks::{MaskFill, MaskMode};
use crate::question::At;
use crate::variants::VariantName;

/// The edits of the mechanism, applied in the order of the lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields, default)]
pub struct Edits {
    /// Changes of the keys that queries may attend to.
    #[cfg_attr(test, ts(as = "Option<Vec<MaskEdit>>", optional))]
    pub masks: Vec<MaskEdit>,
    /// Changes of whole heads.
    #[cfg_attr(test, ts(as = "Option<Vec<HeadEdit>>", optional))]
    pub heads: Vec<HeadEdit>,
    /// Changes of how sublayers are joined to the residual stream.
    #[cfg_attr(test, ts(as = "Option<Vec<BlockEdit>>", optional))]
    pub blocks: Vec<BlockEdit>,
    /// Changes of how weights are computed from queries and keys.
    #[cfg_attr(test, ts(as = "Option<Vec<AttentionEdit>>", optional))]
    pub attention: Vec<AttentionEdit>,
    /// Changes of how positions are encoded.
    #[cfg_attr(test, ts(as = "Option<Vec<PositionEdit>>", optional))]
    pub positions: Vec<PositionEdit>,
    /// Activations that other numbers replace.
    #[cfg_attr(test, ts(as = "Option<Vec<PatchEdit>>", optional))]
    pub patches: Vec<PatchEdit>,
}

/// A patch: numbers in place of an activation, given or of the run of another input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PatchEdit {
    /// The address of the activation.
    pub at: At,
    /// The numbers, a row for each position of the address, or an input of as many tokens, whose
    /// run has them at the same address.
    #[cfg_attr(
        test,
        ts(
            type = "{ values: number[][] } | { text: string; textPair?: string; target?: string; edits?: Edits } | \
            { ids: number[]; tokenTypeIds?: number[]; attentionMask?: (0 | 1)[]; targetIds?: number[]; edits?: Edits }"
        )
    )]
    pub from: PatchValues,
    /// The end of a path that alone carries the numbers: a head's input, by default all parts that
    /// the path leads to, or the logits. `at` is then the `context` of a head. Absent: all that
    /// follows from the activation is computed from the numbers.
    #[serde(default, skip_serializing)]
    #[cfg_attr(
        test,
        ts(
            type = "{ stack: Stack; layer: number; head: number; part?: Part } | \"logits\"",
            optional
        )
    )]
    pub to: Option<IgnoredAny>,
}

/// The numbers of a patch, row by row. An input in their place is run by the JavaScript API, which
/// also makes of a patch with a receiver one of the receiver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchValues {
    /// The rows.
    pub values: Vec<Vec<f64>>,
}

/// A change of the keys that queries may attend to: a preset is joined to the present mask, then
/// cells are closed and opened. The first present mask is the model's own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct MaskEdit {
    /// The stack: `encoder`, `decoder` or `cross`; absent: all.
    pub stack: Option<Stack>,
    /// The layers, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// The heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// How the preset is joined to the present mask; absent: `and`. Refused without a preset.
    pub mode: Option<MaskMode>,
    /// Whether the preset is inverted: visible becomes masked and the reverse. Refused without a
    /// preset.
    pub invert: Option<bool>,
    /// The preset: a rule for all cells.
    pub preset: Option<MaskPreset>,
    /// Cells `[query, key]` to mask, whatever the preset says.
    pub block: Option<Vec<(f64, f64)>>,
    /// Cells `[query, key]` to open, whatever the preset and the model's own mask say.
    pub allow: Option<Vec<(f64, f64)>>,
    /// The fill: what every masked cell of these heads adds to its score, cells masked by the model
    /// and by padding included; absent: unchanged, at first `-inf`.
    pub fill: Option<MaskFill>,
}

/// A rule for the keys that each query may attend to, with its numbers, all of them whole. `width`
/// counts the keys on each side of a query's own position, or before it if the window is
/// `oneSided`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum MaskPreset {
    /// No mask: every query attends to every key.
    None,
    /// A causal mask: a query attends to no later key.
    Causal,
    /// A padding mask: tokens from `length` on are masked like padding.
    Padding {
        /// The number of real tokens.
        length: f64,
    },
    /// A window: a query attends to its neighbours.
    Window {
        /// The number of keys on each side.
        width: f64,
        /// Whether later keys are masked.
        one_sided: Option<bool>,
    },
    /// A window with gaps.
    Dilated {
        /// The number of keys on each side.
        width: f64,
        /// The distance from one key to the next; at least 1.
        dilation: f64,
        /// Whether later keys are masked.
        one_sided: Option<bool>,
    },
    /// Global tokens, which attend to all tokens and to which all attend, and a window for the
    /// others.
    Global {
        /// The positions of the global tokens.
        tokens: Vec<f64>,
        /// The number of keys on each side; absent: no window.
        width: Option<f64>,
        /// Whether later keys are masked in the window.
        one_sided: Option<bool>,
    },
    /// Random keys of each query, in addition to its window and the global tokens, drawn by seed.
    Random {
        /// The positions of the global tokens; absent: none.
        tokens: Option<Vec<f64>>,
        /// The number of keys on each side; absent: no window.
        width: Option<f64>,
        /// The number of keys drawn for each query.
        keys: f64,
        /// The seed of the draw.
        seed: f64,
        /// Whether later keys are masked in the window.
        one_sided: Option<bool>,
    },
    /// Blocks of tokens that attend to each other alone.
    Block {
        /// The number of tokens of a block; at least 1.
        size: f64,
    },
    /// A stride: a query attends to its neighbours up to the distance `stride`, and to every
    /// `stride`-th key.
    Strided {
        /// The stride; at least 1.
        stride: f64,
        /// Whether later keys are masked.
        one_sided: Option<bool>,
    },
    /// A prefix: every query attends to the first keys, and beyond them to no later key.
    Prefix {
        /// The number of the first keys.
        length: f64,
    },
}

/// The fields of a preset as it is sent. A derived reader of the enum would keep a copy of every
/// field with its type until it knows the kind, in ten times the code.
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

/// A pattern in place of a head's weights: the name of a pattern, or a matrix `[query][key]` of
/// numbers from 0, whose rows are divided by their sums.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum HeadPattern {
    /// A pattern known by name.
    Named(NamedPattern),
    /// A drawn matrix, row by row.
    Drawn(Vec<Vec<f64>>),
}

impl<'de> Deserialize<'de> for HeadPattern {
    /// Reads a string or a matrix directly: a derived reader of an untagged enum would first keep a
    /// copy of every cell with its type.
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

/// A gate or a fixed pattern of heads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct HeadEdit {
    /// The stack: `encoder`, `decoder` or `cross`; absent: all.
    pub stack: Option<Stack>,
    /// The layers, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// The heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// The gate, a factor of the head's context: 0 ablates the head, 1 leaves it, 2 doubles it.
    pub gate: Option<f64>,
    /// The pattern in place of the head's weights: equal weights for all open keys, the key at the
    /// query's own position, the key before it, or a drawn matrix `[query][key]` of numbers from 0.
    #[cfg_attr(test, ts(optional, type = "NamedPattern | number[][]"))]
    pub pattern: Option<HeadPattern>,
}

/// Residuals and norms of sublayers, left out or moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct BlockEdit {
    /// The stack: `encoder` or `decoder`; absent: both.
    #[cfg_attr(test, ts(optional, type = "Exclude<Stack, \"cross\">"))]
    pub stack: Option<Stack>,
    /// The layers, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// The sublayers; absent: all of a block.
    pub sublayers: Option<Vec<Sublayer>>,
    /// Whether the input of a sublayer is added to its output.
    pub residual: Option<bool>,
    /// The place of the sublayer's norm: the model's, none, before the sublayer, after the sum.
    pub norm: Option<NormPlace>,
}

/// Changes of how heads compute weights from queries and keys. If several edits of one head set the
/// same field, the last one applies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct AttentionEdit {
    /// The stack: `encoder`, `decoder` or `cross`; absent: all.
    pub stack: Option<Stack>,
    /// The layers, from 0; absent: all.
    pub layers: Option<Vec<f64>>,
    /// The heads, from 0; absent: all.
    pub heads: Option<Vec<f64>>,
    /// The variant; absent: unchanged, at first `softmax`, the model's own.
    pub kind: Option<VariantName>,
    /// The variant's numbers, all of them whole; an absent one has its default.
    pub parameters: Option<VariantParameters>,
    /// The factor of scores; absent: unchanged, at first `model`.
    #[cfg_attr(test, ts(optional, type = "ScaleName | number"))]
    pub scale: Option<ScoreScale>,
    /// The divisor of scores before the softmax; absent: unchanged, at first 1.
    pub temperature: Option<f64>,
    /// The random dropout of weights; absent: unchanged, at first none.
    pub dropout: Option<Dropout>,
}

/// The numbers of attention variants; each variant takes its own and no others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct VariantParameters {
    /// `additive`: the number of units of the network. `sliding`: the number of keys on each side.
    pub width: Option<f64>,
    /// `blocks`: the number of tokens of a block. `chunked`: the number of keys of a chunk.
    pub size: Option<f64>,
    /// `blocks`: the number of blocks on each side of a query's own.
    pub neighbours: Option<f64>,
    /// `performer`: the number of random features.
    pub features: Option<f64>,
    /// `low-rank`: the number of singular values that are kept.
    pub rank: Option<f64>,
    /// `linformer`: the number of pooled keys.
    pub keys: Option<f64>,
    /// `additive`, `performer`: the seed of the draw.
    pub seed: Option<f64>,
}

impl VariantParameters {
    /// Every number with its name.
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

/// The factor of scores: `model`, which is `1/√d_h` for products and 1 for other scores, `none`, or
/// a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the scale of the scores: \"model\", \"none\" or a number")]
pub enum ScoreScale {
    /// A factor known by name.
    Named(ScaleName),
    /// A factor given as a number.
    By(f64),
}

/// Random dropout of weights; the remaining weights are divided by `1 − rate`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Dropout {
    /// The share of weights that is dropped, from 0 to below 1.
    pub rate: f64,
    /// The seed of the draw.
    pub seed: f64,
}

/// Another scheme of positions, or another order of positions. Of several edits of a stack the last
/// one that names a scheme applies, and the last one that names an order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct PositionEdit {
    /// The stack: `encoder` or `decoder`; absent: both.
    #[cfg_attr(test, ts(optional, type = "Exclude<Stack, \"cross\">"))]
    pub stack: Option<Stack>,
    /// The scheme of positions: the model's, none, or another.
    pub scheme: Option<PositionScheme>,
    /// The numbers of the scheme; numbers of other schemes are refused.
    pub parameters: Option<PositionParameters>,
    /// The position of each token, a permutation of the first positions; tokens after them keep
    /// theirs.
    pub order: Option<Vec<f64>>,
}

/// The numbers of all schemes. An absent number has the default of its paper, or of the model if
/// the model has the same scheme.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct PositionParameters {
    /// `sinusoidal`, `rotary`: the base of the wavelengths, above 0; absent: 10000.
    pub base: Option<f64>,
    /// `sinusoidal`: whether sine and cosine of a pair are side by side; otherwise all sines are
    /// first.
    pub interleaved: Option<bool>,
    /// `learned`, `t5`, `transformer-xl`: the seed of the untrained numbers; absent: 1, except that
    /// `learned` uses the model's own table if there is one.
    pub seed: Option<f64>,
    /// `t5`: the number of buckets, an even number from 4; absent: 32.
    pub buckets: Option<f64>,
    /// `t5`: the distance from which on all distances share a bucket; absent: 128.
    pub max_distance: Option<f64>,
}

named! {
    /// A fixed pattern that is known by name.
    NamedPattern, EditUnsupported, "the pattern of a head" {
        /// Equal weights for all open keys.
        Uniform = "uniform",
        /// All weight on the key at the query's own position.
        Diagonal = "diagonal",
        /// All weight on the key before the query's own position.
        Previous = "previous",
    }
}

named! {
    /// The place of a sublayer's norm: the model's, none, before the sublayer, after the sum.
    NormPlace, EditUnsupported, "the norm of an edit" {
        /// The place in the model.
        Model = "model",
        /// No norm.
        None = "none",
        /// The place before the sublayer.
        Pre = "pre",
        /// The place after the sum.
        Post = "post",
    }
}

named! {
    /// A factor of scores that is known by name.
    ScaleName, EditUnsupported, "the scale of the scores" {
        /// The model's factor: `1/√d_h` for products, 1 for other scores.
        Model = "model",
        /// The factor 1.
        None = "none",
    }
}

named! {
    /// A scheme of positions: the model's, none, or a scheme of `positions`.
    PositionScheme, EditUnsupported, "the scheme of positions" {
        /// The scheme of the model.
        Model = "model",
        /// No positions.
        None = "none",
        /// Sine and cosine waves added to the embeddings.
        Sinusoidal = "sinusoidal",
        /// A table with a row per position, added to the embeddings.
        Learned = "learned",
        /// Rotary positions: queries and keys are rotated.
        Rotary = "rotary",
        /// `ALiBi`: a slope per head.
        Alibi = "alibi",
        /// T5's relative positions: a bias per head and bucket of distances.
        T5 = "t5",
        /// Transformer-XL's relative positions: scores of four terms.
        TransformerXl = "transformer-xl",
    }
}
