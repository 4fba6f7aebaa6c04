//! Attention by features: `φ(q)·φ(k)` in place of `exp(q·k)`, so that one sum over the keys serves
//! all queries.
//!
//! `raw = φ(q)·φ(k)`, `scores = ln raw`, `context = φ(q)ᵀ Σ φ(k) vᵀ / φ(q)·Σ φ(k)`
//!
//! The softmax of these scores is the pattern that the sums imply, though no softmax is computed.
//! Logarithms are computed from the f64 sums, not from their f32 roundings. Shapes: features `[m]`
//! in f64, sums `[m, d_v + 1]`.

use std::ops::Range;

use super::HeadMemo;
use super::cost::{Cost, doubles, product};
use super::memo::KeyMap;
use super::view::{Found, HeadView};
use crate::kernels::counting::count;
use crate::kernels::features::{self, Directions};

/// The map from a query or a key to its features.
pub(super) enum FeatureMap {
    /// The features `elu(x) + 1`, as many as the head's width.
    Elu {
        /// The head's width.
        width: usize,
    },
    /// Exponentials along random directions, of a query or a key times a factor.
    Random {
        /// The random directions.
        directions: Directions,
        /// The number of directions.
        count: usize,
        /// The factor of the query or key.
        factor: f64,
    },
}

impl FeatureMap {
    /// The number of features.
    fn count(&self) -> usize {
        match self {
            Self::Elu { width } => *width,
            Self::Random { count, .. } => *count,
        }
    }

    fn map(&self, x: &[f32], out: &mut [f64]) {
        match self {
            Self::Elu { .. } => features::elu(x, out),
            Self::Random { directions, factor, .. } => {
                count(out.len() * x.len());
                directions.features(x, *factor, out);
            }
        }
        count(out.len());
    }
}

/// The feature map of a head, the features of each key, and the sums of the last query.
pub(super) struct Features {
    map: FeatureMap,
    keys: KeyMap<f64>,
    /// For each feature the sum of values, and of 1, `[m, d_v + 1]`.
    sums: Vec<f64>,
    summed: Summed,
}

/// The keys that are in the sums: those before `end` that the last query could attend to.
#[derive(Default)]
struct Summed {
    visible: Vec<bool>,
    end: usize,
}

impl Summed {
    /// Moves to a query and the keys that it may attend to. The sums continue as long as each query
    /// attends to all keys that the query before it attends to; otherwise they start again. Returns
    /// the first key that the sums lack: 0 if they start again.
    fn go_on(&mut self, visible: Vec<bool>) -> usize {
        if visible.get(..self.end) != self.visible.get(..self.end) {
            self.end = 0;
        }
        let first = self.end;
        let last = visible.iter().rposition(|&open| open);
        self.end = last.map_or(first, |last| first.max(last + 1));
        self.visible = visible;
        first
    }

    /// The keys from `first` on that the last query may attend to.
    fn open_from(&self, first: usize) -> impl Iterator<Item = usize> {
        (first..self.visible.len()).filter(|&key| self.visible[key])
    }
}

impl Features {
    /// The features of a head with all of its keys mapped; `make` draws the map.
    fn of<'a>(
        memo: &'a mut HeadMemo,
        view: &HeadView<'_>,
        make: impl FnOnce() -> FeatureMap,
    ) -> &'a mut Self {
        let features = memo.of_keys(|| {
            let map = make();
            let keys = KeyMap::new(map.count());
            Self { map, keys, sums: Vec::new(), summed: Summed::default() }
        });
        let map = &features.map;
        features.keys.learn(view.n_keys(), |key, out| map.map(view.key(key), out));
        features
    }

    fn of_query(&self, view: &HeadView<'_>, query: usize, out: &mut [f64]) {
        self.map.map(view.query(query), out);
    }

    /// Sets the sums to those of a query.
    fn gather(&mut self, view: &HeadView<'_>, query: usize) {
        let width = view.value_width() + 1;
        let first = self.summed.go_on(view.visible(query));
        if first == 0 {
            self.sums.clear();
            self.sums.resize(self.map.count() * width, 0.0);
        }
        for key in self.summed.open_from(first) {
            let value = view.value(key);
            for (feature, sum) in self.keys.row(key).iter().zip(self.sums.chunks_exact_mut(width)) {
                sum.iter_mut().zip(value).for_each(|(sum, &v)| *sum += feature * f64::from(v));
                sum[width - 1] += feature;
            }
            count(self.map.count() * width);
        }
    }
}

