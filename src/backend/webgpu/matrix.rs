//! Weights in GPU memory: `[outer, inner]`, row-major, so that an entry of an embedding table is
//! a row, in a format of `held`. A table larger than a kernel's binding is cut between rows into
//! parts, and every kernel that reads the table runs once for each part.

use super::gpu::{Bound, Gpu, bytes};
use super::held::Held;
use super::pool::Buffer;
use crate::backend::Order;
use crate::error::Result;
use crate::kernels::stored::Format;

/// A weight in GPU memory.
pub struct WebGpuMatrix {
    pub(super) parts: Vec<Part>,
    pub(super) inner: usize,
    pub(super) outer: usize,
    pub(super) held: Held,
}

/// A part of a weight: some of its rows.
pub(super) struct Part {
    buffer: Buffer,
    /// The first row of the part.
    pub first: usize,
    /// The number of rows.
    pub rows: usize,
}

impl Part {
    /// What a kernel binds to read the part.
    pub fn bound(&self) -> Bound<'_> {
        Bound::whole(&self.buffer)
    }
}

impl WebGpuMatrix {
    /// Uploads a weight of f32.
    pub(super) fn new(gpu: &Gpu, data: &[f32], inner: usize, outer: usize, order: Order) -> Self {
        let matrix = Self::room(gpu, Held::F32, inner, outer);
        let rows = match order {
            Order::OuterInner => bytes(data).to_vec(),
            Order::InnerOuter => {
                let row = |n: usize| (0..inner).map(move |k| data[k * outer + n]);
                bytes(&(0..outer).flat_map(row).collect::<Vec<f32>>()).to_vec()
            }
        };
        matrix.write(gpu, 0, &Held::F32.laid_out(Format::F32, inner, rows));
        matrix
    }

    /// Uploads the rows of a file as they come.
    pub(super) fn stored(
        gpu: &Gpu,
        format: Format,
        [inner, outer]: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<Self> {
        let held = Held::of(format);
        let matrix = Self::room(gpu, held, inner, outer);
        let mut first = 0;
        for rows in rows {
            let rows = held.laid_out(format, inner, rows?);
            matrix.write(gpu, first, &rows);
            first += rows.len() / held.row_bytes(inner).max(1);
        }
        Ok(matrix)
    }

    /// A weight whose rows are not written yet.
    fn room(gpu: &Gpu, held: Held, inner: usize, outer: usize) -> Self {
        let row_bytes = held.row_bytes(inner);
        let at_once = (gpu.largest_binding / row_bytes.max(1)).max(1);
        let part = |first: usize| {
            let rows = at_once.min(outer - first);
            Part { buffer: gpu.reserve(rows * row_bytes), first, rows }
        };
        let parts = (0..outer).step_by(at_once).map(part).collect();
        Self { parts, inner, outer, held }
    }

    /// Writes rows from number `first` on into their parts.
    fn write(&self, gpu: &Gpu, first: usize, rows: &[u8]) {
        let row_bytes = self.held.row_bytes(self.inner).max(1);
        let end = first + rows.len() / row_bytes;
        for part in &self.parts {
            let own = first.max(part.first)..end.min(part.first + part.rows);
            if !own.is_empty() {
                let from = &rows[(own.start - first) * row_bytes..(own.end - first) * row_bytes];
                gpu.write(&part.buffer, (own.start - part.first) * row_bytes, from);
            }
        }
    }
}
