//! What heads find under attention variants that never hold their whole pattern: each by the
//! sums that make it cheap. That they find what their implied pattern says is shown by reference
//! vectors and by `tests/core/steps.rs`, which know no shortcut.
//!
//! Rows depend on their query and on the keys that it may look at alone, summed from the first
//! key to the last, so that a row has the same bits in a whole pass and as the next of a text.

use std::ops::Range;

use super::key_features::View;
use super::op_counter::Meter;
use crate::edits::{Band, Variant};
use crate::kernels::lanes::{F32x4, for_each, map};
use crate::kernels::math::Exp;
use crate::kernels::softmax::softmax_row;

/// What heads find, a row for each of some queries, as the first cells of rows of `columns`;
/// 0 until something is found.
pub(super) struct Found<'a> {
    pub cells: &'a mut [f32],
    pub columns: usize,
}

impl Found<'_> {
    fn rows(&mut self, width: usize) -> impl Iterator<Item = &mut [f32]> {
        self.cells.chunks_mut(self.columns).map(move |row| &mut row[..width])
    }
}

/// What a head finds whose variant has a shortcut; `false` for another, of which nothing is written.
pub(super) fn context(
    view: &View<'_>,
    queries: Range<usize>,
    meter: &Meter,
    out: &mut Found<'_>,
) -> bool {
    match view.own.variant {
        Variant::Banded(band) => banded(view, band, queries, meter, out),
        Variant::Linear | Variant::Performer { .. } => by_features(view, queries, meter, out),
        Variant::Linformer { keys } => pooled(view, keys, queries, meter, out),
        Variant::Chunked { size } => chunked(view, size, queries, meter, out),
        Variant::Softmax | Variant::Cosine | Variant::Additive { .. } | Variant::LowRank { .. } => {
            return false;
        }
    }
    true
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
    let weights = &mut row[..keys.len()];
    masked(view, query, keys.clone(), meter, weights);
    softmax_row(weights);
    meter.count(3 * weights.len());
    if let Some(dropout) = view.own.dropout {
        dropout.apply(query, keys.start, weights);
    }
    keys
}

/// Scores of some keys, under their mask.
fn masked(view: &View<'_>, query: usize, keys: Range<usize>, meter: &Meter, row: &mut [f32]) {
    let added = view.site.mask.fill(view.head).added();
    let visible = view.visible_among(query, keys.clone());
    for ((cell, key), open) in row.iter_mut().zip(keys).zip(visible) {
        *cell = meter.dot(view.query(query), view.key(key)) * view.factor();
        if !open {
            *cell = if added == f32::NEG_INFINITY { added } else { *cell + added };
        }
    }
}

fn banded(view: &View<'_>, band: Band, queries: Range<usize>, meter: &Meter, out: &mut Found<'_>) {
    let widest = queries.clone().map(|query| band.keys(query, view.n_keys()).len()).max();
    let mut row = vec![0.0; widest.unwrap_or(0)];
    for (query, out) in queries.zip(out.rows(view.value_width())) {
        let keys = band_weights(view, band, query, meter, &mut row);
        for (&weight, key) in row.iter().zip(keys) {
            meter.add(out, weight, view.value(key));
        }
    }
}

/// `φ(q)ᵀ Σ φ(k) vᵀ / φ(q)·Σ φ(k)`.
fn by_features(view: &View<'_>, queries: Range<usize>, meter: &Meter, out: &mut Found<'_>) {
    let width = view.value_width();
    view.keeping(|memo| {
        let mapped = memo.features(view, meter);
        let mut own = vec![0.0; mapped.count];
        let mut found = vec![0.0; width + 1];
        for (query, out) in queries.zip(out.rows(width)) {
            mapped.gather(view, query, meter);
            mapped.map(meter, view.query(query), &mut own);
            found.fill(0.0);
            for (feature, sum) in own.iter().zip(mapped.sums.chunks_exact(width + 1)) {
                found.iter_mut().zip(sum).for_each(|(found, sum)| *found += feature * sum);
            }
            meter.count((mapped.count + 1) * (width + 1));
            let total = found[width];
            for (out, &found) in out.iter_mut().zip(&found) {
                // What is no number stays none.
                *out = if total == 0.0 { 0.0 } else { (found / total) as f32 };
            }
        }
    });
}

fn pooled(view: &View<'_>, keys: usize, queries: Range<usize>, meter: &Meter, out: &mut Found<'_>) {
    view.keeping(|memo| {
        let pools = memo.pools(keys);
        let mut row = vec![0.0; keys.min(view.n_keys())];
        for (query, out) in queries.zip(out.rows(view.value_width())) {
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
    });
}

/// All queries against one chunk of keys after the other. A row's weights are multiples of
/// `exp(score − m)`, `m` being the largest so far; when it grows, what was found shrinks.
fn chunked(
    view: &View<'_>,
    size: usize,
    queries: Range<usize>,
    meter: &Meter,
    out: &mut Found<'_>,
) {
    let n_keys = view.n_keys();
    let width = view.value_width();
    let exp = Exp::load();
    let one = |x: f32| exp.of(F32x4::splat(x)).to_array()[0];
    let size = size.min(n_keys.max(1));
    let mut scores = vec![0.0; queries.len() * size];
    let mut totals = vec![0.0; queries.len()];
    let mut tops = vec![f32::NEG_INFINITY; queries.len()];
    for start in (0..n_keys).step_by(size) {
        let keys = start..n_keys.min(start + size);
        for (at, query) in queries.clone().enumerate() {
            let row = &mut scores[at * size..][..keys.len()];
            masked(view, query, keys.clone(), meter, row);
        }
        for (at, out) in out.rows(width).enumerate() {
            let row = &mut scores[at * size..][..keys.len()];
            let top = row.iter().copied().fold(tops[at], f32::max);
            if top == f32::NEG_INFINITY {
                // Among forbidden cells a NaN is not the largest, and makes the row one.
                if row.iter().any(|score| score.is_nan()) {
                    totals[at] = f32::NAN;
                }
                continue;
            }
            let shrunk = if tops[at] == f32::NEG_INFINITY { 0.0 } else { one(tops[at] - top) };
            let highest = F32x4::splat(top);
            map(row, f32::NEG_INFINITY, |score| exp.of(score - highest));
            let mut sum = F32x4::zero();
            for_each(row, 0.0, |weight| sum = sum + weight);
            totals[at] = totals[at] * shrunk + sum.sum();
            for found in &mut *out {
                *found *= shrunk;
            }
            for (&weight, key) in row.iter().zip(keys.clone()) {
                meter.add(out, weight, view.value(key));
            }
            tops[at] = top;
            meter.count(2 * row.len() + width + 2);
        }
    }
    for (out, &total) in out.rows(width).zip(&totals) {
        meter.count(width);
        for found in out {
            *found = if total == 0.0 { 0.0 } else { *found / total };
        }
    }
}
