//! Safetensors files, one or several of a model: the headers are checked first, tensors are
//! read on demand and turned into f32. Reading is by name and shape, so a config that
//! contradicts the weights is distinguished from a file that is broken.
//!
//! Format: 8 bytes of header length, a JSON header, then the data. The `safetensors`
//! crate checks header, offsets and sizes; here its reasons become stable codes.

use std::cmp::Ordering;
use std::ops::Range;

use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use crate::backend::Order;
use crate::error::{Code, Error, Result};
use crate::kernels::stored::{Format, widened};

/// How much of a tensor is read at once.
const PART_BYTES: usize = 1 << 20;
/// What weights may take of the 4 GiB that wasm can address; texts need the rest.
pub const MOST_WEIGHT_BYTES: u64 = (4 << 30) - (256 << 20);

/// A file, of which parts are copied when they are needed: it need not lie in this memory.
pub struct CheckpointFile<'data> {
    /// For messages.
    pub name: String,
    /// Its length in bytes, also where memory has no such addresses.
    pub n_bytes: u64,
    /// Copies a part that it has.
    pub part: Box<dyn Fn(Range<usize>) -> Result<Vec<u8>> + 'data>,
}

impl<'data> CheckpointFile<'data> {
    /// A file in this memory.
    pub fn in_memory(bytes: &'data [u8]) -> Self {
        let part = Box::new(|part: Range<usize>| Ok(bytes[part].to_vec()));
        Self { name: "model.safetensors".to_owned(), n_bytes: bytes.len() as u64, part }
    }
}

/// The files of a checkpoint, whose headers were checked.
pub struct Checkpoint<'data> {
    files: Vec<OpenFile<'data>>,
}

struct OpenFile<'data> {
    file: CheckpointFile<'data>,
    /// Where the data begins.
    data: usize,
    header: Metadata,
}

impl<'data> OpenFile<'data> {
    fn open(file: CheckpointFile<'data>) -> Result<Self> {
        let n_bytes = usize::try_from(file.n_bytes).map_err(|_| too_large(file.n_bytes))?;
        let length = (file.part)(0..n_bytes.min(8))?;
        let length = length.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
        let data = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(8);
        let bytes = (file.part)(0..n_bytes.min(data))?;
        let refused = |error: &SafeTensorError| refused(&file.name, error);
        // The library asks for the data behind the header, whose length is compared below.
        match SafeTensors::read_metadata(&bytes) {
            Ok(_) | Err(SafeTensorError::MetadataIncompleteBuffer) => {}
            Err(error) => return Err(refused(&error)),
        }
        let truncated = || refused(&SafeTensorError::MetadataIncompleteBuffer);
        let header: Metadata = serde_json::from_slice(&bytes[8..]).map_err(|_| truncated())?;
        match (n_bytes - data).cmp(&header.data_len()) {
            Ordering::Less => Err(truncated()),
            Ordering::Equal => Ok(Self { file, data, header }),
            Ordering::Greater => {
                Err(refused(&SafeTensorError::InvalidOffset("the end of the file".to_owned())))
            }
        }
    }

    /// How a tensor is stored, if that is read here. Bytes may be blocks, which the file names.
    fn format(&self, name: &str, info: &TensorInfo) -> Option<Format> {
        match info.dtype {
            Dtype::F32 => Some(Format::F32),
            Dtype::F16 => Some(Format::F16),
            Dtype::BF16 => Some(Format::Bf16),
            Dtype::U8 => Format::of_blocks(self.header.metadata().as_ref()?.get(name)?),
            _ => None,
        }
    }
}

impl<'data> Checkpoint<'data> {
    /// Checks the headers of files.
    ///
    /// # Errors
    /// `checkpoint/…`, by what is wrong with a file.
    pub fn open(files: Vec<CheckpointFile<'data>>) -> Result<Self> {
        Ok(Self { files: files.into_iter().map(OpenFile::open).collect::<Result<_>>()? })
    }

