//! GGUF: a model in one file or in several parts: config, tokenizer and weights.
//!
//! Names and layouts of the weights become those of the model's Hugging Face folder. A key that
//! sets something that is not computed, and a tensor that the architecture does not have, are
//! refused by name.

mod architectures;
mod config;
mod header;

use std::collections::BTreeMap;

use super::source::{Source, truncated};
use super::tensors::{Arrangement, StoredTensor, WeightFile};
use super::{Files, WholeModel};
use crate::error::{Code, Error, Result};
use crate::kernels::stored::Format;

use architectures::{ARCHITECTURES, Architecture, Change};
use config::Sources;
use header::{Entry, Header, bad};
pub use header::{List, Metadata, Value};

/// The most factors of frequencies: one for each pair of a head's dimensions.
const MOST_FACTORS: u64 = 1 << 16;
/// The tensors of factors of the frequencies of rotary positions, which a folder has in its config.
const FACTORS: [&str; 3] =
    ["rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"];
/// The suffix of tensors of old files that hold the frequencies themselves, which follow from the
/// base; llama.cpp does not read them either.
const SPEEDS: &str = ".attn_rot_embd.weight";
/// The tensors behind the hidden states of an encoder: a pooler, a classifier, or the maps of a
/// sentence embedding. They do not affect any number shown.
const BEHIND: [&str; 5] = ["cls", "cls.output", "cls.norm", "dense_2", "dense_3"];

/// Whether a file starts with the magic bytes of GGUF.
pub(super) fn is_one(source: &dyn Source) -> Result<bool> {
    Ok(source.read(0..source.n_bytes().min(4))? == b"GGUF")
}

/// Opens a file, or all parts of a split file in order.
pub(super) fn open<'data>(sources: Vec<Box<dyn Source + 'data>>) -> Result<Files<'data>> {
    let mut headers = Vec::new();
    for source in &sources {
        if !is_one(source.as_ref())? {
            return Err(bad(source.as_ref(), "GGUF in each part of the model", "another format"));
        }
        headers.push(Header::read(source.as_ref())?);
    }
    check_parts(&sources, &headers)?;
    let [first, ..] = headers.as_slice() else {
        return Ok(Files { weights: Vec::new(), whole: None });
    };
    let source = sources[0].as_ref();
    refuse_other_kinds(source, first)?;
    let entries = || headers.iter().flat_map(|header| &header.tensors);
    let mut shapes = config::Shapes::new();
    for entry in entries() {
        shapes.insert(&*entry.name, &*entry.shape);
    }
    let name = first.metadata.text("general.architecture").unwrap_or("nothing");
    let known = Architecture::of(name, shapes.contains_key("token_types.weight"));
    let architecture = known.ok_or_else(|| unsupported(source, name))?;
    let mut factors = BTreeMap::new();
    for (source, header) in sources.iter().zip(&headers) {
        for entry in header.tensors.iter().filter(|entry| FACTORS.contains(&&*entry.name)) {
            factors.insert(entry.name.clone(), read_factors(source.as_ref(), entry)?);
        }
    }
    let metadata = &first.metadata;
    let about = Sources { source, architecture, metadata, shapes, factors };
    let (config, unread) = about.config()?;
    let mut stored = Vec::new();
    for (source, header) in sources.iter().zip(&headers) {
        stored.push(tensors(source.as_ref(), architecture, metadata, &header.tensors)?);
    }
    // A vocabulary takes megabytes: one copy is kept.
    let metadata = headers.swap_remove(0).metadata;
    let whole = WholeModel { config, metadata, unread };
    let weights = sources.into_iter().zip(stored);
    let weights = weights.map(|(source, tensors)| WeightFile::new(source, tensors)).collect();
    Ok(Files { weights, whole: Some(whole) })
}

