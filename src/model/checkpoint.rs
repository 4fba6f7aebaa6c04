//! Safetensors files, one or several of a model: the headers are checked first, tensors are
//! read on demand and turned into f32. Reading is by name and shape, so a config that
//! contradicts the weights is distinguished from a file that is broken.
//!
//! Format: 8 bytes of header length, a JSON header, then the data. Sizes and places are counted in
//! 64 bits: wasm's 32 are too few for a file that is narrowed as it is read.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use crate::backend::Order;
use crate::error::{Code, Error, Result};
use crate::kernels::stored::{Format, widened};

/// How much of a tensor is read at once.
const PART_BYTES: usize = 1 << 20;
/// What weights may take of the 4 GiB that wasm can address; texts need the rest.
pub const MOST_WEIGHT_BYTES: u64 = (4 << 30) - (256 << 20);
/// What wasm can allocate in one piece.
const MOST_TENSOR_BYTES: u64 = (2 << 30) - 1;
const MOST_HEADER_BYTES: u64 = 100_000_000;

/// A file, of which parts are copied when they are needed: it need not lie in this memory.
pub struct CheckpointFile<'data> {
    /// For messages.
    pub name: String,
    /// Its length in bytes, also where memory has no such addresses.
    pub n_bytes: u64,
    /// Copies a part that it has.
    pub part: Box<dyn Fn(Range<u64>) -> Result<Vec<u8>> + 'data>,
}

impl<'data> CheckpointFile<'data> {
    /// A file in this memory.
    pub fn in_memory(bytes: &'data [u8]) -> Self {
        let part =
            Box::new(|part: Range<u64>| Ok(bytes[part.start as usize..part.end as usize].to_vec()));
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
    data: u64,
    header: Header,
}

#[derive(Deserialize)]
struct Header {
    /// The blocks of tensors that are bytes.
    #[serde(rename = "__metadata__")]
    blocks: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    tensors: BTreeMap<String, TensorInfo>,
}

#[derive(Deserialize)]
struct TensorInfo {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

impl<'data> OpenFile<'data> {
    fn open(file: CheckpointFile<'data>) -> Result<Self> {
        let refused = |code, got: &str| Err(refused(&file.name, code, got));
        let first = (file.part)(0..file.n_bytes.min(8))?;
        let length = first.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
        if length > MOST_HEADER_BYTES {
            return refused(Code::CheckpointHeaderTooLarge, &format!("{length} bytes"));
        }
        let data = 8 + length;
        if data > file.n_bytes {
            return refused(Code::CheckpointTruncated, "less than its header");
        }
        let header: Header = match serde_json::from_slice(&(file.part)(8..data)?) {
            Ok(header) => header,
            Err(error) => return refused(Code::CheckpointBadHeader, &error.to_string()),
        };
        let rest = file.n_bytes - data;
        match header.end() {
            Err((code, name)) => refused(code, &format!("another tensor {name}")),
            Ok(end) if end > rest => refused(Code::CheckpointTruncated, "less than its tensors"),
            Ok(end) if end < rest => refused(Code::CheckpointOverlap, "more bytes than theirs"),
            Ok(_) => Ok(Self { file, data, header }),
        }
    }

    /// How a tensor is stored, if that is read here. Bytes may be blocks, which the file names.
    fn format(&self, name: &str, info: &TensorInfo) -> Option<Format> {
        match info.dtype.as_str() {
            "F32" => Some(Format::F32),
            "F16" => Some(Format::F16),
            "BF16" => Some(Format::Bf16),
            "U8" => Format::of_blocks(self.header.blocks.as_ref()?.get(name)?),
            _ => None,
        }
    }
}

impl Header {
    /// Where the last tensor ends, or the first that is wrong: why, and its name.
    fn end(&self) -> std::result::Result<u64, (Code, &str)> {
        let mut tensors: Vec<_> = self.tensors.iter().collect();
        tensors.sort_by_key(|(_, info)| info.data_offsets);
        let mut end = 0;
        for (name, info) in tensors {
            let [from, to] = info.data_offsets;
            if from != end || to < from {
                return Err((Code::CheckpointOverlap, name));
            }
            end = to;
            // Of types that are never read the sizes do not matter.
            let of_one: u64 = match &*info.dtype {
                "F32" => 4,
                "F16" | "BF16" => 2,
                "U8" => 1,
                _ => continue,
            };
            let bytes = info.shape.iter().try_fold(of_one, |bytes, &size| bytes.checked_mul(size));
            if bytes.ok_or((Code::CheckpointShapeOverflow, &**name))? != to - from {
                return Err((Code::CheckpointBadHeader, name));
            }
        }
        Ok(end)
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
        self.files.iter().any(|file| file.header.tensors.contains_key(name))
    }

