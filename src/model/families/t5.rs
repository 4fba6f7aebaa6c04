//! T5 and its relatives: an encoder and a decoder whose only positional encoding is a trained
//! number per head and bucket of distances (Raffel et al. 2020).

use super::super::family::{
    ActivationSetting, AttentionNames, BucketNames, Family, GateNames, HeadNames, MapNames,
    NetworkNames, NormFormula, NormSetting, PositionNames, RelativeNames, ScoreScale, Sizes,
    StackNames, StackSizes, SublayerNorms, TieSetting,
};
use super::super::wire::Setting;
use super::bart::{DECODER, ENCODER, MARIAN};
use super::gpt::LM_HEAD;
use crate::edits::NormPlace;

/// T5, also version 1.1 with a gated feed-forward network, and Flan-T5.
pub const T5: Family = Family {
    names: &["t5"],
    // `num_hidden_layers` is no other name of `num_layers`, which says the decoder's layers too.
    aliases: &[
        ("hidden_size", "d_model"),
        ("num_attention_heads", "num_heads"),
        ("head_dim", "d_kv"),
    ],
    prefixes: &["", "transformer."],
    sizes: Sizes {
        target_vocabulary: None,
        positions: Setting::Fixed(2048),
        epsilon: Setting::Field("layer_norm_epsilon", 1e-6),
        ..MARIAN.sizes
    },
    ignored: &[],
    pad_token: Some(0),
    activation: ActivationSetting::WithGate { field: "feed_forward_proj", default: "relu" },
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
        relative: RelativeNames::Buckets(BucketNames {
            table: "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            ..BUCKETS
        }),
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
    tie: TieSetting::Always,
    heads: &[HeadNames { scaled: Some("scale_decoder_outputs"), ..LM_HEAD }],
    ..MARIAN
};

/// mT5 (Xue et al. 2021), whose logits are never scaled.
pub const MT5: Family = Family {
    names: &["mt5"],
    activation: ActivationSetting::WithGate { field: "feed_forward_proj", default: "gated-gelu" },
    pad_token: Some(0),
    heads: &[LM_HEAD],
    ..T5
};

/// The relative-position buckets of the encoder.
const BUCKETS: BucketNames = BucketNames {
    table: "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
    count: None,
    max_distance: Setting::Field("relative_attention_max_distance", 128),
};

const T5_ENCODER: StackNames = StackNames {
    sizes: StackSizes {
        layers: "num_hidden_layers",
        layers_fallback: Some("num_layers"),
        heads: "num_heads",
        head_dim: Some("d_kv"),
        head_dim_default: Some(64),
        d_ff: "d_ff",
        ..ENCODER.sizes
    },
    positions: PositionNames::None,
    relative: RelativeNames::Buckets(BUCKETS),
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