/// The products of the features of some queries and all keys, each converted by `cell`.
pub(super) fn products(
    view: &HeadView<'_>,
    make: impl FnOnce() -> FeatureMap,
    queries: Range<usize>,
    out: &mut [f32],
    cell: impl Fn(f64) -> f32,
) {
    view.keeping(|memo| {
        let features = Features::of(memo, view, make);
        let mut own = vec![0.0; features.map.count()];
        for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
            features.of_query(view, query, &mut own);
            for (out, key) in row.iter_mut().zip(features.keys.rows()) {
                count(own.len());
                *out = cell(features::dot(&own, key));
            }
        }
    });
}

/// The features of one query and of one key.
fn pair(
    view: &HeadView<'_>,
    make: impl FnOnce() -> FeatureMap,
    query: usize,
    key: usize,
) -> [Vec<f64>; 2] {
    view.keeping(|memo| {
        let features = Features::of(memo, view, make);
        let mut own = vec![0.0; features.map.count()];
        features.of_query(view, query, &mut own);
        [own, features.keys.row(key).to_vec()]
    })
}

/// The context of some queries, computed by the sums.
pub(super) fn context(
    view: &HeadView<'_>,
    make: impl FnOnce() -> FeatureMap,
    queries: Range<usize>,
    out: &mut Found<'_>,
) {
    let width = view.value_width();
    view.keeping(|memo| {
        let features = Features::of(memo, view, make);
        let mut own = vec![0.0; features.map.count()];
        let mut found = vec![0.0; width + 1];
        for (query, out) in queries.zip(out.rows(width)) {
            features.gather(view, query);
            features.of_query(view, query, &mut own);
            found.fill(0.0);
            for (feature, sum) in own.iter().zip(features.sums.chunks_exact(width + 1)) {
                found.iter_mut().zip(sum).for_each(|(found, sum)| *found += feature * sum);
            }
            count((own.len() + 1) * (width + 1));
            let total = found[width];
            for (out, &found) in out.iter_mut().zip(&found) {
                // A NaN stays NaN.
                *out = if total == 0.0 { 0.0 } else { (found / total) as f32 };
            }
        }
    });
}

/// The cost with `m` features, each of `per_feature` operations.
pub(super) fn cost(view: &HeadView<'_>, m: usize, per_feature: usize, rows: &Range<usize>) -> Cost {
    let width = view.value_width() + 1;
    let mut summed = Summed::default();
    let joined: usize = rows
        .clone()
        .map(|query| {
            let first = summed.go_on(view.visible(query));
            summed.open_from(first).count()
        })
        .sum();
    let mapped = product([view.n_keys() + rows.len(), m, per_feature]);
    let sums = product([joined, m, width]);
    let found = product([rows.len(), m + 1, width]);
    Cost {
        operations: mapped + sums + found,
        bytes: doubles(view.n_keys() * m) + doubles(m * width) + doubles(m + width),
    }
}

/// The product of the features of one query and one key.
pub(super) fn sum(
    view: &HeadView<'_>,
    make: impl FnOnce() -> FeatureMap,
    query: usize,
    key: usize,
) -> f64 {
    let [own, other] = pair(view, make, query, key);
    features::dot(&own, &other)
}

/// The features of one query and of one key, as they are shown to the user.
pub(super) fn factors(
    view: &HeadView<'_>,
    make: impl FnOnce() -> FeatureMap,
    query: usize,
    key: usize,
) -> [Vec<f32>; 2] {
    pair(view, make, query, key).map(|row| row.into_iter().map(|x| x as f32).collect())
}
