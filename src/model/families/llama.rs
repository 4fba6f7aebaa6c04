//! Llama and its relatives: decoders with rotary positions, gated feed-forward networks, RMS norms
//! and, in some, GQA.

use super::super::family::{
    ActivationSetting, AttentionNames, BuiltIn, Direction, Family, GateNames, HeadNormNames,
    HeadNormStyle, LocalLayers, MapNames, NetworkNames, NormFormula, NormSetting, PositionNames,
    ProjectionNames, RelativeNames, Rope, ScoreScale, Sizes, StackNames, StackSizes, SublayerNorms,
    TieSetting, TokenNames, Unturned, WindowSetting,
};
use super::super::wire::Setting;
use super::WINDOW;
use super::gpt::LM_HEAD;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// Llama (Touvron et al. 2023).
pub const LLAMA: Family = Family {
    names: &["llama"],
    aliases: &[],
    prefixes: &["model.", "transformer.", ""],
    sizes: Sizes {
        width: "hidden_size",
        embedding_width: None,
        target_vocabulary: None,
        positions: Setting::Field("max_position_embeddings", 2048),
        token_types: 0,
        epsilon: Setting::Field("rms_norm_eps", 1e-6),
    },
    required: &[],
    ignored: &[],
    pad_token: None,
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::Silu),
        is_gated: true,
        gelu: Activation::Gelu,
    },
    norm: NormSetting {
        kind: NormFormula::RootMeanSquare,
        has_bias: Setting::Fixed(true),
        gain_offset: 0.0,
        placement: NormPlace::Pre,
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
    rope: Some(ROPE),
    direction: Direction::Fixed,
    sparse: None,
    encoder: None,
    decoder: Some(LLAMA_STACK),
    tie: TieSetting::Field(false),
    heads: &[LM_HEAD],
};

/// The rotary position embedding of Llama.
pub const ROPE: Rope = Rope {
    base: Setting::Field("rope_theta", 10_000.0),
    share: None,
    local_base: None,
    scales_local: false,
    original: None,
    unturned: None,
};

/// The names and sizes of Llama's stack.
pub const LLAMA_STACK: StackNames = StackNames {
    sizes: StackSizes {
        layers: "num_hidden_layers",
        layers_fallback: None,
        heads: "num_attention_heads",
        kv_heads: Some("num_key_value_heads"),
        kv_heads_default: None,
        head_dim: Some("head_dim"),
        head_dim_default: None,
        d_ff: "intermediate_size",
        d_ff_times: None,
    },
    tokens: TokenNames::Table("embed_tokens.weight"),
    positions: PositionNames::None,
    relative: RelativeNames::None,
    token_types: None,
    embedding_norm: None,
    embedding_projection: ProjectionNames::None,
    added_row: None,
    convolution: None,
    blocks: "layers.{}",
    groups: None,
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "self_attn.q_proj",
            key: "self_attn.k_proj",
            value: "self_attn.v_proj",
        },
        bias: Setting::Field("attention_bias", false),
        own_biases: None,
        output: "self_attn.o_proj",
        output_bias: Setting::Field("attention_bias", false),
        head_norms: None,
        norms: SublayerNorms { usual: Some("input_layernorm"), after: None },
        first_has_no_norm: false,
    },
    cross: None,
    network: NetworkNames {
        inner: "",
        gate: GateNames::Separate { gate: "mlp.gate_proj", linear: "mlp.up_proj" },
        outer: "mlp.down_proj",
        bias: Setting::Field("mlp_bias", false),
        norms: SublayerNorms { usual: Some("post_attention_layernorm"), after: None },
    },
    final_norm: Some("norm"),
};

/// The norms of queries and keys, computed head by head.
pub const HEAD_NORMS: HeadNormNames = HeadNormNames {
    query: "self_attn.q_norm",
    key: "self_attn.k_norm",
    style: HeadNormStyle::EveryHead,
    is_used: Setting::Fixed(true),
};

/// Attention maps without biases.
const UNBIASED: AttentionNames = AttentionNames {
    bias: Setting::Fixed(false),
    output_bias: Setting::Fixed(false),
    ..LLAMA_STACK.attention
};

/// A feed-forward network without biases.
const UNBIASED_NETWORK: NetworkNames =
    NetworkNames { bias: Setting::Fixed(false), ..LLAMA_STACK.network };

