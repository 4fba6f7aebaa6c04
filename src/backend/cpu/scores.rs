//! Raw scores and scores of heads whose variant of attention is another than products of queries
//! and keys. What each variant is stands in `edits::variant`.

use std::ops::Range;
use std::rc::Rc;

use super::key_features::{KeyFeatures, View, length};
use super::low_rank::LowRankWork;
use super::op_counter::Meter;
use super::{CpuTensor, PackedHead};
use crate::axes::Stage;
use crate::backend::Attention;
use crate::edits::Variant;
use crate::kernels::truncate::{Directions, Truncation};
use crate::kernels::{features, math};

/// Multiplications of f64: some milliseconds.
const PREPARED_AT_ONCE: usize = 5_000_000;

/// Raw scores of a variant that does not multiply queries by keys; `false` for one that does.
pub(super) fn raw(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut [f32]) -> bool {
    let n_keys = view.n_keys();
    let rows = queries.clone().zip(out.chunks_exact_mut(n_keys));
    match view.own.variant {
        Variant::Cosine => view.keeping(|memo| {
            let lengths = memo.lengths(view, meter);
            for (query, row) in rows {
                let q = view.query(query);
                let own = length(q, meter);
                for (key, cell) in row.iter_mut().enumerate() {
                    let both = own * lengths[key];
                    let product = meter.dot(q, view.key(key));
                    // A vector of zeros has no direction: it is like nothing.
                    *cell = if both == 0.0 { 0.0 } else { product / both };
                }
            }
        }),
        Variant::Additive { width, seed } => view.keeping(|memo| {
            let network = memo.additive(view, (width, seed), meter);
            let mut own = vec![0.0; network.width];
            let mut joined = vec![0.0; network.width];
            for (query, row) in rows {
                network.of_query(meter, view.query(query), &mut own);
                for (cell, key) in row.iter_mut().zip(network.keys.chunks_exact(network.width)) {
                    network.join(meter, &own, key, &mut joined);
                    *cell = meter.dot(&network.out, &joined);
                }
            }
        }),
        Variant::Linear | Variant::Performer { .. } => {
            alike(view, queries, meter, out, |x| x as f32);
        }
        Variant::Linformer { keys } => view.keeping(|memo| {
            let pools = memo.pools(keys);
            for (query, row) in rows {
                pools.fill(view, query, meter);
                row.fill(0.0);
                for pool in 0..pools.segments.len() {
                    let score = meter.dot(view.query(query), pools.key(pool));
                    pools.of(pool).iter().for_each(|&key| row[key] = score);
                }
            }
        }),
        Variant::Softmax
        | Variant::Banded(_)
        | Variant::LowRank { .. }
        | Variant::Chunked { .. } => {
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
    view.keeping(|memo| {
        let mapped = memo.features(view, meter);
        let mut own = vec![0.0; mapped.count];
        for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
            mapped.map(meter, view.query(query), &mut own);
            for (out, key) in row.iter_mut().zip(mapped.keys.chunks_exact(mapped.count)) {
                meter.count(mapped.count);
                *out = cell(features::dot(&own, key));
            }
        }
    });
}

/// One of them, as it is summed; `None` for a variant without features.
pub(super) fn alike_of(view: &View<'_>, query: usize, key: usize) -> Option<f64> {
    if !view.own.variant.is_logarithm() {
        return None;
    }
    let meter = Meter::default();
    view.keeping(|memo| {
        let mapped = memo.features(view, &meter);
        let mut own = vec![0.0; mapped.count];
        mapped.map(&meter, view.query(query), &mut own);
        Some(features::dot(&own, &mapped.keys[key * mapped.count..][..mapped.count]))
    })
}

/// Turns raw scores into scores.
pub(super) fn scores(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let factor = view.factor();
    match view.own.variant {
        Variant::Linear | Variant::Performer { .. } => {
            // Of the products themselves: what is beyond f32 has a logarithm that is not.
            alike(view, queries, meter, out, |x| features::ln(x) as f32);
        }
        Variant::Linformer { keys } => view.keeping(|memo| {
            let pools = memo.pools(keys);
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                pools.fill(view, query, meter);
                for cell in row.iter_mut() {
                    *cell *= factor;
                }
                for pool in 0..pools.segments.len() {
                    let shared = math::ln(pools.of(pool).len() as f32);
                    pools.of(pool).iter().for_each(|&key| row[key] -= shared);
                }
            }
        }),
        _ => crate::kernels::elementwise::scale(out, factor),
    }
    meter.count(out.len());
}

/// The softmax's weights of all queries, of which only a few singular values are kept.
pub(super) fn low_rank(
    packed: &PackedHead,
    view: &View<'_>,
    queries: Range<usize>,
    rank: usize,
    meter: &Meter,
    out: &mut [f32],
) {
    let directions = view.keeping(|memo| directions(packed, view, rank, meter, memo));
    for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
        meter.count(directions.row(rank, query, row));
    }
}

