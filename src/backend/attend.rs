//! One attention site, and the operation that computes its context.

use std::ops::Range;

use super::{Algebra, SiteCache};
use crate::edits::FixedPatterns;
use crate::masks::Mask;
use crate::positions::Relative;
use crate::variants::Variants;

/// One attention site with everything its numbers depend on. `query` is `[n_q, h·d_h]`, `key` and
/// `value` are `[n_k, h_kv·d_h]`: each of their heads serves `h / h_kv` neighbouring query heads.
pub struct Attention<'a, T> {
    /// Queries after norm and rotation.
    pub query: &'a T,
    /// Keys after norm and rotation.
    pub key: &'a T,
    /// The values.
    pub value: &'a T,
    /// The number of query heads, side by side in the columns of the queries.
    pub n_heads: usize,
    /// The number of heads in the columns of keys and values; divides `n_heads`.
    pub n_kv_heads: usize,
    /// The factor of `Q Kᵀ`, usually `1/√d_h`.
    pub scale: f32,
    /// The soft cap `c` of the scaled scores `s`: `c · tanh(s / c)`.
    pub cap: Option<f32>,
    /// The mask: the keys that are visible to each query.
    pub mask: &'a Mask,
    /// The factor of each head's context; 1 leaves it bit for bit.
    pub gates: &'a [f32],
    /// Given patterns in place of heads' attention weights; the other stages are unchanged.
    pub fixed_patterns: &'a FixedPatterns,
    /// The attention variant of each head.
    pub variants: &'a Variants,
    /// The terms of relative positions, added to the scaled scores.
    pub relative: Option<&'a Relative>,
    /// The cache of data derived from these rows.
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

    /// The number of heads whose data of all queries must still be computed before `attend`
    /// computes only its rows.
    fn unprepared(&self, _site: &Attention<'_, Self::Tensor>) -> usize {
        0
    }

    /// Computes more of the data that `unprepared` counts, for a few milliseconds.
    fn prepare(&self, _site: &Attention<'_, Self::Tensor>) {}

    /// Whether the backend leaves the site to the `cpu` backend, which computes it from rows that
    /// were read back.
    fn declines(&self, _site: &Attention<'_, Self::Tensor>) -> bool {
        false
    }
}
