//! Raw scores and scores of heads whose kind of attention is another than products of queries
//! and keys. What each kind is stands in `edits::kind`.

use std::ops::Range;

use super::meter::{Meter, Scratch};
use super::{CpuTensor, PackedHead};
use crate::axes::Stage;
use crate::backend::Attention;
use crate::edits::{HeadKind, Kind};
use crate::kernels::features::{self, Directions};
use crate::kernels::lanes::map;
use crate::kernels::math::Tanh;
use crate::kernels::random::additive_weights;
use crate::kernels::truncate;

/// One head of a site, row by row.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub site: &'a Attention<'a, CpuTensor>,
    pub head: usize,
    pub own: HeadKind,
}

impl<'a> View<'a> {
    pub fn of(site: &'a Attention<'a, CpuTensor>, head: usize) -> Self {
        Self { site, head, own: site.kinds.of(head) }
    }

    fn row(x: &'a CpuTensor, row: usize, head: usize, n_heads: usize) -> &'a [f32] {
        let width = x.columns / n_heads;
        &x.data[row * x.columns + head * width..][..width]
    }

    pub fn query(&self, at: usize) -> &'a [f32] {
        Self::row(self.site.query, at, self.head, self.site.n_heads)
    }

    pub fn key(&self, at: usize) -> &'a [f32] {
        Self::row(self.site.key, at, self.site.kv_head(self.head), self.site.n_kv_heads)
    }

    pub fn value(&self, at: usize) -> &'a [f32] {
        Self::row(self.site.value, at, self.site.kv_head(self.head), self.site.n_kv_heads)
    }

    pub fn n_keys(&self) -> usize {
        self.site.key.rows()
    }

    /// Numbers of a query and of a key.
    pub fn width(&self) -> usize {
        self.site.query.columns / self.site.n_heads
    }

    /// Numbers of a value.
    pub fn value_width(&self) -> usize {
        self.site.value.columns / self.site.n_kv_heads
    }

    /// On raw scores.
    pub fn factor(&self) -> f32 {
        self.own.factor(self.site.scale)
    }

    pub fn visible(&self, query: usize) -> Vec<bool> {
        self.site.mask.visible(self.head, query, self.n_keys())
    }

    /// Whether a pattern that was given stands in place of a row.
    pub fn is_given(&self, query: usize) -> bool {
        self.site.frozen.pattern(self.head, query).is_some()
    }
}

/// Raw scores of a kind that does not multiply queries by keys; `false` for one that does.
pub(super) fn raw(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut [f32]) -> bool {
    let n_keys = view.n_keys();
    let rows = queries.clone().zip(out.chunks_exact_mut(n_keys));
    match view.own.kind {
        Kind::Cosine => {
            let length = |x: &[f32]| meter.dot(x, x).sqrt();
            let mut lengths = meter.zeros::<f32>(n_keys);
            (0..n_keys).for_each(|key| lengths[key] = length(view.key(key)));
            for (query, row) in rows {
                let q = view.query(query);
                let own = length(q);
                for (key, cell) in row.iter_mut().enumerate() {
                    let both = own * lengths[key];
                    let product = meter.dot(q, view.key(key));
                    // A vector of zeros has no direction: it is like nothing.
                    *cell = if both > 0.0 { product / both } else { 0.0 };
                }
            }
        }
        Kind::Additive { width, seed } => {
            let network = Additive::draw(view.width(), width, seed);
            let mut keys = meter.zeros::<f32>(n_keys * network.width);
            for (key, out) in keys.chunks_exact_mut(network.width).enumerate() {
                network.map(meter, &network.key, view.key(key), out);
            }
            let mut own = meter.zeros::<f32>(network.width);
            let mut joined = meter.zeros::<f32>(network.width);
            for (query, row) in rows {
                network.map(meter, &network.query, view.query(query), &mut own);
                for (cell, key) in row.iter_mut().zip(keys.chunks_exact(network.width)) {
                    network.join(meter, &own, key, &mut joined);
                    *cell = meter.dot(&network.out, &joined);
                }
            }
        }
        Kind::Linear | Kind::Performer { .. } => alike(view, queries, meter, out, |x| x as f32),
        Kind::Linformer { keys } => {
            let mut pools = Pools::new(view, keys, meter);
            for (query, row) in rows {
                pools.fill(view, query, meter);
                row.fill(0.0);
                for pool in 0..pools.segments.len() {
                    let score = meter.dot(view.query(query), pools.key(pool));
                    pools.of(pool).iter().for_each(|&key| row[key] = score);
                }
            }
        }
        Kind::Softmax | Kind::Banded(_) | Kind::LowRank { .. } | Kind::Chunked { .. } => {
            return false;
        }
    }
    true
}

