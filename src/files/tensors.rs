//! The tensors of an opened file, and the arrangement of their bytes in rows.
//!
//! Whatever the order in the file, a read returns rows of the last axis one after the other,
//! numbers little-endian, in the tensor's [`Format`]. Sizes and places are 64-bit: wasm's 32 bits
//! are too few for a file of f64, which is narrowed as it is read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::take;
use std::ops::Range;

use super::source::Source;
use crate::error::{Code, Error, Result};
use crate::kernels::stored::Format;

/// A tensor in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTensor {
    /// The storage format of the numbers; `None` for a type that is not supported.
    pub format: Option<Format>,
    /// The file's name of the type, for error messages.
    pub type_name: String,
    /// Whether the file has f64 numbers, which are rounded to f32 as they are read.
    pub is_double: bool,
    /// The shape, in numbers, the axis of rows last.
    pub shape: Vec<u64>,
    /// The place of the tensor's first byte in the file.
    pub start: u64,
    /// The number of the tensor's bytes in the file.
    pub n_bytes: u64,
    /// The order of the tensor's numbers in the file.
    pub arrangement: Arrangement,
}

/// The order of a tensor's numbers in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrangement {
    /// Row-major order.
    Rows,
    /// Strides, in numbers, along each axis; `start` is the place of the first number.
    Strides(Vec<u64>),
    /// Rows of each head in the order of paired rotation: dimension 0 beside `d/2`.
    PairedRows {
        /// The number of heads.
        heads: u64,
    },
    /// First the query rows of all heads, then the key rows, then the value rows; in a folder the
    /// rows of one head are together.
    PartsOfHeads {
        /// The number of heads.
        heads: u64,
    },
    /// Gains of a norm that multiplies by `1 + gain`, stored with the 1 added.
    GainsOverOne,
}

/// A file whose header was read and checked.
pub struct WeightFile<'data> {
    pub(super) source: Box<dyn Source + 'data>,
    /// The tensors by their names in a Hugging Face folder.
    pub tensors: BTreeMap<String, StoredTensor>,
    /// The last tensor with strides, in row-major order: such a tensor is read in parts, but its
    /// numbers are spread over all of its bytes.
    gathered: RefCell<Option<(StoredTensor, Vec<u8>)>>,
}

/// The most bytes of the file over which a tensor with strides may be spread, per byte of its own.
const MOST_SPREAD: u64 = 8;
/// The largest allocation in wasm.
const MOST_SPAN: u64 = (2 << 30) - 1;

impl<'data> WeightFile<'data> {
    pub(super) fn new(
        source: Box<dyn Source + 'data>,
        tensors: BTreeMap<String, StoredTensor>,
    ) -> Self {
        Self { source, tensors, gathered: RefCell::default() }
    }

    /// The file's name, for error messages.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// A range of a tensor's bytes, as if the tensor was stored row-major in its format.
    ///
    /// # Errors
    /// `load/not-found` if the file can no longer be read; `checkpoint/…` for an arrangement that
    /// does not fit the shape.
    pub fn read(&self, tensor: &StoredTensor, bytes: Range<u64>) -> Result<Vec<u8>> {
        let Some(format) = tensor.format else { return self.arranged(tensor, bytes) };
        let stored = if tensor.is_double { DOUBLE } else { format.file_block() };
        let [held, stored] = [format.block()[1], stored].map(|size| size as u64);
        if held == stored {
            return self.arranged(tensor, bytes);
        }
        let range = bytes.start / held * stored..bytes.end / held * stored;
        let found = self.arranged(tensor, range)?;
        Ok(if tensor.is_double { narrowed(&found) } else { format.held(&found) })
    }

    /// A range of a tensor's bytes in the file's number type, row-major.
    fn arranged(&self, tensor: &StoredTensor, bytes: Range<u64>) -> Result<Vec<u8>> {
        let place = |at: Range<u64>| tensor.start + at.start..tensor.start + at.end;
        match &tensor.arrangement {
            Arrangement::Rows => self.source.read(place(bytes)),
            Arrangement::GainsOverOne => {
                let gains = self.source.read(place(bytes))?;
                let gains = gains.as_chunks().0.iter().map(|&gain| f32::from_le_bytes(gain) - 1.0);
                Ok(gains.flat_map(f32::to_le_bytes).collect())
            }
            &Arrangement::PairedRows { heads } => {
                let rows = tensor.shape.first().copied().unwrap_or(0);
                let (half, stride) = (rows / heads / 2, tensor.n_bytes / rows.max(1));
                let head = (2 * half * stride).max(1);
                let around = bytes.start / head * head..bytes.end.div_ceil(head) * head;
                let found = self.source.read(place(around.clone()))?;
                let halves = in_halves(&found, half as usize, stride as usize);
                let [from, to] = [bytes.start, bytes.end].map(|at| (at - around.start) as usize);
                Ok(halves.get(from..to).unwrap_or_default().to_vec())
            }
            &Arrangement::PartsOfHeads { heads } => {
                let rows = tensor.shape.first().copied().unwrap_or(0);
                let stride = tensor.n_bytes / rows.max(1);
                let part = (rows / 3 / heads * stride).max(1);
                let mut found = Vec::new();
                let mut at = bytes.start;
                while at < bytes.end {
                    let (which, within) = (at / part, at % part);
                    let count = (part - within).min(bytes.end - at);
                    let from = (which % 3 * heads + which / 3) * part + within;
                    found.extend(self.source.read(place(from..from + count))?);
                    at += count;
                }
                Ok(found)
            }
            Arrangement::Strides(strides) => {
                let mut gathered = self.gathered.borrow_mut();
                let known = gathered.take().filter(|known| known.0 == *tensor);
                let rows = match known {
                    Some((_, rows)) => rows,
                    None => self.gather(tensor, strides)?,
                };
                let part = rows.get(bytes.start as usize..bytes.end as usize);
                let part = part.unwrap_or_default().to_vec();
                *gathered = Some((tensor.clone(), rows));
                Ok(part)
            }
        }
    }

