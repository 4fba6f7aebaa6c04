//! T5 and its relatives: an encoder and a decoder whose only positions are trained numbers by
//! distance (Raffel et al. 2020).

use super::super::family::{
    ActivationSetting, AttentionNames, Family, GateNames, HeadNames, MapNames, NetworkNames,
    NormFormula, NormSetting, PositionNames, RelativeNames, ScoreScale, Sizes, StackNames,
    StackSizes, SublayerNorms,
};
use super::super::wire::Setting;
use super::bart::{DECODER, ENCODER, MARIAN};
use super::gpt::LM_HEAD;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// T5, its version 1.1 with gates, Flan-T5 and mT5.
pub const T5: Family = Family {
    names: &["t5", "mt5"],
    prefixes: &["", "transformer."],
    sizes: Sizes {
        target_vocabulary: None,
        positions: Setting::Fixed(2048),
        epsilon: Setting::Field("layer_norm_epsilon", 1e-6),
        ..MARIAN.sizes
    },
    ignored: &[],
    activation: ActivationSetting::WithGate {
        field: "feed_forward_proj",
        default: Activation::Gelu,
    },
    norm: NormSetting {
        kind: NormFormula::RootMeanSquare,
        placement: NormPlace::Pre,
        ..MARIAN.norm
    },
    scales_embedding: Setting::Fixed(false),
    score_scale: ScoreScale::One,
    encoder: Some(T5_ENCODER),
    decoder: Some(StackNames {
        sizes: StackSizes {
            layers: "num_decoder_layers",
            layers_fallback: Some("num_layers"),
            ..T5_ENCODER.sizes
        },
        tokens: DECODER.tokens,
        relative: RelativeNames::Buckets(
            "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        ),
        blocks: "decoder.block.{}",
        cross: Some(AttentionNames {
            maps: MapNames::Separate {
                query: "layer.1.EncDecAttention.q",
                key: "layer.1.EncDecAttention.k",
                value: "layer.1.EncDecAttention.v",
            },
            output: "layer.1.EncDecAttention.o",
            norms: SublayerNorms { usual: Some("layer.1.layer_norm"), after: None },
            ..T5_ENCODER.attention
        }),
        network: NetworkNames {
            inner: "layer.2.DenseReluDense.wi",
            gate: GateNames::Separate {
                gate: "layer.2.DenseReluDense.wi_0",
                linear: "layer.2.DenseReluDense.wi_1",
            },
            outer: "layer.2.DenseReluDense.wo",
            norms: SublayerNorms { usual: Some("layer.2.layer_norm"), after: None },
            ..T5_ENCODER.network
        },
        final_norm: Some("decoder.final_layer_norm"),
        ..T5_ENCODER
    }),
    heads: &[HeadNames { scales_where_tied: true, ..LM_HEAD }],
    ..MARIAN
};

const T5_ENCODER: StackNames = StackNames {
    sizes: StackSizes {
        layers: "num_layers",
        heads: "num_heads",
        head_dim: Some("d_kv"),
        d_ff: "d_ff",
        ..ENCODER.sizes
    },
    positions: PositionNames::None,
    relative: RelativeNames::Buckets(
        "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
    ),
    blocks: "encoder.block.{}",
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "layer.0.SelfAttention.q",
            key: "layer.0.SelfAttention.k",
            value: "layer.0.SelfAttention.v",
        },
        bias: Setting::Fixed(false),
        output: "layer.0.SelfAttention.o",
        output_bias: Setting::Fixed(false),
        norms: SublayerNorms { usual: Some("layer.0.layer_norm"), after: None },
        ..ENCODER.attention
    },
    network: NetworkNames {
        inner: "layer.1.DenseReluDense.wi",
        gate: GateNames::Separate {
            gate: "layer.1.DenseReluDense.wi_0",
            linear: "layer.1.DenseReluDense.wi_1",
        },
        outer: "layer.1.DenseReluDense.wo",
        bias: Setting::Fixed(false),
        norms: SublayerNorms { usual: Some("layer.1.layer_norm"), after: None },
    },
    final_norm: Some("encoder.final_layer_norm"),
    ..ENCODER
};