/// Products of features, each as `cell` makes a number of it.
fn alike(
    view: &View<'_>,
    queries: Range<usize>,
    meter: &Meter,
    out: &mut [f32],
    cell: impl Fn(f64) -> f32,
) {
    let mapped = Features::of(view);
    let keys = mapped.keys(view, meter);
    let mut own = meter.zeros::<f64>(mapped.count);
    for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
        mapped.map(meter, view.query(query), &mut own);
        for (out, key) in row.iter_mut().zip(keys.chunks_exact(mapped.count)) {
            meter.count(mapped.count);
            *out = cell(own.iter().zip(key).map(|(a, b)| a * b).sum::<f64>());
        }
    }
}

/// Turns raw scores into scores.
pub(super) fn scores(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let factor = view.factor();
    match view.own.kind {
        Kind::Linear | Kind::Performer { .. } => {
            // Of the products themselves: what is beyond f32 has a logarithm that is not.
            alike(view, queries, meter, out, |x| features::ln(x) as f32);
        }
        Kind::Linformer { keys } => {
            let mut pools = Pools::new(view, keys, meter);
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                pools.fill(view, query, meter);
                for cell in row.iter_mut() {
                    *cell *= factor;
                }
                for pool in 0..pools.segments.len() {
                    let shared = crate::kernels::math::ln(pools.of(pool).len() as f32);
                    pools.of(pool).iter().for_each(|&key| row[key] -= shared);
                }
            }
        }
        _ => crate::kernels::elementwise::scale(out, factor),
    }
    meter.count(out.len());
}

/// Forbids what a kind leaves out whatever the mask says.
pub(super) fn leave_out(view: &View<'_>, query: usize, row: &mut [f32]) {
    match view.own.kind {
        Kind::Banded(band) => {
            let keys = band.keys(query, row.len());
            row[..keys.start].fill(f32::NEG_INFINITY);
            row[keys.end..].fill(f32::NEG_INFINITY);
        }
        kind if kind.is_implied() => {
            // Sums have no place for a large negative number: what is closed is left out.
            for (cell, open) in row.iter_mut().zip(view.visible(query)) {
                *cell = if open { *cell } else { f32::NEG_INFINITY };
            }
        }
        _ => {}
    }
}

/// The softmax's weights of all queries, of which few singular values are kept.
pub(super) fn low_rank(
    packed: &PackedHead,
    view: &View<'_>,
    queries: Range<usize>,
    rank: usize,
    meter: &Meter,
    out: &mut [f32],
) {
    let (n_queries, n_keys) = (view.site.query.rows(), view.n_keys());
    let mut whole = meter.zeros::<f32>(n_queries * n_keys);
    packed.softmax(view, 0..n_queries, Stage::Weights, meter, &mut whole);
    let directions = truncate::Directions::of(&whole, n_keys);
    meter.passing((n_queries * (n_queries + n_keys)) * size_of::<f64>());
    meter.count(directions.operations);
    for (query, row) in queries.zip(out.chunks_exact_mut(n_keys)) {
        meter.count(directions.row(rank, query, row));
    }
}

/// The network of additive attention.
struct Additive {
    width: usize,
    query: Vec<f32>,
    key: Vec<f32>,
    out: Vec<f32>,
}

impl Additive {
    fn draw(d: usize, width: usize, seed: u64) -> Self {
        let width = if width == 0 { d } else { width };
        let [query, key, out] = additive_weights(d, width, seed);
        Self { width, query, key, out }
    }

