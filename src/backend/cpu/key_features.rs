//! What attention variants make of all keys before the first weight: a map of each, features
//! with their sums, means of segments, directions of the whole pattern. It is cached while a text
//! goes through a site a few rows at a time, and goes on where it ended when the text grows.

use std::ops::Range;

use super::CpuTensor;
use super::low_rank::LowRankWork;
use super::op_counter::Meter;
use crate::backend::Attention;
use crate::edits::{HeadVariant, Variant, segments};
use crate::kernels::elementwise;
use crate::kernels::features;
use crate::kernels::lanes::map;
use crate::kernels::math::Tanh;
use crate::kernels::random::additive_weights;

/// One head of a site, row by row.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub site: &'a Attention<'a, CpuTensor>,
    pub head: usize,
    pub own: HeadVariant,
}

impl<'a> View<'a> {
    pub fn of(site: &'a Attention<'a, CpuTensor>, head: usize) -> Self {
        Self { site, head, own: site.variants.of(head) }
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

    /// Queries and keys.
    pub fn shape(&self) -> [usize; 2] {
        [self.site.query.rows(), self.n_keys()]
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
        self.visible_among(query, 0..self.n_keys())
    }

    /// The same for some keys, without the others.
    pub fn visible_among(&self, query: usize, keys: Range<usize>) -> Vec<bool> {
        self.site.mask.visible_among(self.head, query, keys, self.n_keys())
    }

    /// The first of the keys that no query up to this one may look at.
    pub fn end(&self, query: usize) -> usize {
        let end = self.site.mask.open_until(self.head, query);
        end.map_or(self.n_keys(), |end| end.min(self.n_keys()))
    }

    /// Works on the memo of the head.
    pub fn keeping<T>(&self, work: impl FnOnce(&mut KeyFeatures) -> T) -> T {
        self.site.memo.of(self.head, self.shape(), work)
    }

    /// Whether a pattern that was given stands in place of a row.
    pub fn is_given(&self, query: usize) -> bool {
        self.site.fixed_patterns.pattern(self.head, query).is_some()
    }

    /// Neighbouring queries of which every row is given, or none is.
    pub fn runs(&self, queries: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let mut rest = queries;
        std::iter::from_fn(move || {
            let first = rest.next()?;
            let is_given = self.is_given(first);
            let end = rest.clone().find(|&query| self.is_given(query) != is_given);
            let end = end.unwrap_or(rest.end);
            rest.start = end;
            Some((first..end, is_given))
        })
    }
}

/// The cached features of one head: those of its variant that were read so far.
#[derive(Default)]
pub(in super::super) struct KeyFeatures {
    /// Of the keys, where they are compared by their direction.
    lengths: Vec<f32>,
    additive: Option<Additive>,
    features: Option<Features>,
    pools: Option<Pools>,
    whole: Option<LowRankWork>,
}

impl KeyFeatures {
    /// The lengths of all keys.
    pub(super) fn lengths(&mut self, view: &View<'_>, meter: &Meter) -> &[f32] {
        let known = self.lengths.len();
        self.lengths.extend((known..view.n_keys()).map(|key| length(view.key(key), meter)));
        &self.lengths
    }

    /// The network of additive attention, of so many units, with all keys mapped.
    pub(super) fn additive(
        &mut self,
        view: &View<'_>,
        (width, seed): (usize, u64),
        meter: &Meter,
    ) -> &Additive {
        let network = self.additive.get_or_insert_with(|| Additive::draw(view, width, seed));
        network.learn(view, meter);
        network
    }

    /// The features of all keys.
    pub(super) fn features(&mut self, view: &View<'_>, meter: &Meter) -> &mut Features {
        let features = self.features.get_or_insert_with(|| Features::of(view));
        features.learn(view, meter);
        features
    }

    /// At most so many segments, those of the last query.
    pub(super) fn pools(&mut self, most: usize) -> &mut Pools {
        self.pools.get_or_insert_with(|| Pools { most, ..Pools::default() })
    }

