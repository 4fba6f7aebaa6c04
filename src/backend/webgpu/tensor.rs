//! Numbers in GPU memory. A clone shares its buffer. Rows are appended in place if the buffer has
//! room and no other tensor shares it; otherwise they move to a larger buffer, so that a text that
//! grows token by token is not copied at every token.

use std::ops::Range;
use std::rc::Rc;

use wgpu::BufferAddress;

use super::compiled::FLOAT_BYTES;
use super::gpu::{Bound, Gpu};
use super::pool::Buffer;

/// A tensor of rows of `columns` numbers.
#[derive(Debug, Clone)]
pub struct WebGpuTensor {
    /// A buffer of at least `rows · columns` numbers; absent for an empty tensor, because WebGPU
    /// binds no empty buffer.
    pub(super) buffer: Option<Rc<Buffer>>,
    /// The place of the tensor in the buffer, in numbers; more than 0 where several tensors have
    /// one buffer.
    first: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl WebGpuTensor {
    /// A tensor in a buffer that already has its numbers.
    pub(super) fn new(buffer: Buffer, rows: usize, columns: usize) -> Self {
        Self::part(&Rc::new(buffer), 0, rows, columns)
    }

    /// A tensor in a buffer that it shares with others.
    pub(super) fn part(buffer: &Rc<Buffer>, first: usize, rows: usize, columns: usize) -> Self {
        let buffer = (rows * columns > 0).then(|| Rc::clone(buffer));
        Self { buffer, first, rows, columns }
    }

    /// What a kernel binds to read or to write the numbers; `None` for an empty tensor.
    pub(super) fn bound(&self) -> Option<Bound<'_>> {
        let buffer = self.buffer.as_deref()?;
        let bytes = (self.len() * FLOAT_BYTES) as BufferAddress;
        Some(Bound { buffer, first_byte: self.offset(0), bytes })
    }

    /// The numbers of this tensor in rows of `columns` columns.
    pub(super) fn reshaped(&self, columns: usize) -> Self {
        Self { rows: self.len() / columns, columns, ..self.clone() }
    }

    /// A tensor without rows.
    pub(super) fn empty(columns: usize) -> Self {
        Self { buffer: None, first: 0, rows: 0, columns }
    }

    /// The number of numbers.
    pub(super) fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Some rows; all rows share the buffer, others are copied.
    pub(super) fn select(&self, gpu: &Gpu, rows: Range<usize>) -> Self {
        if rows == (0..self.rows) { self.clone() } else { self.copied(gpu, rows) }
    }

    /// A copy of some rows in a separate buffer.
    pub(super) fn copied(&self, gpu: &Gpu, rows: Range<usize>) -> Self {
        let out = gpu.tensor(rows.len(), self.columns);
        if let (Some(from), Some(into)) = (&self.buffer, &out.buffer) {
            gpu.copy((from, self.offset(rows.start)), (into, 0), out.len());
        }
        out
    }

    /// Appends rows.
    pub(super) fn append(&mut self, gpu: &Gpu, rows: &Self) {
        let Some(added) = &rows.buffer else { return };
        let total = self.rows + rows.rows;
        let Some(own) = &self.buffer else {
            *self = rows.clone();
            return;
        };
        let from = (&***added, rows.offset(0));
        if Rc::strong_count(own) > 1 || own.size() < self.offset(total) {
            let room = gpu.buffer(total.max(2 * self.rows) * self.columns);
            let moved = Self::new(room, self.rows, self.columns);
            if let Some(into) = &moved.buffer {
                gpu.copy((own, self.offset(0)), (into, 0), self.len());
                gpu.copy(from, (into, moved.offset(self.rows)), rows.len());
            }
            *self = moved;
        } else {
            gpu.copy(from, (own, self.offset(self.rows)), rows.len());
        }
        self.rows = total;
    }

    /// The place of a row in the buffer, in bytes.
    pub(super) fn offset(&self, row: usize) -> BufferAddress {
        ((self.first + row * self.columns) * FLOAT_BYTES) as BufferAddress
    }
}

impl Gpu {
    /// A tensor whose contents are undefined until they are written.
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
