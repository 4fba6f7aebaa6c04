//! One rule of a mask: a yes or no for each query and key, and how many yeses a row has,
//! counted without writing it out.
//!
//! | rule | query `q` may look at key `k` |
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
//! In cross-attention `q` and `k` count the tokens of two texts, and are compared all the same.

use std::ops::Range;

use super::links::Links;
use super::window::Window;

/// A query and a key.
pub type Cell = (usize, usize);

/// Who may look at whom, for a text of any length.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Everybody at everybody.
    Open,
    /// A query at no later key.
    Causal,
    /// Everybody at everybody but for these cells, in ascending order.
    Cells(Vec<Cell>),
    /// Everybody at the first keys alone: the others are padding.
    Until(usize),
    /// A query at the first keys, and at no later key than itself beyond them.
    Prefix(usize),
    /// A window, global tokens, random keys.
    Links(Links),
    /// A query at the keys of its own block of so many tokens.
    Blocks(usize),
    /// A query at its neighbours and at every `stride`-th key.
    Strided {
        /// How far neighbours go, and how far apart the others are; at least 1.
        stride: usize,
        /// At no later key.
        one_sided: bool,
    },
}

/// In ascending order, each cell once.
pub fn ordered(cells: Vec<Cell>) -> Vec<Cell> {
    // Places have 32 bits. The core sorts lists of one type here and for singular values.
    let key = |(query, key): Cell| (query as u64) << 32 | key as u64;
    let mut keys: Vec<u64> = cells.into_iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().map(|key| ((key >> 32) as usize, key as u32 as usize)).collect()
}

impl Rule {
    /// All cells but these, in whatever order they come.
    pub fn cells(cells: Vec<Cell>) -> Self {
        Self::Cells(ordered(cells))
    }

    /// The keys of a window alone.
    pub fn window(window: Window) -> Self {
        Self::Links(Links { window: Some(window), ..Links::default() })
    }

    /// Whether the rule forbids nothing, however long the text is.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Open => true,
            Self::Cells(cells) => cells.is_empty(),
            _ => false,
        }
    }

    /// Whether no query may look at a later key, however long the text is.
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

    /// Writes for some keys whether `query` may look at each, in a text of `n_keys`. `open` has
    /// one cell per key, of which the first is `first`'s.
    pub(super) fn write(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        let keys = first..first + open.len();
        // Keys before this one stand so far from the first cell.
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

    /// How many of the keys before `end` `query` may look at, in a text of `n_keys`.
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
                // Both windows have the query itself and the keys one stride away.
                let both = Window { width: 1, dilation: *stride, one_sided: *one_sided };
                near.count(query, end) + far.count(query, end) - both.count(query, end)
            }
        }
    }

    /// The listed keys of a query among some keys.
    pub(super) fn listed(&self, query: usize, keys: Range<usize>) -> impl Iterator<Item = usize> {
        let cells = if let Self::Cells(cells) = self { &cells[..] } else { &[] };
        let first = cells.partition_point(|cell| *cell < (query, keys.start));
        cells[first..]
            .iter()
            .take_while(move |cell| cell.0 == query && cell.1 < keys.end)
            .map(|cell| cell.1)
    }
}

/// Yes for the first keys, no for the others.
fn split(open: &mut [bool], first: usize) {
    let first = first.min(open.len());
    open[..first].fill(true);
    open[first..].fill(false);
}

/// The neighbours, and every `stride`-th key.
fn strided(stride: usize, one_sided: bool) -> [Window; 2] {
    let near = Window { width: stride, dilation: 1, one_sided };
    [near, Window { width: usize::MAX, dilation: stride, one_sided }]
}
