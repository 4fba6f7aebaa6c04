//! The description of a model family: the fields of its config.json with Hugging Face's defaults,
//! the names of its tensors, and the properties that differ between families. `families/` holds an
//! entry for each family; `reader.rs` reads a config by it, `loader/` a checkpoint.

use super::wire::{Fields, Setting};
use crate::axes::Stack;
use crate::edits::NormPlace;
use crate::error::Result;
use crate::kernels::activation::Activation;

/// One family. A relative is written as its differences: `Family { …, ..BERT }`.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The family's names in `model_type`; the first is the name in messages.
    pub names: &'static [&'static str],
    /// Other names of fields: a value under the first name is moved to the second.
    pub aliases: &'static [(&'static str, &'static str)],
    /// Prefixes of the names of tensors: of a whole model first, then of a bare one.
    pub prefixes: &'static [&'static str],
    /// The fields of the sizes that all stacks share.
    pub sizes: Sizes,
    /// Fields of which one value is computed; a config with another value is refused.
    pub required: &'static [(&'static str, BuiltIn)],
    /// Fields that Hugging Face does not compute with; a value other than the given one gives a
    /// warning.
    pub ignored: &'static [(&'static str, BuiltIn)],
    /// The default of `pad_token_id`.
    pub pad_token: Option<u32>,
    /// The activation of the feed-forward network.
    pub activation: ActivationSetting,
    /// The norms of the residual stream and of heads.
    pub norm: NormSetting,
    /// Whether matrices are stored as `[inner, outer]`, as in GPT-2.
    pub is_transposed: Setting<bool>,
    /// Whether only the tokens before it are visible to a token of the decoder.
    pub is_causal: Setting<bool>,
    /// Whether the feed-forward network reads the layer's input, in parallel with self-attention.
    pub is_parallel: Setting<bool>,
    /// Whether a parallel feed-forward network reads its input through the norm of self-attention.
    pub shares_parallel_norm: bool,
    /// Whether token embeddings are multiplied by the root of the model's width.
    pub scales_embedding: Setting<bool>,
    /// The factor of raw scores.
    pub score_scale: ScoreScale,
    /// The soft cap of scaled scores.
    pub score_cap: Setting<Option<f64>>,
    /// The soft cap of logits.
    pub logit_cap: Setting<Option<f64>>,
    /// The layers in which only nearby keys are visible to a query.
    pub window: Option<WindowSetting>,
    /// The rotary position embedding.
    pub rope: Option<Rope>,
    /// The field, if any, that makes the only stack causal or not.
    pub direction: Direction,
    /// Block-sparse attention in long texts.
    pub sparse: Option<SparseSetting>,
    /// The names of the encoder.
    pub encoder: Option<StackNames>,
    /// The names of the decoder.
    pub decoder: Option<StackNames>,
    /// Whether token tables and output projection are tied.
    pub tie: TieSetting,
    /// The output heads that a checkpoint may have. The first head whose own tensors exist is read;
    /// the last one is the usual one.
    pub heads: &'static [HeadNames],
}

impl Family {
    /// The family's name in messages.
    pub const fn name(&self) -> &'static str {
        self.names[0]
    }

    /// The names of a stack, if the family has that stack.
    pub fn stack(&self, stack: Stack) -> Option<&StackNames> {
        match stack {
            Stack::Encoder => self.encoder.as_ref(),
            Stack::Decoder | Stack::Cross => self.decoder.as_ref(),
        }
    }

    /// The family as a config selects it: an encoder that is causal, a decoder that is not, or the
    /// encoder of two stacks alone.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn resolved(mut self, fields: &Fields) -> Result<Self> {
        match self.direction {
            Direction::CausalIf(field) if fields.flag_or(field, false)? => {
                self.decoder = self.encoder.take();
            }
            Direction::BothWaysIf(field) if fields.flag_or(field, false)? => {
                self.encoder = self.decoder.take();
                self.window = self.window.map(|window| {
                    // The window's size then counts the keys of both sides.
                    WindowSetting { is_whole_width: true, ..window }
                });
                // A token that is visible to its predecessor is not predicted.
                self.heads = &[];
            }
            _ => {}
        }
        if self.encoder.is_some() && fields.architecture()?.is_some_and(is_encoder_alone) {
            self.decoder = None;
            self.heads = &[];
        }
        Ok(self)
    }

    /// The names of the stack that reads the text.
    pub fn first_stack(&self) -> Option<&StackNames> {
        self.encoder.as_ref().or(self.decoder.as_ref())
    }
}

