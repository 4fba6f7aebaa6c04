//! What heads find under kinds of attention that never hold their whole pattern: each by the
//! sums that make it cheap. That they find what their implied pattern says is what `oracle`,
//! which knows no shortcut, is there to show.
//!
//! Rows depend on their query and on the keys that it may look at alone, summed from the first
//! key to the last, so that a row has the same bits in a whole pass and as the next of a text.

use std::ops::Range;

use super::meter::Meter;
use super::scores::{Features, Pools, View};
use crate::edits::{Band, Kind};
use crate::kernels::lanes::{F32x4, for_each, map};
use crate::kernels::math::Exp;
use crate::kernels::softmax::softmax_row;

/// The context `[queries.len(), d_v]` of a head whose kind has a shortcut.
pub(super) fn context(view: &View<'_>, queries: Range<usize>, meter: &Meter) -> Option<Vec<f32>> {
    let mut out = vec![0.0; queries.len() * view.value_width()];
    match view.own.kind {
        Kind::Banded(band) => banded(view, band, queries, meter, &mut out),
        Kind::Linear | Kind::Performer { .. } => by_features(view, queries, meter, &mut out),
        Kind::Linformer { keys } => pooled(view, keys, queries, meter, &mut out),
        Kind::Chunked { size } => chunked(view, size, queries, meter, &mut out),
        Kind::Softmax | Kind::Cosine | Kind::Additive { .. } | Kind::LowRank { .. } => return None,
    }
    Some(out)
}

/// The weights of the keys of a band, and which these are.
pub(super) fn band_weights(
    view: &View<'_>,
    band: Band,
    query: usize,
    meter: &Meter,
    row: &mut [f32],
) -> Range<usize> {
    let keys = band.keys(query, view.n_keys());
    let (visible, added) = (view.visible(query), view.site.mask.fill(view.head).added());
    meter.passing(visible.len());
    let weights = &mut row[..keys.len()];
    for (cell, key) in weights.iter_mut().zip(keys.clone()) {
        *cell = meter.dot(view.query(query), view.key(key)) * view.factor();
        if !visible[key] {
            *cell = if added == f32::NEG_INFINITY { added } else { *cell + added };
        }
    }
    softmax_row(weights);
    meter.count(3 * weights.len());
    if let Some(dropout) = view.own.dropout {
        dropout.apply(query, keys.start, weights);
    }
    keys
}

fn banded(view: &View<'_>, band: Band, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let widest = queries.clone().map(|query| band.keys(query, view.n_keys()).len()).max();
    let mut row = meter.zeros::<f32>(widest.unwrap_or(0));
    for (query, out) in queries.zip(out.chunks_exact_mut(view.value_width())) {
        let keys = band_weights(view, band, query, meter, &mut row);
        for (&weight, key) in row.iter().zip(keys) {
            meter.add(out, weight, view.value(key));
        }
    }
}

/// `φ(q)ᵀ Σ φ(k) vᵀ / φ(q)·Σ φ(k)`: the sums go on from query to query as long as each looks at
/// all that the one before it looked at.
fn by_features(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let (n_keys, width) = (view.n_keys(), view.value_width());
    let mapped = Features::of(view);
    let m = mapped.count;
    let keys = mapped.keys(view, meter);
    let mut own = meter.zeros::<f64>(m);
    // Per feature the sum of values, and of 1.
    let mut sums = meter.zeros::<f64>(m * (width + 1));
    let mut found = meter.zeros::<f64>(width + 1);
    let mut seen = meter.zeros::<bool>(n_keys);
    let mut end = 0;
    for (query, out) in queries.zip(out.chunks_exact_mut(width)) {
        let visible = view.visible(query);
        meter.passing(n_keys);
        if visible[..end] != seen[..end] {
            sums.fill(0.0);
            end = 0;
        }
        seen.copy_from_slice(&visible);
        for key in (end..n_keys).filter(|&key| visible[key]) {
            let value = view.value(key);
            for (feature, sum) in keys[key * m..][..m].iter().zip(sums.chunks_exact_mut(width + 1))
            {
                sum.iter_mut().zip(value).for_each(|(sum, &v)| *sum += feature * f64::from(v));
                sum[width] += feature;
            }
            meter.count(m * (width + 1));
            end = key + 1;
        }
        mapped.map(meter, view.query(query), &mut own);
        found.fill(0.0);
        for (feature, sum) in own.iter().zip(sums.chunks_exact(width + 1)) {
            found.iter_mut().zip(sum).for_each(|(found, sum)| *found += feature * sum);
        }
        meter.count((m + 1) * (width + 1));
        let total = found[width];
        for (out, &found) in out.iter_mut().zip(found.iter()) {
            *out = if total > 0.0 { (found / total) as f32 } else { 0.0 };
        }
    }
}

