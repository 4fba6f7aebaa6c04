//! BERT and its relatives: encoders with a trained table of positions and norms behind each
//! sublayer, and a head that predicts masked tokens.

use super::super::family::{
    ActivationSetting, AddedRow, AttentionNames, BucketNames, BuiltIn, Direction, EmbeddingWidth,
    Family, GateNames, GroupSizes, HeadNames, MapNames, NetworkNames, NormFormula, NormSetting,
    PositionNames, ProjectionNames, RelativeNames, ScoreScale, Sizes, SkippedRows, SparseSetting,
    StackNames, StackSizes, SublayerNorms, TieSetting, TokenNames, TransformNames,
};
use super::super::wire::Setting;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// BERT (Devlin et al. 2019).
pub const BERT: Family = Family {
    names: &["bert"],
    aliases: &[],
    prefixes: &["bert.", ""],
    sizes: Sizes {
        width: "hidden_size",
        embedding_width: None,
        target_vocabulary: None,
        positions: Setting::Field("max_position_embeddings", 512),
        token_types: 2,
        epsilon: Setting::Field("layer_norm_eps", 1e-12),
    },
    required: &[("position_embedding_type", BuiltIn::Text("absolute"))],
    // Cross-attention is left out: it needs the hidden states of another model.
    ignored: &[("add_cross_attention", BuiltIn::Flag(false))],
    pad_token: Some(0),
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::Gelu),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: NormSetting {
        kind: NormFormula::Layer,
        has_bias: Setting::Fixed(true),
        gain_offset: 0.0,
        placement: NormPlace::Post,
        before_if: None,
        is_trained: Setting::Fixed(true),
        lacks_final: Setting::Fixed(false),
    },
    is_transposed: Setting::Fixed(false),
    is_causal: Setting::Field("is_causal", true),
    is_parallel: Setting::Fixed(false),
    shares_parallel_norm: false,
    scales_embedding: Setting::Fixed(false),
    score_scale: ScoreScale::HeadWidth,
    score_cap: Setting::Fixed(None),
    logit_cap: Setting::Fixed(None),
    window: None,
    rope: None,
    direction: Direction::CausalIf("is_decoder"),
    sparse: None,
    encoder: Some(STACK),
    decoder: None,
    tie: TieSetting::Field(true),
    heads: &[HEAD],
};

/// The stack of BERT.
pub const STACK: StackNames = StackNames {
    sizes: StackSizes {
        layers: "num_hidden_layers",
        layers_fallback: None,
        heads: "num_attention_heads",
        kv_heads: None,
        kv_heads_default: None,
        head_dim: None,
        head_dim_default: None,
        d_ff: "intermediate_size",
        d_ff_times: None,
    },
    tokens: TokenNames::Table("embeddings.word_embeddings.weight"),
    positions: TABLE,
    relative: RelativeNames::None,
    token_types: Some("embeddings.token_type_embeddings.weight"),
    embedding_norm: Some("embeddings.LayerNorm"),
    embedding_projection: ProjectionNames::None,
    added_row: None,
    convolution: None,
    blocks: "encoder.layer.{}",
    groups: None,
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "attention.self.query",
            key: "attention.self.key",
            value: "attention.self.value",
        },
        bias: Setting::Fixed(true),
        own_biases: None,
        output: "attention.output.dense",
        output_bias: Setting::Fixed(true),
        head_norms: None,
        norms: SublayerNorms { usual: Some("attention.output.LayerNorm"), after: None },
        first_has_no_norm: false,
    },
    cross: None,
    network: NetworkNames {
        inner: "intermediate.dense",
        gate: GateNames::None,
        outer: "output.dense",
        bias: Setting::Fixed(true),
        norms: SublayerNorms { usual: Some("output.LayerNorm"), after: None },
    },
    final_norm: None,
};

/// The position table of BERT.
const TABLE: PositionNames = PositionNames::Trained {
    table: "embeddings.position_embeddings.weight",
    skipped: SkippedRows::Count(0),
    is_used: Setting::Fixed(true),
};

