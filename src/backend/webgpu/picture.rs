//! Pictures of a pattern, made where it is: joined into groups, its margins, and a part of it in
//! colours.

use super::gpu::{Gpu, cells, row_groups};
use super::pipelines::LANES;
use super::tensor::WebGpuTensor;
use crate::backend::{Colours, Joining, RAMP_STEPS, View};
use crate::masks::Fill;

/// What is kept of the whole and, on the way to it, of every row: the least number, the largest,
/// and how many cells are forbidden.
const EXTENT: usize = 3;

/// What the shaders and this room must agree on.
pub(super) fn constants() -> [(&'static str, u32); 2] {
    [("LEAST_SCORE", Fill::LEAST_SCORE.to_bits()), ("RAMP_STEPS", RAMP_STEPS as u32)]
}

/// A pattern whose rows and columns stand for groups.
pub(super) fn joined(gpu: &Gpu, pattern: &WebGpuTensor, joining: &Joining) -> Option<WebGpuTensor> {
    let (rows, columns) = (joining.rows.len(), joining.columns.len());
    let out = gpu.tensor(rows, columns);
    let cells_of = pattern.buffer.as_ref()?;
    let [queries, keys] = [&joining.rows, &joining.columns].map(|list| gpu.upload(&bytes_of(list)));
    let without = joining.without.unwrap_or(pattern.columns) as u32;
    let wholes = gpu.buffer(rows);
    let shape = [pattern.columns as u32, rows as u32, without];
    let kernels = &gpu.pipelines;
    gpu.dispatch(&kernels.wholes, &[cells_of, &queries], &wholes, &shape, row_groups(rows));
    let inputs = [&**cells_of, &queries, &keys, &wholes];
    let shape = [pattern.columns as u32, rows as u32, columns as u32, without];
    let n_cells = rows * columns;
    // No group is empty and nobody stands in two: these are at most a pattern's cells.
    let n_sums = members(&joining.rows) * members(&joining.columns);
    let (join, groups) = if n_sums / n_cells < LANES {
        (&kernels.join, cells(n_cells))
    } else {
        (&kernels.join_many, row_groups(n_cells))
    };
    gpu.dispatch(join, &inputs, out.buffer.as_ref()?, &shape, groups);
    Some(out)
}

fn members(groups: &[Vec<usize>]) -> usize {
    groups.iter().map(Vec::len).sum()
}

/// Where each group begins, and the end of the last, then the members of all.
fn bytes_of(groups: &[Vec<usize>]) -> Vec<u8> {
    let ends = groups.iter().scan(0, |end, group| {
        *end += group.len();
        Some(*end)
    });
    let numbers = std::iter::once(0).chain(ends).chain(groups.iter().flatten().copied());
    numbers.flat_map(|number| (number as u32).to_le_bytes()).collect()
}

/// The sums of rows and columns and the extent, as [`crate::backend::Backend::marginals`] has them.
pub(super) fn marginals(gpu: &Gpu, pattern: &WebGpuTensor) -> Option<WebGpuTensor> {
    let (queries, keys) = (pattern.rows, pattern.columns);
    let from = pattern.buffer.as_ref()?;
    let kept = queries + keys + EXTENT;
    let buffer = gpu.buffer(kept + EXTENT * queries);
    let shape = [queries as u32, keys as u32];
    let kernels = &gpu.pipelines;
    for (kernel, groups) in
        [(&kernels.sum_rows, row_groups(queries)), (&kernels.sum_columns, cells(keys))]
    {
        gpu.dispatch(kernel, &[from], &buffer, &shape, groups);
    }
    gpu.dispatch(&kernels.join_rows, &[], &buffer, &shape, row_groups(1));
    // What is behind them stays in the buffer, and is read by nobody.
    Some(WebGpuTensor::new(buffer, 1, kept))
}

/// A part of a pattern in colours, a word for each pixel.
pub(super) fn painted(
    gpu: &Gpu,
    pattern: &WebGpuTensor,
    marginals: &WebGpuTensor,
    colours: &Colours,
    view: &View,
) -> Option<WebGpuTensor> {
    let [down, across] = view.pixels;
    let out = gpu.tensor(down, across);
    let ramp = gpu.upload(&colours.ramp);
    let inputs = [&**pattern.buffer.as_ref()?, &**marginals.buffer.as_ref()?, &ramp];
    let shape = [
        pattern.columns,
        view.queries.start,
        view.keys.start,
        view.queries.len(),
        view.keys.len(),
        down,
        across,
        pattern.rows + pattern.columns,
        usize::from(colours.signed),
    ];
    let shape = shape.map(|size| size as u32);
    let into = out.buffer.as_ref()?;
    gpu.dispatch(&gpu.pipelines.paint, &inputs, into, &shape, cells(down * across));
    Some(out)
}
