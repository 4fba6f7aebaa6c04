//! The header of a GGUF file: the metadata and the place of each tensor.
//!
//! Format: ggml's `docs/gguf.md`, versions 2 and 3, little-endian. Lists stay bytes of the header:
//! a vocabulary has up to 262,144 words.

use std::collections::BTreeMap;

use super::super::source::{Cursor, Source};
use crate::error::{Code, Error, Result};

/// The most bytes of a header; that of a model with 262,144 words takes 10 MB.
const MOST_HEADER_BYTES: u64 = 1 << 28;
/// The most axes of a tensor in ggml.
const MOST_AXES: u32 = 4;
/// The deepest nesting of lists.
const DEEPEST: usize = 4;

/// A value of the metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number from 0.
    Unsigned(u64),
    /// A whole number below 0.
    Negative(i64),
    /// A floating-point number of the file's precision.
    Float(f64),
    /// A flag.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list.
    List(List),
}

/// A list of the metadata, as undecoded bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// ggml's number of the items' type.
    kind: u32,
    /// The number of items.
    pub count: usize,
    bytes: Vec<u8>,
}

/// The metadata of a file, by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata(pub BTreeMap<String, Value>);

/// The header's entry of a tensor.
pub(super) struct Entry {
    pub name: String,
    /// The shape, rows first.
    pub shape: Vec<u64>,
    /// ggml's number of the tensor's type.
    pub kind: u32,
    /// The tensor's first byte in the file.
    pub start: u64,
}

