//! `ViT` and `DeiT`: encoders whose tokens are the patches of an image (Dosovitskiy et al. 2021).

use super::super::family::{
    AttentionNames, Direction, Family, HeadNames, MapNames, NetworkNames, NormSetting,
    PositionNames, Sizes, SkippedRows, StackNames, StackSizes, SublayerNorms, TieSetting,
    TokenNames,
};
use super::super::wire::Setting;
use super::bert::{BERT, HEAD, STACK};
use crate::edits::NormPlace;

/// The vision transformer (Dosovitskiy et al. 2021).
pub const VIT: Family = Family {
    names: &["vit"],
    prefixes: &["vit.", ""],
    sizes: Sizes { positions: Setting::Fixed(0), ..BERT.sizes },
    required: &[],
    direction: Direction::Fixed,
    pad_token: None,
    norm: NormSetting { placement: NormPlace::Pre, ..BERT.norm },
    encoder: Some(VIT_STACK),
    tie: TieSetting::Field(false),
    heads: &[VIT_HEAD],
    ..BERT
};

const VIT_STACK: StackNames = StackNames {
    sizes: StackSizes { head_dim: Some("head_dim"), ..STACK.sizes },
    tokens: TokenNames::Patches {
        specials: &["embeddings.cls_token"],
        map: "embeddings.patch_embeddings.projection",
    },
    positions: PositionNames::Trained {
        table: "embeddings.position_embeddings",
        skipped: SkippedRows::Count(0),
        is_used: Setting::Fixed(true),
    },
    token_types: None,
    embedding_norm: None,
    attention: AttentionNames {
        maps: MapNames::Separate {
            query: "attention.attention.query",
            key: "attention.attention.key",
            value: "attention.attention.value",
        },
        bias: Setting::Field("qkv_bias", true),
        norms: SublayerNorms { usual: Some("layernorm_before"), after: None },
        ..STACK.attention
    },
    network: NetworkNames {
        norms: SublayerNorms { usual: Some("layernorm_after"), after: None },
        ..STACK.network
    },
    final_norm: Some("layernorm"),
    ..STACK
};

const VIT_HEAD: HeadNames = HeadNames {
    projection: Some("classifier"),
    bias: Some("classifier.bias"),
    untied_bias: None,
    transform: None,
    ..HEAD
};

/// `DeiT` (Touvron et al. 2021), with a distillation token and an output head for it.
pub const DEIT: Family = Family {
    names: &["deit"],
    prefixes: &["deit.", ""],
    encoder: Some(StackNames {
        tokens: TokenNames::Patches {
            specials: &["embeddings.cls_token", "embeddings.distillation_token"],
            map: "embeddings.patch_embeddings.projection",
        },
        ..VIT_STACK
    }),
    heads: &[
        HeadNames {
            projection: Some("cls_classifier"),
            bias: Some("cls_classifier.bias"),
            distilled: Some("distillation_classifier"),
            ..VIT_HEAD
        },
        VIT_HEAD,
    ],
    ..VIT
};
