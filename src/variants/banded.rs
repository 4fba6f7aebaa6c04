//! Attention within a band: products of queries and keys of neighbours alone. Sums are over the
//! keys of the band, so that work and memory grow with the text, not with its square.
//!
//! * sliding: `q − width ≤ k ≤ q + width` (Beltagy et al. 2020, "Longformer", section 3.1)
//! * blocks: `k` in the block of `q` or in one of its `neighbours` on each side (Zaheer et al.
//!   2020, "Big Bird", appendix D)
//!
//! `raw = q·k`, `scores = f · raw`; cells outside the band are masked. A query beyond the last key
//! has the band of the last key's position.

use std::ops::Range;

use super::cost::{Cost, singles};
use super::view::{Found, HeadView};
use super::{AttentionVariant, Facts, Held, MOST_UNITS, Named, SoftmaxRows, VariantNumber};
use crate::kernels::counting::count;
use crate::kernels::softmax::softmax_row;
use crate::kernels::vector::add_multiple;

/// A band of a number of keys on each side of a query's own position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sliding {
    /// The number of keys on each side.
    pub width: usize,
}

/// A band of a query's own block of keys and some blocks on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The number of keys of a block.
    pub size: usize,
    /// The number of blocks on each side.
    pub neighbours: usize,
}

impl Named for Sliding {
    const NUMBERS: &'static [VariantNumber] =
        &[VariantNumber { name: "width", least: 0, most: MOST_UNITS, usual: 2 }];

    fn of([width, _]: [usize; 2]) -> Self {
        Self { width }
    }
}

impl Named for Blocks {
    const NUMBERS: &'static [VariantNumber] = &[
        VariantNumber { name: "size", least: 1, most: MOST_UNITS, usual: 4 },
        VariantNumber { name: "neighbours", least: 0, most: MOST_UNITS, usual: 1 },
    ];

    fn of([size, neighbours]: [usize; 2]) -> Self {
        Self { size, neighbours }
    }
}

/// The band of keys that a query is compared with.
trait Band {
    /// The keys of a query at or before the last of `n_keys` keys.
    fn keys_at(&self, query: usize, n_keys: usize) -> Range<usize>;

    /// The keys of any query.
    fn keys(&self, query: usize, n_keys: usize) -> Range<usize> {
        self.keys_at(query.min(n_keys.saturating_sub(1)), n_keys)
    }

    /// The largest number of keys that one of some queries has.
    fn widest(&self, queries: &Range<usize>, n_keys: usize) -> usize {
        queries.clone().map(|query| self.keys(query, n_keys).len()).max().unwrap_or(0)
    }

    /// Writes the weights of the keys of a query into the first cells of a row, and returns the
    /// range of these keys.
    fn weights_of(&self, view: &HeadView<'_>, query: usize, row: &mut [f32]) -> Range<usize> {
        let keys = self.keys(query, view.n_keys());
        let weights = &mut row[..keys.len()];
        view.masked_scores(query, keys.clone(), weights);
        softmax_row(weights);
        count(3 * weights.len());
        if let Some(dropout) = view.own.dropout {
            dropout.apply(query, keys.start, weights);
        }
        keys
    }
}

impl Band for Sliding {
    fn keys_at(&self, query: usize, n_keys: usize) -> Range<usize> {
        query.saturating_sub(self.width)..n_keys.min(query + self.width + 1)
    }
}

impl Band for Blocks {
    fn keys_at(&self, query: usize, n_keys: usize) -> Range<usize> {
        let block = query / self.size;
        let first = block.saturating_sub(self.neighbours) * self.size;
        first..n_keys.min((block + self.neighbours + 1) * self.size)
    }
}

impl<B: Band> AttentionVariant for B {
    fn facts(&self) -> &'static Facts {
        const { &Facts { held: Held::Weights, is_cheap: true, ..Facts::SOFTMAX } }
    }

    fn band(&self, query: usize, n_keys: usize) -> Option<Range<usize>> {
        Some(self.keys(query, n_keys))
    }

    fn weights(
        &self,
        view: &HeadView<'_>,
        _: SoftmaxRows<'_>,
        queries: Range<usize>,
        out: &mut [f32],
    ) -> bool {
        for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
            row.fill(0.0);
            let keys = self.weights_of(view, query, row);
            row.copy_within(..keys.len(), keys.start);
            row[..keys.start.min(keys.len())].fill(0.0);
        }
        true
    }

    fn context(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut Found<'_>) -> bool {
        let mut row = vec![0.0; self.widest(&queries, view.n_keys())];
        for (query, out) in queries.zip(out.rows(view.value_width())) {
            let keys = self.weights_of(view, query, &mut row);
            for (&weight, key) in row.iter().zip(keys) {
                add_multiple(out, weight, view.value(key));
            }
        }
        true
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let n_keys = view.n_keys();
        let cells = rows.clone().map(|query| self.keys(query, n_keys).len() as u64).sum::<u64>();
        let per_cell = view.width() + 3 + view.value_width();
        Cost { operations: cells * per_cell as u64, bytes: singles(self.widest(rows, n_keys)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_band_ends_with_the_text() {
        let sliding = Sliding { width: 2 };
        assert_eq!([0, 3, 6].map(|query| sliding.keys(query, 7)), [0..3, 1..6, 4..7]);
        let blocks = Blocks { size: 3, neighbours: 1 };
        assert_eq!([0, 3, 6].map(|query| blocks.keys(query, 8)), [0..6, 0..8, 3..8]);
        // A query beyond the last key stands where that is.
        assert_eq!(sliding.keys(30, 7), 4..7);
        assert_eq!(blocks.keys(30, 7), 3..7);
        assert_eq!(sliding.keys(5, 0), 0..0);
    }
}
