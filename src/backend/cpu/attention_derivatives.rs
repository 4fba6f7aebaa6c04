//! The reverse pass of attention by the softmax of products. The pattern is computed anew, some
//! rows at a time, so that no whole pattern is stored.
//!
//! With `C = gate · W V`, `W = dropout(softmax(S))`, `S = cap(f · R) + relative`, `R = Q Kᵀ`:
//! `dV = Wᵀ (gate · dC)`, `dW = gate · dC Vᵀ`, `dP = dW ⊙ dropout`,
//! `dS = P ⊙ (dP − Σ_k P ⊙ dP)`, `dR = f · cap′ · dS`, `dQ = dR K`, `dK = dRᵀ Q`; terms of relative
//! positions that are products with queries or keys add their own part to `dQ` and `dK`. A row of a
//! fixed pattern has no `dS`.
//!
//! Source: T. Dao et al., "`FlashAttention`" (2022), appendix B.2, with the soft cap of Gemma 2
//! (2024, section 2).

use std::ops::Range;

use super::head::{Head, kv_rows};
use super::tensor::CpuTensor;
use crate::axes::Stage;
use crate::backend::{Attention, Slopes};
use crate::kernels::elementwise::scale;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::softmax_backward::softmax_backward_row;
use crate::kernels::vector;
use crate::variants::{HeadVariant, QUERY_ROWS};

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
    let own = Head::of(site, head);
    let n_keys = own.view.n_keys();
    if n_keys == 0 {
        return;
    }
    let d_context = context_of_head(site, head, dy);
    let shares = shares(site, head, queries);
    let slopes = slopes_of(site, head, queries, &d_context, &shares);
    let is_plain = own.own().dropout.is_none() && !queries.clone().any(|at| own.is_given(at));
    let weights = if is_plain {
        shares
    } else {
        let mut weights = shares;
        own.pattern(&own.packed_keys(), queries.clone(), Stage::Weights, &mut weights);
        weights
    };

    let kv_head = site.kv_head(head);
    let [width, value_width] = [own.view.width(), own.view.value_width()];
    let rows = d_context.chunks_exact(value_width).zip(weights.chunks_exact(n_keys));
    let rows = rows.zip(slopes.raw.chunks_exact(n_keys)).zip(slopes.scores.chunks_exact(n_keys));
    let [key_columns, value_columns] = [site.key.columns, site.value.columns];
    let (first_key, first_value) = (kv_head * width, kv_head * value_width);
    for (at, (((d_context, weights), raw), scores)) in queries.clone().zip(rows) {
        let d_query = row_mut(d_query, site.query.columns, at, head, width);
        // What a mask closes adds nothing: its factors are 0.
        vector::add_to_rows(&mut d_value[first_value..], value_columns, weights, d_context);
        vector::add_to_rows(&mut d_key[first_key..], key_columns, raw, own.view.query(at));
        vector::add_rows(d_query, raw, &site.key.data[first_key..], key_columns);
        if let Some(relative) = site.relative {
            for (key, &score) in scores.iter().enumerate() {
                let d_key = row_mut(d_key, key_columns, key, kv_head, width);
                relative.add_backward(head, [at, key], score, [&mut *d_query, d_key]);
            }
        }
    }
}

/// The part of a row that belongs to one head.
fn row_mut(rows: &mut [f32], columns: usize, row: usize, head: usize, width: usize) -> &mut [f32] {
    &mut rows[row * columns + head * width..][..width]
}

/// The gradients with respect to one head's pattern, from `dy` `[queries.len(), h·d_v]`.
pub(super) fn of_pattern(
    site: &Attention<'_, CpuTensor>,
    head: usize,
    queries: &Range<usize>,
    dy: &[f32],
) -> Slopes {
    if site.key.rows() == 0 {
        return Slopes { raw: Vec::new(), scores: Vec::new(), weights: Vec::new() };
    }
    let d_context = context_of_head(site, head, dy);
    slopes_of(site, head, queries, &d_context, &shares(site, head, queries))
}

/// One head's softmax without dropout, which is applied to its result.
fn shares(site: &Attention<'_, CpuTensor>, head: usize, queries: &Range<usize>) -> Vec<f32> {
    let mut shares = vec![0.0; queries.len() * site.key.rows()];
    of_plain(site, head, |plain| {
        plain.softmax(&plain.packed_keys(), queries.clone(), Stage::Weights, &mut shares);
    });
    shares
}

/// Calls `use_plain` with a head without dropout.
fn of_plain(site: &Attention<'_, CpuTensor>, head: usize, use_plain: impl FnOnce(Head<'_>)) {
    let own = HeadVariant { dropout: None, ..site.variants.of(head) };
    let variants = site.variants.with(head, own);
    use_plain(Head::of(&Attention { variants: &variants, ..*site }, head));
}

/// The gradients with respect to one head's pattern, from that of its context before the gate and
/// from its softmax.
fn slopes_of(
    site: &Attention<'_, CpuTensor>,
    head: usize,
    queries: &Range<usize>,
    d_context: &[f32],
    shares: &[f32],
) -> Slopes {
    let own = Head::of(site, head);
    let n_keys = own.view.n_keys();
    let mut weights = vec![0.0; shares.len()];
    let [_, values] = kv_rows(site, site.kv_head(head));
    let Rows { data, stride, count } = values.from(0);
    let packed = PackedMatrix::from_columns(values.width(), count, data, stride);
    let rows = Rows { data: d_context, stride: values.width(), count: queries.len() };
    matmul(rows, &packed, None, &mut weights, n_keys);

    let mut scores = weights.clone();
    let rows = scores.chunks_exact_mut(n_keys).zip(shares.chunks_exact(n_keys));
    for (query, (slopes, shares)) in queries.clone().zip(rows) {
        if own.is_given(query) {
            slopes.fill(0.0);
            continue;
        }
        if let Some(dropout) = own.own().dropout {
            dropout.apply(query, 0, slopes);
        }
        softmax_backward_row(shares, slopes);
    }

    let factor = own.own().factor(site.scale);
    let mut raw = scores.clone();
    if let Some(cap) = site.cap {
        let mut products = vec![0.0; shares.len()];
        of_plain(site, head, |plain| {
            plain.softmax(&plain.packed_keys(), queries.clone(), Stage::Raw, &mut products);
        });
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
    let mut own = Vec::with_capacity(dy.len() / site.n_heads.max(1));
    for row in dy.chunks_exact(columns.max(1)) {
        own.extend_from_slice(&row[head * width..(head + 1) * width]);
    }
    scale(&mut own, site.gates[head]);
    own
}
