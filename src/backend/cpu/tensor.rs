//! A tensor of the CPU backend: a vector that its clones share, so that a clone is free and an
//! append to a tensor with one owner copies nothing.

use std::ops::Range;
use std::rc::Rc;

use crate::backend::Storage;

/// A tensor of rows of `columns` numbers.
#[derive(Debug, Clone)]
pub struct CpuTensor {
    pub(super) data: Rc<Vec<f32>>,
    pub(super) columns: usize,
    /// The expected number of rows: reserved with the first, since a run holds dozens of tensors,
    /// and doubling would leave half of each unused.
    most: usize,
}

impl CpuTensor {
    /// A tensor of the given numbers, row-major.
    pub fn new(data: Vec<f32>, columns: usize) -> Self {
        Self { data: Rc::new(data), columns, most: 0 }
    }

    /// A tensor without rows, to which about `most` will be appended.
    pub fn empty(columns: usize, most: usize) -> Self {
        Self { most, ..Self::new(Vec::new(), columns) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.data.len() / self.columns
    }

    /// Some rows, as a separate tensor.
    #[must_use]
    pub fn select(&self, rows: Range<usize>) -> Self {
        if rows == (0..self.rows()) {
            return self.clone();
        }
        let cells = rows.start * self.columns..rows.end * self.columns;
        Self::new(self.data[cells].to_vec(), self.columns)
    }

    /// The numbers in rows of `columns` columns.
    #[must_use]
    pub fn reshape(&self, columns: usize) -> Self {
        Self { data: Rc::clone(&self.data), columns, most: 0 }
    }

    /// Appends rows.
    pub fn append(&mut self, rows: &Self) {
        let needed = self.data.len() + rows.data.len();
        // Beyond the expected number of rows a text grows by one token at a time.
        let room = (self.most * self.columns).max(needed + self.data.len() / 8);
        if let Some(data) = Rc::get_mut(&mut self.data) {
            if needed > data.capacity() {
                data.reserve_exact(room - data.len());
            }
            data.extend_from_slice(&rows.data);
        } else {
            let mut data = Vec::with_capacity(room);
            data.extend_from_slice(&self.data);
            data.extend_from_slice(&rows.data);
            self.data = Rc::new(data);
        }
    }

    /// Uploads the numbers to another backend.
    pub fn moved<B: Storage>(self, backend: &B) -> B::Tensor {
        let columns = self.columns;
        backend.upload(self.into_numbers(), columns)
    }

    /// The numbers of the tensor, row-major.
    pub fn into_numbers(self) -> Vec<f32> {
        Rc::unwrap_or_clone(self.data)
    }

    /// A tensor of the same shape; `f` writes each piece of a row from the piece at the same place.
    pub(super) fn written_in_pieces(&self, width: usize, f: impl Fn(&[f32], &mut [f32])) -> Self {
        let mut out = vec![0.0; self.data.len()];
        let pieces = self.data.chunks_exact(width).zip(out.chunks_exact_mut(width));
        pieces.for_each(|(piece, into)| f(piece, into));
        Self::new(out, self.columns)
    }

    /// A tensor of the same shape; `f` changes each row.
    pub(super) fn map_rows(&self, mut f: impl FnMut(&mut [f32])) -> Self {
        let mut data = self.data.to_vec();
        data.chunks_exact_mut(self.columns).for_each(&mut f);
        Self::new(data, self.columns)
    }
}
