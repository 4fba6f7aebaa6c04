//! Sources of a file's bytes: memory, a file of the browser, or ranges that the host reads.

use std::ops::Range;

use crate::error::{Code, Error, Result};

/// A file whose ranges are read on demand.
pub trait Source {
    /// The file's name, for messages.
    fn name(&self) -> &str;

    /// The file's length in bytes; it may exceed the address space.
    fn n_bytes(&self) -> u64;

    /// The bytes of a range within the file.
    ///
    /// # Errors
    /// `load/not-found` if the file can no longer be read.
    fn read(&self, range: Range<u64>) -> Result<Vec<u8>>;
}

/// A file in memory.
pub struct Bytes<'data> {
    name: &'data str,
    bytes: &'data [u8],
}

impl<'data> Bytes<'data> {
    /// A file with this name and these bytes.
    pub fn new(name: &'data str, bytes: &'data [u8]) -> Self {
        Self { name, bytes }
    }
}

impl Source for Bytes<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read(&self, Range { start, end }: Range<u64>) -> Result<Vec<u8>> {
        let found = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let found = found.and_then(|(start, end)| self.bytes.get(start..end));
        found.map(<[u8]>::to_vec).ok_or_else(|| {
            let expected = format!("a range of its {} bytes", self.bytes.len());
            Error::new(Code::LoadNotFound, self.name, expected, format!("{start} to {end}"))
        })
    }
}

/// The bytes read at once while a header is parsed.
const PIECE: u64 = 1 << 20;

/// A reader of a header from front to back, which keeps the bytes read.
pub(super) struct Cursor<'a> {
    source: &'a dyn Source,
    /// The first bytes of the file, as far as they were read.
    pub bytes: Vec<u8>,
    /// The place of the next read.
    pub at: usize,
    /// The most bytes of a header.
    most: u64,
}

impl<'a> Cursor<'a> {
    /// Starts at the file's first byte, for a header of at most `most` bytes.
    pub fn new(source: &'a dyn Source, most: u64) -> Self {
        Self { source, bytes: Vec::new(), at: 0, most }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// `checkpoint/truncated` beyond the end of the file; `checkpoint/header-too-large` beyond the
    /// longest header.
    pub fn take(&mut self, count: u64) -> Result<&[u8]> {
        let start = self.at;
        let end = (start as u64).saturating_add(count);
        let n_bytes = self.source.n_bytes();
        if end > n_bytes {
            return Err(truncated(self.source.name(), "less than its header"));
        }
        if end > self.most {
            return Err(Error::new(
                Code::CheckpointHeaderTooLarge,
                self.source.name(),
                format!("a header of at most {} MB", self.most >> 20),
                "a longer one",
            ));
        }
        let known = self.bytes.len() as u64;
        if end > known {
            let next = end.max(known + PIECE).min(n_bytes);
            self.bytes.extend(self.source.read(known..next)?);
        }
        self.at = end as usize;
        Ok(self.bytes.get(start..end as usize).unwrap_or_default())
    }

    /// The next `N` bytes as an array.
    ///
    /// # Errors
    /// The errors of `take`.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let name = self.source.name();
        let found = self.take(N as u64)?.first_chunk().copied();
        found.ok_or_else(|| truncated(name, "less than its header"))
    }
}

/// The error for a file that ends too early.
pub(super) fn truncated(name: &str, got: &str) -> Error {
    let expected = "a complete file; download it again";
    Error::new(Code::CheckpointTruncated, name, expected, got)
}
