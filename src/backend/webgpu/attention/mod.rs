//! Attention on the GPU: one kernel goes through the keys a square at a time and stores no pattern.
//! `score_tile.wgsl` computes its scores. The CPU derives patterns from the rows that are read
//! back.
//!
//! The mask is described, not stored: the CPU writes its rows, a bit per cell, for the queries of
//! the call (`rows`). How a head computes its scores is a record (`records`), and the terms of
//! relative positions are computed from tables.

mod records;
mod rows;
mod score_inputs;

use std::ops::Range;
use std::rc::Rc;

use super::compiled::{FLOAT_BYTES, SQUARE, WIDEST};
use super::gpu::{Bound, Gpu, bytes};
use super::tensor::WebGpuTensor;
use crate::positions::Terms;
use records::records;
use rows::{Rows, Site};
pub(in crate::backend) use score_inputs::ScoreInputs;

/// The bytes of given rows that are uploaded at once, far below the largest binding of 128 MiB.
const GIVEN_BYTES: usize = 16 << 20;

/// Whether a part of a site has no shader: a soft cap, disentangled positions, or the variant of a
/// head.
pub(super) fn declines(site: &Site<'_>) -> bool {
    let is_disentangled =
        || site.relative.is_some_and(|own| matches!(*own.terms, Terms::Disentangled(_)));
    site.cap.is_some()
        || is_disentangled()
        || site.variants.iter().any(|(_, own)| own.variant.facts().gpu.is_none())
}

/// Refuses a site that is left to the `cpu` backend, so that it is not computed by another formula.
fn refuse_left(gpu: &Gpu, site: &Site<'_>) {
    if declines(site) {
        gpu.fail("attention that is left to the cpu backend, whose rows were not read");
    }
}

/// The context of some queries, heads side by side.
pub(super) fn attend(gpu: &Gpu, site: &Site<'_>, queries: Range<usize>) -> WebGpuTensor {
    let width = site.value.columns / site.n_kv_heads;
    let columns = site.n_heads * width;
    let (Some(query), Some(key), Some(value)) =
        (site.query.bound(), site.key.bound(), site.value.bound())
    else {
        // Without keys the output is 0.
        return gpu.zeros(queries.len(), columns);
    };
    let out = gpu.tensor(queries.len(), columns);
    let Some(into) = out.bound() else { return out };
    refuse_left(gpu, site);
    let more = score_inputs(gpu, site);
    let of_all = site.n_heads * site.key.rows * FLOAT_BYTES;
    let portion = if site.fixed_patterns.is_empty() {
        queries.len()
    } else {
        (GIVEN_BYTES / of_all / SQUARE).max(1) * SQUARE
    };
    for start in queries.clone().step_by(portion) {
        let some = start..queries.end.min(start + portion);
        let rows = Rows::of(site, &some);
        let heads = gpu.upload(bytes(&records(site, &rows, &more)));
        let (words, given) = rows.upload(gpu);
        let [heads, words, given, more_inputs] =
            [&heads, &words, &given, &more.buffer].map(|buffer| Bound::whole(buffer));
        let inputs = [query, key, value, heads, words, given, more_inputs];
        let shape = shape(site, &some, start - queries.start, &rows, &more);
        let groups = [some.len().div_ceil(SQUARE), site.n_heads, width.div_ceil(WIDEST)];
        let groups = groups.map(|size| size as u32);
        let products = 2 * some.len() * site.key.rows * columns;
        let kernel = &gpu.pipelines.attend;
        gpu.dispatch(kernel, &inputs, into, &shape, groups, products as u64);
    }
    out
}

/// The inputs of a site's scores, for its rows so far.
fn score_inputs(gpu: &Gpu, site: &Site<'_>) -> Rc<ScoreInputs> {
    let n_tokens = site.query.rows.max(site.key.rows);
    let mut stored = site.memo.more.borrow_mut();
    if let Some(known) = stored.as_ref().filter(|known| known.holds(site.relative, n_tokens)) {
        return Rc::clone(known);
    }
    // A text that has grown once will grow again.
    let n_tokens = if stored.is_some() { n_tokens + n_tokens / 2 } else { n_tokens };
    let heads = [site.n_heads, site.query.columns / site.n_heads];
    let made = Rc::new(ScoreInputs::new(gpu, site.relative, site.variants, heads, n_tokens));
    *stored = Some(Rc::clone(&made));
    made
}

/// The fields of `Shape` in `score_tile.wgsl`.
fn shape(
    site: &Site<'_>,
    queries: &Range<usize>,
    first_row: usize,
    rows: &Rows,
    more: &ScoreInputs,
) -> [u32; 15] {
    [
        queries.len() as u32,
        queries.start as u32,
        site.key.rows as u32,
        site.query.columns as u32,
        (site.query.columns / site.n_heads) as u32,
        site.key.columns as u32,
        (site.n_heads / site.n_kv_heads) as u32,
        rows.words_per_row() as u32,
        more.terms as u32,
        more.tokens as u32,
        more.far as u32,
        more.scale.to_bits(),
        first_row as u32,
        site.value.columns as u32,
        (site.value.columns / site.n_kv_heads) as u32,
    ]
}
