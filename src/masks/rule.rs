//! One rule of a mask: whether each key is visible to each query, and how many visible keys a row
//! has, counted without writing the row.
//!
//! | rule | key `k` is visible to query `q` |
//! |---|---|
//! | open | always |
//! | causal | `k ≤ q` |
//! | cells | unless the cell is listed |
//! | until | `k < length` |
//! | prefix | `k < length` or `k ≤ q` |
//! | links | in a window, from or to a global token, or drawn by seed (`links.rs`, `random.rs`) |
//! | blocks | `⌊q / size⌋ = ⌊k / size⌋` |
//! | strided | `|q − k| ≤ stride`, or `q − k` is a multiple of it; one-sided: and `k ≤ q` |
//!
//! Sources: causal and padding masks, Vaswani et al. 2017, sections 3.1 and 3.2.3; prefix,
//! Raffel et al. 2020, section 3.2.1; strided, the union of the two heads of Child et al.
//! 2019, section 4.3 (which are one-sided); blocks, Qiu et al. 2020, section 3.
//! In cross-attention `q` and `k` are positions in two texts, and are compared all the same.

use std::ops::Range;

use super::links::Links;
use super::window::Window;

/// A query and a key, by position.
pub type Cell = (usize, usize);

/// A mask rule, for a text of any length.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Every key is visible to every query.
    Open,
    /// No later key is visible to a query.
    Causal,
    /// Every cell is visible except the listed ones, in ascending order.
    Cells(Vec<Cell>),
    /// The first keys are visible, as many as the number says; the others are padding.
    Until(usize),
    /// The first keys, as many as the number says, are visible to every query; further keys only to
    /// queries at or behind them.
    Prefix(usize),
    /// A window, global tokens, random keys.
    Links(Links),
    /// The keys of the query's own block are visible; the number is the block's size in tokens.
    Blocks(usize),
    /// The query's neighbours and every `stride`-th key are visible.
    Strided {
        /// The reach of the neighbours, and the distance between further keys; at least 1.
        stride: usize,
        /// Whether later keys are masked.
        one_sided: bool,
    },
}

/// Sorts cells in ascending order and removes repeated ones.
pub fn ordered(cells: Vec<Cell>) -> Vec<Cell> {
    // Positions fit 32 bits. The core sorts `u64` here and for singular values, so that one sort is
    // compiled.
    let key = |(query, key): Cell| (query as u64) << 32 | key as u64;
    let mut keys: Vec<u64> = cells.into_iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().map(|key| ((key >> 32) as usize, key as u32 as usize)).collect()
}

impl Rule {
    /// A rule that masks the given cells, in any order.
    pub fn cells(cells: Vec<Cell>) -> Self {
        Self::Cells(ordered(cells))
    }

    /// A rule that keeps the keys of a window visible.
    pub fn window(window: Window) -> Self {
        Self::Links(Links { window: Some(window), ..Links::default() })
    }

    /// Whether the rule masks nothing, in a text of any length.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Open => true,
            Self::Cells(cells) => cells.is_empty(),
            _ => false,
        }
    }

    /// Whether no query attends to a later key, in a text of any length.
    pub(super) fn looks_back(&self) -> bool {
        match self {
            Self::Causal => true,
            Self::Strided { one_sided, .. } => *one_sided,
            Self::Links(links) => links.looks_back(),
            _ => false,
        }
    }

    /// Whether a cell can change when the text grows.
    pub(super) fn depends_on_length(&self) -> bool {
        matches!(self, Self::Links(links) if links.random.is_some())
    }

    /// Writes whether each of some keys is visible to `query`, in a text of `n_keys` tokens. `open`
    /// has one cell per key, the first for key `first`.
    pub(super) fn write(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        let keys = first..first + open.len();
        // The cell of a key, counted from `first`; 0 for earlier keys.
        let place = |key: usize| key.saturating_sub(first);
        match self {
            Self::Open => open.fill(true),
            Self::Causal => split(open, place(query + 1)),
            Self::Cells(_) => {
                open.fill(true);
                self.listed(query, keys).for_each(|key| open[key - first] = false);
            }
            Self::Until(length) => split(open, place(*length)),
            Self::Prefix(length) => split(open, place((query + 1).max(*length))),
            Self::Links(links) => links.write(query, first, n_keys, open),
            Self::Blocks(size) => {
                let start = query / size * size;
                split(open, place(start.saturating_add(*size)));
                let before = place(start).min(open.len());
                open[..before].fill(false);
            }
            Self::Strided { stride, one_sided } => {
                open.fill(false);
                for window in strided(*stride, *one_sided) {
                    window.keys(query, keys.clone()).for_each(|key| open[key - first] = true);
                }
            }
        }
    }

    /// The number of visible keys of `query` before `end`, in a text of `n_keys` tokens.
    pub(super) fn count(&self, query: usize, n_keys: usize, end: usize) -> usize {
        let end = end.min(n_keys);
        match self {
            Self::Open => end,
            Self::Causal => end.min(query + 1),
            Self::Cells(_) => end - self.listed(query, 0..end).count(),
            Self::Until(length) => end.min(*length),
            Self::Prefix(length) => end.min((query + 1).max(*length)),
            Self::Links(links) => links.count(query, n_keys, end),
            Self::Blocks(size) => {
                let start = query / size * size;
                end.min(start.saturating_add(*size)).saturating_sub(start)
            }
            Self::Strided { stride, one_sided } => {
                let [near, far] = strided(*stride, *one_sided);
                // Both windows have the query's own key and the keys one stride away.
                let both = Window { width: 1, dilation: *stride, one_sided: *one_sided };
                near.count(query, end) + far.count(query, end) - both.count(query, end)
            }
        }
    }

    /// The listed keys of a query in a range of keys.
    pub(super) fn listed(&self, query: usize, keys: Range<usize>) -> impl Iterator<Item = usize> {
        let cells = if let Self::Cells(cells) = self { &cells[..] } else { &[] };
        let first = cells.partition_point(|cell| *cell < (query, keys.start));
        cells[first..]
            .iter()
            .take_while(move |cell| cell.0 == query && cell.1 < keys.end)
            .map(|cell| cell.1)
    }
}

/// Writes `true` to the first cells and `false` to the others.
fn split(open: &mut [bool], first: usize) {
    let first = first.min(open.len());
    open[..first].fill(true);
    open[first..].fill(false);
}

/// The two windows of a strided rule: the neighbours, and every `stride`-th key.
fn strided(stride: usize, one_sided: bool) -> [Window; 2] {
    let near = Window { width: stride, dilation: 1, one_sided };
    [near, Window { width: usize::MAX, dilation: stride, one_sided }]
}