/// Whether a class of Hugging Face is the encoder alone of two stacks.
fn is_encoder_alone(architecture: &str) -> bool {
    architecture.ends_with("EncoderModel") || architecture.ends_with("T5ForTokenClassification")
}

/// The field that makes the only stack of a family causal or not.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    /// No field: the direction is fixed.
    Fixed,
    /// An encoder is a decoder if this field is true.
    CausalIf(&'static str),
    /// A decoder is an encoder if this field is true.
    BothWaysIf(&'static str),
}

/// Block-sparse attention. Hugging Face computes it for long texts alone: up to `(5 + 2 · random) ·
/// size` tokens it computes full attention.
#[derive(Clone, Copy)]
pub(super) struct SparseSetting {
    /// The field that names the type of attention.
    pub kind: &'static str,
    /// The type with full attention for any text.
    pub full: &'static str,
    /// The type with block-sparse attention, which is the default.
    pub sparse: &'static str,
    /// The number of keys in a block.
    pub size: Setting<usize>,
    /// The number of random blocks.
    pub random: Setting<usize>,
}

/// Whether the token tables and the output projection are tied.
#[derive(Clone, Copy)]
pub(super) enum TieSetting {
    /// The value of `tie_word_embeddings`, with this default.
    Field(bool),
    /// Tied whatever the config says.
    Always,
}

/// The only supported value of a field.
#[derive(Clone, Copy)]
pub(super) enum BuiltIn {
    /// A flag.
    Flag(bool),
    /// A text.
    Text(&'static str),
    /// The field must be absent or null.
    Nothing,
}

/// The fields of the sizes that all stacks share.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The field of the residual stream's width, which is required.
    pub width: &'static str,
    /// The field of the width of the token tables, if it may differ from the residual stream's.
    pub embedding_width: Option<EmbeddingWidth>,
    /// The field of the size of the decoder's vocabulary, where each stack may have its own.
    pub target_vocabulary: Option<&'static str>,
    /// The longest text, in rows of the position table.
    pub positions: Setting<usize>,
    /// The default number of token types, in a family with a token-type table; a value of 0 is
    /// refused unless the default is 0.
    pub token_types: usize,
    /// The term `ε` of every norm.
    pub epsilon: Setting<f64>,
}

/// The field of the width of the token tables.
#[derive(Clone, Copy)]
pub(super) struct EmbeddingWidth {
    /// The name of the field.
    pub field: &'static str,
    /// Hugging Face's default; `None` for the width of the residual stream.
    pub default: Option<usize>,
}

/// The fields that name the activation of the feed-forward network.
#[derive(Clone, Copy)]
pub(super) enum ActivationSetting {
    /// A field with the activation's name; the family decides whether there is a gate.
    Named {
        /// The field and its default.
        activation: Setting<Activation>,
        /// Whether the feed-forward network has a gate.
        is_gated: bool,
        /// The activation that the name `gelu` stands for.
        gelu: Activation,
    },
    /// A field with the prefix `gated-` if there is a gate. The fields `dense_act_fn` and
    /// `is_gated_act`, if present, win.
    WithGate {
        /// The name of the field.
        field: &'static str,
        /// The default of the field.
        default: &'static str,
    },
}

/// The norms of a family.
#[derive(Clone, Copy)]
pub(super) struct NormSetting {
    /// Layer norm or RMS norm.
    pub kind: NormFormula,
    /// Whether a layer norm has a bias.
    pub has_bias: Setting<bool>,
    /// The number added to a stored gain; Gemma stores gains less 1.
    pub gain_offset: f32,
    /// The place of the norms.
    pub placement: NormPlace,
    /// The field, true by default, that moves norms behind the sublayers if it is false; then there
    /// is no norm after the last layer.
    pub before_if: Option<&'static str>,
    /// Whether norms have weights.
    pub is_trained: Setting<bool>,
    /// Whether the norm after the last layer is left out.
    pub lacks_final: Setting<bool>,
}

/// The formula of a norm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NormFormula {
    /// Layer norm: division by the standard deviation after subtraction of the mean.
    Layer,
    /// RMS norm: division by the root of the mean square.
    RootMeanSquare,
}

