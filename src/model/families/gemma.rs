//! Gemma: Llama with scaled embeddings and gains stored less 1; later versions with norms on both
//! sides of a sublayer, soft caps and windows.

use super::super::family::{
    ActivationSetting, AttentionNames, Direction, Family, LocalLayers, NetworkNames, NormSetting,
    Rope, ScoreScale, Sizes, StackNames, StackSizes, SublayerNorms, TieSetting, WindowSetting,
};
use super::super::wire::Setting;
use super::WINDOW;
use super::llama::{HEAD_NORMS, LLAMA, LLAMA_STACK, ROPE};
use crate::kernels::activation::Activation;

/// Gemma (Mesnard et al. 2024).
pub const GEMMA: Family = Family {
    names: &["gemma"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 8192), ..LLAMA.sizes },
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::GeluTanh),
        is_gated: true,
        // The first files name the exact form and mean the other one.
        gelu: Activation::GeluTanh,
    },
    norm: NormSetting { gain_offset: 1.0, ..LLAMA.norm },
    decoder: Some(StackNames {
        sizes: GEMMA_SIZES,
        network: NetworkNames { bias: Setting::Fixed(false), ..LLAMA_STACK.network },
        ..LLAMA_STACK
    }),
    scales_embedding: Setting::Fixed(true),
    tie: TieSetting::Field(true),
    ..LLAMA
};

const GEMMA_SIZES: StackSizes = StackSizes { head_dim_default: Some(256), ..LLAMA_STACK.sizes };

/// Gemma 2 (Riviere et al. 2024).
pub const GEMMA2: Family = Family {
    names: &["gemma2"],
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_activation", Activation::GeluTanh),
        is_gated: true,
        gelu: Activation::Gelu,
    },
    score_scale: ScoreScale::RootOf(Setting::Field("query_pre_attn_scalar", Some(256.0))),
    score_cap: Setting::Field("attn_logit_softcapping", Some(50.0)),
    logit_cap: Setting::Field("final_logit_softcapping", Some(30.0)),
    window: Some(WindowSetting {
        rule: LocalLayers::ButEvery { every: Setting::Fixed(2), offset: 1 },
        ..WINDOW
    }),
    decoder: Some(GEMMA2_STACK),
    ..GEMMA
};

const GEMMA2_STACK: StackNames = StackNames {
    sizes: GEMMA_SIZES,
    attention: AttentionNames {
        norms: SublayerNorms {
            usual: Some("input_layernorm"),
            after: Some("post_attention_layernorm"),
        },
        ..LLAMA_STACK.attention
    },
    network: NetworkNames {
        bias: Setting::Fixed(false),
        norms: SublayerNorms {
            usual: Some("pre_feedforward_layernorm"),
            after: Some("post_feedforward_layernorm"),
        },
        ..LLAMA_STACK.network
    },
    ..LLAMA_STACK
};

/// The text model of Gemma 3 (Kamath et al. 2025).
pub const GEMMA3_TEXT: Family = Family {
    names: &["gemma3_text"],
    sizes: Sizes { positions: Setting::Field("max_position_embeddings", 131_072), ..LLAMA.sizes },
    direction: Direction::BothWaysIf("use_bidirectional_attention"),
    score_cap: Setting::Fixed(None),
    logit_cap: Setting::Field("final_logit_softcapping", None),
    window: Some(WindowSetting {
        rule: LocalLayers::ButEvery {
            every: Setting::Field("sliding_window_pattern", 6),
            offset: 1,
        },
        ..WINDOW
    }),
    rope: Some(Rope {
        base: Setting::Field("rope_theta", 1_000_000.0),
        local_base: Some(Setting::Field("rope_local_base_freq", 10_000.0)),
        ..ROPE
    }),
    decoder: Some(StackNames {
        attention: AttentionNames { head_norms: Some(HEAD_NORMS), ..GEMMA2_STACK.attention },
        ..GEMMA2_STACK
    }),
    ..GEMMA2
};