    fn map(&self, meter: &Meter, weight: &[f32], x: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        for (row, &x) in weight.chunks_exact(self.width).zip(x) {
            meter.add(out, x, row);
        }
    }

    /// `tanh(a + b)`.
    fn join(&self, meter: &Meter, a: &[f32], b: &[f32], out: &mut [f32]) {
        out.copy_from_slice(a);
        crate::kernels::elementwise::add_into(out, b);
        let tanh = Tanh::load();
        map(out, 0.0, |x| tanh.of(x));
        meter.count(2 * self.width);
    }
}

/// The feature map of a head.
pub(super) struct Features {
    /// Features of a query and of a key.
    pub count: usize,
    directions: Option<(Directions, f64)>,
}

impl Features {
    pub fn of(view: &View<'_>) -> Self {
        match view.own.kind {
            Kind::Performer { features, seed } => {
                let directions = Directions::draw(seed, features, view.width());
                let half = f64::from(view.factor()).sqrt();
                Self { count: features, directions: Some((directions, half)) }
            }
            _ => Self { count: view.width(), directions: None },
        }
    }

    pub fn map(&self, meter: &Meter, x: &[f32], out: &mut [f64]) {
        match &self.directions {
            None => features::elu(x, out),
            Some((directions, half)) => {
                meter.count(self.count * x.len());
                directions.features(x, *half, out);
            }
        }
        meter.count(self.count);
    }

    /// Those of all keys, `[n_k, count]`.
    pub fn keys<'m>(&self, view: &View<'_>, meter: &'m Meter) -> Scratch<'m, f64> {
        let mut all = meter.zeros::<f64>(view.n_keys() * self.count);
        for (key, out) in all.chunks_exact_mut(self.count).enumerate() {
            self.map(meter, view.key(key), out);
        }
        all
    }
}

/// Means of keys and of values over segments of those that a query may look at.
pub(super) struct Pools<'m> {
    most: usize,
    width: usize,
    value_width: usize,
    seen: Scratch<'m, bool>,
    open: Vec<usize>,
    /// Where each ends among the open keys; the first begins at 0.
    pub segments: Vec<Range<usize>>,
    keys: Scratch<'m, f32>,
    values: Scratch<'m, f32>,
}

impl<'m> Pools<'m> {
    pub fn new(view: &View<'_>, most: usize, meter: &'m Meter) -> Self {
        let count = most.min(view.n_keys());
        Self {
            most,
            width: view.width(),
            value_width: view.value_width(),
            seen: meter.zeros(view.n_keys()),
            open: Vec::new(),
            segments: Vec::new(),
            keys: meter.zeros(count * view.width()),
            values: meter.zeros(count * view.value_width()),
        }
    }

    /// Makes them those of a query, unless they are.
    pub fn fill(&mut self, view: &View<'_>, query: usize, meter: &Meter) {
        let visible = view.visible(query);
        if *self.seen == *visible {
            return;
        }
        self.seen.copy_from_slice(&visible);
        self.open = (0..visible.len()).filter(|&key| visible[key]).collect();
        let (n, count) = (self.open.len(), self.most.min(self.open.len()));
        self.segments = (0..count).map(|i| i * n / count..(i + 1) * n / count).collect();
        self.keys.fill(0.0);
        self.values.fill(0.0);
        for (pool, segment) in self.segments.iter().enumerate() {
            let share = 1.0 / segment.len() as f32;
            for &key in &self.open[segment.clone()] {
                let into = &mut self.keys[pool * self.width..][..self.width];
                meter.add(into, share, view.key(key));
                let into = &mut self.values[pool * self.value_width..][..self.value_width];
                meter.add(into, share, view.value(key));
            }
        }
    }

    /// The keys of a segment.
    pub fn of(&self, pool: usize) -> &[usize] {
        &self.open[self.segments[pool].clone()]
    }

    pub fn key(&self, pool: usize) -> &[f32] {
        &self.keys[pool * self.width..][..self.width]
    }

    pub fn value(&self, pool: usize) -> &[f32] {
        &self.values[pool * self.value_width..][..self.value_width]
    }
}
