//! Marian, BART and their relatives: an encoder and a decoder with cross-attention; and OPT, a
//! decoder with the same parts.

use super::super::family::{
    ActivationSetting, AttentionNames, BuiltIn, Direction, EmbeddingWidth, Family, GateNames,
    MapNames, NetworkNames, NormFormula, NormSetting, PositionNames, ProjectionNames,
    RelativeNames, ScoreScale, Sizes, SkippedRows, StackNames, StackSizes, SublayerNorms,
    TieSetting, TokenNames,
};
use super::super::wire::Setting;
use super::gpt::LM_HEAD;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// Marian (Junczys-Dowmunt et al. 2018), with fixed sinusoids.
pub const MARIAN: Family = Family {
    names: &["marian"],
    aliases: &[
        ("hidden_size", "d_model"),
        ("num_attention_heads", "encoder_attention_heads"),
        ("num_hidden_layers", "encoder_layers"),
    ],
    prefixes: &["model.", ""],
    sizes: Sizes {
        width: "d_model",
        embedding_width: None,
        target_vocabulary: Some("decoder_vocab_size"),
        positions: Setting::Field("max_position_embeddings", 1024),
        token_types: 0,
        epsilon: Setting::Fixed(1e-5),
    },
    required: &[],
    ignored: &[
        ("normalize_before", BuiltIn::Flag(false)),
        ("normalize_embedding", BuiltIn::Flag(false)),
    ],
    pad_token: Some(58_100),
    activation: ActivationSetting::Named {
        activation: Setting::Field("activation_function", Activation::Gelu),
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
    scales_embedding: Setting::Field("scale_embedding", false),
    score_scale: ScoreScale::HeadWidth,
    score_cap: Setting::Fixed(None),
    logit_cap: Setting::Fixed(None),
    window: None,
    rope: None,
    direction: Direction::Fixed,
    sparse: None,
    encoder: Some(ENCODER),
    decoder: Some(DECODER),
    tie: TieSetting::Field(true),
    heads: &[LM_HEAD],
};

/// The names and sizes of Marian's encoder.
pub const ENCODER: StackNames = StackNames {
    sizes: StackSizes {
        layers: "encoder_layers",
        layers_fallback: None,
        heads: "encoder_attention_heads",
        kv_heads: None,
        kv_heads_default: None,
        head_dim: None,
        head_dim_default: None,
        d_ff: "encoder_ffn_dim",
        d_ff_times: None,
    },
    tokens: TokenNames::Shared {
        shared: "shared.weight",
        own: "encoder.embed_tokens.weight",
        other: "decoder.embed_tokens.weight",
    },
    positions: PositionNames::Waves("encoder.embed_positions.weight"),
    relative: RelativeNames::None,
    token_types: None,
    embedding_norm: None,
    embedding_projection: ProjectionNames::None,
    added_row: None,
    convolution: None,
    blocks: "encoder.layers.{}",
    groups: None,
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "self_attn.q_proj",
            key: "self_attn.k_proj",
            value: "self_attn.v_proj",
        },
        bias: Setting::Fixed(true),
        own_biases: None,
        output: "self_attn.out_proj",
        output_bias: Setting::Fixed(true),
        head_norms: None,
        norms: SublayerNorms { usual: Some("self_attn_layer_norm"), after: None },
        first_has_no_norm: false,
    },
    cross: None,
    network: NetworkNames {
        inner: "fc1",
        gate: GateNames::None,
        outer: "fc2",
        bias: Setting::Fixed(true),
        norms: SublayerNorms { usual: Some("final_layer_norm"), after: None },
    },
    final_norm: None,
};

/// The names and sizes of Marian's decoder.
pub const DECODER: StackNames = StackNames {
    sizes: StackSizes {
        layers: "decoder_layers",
        heads: "decoder_attention_heads",
        d_ff: "decoder_ffn_dim",
        ..ENCODER.sizes
    },
    tokens: TokenNames::Shared {
        shared: "shared.weight",
        own: "decoder.embed_tokens.weight",
        other: "encoder.embed_tokens.weight",
    },
    positions: PositionNames::Waves("decoder.embed_positions.weight"),
    blocks: "decoder.layers.{}",
    cross: Some(AttentionNames {
        maps: MapNames::Separate {
            query: "encoder_attn.q_proj",
            key: "encoder_attn.k_proj",
            value: "encoder_attn.v_proj",
        },
        output: "encoder_attn.out_proj",
        norms: SublayerNorms { usual: Some("encoder_attn_layer_norm"), after: None },
        ..ENCODER.attention
    }),
    ..ENCODER
};

