//! The reverse pass of attention by the softmax of products. The pattern is computed anew, some rows
//! at a time, so that no whole pattern is stored.
//!
//! With `C = gate · W V`, `W = dropout(softmax(S))`, `S = cap(f · R) + relative`, `R = Q Kᵀ`:
//! `dV = Wᵀ (gate · dC)`, `dW = gate · dC Vᵀ`, `dP = dW ⊙ dropout`,
//! `dS = P ⊙ (dP − Σ_k P ⊙ dP)`, `dR = f · cap′ · dS`, `dQ = dR K`, `dK = dRᵀ Q`; terms of relative
//! positions that are products with queries or keys add their own part to `dQ` and `dK`. A row of a
//! fixed pattern has no `dS`.
//!
//! Source: T. Dao et al., "`FlashAttention`" (2022), appendix B.2, with the soft cap of Gemma 2 (2024,
//! section 2).

use std::ops::Range;

use super::head::{Head, kv_rows};
use super::tensor::CpuTensor;
use crate::axes::Stage;
use crate::backend::{Attention, Slopes};
use crate::kernels::elementwise::{add_into, scale};
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::variants::{HeadRows, HeadVariant, QUERY_ROWS};

/// The gradients with respect to all queries, keys and values, from `dy` `[queries.len(), h·d_v]`.
pub(super) fn of_rows(
    site: &Attention<'_, CpuTensor>,
    queries: &Range<usize>,
    dy: &CpuTensor,
) -> [CpuTensor; 3] {
    let mut gradients = [site.query, site.key, site.value].map(|x| vec![0.0; x.data.len()]);
    for head in 0..site.n_heads {
        for start in queries.clone().step_by(QUERY_ROWS) {
            let some = start..queries.end.min(start + QUERY_ROWS);
            let first = (start - queries.start) * dy.columns;
            let dy = &dy.data[first..first + some.len() * dy.columns];
            add_rows(site, head, &some, dy, &mut gradients);
        }
    }
    let [query, key, value] = gradients;
    [
        CpuTensor::new(query, site.query.columns),
        CpuTensor::new(key, site.key.columns),
        CpuTensor::new(value, site.value.columns),
    ]
}

/// Adds the part of some queries of one head.
fn add_rows(
    site: &Attention<'_, CpuTensor>,
    head: usize,
    queries: &Range<usize>,
    dy: &[f32],
    [d_query, d_key, d_value]: &mut [Vec<f32>; 3],
) {
    let view = Head::of(site, head).view;
    let n_keys = view.n_keys();
    if n_keys == 0 {
        return;
    }
    let kv_head = site.kv_head(head);
    let slopes = of_pattern(site, head, queries.clone(), dy);
    let d_context = context_of_head(site, head, dy);

    let mut weights = vec![0.0; queries.len() * n_keys];
    let own = Head::of(site, head);
    own.pattern(&own.packed_keys(), queries.clone(), Stage::Weights, &mut weights);
    let added = product(&transposed(&weights, n_keys), &d_context, queries.len());
    add_to_head(d_value, site.value.columns, (kv_head, site.n_kv_heads), 0, &added);

    let added = product(&slopes.raw, &packed_rows(view.keys), n_keys);
    let at = (head, site.n_heads);
    add_to_head(d_query, site.query.columns, at, queries.start, &added);

    let own_queries: Vec<f32> = queries.clone().flat_map(|at| view.query(at).to_vec()).collect();
    let added = product(&transposed(&slopes.raw, n_keys), &own_queries, queries.len());
    add_to_head(d_key, site.key.columns, (kv_head, site.n_kv_heads), 0, &added);

    let Some(relative) = site.relative else { return };
    let mut of_query = vec![0.0; queries.len() * view.width()];
    let mut of_key = vec![0.0; n_keys * view.width()];
    let rows = slopes.scores.chunks_exact(n_keys);
    for ((at, row), d_query) in queries.clone().zip(rows).zip(of_query.chunks_mut(view.width())) {
        for ((key, &slope), d_key) in row.iter().enumerate().zip(of_key.chunks_mut(view.width())) {
            relative.add_backward(head, [at, key], slope, [d_query, d_key]);
        }
    }
    add_to_head(d_query, site.query.columns, at, queries.start, &of_query);
    add_to_head(d_key, site.key.columns, (kv_head, site.n_kv_heads), 0, &of_key);
}

