//! One head of an attention site as its variant sees it: rows of queries, keys and values, the mask,
//! what stands on and under the scores, and a place to keep what is made of keys.

use std::ops::Range;

use super::HeadVariant;
use super::memo::{HeadMemo, MemoStore};
use crate::kernels::vector::dot;
use crate::masks::Mask;
use crate::positions::Relative;

/// Rows of scores that are multiplied at once: a multiple of the kernel's four rows, and few enough
/// that rows of 2,000 keys stay in a core's second-level cache.
pub const QUERY_ROWS: usize = 32;

/// The rows of one head among heads that stand side by side.
#[derive(Clone, Copy)]
pub struct HeadRows<'a> {
    numbers: &'a [f32],
    columns: usize,
    first: usize,
    width: usize,
}

impl<'a> HeadRows<'a> {
    /// Head `head` of `n_heads` in rows of `columns` numbers.
    pub fn new(numbers: &'a [f32], columns: usize, head: usize, n_heads: usize) -> Self {
        let width = columns / n_heads;
        Self { numbers, columns, first: head * width, width }
    }

    /// The head's numbers in one row.
    pub fn row(&self, at: usize) -> &'a [f32] {
        &self.numbers[at * self.columns + self.first..][..self.width]
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.numbers.len() / self.columns
    }

    /// Numbers of a row.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// One head of a site, row by row.
#[derive(Clone, Copy)]
pub struct HeadView<'a> {
    /// `[n_q, d]`.
    pub queries: HeadRows<'a>,
    /// `[n_k, d]`.
    pub keys: HeadRows<'a>,
    /// `[n_k, d_v]`.
    pub values: HeadRows<'a>,
    /// Which head of queries it is.
    pub head: usize,
    /// Its variant, scale, temperature and dropout.
    pub own: HeadVariant,
    /// The model's factor on scores.
    pub scale: f32,
    /// Soft cap of the scaled scores.
    pub cap: Option<f32>,
    /// What is added to the scaled scores.
    pub relative: Option<&'a Relative>,
    /// Which keys each query may attend to.
    pub mask: &'a Mask,
    /// Where what is made of keys is kept.
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

    /// How many keys there are.
    pub fn n_keys(&self) -> usize {
        self.keys.count()
    }

    /// How many queries and keys there are.
    pub fn shape(&self) -> [usize; 2] {
        [self.queries.count(), self.n_keys()]
    }

    /// Numbers of a query and of a key.
    pub fn width(&self) -> usize {
        self.queries.width()
    }

    /// Numbers of a value.
    pub fn value_width(&self) -> usize {
        self.values.width()
    }

    /// The factor on raw scores.
    pub fn factor(&self) -> f32 {
        self.own.factor(self.scale)
    }

    /// For every key, whether a query may look at it.
    pub fn visible(&self, query: usize) -> Vec<bool> {
        self.visible_among(query, 0..self.n_keys())
    }

    /// The same for some keys, without the others.
    pub fn visible_among(&self, query: usize, keys: Range<usize>) -> Vec<bool> {
        self.mask.visible_among(self.head, query, keys, self.n_keys())
    }

    /// The first of the keys that no query up to this one may look at.
    pub fn end(&self, query: usize) -> usize {
        let end = self.mask.open_until(self.head, query);
        end.map_or(self.n_keys(), |end| end.min(self.n_keys()))
    }

    /// Scores of some keys under their mask.
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

    /// Works on what is kept of the head's keys.
    pub fn keeping<T>(&self, work: impl FnOnce(&mut HeadMemo) -> T) -> T {
        let mut memo = self.memo.take(self.head, self.shape());
        let result = work(&mut memo);
        self.memo.leave(self.head, self.shape(), memo);
        result
    }
}

/// What heads find, a row for each of some queries, as the first cells of rows of `columns`;
/// 0 until something is found.
pub struct Found<'a> {
    /// The cells from the first row's first one on.
    pub cells: &'a mut [f32],
    /// Cells from one row to the next.
    pub columns: usize,
}

impl Found<'_> {
    /// The first `width` cells of each row.
    pub fn rows(&mut self, width: usize) -> impl Iterator<Item = &mut [f32]> {
        self.cells.chunks_mut(self.columns).map(move |row| &mut row[..width])
    }
}