/// The factor of raw scores.
#[derive(Clone, Copy)]
pub(super) enum ScoreScale {
    /// The factor `1/√d_h`.
    HeadWidth,
    /// The factor 1.
    One,
    /// The factor `1/√x`, with `x` from a field.
    RootOf(Setting<Option<f64>>),
    /// The factor `1/√d_h`, or 1 if a field that is true by default is false.
    HeadWidthIf {
        /// The name of the field.
        field: &'static str,
        /// Whether the factor is divided by the layer's number, which counts from 1.
        by_layer: Setting<bool>,
    },
}

/// The layers in which only nearby keys are visible to a query.
#[derive(Clone, Copy)]
pub(super) struct WindowSetting {
    /// The number of keys that are visible to a query; no window if null or 0.
    pub size: Setting<Option<f64>>,
    /// Whether the size counts the keys of both sides.
    pub is_whole_width: bool,
    /// The field that switches windows on, if there is one.
    pub switch: Option<&'static str>,
    /// The field that lists the attention type of each layer, if there is one.
    pub layers: Option<&'static str>,
    /// The field that lists the attention types of layers with repeat counts.
    pub repeated_layers: Option<&'static str>,
    /// The attention type that has a window.
    pub local: &'static str,
    /// The rule for layers with a window, if no list is given.
    pub rule: LocalLayers,
}

/// The layers that have a window.
#[derive(Clone, Copy)]
pub(super) enum LocalLayers {
    /// All layers.
    All,
    /// The layers without rotary positions.
    Unturned,
    /// All layers from this one on.
    From(Setting<usize>),
    /// All layers but those whose number plus `offset` is a multiple of `every`.
    ButEvery {
        /// The distance between two layers of full attention.
        every: Setting<usize>,
        /// The number added to a layer's number, which counts from 0.
        offset: usize,
    },
}

/// The fields of rotary position embedding.
#[derive(Clone, Copy)]
pub(super) struct Rope {
    /// The base of the periods, if `rope_parameters` does not give it.
    pub base: Setting<f64>,
    /// The rotated share of a head; `None` in a family that rotates all of it.
    pub share: Option<Setting<f64>>,
    /// The base in layers with a window, if it is a separate one.
    pub local_base: Option<Setting<f64>>,
    /// Whether `rope_scaling` applies to layers with a window too.
    pub scales_local: bool,
    /// The original length in tokens before scaling, in a family whose config gives it outside the
    /// parameters.
    pub original: Option<Setting<usize>>,
    /// Blocks without rotary positions.
    pub unturned: Option<Unturned>,
}

/// The layers without rotary positions.
#[derive(Clone, Copy)]
pub(super) struct Unturned {
    /// The field that lists the layers: 0 for a layer without rotary positions.
    pub layers: &'static str,
    /// Without a list, the distance between layers without rotary positions.
    pub every: Setting<usize>,
}

/// The fields and the tensors of a stack. Names of tensors follow the prefix.
#[derive(Clone, Copy)]
pub(super) struct StackNames {
    /// The fields of the stack's sizes.
    pub sizes: StackSizes,
    /// The token tables.
    pub tokens: TokenNames,
    /// The position table or sinusoids that are added to the embeddings.
    pub positions: PositionNames,
    /// The relative-position terms that join the scores.
    pub relative: RelativeNames,
    /// The token-type table.
    pub token_types: Option<&'static str>,
    /// The norm of the embeddings.
    pub embedding_norm: Option<&'static str>,
    /// The projection from the width of the token tables to the residual stream's.
    pub embedding_projection: ProjectionNames,
    /// A row that is added to every token's embedding.
    pub added_row: Option<AddedRow>,
    /// The name of a layer, with `{}` for its number.
    pub blocks: &'static str,
    /// The groups of layers that share weights.
    pub groups: Option<GroupSizes>,
    /// The self-attention of a layer.
    pub attention: AttentionNames,
    /// The cross-attention of a layer.
    pub cross: Option<AttentionNames>,
    /// The feed-forward network of a layer.
    pub network: NetworkNames,
    /// The convolution beside the first layer.
    pub convolution: Option<ConvolutionNames>,
    /// The norm after the last layer.
    pub final_norm: Option<&'static str>,
}

