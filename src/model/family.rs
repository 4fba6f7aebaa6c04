//! What a family of models is made of: the fields of its config.json and Hugging Face's defaults,
//! the names of its tensors, and where it differs from others. `families/` holds an entry for each
//! family; `reader.rs` reads a config by it, `loader/` a checkpoint.

use super::wire::{Fields, Setting};
use crate::axes::Stack;
use crate::edits::NormPlace;
use crate::error::Result;
use crate::kernels::activation::Activation;

/// One family. A relative is written as what differs: `Family { …, ..BERT }`.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The family's names in `model_type`; the first names it.
    pub names: &'static [&'static str],
    /// Other names of fields: the value under the first name is that of the second.
    pub aliases: &'static [(&'static str, &'static str)],
    /// What may stand before the names of tensors: in a whole model first, then in a bare one.
    pub prefixes: &'static [&'static str],
    /// The fields of sizes that all stacks share.
    pub sizes: Sizes,
    /// Fields with one value that is computed; a config with another value is refused.
    pub required: &'static [(&'static str, BuiltIn)],
    /// Fields that Hugging Face does not compute with. Another value than this gives a warning.
    pub ignored: &'static [(&'static str, BuiltIn)],
    /// `pad_token_id`, where it is absent.
    pub pad_token: Option<u32>,
    /// The activation of the feed-forward network.
    pub activation: ActivationSetting,
    /// The norms of the residual stream and of heads.
    pub norm: NormSetting,
    /// Whether maps are stored as `[inner, outer]`, as GPT-2 does.
    pub is_transposed: Setting<bool>,
    /// Whether the tokens of a decoder see only those before them.
    pub is_causal: Setting<bool>,
    /// Whether the feed-forward network reads what entered the block.
    pub is_parallel: Setting<bool>,
    /// Whether a network that does so reads it through the norm of self-attention.
    pub shares_parallel_norm: bool,
    /// Whether embeddings are multiplied by the root of the model's width.
    pub scales_embedding: Setting<bool>,
    /// The factor on raw scores.
    pub score_scale: ScoreScale,
    /// The soft cap of scaled scores.
    pub score_cap: Setting<Option<f64>>,
    /// The soft cap of logits.
    pub logit_cap: Setting<Option<f64>>,
    /// Blocks whose queries see only the keys nearby.
    pub window: Option<WindowSetting>,
    /// Rotary positions.
    pub rope: Option<Rope>,
    /// Which way its only stack looks, where a field says so.
    pub direction: Direction,
    /// Attention to blocks of keys in long texts.
    pub sparse: Option<SparseSetting>,
    /// The stack that reads.
    pub encoder: Option<StackNames>,
    /// The stack that writes.
    pub decoder: Option<StackNames>,
    /// Whether tables of a checkpoint are one where it has only one of them.
    pub tie: TieSetting,
    /// The output heads that a checkpoint may have. The first whose own tensors are there is read;
    /// the last is the usual one.
    pub heads: &'static [HeadNames],
}

impl Family {
    /// The name of the family.
    pub const fn name(&self) -> &'static str {
        self.names[0]
    }

    /// The names of a stack, if the family has it.
    pub fn stack(&self, stack: Stack) -> Option<&StackNames> {
        match stack {
            Stack::Encoder => self.encoder.as_ref(),
            Stack::Decoder | Stack::Cross => self.decoder.as_ref(),
        }
    }

    /// The family as a config has it: an encoder that writes, a decoder that looks both ways, or
    /// the encoder of two stacks alone.
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
                    // The size then counts the keys of both sides.
                    WindowSetting { is_whole_width: true, ..window }
                });
                // What sees the next token does not predict it.
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

    /// The stack that a text enters first.
    pub fn first_stack(&self) -> Option<&StackNames> {
        self.encoder.as_ref().or(self.decoder.as_ref())
    }
}

/// Whether a class of Hugging Face has the encoder of two stacks alone.
fn is_encoder_alone(architecture: &str) -> bool {
    architecture.ends_with("EncoderModel") || architecture.ends_with("T5ForTokenClassification")
}