/// The header of a file: everything before the weights.
pub(super) struct Header {
    pub metadata: Metadata,
    pub tensors: Vec<Entry>,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// `checkpoint/bad-gguf`, `checkpoint/truncated`, `checkpoint/header-too-large`.
    pub fn read(source: &dyn Source) -> Result<Self> {
        let mut reader = Reader { cursor: Cursor::new(source, MOST_HEADER_BYTES), source };
        reader.cursor.take(4)?;
        let version = u32::from_le_bytes(reader.cursor.array()?);
        if version.swap_bytes() <= 3 {
            let expected = "a little-endian file; download that, or convert the model again";
            return Err(bad(source, expected, "a big-endian one"));
        }
        if !(2..=3).contains(&version) {
            let expected = "version 2 or 3; convert the model again";
            return Err(bad(source, expected, &format!("version {version}")));
        }
        let [n_tensors, n_fields] = [reader.long()?, reader.long()?];
        let mut metadata = BTreeMap::new();
        for _ in 0..n_fields {
            let name = reader.text()?;
            let kind = reader.number()?;
            let value = reader.value(kind)?;
            if metadata.contains_key(&name) {
                return Err(bad(source, "each key once; convert the model again", &name));
            }
            metadata.insert(name, value);
        }
        let mut tensors = Vec::new();
        for _ in 0..n_tensors {
            tensors.push(reader.entry()?);
        }
        let metadata = Metadata(metadata);
        let alignment = metadata.unsigned("general.alignment").filter(|&size| size > 0);
        let data = (reader.cursor.at as u64).checked_next_multiple_of(alignment.unwrap_or(32));
        for tensor in &mut tensors {
            let start = data.and_then(|data| data.checked_add(tensor.start));
            tensor.start = start.unwrap_or(u64::MAX);
        }
        Ok(Self { metadata, tensors })
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    source: &'a dyn Source,
}

impl Reader<'_> {
    fn number(&mut self) -> Result<u32> {
        self.cursor.array().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Result<u64> {
        self.cursor.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String> {
        let length = self.long()?;
        Ok(String::from_utf8_lossy(self.cursor.take(length)?).into_owned())
    }

    fn entry(&mut self) -> Result<Entry> {
        let name = self.text()?;
        let axes = self.number()?;
        if axes > MOST_AXES {
            let expected = format!("tensors of at most {MOST_AXES} axes");
            return Err(bad(self.source, &expected, &format!("{axes} axes of {name}")));
        }
        let shape: Result<Vec<_>> = (0..axes).map(|_| self.long()).collect();
        let shape = shape?.into_iter().rev().collect();
        Ok(Entry { name, shape, kind: self.number()?, start: self.long()? })
    }

    fn value(&mut self, kind: u32) -> Result<Value> {
        if kind != 9 {
            let size = match kind {
                8 => {
                    return self.text().map(Value::Text);
                }
                kind => self.width(kind)?,
            };
            let value = plain(kind, self.cursor.take(size)?);
            return value.ok_or_else(|| bad(self.source, "plain values", "another"));
        }
        let (kind, count) = (self.number()?, self.long()?);
        let start = self.cursor.at;
        self.skip(kind, count, 0)?;
        let bytes = self.cursor.bytes.get(start..self.cursor.at).unwrap_or_default().to_vec();
        Ok(Value::List(List { kind, count: count as usize, bytes }))
    }

    /// Skips the items of a list, whose bytes are kept.
    fn skip(&mut self, kind: u32, count: u64, depth: usize) -> Result<()> {
        match kind {
            8 => {
                for _ in 0..count {
                    let length = self.long()?;
                    self.cursor.take(length)?;
                }
            }
            9 if depth < DEEPEST => {
                for _ in 0..count {
                    let (kind, count) = (self.number()?, self.long()?);
                    self.skip(kind, count, depth + 1)?;
                }
            }
            kind => {
                let size = self.width(kind)?;
                self.cursor.take(size.saturating_mul(count))?;
            }
        }
        Ok(())
    }

    /// The bytes of a value of a plain type.
    fn width(&self, kind: u32) -> Result<u64> {
        match kind {
            0 | 1 | 7 => Ok(1),
            2 | 3 => Ok(2),
            4..=6 => Ok(4),
            10..=12 => Ok(8),
            other => {
                let expected = "fields of known types; convert the model again";
                Err(bad(self.source, expected, &format!("type {other}")))
            }
        }
    }
}

/// Decodes a value of a plain type.
fn plain(kind: u32, bytes: &[u8]) -> Option<Value> {
    let whole =
        |number: i64| u64::try_from(number).map_or(Value::Negative(number), Value::Unsigned);
    Some(match kind {
        0 => Value::Unsigned(u64::from(*bytes.first()?)),
        1 => whole(i64::from(bytes.first()?.cast_signed())),
        2 => Value::Unsigned(u64::from(u16::from_le_bytes(bytes.try_into().ok()?))),
        3 => whole(i64::from(i16::from_le_bytes(bytes.try_into().ok()?))),
        4 => Value::Unsigned(u64::from(u32::from_le_bytes(bytes.try_into().ok()?))),
        5 => whole(i64::from(i32::from_le_bytes(bytes.try_into().ok()?))),
        6 => Value::Float(f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        7 => Value::Bool(*bytes.first()? != 0),
        10 => Value::Unsigned(u64::from_le_bytes(bytes.try_into().ok()?)),
        11 => whole(i64::from_le_bytes(bytes.try_into().ok()?)),
        12 => Value::Float(f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => return None,
    })
}

pub(super) fn bad(source: &dyn Source, expected: &str, got: &str) -> Error {
    Error::new(Code::CheckpointBadGguf, source.name(), expected, got)
}

impl Value {
    /// The value as a number; `None` for a flag, a text or a list.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::Unsigned(number) => Some(number as f64),
            Self::Negative(number) => Some(number as f64),
            Self::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The value as an error message shows it.
    pub fn shown(&self) -> String {
        match self {
            Self::Unsigned(number) => number.to_string(),
            Self::Negative(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Bool(is_true) => is_true.to_string(),
            Self::Text(text) => text.clone(),
            Self::List(list) => format!("a list of {}", list.count),
        }
    }
}

impl List {
    /// The texts of a list of texts; `None` for another list.
    pub fn texts(&self) -> Option<impl Iterator<Item = String>> {
        let mut rest = self.bytes.as_slice();
        (self.kind == 8).then(move || {
            std::iter::from_fn(move || {
                let (length, text) = rest.split_first_chunk()?;
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                let (text, after) = text.split_at_checked(length)?;
                rest = after;
                Some(String::from_utf8_lossy(text).into_owned())
            })
        })
    }

    /// The numbers of a list of numbers, flags as 0 and 1; NaN for other items.
    pub fn numbers(&self) -> Vec<f64> {
        let number = |value: Value| match value {
            Value::Bool(flag) => f64::from(u8::from(flag)),
            value => value.number().unwrap_or(f64::NAN),
        };
        self.values().map(number).collect()
    }

    /// The values of a list of plain values; none of a list of texts or lists.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let width = match self.kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            10..=12 => 8,
            _ => self.bytes.len().max(1) + 1,
        };
        self.bytes.chunks_exact(width).filter_map(|bytes| plain(self.kind, bytes))
    }
}

impl Metadata {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// The value of a key that is a whole number from 0.
    pub fn unsigned(&self, key: &str) -> Option<u64> {
        match self.get(key)? {
            Value::Unsigned(number) => Some(*number),
            _ => None,
        }
    }

    /// The value of a key that is a text.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