fn pooled(view: &View<'_>, keys: usize, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let mut pools = Pools::new(view, keys, meter);
    let mut row = meter.zeros::<f32>(keys.min(view.n_keys()));
    for (query, out) in queries.zip(out.chunks_exact_mut(view.value_width())) {
        pools.fill(view, query, meter);
        let weights = &mut row[..pools.segments.len()];
        for (pool, cell) in weights.iter_mut().enumerate() {
            *cell = meter.dot(view.query(query), pools.key(pool)) * view.factor();
        }
        softmax_row(weights);
        meter.count(3 * weights.len());
        for (pool, &weight) in weights.iter().enumerate() {
            meter.add(out, weight, pools.value(pool));
        }
    }
}

/// All queries against one chunk of keys after the other. A row's weights are multiples of
/// `exp(score − m)`, `m` being the largest so far; when it grows, what was found shrinks.
fn chunked(view: &View<'_>, size: usize, queries: Range<usize>, meter: &Meter, out: &mut [f32]) {
    let (n_keys, width) = (view.n_keys(), view.value_width());
    let exp = Exp::load();
    let one = |x: f32| exp.of(F32x4::splat(x)).to_array()[0];
    let added = view.site.mask.fill(view.head).added();
    let size = size.min(n_keys.max(1));
    let mut scores = meter.zeros::<f32>(queries.len() * size);
    let mut totals = meter.zeros::<f32>(queries.len());
    let mut tops = meter.zeros::<f32>(queries.len());
    tops.fill(f32::NEG_INFINITY);
    for start in (0..n_keys).step_by(size) {
        let keys = start..n_keys.min(start + size);
        for (at, query) in queries.clone().enumerate() {
            let row = &mut scores[at * size..][..keys.len()];
            let visible = view.visible(query);
            meter.passing(n_keys);
            for (cell, key) in row.iter_mut().zip(keys.clone()) {
                *cell = meter.dot(view.query(query), view.key(key)) * view.factor();
                if !visible[key] {
                    *cell = if added == f32::NEG_INFINITY { added } else { *cell + added };
                }
            }
        }
        for (at, out) in out.chunks_exact_mut(width).enumerate() {
            let row = &mut scores[at * size..][..keys.len()];
            let top = row.iter().copied().fold(tops[at], f32::max);
            if top == f32::NEG_INFINITY {
                continue;
            }
            let shrunk = if tops[at] == f32::NEG_INFINITY { 0.0 } else { one(tops[at] - top) };
            let highest = F32x4::splat(top);
            map(row, f32::NEG_INFINITY, |score| exp.of(score - highest));
            let mut sum = F32x4::zero();
            for_each(row, 0.0, |weight| sum = sum + weight);
            totals[at] = totals[at] * shrunk + sum.sum();
            for found in out.iter_mut() {
                *found *= shrunk;
            }
            for (&weight, key) in row.iter().zip(keys.clone()) {
                meter.add(out, weight, view.value(key));
            }
            tops[at] = top;
            meter.count(2 * row.len() + width + 2);
        }
    }
    for (out, &total) in out.chunks_exact_mut(width).zip(totals.iter()) {
        meter.count(width);
        for found in out {
            *found = if total > 0.0 { *found / total } else { 0.0 };
        }
    }
}
