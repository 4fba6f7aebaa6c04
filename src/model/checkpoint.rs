//! Safetensors files, one or several of a model: the headers are checked first, tensors are
//! read on demand and turned into f32. Reading is by name and shape, so a config that
//! contradicts the weights is distinguished from a file that is broken.
//!
//! Format: 8 bytes of header length, a JSON header, then the data. The `safetensors`
//! crate checks header, offsets and sizes; here its reasons become stable codes.

use std::cmp::Ordering;
use std::ops::Range;

use half::{bf16, f16};
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use crate::error::{Code, Error, Result};

/// How much of a tensor is read at once: whole numbers of any type.
const PART_BYTES: usize = 1 << 20;

/// A file, of which parts are copied when they are needed: it need not lie in this memory.
pub struct CheckpointFile<'data> {
    /// For messages.
    pub name: String,
    /// Its length in bytes.
    pub n_bytes: usize,
    /// Copies a part that it has.
    pub part: Box<dyn Fn(Range<usize>) -> Result<Vec<u8>> + 'data>,
}

impl<'data> CheckpointFile<'data> {
    /// A file in this memory.
    pub fn in_memory(bytes: &'data [u8]) -> Self {
        let part = Box::new(|part: Range<usize>| Ok(bytes[part].to_vec()));
        Self { name: "model.safetensors".to_owned(), n_bytes: bytes.len(), part }
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
        let n_bytes = file.n_bytes;
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

    /// Little-endian numbers of `N` bytes each. They are read in parts, so that a large tensor is
    /// not held twice.
    fn decode<const N: usize>(
        &self,
        info: &TensorInfo,
        number: fn([u8; N]) -> f32,
    ) -> Result<Vec<f32>> {
        let (first, end) = info.data_offsets;
        let mut numbers = Vec::with_capacity((end - first) / N);
        for start in (first..end).step_by(PART_BYTES) {
            let part = self.data + start..self.data + end.min(start + PART_BYTES);
            let part = (self.file.part)(part)?;
            numbers.extend(part.as_chunks::<N>().0.iter().copied().map(number));
        }
        Ok(numbers)
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

    /// A tensor's numbers, row-major, which must have `shape`.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`, `…/non-finite`.
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let (file, info) = self.find(name)?;
        if info.shape != shape {
            return Err(Error::new(
                Code::CheckpointWrongShape,
                format!("the tensor {name}"),
                format!("shape {shape:?} as the config says"),
                format!("{:?}", info.shape),
            ));
        }
        let numbers: Vec<f32> = match info.dtype {
            Dtype::F32 => file.decode(info, f32::from_le_bytes)?,
            Dtype::F16 => file.decode(info, |bytes| f16::from_le_bytes(bytes).to_f32())?,
            Dtype::BF16 => file.decode(info, |bytes| bf16::from_le_bytes(bytes).to_f32())?,
            other => {
                return Err(Error::new(
                    Code::CheckpointWrongDtype,
                    format!("the tensor {name}"),
                    "F32, F16 or BF16",
                    format!("{other:?}"),
                ));
            }
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(numbers),
            Some(at) => Err(Error::new(
                Code::CheckpointNonFinite,
                format!("the tensor {name}"),
                "finite numbers",
                format!("{} at index {at}", numbers[at]),
            )),
        }
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
