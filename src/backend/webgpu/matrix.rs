//! Weights in GPU memory: `[outer, inner]`, row-major, so that an entry of an embedding table is
//! a row, in fours along `inner`. A table larger than a kernel's binding is cut between rows into
//! parts, and every kernel that reads the table runs once for each part.

use super::gpu::{Gpu, bytes};
use super::pipelines::FLOAT_BYTES;
use super::pool::Buffer;
use crate::backend::Order;

/// A weight in GPU memory.
pub struct WebGpuMatrix {
    pub(super) parts: Vec<Part>,
    pub(super) inner: usize,
    pub(super) outer: usize,
}

/// A part of a weight: some of its rows.
pub(super) struct Part {
    pub buffer: Buffer,
    /// The first row of the part.
    pub first: usize,
    /// The number of rows.
    pub rows: usize,
}

impl WebGpuMatrix {
    /// Uploads a weight.
    pub(super) fn new(gpu: &Gpu, data: &[f32], inner: usize, outer: usize, order: Order) -> Self {
        let stride = inner.next_multiple_of(4);
        let row_bytes = stride * FLOAT_BYTES;
        let at_once = (gpu.largest_binding / row_bytes.max(1)).max(1);
        let number = |n: usize, k: usize| match order {
            Order::OuterInner => data[n * inner + k],
            Order::InnerOuter => data[k * outer + n],
        };
        let part = |first: usize| {
            let rows = at_once.min(outer - first);
            let padded = (first..first + rows)
                .flat_map(|n| (0..stride).map(move |k| if k < inner { number(n, k) } else { 0.0 }));
            let buffer = if stride == inner && order == Order::OuterInner {
                gpu.keep(bytes(&data[first * inner..(first + rows) * inner]))
            } else {
                gpu.keep(bytes(&padded.collect::<Vec<f32>>()))
            };
            Part { buffer, first, rows }
        };
        let parts = (0..outer).step_by(at_once).map(part).collect();
        Self { parts, inner, outer }
    }
}