impl StackNames {
    /// Whether a tensor, named without the prefix, may belong to the stack of `n_layers` layers.
    pub fn has_tensor(&self, name: &str, n_layers: usize) -> bool {
        let (blocks, _) = self.blocks.split_once("{}").unwrap_or((self.blocks, ""));
        if let Some(number) = name.strip_prefix(blocks).and_then(|rest| rest.split('.').next()) {
            return number.parse::<usize>().is_ok_and(|number| number < n_layers);
        }
        let tokens = match self.tokens {
            TokenNames::Table(table) => vec![table],
            TokenNames::Shared { shared, own, other } => vec![shared, own, other],
            TokenNames::Patches { specials, map } => [specials, &[map]].concat(),
        };
        let positions = match self.positions {
            PositionNames::Trained { table, .. } | PositionNames::Waves(table) => Some(table),
            PositionNames::None | PositionNames::LaterWaves => None,
        };
        let relative = match self.relative {
            RelativeNames::Buckets(names) => vec![names.table],
            RelativeNames::Disentangled(names) => {
                names.norm.map(|(_, norm)| norm).into_iter().chain([names.table]).collect()
            }
            RelativeNames::None => Vec::new(),
        };
        let projections = match self.embedding_projection {
            ProjectionNames::None => Vec::new(),
            ProjectionNames::OfSum { map, .. } => vec![map],
            ProjectionNames::OfTokens { enter, leave } => vec![enter, leave],
        };
        let added = self.added_row.map(|row| row.table);
        let convolution = self.convolution.map(|names| [names.map, names.norm]);
        let single = [positions, self.token_types, self.embedding_norm, self.final_norm, added];
        let single = single.into_iter().flatten();
        let single = single.chain(convolution.into_iter().flatten());
        let mut all = tokens.into_iter().chain(relative).chain(projections).chain(single);
        all.any(|own| name.starts_with(own))
    }
}

impl HeadNames {
    /// Whether a tensor may belong to the head.
    pub fn has_tensor(&self, name: &str) -> bool {
        let transform = self.transform.map(|names| [names.dense, names.norm]);
        let single = [self.projection, self.bias, self.untied_bias, self.distilled];
        let mut all = single.into_iter().flatten().chain(transform.into_iter().flatten());
        name == "final_logits_bias" || all.any(|own| name.starts_with(own))
    }
}

/// The fields and the tensors of a convolution over neighbouring tokens.
#[derive(Clone, Copy)]
pub(super) struct ConvolutionNames {
    /// The number of tokens that the convolution reads, odd; 0 for no convolution.
    pub kernel: Setting<usize>,
    /// The number of groups of dimensions that do not mix.
    pub groups: Setting<usize>,
    /// The activation after the convolution.
    pub activation: Setting<Activation>,
    /// The kernel of the convolution, `[d, d / groups, tokens]`, and its bias.
    pub map: &'static str,
    /// The norm of the sum with the residual stream.
    pub norm: &'static str,
}

/// The projection between the width of the token tables and the residual stream's.
#[derive(Clone, Copy)]
pub(super) enum ProjectionNames {
    /// No projection: the widths are equal.
    None,
    /// A projection of the normed embedding.
    OfSum {
        /// The name of the projection.
        map: &'static str,
        /// Whether the projection exists even if both widths are equal.
        is_always_there: bool,
    },
    /// A projection of token embeddings before positions are added, without a bias, and the
    /// projection back before the output head.
    OfTokens {
        /// The projection from the token tables' width to the residual stream's.
        enter: &'static str,
        /// The projection from the residual stream's width to the token tables'.
        leave: &'static str,
    },
}

/// The first row of a table, added to every token's embedding.
#[derive(Clone, Copy)]
pub(super) struct AddedRow {
    /// Whether the row is added.
    pub is_used: Setting<bool>,
    /// The number of rows of the table.
    pub count: Setting<usize>,
    /// The name of the table.
    pub table: &'static str,
}

/// Groups of layers that share weights (ALBERT): neighbouring layers have one group, and a layer
/// applies the blocks of its group. Names of blocks have `{}` for the group and then for the block
/// in the group.
#[derive(Clone, Copy)]
pub(super) struct GroupSizes {
    /// The number of groups.
    pub groups: Setting<usize>,
    /// The number of blocks in a group.
    pub inner: Setting<usize>,
}

