//! The tensors of a checkpoint, of one file or several, read on demand and converted to f32. A
//! tensor is read by name and shape, so a config that contradicts the weights is distinguished from
//! a broken file, which [`crate::files`] refuses.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::backend::Order;
use crate::error::{Code, Error, Result};
use crate::files::{Files, StoredTensor, WeightFile};
use crate::kernels::stored::{Format, widened};

/// The bytes of a tensor that are read at once.
const PART_BYTES: usize = 1 << 20;
/// The most bytes of weights among the 4 GiB that wasm can address; texts need the rest.
pub const MOST_WEIGHT_BYTES: u64 = (4 << 30) - (256 << 20);
/// The largest allocation in wasm.
const MOST_TENSOR_BYTES: u64 = (2 << 30) - 1;

/// The files of a checkpoint, whose headers were checked.
pub struct Checkpoint<'data> {
    files: Vec<WeightFile<'data>>,
    /// Whether the checkpoint is a whole model (GGUF): every tensor must be read, and a missing
    /// bias is zero.
    is_whole_model: bool,
    /// The names of the tensors that were read.
    read: RefCell<BTreeSet<String>>,
}

impl<'data> Checkpoint<'data> {
    /// The tensors of opened files.
    pub fn new(files: Files<'data>) -> Self {
        let is_whole_model = files.whole.is_some();
        Self { files: files.weights, is_whole_model, read: RefCell::default() }
    }

    /// Refuses a file of a whole model with a tensor that was not read: its numbers belong to the
    /// model, so another model was computed.
    ///
    /// # Errors
    /// `checkpoint/unread-tensor`, with the tensor's name in the model's folder.
    pub fn check_all_read(&self) -> Result<()> {
        let read = self.read.borrow();
        let mut all = self.files.iter().flat_map(|file| file.tensors.keys());
        match all.find(|name| !read.contains(*name)).filter(|_| self.is_whole_model) {
            None => Ok(()),
            Some(name) => Err(Error::new(
                Code::CheckpointUnreadTensor,
                "the checkpoint",
                "tensors that the model's family computes with",
                name.as_str(),
            )),
        }
    }

    /// Whether the checkpoint has a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.tensors.contains_key(name))
    }

    /// Refuses weights that do not fit in memory. `held` gives the format in memory for a format in
    /// the file, or `None` if the backend keeps the weights elsewhere. Tensors that `is_read`
    /// denies are never read and take no memory.
    ///
    /// # Errors
    /// `checkpoint/too-large`.
    pub fn check_size(
        &self,
        is_read: impl Fn(&str) -> bool,
        held: impl Fn(Format) -> Option<Format>,
    ) -> Result<()> {
        let mut all = 0;
        for file in &self.files {
            for (name, tensor) in &file.tensors {
                let Some(format) = tensor.format.filter(|_| is_read(name)) else { continue };
                let held = held(format);
                // A tensor that is kept elsewhere is widened in one piece on the way there.
                let [of, each] = held.unwrap_or(Format::F32).block().map(|size| size as u64);
                let numbers = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
                let bytes = numbers.div_ceil(of).saturating_mul(each);
                if bytes > MOST_TENSOR_BYTES {
                    return Err(too_large(&format!("the tensor {name}"), MOST_TENSOR_BYTES, bytes));
                }
                all = held.map_or(0, |_| bytes).saturating_add(all);
            }
        }
        let is_small = all <= MOST_WEIGHT_BYTES;
        if is_small { Ok(()) } else { Err(too_large("the weights", MOST_WEIGHT_BYTES, all)) }
    }

    /// The numbers of a tensor of shape `shape`, row-major.
    ///
    /// A bias that a file of a whole model lacks is zero, as the format allows.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`, `…/non-finite`.
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        if self.is_whole_model && name.rsplit('.').next() == Some("bias") && !self.has(name) {
            return Ok(vec![0.0; shape.iter().product()]);
        }
        let tensor = self.tensor(name, shape)?;
        let mut numbers = Vec::with_capacity(shape.iter().product());
        for rows in tensor.parts() {
            numbers.extend(widened(tensor.format, tensor.inner, &rows?));
        }
        Ok(numbers)
    }

    /// A tensor of shape `shape`, for reading its rows.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor<'_>> {
        self.read.borrow_mut().insert(name.to_owned());
        let (file, stored) = self.find(name)?;
        if !stored.shape.iter().copied().eq(shape.iter().map(|&size| size as u64)) {
            return Err(Error::new(
                Code::CheckpointWrongShape,
                format!("the tensor {name}"),
                format!("shape {shape:?} as the config says"),
                format!("{:?}", stored.shape),
            ));
        }
        let format = stored.format.ok_or_else(|| wrong_dtype(name, &stored.type_name))?;
        let (inner, outer) = match shape {
            [outer @ .., inner] => (*inner, outer.iter().product()),
            [] => (1, 1),
        };
        Ok(Tensor { name: name.to_owned(), format, inner, outer, file, stored })
    }

    /// Whether two tensors have the same shape, format and bytes.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-dtype`, and the errors of reading a file.
    pub fn is_same(&self, name: &str, other: &str) -> Result<bool> {
        let shape = |name: &str| -> Result<Vec<usize>> {
            let (_, tensor) = self.find(name)?;
            Ok(tensor.shape.iter().map(|&size| size as usize).collect())
        };
        let (one, two) = (shape(name)?, shape(other)?);
        if one != two {
            return Ok(false);
        }
        let (one, two) = (self.tensor(name, &one)?, self.tensor(other, &two)?);
        if one.format != two.format {
            return Ok(false);
        }
        for (one, two) in one.parts().zip(two.parts()) {
            if one? != two? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn find(&self, name: &str) -> Result<(&WeightFile<'data>, &StoredTensor)> {
        let mut found = self.files.iter().filter_map(|file| Some((file, file.tensors.get(name)?)));
        found.next().ok_or_else(|| {
            let names: Vec<_> = self.files.iter().flat_map(|file| file.tensors.keys()).collect();
            let got = match (names.len(), names.iter().min(), names.iter().max()) {
                (1, Some(only), _) => format!("{only} alone"),
                (n, Some(first), Some(last)) => format!("{n} others, from {first} to {last}"),
                _ => "no tensor at all".to_owned(),
            };
            let expected = format!("a tensor named {name}, which the config asks for");
            Error::new(Code::CheckpointMissingTensor, "the checkpoint", expected, got)
        })
    }
}

/// A tensor in a file of the checkpoint.
pub struct Tensor<'a> {
    name: String,
    /// The storage format of the numbers.
    pub format: Format,
    /// The numbers of a row, that is the size of the last axis.
    inner: usize,
    outer: usize,
    file: &'a WeightFile<'a>,
    stored: &'a StoredTensor,
}

