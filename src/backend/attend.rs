//! One attention site, and the operation that computes its context.

use std::ops::Range;

use super::{Algebra, SiteCache};
use crate::edits::FixedPatterns;
use crate::masks::Mask;
use crate::positions::Relative;
use crate::variants::Variants;

/// One attention site with everything its numbers depend on. `query` is
/// `[n_q, h·d_h]`, `key` and `value` are `[n_k, h_kv·d_h]`: each of their heads serves
/// `h / h_kv` heads of queries that stand side by side.
pub struct Attention<'a, T> {
    /// Queries after norm and rotation.
    pub query: &'a T,
    /// Keys after norm and rotation.
    pub key: &'a T,
    /// Values.
    pub value: &'a T,
    /// Heads, side by side in the columns of the queries.
    pub n_heads: usize,
    /// Heads in the columns of keys and values; divides `n_heads`.
    pub n_kv_heads: usize,
    /// Factor on `Q Kᵀ`, usually `1/√d_h`.
    pub scale: f32,
    /// Soft cap `c` of the scaled scores `s`: `c · tanh(s / c)`.
    pub cap: Option<f32>,
    /// The mask: the keys that are visible to each query.
    pub mask: &'a Mask,
    /// Factor on each head's context; 1 leaves it bit for bit as it is.
    pub gates: &'a [f32],
    /// Given patterns in place of heads' attention weights; the other stages are unchanged.
    pub fixed_patterns: &'a FixedPatterns,
    /// The attention variant of each head.
    pub variants: &'a Variants,
    /// Relative positions, added to the scaled scores.
    pub relative: Option<&'a Relative>,
    /// Data derived from these rows.
    pub memo: &'a SiteCache,
}

impl<T> Attention<'_, T> {
    /// The key/value head of a query head.
    pub fn kv_head(&self, head: usize) -> usize {
        head / (self.n_heads / self.n_kv_heads)
    }

    /// The query heads that share a key/value head.
    pub fn heads_of(&self, kv_head: usize) -> Range<usize> {
        let group = self.n_heads / self.n_kv_heads;
        kv_head * group..(kv_head + 1) * group
    }
}

/// Attention of a forward pass.
pub trait Attend: Algebra {
    /// The context `[queries.len(), h·d_h]` of some query rows, heads side by side.
    fn attend(&self, site: &Attention<'_, Self::Tensor>, queries: Range<usize>) -> Self::Tensor;

    /// The number of heads that must still make something of all queries at once, before `attend`
    /// only computes its rows.
    fn unprepared(&self, _site: &Attention<'_, Self::Tensor>) -> usize {
        0
    }

    /// Prepares what `unprepared` counts, for a few milliseconds.
    fn prepare(&self, _site: &Attention<'_, Self::Tensor>) {}

    /// Whether the backend leaves the site to the `cpu` backend, which computes it from rows that
    /// were read back.
    fn declines(&self, _site: &Attention<'_, Self::Tensor>) -> bool {
        false
    }
}
