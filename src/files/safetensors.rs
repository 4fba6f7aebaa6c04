//! Safetensors: 8 bytes of header length, a JSON header, then the numbers.
//!
//! Format: Hugging Face's `safetensors` 0.4 and later. The header must account for every byte of
//! the file, as the reference library requires.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{Source, truncated};
use super::tensors::{
    Arrangement, PlainNumbers, StoredTensor, WeightFile, plain_numbers, without_wrappers,
};
use crate::error::{Code, Error, Result};

const MOST_HEADER_BYTES: u64 = 100_000_000;

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "__metadata__")]
    _notes: Option<IgnoredAny>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// Opens a safetensors file: reads and checks its header.
pub(super) fn open<'data>(source: Box<dyn Source + 'data>) -> Result<WeightFile<'data>> {
    let header = read_header(source.as_ref())?;
    let (data, tensors) = header;
    let stored = |(name, entry): (String, Entry)| {
        let [from, to] = entry.data_offsets;
        let numbers = plain_numbers(&entry.dtype);
        let tensor = StoredTensor {
            format: numbers.as_ref().map(|numbers| numbers.format),
            is_double: numbers.is_some_and(|numbers| numbers.is_double),
            type_name: entry.dtype,
            shape: entry.shape,
            start: data + from,
            n_bytes: to - from,
            arrangement: Arrangement::Rows,
        };
        (name, tensor)
    };
    let mut named = BTreeMap::new();
    for (name, tensor) in tensors.into_iter().map(stored) {
        named.insert(name, tensor);
    }
    let tensors = without_wrappers(named);
    Ok(WeightFile::new(source, tensors))
}

/// The place of the first number, and the header's entries.
fn read_header(source: &dyn Source) -> Result<(u64, BTreeMap<String, Entry>)> {
    let (name, n_bytes) = (source.name(), source.n_bytes());
    let refused = |code, got: &str| Err(refused(name, code, got));
    let first = source.read(0..n_bytes.min(8))?;
    let length = first.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
    if length > MOST_HEADER_BYTES {
        return refused(Code::CheckpointHeaderTooLarge, &format!("{length} bytes"));
    }
    let data = 8 + length;
    if data > n_bytes {
        return Err(truncated(name, "less than its header"));
    }
    let header: Header = match serde_json::from_slice(&source.read(8..data)?) {
        Ok(header) => header,
        Err(error) => return refused(Code::CheckpointBadHeader, &error.to_string()),
    };
    let rest = n_bytes - data;
    match end(&header.tensors) {
        Err((code, tensor)) => refused(code, &format!("another tensor {tensor}")),
        Ok(end) if end > rest => Err(truncated(name, "less than its tensors")),
        Ok(end) if end < rest => refused(Code::CheckpointOverlap, "more bytes than theirs"),
        Ok(_) => Ok((data, header.tensors)),
    }
}

/// The end of the last tensor; or, for a wrong entry, the error code and the tensor's name.
fn end(tensors: &BTreeMap<String, Entry>) -> std::result::Result<u64, (Code, &str)> {
    let mut tensors: Vec<_> = tensors.iter().collect();
    tensors.sort_unstable_by(|(name, one), (other_name, other)| {
        one.data_offsets.cmp(&other.data_offsets).then(name.cmp(other_name))
    });
    let mut end = 0;
    for (name, entry) in tensors {
        let [from, to] = entry.data_offsets;
        if from != end || to < from {
            return Err((Code::CheckpointOverlap, name));
        }
        end = to;
        // Sizes of types that are never read do not matter.
        let Some(PlainNumbers { width, .. }) = plain_numbers(&entry.dtype) else { continue };
        let bytes = entry.shape.iter().try_fold(width, |bytes, &size| bytes.checked_mul(size));
        if bytes.ok_or((Code::CheckpointShapeOverflow, &**name))? != to - from {
            return Err((Code::CheckpointBadHeader, name));
        }
    }
    Ok(end)
}

fn refused(name: &str, code: Code, got: &str) -> Error {
    let expected = match code {
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