impl Tensor<'_> {
    /// The bytes of all rows, in parts of a multiple of sixteen rows.
    pub fn parts(&self) -> impl Iterator<Item = Result<Vec<u8>>> {
        let sixteen = 16 * self.format.row_bytes(self.inner);
        let count = 16 * (PART_BYTES / sixteen.max(1)).max(1);
        let firsts = (0..self.outer).step_by(count);
        firsts.map(move |first| self.rows(first..self.outer.min(first + count)))
    }

    /// Writes the bytes of all outputs of a matrix: its rows, or its columns if `order` says that
    /// the columns are the outputs.
    ///
    /// # Errors
    /// `checkpoint/non-finite`; `…/wrong-dtype` for block formats, which cannot be transposed.
    pub fn write_outputs(&self, order: Order, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        if order == Order::OuterInner {
            return self.parts().try_for_each(|part| part.map(|part| bytes.extend(part)));
        }
        let [1, size] = self.format.block() else {
            return Err(wrong_dtype(&self.name, "blocks of a transposed matrix"));
        };
        bytes.resize(self.inner * self.outer * size, 0);
        let mut at = 0;
        for part in self.parts() {
            for row in part?.chunks_exact((self.inner * size).max(1)) {
                let places = bytes[at..].chunks_mut((self.outer * size).max(1));
                let numbers = places.zip(row.chunks_exact(size));
                numbers.for_each(|(place, number)| place[..size].copy_from_slice(number));
                at += size;
            }
        }
        Ok(())
    }

    /// The bytes of some rows; refuses numbers that are not finite.
    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let stride = self.format.row_bytes(self.inner) as u64;
        let [start, end] = [rows.start, rows.end].map(|row| row as u64 * stride);
        let bytes = self.file.read(self.stored, start..end)?;
        let numbers = widened(self.format, self.inner, &bytes);
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(bytes),
            Some(at) => Err(Error::new(
                Code::CheckpointNonFinite,
                format!("the tensor {}", self.name),
                "finite numbers",
                format!("{} at index {}", numbers[at], rows.start * self.inner + at),
            )),
        }
    }
}

/// Refuses a tensor that is computed from another and does not fit in memory.
///
/// # Errors
/// `checkpoint/too-large`.
pub fn check_tensor_size(name: &str, shape: &[usize]) -> Result<()> {
    let numbers = shape.iter().map(|&size| size as u64).fold(1, u64::saturating_mul);
    let bytes = numbers.saturating_mul(size_of::<f32>() as u64);
    let is_small = bytes <= MOST_TENSOR_BYTES;
    if is_small {
        return Ok(());
    }
    Err(too_large(&format!("the tensor {name}"), MOST_TENSOR_BYTES, bytes))
}

fn too_large(part: &str, most: u64, bytes: u64) -> Error {
    let expected = format!("at most {} MiB in memory", most >> 20);
    Error::new(Code::CheckpointTooLarge, part, expected, format!("{} MiB", bytes >> 20))
}

fn wrong_dtype(name: &str, got: &str) -> Error {
    let tensor = format!("the tensor {name}");
    Error::new(Code::CheckpointWrongDtype, tensor, "F64, F32, F16 or BF16", got)
}
