//! `pytorch_model.bin`: the format of `torch.save`, a zip archive or the older form from before
//! PyTorch 1.6.
//!
//! An archive has a pickle, `data.pkl`, which describes each tensor, and the numbers of each
//! storage in `data/KEY`. The older form is a sequence of pickles (a magic number, a version, the
//! system, the tensors, the keys of the storages) and then, for each storage, its length and its
//! numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use super::pickle::{Global, Id, Machine, Value};
use super::source::{Cursor, Source};
use super::tensors::{
    Arrangement, StoredTensor, WeightFile, plain_numbers, span, without_wrappers,
};
use super::zip::Archive;
use crate::error::{Code, Error, Result};

/// The most bytes of a pickle; a model's takes some hundred bytes per tensor.
const MOST_PICKLE_BYTES: u64 = 1 << 24;
/// The first bytes of a file from before PyTorch 1.6: protocol 2, and the magic number.
const MARK: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
/// The keys under which training loops save the weights beside other values.
const WRAPPERS: [&str; 4] = ["state_dict", "model_state_dict", "model", "module"];

/// The most axes of a weight.
const MOST_AXES: usize = 8;

/// Whether a file starts as `torch.save` before PyTorch 1.6 wrote it.
pub(super) fn is_legacy(start: &[u8]) -> bool {
    start.starts_with(MARK)
}

/// The numbers of a storage: type, bytes per number, and place in the file.
struct Numbers {
    type_name: &'static str,
    width: u64,
    bytes: Range<u64>,
}

/// Opens an archive.
pub(super) fn open_archive<'data>(source: Box<dyn Source + 'data>) -> Result<WeightFile<'data>> {
    let archive = Archive::open(source.as_ref())?;
    let Some((name, folder)) = archive.ending_in("data.pkl") else {
        return Err(bad(source.as_ref(), "a zip file without data.pkl"));
    };
    let pickle = archive.bytes_of(source.as_ref(), name)?.unwrap_or_default();
    let inner = Part { source: source.as_ref(), bytes: pickle };
    let mut machine = Machine::new(source.name());
    let top = machine.run(&mut Cursor::new(&inner, MOST_PICKLE_BYTES))?;
    let order = archive.bytes_of(source.as_ref(), &format!("{folder}byteorder"))?;
    let order = order.map(|bytes| source.read(bytes.start..bytes.end.min(bytes.start + 8)));
    if order.transpose()?.is_some_and(|order| order.starts_with(b"big")) {
        return Err(big_endian(source.as_ref()));
    }
    let tensors = tensors(source.as_ref(), &machine, top, |key| {
        archive.bytes_of(source.as_ref(), &format!("{folder}data/{key}"))
    })?;
    Ok(WeightFile::new(source, tensors))
}

/// Opens a file from before PyTorch 1.6.
pub(super) fn open_legacy<'data>(source: Box<dyn Source + 'data>) -> Result<WeightFile<'data>> {
    let file = source.as_ref();
    let mut cursor = Cursor::new(file, MOST_PICKLE_BYTES);
    let mut machine = Machine::new(file.name());
    // The magic number and the version of the form, of which there is only one.
    machine.run(&mut cursor)?;
    let version = machine.run(&mut cursor)?;
    if machine.size(version) != Some(1001) {
        return Err(bad(file, "another version of the old form"));
    }
    let system = machine.run(&mut cursor)?;
    if let Some(order) = field(&machine, system, "little_endian")
        && *machine.value(order) == Value::Bool(false)
    {
        return Err(big_endian(file));
    }
    let top = machine.run(&mut cursor)?;
    let keys = machine.run(&mut cursor)?;
    let Value::List(keys) = machine.value(keys) else {
        return Err(bad(file, "no list of what is stored"));
    };
    let widths = widths(&machine);
    let mut places = BTreeMap::new();
    let mut at = cursor.at as u64;
    for &key in keys {
        let key = machine.text(key).unwrap_or_default();
        let end = at.saturating_add(8);
        let count = if end <= file.n_bytes() { file.read(at..end)? } else { Vec::new() };
        let count = count.first_chunk().map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes));
        let width = widths.get(key).copied().unwrap_or(1);
        let numbers = count.checked_mul(width).and_then(|bytes| end.checked_add(bytes));
        let Some(next) = numbers.filter(|&next| next <= file.n_bytes()) else {
            return Err(cut_off(file, key));
        };
        places.insert(key.to_owned(), end..next);
        at = next;
    }
    let tensors = tensors(file, &machine, top, |key| Ok(places.get(key).cloned()))?;
    drop(cursor);
    Ok(WeightFile::new(source, tensors))
}

/// The bytes per number of each storage that the tensors of the old form name.
fn widths<'a>(machine: &'a Machine<'_>) -> BTreeMap<&'a str, u64> {
    let named = machine.stored().filter_map(|id| storage(machine, id));
    let mut widths = BTreeMap::new();
    for (key, _, width) in named {
        widths.insert(key, width);
    }
    widths
}