/// The gradients with respect to one head's pattern, from `dy` `[queries.len(), h·d_v]`.
pub(super) fn of_pattern(
    site: &Attention<'_, CpuTensor>,
    head: usize,
    queries: Range<usize>,
    dy: &[f32],
) -> Slopes {
    let own = site.variants.of(head);
    let n_keys = site.key.rows();
    let cells = queries.len() * n_keys;
    let mut weights = vec![0.0; cells];
    if n_keys == 0 {
        return Slopes { raw: Vec::new(), scores: Vec::new(), weights };
    }
    let [_, values] = kv_rows(site, site.kv_head(head));
    let Rows { data, stride, count } = values.from(0);
    let packed = PackedMatrix::from_columns(values.width(), count, data, stride);
    let d_context = context_of_head(site, head, dy);
    let rows = Rows { data: &d_context, stride: values.width(), count: queries.len() };
    matmul(rows, &packed, None, &mut weights, n_keys);

    // The softmax without dropout, which is applied to its result.
    let variants = site.variants.with(head, HeadVariant { dropout: None, ..own });
    let plain = Attention { variants: &variants, ..*site };
    let plain = Head::of(&plain, head);
    let packed = plain.packed_keys();
    let mut scores = vec![0.0; cells];
    plain.softmax(&packed, queries.clone(), Stage::Weights, &mut scores);
    let rows = scores.chunks_exact_mut(n_keys).zip(weights.chunks_exact(n_keys));
    for (query, (row, slopes)) in queries.clone().zip(rows) {
        if plain.is_given(query) {
            row.fill(0.0);
            continue;
        }
        let mut slopes = slopes.to_vec();
        if let Some(dropout) = own.dropout {
            dropout.apply(query, 0, &mut slopes);
        }
        let products = row.iter().zip(&slopes);
        let along: f64 = products.map(|(&share, &slope)| f64::from(share) * f64::from(slope)).sum();
        for (share, slope) in row.iter_mut().zip(slopes) {
            *share = (f64::from(*share) * (f64::from(slope) - along)) as f32;
        }
    }

    let factor = own.factor(site.scale);
    let mut raw = scores.clone();
    if let Some(cap) = site.cap {
        let mut products = vec![0.0; cells];
        plain.softmax(&packed, queries, Stage::Raw, &mut products);
        for (slope, product) in raw.iter_mut().zip(products) {
            *slope *= 1.0 - (factor * product / cap).tanh().powi(2);
        }
    }
    scale(&mut raw, factor);
    Slopes { raw, scores, weights }
}

/// One head's gradient of its context before the gate, `[rows, d_v]`.
fn context_of_head(site: &Attention<'_, CpuTensor>, head: usize, dy: &[f32]) -> Vec<f32> {
    let width = site.value.columns / site.n_kv_heads;
    let columns = width * site.n_heads;
    let rows = dy.chunks_exact(columns.max(1));
    let mut own: Vec<f32> =
        rows.flat_map(|row| row[head * width..(head + 1) * width].iter().copied()).collect();
    scale(&mut own, site.gates[head]);
    own
}

/// The rows of a head, one after the other.
fn packed_rows(rows: HeadRows<'_>) -> Vec<f32> {
    (0..rows.count()).flat_map(|at| rows.row(at).to_vec()).collect()
}

/// The transpose of rows of `columns` numbers.
fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    let rows = numbers.len() / columns;
    (0..columns).flat_map(|at| (0..rows).map(move |row| numbers[row * columns + at])).collect()
}

/// The product of rows of `inner` numbers with `inner` rows.
fn product(x: &[f32], rows: &[f32], inner: usize) -> Vec<f32> {
    let outer = rows.len() / inner;
    let count = x.len() / inner;
    let packed = PackedMatrix::from_rows(inner, outer, rows, outer);
    let mut out = vec![0.0; count * outer];
    matmul(Rows { data: x, stride: inner, count }, &packed, None, &mut out, outer);
    out
}

/// Adds rows of one head's width to the head's columns, from row `first` on.
fn add_to_head(
    sum: &mut [f32],
    columns: usize,
    (head, n_heads): (usize, usize),
    first: usize,
    added: &[f32],
) {
    let width = columns / n_heads;
    let rows = sum.chunks_exact_mut(columns).skip(first).zip(added.chunks_exact(width));
    for (row, added) in rows {
        add_into(&mut row[head * width..(head + 1) * width], added);
    }
}