/// The output head of BERT.
pub const HEAD: HeadNames = HeadNames {
    projection: Some("cls.predictions.decoder"),
    bias: Some("cls.predictions.bias"),
    untied_bias: Some("cls.predictions.decoder.bias"),
    transform: Some(TRANSFORM),
    distilled: None,
    scaled: None,
};

const TRANSFORM: TransformNames = TransformNames {
    dense: "cls.predictions.transform.dense",
    dense_bias: Setting::Fixed(true),
    activation: Setting::Field("hidden_act", Activation::Gelu),
    norm: "cls.predictions.transform.LayerNorm",
};

/// `RoBERTa` (Liu et al. 2019), which counts positions from the padding token's number.
pub const ROBERTA: Family = Family {
    names: &["roberta", "xlm-roberta", "camembert"],
    prefixes: &["roberta.", ""],
    pad_token: Some(1),
    encoder: Some(ROBERTA_STACK),
    heads: &[ROBERTA_HEAD],
    ..BERT
};

const ROBERTA_STACK: StackNames = StackNames {
    positions: PositionNames::Trained {
        table: "embeddings.position_embeddings.weight",
        skipped: SkippedRows::UpToPadding,
        is_used: Setting::Fixed(true),
    },
    ..STACK
};

const ROBERTA_HEAD: HeadNames = HeadNames {
    projection: Some("lm_head.decoder"),
    bias: Some("lm_head.bias"),
    untied_bias: Some("lm_head.decoder.bias"),
    transform: Some(TransformNames {
        dense: "lm_head.dense",
        activation: Setting::Fixed(Activation::Gelu),
        norm: "lm_head.layer_norm",
        ..TRANSFORM
    }),
    ..HEAD
};

/// The norm setting of relatives of BERT with norms before each sublayer.
const PRE_NORM: NormSetting = NormSetting { placement: NormPlace::Pre, ..BERT.norm };

/// `RoBERTa` with norms before the sublayers (Ott et al. 2019).
pub const ROBERTA_PRELAYERNORM: Family = Family {
    names: &["roberta-prelayernorm"],
    prefixes: &["roberta_prelayernorm.", ""],
    norm: PRE_NORM,
    encoder: Some(StackNames {
        attention: AttentionNames {
            norms: SublayerNorms { usual: Some("attention.LayerNorm"), after: None },
            ..STACK.attention
        },
        network: NetworkNames {
            norms: SublayerNorms { usual: Some("intermediate.LayerNorm"), after: None },
            ..STACK.network
        },
        final_norm: Some("LayerNorm"),
        ..ROBERTA_STACK
    }),
    ..ROBERTA
};

/// XLM-RoBERTa XL (Goyal et al. 2021), with norms before the sublayers and no embedding norm.
pub const XLM_ROBERTA_XL: Family = Family {
    names: &["xlm-roberta-xl"],
    sizes: Sizes {
        positions: Setting::Field("max_position_embeddings", 514),
        token_types: 1,
        epsilon: Setting::Field("layer_norm_eps", 1e-5),
        ..BERT.sizes
    },
    norm: PRE_NORM,
    encoder: Some(StackNames {
        embedding_norm: None,
        attention: AttentionNames {
            norms: SublayerNorms { usual: Some("attention.self_attn_layer_norm"), after: None },
            ..STACK.attention
        },
        network: NetworkNames {
            norms: SublayerNorms { usual: Some("LayerNorm"), after: None },
            ..STACK.network
        },
        final_norm: Some("encoder.LayerNorm"),
        ..ROBERTA_STACK
    }),
    ..ROBERTA
};

/// Megatron's BERT (Shoeybi et al. 2019), with norms before the sublayers and no embedding norm.
pub const MEGATRON_BERT: Family = Family {
    names: &["megatron-bert"],
    norm: PRE_NORM,
    encoder: Some(StackNames {
        embedding_norm: None,
        attention: AttentionNames {
            norms: SublayerNorms { usual: Some("attention.ln"), after: None },
            ..STACK.attention
        },
        network: NetworkNames {
            norms: SublayerNorms { usual: Some("ln"), after: None },
            ..STACK.network
        },
        final_norm: Some("encoder.ln"),
        ..STACK
    }),
    ..BERT
};

