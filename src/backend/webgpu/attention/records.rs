//! Records for the shaders of how each head computes a raw score of a query and a key.

use super::score_inputs::ScoreInputs;

use super::rows::{Rows, Site};
use crate::variants::{GpuScore, HeadVariant};

/// The factor of the weights that dropout keeps.
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
                own.variant.facts().gpu.unwrap_or(GpuScore::Product) as u32,
                own.factor(site.scale).to_bits(),
                site.gates[head].to_bits(),
                rows.first_of(head) as u32,
                own.variant.units(head_dim) as u32,
                more.weights_of(head) as u32,
                kept_share(own).to_bits(),
            ]
        })
        .collect()
}