/// Refuses a part that is opened alone, or parts that are not those of one file in order.
fn check_parts(sources: &[Box<dyn Source + '_>], headers: &[Header]) -> Result<()> {
    for (at, (source, header)) in sources.iter().zip(headers).enumerate() {
        let metadata = &header.metadata;
        let count = metadata.unsigned("split.count").unwrap_or(1).max(1);
        let own = metadata.unsigned("split.no").unwrap_or(0);
        if count != sources.len() as u64 || own != at as u64 {
            let expected = format!(
                "all {count} parts of the model together; open them at once, or the address of the first"
            );
            let got =
                format!("part {} of {count} as file {} of {}", own + 1, at + 1, sources.len());
            return Err(Error::new(Code::CheckpointSplit, source.name(), expected, got));
        }
        let all = metadata.unsigned("split.tensors.count");
        let found: usize = headers.iter().map(|header| header.tensors.len()).sum();
        if at == 0 && all.is_some_and(|all| all != found as u64) {
            let expected = format!("{} tensors in all parts", all.unwrap_or(0));
            return Err(Error::new(
                Code::CheckpointSplit,
                source.name(),
                expected,
                found.to_string(),
            ));
        }
    }
    Ok(())
}

/// Refuses GGUF files that do not hold a model, by what they hold.
fn refuse_other_kinds(source: &dyn Source, header: &Header) -> Result<()> {
    let kind = header.metadata.text("general.type").unwrap_or("model");
    let architecture = header.metadata.text("general.architecture").unwrap_or_default();
    let got = match kind {
        "adapter" => "an adapter (LoRA) alone, which changes another model",
        "mmproj" => "the projector of images of another model",
        "imatrix" => "an importance matrix, by which models are quantised",
        _ if architecture == "clip" => "the projector of images of another model",
        _ if header.tensors.is_empty() => "a vocabulary alone, without weights",
        _ => return Ok(()),
    };
    let expected = "a model with its weights; open the file of the whole model";
    Err(Error::new(Code::CheckpointNotWeights, source.name(), expected, got))
}

fn unsupported(source: &dyn Source, name: &str) -> Error {
    let names = ARCHITECTURES.iter().map(|known| known.name).filter(|&name| name != "distilbert");
    let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
    let doing = format!("general.architecture of {}", source.name());
    let got = name.chars().take(40).collect::<String>();
    Error::new(Code::ConfigUnsupportedFamily, doing, expected, got)
}

/// The tensors of a part, by their names in a folder.
fn tensors(
    source: &dyn Source,
    architecture: &Architecture,
    metadata: &Metadata,
    entries: &[Entry],
) -> Result<BTreeMap<String, StoredTensor>> {
    let name = metadata.text("general.architecture").unwrap_or_default();
    let heads = |key: &str| match metadata.get(&format!("{name}.attention.{key}")) {
        Some(Value::Unsigned(heads)) => Some(*heads),
        Some(Value::List(list)) => match list.values().next() {
            Some(Value::Unsigned(heads)) => Some(heads),
            _ => None,
        },
        _ => None,
    };
    let all = heads("head_count");
    let heads = [all, heads("head_count_kv").or(all)].map(|heads| heads.unwrap_or(0));
    let mut stored = BTreeMap::new();
    for entry in entries {
        let (part, suffix) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
        let is_known = ["weight", "bias"].contains(&suffix);
        if FACTORS.contains(&&*entry.name)
            || entry.name.ends_with(SPEEDS)
            || (is_known && BEHIND.contains(&part))
        {
            continue;
        }
        let Some(folder) = architecture.folder_name(part).filter(|_| is_known) else {
            let expected = format!("tensors that are computed in the architecture {name}");
            return Err(Error::new(
                Code::CheckpointUnreadTensor,
                source.name(),
                expected,
                entry.name.as_str(),
            ));
        };
        let folder = own_name(architecture, entries, folder);
        let full = format!("{folder}.{suffix}");
        let tensor = tensor(source, architecture, entry, part, heads)?;
        if stored.insert(full, tensor).is_some() {
            return Err(bad(source, "each tensor once; convert the model again", &entry.name));
        }
    }
    Ok(stored)
}

/// The folder's name of a tensor; T5 names the inner map of a network without a gate `wi`.
fn own_name(architecture: &Architecture, entries: &[Entry], folder: String) -> String {
    let is_up = architecture.name.starts_with("t5") && folder.ends_with("wi_1");
    let is_gated = || entries.iter().any(|entry| entry.name.contains("ffn_gate."));
    if is_up && !is_gated() { folder.replace("wi_1", "wi") } else { folder }
}

fn tensor(
    source: &dyn Source,
    architecture: &Architecture,
    entry: &Entry,
    part: &str,
    [queries, keys]: [u64; 2],
) -> Result<StoredTensor> {
    let Some(format) = Format::of_ggml(entry.kind) else {
        let expected = format!("one of {}", Format::ggml_names());
        let tensor = format!("the tensor {} of {}", entry.name, source.name());
        let got = ggml_name(entry.kind);
        return Err(Error::new(Code::CheckpointWrongDtype, tensor, expected, got));
    };
    let n_bytes = file_bytes(format, &entry.shape).ok_or_else(|| {
        bad(source, "rows of whole blocks, as many as fit in memory", &entry.name)
    })?;
    if entry.start.checked_add(n_bytes).is_none_or(|end| end > source.n_bytes()) {
        return Err(truncated(source.name(), &format!("less than {}", entry.name)));
    }
    let own = part.rsplit_once('.').map_or(part, |(_, own)| own);
    let has = |change| architecture.changes.contains(&change);
    let paired = |heads: u64| Arrangement::PairedRows { heads };
    let arrangement = match own {
        "attn_q" if has(Change::PairedTurns) => paired(queries),
        "attn_k" if has(Change::PairedTurns) => paired(keys),
        "attn_qkv" if has(Change::PartsOfHeads) => Arrangement::PartsOfHeads { heads: queries },
        own if own.ends_with("norm") && has(Change::GainsOverOne) => Arrangement::GainsOverOne,
        _ => Arrangement::Rows,
    };
    let rows = entry.shape.first().copied().unwrap_or(0);
    let unit = match arrangement {
        Arrangement::PairedRows { heads } => heads.saturating_mul(2),
        Arrangement::PartsOfHeads { heads } => heads.saturating_mul(3),
        _ => 1,
    };
    if unit == 0 || rows % unit != 0 {
        let got = format!("{rows} rows of {}", entry.name);
        return Err(bad(source, "rows for each of the heads", &got));
    }
    if arrangement == Arrangement::GainsOverOne && format != Format::F32 {
        return Err(bad(source, "norms in F32", &entry.name));
    }
    Ok(StoredTensor {
        format: Some(format),
        is_double: false,
        type_name: ggml_name(entry.kind),
        shape: entry.shape.clone(),
        start: entry.start,
        n_bytes,
        arrangement,
    })
}

/// The bytes in the file of rows of `format`; `None` if a row is not made of whole blocks.
fn file_bytes(format: Format, shape: &[u64]) -> Option<u64> {
    let numbers = format.block()[0] as u64;
    let bytes = format.file_block() as u64;
    let inner = shape.last().copied().unwrap_or(1);
    if inner % numbers != 0 {
        return None;
    }
    let count = shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size))?;
    (count / numbers).checked_mul(bytes)
}