    /// Whether a tensor is there.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.header.info(name).is_some())
    }

    /// Refuses tensors that do not fit in memory, each in the format that `held` gives for its own.
    ///
    /// # Errors
    /// `checkpoint/too-large`.
    pub fn check_size(&self, held: impl Fn(Format) -> Option<Format>) -> Result<()> {
        let bytes = |file: &OpenFile<'_>, name: &str, info: &TensorInfo| {
            let format = file.format(name, info)?;
            let [[numbers, bytes], [of, each]] =
                [format, held(format)?].map(|format| format.block().map(|size| size as u64));
            let size = (info.data_offsets.1 - info.data_offsets.0) as u64;
            // In 64 bits: blocks of 4 bits that wasm can address may have more numbers.
            Some((size / bytes * numbers).div_ceil(of) * each)
        };
        let of_file = |file: &OpenFile<'_>| -> u64 {
            let tensors = file.header.tensors();
            tensors.iter().filter_map(|(name, info)| bytes(file, name, info)).sum()
        };
        let bytes = self.files.iter().map(of_file).sum();
        if bytes <= MOST_WEIGHT_BYTES { Ok(()) } else { Err(too_large(bytes)) }
    }

    /// A tensor's numbers, row-major, which must have `shape`.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`, `…/non-finite`.
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let tensor = self.tensor(name, shape)?;
        let mut numbers = Vec::with_capacity(shape.iter().product());
        for rows in tensor.parts() {
            numbers.extend(widened(tensor.format, tensor.inner, &rows?));
        }
        Ok(numbers)
    }

    /// A tensor of this shape, whose rows can be read.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor<'_>> {
        let (file, info) = self.find(name)?;
        let format = file.format(name, info);
        // Bytes of blocks that fill no row have no shape that a config asks for.
        let mut found = info.shape.clone();
        if let (Some(format), Dtype::U8, Some(last)) = (format, info.dtype, found.last_mut()) {
            let [numbers, bytes] = format.block();
            *last = if *last % bytes == 0 { *last / bytes * numbers } else { 0 };
        }
        if found != shape {
            return Err(Error::new(
                Code::CheckpointWrongShape,
                format!("the tensor {name}"),
                format!("shape {shape:?} as the config says"),
                format!("{found:?}"),
            ));
        }
        let format = format.ok_or_else(|| wrong_dtype(name, &format!("{:?}", info.dtype)))?;
        let (inner, outer) = match shape {
            [outer @ .., inner] => (*inner, outer.iter().product()),
            [] => (1, 1),
        };
        let start = file.data + info.data_offsets.0;
        Ok(Tensor { name: name.to_owned(), format, inner, outer, file, start })
    }

    fn find(&self, name: &str) -> Result<(&OpenFile<'data>, &TensorInfo)> {
        let mut found = self.files.iter().filter_map(|file| Some((file, file.header.info(name)?)));
        found.next().ok_or_else(|| {
            let names: Vec<_> =
                self.files.iter().flat_map(|file| file.header.offset_keys()).collect();
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

/// A tensor in a file.
pub struct Tensor<'a> {
    name: String,
    /// How its numbers are stored.
    pub format: Format,
    /// Numbers of a row: its last axis.
    inner: usize,
    outer: usize,
    file: &'a OpenFile<'a>,
    /// Its first byte.
    start: usize,
}

impl Tensor<'_> {
    /// The bytes of all rows, some of them at a time: as many sixteens as fit a part.
    pub fn parts(&self) -> impl Iterator<Item = Result<Vec<u8>>> {
        let sixteen = 16 * self.format.row_bytes(self.inner);
        let count = 16 * (PART_BYTES / sixteen.max(1)).max(1);
        let firsts = (0..self.outer).step_by(count);
        firsts.map(move |first| self.rows(first..self.outer.min(first + count)))
    }

    /// The bytes of all rows; of all columns where those are the rows of its matrix.
    ///
    /// # Errors
    /// `checkpoint/non-finite`; `…/wrong-dtype` for blocks, which cannot be turned.
    pub fn outputs(&self, order: Order) -> Result<Vec<u8>> {
        if order == Order::OuterInner {
            return Ok(self.parts().collect::<Result<Vec<_>>>()?.concat());
        }
        let [1, size] = self.format.block() else {
            return Err(wrong_dtype(&self.name, "blocks of a transposed matrix"));
        };
        let (mut bytes, mut at) = (vec![0; self.inner * self.outer * size], 0);
        for part in self.parts() {
            for row in part?.chunks_exact((self.inner * size).max(1)) {
                let places = bytes[at..].chunks_mut((self.outer * size).max(1));
                places
                    .zip(row.chunks_exact(size))
                    .for_each(|(to, of)| to[..size].copy_from_slice(of));
                at += size;
            }
        }
        Ok(bytes)
    }

    /// The bytes of some rows, whose numbers are finite.
    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let stride = self.format.row_bytes(self.inner);
        let [start, end] = [rows.start, rows.end].map(|row| self.start + row * stride);
        let bytes = (self.file.file.part)(start..end)?;
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

fn too_large(bytes: u64) -> Error {
    let expected = format!("at most {} MiB in memory", MOST_WEIGHT_BYTES >> 20);
    let got = format!("{} MiB", bytes >> 20);
    Error::new(Code::CheckpointTooLarge, "the weights", expected, got)
}

fn wrong_dtype(name: &str, got: &str) -> Error {
    let tensor = format!("the tensor {name}");
    Error::new(Code::CheckpointWrongDtype, tensor, "F32, F16 or BF16", got)
}

/// The library's reason as one of our codes.
fn refused(name: &str, error: &SafeTensorError) -> Error {
    use SafeTensorError as E;
    let (code, expected) = match error {
        E::HeaderTooSmall | E::InvalidHeaderLength | E::MetadataIncompleteBuffer => {
            (Code::CheckpointTruncated, "a complete file; download it again")
        }
        E::HeaderTooLarge => (
            Code::CheckpointHeaderTooLarge,
            "a header of at most 100 MB; check that this is a safetensors file, not a page about it",
        ),
        E::InvalidOffset(_) => (
            Code::CheckpointOverlap,
            "tensors one after the other up to the end, without gap or overlap; save it again",
        ),
        E::ValidationOverflow => {
            (Code::CheckpointShapeOverflow, "shapes whose sizes fit in memory; save it again")
        }
        E::TensorInvalidInfo => (
            Code::CheckpointBadHeader,
            "for each tensor as many bytes as its shape needs; save it again",
        ),
        _ => (Code::CheckpointBadHeader, "a safetensors header; check that this is such a file"),
    };
    Error::new(code, name, expected, error.to_string())
}
