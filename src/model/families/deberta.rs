//! `DeBERTa`: encoders with disentangled attention between contents and distances (He et al. 2021).

use super::super::family::{
    AttentionNames, BuiltIn, ConvolutionNames, Direction, DisentangledNames, EmbeddingWidth,
    Family, HeadNames, MapNames, OwnBiases, PositionNames, RelativeNames, Sizes, SkippedRows,
    StackNames, TransformNames,
};
use super::super::wire::Setting;
use super::bert::{BERT, HEAD, STACK};
use crate::kernels::activation::Activation;

/// `DeBERTa` versions 2 and 3, with buckets of distances.
pub const DEBERTA_V2: Family = Family {
    names: &["deberta-v2"],
    prefixes: &["deberta.", ""],
    sizes: Sizes {
        embedding_width: Some(EmbeddingWidth { field: "embedding_size", default: None }),
        token_types: 0,
        epsilon: Setting::Field("layer_norm_eps", 1e-7),
        ..BERT.sizes
    },
    required: &[
        ("position_embedding_type", BuiltIn::Text("absolute")),
        ("is_decoder", BuiltIn::Flag(false)),
        ("tie_word_embeddings", BuiltIn::Flag(true)),
    ],
    direction: Direction::Fixed,
    encoder: Some(V2_STACK),
    heads: &[LATER_HEAD, HEAD],
    ..BERT
};

const V2_STACK: StackNames = StackNames {
    positions: PositionNames::Trained {
        table: "embeddings.position_embeddings.weight",
        skipped: SkippedRows::Count(0),
        is_used: Setting::Field("position_biased_input", true),
    },
    relative: RelativeNames::Disentangled(V2_DISTANCES),
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "attention.self.query_proj",
            key: "attention.self.key_proj",
            value: "attention.self.value_proj",
        },
        ..STACK.attention
    },
    convolution: Some(ConvolutionNames {
        kernel: Setting::Field("conv_kernel_size", 0),
        groups: Setting::Field("conv_groups", 1),
        activation: Setting::Field("conv_act", Activation::Tanh),
        map: "encoder.conv.conv",
        norm: "encoder.conv.LayerNorm",
    }),
    ..STACK
};

const V2_DISTANCES: DisentangledNames = DisentangledNames {
    switch: Setting::Field("relative_attention", false),
    most: Setting::Field("max_relative_positions", Some(-1.0)),
    buckets: Setting::Field("position_buckets", Some(-1.0)),
    table: "encoder.rel_embeddings.weight",
    norm: Some(("norm_rel_ebd", "encoder.LayerNorm")),
    counts_all_words: false,
    shares_maps: Setting::Field("share_att_key", false),
    key: "attention.self.pos_key_proj",
    query: "attention.self.pos_query_proj",
};

/// The names of the output head in files from before it was rewritten.
const LATER_HEAD: HeadNames = HeadNames {
    projection: None,
    bias: Some("lm_predictions.lm_head.bias"),
    untied_bias: None,
    transform: Some(TransformNames {
        dense: "lm_predictions.lm_head.dense",
        dense_bias: Setting::Fixed(true),
        activation: Setting::Field("hidden_act", Activation::Gelu),
        norm: "lm_predictions.lm_head.LayerNorm",
    }),
    distilled: None,
    scaled: None,
};

/// `DeBERTa` version 1, with a row for each distance.
pub const DEBERTA: Family = Family {
    names: &["deberta"],
    required: &[
        ("position_embedding_type", BuiltIn::Text("absolute")),
        ("is_decoder", BuiltIn::Flag(false)),
        ("talking_head", BuiltIn::Flag(false)),
        ("tie_word_embeddings", BuiltIn::Flag(true)),
    ],
    encoder: Some(StackNames {
        relative: RelativeNames::Disentangled(DisentangledNames {
            buckets: Setting::Fixed(None),
            norm: None,
            counts_all_words: true,
            shares_maps: Setting::Fixed(false),
            key: "attention.self.pos_proj",
            query: "attention.self.pos_q_proj",
            ..V2_DISTANCES
        }),
        attention: AttentionNames {
            maps: MapNames::FusedByHead("attention.self.in_proj"),
            bias: Setting::Fixed(false),
            own_biases: Some(OwnBiases {
                query: "attention.self.q_bias",
                value: "attention.self.v_bias",
            }),
            ..STACK.attention
        },
        convolution: None,
        ..V2_STACK
    }),
    ..DEBERTA_V2
};
