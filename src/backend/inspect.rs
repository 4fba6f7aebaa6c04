//! The readings of one head of a site after the forward pass: its pattern at each stage, its
//! context with the cost, and the numbers behind a single score.
//!
//! The `cpu` backend computes all of them from the site's own rows; a [`ForwardOnly`] backend
//! leaves them to it.
//!
//! [`ForwardOnly`]: super::ForwardOnly

use std::ops::Range;

use super::{Attend, Attention};
use crate::axes::Stage;
use crate::variants::Cost;

/// Questions about one head of a site.
pub trait Inspect: Attend {
    /// Whether the answers come from queries, keys and values that were read back.
    const READS_BACK: bool;

    /// Some rows of one head's pattern at a stage, `[queries.len(), n_k]`, by the code of `attend`.
    fn pattern(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32>;
    /// One head's context of all queries, `[n_q, d_v]`, without its gate; `None` if the rows of the
    /// site were not read back.
    fn head_context(&self, site: &Attention<'_, Self::Tensor>, head: usize) -> Option<Vec<f32>>;
    /// The cost of one head's attention on the `cpu` backend, by the formula of its variant; `None`
    /// if the rows of the site were not read back.
    fn head_cost(&self, site: &Attention<'_, Self::Tensor>, head: usize) -> Option<Cost>;
    /// The numbers whose products add up to a raw score of an attention variant that does not
    /// multiply queries by keys, or to a weight of a pattern of low rank. `None` for other
    /// variants.
    fn factors(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]>;
    /// The sum whose logarithm is a score, if it has more digits than a raw score can show.
    fn alike(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<f64>;
}