    /// Refuses tensors that do not fit in memory, each in the format that `held` gives for its own.
    ///
    /// # Errors
    /// `checkpoint/too-large`.
    pub fn check_size(&self, held: impl Fn(Format) -> Option<Format>) -> Result<()> {
        let mut all = 0;
        for file in &self.files {
            for (name, info) in &file.header.tensors {
                let Some(format) = file.format(name, info) else { continue };
                let held = held(format);
                // What is held elsewhere is widened in one piece on its way there.
                let [[numbers, bytes], [of, each]] = [format, held.unwrap_or(Format::F32)]
                    .map(|format| format.block().map(|size| size as u64));
                let [from, to] = info.data_offsets;
                let bytes = ((to - from) / bytes * numbers).div_ceil(of) * each;
                if bytes > MOST_TENSOR_BYTES {
                    return Err(too_large(&format!("the tensor {name}"), MOST_TENSOR_BYTES, bytes));
                }
                all += held.map_or(0, |_| bytes);
            }
        }
        let is_small = all <= MOST_WEIGHT_BYTES;
        if is_small { Ok(()) } else { Err(too_large("the weights", MOST_WEIGHT_BYTES, all)) }
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
        if let (Some(format), "U8", Some(last)) = (format, &*info.dtype, found.last_mut()) {
            let [numbers, bytes] = format.block().map(|size| size as u64);
            *last = if *last % bytes == 0 { *last / bytes * numbers } else { 0 };
        }
        if !found.iter().copied().eq(shape.iter().map(|&size| size as u64)) {
            return Err(Error::new(
                Code::CheckpointWrongShape,
                format!("the tensor {name}"),
                format!("shape {shape:?} as the config says"),
                format!("{found:?}"),
            ));
        }
        let format = format.ok_or_else(|| wrong_dtype(name, &info.dtype))?;
        let (inner, outer) = match shape {
            [outer @ .., inner] => (*inner, outer.iter().product()),
            [] => (1, 1),
        };
        let start = file.data + info.data_offsets[0];
        Ok(Tensor { name: name.to_owned(), format, inner, outer, file, start })
    }

    fn find(&self, name: &str) -> Result<(&OpenFile<'data>, &TensorInfo)> {
        let mut found =
            self.files.iter().filter_map(|file| Some((file, file.header.tensors.get(name)?)));
        found.next().ok_or_else(|| {
            let names: Vec<_> =
                self.files.iter().flat_map(|file| file.header.tensors.keys()).collect();
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
    start: u64,
}

impl Tensor<'_> {
    /// The bytes of all rows, some of them at a time: as many sixteens as fit a part.
    pub fn parts(&self) -> impl Iterator<Item = Result<Vec<u8>>> {
        let sixteen = 16 * self.format.row_bytes(self.inner);
        let count = 16 * (PART_BYTES / sixteen.max(1)).max(1);
        let firsts = (0..self.outer).step_by(count);
        firsts.map(move |first| self.rows(first..self.outer.min(first + count)))
    }

    /// Writes the bytes of all rows; of all columns where those are the rows of its matrix.
    ///
    /// # Errors
    /// `checkpoint/non-finite`; `…/wrong-dtype` for blocks, which cannot be turned.
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

    /// The bytes of some rows, whose numbers are finite.
    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let stride = self.format.row_bytes(self.inner) as u64;
        let [start, end] = [rows.start, rows.end].map(|row| self.start + row as u64 * stride);
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

fn too_large(part: &str, most: u64, bytes: u64) -> Error {
    let expected = format!("at most {} MiB in memory", most >> 20);
    Error::new(Code::CheckpointTooLarge, part, expected, format!("{} MiB", bytes >> 20))
}

fn wrong_dtype(name: &str, got: &str) -> Error {
    let tensor = format!("the tensor {name}");
    Error::new(Code::CheckpointWrongDtype, tensor, "F32, F16 or BF16", got)
}

fn refused(name: &str, code: Code, got: &str) -> Error {
    let expected = match code {
        Code::CheckpointTruncated => "a complete file; download it again",
        Code::CheckpointHeaderTooLarge => {
            "a header of at most 100 MB; check that this is a safetensors file, not a page about it"
        }
        Code::CheckpointOverlap => {
            "tensors one after the other up to the end, without gap or overlap; save it again"
        }
        Code::CheckpointShapeOverflow => "shapes whose sizes fit in memory; save it again",
        _ => {
            "a safetensors header with as many bytes for each tensor as its shape needs; check that this is such a file"
        }
    };
    Error::new(code, name, expected, got)
}
