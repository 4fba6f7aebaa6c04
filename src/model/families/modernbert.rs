//! `ModernBERT`: an encoder with rotary positions, gates and windows (Warner et al. 2024).

use super::super::family::{
    ActivationSetting, AttentionNames, BuiltIn, Direction, Family, GateNames, HeadNames,
    LocalLayers, MapNames, NetworkNames, NormSetting, PositionNames, Rope, Sizes, StackNames,
    SublayerNorms, TokenNames, TransformNames, WindowSetting,
};
use super::super::wire::Setting;
use super::bert::{BERT, HEAD, STACK};
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// `ModernBERT` (Warner et al. 2024).
pub const MODERNBERT: Family = Family {
    names: &["modernbert"],
    prefixes: &["model.", ""],
    sizes: Sizes {
        positions: Setting::Field("max_position_embeddings", 8192),
        epsilon: Setting::Field("norm_eps", 1e-5),
        ..BERT.sizes
    },
    // `sliding_window` would be another name of half of `local_attention`.
    required: &[("decoder_bias", BuiltIn::Flag(true)), ("sliding_window", BuiltIn::Nothing)],
    pad_token: Some(50_283),
    activation: ActivationSetting::Named {
        activation: Setting::Field("hidden_activation", Activation::Gelu),
        is_gated: true,
        gelu: Activation::Gelu,
    },
    direction: Direction::Fixed,
    norm: NormSetting {
        has_bias: Setting::Field("norm_bias", false),
        placement: NormPlace::Pre,
        ..BERT.norm
    },
    window: Some(WindowSetting {
        size: Setting::Field("local_attention", Some(128.0)),
        is_whole_width: true,
        switch: None,
        layers: Some("layer_types"),
        repeated_layers: None,
        local: "sliding_attention",
        rule: LocalLayers::ButEvery {
            every: Setting::Field("global_attn_every_n_layers", 3),
            offset: 0,
        },
    }),
    rope: Some(Rope {
        base: Setting::Field("global_rope_theta", 160_000.0),
        share: None,
        local_base: Some(Setting::Field("local_rope_theta", 10_000.0)),
        scales_local: true,
        original: None,
        unturned: None,
    }),
    encoder: Some(StackNames {
        tokens: TokenNames::Table("embeddings.tok_embeddings.weight"),
        positions: PositionNames::None,
        token_types: None,
        embedding_norm: Some("embeddings.norm"),
        blocks: "layers.{}",
        attention: AttentionNames {
            maps: MapNames::Fused("attn.Wqkv"),
            bias: Setting::Field("attention_bias", false),
            output: "attn.Wo",
            output_bias: Setting::Field("attention_bias", false),
            norms: SublayerNorms { usual: Some("attn_norm"), after: None },
            first_has_no_norm: true,
            ..STACK.attention
        },
        network: NetworkNames {
            gate: GateNames::Fused("mlp.Wi"),
            outer: "mlp.Wo",
            bias: Setting::Field("mlp_bias", false),
            norms: SublayerNorms { usual: Some("mlp_norm"), after: None },
            ..STACK.network
        },
        final_norm: Some("final_norm"),
        ..STACK
    }),
    heads: &[HeadNames {
        projection: Some("decoder"),
        bias: Some("decoder.bias"),
        untied_bias: Some("decoder.bias"),
        transform: Some(TransformNames {
            dense: "head.dense",
            dense_bias: Setting::Field("classifier_bias", false),
            activation: Setting::Field("classifier_activation", Activation::Gelu),
            norm: "head.norm",
        }),
        ..HEAD
    }],
    ..BERT
};