/// Which way the only stack of a family looks, where a field says so.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    /// No field says so.
    Fixed,
    /// An encoder is a decoder where this field is true.
    CausalIf(&'static str),
    /// A decoder is an encoder where this field is true.
    BothWaysIf(&'static str),
}

/// Attention to blocks of keys, which Hugging Face computes of long texts alone: up to
/// `(5 + 2 · random) · size` tokens it takes all keys.
#[derive(Clone, Copy)]
pub(super) struct SparseSetting {
    /// The field that names the kind of attention.
    pub kind: &'static str,
    /// The kind that looks at all keys of any text.
    pub full: &'static str,
    /// The kind that looks at blocks of keys, which is the usual one.
    pub sparse: &'static str,
    /// Keys of a block.
    pub size: Setting<usize>,
    /// Blocks drawn by chance.
    pub random: Setting<usize>,
}

/// Whether the tables of tokens and the output projection are one.
#[derive(Clone, Copy)]
pub(super) enum TieSetting {
    /// As `tie_word_embeddings` says; this is its default.
    Field(bool),
    /// Whatever the config says.
    Always,
}

/// The value of a field that is built in.
#[derive(Clone, Copy)]
pub(super) enum BuiltIn {
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(&'static str),
    /// Nothing: the field must be absent or null.
    Nothing,
}

/// The fields of sizes that all stacks share.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The width of the residual stream; it must be there.
    pub width: &'static str,
    /// The width of the tables, where it is not that of the stream.
    pub embedding_width: Option<EmbeddingWidth>,
    /// Entries of the decoder's vocabulary, where the stacks may have one each.
    pub target_vocabulary: Option<&'static str>,
    /// The longest text, counted in rows of the table of positions.
    pub positions: Setting<usize>,
    /// Kinds of token, where the family has a table of them. Whether 0 is a value follows from the
    /// default.
    pub token_types: usize,
    /// `ε` of every norm.
    pub epsilon: Setting<f64>,
}

/// The field of the width of the tables.
#[derive(Clone, Copy)]
pub(super) struct EmbeddingWidth {
    /// The name of the field.
    pub field: &'static str,
    /// Hugging Face's default; without one it is the width of the stream.
    pub default: Option<usize>,
}

/// How the activation of the feed-forward network is named.
#[derive(Clone, Copy)]
pub(super) enum ActivationSetting {
    /// By a field of its own; whether there is a gate is the family's.
    Named {
        /// The field and its default.
        activation: Setting<Activation>,
        /// Whether the network has a gate.
        is_gated: bool,
        /// What the name `gelu` means.
        gelu: Activation,
    },
    /// By a field that says `gated-` before it where there is a gate. Files say the parts of it
    /// too, in `dense_act_fn` and `is_gated_act`, which win.
    WithGate {
        /// The field.
        field: &'static str,
        /// What it says where it is absent.
        default: &'static str,
    },
}

/// The norms of a family.
#[derive(Clone, Copy)]
pub(super) struct NormSetting {
    /// What a norm divides by.
    pub kind: NormFormula,
    /// Whether a layer norm has a bias.
    pub has_bias: Setting<bool>,
    /// What is added to a stored gain; Gemma stores gains less 1.
    pub gain_offset: f32,
    /// On which side of the residual norms stand.
    pub placement: NormPlace,
    /// The field, true by default, that moves norms behind the sublayers where it is false; there
    /// is no norm after the last block then.
    pub before_if: Option<&'static str>,
    /// Whether norms have weights.
    pub is_trained: Setting<bool>,
    /// Whether the norm after the last block is left out.
    pub lacks_final: Setting<bool>,
}

/// What a norm divides by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NormFormula {
    /// The standard deviation, after the mean was subtracted.
    Layer,
    /// The root of the mean square.
    RootMeanSquare,
}

/// The factor on raw scores.
#[derive(Clone, Copy)]
pub(super) enum ScoreScale {
    /// `1/√d_h`.
    HeadWidth,
    /// 1.
    One,
    /// `1/√x` of the field's number.
    RootOf(Setting<Option<f64>>),
    /// `1/√d_h` or 1, by a field that is true by default.
    HeadWidthIf {
        /// The field.
        field: &'static str,
        /// Whether it is divided by the number of the block, which counts from 1.
        by_layer: Setting<bool>,
    },
}

/// Blocks whose queries see only the keys nearby.
#[derive(Clone, Copy)]
pub(super) struct WindowSetting {
    /// Keys that a query sees; none where it is null or 0.
    pub size: Setting<Option<f64>>,
    /// Whether the size counts the keys of both sides.
    pub is_whole_width: bool,
    /// The field that switches windows on, where there is one.
    pub switch: Option<&'static str>,
    /// The field that lists the kind of each block.
    pub layers: &'static str,
    /// The field that lists it as kinds and how often they follow each other.
    pub repeated_layers: Option<&'static str>,
    /// The kind that has a window.
    pub local: &'static str,
    /// Which blocks have one, where nothing is listed.
    pub rule: LocalLayers,
}

