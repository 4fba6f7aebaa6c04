//! How each head makes a raw score of a query and a key, as a record that the shaders read.

use super::Site;
use super::more::More;
use super::rows::Rows;
use crate::edits::{HeadKind, Kind};

/// Numbers of a record.
pub(super) const HEAD_WORDS: usize = 7;

/// Ways to make a raw score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Makes {
    /// `q·k`.
    Product,
    /// `q·k / (‖q‖ ‖k‖)`.
    Cosine,
    /// `φ(q)·φ(k)`, of which the score is the logarithm.
    Features,
    /// `vᵀ tanh(W_q q + W_k k)`.
    Additive,
}

impl Makes {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Cosine => Self::Cosine,
            Kind::Linear => Self::Features,
            Kind::Additive { .. } => Self::Additive,
            _ => Self::Product,
        }
    }
}

/// What weights that dropout leaves are multiplied by.
pub(super) fn kept(own: HeadKind) -> f32 {
    own.dropout.map_or(1.0, |dropout| (1.0 / (1.0 - dropout.rate)) as f32)
}

/// The units of additive attention in a head so wide; `None` for another kind.
pub(super) fn units(own: HeadKind, head_dim: usize) -> Option<usize> {
    match own.kind {
        Kind::Additive { width: 0, .. } => Some(head_dim),
        Kind::Additive { width, .. } => Some(width),
        _ => None,
    }
}

/// The records of all heads, `HEAD_WORDS` each; f32 as bits.
pub(super) fn records(site: &Site<'_>, rows: &Rows, more: &More) -> Vec<u32> {
    let head_dim = site.query.columns / site.n_heads;
    (0..site.n_heads)
        .flat_map(|head| {
            let own = site.kinds.of(head);
            [
                Makes::of(own.kind) as u32,
                own.factor(site.scale).to_bits(),
                site.gates[head].to_bits(),
                rows.first_of(head) as u32,
                units(own, head_dim).unwrap_or(head_dim) as u32,
                more.weights_of(head) as u32,
                kept(own).to_bits(),
            ]
        })
        .collect()
}
