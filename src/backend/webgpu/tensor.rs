//! Numbers in GPU memory. A clone shares its buffer. Rows are appended in place where the
//! buffer has room and no other tensor shares it; otherwise they move to a larger one, so that
//! a text that grows token by token is not copied at every token.

use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use wgpu::{BufferAddress, MapMode};

use super::completion::{Answer, Answered};
use super::gpu::{Gpu, bytes};
use super::pipelines::FLOAT_BYTES;
use super::pool::Buffer;
use crate::backend::Order;
use crate::error::Result;

/// Rows of `columns` numbers.
#[derive(Debug, Clone)]
pub struct WebGpuTensor {
    /// At least `rows · columns` numbers; absent when there are none, because WebGPU
    /// binds no empty buffer.
    pub(super) buffer: Option<Rc<Buffer>>,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl WebGpuTensor {
    /// A tensor in a buffer that holds it.
    pub(super) fn new(buffer: Buffer, rows: usize, columns: usize) -> Self {
        let buffer = (rows * columns > 0).then(|| Rc::new(buffer));
        Self { buffer, rows, columns }
    }

    /// A tensor without rows.
    pub(super) fn empty(columns: usize) -> Self {
        Self { buffer: None, rows: 0, columns }
    }

    /// How many numbers it has.
    pub(super) fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Some rows; all of them share the buffer, others get one of their own.
    pub(super) fn select(&self, gpu: &Gpu, rows: Range<usize>) -> Self {
        if rows == (0..self.rows) { self.clone() } else { self.copied(gpu, rows) }
    }

    /// Some rows in a buffer of their own.
    pub(super) fn copied(&self, gpu: &Gpu, rows: Range<usize>) -> Self {
        let out = gpu.tensor(rows.len(), self.columns);
        if let (Some(from), Some(into)) = (&self.buffer, &out.buffer) {
            gpu.copy((from, self.offset(rows.start)), (into, 0), out.len());
        }
        out
    }

    /// Adds rows at the end.
    pub(super) fn append(&mut self, gpu: &Gpu, rows: &Self) {
        let Some(added) = &rows.buffer else { return };
        let total = self.rows + rows.rows;
        let Some(own) = &self.buffer else {
            *self = rows.clone();
            return;
        };
        if Rc::strong_count(own) > 1 || own.size() < self.offset(total) {
            let moved = Rc::new(gpu.buffer(total.max(2 * self.rows) * self.columns));
            gpu.copy((own, 0), (&moved, 0), self.len());
            gpu.copy((added, 0), (&moved, self.offset(self.rows)), rows.len());
            self.buffer = Some(moved);
        } else {
            gpu.copy((added, 0), (own, self.offset(self.rows)), rows.len());
        }
        self.rows = total;
    }

    /// Where a row begins, in bytes.
    fn offset(&self, row: usize) -> BufferAddress {
        (row * self.columns * FLOAT_BYTES) as BufferAddress
    }
}

impl Gpu {
    /// A tensor whose numbers are to be written before they are read.
    pub fn tensor(&self, rows: usize, columns: usize) -> WebGpuTensor {
        WebGpuTensor::new(self.buffer(rows * columns), rows, columns)
    }

    /// A tensor of zeros.
    pub fn zeros(&self, rows: usize, columns: usize) -> WebGpuTensor {
        let out = self.tensor(rows, columns);
        if let Some(buffer) = &out.buffer {
            self.command(|encoder| encoder.clear_buffer(buffer, 0, None));
        }
        out
    }
}

// Weights in GPU memory: `[outer, inner]`, row-major, so that an entry of an embedding table is
// a row, in fours along `inner`. A table that is larger than what a kernel can be given is cut
// between rows into parts, and every kernel that reads it runs once for each.

/// A weight.
pub struct WebGpuMatrix {
    pub(super) parts: Vec<Part>,
    pub(super) inner: usize,
    pub(super) outer: usize,
}

/// Some rows of a weight.
pub(super) struct Part {
    pub buffer: Buffer,
    /// The row that it begins with.
    pub first: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl WebGpuMatrix {
    /// Brings a weight to the GPU.
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

// Reading back: the numbers are copied to a buffer that the CPU can map, behind all that
// is recorded so far. The future owns what it needs.

/// The numbers of a tensor, once they are computed. What is recorded is handed over when the
/// first who asked begins to wait, so that several who asked at once share a piece.
pub(super) fn read(
    gpu: &Rc<Gpu>,
    x: &WebGpuTensor,
) -> impl Future<Output = Result<Vec<f32>>> + use<> {
    let gpu = Rc::clone(gpu);
    let n_bytes = x.len() * FLOAT_BYTES;
    let coming = x.buffer.as_ref().map(|from| {
        let asked = gpu.pool.submissions();
        let staging = gpu.pool.staging(n_bytes);
        gpu.copy((from, 0), (&staging, 0), x.len());
        (asked, staging)
    });
    async move {
        let mut numbers = Vec::new();
        if let Some((asked, staging)) = coming {
            if gpu.pool.submissions() == asked {
                gpu.submit();
            }
            let mapped = Answer::default();
            let resolve = mapped.resolver();
            staging.map_async(MapMode::Read, ..n_bytes as u64, move |result| {
                resolve(result.map_err(|error| error.to_string()));
            });
            if let Err(error) = Answered::new(&gpu.device, mapped, None).await {
                gpu.fail(&error);
            }
            gpu.check()?;
            match staging.get_mapped_range(..n_bytes as u64) {
                Ok(mapped) => numbers = bytemuck::pod_collect_to_vec(&mapped),
                Err(error) => gpu.fail(&error.to_string()),
            }
            staging.unmap();
            gpu.pool.give_back(staging);
        }
        gpu.check()?;
        Ok(numbers)
    }
}