/// The fields of a stack's sizes.
#[derive(Clone, Copy)]
pub(super) struct StackSizes {
    /// The number of layers.
    pub layers: &'static str,
    /// The field read in place of `layers` if that is absent.
    pub layers_fallback: Option<&'static str>,
    /// The number of query heads per layer.
    pub heads: &'static str,
    /// The number of key/value heads; equal to the query heads if null.
    pub kv_heads: Option<&'static str>,
    /// The default of `kv_heads`; `None` for the number of query heads.
    pub kv_heads_default: Option<usize>,
    /// The field of a head's width; without it, the model's width divided by the heads.
    pub head_dim: Option<&'static str>,
    /// Hugging Face's default of `head_dim`; `None` for the model's width divided by the heads.
    pub head_dim_default: Option<usize>,
    /// The field of the width inside the feed-forward network.
    pub d_ff: &'static str,
    /// The default of `d_ff` as a multiple of the model's width; `None` if the field is required.
    pub d_ff_times: Option<usize>,
}

/// The token tables of a stack.
#[derive(Clone, Copy)]
pub(super) enum TokenNames {
    /// A table of the stack's own.
    Table(&'static str),
    /// A table that two stacks may share.
    Shared {
        /// The name of the shared table.
        shared: &'static str,
        /// The name of this stack's table.
        own: &'static str,
        /// The name of the other stack's table.
        other: &'static str,
    },
    /// The patches of an image.
    Patches {
        /// The special tokens before the first patch.
        specials: &'static [&'static str],
        /// The map of patches, stored as the kernel of a convolution.
        map: &'static str,
    },
}

/// The position table or sinusoids that are added to the embeddings.
#[derive(Clone, Copy)]
pub(super) enum PositionNames {
    /// No rows are added.
    None,
    /// A trained table.
    Trained {
        /// The name of the table.
        table: &'static str,
        /// The first rows of the table, which no token with a position has.
        skipped: SkippedRows,
        /// Whether the family's config enables the table.
        is_used: Setting<bool>,
    },
    /// Sinusoids, which the checkpoint may store under this name.
    Waves(&'static str),
    /// Sinusoids whose last wavelength is the base, with positions counted from the padding token's
    /// id.
    LaterWaves,
}

/// The first rows of a position table, which no token with a position has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SkippedRows {
    /// This number of rows, in addition to the config's count.
    Count(usize),
    /// This number of rows, in addition to the config's count; tokens that the attention mask
    /// leaves out have the last of them, and position ids skip those tokens.
    CountOfReal(usize),
    /// The rows up to the padding token's id, included in the config's count. Padding tokens have
    /// the last of them, and position ids skip those tokens.
    UpToPadding,
    /// The rows up to this id, whatever the padding token is.
    UpToToken(u32),
}

/// The relative-position terms that join the scores.
#[derive(Clone, Copy)]
pub(super) enum RelativeNames {
    /// No terms.
    None,
    /// A trained number for each head and bucket of distances.
    Buckets(BucketNames),
    /// Disentangled attention: keys and queries of distances.
    Disentangled(DisentangledNames),
}

/// Trained numbers per head and bucket of distances, in `relative_attention_num_buckets` rows.
#[derive(Clone, Copy)]
pub(super) struct BucketNames {
    /// The table, `[buckets, heads]`.
    pub table: &'static str,
    /// The number of buckets in use; `None` for all rows.
    pub count: Option<usize>,
    /// The distance from which on all distances share the last bucket.
    pub max_distance: Setting<usize>,
}

/// The fields and tensors of disentangled attention.
#[derive(Clone, Copy)]
pub(super) struct DisentangledNames {
    /// Whether disentangled attention is on.
    pub switch: Setting<bool>,
    /// The largest distance; a value below 1 stands for the longest text.
    pub most: Setting<Option<f64>>,
    /// The number of buckets on each side; a value below 1 stands for one row per distance.
    pub buckets: Setting<Option<f64>>,
    /// The table of distances.
    pub table: &'static str,
    /// The field that may contain `layer_norm` for the table, and the name of that norm.
    pub norm: Option<(&'static str, &'static str)>,
    /// Whether the scale of scores counts all words of `pos_att_type`, not only the known ones.
    pub counts_all_words: bool,
    /// Whether the maps of tokens also make the keys and queries of distances.
    pub shares_maps: Setting<bool>,
    /// The map to keys of distances, within a layer.
    pub key: &'static str,
    /// The map to queries of distances, within a layer.
    pub query: &'static str,
}

