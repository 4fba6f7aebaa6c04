//! The cost of one head's attention, by the formula of its variant: operations, and the most bytes
//! of numbers that it stores at once. Unit tests compare operations with those that the loops
//! count, `tests/core/memory.rs` compares bytes with those that an allocator counts.
//!
//! For `n` queries, `m` keys of `d` and values of `d_v` numbers, all open, exact attention takes `n
//! m (d + d_v + 4)` operations: a product with its sum, an exponential and a quotient are one each,
//! and a softmax takes three per cell (maximum, exponential, quotient). It stores `n m` weights.
//! Keys after the last one that any query up to a row may attend to are left out.
//!
//! The cost excludes queries, keys, values, the mask's description, the context, and lists of open
//! keys.

use std::ops::Range;

use super::view::{HeadView, QUERY_ROWS};
use crate::positions::Relative;

/// The cost of the attention of one head.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of operations: products with their sums, exponentials and quotients.
    pub operations: u64,
    /// The most bytes of numbers that are stored at once.
    pub bytes: u64,
}

/// The number of bytes of `count` f32.
pub fn singles(count: usize) -> u64 {
    count as u64 * size_of::<f32>() as u64
}

/// The number of bytes of `count` f64.
pub fn doubles(count: usize) -> u64 {
    count as u64 * size_of::<f64>() as u64
}

/// A product of counts, which may need more than 32 bits.
pub fn product<const N: usize>(factors: [usize; N]) -> u64 {
    factors.into_iter().map(|factor| factor as u64).product()
}

/// The cost of attention that stores the weights of all `rows`; its raw scores take `compared`
/// operations.
pub fn with_weights(view: &HeadView<'_>, rows: &Range<usize>, compared: u64) -> Cost {
    let found = product([rows.len(), end(view, rows), view.value_width()]);
    Cost {
        operations: weights(view, rows, compared) + found,
        bytes: singles(rows.len() * view.n_keys()),
    }
}

/// The operations of the weights of some rows: raw scores, terms that are added to scores, and the
/// softmax.
pub fn weights(view: &HeadView<'_>, rows: &Range<usize>, compared: u64) -> u64 {
    let capped = if view.cap.is_some() { 2 } else { 0 };
    let joined = view.relative.map_or(0, Relative::work_per_pair);
    let scored = product([rows.len(), view.n_keys(), 1 + capped + joined]);
    let shared: u64 = rows.clone().map(|query| 3 * view.end(query) as u64).sum();
    compared + scored + shared
}

/// The operations of the products of queries and keys, for [`QUERY_ROWS`] queries at once.
pub fn products(view: &HeadView<'_>, rows: &Range<usize>) -> u64 {
    let of_some = |start: usize| {
        let some = start..rows.end.min(start + QUERY_ROWS);
        product([some.len(), end(view, &some), view.width()])
    };
    rows.clone().step_by(QUERY_ROWS).map(of_some).sum()
}

/// The first key from which on every key is masked for all queries up to the last of `rows`.
fn end(view: &HeadView<'_>, rows: &Range<usize>) -> usize {
    rows.clone().last().map_or(0, |last| view.end(last))
}
