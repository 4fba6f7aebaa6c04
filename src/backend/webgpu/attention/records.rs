//! How each head makes a raw score of a query and a key, as a record that the shaders read.

use super::score_inputs::{ScoreInputs, units};

use super::rows::{Rows, Site};
use crate::backend::webgpu::pipelines::ScoreKind;
use crate::edits::{HeadVariant, Variant};

impl ScoreKind {
    fn of(variant: Variant) -> Self {
        match variant {
            Variant::Cosine => Self::Cosine,
            Variant::Linear => Self::Features,
            Variant::Additive { .. } => Self::Additive,
            _ => Self::Product,
        }
    }
}

/// What weights that dropout leaves are multiplied by.
pub(super) fn kept_share(own: HeadVariant) -> f32 {
    own.dropout.map_or(1.0, |dropout| (1.0 / (1.0 - dropout.rate)) as f32)
}

/// The records of all heads, `HEAD_WORDS` each; f32 as bits.
pub(super) fn records(site: &Site<'_>, rows: &Rows, more: &ScoreInputs) -> Vec<u32> {
    let head_dim = site.query.columns / site.n_heads;
    (0..site.n_heads)
        .flat_map(|head| {
            let own = site.variants.of(head);
            [
                ScoreKind::of(own.variant) as u32,
                own.factor(site.scale).to_bits(),
                site.gates[head].to_bits(),
                rows.first_of(head) as u32,
                units(own, head_dim).unwrap_or(head_dim) as u32,
                more.weights_of(head) as u32,
                kept_share(own).to_bits(),
            ]
        })
        .collect()
}
