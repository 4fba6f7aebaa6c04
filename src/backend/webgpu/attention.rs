//! Attention on the GPU: scores, mask, softmax and context, each a kernel of its own, so
//! that a pattern at any stage is the forward pass stopped there.
//!
//! The mask is described, not stored: its rows are written out on the CPU, a bit per cell,
//! for the queries at hand. Weights are held for as many queries at a time as fit a
//! budget, never for a whole long text.

use std::iter;
use std::ops::Range;

use super::gpu::{FLOAT_BYTES, Gpu, bytes, cells, row_groups};
use super::pool::Buffer;
use super::tensor::WebGpuTensor;
use crate::axes::Stage;
use crate::backend::Attention;
use crate::masks::Mask;

/// Weights that are held at once, far below the largest binding of 128 MiB.
const WEIGHTS_BYTES: usize = 4 << 20;

type Site<'a> = Attention<'a, WebGpuTensor>;

/// The context of some queries, heads side by side.
pub(super) fn attend(gpu: &Gpu, site: &Site<'_>, queries: Range<usize>) -> WebGpuTensor {
    let group = site.n_heads / site.n_kv_heads;
    let columns = site.value.columns * group;
    let out = gpu.tensor(queries.len(), columns);
    let (Some(value), Some(into)) = (&site.value.buffer, &out.buffer) else {
        return gpu.zeros(queries.len(), columns);
    };
    let gates = gpu.upload(bytes(site.gates));
    let n_keys = site.key.rows;
    let at_once = (WEIGHTS_BYTES / (site.n_heads * n_keys * FLOAT_BYTES)).max(1);
    for start in queries.clone().step_by(at_once) {
        let held = start..queries.end.min(start + at_once);
        let weights = gpu.buffer(site.n_heads * held.len() * n_keys);
        patterns(gpu, site, 0..site.n_heads, held.clone(), Stage::Weights, &weights);
        let width = columns / site.n_heads;
        let value_columns = site.value.columns;
        let shape =
            [held.len(), n_keys, columns, width, value_columns, group, start - queries.start];
        let groups = cells(held.len() * columns);
        let inputs = [&weights, &**value, &gates];
        let shape = shape.map(|size| size as u32);
        gpu.dispatch(&gpu.pipelines.context, &inputs, into, &shape, groups);
    }
    out
}

/// Some rows of one head's pattern at a stage.
pub(super) fn pattern(
    gpu: &Gpu,
    site: &Site<'_>,
    head: usize,
    queries: Range<usize>,
    stage: Stage,
) -> WebGpuTensor {
    let out = gpu.tensor(queries.len(), site.key.rows);
    if let Some(into) = &out.buffer {
        patterns(gpu, site, head..head + 1, queries, stage, into);
    }
    out
}

/// The patterns of some heads for some queries at a stage, `[heads, queries, keys]`.
fn patterns(
    gpu: &Gpu,
    site: &Site<'_>,
    heads: Range<usize>,
    queries: Range<usize>,
    stage: Stage,
    into: &Buffer,
) {
    let (Some(query), Some(key)) = (&site.query.buffer, &site.key.buffer) else { return };
    let (columns, n_keys) = (site.query.columns, site.key.rows);
    let n_rows = heads.len() * queries.len();
    let width = columns / site.n_heads;
    let places = [heads.len(), heads.start, queries.len(), queries.start];
    let group = site.n_heads / site.n_kv_heads;
    let sizes = [n_keys, columns, width, site.key.columns, group];
    let mut shape: Vec<u32> = places.iter().chain(&sizes).map(|&size| size as u32).collect();
    // A product with 1 is exact, so raw scores need no kernel of their own.
    shape.push(if stage == Stage::Raw { 1f32 } else { site.scale }.to_bits());
    let all_cells = cells(n_rows * n_keys);
    gpu.dispatch(&gpu.pipelines.scores, &[query, key], into, &shape, all_cells);
    if matches!(stage, Stage::Raw | Stage::Scores) {
        return;
    }
    let n_words = 1 + n_keys.div_ceil(u32::BITS as usize);
    let bits = forbidden_bits(site.mask, heads.clone(), &queries, n_keys);
    let forbidden = gpu.upload(bytes(&bits));
    let shape = [n_rows as u32, n_keys as u32, n_words as u32];
    gpu.dispatch(&gpu.pipelines.mask, &[&forbidden], into, &shape, all_cells);
    if stage == Stage::Weights {
        gpu.dispatch(&gpu.pipelines.softmax, &[], into, &shape[..2], row_groups(n_rows));
        give(gpu, site, heads, &queries, into);
    }
}

/// Puts the rows of frozen heads in place of what softmax made.
fn give(gpu: &Gpu, site: &Site<'_>, heads: Range<usize>, queries: &Range<usize>, into: &Buffer) {
    let n_keys = site.key.rows;
    let (mut places, mut given) = (Vec::new(), Vec::new());
    let rows = heads.flat_map(|head| queries.clone().map(move |query| (head, query)));
    for (place, (head, query)) in (0u32..).zip(rows) {
        if site.frozen.pattern(head, query).is_some() {
            let mut row = site.mask.row(head, query, n_keys);
            site.frozen.write(head, query, &mut row);
            places.push(place);
            given.extend(row);
        }
    }
    if !places.is_empty() {
        let shape = [places.len() as u32, n_keys as u32];
        let inputs = [&gpu.upload(bytes(&given)), &gpu.upload(bytes(&places))];
        gpu.dispatch(&gpu.pipelines.given, &inputs, into, &shape, cells(given.len()));
    }
}

/// The mask of some heads and queries: for each what forbidden cells add, then a bit per key,
/// every row in whole words.
fn forbidden_bits(
    mask: &Mask,
    heads: Range<usize>,
    queries: &Range<usize>,
    n_keys: usize,
) -> Vec<u32> {
    let rows = heads.flat_map(|head| queries.clone().map(move |query| (head, query)));
    rows.flat_map(|(head, query)| {
        let added = mask.fill(head).added().to_bits();
        let word =
            |keys: &[bool]| keys.iter().rev().fold(0, |word, &open| word << 1 | u32::from(!open));
        let visible = mask.visible(head, query, n_keys);
        let words = visible.chunks(u32::BITS as usize).map(word);
        iter::once(added).chain(words).collect::<Vec<u32>>()
    })
    .collect()
}
