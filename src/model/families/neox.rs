//! GPT-NeoX: decoders with rotary positions, layer norms, and parallel sublayers.

use super::super::family::{
    ActivationSetting, AttentionNames, BuiltIn, Family, GateNames, HeadNames, MapNames,
    NetworkNames, NormFormula, NormSetting, Rope, Sizes, StackNames, StackSizes, TokenNames,
};
use super::super::wire::Setting;
use super::gpt::LM_HEAD;
use super::llama::{LLAMA, LLAMA_STACK};
use crate::kernels::activation::Activation;

/// GPT-NeoX and Pythia (Black et al. 2022): rotary positions in a share of a head, and parallel
/// sublayers.
pub const GPT_NEOX: Family = Family {
    names: &["gpt_neox"],
    prefixes: &["gpt_neox.", ""],
    sizes: Sizes { epsilon: Setting::Field("layer_norm_eps", 1e-5), ..LLAMA.sizes },
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_act", Activation::Gelu),
        is_gated: false,
        gelu: Activation::Gelu,
    },
    norm: NormSetting { kind: NormFormula::Layer, ..LLAMA.norm },
    // The field would be the width of rotary positions alone.
    required: &[("head_dim", BuiltIn::Nothing)],
    is_parallel: Setting::Field("use_parallel_residual", true),
    rope: Some(Rope {
        base: Setting::Field("rotary_emb_base", 10_000.0),
        share: Some(Setting::Field("rotary_pct", 0.25)),
        local_base: None,
        scales_local: false,
        original: None,
        unturned: None,
    }),
    decoder: Some(StackNames {
        sizes: StackSizes { kv_heads: None, head_dim: None, ..LLAMA_STACK.sizes },
        tokens: TokenNames::Table("embed_in.weight"),
        attention: AttentionNames {
            maps: MapNames::FusedByHead("attention.query_key_value"),
            bias: Setting::Field("attention_bias", true),
            output: "attention.dense",
            output_bias: Setting::Field("attention_bias", true),
            ..LLAMA_STACK.attention
        },
        network: NetworkNames {
            inner: "mlp.dense_h_to_4h",
            gate: GateNames::None,
            outer: "mlp.dense_4h_to_h",
            bias: Setting::Fixed(true),
            ..LLAMA_STACK.network
        },
        final_norm: Some("final_layer_norm"),
        ..LLAMA_STACK
    }),
    heads: &[HeadNames { projection: Some("embed_out"), ..LM_HEAD }],
    ..LLAMA
};
