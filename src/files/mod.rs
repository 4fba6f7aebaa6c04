//! Files of weights: safetensors, GGUF and the format of `torch.save`, each as tensors under the
//! names of a Hugging Face folder, whose rows are read on demand.
//!
//! A file is a [`Source`]: a name, a length and a way to read a range. Only its header stays in
//! memory. Formats are recognised by their first bytes, never by the file's name.

mod gguf;
mod pickle;
mod pytorch;
mod recognition;
mod safetensors;
mod safetensors_writer;
mod source;
mod tensors;
mod zip;

use crate::error::Result;
use crate::warning::FieldWarning;

pub use gguf::{List, Metadata, Value};
pub use recognition::quantized;
pub use safetensors_writer::to_safetensors;
pub use source::{Bytes, Source};
pub use tensors::{Arrangement, StoredTensor, WeightFile};

/// The opened files of one model.
pub struct Files<'data> {
    /// The files, in the order of the call.
    pub weights: Vec<WeightFile<'data>>,
    /// The config and metadata of a file that is a whole model (GGUF).
    pub whole: Option<WholeModel>,
}

/// The contents of a GGUF file besides its tensors.
pub struct WholeModel {
    /// The text of config.json, derived from the metadata.
    pub config: String,
    /// The metadata.
    pub metadata: Metadata,
    /// Warnings of the keys that no code reads.
    pub unread: Vec<FieldWarning>,
}

/// Opens the files of a model: reads and checks their headers.
///
/// # Errors
/// `checkpoint/…`, by the fault of a file or by what the file holds in place of weights; `config/…`
/// for a GGUF file that sets something that is not computed here.
pub fn open<'data>(sources: Vec<Box<dyn Source + 'data>>) -> Result<Files<'data>> {
    if let Some(first) = sources.first()
        && gguf::is_one(first.as_ref())?
    {
        return gguf::open(sources);
    }
    let weights = sources.into_iter().map(open_one).collect::<Result<Vec<_>>>()?;
    recognition::refuse_other_kinds(&weights)?;
    Ok(Files { weights, whole: None })
}

/// Opens a file that is not GGUF.
fn open_one<'data>(source: Box<dyn Source + 'data>) -> Result<WeightFile<'data>> {
    let start = source.read(0..source.n_bytes().min(recognition::START))?;
    if zip::is_one(&start) {
        return pytorch::open_archive(source);
    }
    if pytorch::is_legacy(&start) {
        return pytorch::open_legacy(source);
    }
    recognition::refuse_other_files(source.name(), &start)?;
    safetensors::open(source)
}
