//! A `model.safetensors` file: the header is checked first, tensors are read on demand
//! and turned into f32. Reading is by name and shape, so a config that contradicts the
//! weights is distinguished from a file that is broken.
//!
//! Format: 8 bytes of header length, a JSON header, then the data. The `safetensors`
//! crate checks header, offsets and sizes; here its reasons become stable codes.

use half::{bf16, f16};
use safetensors::tensor::Metadata;
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use crate::error::{Code, Error, Result};

/// A checkpoint in memory whose header was checked.
pub struct Checkpoint<'data> {
    file: SafeTensors<'data>,
}

impl<'data> Checkpoint<'data> {
    /// Checks the header of a file.
    ///
    /// # Errors
    /// `checkpoint/…`, by what is wrong with the file.
    pub fn open(bytes: &'data [u8]) -> Result<Self> {
        Ok(Self { file: SafeTensors::deserialize(bytes).map_err(|error| refused(&error, bytes))? })
    }

    /// Whether a tensor is there.
    pub fn has(&self, name: &str) -> bool {
        self.file.tensor(name).is_ok()
    }

    /// A tensor's numbers, row-major, which must have `shape`.
    ///
    /// # Errors
    /// `checkpoint/missing-tensor`, `…/wrong-shape`, `…/wrong-dtype`, `…/non-finite`.
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let view = self.find(name)?;
        if view.shape() != shape {
            return Err(Error::new(
                Code::CheckpointWrongShape,
                format!("the tensor {name}"),
                format!("shape {shape:?} as the config says"),
                format!("{:?}", view.shape()),
            ));
        }
        let numbers: Vec<f32> = match view.dtype() {
            Dtype::F32 => decode(view.data(), f32::from_le_bytes),
            Dtype::F16 => decode(view.data(), |bytes| f16::from_le_bytes(bytes).to_f32()),
            Dtype::BF16 => decode(view.data(), |bytes| bf16::from_le_bytes(bytes).to_f32()),
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

    fn find(&self, name: &str) -> Result<safetensors::tensor::TensorView<'_>> {
        self.file.tensor(name).map_err(|_| {
            let names = self.file.names();
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

/// Little-endian numbers of `N` bytes each.
fn decode<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks::<N>().0.iter().map(|&chunk| number(chunk)).collect()
}

/// The library's reason as one of our codes.
fn refused(error: &SafeTensorError, bytes: &[u8]) -> Error {
    use SafeTensorError as E;
    let contiguous =
        "tensors one after the other up to the end, without gap or overlap; save it again";
    let (code, expected) = match error {
        E::MetadataIncompleteBuffer if has_surplus(bytes) == Some(true) => {
            (Code::CheckpointOverlap, contiguous)
        }
        E::HeaderTooSmall | E::InvalidHeaderLength | E::MetadataIncompleteBuffer => {
            (Code::CheckpointTruncated, "a complete file; download it again")
        }
        E::HeaderTooLarge => (
            Code::CheckpointHeaderTooLarge,
            "a header of at most 100 MB; check that this is a safetensors file, not a page about it",
        ),
        E::InvalidOffset(_) => (Code::CheckpointOverlap, contiguous),
        E::ValidationOverflow => {
            (Code::CheckpointShapeOverflow, "shapes whose sizes fit in memory; save it again")
        }
        E::TensorInvalidInfo => (
            Code::CheckpointBadHeader,
            "for each tensor as many bytes as its shape needs; save it again",
        ),
        _ => (Code::CheckpointBadHeader, "a safetensors header; check that this is such a file"),
    };
    Error::new(code, "model.safetensors", expected, error.to_string())
}

/// Whether bytes are left after the last tensor, which the library reports as it does
/// bytes that are missing. `None` if there is no valid header.
fn has_surplus(bytes: &[u8]) -> Option<bool> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let header: Metadata = serde_json::from_slice(rest.get(..length)?).ok()?;
    Some(rest.len() - length > header.data_len())
}