const MISTRAL_STACK: StackNames =
    StackNames { attention: UNBIASED, network: UNBIASED_NETWORK, ..LLAMA_STACK };

/// Mistral (Jiang et al. 2023), with a sliding window in each layer.
pub const MISTRAL: Family = Family {
    names: &["mistral"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 131_072), ..LLAMA.sizes },
    window: Some(WINDOW),
    decoder: Some(MISTRAL_STACK),
    ..LLAMA
};

/// Qwen 2 (Yang et al. 2024), with biases of queries, keys and values.
pub const QWEN2: Family = Family {
    names: &["qwen2"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 32_768), ..LLAMA.sizes },
    window: Some(WindowSetting {
        switch: Some("use_sliding_window"),
        rule: LocalLayers::From(Setting::Field("max_window_layers", 28)),
        ..WINDOW
    }),
    decoder: Some(StackNames {
        attention: AttentionNames { bias: Setting::Fixed(true), ..UNBIASED },
        network: UNBIASED_NETWORK,
        ..LLAMA_STACK
    }),
    ..LLAMA
};

/// Qwen 3 (Yang et al. 2025), with norms of queries and keys.
pub const QWEN3: Family = Family {
    names: &["qwen3"],
    decoder: Some(StackNames {
        sizes: StackSizes { head_dim_default: Some(128), ..LLAMA_STACK.sizes },
        attention: AttentionNames { head_norms: Some(HEAD_NORMS), ..LLAMA_STACK.attention },
        network: UNBIASED_NETWORK,
        ..LLAMA_STACK
    }),
    ..QWEN2
};

/// `SmolLM3`, with some layers without rotary positions.
pub const SMOLLM3: Family = Family {
    names: &["smollm3"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 32_768), ..LLAMA.sizes },
    rope: Some(Rope {
        base: Setting::Field("rope_theta", 2_000_000.0),
        unturned: Some(Unturned {
            layers: "no_rope_layers",
            every: Setting::Field("no_rope_layer_interval", 4),
        }),
        ..ROPE
    }),
    window: Some(WindowSetting {
        size: Setting::Field("sliding_window", None),
        switch: Some("use_sliding_window"),
        rule: LocalLayers::Unturned,
        ..WINDOW
    }),
    tie: TieSetting::Field(true),
    ..LLAMA
};

/// Phi-3 (Abdin et al. 2024), with fused maps.
pub const PHI3: Family = Family {
    names: &["phi3"],
    sizes: SMALL,
    pad_token: Some(32_000),
    window: Some(UNUSUAL_WINDOW),
    rope: Some(Rope {
        share: Some(Setting::Field("partial_rotary_factor", 1.0)),
        original: Some(Setting::Field("original_max_position_embeddings", 4096)),
        ..ROPE
    }),
    decoder: Some(StackNames {
        attention: AttentionNames { maps: MapNames::Fused("self_attn.qkv_proj"), ..UNBIASED },
        network: NetworkNames { gate: GateNames::Fused("mlp.gate_up_proj"), ..UNBIASED_NETWORK },
        ..MISTRAL_STACK
    }),
    ..MISTRAL
};

/// A window in every layer if the config gives its size.
const UNUSUAL_WINDOW: WindowSetting =
    WindowSetting { size: Setting::Field("sliding_window", None), layers: None, ..WINDOW };

const SMALL: Sizes = Sizes {
    positions: Setting::Field("max_position_embeddings", 4096),
    epsilon: Setting::Field("rms_norm_eps", 1e-5),
    ..LLAMA.sizes
};

/// `StableLM` (Bellagente et al. 2024), with layer norms and rotation of a quarter of each head.
pub const STABLELM: Family = Family {
    names: &["stablelm"],
    sizes: Sizes { epsilon: Setting::Field("layer_norm_eps", 1e-5), ..SMALL },
    norm: NormSetting { kind: NormFormula::Layer, ..LLAMA.norm },
    // The field would be the width of rotary positions alone.
    required: &[("head_dim", BuiltIn::Nothing)],
    is_parallel: Setting::Field("use_parallel_residual", false),
    shares_parallel_norm: true,
    rope: Some(Rope { share: Some(Setting::Field("partial_rotary_factor", 0.25)), ..ROPE }),
    decoder: Some(StackNames {
        sizes: StackSizes { head_dim: None, ..LLAMA_STACK.sizes },
        attention: AttentionNames {
            bias: Setting::Field("use_qkv_bias", false),
            head_norms: Some(HeadNormNames {
                query: "self_attn.q_layernorm.norms.{}",
                key: "self_attn.k_layernorm.norms.{}",
                style: HeadNormStyle::OwnGains,
                is_used: Setting::Field("qk_layernorm", false),
            }),
            ..UNBIASED
        },
        network: UNBIASED_NETWORK,
        ..LLAMA_STACK
    }),
    ..LLAMA
};