/// BART (Lewis et al. 2020), with a trained position table whose first two rows no token has.
pub const BART: Family = Family {
    names: &["bart"],
    sizes: Sizes { target_vocabulary: None, ..MARIAN.sizes },
    pad_token: Some(1),
    ignored: &[],
    encoder: Some(BART_ENCODER),
    decoder: Some(BART_DECODER),
    ..MARIAN
};

const BART_ENCODER: StackNames = StackNames {
    positions: PositionNames::Trained {
        table: "encoder.embed_positions.weight",
        skipped: SkippedRows::Count(2),
        is_used: Setting::Fixed(true),
    },
    embedding_norm: Some("encoder.layernorm_embedding"),
    ..ENCODER
};

const BART_DECODER: StackNames = StackNames {
    positions: PositionNames::Trained {
        table: "decoder.embed_positions.weight",
        skipped: SkippedRows::Count(2),
        is_used: Setting::Fixed(true),
    },
    embedding_norm: Some("decoder.layernorm_embedding"),
    ..DECODER
};

/// `PLBART` (Ahmad et al. 2021), with scaled embeddings.
pub const PLBART: Family = Family {
    names: &["plbart"],
    scales_embedding: Setting::Field("scale_embedding", true),
    ..BART
};

/// MVP (Tang et al. 2022), without its prompts.
pub const MVP: Family =
    Family { names: &["mvp"], required: &[("use_prompt", BuiltIn::Flag(false))], ..BART };

/// The norm setting of relatives of Marian with norms before each sublayer.
const PRE_NORM: NormSetting = NormSetting { placement: NormPlace::Pre, ..MARIAN.norm };

/// mBART (Liu et al. 2020), with norms before the sublayers and after the last layer.
pub const MBART: Family = Family {
    names: &["mbart"],
    pad_token: Some(1),
    norm: PRE_NORM,
    encoder: Some(StackNames { final_norm: Some("encoder.layer_norm"), ..BART_ENCODER }),
    decoder: Some(StackNames { final_norm: Some("decoder.layer_norm"), ..BART_DECODER }),
    ..BART
};

/// M2M100 (Fan et al. 2021) and NLLB, with sinusoids of another longest wavelength.
pub const M2M_100: Family = Family {
    names: &["m2m_100"],
    sizes: BART.sizes,
    pad_token: Some(1),
    ignored: &[],
    activation: ActivationSetting::Named {
        activation: Setting::Field("activation_function", Activation::Relu),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: PRE_NORM,
    scales_embedding: Setting::Field("scale_embedding", true),
    encoder: Some(StackNames {
        positions: PositionNames::LaterWaves,
        final_norm: Some("encoder.layer_norm"),
        ..ENCODER
    }),
    decoder: Some(StackNames {
        positions: PositionNames::LaterWaves,
        final_norm: Some("decoder.layer_norm"),
        ..DECODER
    }),
    ..MARIAN
};

/// OPT (Zhang et al. 2022).
pub const OPT: Family = Family {
    names: &["opt"],
    aliases: &[],
    pad_token: Some(1),
    prefixes: &["model.decoder.", "decoder.", ""],
    sizes: Sizes {
        width: "hidden_size",
        embedding_width: Some(EmbeddingWidth { field: "word_embed_proj_dim", default: None }),
        positions: Setting::Field("max_position_embeddings", 2048),
        ..BART.sizes
    },
    activation: ActivationSetting::Named {
        activation: Setting::Field("activation_function", Activation::Relu),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: NormSetting {
        before_if: Some("do_layer_norm_before"),
        is_trained: Setting::Field("layer_norm_elementwise_affine", true),
        lacks_final: Setting::Field("_remove_final_layer_norm", false),
        ..PRE_NORM
    },
    scales_embedding: Setting::Fixed(false),
    encoder: None,
    decoder: Some(StackNames {
        sizes: StackSizes {
            layers: "num_hidden_layers",
            heads: "num_attention_heads",
            d_ff: "ffn_dim",
            ..ENCODER.sizes
        },
        tokens: TokenNames::Table("embed_tokens.weight"),
        positions: PositionNames::Trained {
            table: "embed_positions.weight",
            skipped: SkippedRows::CountOfReal(2),
            is_used: Setting::Fixed(true),
        },
        embedding_projection: ProjectionNames::OfTokens {
            enter: "project_in",
            leave: "project_out",
        },
        blocks: "layers.{}",
        attention: AttentionNames {
            bias: Setting::Field("enable_bias", true),
            output_bias: Setting::Field("enable_bias", true),
            ..ENCODER.attention
        },
        network: NetworkNames { bias: Setting::Field("enable_bias", true), ..ENCODER.network },
        final_norm: Some("final_layer_norm"),
        ..ENCODER
    }),
    ..BART
};
