//! The cost of attention under a mask: its visible cells, counted row by row without writing `n²`
//! of them. The cost of one cell is in `run/cost.rs`.
//!
//! Source: Vaswani et al. 2017, section 4, Table 1.

use super::change::{Change, MaskMode};

/// A layer type that can replace self-attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum LayerKind {
    /// Self-attention: every token attends to every token.
    Attention,
    /// Recurrence: each token is computed after the one before it.
    Recurrent,
    /// Convolution: each token is computed from `k` neighbours.
    Convolutional,
    /// Restricted self-attention: every token attends to `r` tokens around it.
    Restricted,
}

/// One row of the paper's Table 1, with its numbers for a text of `n` tokens of width `d`.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Layer {
    /// The layer type of the row.
    pub kind: LayerKind,
    /// Complexity per layer: `n²d`, `nd²`, `knd²`, `rnd`.
    pub operations: f64,
    /// Operations that depend on each other: 1, `n`, 1, 1.
    pub sequential: f64,
    /// The longest path between two tokens, in layers: 1, `n`, `log_k n`, `n/r`.
    pub path: f64,
}

impl Layer {
    /// The four rows of Table 1 in its order, for convolutions of width `k`, dilated from layer to
    /// layer, and neighbourhoods of `r` tokens. A path has at least one layer.
    pub fn table(n: f64, d: f64, k: f64, r: f64) -> [Self; 4] {
        let row = |kind, operations, sequential, path: f64| Self {
            kind,
            operations,
            sequential,
            path: path.max(1.0),
        };
        [
            row(LayerKind::Attention, n * n * d, 1.0, 1.0),
            row(LayerKind::Recurrent, n * d * d, n, n),
            row(LayerKind::Convolutional, k * n * d * d, 1.0, layers_to_reach(n, k)),
            row(LayerKind::Restricted, r * n * d, 1.0, (n / r.max(1.0)).ceil()),
        ]
    }
}

/// The layers of convolutions of width `k`, dilated from layer to layer, after which one output
/// depends on `n` tokens: the least `p` with `kᵖ ≥ n`, infinite for a width of 1.
fn layers_to_reach(n: f64, k: f64) -> f64 {
    if k <= 1.0 && n > 1.0 {
        return f64::INFINITY;
    }
    // A quotient of logarithms is not whole on every machine where it should be.
    let mut layers = 0.0;
    let mut reached = 1.0;
    while reached < n {
        reached *= k;
        layers += 1.0;
    }
    layers
}

impl Change {
    /// The visible cells of self-attention over `n` tokens, with the rule joined to an open or to a
    /// causal mask. Counting takes a few steps per row; a random rule beside a causal mask takes
    /// the draws of every row.
    pub(super) fn cells(&self, causal: bool, n: usize) -> u64 {
        (0..n).map(|query| self.cells_of_row(causal, query, n) as u64).sum()
    }

    pub(super) fn cells_of_row(&self, causal: bool, query: usize, n: usize) -> usize {
        let before = |end: usize| {
            let count = self.rule.count(query, n, end);
            if self.inverted { end - count } else { count }
        };
        let own = if causal { query + 1 } else { n };
        match self.mode {
            MaskMode::And => before(own),
            MaskMode::Or if own == n => n,
            MaskMode::Or => own + before(n) - before(own),
            MaskMode::Replace => before(n),
        }
    }
}