/// The tensors of an attention site, within a layer.
#[derive(Clone, Copy)]
pub(super) struct AttentionNames {
    /// The maps to queries, keys and values.
    pub maps: MapNames,
    /// Whether the maps to queries, keys and values have a bias.
    pub bias: Setting<bool>,
    /// Biases that are stored apart from their maps.
    pub own_biases: Option<OwnBiases>,
    /// The output projection.
    pub output: &'static str,
    /// Whether the output projection has a bias.
    pub output_bias: Setting<bool>,
    /// The norms of queries and keys.
    pub head_norms: Option<HeadNormNames>,
    /// The norms of the sublayer.
    pub norms: SublayerNorms,
    /// Whether the first layer has no attention norm, since the embedding has one.
    pub first_has_no_norm: bool,
}

/// The maps to queries, keys and values.
#[derive(Clone, Copy)]
pub(super) enum MapNames {
    /// Three maps.
    Separate {
        /// The map to queries.
        query: &'static str,
        /// The map to keys.
        key: &'static str,
        /// The map to values.
        value: &'static str,
    },
    /// One map: first all queries, then all keys, then all values.
    Fused(&'static str),
    /// One map: for each head its query, key and value.
    FusedByHead(&'static str),
}

/// Biases of queries and values that are stored apart from their maps.
#[derive(Clone, Copy)]
pub(super) struct OwnBiases {
    /// The bias of queries.
    pub query: &'static str,
    /// The bias of values.
    pub value: &'static str,
}

/// The norms of queries and keys.
#[derive(Clone, Copy)]
pub(super) struct HeadNormNames {
    /// The norm of queries.
    pub query: &'static str,
    /// The norm of keys.
    pub key: &'static str,
    /// The rows that a norm reads, and its weights.
    pub style: HeadNormStyle,
    /// Whether the config enables the norms.
    pub is_used: Setting<bool>,
}

/// The rows that a norm of queries or keys reads, and its weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadNormStyle {
    /// An RMS norm of each head; all heads have the same gain.
    EveryHead,
    /// An RMS norm of all heads side by side.
    AllHeads,
    /// A layer norm of each head without a bias; each head has its own gain, under a name with `{}`
    /// for the head.
    OwnGains,
}

/// The norms of a sublayer, within a layer.
#[derive(Clone, Copy)]
pub(super) struct SublayerNorms {
    /// The norm at the family's usual place.
    pub usual: Option<&'static str>,
    /// The norm of the sublayer's output, before the residual sum.
    pub after: Option<&'static str>,
}

/// The tensors of a feed-forward network, within a layer.
#[derive(Clone, Copy)]
pub(super) struct NetworkNames {
    /// The first map, without a gate.
    pub inner: &'static str,
    /// The first maps, with a gate.
    pub gate: GateNames,
    /// The second map.
    pub outer: &'static str,
    /// Whether the maps have a bias.
    pub bias: Setting<bool>,
    /// The norms of the sublayer.
    pub norms: SublayerNorms,
}

/// The first maps of a gated feed-forward network.
#[derive(Clone, Copy)]
pub(super) enum GateNames {
    /// The family has no gates.
    None,
    /// Two maps.
    Separate {
        /// The map whose output the activation reads.
        gate: &'static str,
        /// The map whose output multiplies the activated numbers.
        linear: &'static str,
    },
    /// One map: first the part that the activation reads, then the other.
    Fused(&'static str),
}

/// The tensors of an output head. Their names have no prefix.
#[derive(Clone, Copy)]
pub(super) struct HeadNames {
    /// The projection onto the vocabulary; `None` if it is always the embedding table.
    pub projection: Option<&'static str>,
    /// The bias of the projection.
    pub bias: Option<&'static str>,
    /// The bias of an untied projection, in files that have it.
    pub untied_bias: Option<&'static str>,
    /// The transform before the projection.
    pub transform: Option<TransformNames>,
    /// A second projection, whose logits are averaged with those of the first.
    pub distilled: Option<&'static str>,
    /// The field that says whether the projection reads hidden states divided by the root of their
    /// width; if absent, it does unless `tie_word_embeddings` is false.
    pub scaled: Option<&'static str>,
}

/// The transform before the projection onto the vocabulary.
#[derive(Clone, Copy)]
pub(super) struct TransformNames {
    /// The dense map.
    pub dense: &'static str,
    /// Whether the dense map has a bias.
    pub dense_bias: Setting<bool>,
    /// The activation after the dense map.
    pub activation: Setting<Activation>,
    /// The norm after the activation.
    pub norm: &'static str,
}