/// `Data2Vec` for text (Baevski et al. 2022).
pub const DATA2VEC_TEXT: Family =
    Family { names: &["data2vec-text"], prefixes: &["data2vec_text.", ""], ..ROBERTA };

/// I-BERT (Kim et al. 2021), computed as it is trained, without rounding to integers.
pub const IBERT: Family = Family {
    names: &["ibert"],
    prefixes: &["ibert.", ""],
    required: &[
        ("position_embedding_type", BuiltIn::Text("absolute")),
        ("quant_mode", BuiltIn::Flag(false)),
    ],
    direction: Direction::Fixed,
    ..ROBERTA
};

/// ERNIE (Sun et al. 2020), which may add the row of a task.
pub const ERNIE: Family = Family {
    names: &["ernie"],
    prefixes: &["ernie.", ""],
    encoder: Some(StackNames {
        added_row: Some(AddedRow {
            is_used: Setting::Field("use_task_id", false),
            count: Setting::Field("task_type_vocab_size", 3),
            table: "embeddings.task_type_embeddings.weight",
        }),
        ..STACK
    }),
    ..BERT
};

/// `BigBird` (Zaheer et al. 2020), for texts short enough for full attention.
pub const BIG_BIRD: Family = Family {
    names: &["big_bird"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 4096), ..BERT.sizes },
    required: &[("is_decoder", BuiltIn::Flag(false))],
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::GeluTanh),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    scales_embedding: Setting::Field("rescale_embeddings", false),
    direction: Direction::Fixed,
    sparse: Some(SparseSetting {
        kind: "attention_type",
        full: "original_full",
        sparse: "block_sparse",
        size: Setting::Field("block_size", 64),
        random: Setting::Field("num_random_blocks", 3),
    }),
    encoder: Some(StackNames {
        attention: AttentionNames { bias: Setting::Field("use_bias", true), ..STACK.attention },
        ..STACK
    }),
    heads: &[HeadNames {
        transform: Some(TransformNames {
            activation: Setting::Field("hidden_act", Activation::GeluTanh),
            ..TRANSFORM
        }),
        ..HEAD
    }],
    ..BERT
};

