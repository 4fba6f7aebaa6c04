//! One head of an attention site as its variant sees it: rows of queries, keys and values, the
//! mask, the factors and terms of scores, and a store for data derived from keys.

use std::ops::Range;

use super::HeadVariant;
use super::memo::{HeadMemo, MemoStore};
use crate::kernels::matmul::Rows;
use crate::kernels::vector::dot;
use crate::masks::Mask;
use crate::positions::Relative;

/// The number of rows of scores that are computed at once: a multiple of the kernel's four rows,
/// and few enough that rows of 2,000 keys stay in a core's second-level cache.
pub const QUERY_ROWS: usize = 32;

/// The rows of one head out of a matrix of several heads side by side.
#[derive(Clone, Copy)]
pub struct HeadRows<'a> {
    numbers: &'a [f32],
    columns: usize,
    first: usize,
    width: usize,
}

impl<'a> HeadRows<'a> {
    /// The rows of head `head` of `n_heads`, in a matrix of `columns` columns.
    pub fn new(numbers: &'a [f32], columns: usize, head: usize, n_heads: usize) -> Self {
        let width = columns / n_heads;
        Self { numbers, columns, first: head * width, width }
    }

    /// The head's numbers in one row.
    pub fn row(&self, at: usize) -> &'a [f32] {
        &self.numbers[at * self.columns + self.first..][..self.width]
    }

    /// The head's numbers in all rows from `at` on, in the form of the kernels; none if there is no
    /// such row.
    pub fn from(&self, at: usize) -> Rows<'a> {
        let first = (at * self.columns + self.first).min(self.numbers.len());
        let count = self.count().saturating_sub(at);
        Rows { data: &self.numbers[first..], stride: self.columns, count }
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.numbers.len() / self.columns
    }

    /// The number of numbers in a row of the head.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// One head of a site, row by row.
#[derive(Clone, Copy)]
pub struct HeadView<'a> {
    /// The queries, `[n_q, d]`.
    pub queries: HeadRows<'a>,
    /// The keys, `[n_k, d]`.
    pub keys: HeadRows<'a>,
    /// The values, `[n_k, d_v]`.
    pub values: HeadRows<'a>,
    /// The index of the query head.
    pub head: usize,
    /// The head's variant, scale, temperature and dropout.
    pub own: HeadVariant,
    /// The model's factor of scores.
    pub scale: f32,
    /// The soft cap of the scaled scores, if any.
    pub cap: Option<f32>,
    /// The relative positions whose terms are added to the scaled scores.
    pub relative: Option<&'a Relative>,
    /// The mask, which says the keys that each query may attend to.
    pub mask: &'a Mask,
    /// The store of the data derived from keys.
    pub memo: &'a dyn MemoStore,
}

impl<'a> HeadView<'a> {
    /// The numbers of one query.
    pub fn query(&self, at: usize) -> &'a [f32] {
        self.queries.row(at)
    }

    /// The numbers of one key.
    pub fn key(&self, at: usize) -> &'a [f32] {
        self.keys.row(at)
    }

    /// The numbers of one value.
    pub fn value(&self, at: usize) -> &'a [f32] {
        self.values.row(at)
    }

    /// The number of keys.
    pub fn n_keys(&self) -> usize {
        self.keys.count()
    }

    /// The numbers of queries and keys.
    pub fn shape(&self) -> [usize; 2] {
        [self.queries.count(), self.n_keys()]
    }

    /// The width of a query and of a key.
    pub fn width(&self) -> usize {
        self.queries.width()
    }

    /// The width of a value.
    pub fn value_width(&self) -> usize {
        self.values.width()
    }

    /// The factor of raw scores.
    pub fn factor(&self) -> f32 {
        self.own.factor(self.scale)
    }

    /// For every key, whether a query may attend to it.
    pub fn visible(&self, query: usize) -> Vec<bool> {
        self.visible_among(query, 0..self.n_keys())
    }

    /// For each key of a range, whether a query may attend to it.
    pub fn visible_among(&self, query: usize, keys: Range<usize>) -> Vec<bool> {
        self.mask.visible_among(self.head, query, keys, self.n_keys())
    }

    /// The first key from which on every key is masked for all queries up to `query`.
    pub fn end(&self, query: usize) -> usize {
        let end = self.mask.open_until(self.head, query);
        end.map_or(self.n_keys(), |end| end.min(self.n_keys()))
    }

    /// Writes the masked scores of some keys into `row`.
    pub fn masked_scores(&self, query: usize, keys: Range<usize>, row: &mut [f32]) {
        let added = self.mask.fill(self.head).added();
        let visible = self.visible_among(query, keys.clone());
        for ((cell, key), open) in row.iter_mut().zip(keys).zip(visible) {
            *cell = dot(self.query(query), self.key(key)) * self.factor();
            if !open {
                *cell = if added == f32::NEG_INFINITY { added } else { *cell + added };
            }
        }
    }

    /// Calls `work` with the head's memo, which is stored again afterwards.
    pub fn keeping<T>(&self, work: impl FnOnce(&mut HeadMemo) -> T) -> T {
        let mut memo = self.memo.take(self.head, self.shape());
        let result = work(&mut memo);
        self.memo.leave(self.head, self.shape(), memo);
        result
    }
}

/// The contexts of some queries: a row for each, in the first cells of rows of `columns`; 0 until
/// they are computed.
pub struct Found<'a> {
    /// The cells from the first row's first cell on.
    pub cells: &'a mut [f32],
    /// The number of cells from one row to the next.
    pub columns: usize,
}

impl Found<'_> {
    /// The first `width` cells of each row.
    pub fn rows(&mut self, width: usize) -> impl Iterator<Item = &mut [f32]> {
        self.cells.chunks_mut(self.columns).map(move |row| &mut row[..width])
    }
}
