//! What one head's attention takes, by the formula of its variant: operations, and the most bytes of
//! numbers that it holds at once. Unit tests compare operations with those that the loops count,
//! `tests/core/memory.rs` bytes with what an allocator hands out.
//!
//! For `n` queries, `m` keys of `d` and values of `d_v` numbers, all open, exact attention takes
//! `n m (d + d_v + 4)` operations: a product with its sum, an exponential and a quotient are one
//! each, and a softmax is three a cell (the largest, the exponentials, their quotients). It holds
//! `n m` weights. Where no query up to a row may look at the last keys, these are left out.
//!
//! Queries, keys, values, the mask's description and what is found are not part of it, nor are
//! lists of which keys are open.

use std::ops::Range;

use super::view::{HeadView, QUERY_ROWS};
use crate::positions::Relative;

/// What the attention of one head takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Products with their sums, exponentials and quotients.
    pub operations: u64,
    /// The most bytes of numbers that are held at once.
    pub bytes: u64,
}

/// Bytes of so many f32.
pub fn singles(count: usize) -> u64 {
    count as u64 * size_of::<f32>() as u64
}

/// Bytes of so many f64.
pub fn doubles(count: usize) -> u64 {
    count as u64 * size_of::<f64>() as u64
}

/// A product of counts, which may have more than 32 bits.
pub fn product<const N: usize>(factors: [usize; N]) -> u64 {
    factors.into_iter().map(|factor| factor as u64).product()
}

/// Attention that holds the weights of all `rows`; its raw scores take `compared` operations.
pub fn with_weights(view: &HeadView<'_>, rows: &Range<usize>, compared: u64) -> Cost {
    let found = product([rows.len(), end(view, rows), view.value_width()]);
    Cost {
        operations: weights(view, rows, compared) + found,
        bytes: singles(rows.len() * view.n_keys()),
    }
}

/// Operations of the weights of some rows: raw scores, what joins them, and the softmax.
pub fn weights(view: &HeadView<'_>, rows: &Range<usize>, compared: u64) -> u64 {
    let capped = if view.cap.is_some() { 2 } else { 0 };
    let joined = view.relative.map_or(0, Relative::work_per_pair);
    let scored = product([rows.len(), view.n_keys(), 1 + capped + joined]);
    let shared: u64 = rows.clone().map(|query| 3 * view.end(query) as u64).sum();
    compared + scored + shared
}

/// Operations of the products of queries and keys, [`QUERY_ROWS`] queries at once.
pub fn products(view: &HeadView<'_>, rows: &Range<usize>) -> u64 {
    let of_some = |start: usize| {
        let some = start..rows.end.min(start + QUERY_ROWS);
        product([some.len(), end(view, &some), view.width()])
    };
    rows.clone().step_by(QUERY_ROWS).map(of_some).sum()
}

/// The first of the keys that none of some queries may look at.
fn end(view: &HeadView<'_>, rows: &Range<usize>) -> usize {
    rows.clone().last().map_or(0, |last| view.end(last))
}
