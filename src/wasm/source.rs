//! The files of a model as JavaScript provides them: a `Blob`, which a worker reads synchronously,
//! or ranges that the host reads, such as those of a file on disk in Node.
//!
//! A file that the page has stored is a `Blob` too. A `FileSystemSyncAccessHandle` would lock the
//! file for every other tab, and for the thread that replaces a crashed one.

use std::ops::Range;

use js_sys::{ArrayBuffer, Error as JsError, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReaderSync};

use crate::error::{Code, Error, Result};
use crate::files::Source;

#[wasm_bindgen]
extern "C" {
    /// A file of weights: `blob`, or `size` and `read`.
    pub type WeightFile;
    #[wasm_bindgen(method, getter)]
    fn name(this: &WeightFile) -> String;
    #[wasm_bindgen(method, getter)]
    fn blob(this: &WeightFile) -> Option<Blob>;
    #[wasm_bindgen(method, getter)]
    fn size(this: &WeightFile) -> f64;
    #[wasm_bindgen(method, catch)]
    fn read(this: &WeightFile, start: f64, end: f64) -> std::result::Result<Uint8Array, JsError>;
}

impl WeightFile {
    /// The file as a source for the core.
    ///
    /// # Errors
    /// `load/not-found` if this thread cannot read a `Blob` synchronously.
    pub fn into_source(self) -> Result<Box<dyn Source>> {
        let name = self.name();
        let Some(blob) = self.blob() else {
            return Ok(Box::new(HostFile { name, n_bytes: whole(self.size()), file: self }));
        };
        let reader = FileReaderSync::new().map_err(|error| unreadable(&name, &error))?;
        Ok(Box::new(BlobFile { name, blob, reader }))
    }
}

/// A file of the browser, chosen by the user or stored by the page.
struct BlobFile {
    name: String,
    blob: Blob,
    reader: FileReaderSync,
}

impl Source for BlobFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn n_bytes(&self) -> u64 {
        whole(self.blob.size())
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let count = range.end - range.start;
        let [start, end] = [range.start as f64, range.end as f64];
        let part = self.blob.slice_with_f64_and_f64(start, end);
        let read = part.and_then(|part| self.reader.read_as_array_buffer(&part));
        let buffer: ArrayBuffer = read.map_err(|error| unreadable(&self.name, &error))?;
        checked(&self.name, Uint8Array::new(&buffer).to_vec(), count)
    }
}

/// A file whose ranges the host reads.
struct HostFile {
    name: String,
    n_bytes: u64,
    file: WeightFile,
}

impl Source for HostFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let count = range.end - range.start;
        let read = self.file.read(range.start as f64, range.end as f64);
        let bytes = read.map_err(|error| unreadable(&self.name, &error))?;
        checked(&self.name, bytes.to_vec(), count)
    }
}

/// A length from its JavaScript number.
#[expect(clippy::cast_sign_loss, reason = "lengths have none")]
fn whole(size: f64) -> u64 {
    size as u64
}

/// The bytes of a range, unless the file has become shorter.
fn checked(name: &str, bytes: Vec<u8>, count: u64) -> Result<Vec<u8>> {
    if bytes.len() as u64 == count {
        return Ok(bytes);
    }
    Err(refused(name, "one that has changed".to_owned()))
}

fn unreadable(name: &str, error: &JsValue) -> Error {
    let message = error.dyn_ref::<JsError>().map(|error| String::from(error.message()));
    refused(name, message.unwrap_or_else(|| format!("{error:?}")))
}

fn refused(name: &str, got: String) -> Error {
    let expected = "a file that can be read: choose it again";
    Error::new(Code::LoadNotFound, format!("reading {name}"), expected, got)
}