/// Which blocks have a window.
#[derive(Clone, Copy)]
pub(super) enum LocalLayers {
    /// All.
    All,
    /// Blocks without rotary positions.
    Unturned,
    /// All from this one on.
    From(Setting<usize>),
    /// All but every so many: those whose number, plus the offset, can be divided.
    ButEvery {
        /// How many blocks there are from one that sees all keys to the next.
        every: Setting<usize>,
        /// Added to the number of a block, which counts from 0.
        offset: usize,
    },
}

/// Rotary positions.
#[derive(Clone, Copy)]
pub(super) struct Rope {
    /// The base of the periods, where `rope_parameters` does not say it.
    pub base: Setting<f64>,
    /// The share of a head that is turned; all of it where the family has no such field.
    pub share: Option<Setting<f64>>,
    /// The base in blocks with a window, where it is another.
    pub local_base: Option<Setting<f64>>,
    /// Whether `rope_scaling` is for blocks with a window too.
    pub scales_local: bool,
    /// The positions before the model was stretched, in a family that says them beside the
    /// parameters.
    pub original: Option<Setting<usize>>,
    /// Blocks without rotary positions.
    pub unturned: Option<Unturned>,
}

/// Blocks without rotary positions.
#[derive(Clone, Copy)]
pub(super) struct Unturned {
    /// The field that lists the blocks: 0 for one without.
    pub layers: &'static str,
    /// Without a list, every so many have none.
    pub every: Setting<usize>,
}

/// The fields and the tensors of a stack. Names of tensors stand behind the prefix.
#[derive(Clone, Copy)]
pub(super) struct StackNames {
    /// The fields of its sizes.
    pub sizes: StackSizes,
    /// The tables of tokens.
    pub tokens: TokenNames,
    /// The rows that are added to tokens by their position.
    pub positions: PositionNames,
    /// What joins scores by distance.
    pub relative: RelativeNames,
    /// The table of the kinds of token.
    pub token_types: Option<&'static str>,
    /// The norm of the embedding.
    pub embedding_norm: Option<&'static str>,
    /// The map from the width of the tables to that of the stream.
    pub embedding_projection: ProjectionNames,
    /// A row that every token has added, where it is used.
    pub added_row: Option<AddedRow>,
    /// A block, with `{}` for its number.
    pub blocks: &'static str,
    /// Blocks that share weights.
    pub groups: Option<GroupSizes>,
    /// Self-attention.
    pub attention: AttentionNames,
    /// Attention to the encoder.
    pub cross: Option<AttentionNames>,
    /// The feed-forward network.
    pub network: NetworkNames,
    /// The convolution beside the first block.
    pub convolution: Option<ConvolutionNames>,
    /// The norm after the last block.
    pub final_norm: Option<&'static str>,
}

impl StackNames {
    /// Whether a tensor, named without the prefix, may be one of the stack, with so many blocks.
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
    /// Whether a tensor may be one of the head.
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
    /// Tokens that it reads at once, an odd number; 0 for none.
    pub kernel: Setting<usize>,
    /// Groups of dimensions that do not mix.
    pub groups: Setting<usize>,
    /// The activation after it.
    pub activation: Setting<Activation>,
    /// The kernel of the convolution, `[d, d / groups, tokens]`, and its bias.
    pub map: &'static str,
    /// The norm of the sum.
    pub norm: &'static str,
}

/// The map from the width of the tables to that of the stream.
#[derive(Clone, Copy)]
pub(super) enum ProjectionNames {
    /// None: the widths are equal.
    None,
    /// Of the embedding behind its norm.
    OfSum {
        /// The name of the map.
        map: &'static str,
        /// Whether it is there where both widths are the same.
        is_always_there: bool,
    },
    /// Of tokens before positions are added, without a bias, and the map back before the output
    /// head.
    OfTokens {
        /// From the tables to the stream.
        enter: &'static str,
        /// From the stream to the tables.
        leave: &'static str,
    },
}

/// The first row of a table, which every token has added.
#[derive(Clone, Copy)]
pub(super) struct AddedRow {
    /// Whether it is used.
    pub is_used: Setting<bool>,
    /// Rows of the table.
    pub count: Setting<usize>,
    /// The table.
    pub table: &'static str,
}

