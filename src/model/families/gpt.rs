//! GPT-2 and GPT-Neo: decoders with a trained position table, norms before each sublayer, and
//! biases.

use super::super::family::{
    ActivationSetting, AttentionNames, BuiltIn, Direction, Family, GateNames, HeadNames,
    LocalLayers, MapNames, NetworkNames, NormFormula, NormSetting, PositionNames, ProjectionNames,
    RelativeNames, ScoreScale, Sizes, SkippedRows, StackNames, StackSizes, SublayerNorms,
    TieSetting, TokenNames, WindowSetting,
};
use super::super::wire::Setting;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// GPT-2 (Radford et al. 2019).
pub const GPT2: Family = Family {
    names: &["gpt2", "gpt-sw3"],
    aliases: &[
        ("hidden_size", "n_embd"),
        ("max_position_embeddings", "n_positions"),
        ("num_attention_heads", "n_head"),
        ("num_hidden_layers", "n_layer"),
    ],
    prefixes: &["transformer.", ""],
    sizes: Sizes {
        width: "n_embd",
        embedding_width: None,
        target_vocabulary: None,
        positions: Setting::Field("n_positions", 1024),
        token_types: 0,
        epsilon: Setting::Field("layer_norm_epsilon", 1e-5),
    },
    required: &[],
    ignored: &[("add_cross_attention", BuiltIn::Flag(false))],
    pad_token: None,
    activation: ActivationSetting::Named {
        activation: Setting::Field("activation_function", Activation::GeluTanh),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: NormSetting {
        kind: NormFormula::Layer,
        has_bias: Setting::Fixed(true),
        gain_offset: 0.0,
        placement: NormPlace::Pre,
        before_if: None,
        is_trained: Setting::Fixed(true),
        lacks_final: Setting::Fixed(false),
    },
    is_transposed: Setting::Field("has_conv1d", true),
    is_causal: Setting::Field("is_causal", true),
    is_parallel: Setting::Fixed(false),
    shares_parallel_norm: false,
    scales_embedding: Setting::Fixed(false),
    score_scale: ScoreScale::HeadWidthIf {
        field: "scale_attn_weights",
        by_layer: Setting::Field("scale_attn_by_inverse_layer_idx", false),
    },
    score_cap: Setting::Fixed(None),
    logit_cap: Setting::Fixed(None),
    window: None,
    rope: None,
    direction: Direction::Fixed,
    sparse: None,
    encoder: None,
    decoder: Some(GPT2_STACK),
    tie: TieSetting::Field(true),
    heads: &[LM_HEAD],
};

const GPT2_STACK: StackNames = StackNames {
    sizes: StackSizes {
        layers: "n_layer",
        layers_fallback: None,
        heads: "n_head",
        kv_heads: None,
        kv_heads_default: None,
        head_dim: None,
        head_dim_default: None,
        d_ff: "n_inner",
        d_ff_times: Some(4),
    },
    tokens: TokenNames::Table("wte.weight"),
    positions: PositionNames::Trained {
        table: "wpe.weight",
        skipped: SkippedRows::Count(0),
        is_used: Setting::Fixed(true),
    },
    relative: RelativeNames::None,
    token_types: None,
    embedding_norm: None,
    embedding_projection: ProjectionNames::None,
    added_row: None,
    convolution: None,
    blocks: "h.{}",
    groups: None,
    attention: AttentionNames {
        maps: MapNames::Fused("attn.c_attn"),
        bias: Setting::Fixed(true),
        own_biases: None,
        output: "attn.c_proj",
        output_bias: Setting::Fixed(true),
        head_norms: None,
        norms: SublayerNorms { usual: Some("ln_1"), after: None },
        first_has_no_norm: false,
    },
    cross: None,
    network: NetworkNames {
        inner: "mlp.c_fc",
        gate: GateNames::None,
        outer: "mlp.c_proj",
        bias: Setting::Fixed(true),
        norms: SublayerNorms { usual: Some("ln_2"), after: None },
    },
    final_norm: Some("ln_f"),
};

/// An output head of a projection onto the vocabulary alone, without a bias.
pub const LM_HEAD: HeadNames = HeadNames {
    projection: Some("lm_head"),
    bias: None,
    untied_bias: None,
    transform: None,
    distilled: None,
    scaled: None,
};

/// GPT-Neo (Black et al. 2021): every second layer has a window, and scores are not scaled.
pub const GPT_NEO: Family = Family {
    names: &["gpt_neo"],
    aliases: &[("num_attention_heads", "num_heads"), ("num_hidden_layers", "num_layers")],
    sizes: Sizes {
        width: "hidden_size",
        positions: Setting::Field("max_position_embeddings", 2048),
        ..GPT2.sizes
    },
    required: &[],
    ignored: &[],
    // Each layer has a causal mask in the checkpoint.
    is_causal: Setting::Fixed(true),
    is_transposed: Setting::Fixed(false),
    score_scale: ScoreScale::One,
    window: Some(WindowSetting {
        size: Setting::Field("window_size", Some(256.0)),
        is_whole_width: false,
        switch: None,
        layers: Some("attention_layers"),
        repeated_layers: Some("attention_types"),
        local: "local",
        rule: LocalLayers::ButEvery { every: Setting::Fixed(2), offset: 0 },
    }),
    decoder: Some(StackNames {
        sizes: StackSizes {
            layers: "num_layers",
            heads: "num_heads",
            d_ff: "intermediate_size",
            ..GPT2_STACK.sizes
        },
        attention: AttentionNames {
            maps: MapNames::Separate {
                query: "attn.attention.q_proj",
                key: "attn.attention.k_proj",
                value: "attn.attention.v_proj",
            },
            bias: Setting::Fixed(false),
            output: "attn.attention.out_proj",
            ..GPT2_STACK.attention
        },
        ..GPT2_STACK
    }),
    ..GPT2
};
