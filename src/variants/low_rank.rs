//! Low-rank attention: the softmax's weights of all rows, reduced to a few singular values.
//!
//! `raw = q·k`, `scores = f · raw`, `weights = Σ_{i ≤ r} uᵢ σᵢ vᵢᵀ` of `softmax(masked)`
//!
//! Source: Eckart and Young 1936. The directions are computed in steps, each no longer than its
//! caller wants (`kernels::truncate`), before the first row. Rows need not sum to 1 and may have
//! negative numbers.

use std::ops::Range;
use std::rc::Rc;

use super::cost::{self, Cost, doubles, product, singles};
use super::pattern_work::PatternWork;
use super::view::HeadView;
use super::{
    AttentionVariant, Facts, HeadMemo, MOST_UNITS, MadePart, Named, SoftmaxRows, VariantNumber,
    WeightRule,
};
use crate::axes::Stack;
use crate::kernels::counting::count;
use crate::kernels::truncate::Directions;

/// The most tokens of a text whose patterns are reduced to few singular values. The work grows with
/// the cube of the length: at this length it takes some seconds for each head.
const LONGEST_DECOMPOSED: usize = 512;

/// The softmax's pattern with few singular values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LowRank {
    /// The number of singular values.
    pub rank: usize,
}

impl Named for LowRank {
    const NUMBERS: &'static [VariantNumber] =
        &[VariantNumber { name: "rank", least: 0, most: MOST_UNITS, usual: 4 }];

    fn of([rank, _]: [usize; 2]) -> Self {
        Self { rank }
    }
}

impl LowRank {
    fn work<'a>(
        self,
        memo: &'a mut HeadMemo,
        view: &HeadView<'_>,
        softmax: SoftmaxRows<'_>,
    ) -> &'a mut PatternWork {
        let shape = view.shape();
        memo.whole(shape, || {
            let mut pattern = vec![0.0; shape[0] * shape[1]];
            softmax(&mut pattern);
            PatternWork::new(pattern, shape, self.rank)
        })
    }

    /// The largest directions of the softmax's weights, all computed at once.
    fn whole(self, view: &HeadView<'_>, softmax: SoftmaxRows<'_>) -> Rc<Directions> {
        view.keeping(|memo| {
            let work = self.work(memo, view, softmax);
            loop {
                if let Some(known) = work.known() {
                    return Rc::clone(known);
                }
                work.advance(usize::MAX);
            }
        })
    }
}

impl AttentionVariant for LowRank {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                weights: WeightRule::Directions,
                made: [Some(MadePart::Left), Some(MadePart::Right)],
                stacks: &[Stack::Encoder],
                longest: Some(LONGEST_DECOMPOSED),
                gpu: None,
                is_cheap: true,
                ..Facts::SOFTMAX
            }
        }
    }

    fn prepare(&self, view: &HeadView<'_>, softmax: SoftmaxRows<'_>, multiplications: usize) {
        view.keeping(|memo| self.work(memo, view, softmax).advance(multiplications));
    }

    fn weights(
        &self,
        view: &HeadView<'_>,
        softmax: SoftmaxRows<'_>,
        queries: Range<usize>,
        out: &mut [f32],
    ) -> bool {
        let directions = self.whole(view, softmax);
        for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
            count(directions.row(self.rank, query, row));
        }
        true
    }

    fn factors(
        &self,
        view: &HeadView<'_>,
        softmax: SoftmaxRows<'_>,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        let found = self.whole(view, softmax);
        let of = |rows: &[Vec<f64>], at: usize| rows.iter().map(|row| row[at] as f32).collect();
        Some([of(&found.left, query), of(&found.right, key)])
    }

    fn directions(&self, n_keys: usize) -> usize {
        self.rank.min(n_keys)
    }

    fn kept_per_key(&self, _: usize, n_keys: usize) -> u64 {
        // The directions of the queries and of the keys, which are equally many.
        doubles(2 * self.rank.min(n_keys))
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let [n_queries, n_keys] = view.shape();
        let known = view.keeping(|memo| memo.known_whole(view.shape()));
        let Some(found) = known else { return Cost::default() };
        let all = 0..n_queries;
        let softmax = cost::weights(view, &all, cost::products(view, &all));
        let rank = found.left.len();
        let weights = product([rows.len(), n_keys, rank + view.value_width()]);
        // The pattern is reduced to a triangle, with a copy in f64; then its directions are
        // computed.
        let pattern = singles(n_queries * n_keys);
        let copy = doubles(n_queries * n_keys);
        let triangle = doubles(n_queries * found.reduced);
        let directions = doubles(rank * (n_queries + n_keys));
        let reducing = pattern + triangle + copy.max(directions);
        let attending = directions + singles(rows.len() * n_keys);
        Cost { operations: softmax + found.operations + weights, bytes: reducing.max(attending) }
    }
}