/// Blocks that share weights: those of a layer are the blocks of its group, and neighbouring layers
/// have one group. Names of blocks have `{}` for the group and then for the block in it.
#[derive(Clone, Copy)]
pub(super) struct GroupSizes {
    /// How many groups there are.
    pub groups: Setting<usize>,
    /// Blocks of a group.
    pub inner: Setting<usize>,
}

/// The fields of a stack's sizes.
#[derive(Clone, Copy)]
pub(super) struct StackSizes {
    /// Blocks.
    pub layers: &'static str,
    /// The field that is read in its place where it is absent.
    pub layers_fallback: Option<&'static str>,
    /// Heads per block.
    pub heads: &'static str,
    /// Heads of keys and values; as many as heads where it is null.
    pub kv_heads: Option<&'static str>,
    /// How many they are where the field is absent, if not as many as heads.
    pub kv_heads_default: Option<usize>,
    /// The width of a head, else the model's divided by the heads.
    pub head_dim: Option<&'static str>,
    /// Hugging Face's default of that field, where it does not follow from the model's width.
    pub head_dim_default: Option<usize>,
    /// The width inside the feed-forward network.
    pub d_ff: &'static str,
    /// How many widths of the model that is where the field is absent or null; without this it must
    /// be there.
    pub d_ff_times: Option<usize>,
}

/// The tables of tokens.
#[derive(Clone, Copy)]
pub(super) enum TokenNames {
    /// One table.
    Table(&'static str),
    /// A table that two stacks may share.
    Shared {
        /// Of both stacks.
        shared: &'static str,
        /// Of this stack.
        own: &'static str,
        /// Of the other stack.
        other: &'static str,
    },
    /// Patches of an image.
    Patches {
        /// Tokens before the first patch.
        specials: &'static [&'static str],
        /// The map of patches, stored as the kernel of a convolution.
        map: &'static str,
    },
}

/// The rows that are added to tokens by their position.
#[derive(Clone, Copy)]
pub(super) enum PositionNames {
    /// None.
    None,
    /// A trained table.
    Trained {
        /// The name of the table.
        table: &'static str,
        /// The first rows of the table, which no token has.
        skipped: SkippedRows,
        /// Whether it is there.
        is_used: Setting<bool>,
    },
    /// Sinusoids, which the checkpoint may hold under this name.
    Waves(&'static str),
    /// Sinusoids whose last wavelength is the base, counted from the padding token's number.
    LaterWaves,
}

/// The first rows of a table of positions, which no token has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SkippedRows {
    /// So many, which the config does not count.
    Count(usize),
    /// So many, which the config does not count, the last of them for masked tokens: positions are
    /// counted over the others.
    CountOfReal(usize),
    /// Rows up to the padding token's number, which the config counts. Padding tokens have the last
    /// of them: positions are counted over the others.
    UpToPadding,
    /// Rows up to this number, whatever the padding token is.
    UpToToken(u32),
}

/// What joins scores by distance.
#[derive(Clone, Copy)]
pub(super) enum RelativeNames {
    /// Nothing.
    None,
    /// A trained number for each head and bucket of distances.
    Buckets(BucketNames),
    /// Keys and queries of distances.
    Disentangled(DisentangledNames),
}

/// Trained numbers by bucket of distances, as many as `relative_attention_num_buckets` says.
#[derive(Clone, Copy)]
pub(super) struct BucketNames {
    /// The table, `[buckets, heads]`.
    pub table: &'static str,
    /// How many of them distances are sorted into; all of them where it is none.
    pub count: Option<usize>,
    /// From this distance on all have the last.
    pub max_distance: Setting<usize>,
}

/// The fields and tensors of disentangled attention.
#[derive(Clone, Copy)]
pub(super) struct DisentangledNames {
    /// Whether it is on.
    pub switch: Setting<bool>,
    /// The furthest distance; less than 1 for the longest text.
    pub most: Setting<Option<f64>>,
    /// Buckets on each side; less than 1 for a row per distance.
    pub buckets: Setting<Option<f64>>,
    /// The rows of distances.
    pub table: &'static str,
    /// The field that may name `layer_norm` for them, and the norm.
    pub norm: Option<(&'static str, &'static str)>,
    /// Whether the scale of scores counts all words of `pos_att_type`, not only the known ones.
    pub counts_all_words: bool,
    /// Whether keys and queries of distances are made by the maps of tokens.
    pub shares_maps: Setting<bool>,
    /// The map to keys of distances, in a block.
    pub key: &'static str,
    /// The map to queries of distances, in a block.
    pub query: &'static str,
}