/// The key of a storage, the type of its numbers and their bytes.
fn storage<'a>(machine: &'a Machine<'_>, id: Id) -> Option<(&'a str, &'static str, u64)> {
    let Value::Stored(id) = machine.value(id) else { return None };
    let Value::List(named) = machine.value(*id) else { return None };
    let &[_, kind, key, _, _, ref view @ ..] = named.as_slice() else { return None };
    // The old form had storages that were views of others; none has been written since 2017.
    let is_whole = view.iter().all(|&id| *machine.value(id) == Value::None);
    let Value::Global(Global::Storage(type_name, width)) = *machine.value(kind) else {
        return None;
    };
    Some((machine.text(key)?, type_name, width)).filter(|_| is_whole)
}

/// The tensors of the outermost dictionary, or of the dictionary in it that holds the model's.
fn tensors(
    source: &dyn Source,
    machine: &Machine<'_>,
    top: Id,
    place: impl Fn(&str) -> Result<Option<Range<u64>>>,
) -> Result<BTreeMap<String, StoredTensor>> {
    let mut named = named_tensors(machine, top);
    for wrapper in WRAPPERS.iter().filter_map(|name| field(machine, top, name)) {
        if named.is_empty() {
            named = named_tensors(machine, wrapper);
        }
    }
    if named.is_empty() {
        return Err(bad(source, "no dictionary of tensors"));
    }
    let mut places: BTreeMap<&str, Option<Range<u64>>> = BTreeMap::new();
    let mut tensors = BTreeMap::new();
    for (name, view) in named {
        let missing = || bad(source, &format!("no numbers for the tensor {name}"));
        let (key, type_name, width) = storage(machine, view.storage).ok_or_else(missing)?;
        if !places.contains_key(key) {
            places.insert(key, place(key)?);
        }
        let bytes = places.get(key).cloned().flatten().ok_or_else(missing)?;
        let stored = tensor(machine, view, Numbers { type_name, width, bytes });
        tensors.insert(name.to_owned(), stored.ok_or_else(|| cut_off(source, name))?);
    }
    Ok(without_wrappers(tensors))
}

/// A tensor's view of a storage.
#[derive(Clone, Copy)]
struct View {
    storage: Id,
    offset: Id,
    shape: Id,
    strides: Id,
}

/// The tensors of a dictionary, by their names.
fn named_tensors<'a>(machine: &'a Machine<'_>, id: Id) -> Vec<(&'a str, View)> {
    let Value::Dict(all) = machine.value(id) else { return Vec::new() };
    let named = all.iter().filter_map(|&(key, value)| {
        let Value::Tensor { storage, offset, shape, strides } = *machine.value(value) else {
            return None;
        };
        Some((machine.text(key)?, View { storage, offset, shape, strides }))
    });
    named.collect()
}

/// The value of a key in a dictionary.
fn field(machine: &Machine<'_>, id: Id, name: &str) -> Option<Id> {
    let Value::Dict(all) = machine.value(id) else { return None };
    let found = all.iter().find(|(key, _)| machine.text(*key) == Some(name));
    found.map(|&(_, value)| value)
}

/// A tensor whose numbers are within its storage; `None` if they are not.
fn tensor(machine: &Machine<'_>, view: View, numbers: Numbers) -> Option<StoredTensor> {
    let Numbers { type_name, width, bytes } = numbers;
    let shape = machine.sizes(view.shape)?;
    let strides = machine.sizes(view.strides)?;
    let offset = machine.size(view.offset)?;
    if shape.len() != strides.len() || shape.len() > MOST_AXES {
        return None;
    }
    let count = shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size))?;
    let n_bytes = count.checked_mul(width)?;
    let start = bytes.start.checked_add(offset.checked_mul(width)?)?;
    let end = start.checked_add(span(&shape, &strides)?.checked_mul(width)?)?;
    // A tensor that repeats its numbers could have any size.
    if end > bytes.end || n_bytes > bytes.end - bytes.start {
        return None;
    }
    let mut step = count;
    let is_in_rows = shape.iter().zip(&strides).all(|(&size, &stride)| {
        step = step.checked_div(size).unwrap_or(0);
        size < 2 || stride == step
    });
    let numbers = plain_numbers(type_name);
    Some(StoredTensor {
        format: numbers.as_ref().map(|numbers| numbers.format),
        is_double: numbers.is_some_and(|numbers| numbers.is_double),
        type_name: type_name.to_owned(),
        shape,
        start,
        n_bytes,
        arrangement: if is_in_rows || count == 0 {
            Arrangement::Rows
        } else {
            Arrangement::Strides(strides)
        },
    })
}

/// A range of a file, as a file of its own.
struct Part<'a> {
    source: &'a dyn Source,
    bytes: Range<u64>,
}

impl Source for Part<'_> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn n_bytes(&self) -> u64 {
        self.bytes.end - self.bytes.start
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        self.source.read(self.bytes.start + range.start..self.bytes.start + range.end)
    }
}

fn bad(source: &dyn Source, got: &str) -> Error {
    let expected = "tensors by their names, as torch.save writes model.state_dict()";
    Error::new(Code::CheckpointBadPickle, source.name(), expected, got)
}

fn big_endian(source: &dyn Source) -> Error {
    let expected = "little-endian numbers; save the file again on a little-endian machine";
    Error::new(Code::CheckpointBadPickle, source.name(), expected, "big-endian ones")
}

fn cut_off(source: &dyn Source, tensor: &str) -> Error {
    let expected = "as many numbers as the shapes need; download it again";
    Error::new(Code::CheckpointTruncated, source.name(), expected, format!("fewer for {tensor}"))
}