    /// What is known of the whole pattern of so many queries and keys; `make` begins with it.
    pub(super) fn whole(
        &mut self,
        shape: [usize; 2],
        make: impl FnOnce() -> LowRankWork,
    ) -> &mut LowRankWork {
        self.whole.take_if(|known| known.shape != shape);
        self.whole.get_or_insert_with(make)
    }

    /// Whether all of it is known.
    pub(super) fn knows_whole(&self, shape: [usize; 2]) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.shape == shape && whole.known().is_some())
    }

    /// Whether it has begun with what is made of all rows.
    pub(in super::super) fn begins_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Whether it has anything that was made of keys.
    pub(in super::super) fn knows_keys(&self) -> bool {
        let Self { lengths, additive, features, pools, whole: _ } = self;
        !lengths.is_empty() || additive.is_some() || features.is_some() || pools.is_some()
    }

    /// Reduces it to what is known of all rows; whether that is anything.
    pub(in super::super) fn forget(&mut self) -> bool {
        *self = Self { whole: self.whole.take(), ..Self::default() };
        self.whole.is_some()
    }

    /// What is known of all rows, shared.
    pub(in super::super) fn shared(&self) -> Option<Self> {
        let whole = self.whole.as_ref()?.shared()?;
        Some(Self { whole: Some(whole), ..Self::default() })
    }
}

/// `‖x‖`.
pub(super) fn length(x: &[f32], meter: &Meter) -> f32 {
    meter.dot(x, x).sqrt()
}

/// The network of additive attention, and what it makes of each key.
pub(super) struct Additive {
    /// Its units.
    pub width: usize,
    query: Vec<f32>,
    key: Vec<f32>,
    /// From units to a score.
    pub out: Vec<f32>,
    /// `[n_k, width]`.
    pub keys: Vec<f32>,
}

impl Additive {
    fn draw(view: &View<'_>, width: usize, seed: u64) -> Self {
        let d = view.width();
        let width = if width == 0 { d } else { width };
        let [query, key, out] = additive_weights(d, width, seed);
        Self { width, query, key, out, keys: Vec::new() }
    }

    fn learn(&mut self, view: &View<'_>, meter: &Meter) {
        let known = self.keys.len() / self.width;
        self.keys.reserve_exact((view.n_keys() - known) * self.width);
        for key in known..view.n_keys() {
            let first = self.keys.len();
            self.keys.resize(first + self.width, 0.0);
            apply(meter, &self.key, view.key(key), &mut self.keys[first..]);
        }
    }

    /// What it makes of a query.
    pub fn of_query(&self, meter: &Meter, query: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        apply(meter, &self.query, query, out);
    }

    /// `tanh(a + b)`.
    pub fn join(&self, meter: &Meter, a: &[f32], b: &[f32], out: &mut [f32]) {
        out.copy_from_slice(a);
        elementwise::add_into(out, b);
        let tanh = Tanh::load();
        map(out, 0.0, |x| tanh.of(x));
        meter.count(2 * self.width);
    }
}

/// `out ← out + x W`, `W` with a row for each number of `x`.
fn apply(meter: &Meter, weight: &[f32], x: &[f32], out: &mut [f32]) {
    for (row, &x) in weight.chunks_exact(out.len()).zip(x) {
        meter.add(out, x, row);
    }
}

/// The feature map of a head, what it makes of each key, and the sums of the last query.
pub(super) struct Features {
    /// Features of a query and of a key.
    pub count: usize,
    directions: Option<(features::Directions, f64)>,
    /// Those of the keys, `[n_k, count]`.
    pub keys: Vec<f64>,
    /// Per feature the sum of values, and of 1, `[count, d_v + 1]`.
    pub sums: Vec<f64>,
    /// What the last query could look at.
    seen: Vec<bool>,
    /// The sums have all keys before this one that it could look at.
    end: usize,
}