/// The tensors of an attention site, in a block.
#[derive(Clone, Copy)]
pub(super) struct AttentionNames {
    /// The maps to queries, keys and values.
    pub maps: MapNames,
    /// Whether they have a bias.
    pub bias: Setting<bool>,
    /// Biases that stand alone.
    pub own_biases: Option<OwnBiases>,
    /// The map of the heads' outputs.
    pub output: &'static str,
    /// Whether it has a bias.
    pub output_bias: Setting<bool>,
    /// The norms of queries and keys.
    pub head_norms: Option<HeadNormNames>,
    /// The norms of the sublayer.
    pub norms: SublayerNorms,
    /// Whether the first block has no norm, since the embedding has one.
    pub first_has_no_norm: bool,
}

/// The maps to queries, keys and values.
#[derive(Clone, Copy)]
pub(super) enum MapNames {
    /// Three maps.
    Separate {
        /// To queries.
        query: &'static str,
        /// To keys.
        key: &'static str,
        /// To values.
        value: &'static str,
    },
    /// One map: first all queries, then all keys, then all values.
    Fused(&'static str),
    /// One map: for each head its query, key and value.
    FusedByHead(&'static str),
}

/// Biases of queries and values that stand alone.
#[derive(Clone, Copy)]
pub(super) struct OwnBiases {
    /// Of queries.
    pub query: &'static str,
    /// Of values.
    pub value: &'static str,
}

/// The norms of queries and keys.
#[derive(Clone, Copy)]
pub(super) struct HeadNormNames {
    /// Of queries.
    pub query: &'static str,
    /// Of keys.
    pub key: &'static str,
    /// What a norm reads, and its weights.
    pub style: HeadNormStyle,
    /// Whether they are there.
    pub is_used: Setting<bool>,
}

/// What a norm of queries or keys reads, and its weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadNormStyle {
    /// One head; all heads have the same gain.
    EveryHead,
    /// All heads side by side.
    AllHeads,
    /// One head, by a layer norm without a bias; heads have gains of their own, under names with
    /// `{}` for the head.
    OwnGains,
}

/// The norms of a sublayer, in a block.
#[derive(Clone, Copy)]
pub(super) struct SublayerNorms {
    /// Where the family's norms stand.
    pub usual: Option<&'static str>,
    /// Of the sublayer's output, before it joins the residual.
    pub after: Option<&'static str>,
}

/// The tensors of a feed-forward network, in a block.
#[derive(Clone, Copy)]
pub(super) struct NetworkNames {
    /// The first map, where there is no gate.
    pub inner: &'static str,
    /// The first maps, where there is one.
    pub gate: GateNames,
    /// The second map.
    pub outer: &'static str,
    /// Whether the maps have a bias.
    pub bias: Setting<bool>,
    /// The norms of the sublayer.
    pub norms: SublayerNorms,
}

/// The first maps of a network with a gate.
#[derive(Clone, Copy)]
pub(super) enum GateNames {
    /// The family has no gates.
    None,
    /// Two maps.
    Separate {
        /// What the activation reads.
        gate: &'static str,
        /// What the activated numbers are multiplied by.
        linear: &'static str,
    },
    /// One map: first what the activation reads.
    Fused(&'static str),
}

/// The tensors of an output head. Names stand without a prefix.
#[derive(Clone, Copy)]
pub(super) struct HeadNames {
    /// Onto the vocabulary; none where it is always the embedding.
    pub projection: Option<&'static str>,
    /// The bias of the projection.
    pub bias: Option<&'static str>,
    /// The bias of a projection that is not tied, where files have it.
    pub untied_bias: Option<&'static str>,
    /// What stands before the projection.
    pub transform: Option<TransformNames>,
    /// A second projection, whose logits are averaged with those of the first.
    pub distilled: Option<&'static str>,
    /// The field that says whether the projection reads states that are divided by the root of
    /// their width; where it is absent they are, unless `tie_word_embeddings` is false.
    pub scaled: Option<&'static str>,
}

/// What stands before the projection onto the vocabulary.
#[derive(Clone, Copy)]
pub(super) struct TransformNames {
    /// The map.
    pub dense: &'static str,
    /// Whether it has a bias.
    pub dense_bias: Setting<bool>,
    /// The activation after it.
    pub activation: Setting<Activation>,
    /// The norm after that.
    pub norm: &'static str,
}
