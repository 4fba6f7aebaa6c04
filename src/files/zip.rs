//! Zip archives of stored entries, as `torch.save` writes them.
//!
//! Format: PKWARE's APPNOTE 6.3, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to
//! 4.3.16 (end records) and 4.5.3 (the 64-bit extra field).

use std::collections::BTreeMap;
use std::ops::Range;

use super::source::Source;
use crate::error::{Code, Error, Result};

/// The most bytes of the directory: that of a model with 100,000 storages.
const MOST_DIRECTORY_BYTES: u64 = 1 << 26;
/// The most bytes of the end record, with the longest comment.
const LONGEST_END: u64 = 65_557;
/// The value of a 32-bit field whose number is in the 64-bit extra field.
const WIDE: u64 = 0xFFFF_FFFF;

/// Whether a file starts with the magic bytes of a zip archive.
pub(super) fn is_one(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// The entries of an archive.
pub(super) struct Archive {
    /// The place of each entry's local header, and the entry's size.
    entries: BTreeMap<String, (u64, u64)>,
}

impl Archive {
    /// Reads the directory of an archive.
    pub fn open(source: &dyn Source) -> Result<Self> {
        let start = source.n_bytes().saturating_sub(LONGEST_END);
        let end = source.read(start..source.n_bytes())?;
        let mut at = end.len().checked_sub(22).ok_or_else(|| broken(source, "too few bytes"))?;
        while !end[at..].starts_with(b"PK\x05\x06") {
            at = at.checked_sub(1).ok_or_else(|| broken(source, "one without its directory"))?;
        }
        let record = Record(&end[at..]);
        let mut count = record.number::<2>(10);
        let mut place = record.number::<4>(16);
        let mut size = record.number::<4>(12);
        if let Some(locator) = at.checked_sub(20).map(|at| Record(&end[at..]))
            && locator.0.starts_with(b"PK\x06\x07")
        {
            let wide = range(source, locator.number::<8>(8), 56)?;
            let wide = source.read(wide)?;
            let wide = Record(&wide);
            (count, size, place) =
                (wide.number::<8>(32), wide.number::<8>(40), wide.number::<8>(48));
        }
        if size > MOST_DIRECTORY_BYTES {
            return Err(broken(source, &format!("a directory of {size} bytes")));
        }
        let directory = source.read(range(source, place, size)?)?;
        let mut entries = BTreeMap::new();
        let mut rest = directory.as_slice();
        for _ in 0..count {
            let entry = Entry::read(rest).ok_or_else(|| broken(source, "a broken directory"))?;
            if entry.is_compressed {
                return Err(broken(source, "compressed entries"));
            }
            rest = entry.rest;
            entries.insert(entry.name, (entry.place, entry.size));
        }
        Ok(Self { entries })
    }

    /// The entry whose name ends with `end`, and the part of its name before.
    pub fn ending_in<'a>(&'a self, end: &str) -> Option<(&'a str, &'a str)> {
        self.entries.keys().find_map(|name| {
            let before = name.strip_suffix(end)?;
            (before.is_empty() || before.ends_with('/')).then_some((name.as_str(), before))
        })
    }

    /// The range of an entry's bytes in the file; `None` if there is no such entry.
    pub fn bytes_of(&self, source: &dyn Source, name: &str) -> Result<Option<Range<u64>>> {
        let Some(&(place, size)) = self.entries.get(name) else { return Ok(None) };
        let local = source.read(range(source, place, 30)?)?;
        let local = Record(&local);
        let data = place + 30 + local.number::<2>(26) + local.number::<2>(28);
        range(source, data, size).map(Some)
    }
}

/// A range, checked to be within the file.
fn range(source: &dyn Source, start: u64, size: u64) -> Result<Range<u64>> {
    match start.checked_add(size) {
        Some(end) if end <= source.n_bytes() => Ok(start..end),
        _ => Err(broken(source, "one that is cut off")),
    }
}

fn broken(source: &dyn Source, got: &str) -> Error {
    let expected = "a whole zip file of stored entries; download it again";
    Error::new(Code::CheckpointBadZip, source.name(), expected, got)
}

/// A record of little-endian numbers; beyond its end they are 0.
struct Record<'a>(&'a [u8]);

impl Record<'_> {
    fn number<const N: usize>(&self, at: usize) -> u64 {
        let bytes = self.0.get(at..at.saturating_add(N)).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

/// An entry of the directory.
struct Entry<'a> {
    name: String,
    place: u64,
    size: u64,
    is_compressed: bool,
    rest: &'a [u8],
}

impl<'a> Entry<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let record = Record(bytes);
        if bytes.len() < 46 || !bytes.starts_with(b"PK\x01\x02") {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|at| record.number::<2>(at) as usize);
        let extras = bytes.get(46 + name..46 + name + extra)?;
        let mut size = record.number::<4>(24);
        let mut place = record.number::<4>(42);
        let packed = record.number::<4>(20);
        // Numbers that need 64 bits are in an extra field, in this order.
        let mut wide = wide_numbers(extras);
        for number in [&mut size, &mut packed.clone(), &mut place] {
            if *number == WIDE {
                *number = wide.next()?;
            }
        }
        Some(Self {
            name: String::from_utf8_lossy(&bytes[46..46 + name]).into_owned(),
            place,
            size,
            is_compressed: record.number::<2>(10) != 0,
            rest: bytes.get(46 + name + extra + comment..)?,
        })
    }
}

/// The numbers of the 64-bit extra field.
fn wide_numbers(mut extras: &[u8]) -> impl Iterator<Item = u64> {
    let mut field: &[u8] = &[];
    while extras.len() >= 4 {
        let record = Record(extras);
        let size = record.number::<2>(2) as usize;
        let Some((own, rest)) = extras[4..].split_at_checked(size) else { break };
        if record.number::<2>(0) == 1 {
            field = own;
        }
        extras = rest;
    }
    field.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes))
}
