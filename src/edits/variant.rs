//! Variants of attention: what stands between a head's queries and keys and its weights.
//!
//! All variants keep the four stages, `weights = softmax(masked)`, `masked = scores + mask`, and
//! differ in what *raw* and *scores* are. With `f = scale ÷ temperature`:
//!
//! | variant | raw | scores | source |
//! |---|---|---|---|
//! | softmax | `q·k` | `f · raw` | Vaswani et al. 2017, 3.2.1 |
//! | cosine | `q·k / (‖q‖ ‖k‖)` | `f · raw` | Graves et al. 2014, eq. 6 |
//! | additive | `vᵀ tanh(W_q q + W_k k)` | `f · raw` | Bahdanau et al. 2015, A.1.2 |
//! | sliding, blocks | `q·k` | `f · raw`; beyond the band the mask forbids | Beltagy et al. 2020, 3.1; Zaheer et al. 2020, app. D |
//! | linear | `φ(q)·φ(k)`, `φ = elu + 1` | `ln raw` | Katharopoulos et al. 2020, eq. 7 |
//! | performer | `φ(q)·φ(k)`, random features | `ln raw`, on the average `f · q·k` | Choromanski et al. 2021, 2.3 |
//! | linformer | `q·k̄`, `k̄` the mean of the key's segment | `f · raw − ln` segment's size | Wang et al. 2020, section 4, pooling |
//! | chunked | `q·k` | `f · raw` | Rabe and Staats 2021; Milakov and Gimelshein 2018 |
//! | low-rank | `q·k` | `f · raw`; the weights are the softmax's with few singular values | Eckart and Young 1936 |
//!
//! For linear, performer and linformer the softmax of these scores *is* the pattern that they
//! imply, though none of them takes one over the keys: linformer's is over segments. The scale
//! `model` is `1/√d_h` for products of queries
//! and keys and 1 for cosines and additive scores, which do not grow with `d_h`. Dropout comes
//! after the softmax (Srivastava et al. 2014, section 10): a cell is dropped or divided by
//! `1 − rate` by its head, query and key alone, however long the text becomes.

use std::ops::Range;

use crate::kernels::random::{fraction, mix, seed_of};

/// What makes weights of queries and keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Variant {
    /// Products of queries and keys.
    #[default]
    Softmax,
    /// Cosines.
    Cosine,
    /// A small network on both; its weights are drawn.
    Additive {
        /// Units; 0 is as many as the head is wide.
        width: usize,
        /// Mixed, with the head's place.
        seed: u64,
    },
    /// Products, of neighbours alone.
    Banded(Band),
    /// `elu + 1` as features.
    Linear,
    /// Random features.
    Performer {
        /// How many.
        features: usize,
        /// Mixed, with the head's place.
        seed: u64,
    },
    /// The softmax's pattern with few singular values.
    LowRank {
        /// How many.
        rank: usize,
    },
    /// Keys and values averaged over segments of the text.
    Linformer {
        /// How many segments.
        keys: usize,
    },
    /// The softmax chunk by chunk, with a running maximum and sum.
    Chunked {
        /// Keys of a chunk.
        size: usize,
    },
}

/// Which keys a query is compared with at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// So many on each side of its own position.
    Sliding {
        /// On each side.
        width: usize,
    },
    /// Those of its own block and of some blocks on each side.
    Blocks {
        /// Keys of a block.
        size: usize,
        /// Blocks on each side.
        neighbours: usize,
    },
}

impl Band {
    /// The keys of a query. One beyond the last key stands where that is.
    pub fn keys(self, query: usize, n_keys: usize) -> Range<usize> {
        let at = query.min(n_keys.saturating_sub(1));
        match self {
            Self::Sliding { width } => at.saturating_sub(width)..n_keys.min(at + width + 1),
            Self::Blocks { size, neighbours } => {
                let block = at / size;
                block.saturating_sub(neighbours) * size..n_keys.min((block + neighbours + 1) * size)
            }
        }
    }
}

/// So many things in at most so many segments, as equal as they can be.
pub fn segments(n: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let count = most.min(n);
    (0..count).map(move |i| i * n / count..(i + 1) * n / count)
}