    /// All numbers of a tensor with strides, row-major.
    fn gather(&self, tensor: &StoredTensor, strides: &[u64]) -> Result<Vec<u8>> {
        let width = match tensor.format {
            Some(_) if tensor.is_double => DOUBLE,
            format => format.map_or(1, |format| format.block()[1]),
        };
        let count = tensor.n_bytes as usize / width;
        let last = span(&tensor.shape, strides).unwrap_or(u64::MAX);
        let bytes = last.saturating_mul(width as u64);
        if bytes > MOST_SPAN || bytes / MOST_SPREAD > tensor.n_bytes.max(1 << 20) {
            return Err(Error::new(
                Code::CheckpointBadPickle,
                self.name(),
                "tensors whose numbers lie together; save them with contiguous()",
                format!("strides {strides:?} of shape {:?}", tensor.shape),
            ));
        }
        let found = self.source.read(tensor.start..tensor.start + bytes)?;
        let mut rows = Vec::with_capacity(count * width);
        let mut place = vec![0; tensor.shape.len()];
        for _ in 0..count {
            let at: u64 = place.iter().zip(strides).map(|(at, stride)| at * stride).sum();
            let at = at as usize * width;
            rows.extend_from_slice(found.get(at..at + width).unwrap_or_default());
            for (at, &size) in place.iter_mut().zip(&tensor.shape).rev() {
                *at += 1;
                if *at < size {
                    break;
                }
                *at = 0;
            }
        }
        Ok(rows)
    }
}

/// The bytes of an f64.
const DOUBLE: usize = 8;

/// The storage of plain numbers, by the name of their type; f64 is rounded to f32. `None` for a
/// type that is not supported.
pub(super) fn plain_numbers(type_name: &str) -> Option<PlainNumbers> {
    let is_double = type_name == "F64";
    let format = if is_double { Format::F32 } else { Format::of_numbers(type_name)? };
    let width = if is_double { DOUBLE } else { format.block()[1] };
    Some(PlainNumbers { format, is_double, width: width as u64 })
}

/// A type of plain, unquantised numbers.
pub(super) struct PlainNumbers {
    pub format: Format,
    pub is_double: bool,
    /// The bytes of a number in the file.
    pub width: u64,
}

/// Rounds f64 numbers to f32; a number too large for f32 becomes infinite.
fn narrowed(bytes: &[u8]) -> Vec<u8> {
    let numbers = bytes.as_chunks().0.iter().map(|&number| f64::from_le_bytes(number) as f32);
    numbers.flat_map(f32::to_le_bytes).collect()
}

/// The distance, in numbers, from the first to the last number of a tensor with strides, both
/// included; `None` if it overflows 64 bits.
pub(super) fn span(shape: &[u64], strides: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    let along = |(&size, &stride): (&u64, &u64)| (size - 1).checked_mul(stride);
    let mut axes = shape.iter().zip(strides).map(along);
    axes.try_fold(1u64, |all, axis| all.checked_add(axis?))
}

/// Reorders the rows of whole heads from pairs to halves.
fn in_halves(rows: &[u8], half: usize, stride: usize) -> Vec<u8> {
    let mut moved = vec![0; rows.len()];
    for (row, to) in moved.chunks_exact_mut(stride.max(1)).enumerate() {
        let (head, within) = (row / (2 * half), row % (2 * half));
        let from = (2 * half * head + 2 * (within % half) + within / half) * stride;
        if let Some(row) = rows.get(from..from + stride) {
            to.copy_from_slice(row);
        }
    }
    moved
}

/// Removes the prefixes of training wrappers from all names: `DistributedDataParallel`'s `module.`
/// and `torch.compile`'s `_orig_mod.`.
pub(super) fn without_wrappers(
    mut tensors: BTreeMap<String, StoredTensor>,
) -> BTreeMap<String, StoredTensor> {
    for wrapper in ["module.", "_orig_mod.", "module."] {
        if !tensors.is_empty() && tensors.keys().all(|name| name.starts_with(wrapper)) {
            // Collected entries would be sorted by a function of their own: more code.
            for (name, tensor) in take(&mut tensors) {
                tensors.insert(name[wrapper.len()..].to_owned(), tensor);
            }
        }
    }
    tensors
}
