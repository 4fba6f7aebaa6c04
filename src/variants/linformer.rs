//! Linformer attention with pooling: keys and values are averaged over segments of the text.
//!
//! `raw = q·k̄`, with `k̄` the mean of the key's segment, `scores = f · raw − ln(size of the
//! segment)`
//!
//! Source: Wang et al. 2020, section 4, where pooling is one of the projections. The segments
//! divide the keys that a query may attend to, as equally as possible. The softmax of these scores
//! over single keys is the pattern that the softmax over segments implies.

use std::ops::Range;

use super::cost::{Cost, product, singles};
use super::view::{Found, HeadView};
use super::{
    AttentionVariant, Facts, HeadMemo, Held, MOST_UNITS, MadePart, Named, RawScores, SoftmaxRows,
    VariantNumber, WeightRule,
};
use crate::axes::Stack;
use crate::kernels::counting::count;
use crate::kernels::elementwise::scale;
use crate::kernels::math::ln;
use crate::kernels::softmax::softmax_row;
use crate::kernels::vector::{add_multiple, dot};

/// Attention with keys and values averaged over segments of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linformer {
    /// The number of segments.
    pub keys: usize,
}

impl Named for Linformer {
    const NUMBERS: &'static [VariantNumber] =
        &[VariantNumber { name: "keys", least: 1, most: MOST_UNITS, usual: 4 }];

    fn of([keys, _]: [usize; 2]) -> Self {
        Self { keys }
    }
}

/// The ranges of at most `most` segments of `n` items, as equal as possible.
fn segments(n: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let count = most.min(n);
    (0..count).map(move |i| i * n / count..(i + 1) * n / count)
}

/// Means of keys and of values over segments of the keys that a query may attend to.
#[derive(Default)]
struct Pools {
    seen: Vec<bool>,
    open: Vec<usize>,
    /// The range of each segment among the open keys.
    segments: Vec<Range<usize>>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Pools {
    /// The means of a query.
    fn of<'a>(
        own: Linformer,
        memo: &'a mut HeadMemo,
        view: &HeadView<'_>,
        query: usize,
    ) -> &'a Self {
        let pools = memo.of_keys(Self::default);
        let visible = view.visible(query);
        if pools.seen != visible {
            pools.fill(own, view, visible);
        }
        pools
    }

    fn fill(&mut self, own: Linformer, view: &HeadView<'_>, visible: Vec<bool>) {
        self.open = (0..visible.len()).filter(|&key| visible[key]).collect();
        self.seen = visible;
        self.segments = segments(self.open.len(), own.keys).collect();
        let width = view.width();
        let value_width = view.value_width();
        zeros(&mut self.keys, self.segments.len() * width);
        zeros(&mut self.values, self.segments.len() * value_width);
        for (pool, segment) in self.segments.iter().enumerate() {
            let share = 1.0 / segment.len() as f32;
            for &key in &self.open[segment.clone()] {
                add_multiple(&mut self.keys[pool * width..][..width], share, view.key(key));
                let into = &mut self.values[pool * value_width..][..value_width];
                add_multiple(into, share, view.value(key));
            }
        }
    }

    fn count(&self) -> usize {
        self.segments.len()
    }

    /// The open keys of a segment.
    fn members(&self, pool: usize) -> &[usize] {
        &self.open[self.segments[pool].clone()]
    }

    /// The mean of a segment's keys.
    fn key(&self, pool: usize) -> &[f32] {
        part(&self.keys, pool, self.count())
    }

    /// The mean of a segment's values.
    fn value(&self, pool: usize) -> &[f32] {
        part(&self.values, pool, self.count())
    }
}

/// Resizes a vector to `count` zeros, in its own memory.
fn zeros(x: &mut Vec<f32>, count: usize) {
    x.clear();
    x.resize(count, 0.0);
}

/// One of `count` equal parts of `x`.
fn part(x: &[f32], at: usize, count: usize) -> &[f32] {
    let width = x.len() / count;
    &x[at * width..][..width]
}

impl AttentionVariant for Linformer {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                raw: RawScores::MeanProducts,
                weights: WeightRule::Segments,
                held: Held::Nothing,
                made: [None, Some(MadePart::MeanKey)],
                // In cross-attention all keys exist before the first query.
                stacks: &[Stack::Encoder, Stack::Cross],
                // The means are over the keys of each query.
                gpu: None,
                is_cheap: true,
                ..Facts::SOFTMAX
            }
        }
    }

    fn raw(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) -> bool {
        view.keeping(|memo| {
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                let pools = Pools::of(*self, memo, view, query);
                row.fill(0.0);
                for pool in 0..pools.count() {
                    let score = dot(view.query(query), pools.key(pool));
                    pools.members(pool).iter().for_each(|&key| row[key] = score);
                }
            }
        });
        true
    }

    fn scores(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) {
        scale(out, view.factor());
        view.keeping(|memo| {
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                let pools = Pools::of(*self, memo, view, query);
                for pool in 0..pools.count() {
                    let shared = ln(pools.members(pool).len() as f32);
                    pools.members(pool).iter().for_each(|&key| row[key] -= shared);
                }
            }
        });
    }

    fn context(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut Found<'_>) -> bool {
        view.keeping(|memo| {
            let mut row = vec![0.0; self.keys.min(view.n_keys())];
            for (query, out) in queries.zip(out.rows(view.value_width())) {
                let pools = Pools::of(*self, memo, view, query);
                let weights = &mut row[..pools.count()];
                for (pool, cell) in weights.iter_mut().enumerate() {
                    *cell = dot(view.query(query), pools.key(pool)) * view.factor();
                }
                softmax_row(weights);
                count(3 * weights.len());
                for (pool, &weight) in weights.iter().enumerate() {
                    add_multiple(out, weight, pools.value(pool));
                }
            }
        });
        true
    }

    fn factors(
        &self,
        view: &HeadView<'_>,
        _: SoftmaxRows<'_>,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        view.keeping(|memo| {
            let pools = Pools::of(*self, memo, view, query);
            let own = (0..pools.count()).find(|&pool| pools.members(pool).contains(&key));
            let mean = own.map_or(vec![0.0; view.width()], |pool| pools.key(pool).to_vec());
            Some([view.query(query).to_vec(), mean])
        })
    }

    fn keys_of_score(&self, visible: &[bool], key: usize) -> usize {
        let open_before = |end: usize| visible[..end].iter().filter(|&&open| open).count();
        let at = open_before(key);
        let all = open_before(visible.len());
        let own = segments(all, self.keys).find(|segment| segment.contains(&at));
        own.filter(|_| visible[key]).map_or(1, |segment| segment.len())
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let both = view.width() + view.value_width();
        let mut seen = Vec::new();
        let mut operations = 0;
        let mut most = 0;
        for query in rows.clone() {
            let visible = view.visible(query);
            let open = visible.iter().filter(|&&open| open).count();
            if seen != visible {
                operations += product([open, both]);
                seen = visible;
            }
            let pools = self.keys.min(open);
            operations += product([pools, both + 3]);
            most = most.max(pools);
        }
        let row = singles(self.keys.min(view.n_keys()));
        Cost { operations, bytes: singles(most * both) + row }
    }
}