/// Ministral (2024): Mistral with some layers of full attention.
pub const MINISTRAL: Family = Family { names: &["ministral"], ..MISTRAL };

/// `InternLM` 3 (2025), for which Hugging Face computes the same as for Llama.
pub const INTERNLM3: Family = Family {
    names: &["internlm3"],
    sizes: Sizes {
        positions: Setting::Field("max_position_embeddings", 32_768),
        epsilon: Setting::Field("rms_norm_eps", 1e-5),
        ..LLAMA.sizes
    },
    // Older names of fields, under which biases would differ.
    required: &[("qkv_bias", BuiltIn::Flag(false)), ("bias", BuiltIn::Flag(false))],
    ..LLAMA
};

/// `EuroBERT` (Boizard et al. 2025): Llama without a causal mask, which predicts masked tokens.
pub const EUROBERT: Family = Family {
    names: &["eurobert"],
    sizes: Sizes {
        positions: Setting::Field("max_position_embeddings", 8192),
        epsilon: Setting::Field("rms_norm_eps", 1e-5),
        ..LLAMA.sizes
    },
    // The output head would have a bias too.
    required: &[("mlp_bias", BuiltIn::Flag(false))],
    encoder: Some(LLAMA_STACK),
    decoder: None,
    ..LLAMA
};

/// `Seed-OSS` (2025), whose output projection has a bias setting of its own.
pub const SEED_OSS: Family = Family {
    names: &["seed_oss"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 524_288), ..LLAMA.sizes },
    decoder: Some(StackNames {
        sizes: StackSizes { head_dim_default: Some(128), ..LLAMA_STACK.sizes },
        attention: AttentionNames {
            bias: Setting::Field("attention_bias", true),
            output_bias: Setting::Field("attention_out_bias", false),
            ..LLAMA_STACK.attention
        },
        ..LLAMA_STACK
    }),
    ..LLAMA
};

/// `StarCoder2` (Lozhkov et al. 2024), with layer norms, biases and no gate.
pub const STARCODER2: Family = Family {
    names: &["starcoder2"],
    sizes: Sizes { epsilon: Setting::Field("norm_epsilon", 1e-5), ..SMALL },
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::GeluTanh),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: NormSetting { kind: NormFormula::Layer, ..LLAMA.norm },
    window: Some(UNUSUAL_WINDOW),
    decoder: Some(StackNames {
        sizes: StackSizes { kv_heads_default: Some(2), ..MISTRAL_STACK.sizes },
        attention: AttentionNames {
            bias: Setting::Field("use_bias", true),
            output_bias: Setting::Field("use_bias", true),
            ..UNBIASED
        },
        network: NetworkNames {
            inner: "mlp.c_fc",
            gate: GateNames::None,
            outer: "mlp.c_proj",
            bias: Setting::Field("use_bias", true),
            ..UNBIASED_NETWORK
        },
        ..MISTRAL_STACK
    }),
    tie: TieSetting::Field(true),
    ..MISTRAL
};

/// `OLMo` 2 (2025), with norms after the sublayers.
pub const OLMO2: Family = Family {
    names: &["olmo2"],
    sizes: Sizes { epsilon: Setting::Field("rms_norm_eps", 1e-5), ..LLAMA.sizes },
    norm: NormSetting { placement: NormPlace::None, ..LLAMA.norm },
    decoder: Some(StackNames {
        attention: AttentionNames {
            head_norms: Some(HeadNormNames { style: HeadNormStyle::AllHeads, ..HEAD_NORMS }),
            norms: SublayerNorms { usual: None, after: Some("post_attention_layernorm") },
            ..LLAMA_STACK.attention
        },
        network: NetworkNames {
            norms: SublayerNorms { usual: None, after: Some("post_feedforward_layernorm") },
            ..UNBIASED_NETWORK
        },
        ..LLAMA_STACK
    }),
    ..LLAMA
};