/// `DistilBERT` (Sanh et al. 2019), without token types.
pub const DISTILBERT: Family = Family {
    names: &["distilbert"],
    aliases: &[
        ("hidden_size", "dim"),
        ("num_attention_heads", "n_heads"),
        ("num_hidden_layers", "n_layers"),
    ],
    prefixes: &["distilbert.", ""],
    direction: Direction::Fixed,
    sizes: Sizes { width: "dim", epsilon: Setting::Fixed(1e-12), ..BERT.sizes },
    required: &[],
    activation: ActivationSetting::Named {
        activation: Setting::Field("activation", Activation::Gelu),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    encoder: Some(StackNames {
        sizes: StackSizes {
            layers: "n_layers",
            heads: "n_heads",
            d_ff: "hidden_dim",
            ..STACK.sizes
        },
        token_types: None,
        blocks: "transformer.layer.{}",
        attention: AttentionNames {
            maps: MapNames::Separate {
                query: "attention.q_lin",
                key: "attention.k_lin",
                value: "attention.v_lin",
            },
            output: "attention.out_lin",
            norms: SublayerNorms { usual: Some("sa_layer_norm"), after: None },
            ..STACK.attention
        },
        network: NetworkNames {
            inner: "ffn.lin1",
            outer: "ffn.lin2",
            norms: SublayerNorms { usual: Some("output_layer_norm"), after: None },
            ..STACK.network
        },
        ..STACK
    }),
    heads: &[HeadNames {
        projection: Some("vocab_projector"),
        bias: Some("vocab_projector.bias"),
        untied_bias: Some("vocab_projector.bias"),
        transform: Some(TransformNames {
            dense: "vocab_transform",
            activation: Setting::Field("activation", Activation::Gelu),
            norm: "vocab_layer_norm",
            ..TRANSFORM
        }),
        ..HEAD
    }],
    ..BERT
};

/// ELECTRA (Clark et al. 2020): its generator, whose tables may be narrower than the stream.
pub const ELECTRA: Family = Family {
    names: &["electra"],
    prefixes: &["electra.", ""],
    sizes: NARROW,
    encoder: Some(StackNames {
        embedding_projection: ProjectionNames::OfSum {
            map: "embeddings_project",
            is_always_there: false,
        },
        ..STACK
    }),
    heads: &[HeadNames {
        projection: Some("generator_lm_head"),
        bias: Some("generator_lm_head.bias"),
        untied_bias: Some("generator_lm_head.bias"),
        transform: Some(TransformNames {
            dense: "generator_predictions.dense",
            activation: Setting::Fixed(Activation::Gelu),
            norm: "generator_predictions.LayerNorm",
            ..TRANSFORM
        }),
        ..HEAD
    }],
    ..BERT
};

const NARROW: Sizes = Sizes {
    embedding_width: Some(EmbeddingWidth { field: "embedding_size", default: Some(128) }),
    ..BERT.sizes
};

/// ALBERT (Lan et al. 2020), whose blocks share their weights.
pub const ALBERT: Family = Family {
    names: &["albert"],
    prefixes: &["albert.", ""],
    sizes: NARROW,
    required: &[
        ("position_embedding_type", BuiltIn::Text("absolute")),
        ("is_decoder", BuiltIn::Flag(false)),
    ],
    direction: Direction::Fixed,
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::GeluTanh),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    encoder: Some(StackNames {
        embedding_projection: ProjectionNames::OfSum {
            map: "encoder.embedding_hidden_mapping_in",
            is_always_there: true,
        },
        blocks: "encoder.albert_layer_groups.{}.albert_layers.{}",
        groups: Some(GroupSizes {
            groups: Setting::Field("num_hidden_groups", 1),
            inner: Setting::Field("inner_group_num", 1),
        }),
        attention: AttentionNames {
            maps: MapNames::Separate {
                query: "attention.query",
                key: "attention.key",
                value: "attention.value",
            },
            output: "attention.dense",
            norms: SublayerNorms { usual: Some("attention.LayerNorm"), after: None },
            ..STACK.attention
        },
        network: NetworkNames {
            inner: "ffn",
            outer: "ffn_output",
            norms: SublayerNorms { usual: Some("full_layer_layer_norm"), after: None },
            ..STACK.network
        },
        ..STACK
    }),
    heads: &[HeadNames {
        projection: Some("predictions.decoder"),
        bias: Some("predictions.bias"),
        untied_bias: Some("predictions.decoder.bias"),
        transform: Some(TransformNames {
            dense: "predictions.dense",
            activation: Setting::Field("hidden_act", Activation::GeluTanh),
            norm: "predictions.LayerNorm",
            ..TRANSFORM
        }),
        ..HEAD
    }],
    ..BERT
};

/// `MPNet` (Song et al. 2020), which adds a trained relative-position term to its scores.
pub const MPNET: Family = Family {
    names: &["mpnet"],
    prefixes: &["mpnet.", ""],
    direction: Direction::Fixed,
    required: &[],
    encoder: Some(StackNames {
        // The padding token and the bucket count are fixed, whatever the config says.
        positions: PositionNames::Trained {
            table: "embeddings.position_embeddings.weight",
            skipped: SkippedRows::UpToToken(1),
            is_used: Setting::Fixed(true),
        },
        relative: RelativeNames::Buckets(BucketNames {
            table: "encoder.relative_attention_bias.weight",
            count: Some(32),
            max_distance: Setting::Fixed(128),
        }),
        token_types: None,
        attention: AttentionNames {
            maps: MapNames::Separate {
                query: "attention.attn.q",
                key: "attention.attn.k",
                value: "attention.attn.v",
            },
            output: "attention.attn.o",
            norms: SublayerNorms { usual: Some("attention.LayerNorm"), after: None },
            ..STACK.attention
        },
        ..ROBERTA_STACK
    }),
    ..ROBERTA
};