/// The largest `rank` directions of the softmax's weights, all of them at once.
fn directions(
    packed: &PackedHead,
    view: &View<'_>,
    rank: usize,
    meter: &Meter,
    memo: &mut KeyFeatures,
) -> Rc<Directions> {
    let whole = memo.whole(view.shape(), || begin(packed, view, rank));
    if let Some(known) = whole.known() {
        return Rc::clone(known);
    }
    loop {
        whole.advance(usize::MAX);
        if let Some(known) = whole.known() {
            meter.count_wide(whole.took().0);
            return Rc::clone(known);
        }
    }
}

fn begin(packed: &PackedHead, view: &View<'_>, rank: usize) -> LowRankWork {
    let [n_queries, n_keys] = view.shape();
    LowRankWork::begin(view.shape(), |meter| {
        let mut whole = vec![0.0; n_queries * n_keys];
        packed.softmax(view, 0..n_queries, Stage::Weights, meter, &mut whole);
        Truncation::new(whole, n_keys, rank)
    })
}

/// The rank of a head whose rows need the directions of its whole pattern.
fn rank_of_whole(view: &View<'_>) -> Option<usize> {
    let Variant::LowRank { rank } = view.own.variant else { return None };
    let [n_queries, n_keys] = view.shape();
    let is_needed = n_keys > 0 && (0..n_queries).any(|query| !view.is_given(query));
    is_needed.then_some(rank)
}

/// The heads of a site whose directions are needed and not known, with their rank.
pub(super) fn unprepared<'a>(
    site: &'a Attention<'a, CpuTensor>,
) -> impl Iterator<Item = (View<'a>, usize)> {
    let views = site.variants.iter().map(|(head, _)| View::of(site, *head));
    views
        .filter_map(|view| rank_of_whole(&view).map(|rank| (view, rank)))
        .filter(|(view, _)| !view.keeping(|memo| memo.knows_whole(view.shape())))
}

/// Goes on with the directions of one head.
pub(super) fn prepare(site: &Attention<'_, CpuTensor>) {
    let Some((view, rank)) = unprepared(site).next() else { return };
    let packed = || PackedHead::of_keys(site, site.kv_head(view.head));
    view.keeping(|memo| {
        let whole = memo.whole(view.shape(), || begin(&packed(), &view, rank));
        whole.advance(PREPARED_AT_ONCE);
    });
}

/// What the directions of a head took that needs them: operations, bytes that they hold and the
/// most bytes that were held.
pub(super) fn whole_took(packed: &PackedHead, view: &View<'_>) -> (u64, usize, usize) {
    let Some(rank) = rank_of_whole(view) else { return (0, 0, 0) };
    view.keeping(|memo| {
        directions(packed, view, rank, &Meter::default(), memo);
        memo.whole(view.shape(), || begin(packed, view, rank)).took()
    })
}

/// The numbers whose products add up to a raw score, or to a weight of low rank; `None` for a
/// variant that multiplies queries by keys.
pub(super) fn factors(
    packed: &PackedHead,
    view: &View<'_>,
    query: usize,
    key: usize,
) -> Option<[Vec<f32>; 2]> {
    let meter = Meter::default();
    let narrow = |x: &[f64]| x.iter().map(|&x| x as f32).collect();
    view.keeping(|memo| match view.own.variant {
        Variant::Additive { width, seed } => {
            let network = memo.additive(view, (width, seed), &meter);
            let mut own = vec![0.0; network.width];
            let mut units = vec![0.0; network.width];
            network.of_query(&meter, view.query(query), &mut own);
            let mapped = &network.keys[key * network.width..][..network.width];
            network.join(&meter, &own, mapped, &mut units);
            Some([units, network.out.clone()])
        }
        Variant::Linear | Variant::Performer { .. } => {
            let mapped = memo.features(view, &meter);
            let mut own = vec![0.0; mapped.count];
            mapped.map(&meter, view.query(query), &mut own);
            Some([narrow(&own), narrow(&mapped.keys[key * mapped.count..][..mapped.count])])
        }
        Variant::Linformer { keys } => {
            let pools = memo.pools(keys);
            pools.fill(view, query, &meter);
            let own = (0..pools.segments.len()).find(|&pool| pools.of(pool).contains(&key));
            let mean = own.map_or(vec![0.0; view.width()], |pool| pools.key(pool).to_vec());
            Some([view.query(query).to_vec(), mean])
        }
        Variant::LowRank { rank } => {
            let found = directions(packed, view, rank, &meter, memo);
            let of = |rows: &[Vec<f64>], at: usize| rows.iter().map(|row| row[at] as f32).collect();
            Some([of(&found.left, query), of(&found.right, key)])
        }
        Variant::Softmax | Variant::Cosine | Variant::Banded(_) | Variant::Chunked { .. } => None,
    })
}