impl Features {
    fn of(view: &View<'_>) -> Self {
        let (count, directions) = match view.own.variant {
            Variant::Performer { features, seed } => {
                let directions = features::Directions::draw(seed, features, view.width());
                let half = f64::from(view.factor()).sqrt();
                (features, Some((directions, half)))
            }
            _ => (view.width(), None),
        };
        let keys = Vec::new();
        let sums = Vec::new();
        let seen = Vec::new();
        Self { count, directions, keys, sums, seen, end: 0 }
    }

    /// The features of a query or a key.
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

    fn learn(&mut self, view: &View<'_>, meter: &Meter) {
        let m = self.count;
        let mut keys = std::mem::take(&mut self.keys);
        let known = keys.len() / m.max(1);
        keys.reserve_exact((view.n_keys() - known) * m);
        for key in known..view.n_keys() {
            let first = keys.len();
            keys.resize(first + m, 0.0);
            self.map(meter, view.key(key), &mut keys[first..]);
        }
        self.keys = keys;
    }

    /// Makes the sums those of a query. They go on from query to query as long as each looks at
    /// all that the query before it attends to; else they begin anew, from the first key.
    pub fn gather(&mut self, view: &View<'_>, query: usize, meter: &Meter) {
        let m = self.count;
        let width = view.value_width() + 1;
        let visible = view.visible(query);
        if self.sums.is_empty() || visible.get(..self.end) != self.seen.get(..self.end) {
            self.sums.clear();
            self.sums.resize(m * width, 0.0);
            self.end = 0;
        }
        for key in (self.end..visible.len()).filter(|&key| visible[key]) {
            let value = view.value(key);
            let features = &self.keys[key * m..][..m];
            for (feature, sum) in features.iter().zip(self.sums.chunks_exact_mut(width)) {
                sum.iter_mut().zip(value).for_each(|(sum, &v)| *sum += feature * f64::from(v));
                sum[width - 1] += feature;
            }
            meter.count(m * width);
            self.end = key + 1;
        }
        self.seen = visible;
    }
}

/// Means of keys and of values over segments of those that a query may look at.
#[derive(Default)]
pub(super) struct Pools {
    most: usize,
    seen: Vec<bool>,
    open: Vec<usize>,
    /// Where each ends among the open keys; the first begins at 0.
    pub segments: Vec<Range<usize>>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Pools {
    /// Makes them those of a query, unless they are.
    pub fn fill(&mut self, view: &View<'_>, query: usize, meter: &Meter) {
        let visible = view.visible(query);
        if self.seen == visible {
            return;
        }
        self.open = (0..visible.len()).filter(|&key| visible[key]).collect();
        self.seen = visible;
        self.segments = segments(self.open.len(), self.most).collect();
        let count = self.segments.len();
        let width = view.width();
        let value_width = view.value_width();
        self.keys = vec![0.0; count * width];
        self.values = vec![0.0; count * value_width];
        for (pool, segment) in self.segments.iter().enumerate() {
            let share = 1.0 / segment.len() as f32;
            for &key in &self.open[segment.clone()] {
                meter.add(&mut self.keys[pool * width..][..width], share, view.key(key));
                let into = &mut self.values[pool * value_width..][..value_width];
                meter.add(into, share, view.value(key));
            }
        }
    }

    /// The keys of a segment.
    pub fn of(&self, pool: usize) -> &[usize] {
        &self.open[self.segments[pool].clone()]
    }

    /// The mean of a segment's keys.
    pub fn key(&self, pool: usize) -> &[f32] {
        part(&self.keys, pool, self.segments.len())
    }

    /// The mean of a segment's values.
    pub fn value(&self, pool: usize) -> &[f32] {
        part(&self.values, pool, self.segments.len())
    }
}

/// One of so many equal parts.
fn part(x: &[f32], at: usize, count: usize) -> &[f32] {
    let width = x.len() / count;
    &x[at * width..][..width]
}