/// Reads factors of the frequencies of rotary positions.
fn read_factors(source: &dyn Source, entry: &Entry) -> Result<Vec<f32>> {
    let count = entry.shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size));
    let count = count.filter(|&count| count <= MOST_FACTORS);
    let (Some(count), Some(Format::F32)) = (count, Format::of_ggml(entry.kind)) else {
        let expected = format!("at most {MOST_FACTORS} numbers in F32");
        return Err(bad(source, &expected, &entry.name));
    };
    let end = entry.start.checked_add(4 * count).filter(|&end| end <= source.n_bytes());
    let end = end.ok_or_else(|| truncated(source.name(), &format!("less than {}", entry.name)))?;
    let bytes = source.read(entry.start..end)?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

/// ggml's name of a type, for error messages.
fn ggml_name(kind: u32) -> String {
    let names = [
        (9, "Q8_1"),
        (15, "Q8_K"),
        (16, "IQ2_XXS"),
        (17, "IQ2_XS"),
        (18, "IQ3_XXS"),
        (19, "IQ1_S"),
        (21, "IQ3_S"),
        (22, "IQ2_S"),
        (24, "I8"),
        (25, "I16"),
        (26, "I32"),
        (27, "I64"),
        (28, "F64"),
        (29, "IQ1_M"),
        (34, "TQ1_0"),
        (35, "TQ2_0"),
        (40, "NVFP4"),
        (41, "Q1_0"),
    ];
    let known = Format::of_ggml(kind).map(Format::name);
    let other = || names.iter().find(|known| known.0 == kind).map(|known| known.1);
    known.or_else(other).map_or_else(|| format!("ggml's type {kind}"), str::to_owned)
}