impl Variant {
    /// Its name as it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Softmax => "softmax",
            Self::Cosine => "cosine",
            Self::Additive { .. } => "additive",
            Self::Banded(Band::Sliding { .. }) => "sliding",
            Self::Banded(Band::Blocks { .. }) => "blocks",
            Self::Linear => "linear",
            Self::Performer { .. } => "performer",
            Self::LowRank { .. } => "low-rank",
            Self::Linformer { .. } => "linformer",
            Self::Chunked { .. } => "chunked",
        }
    }

    /// Whether the pattern is what it implies: it takes no softmax over a row's keys, takes one
    /// over segments of them, or cuts the softmax's own pattern down to a rank.
    pub fn is_implied(self) -> bool {
        matches!(
            self,
            Self::Linear | Self::Performer { .. } | Self::LowRank { .. } | Self::Linformer { .. }
        )
    }

    /// Whether a row is made of sums over the keys that its mask leaves open, in which a closed key
    /// has no place, whatever a mask adds to its score.
    pub fn sums_open_keys(self) -> bool {
        matches!(self, Self::Linear | Self::Performer { .. } | Self::Linformer { .. })
    }

    /// Directions of a pattern of so many keys that each of its cells is the sum of.
    pub fn directions(self, n_keys: usize) -> usize {
        if let Self::LowRank { rank } = self { rank.min(n_keys) } else { 0 }
    }

    /// Bytes that are kept of each of so many keys while rows are computed, of a head so wide;
    /// of a variant of all rows also when they are.
    pub fn kept_per_key(self, head_dim: usize, n_keys: usize) -> u64 {
        let bytes = match self {
            Self::Cosine => size_of::<f32>(),
            Self::Additive { width: 0, .. } => head_dim * size_of::<f32>(),
            Self::Additive { width, .. } => width * size_of::<f32>(),
            Self::Linear => head_dim * size_of::<f64>(),
            Self::Performer { features, .. } => features * size_of::<f64>(),
            // Of a query and of a key, which are as many.
            Self::LowRank { .. } => 2 * self.directions(n_keys) * size_of::<f64>(),
            _ => 0,
        };
        bytes as u64
    }

    /// Whether it has weights that the model does not have.
    pub fn is_untrained(self) -> bool {
        matches!(self, Self::Additive { .. })
    }

    /// Whether its weights share 1 out among the keys: a pattern with few singular values has
    /// rows with negative numbers and other sums.
    pub fn shares_out(self) -> bool {
        !matches!(self, Self::LowRank { .. })
    }

    /// Whether a row of weights is there to drop some of.
    pub fn has_rows(self) -> bool {
        matches!(self, Self::Softmax | Self::Cosine | Self::Additive { .. } | Self::Banded(_))
    }

    /// Whether every score of a row is held before its weights are made, for others to join.
    pub fn holds_scores(self) -> bool {
        matches!(self, Self::Softmax | Self::Cosine | Self::Additive { .. } | Self::LowRank { .. })
    }

    /// Whether scores are multiplied by anything.
    pub fn has_scale(self) -> bool {
        self != Self::Linear
    }

    /// Whether a row is made of other rows, or of keys that a causal mask closes.
    pub fn mixes_tokens(self) -> bool {
        matches!(self, Self::LowRank { .. } | Self::Linformer { .. })
    }

    /// Whether the first row of weights needs all rows of scores.
    pub fn is_of_all_rows(self) -> bool {
        matches!(self, Self::LowRank { .. })
    }

    /// Whether raw scores are products of a query and a key as they are.
    pub fn is_compared(self) -> bool {
        matches!(
            self,
            Self::Softmax | Self::Banded(_) | Self::LowRank { .. } | Self::Chunked { .. }
        )
    }

    /// Whether scores are logarithms of sums, of which the softmax is those sums shared out.
    pub fn is_logarithm(self) -> bool {
        matches!(self, Self::Linear | Self::Performer { .. })
    }

    /// Forbids what the variant leaves out, in a row of scores with their mask, of whose keys the
    /// query may look at those that are `visible`.
    pub fn leave_out(self, query: usize, visible: impl FnOnce() -> Vec<bool>, row: &mut [f32]) {
        match self {
            Self::Banded(band) => {
                let keys = band.keys(query, row.len());
                row[..keys.start].fill(f32::NEG_INFINITY);
                row[keys.end..].fill(f32::NEG_INFINITY);
            }
            variant if variant.sums_open_keys() => {
                // Sums have no place for a large negative number: what is closed is left out.
                for (cell, open) in row.iter_mut().zip(visible()) {
                    *cell = if open { *cell } else { f32::NEG_INFINITY };
                }
            }
            _ => {}
        }
    }

    /// Whether scores are products of a query and a key, which grow with `√d_h`.
    pub fn is_product(self) -> bool {
        !matches!(self, Self::Cosine | Self::Additive { .. })
    }
}

/// What scores are multiplied by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Scale {
    /// As the model and the variant have it.
    #[default]
    Model,
    /// 1.
    None,
    /// This.
    By(f32),
}

/// Weights dropped by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// The share that is dropped.
    pub rate: f64,
    /// As it was sent.
    pub draw: u64,
    /// Mixed, with the head's place.
    pub seed: u64,
}

impl Dropout {
    /// What a weight is multiplied by: 0, or `1 / (1 − rate)`.
    pub fn factor(&self, query: usize, key: usize) -> f32 {
        let drawn = fraction(mix(mix(self.seed ^ query as u64) ^ key as u64));
        if drawn < self.rate { 0.0 } else { (1.0 / (1.0 - self.rate)) as f32 }
    }

    /// The same of another draw, for one head: `place` is `[stack, layer, head]`.
    #[must_use]
    pub fn redrawn(&self, draw: u64, place: &[usize]) -> Self {
        Self { rate: self.rate, draw, seed: seed_of(draw, place) }
    }

    /// Drops some of a row of weights, of which the first is `first`'s.
    pub fn apply(&self, query: usize, first: usize, row: &mut [f32]) {
        for (key, weight) in (first..).zip(row) {
            *weight *= self.factor(query, key);
        }
    }
}

/// Everything that an edit can say of how one head comes to its weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadVariant {
    /// Which variant.
    pub variant: Variant,
    /// On scores.
    pub scale: Scale,
    /// Under scores.
    pub temperature: f32,
    /// After the softmax.
    pub dropout: Option<Dropout>,
}

impl Default for HeadVariant {
    fn default() -> Self {
        Self { variant: Variant::default(), scale: Scale::Model, temperature: 1.0, dropout: None }
    }
}

impl HeadVariant {
    /// What raw scores are multiplied by; `model` is `1/√d_h`.
    pub fn factor(&self, model: f32) -> f32 {
        let scale = match self.scale {
            Scale::Model if self.variant.is_product() => model,
            Scale::Model | Scale::None => 1.0,
            Scale::By(factor) => factor,
        };
        // A quotient by 1 is exact: without an edit it is the model's own factor.
        scale / self.temperature
    }
}

/// The heads of a site whose way to their weights is another than the model's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variants {
    heads: Vec<(usize, HeadVariant)>,
}

impl Variants {
    /// What holds for a head.
    pub fn of(&self, head: usize) -> HeadVariant {
        let found = self.heads.iter().find(|(edited, _)| *edited == head);
        found.map(|(_, variant)| *variant).unwrap_or_default()
    }

    /// Whether all heads are the model's own.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The heads with another variant, and what holds for them.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, HeadVariant)> {
        self.heads.iter()
    }

    /// The same but for one head, which is as the model has it.
    #[must_use]
    pub fn without(&self, head: usize) -> Self {
        Self { heads: self.heads.iter().filter(|(own, _)| *own != head).copied().collect() }
    }

    /// The same with one head of this variant; the model's own leaves no trace.
    #[must_use]
    pub fn with(&self, head: usize, variant: HeadVariant) -> Self {
        let mut other = self.without(head);
        if variant != HeadVariant::default() {
            let at = other.heads.partition_point(|(own, _)| *own < head);
            other.heads.insert(at, (head, variant));
        }
        other
    }

    /// Changes what holds for a head.
    pub(super) fn change(&mut self, head: usize, change: impl FnOnce(&mut HeadVariant)) {
        let mut variant = self.of(head);
        change(&mut variant);
        *self = self.with(head, variant);
    }
}
