//! The models that the tests compare with, out of the binary: wasm has no files.

use super::session::Session;
use headscope::backend::Backend;
use serde_json::Value;

/// A Hugging Face folder with what it computes, all in memory.
pub struct Reference {
    /// For messages.
    pub name: &'static str,
    /// `config.json`.
    pub config: &'static str,
    /// `model.safetensors`.
    pub checkpoint: &'static [u8],
    /// `cases.json`.
    pub cases: &'static str,
    /// `cases.safetensors`.
    pub answers: &'static [u8],
}

/// The path of a file of this project.
#[macro_export]
macro_rules! file {
    ($($part:expr),+) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/", $($part),+)
    };
}

/// A [`Reference`]: a model's folder, and where its cases and answers stand.
#[macro_export]
macro_rules! reference_at {
    ($name:literal, $folder:literal, $cases:expr, $answers:expr) => {
        $crate::support::Reference {
            name: $name,
            config: include_str!($crate::file!($folder, $name, "/config.json")),
            checkpoint: include_bytes!($crate::file!($folder, $name, "/model.safetensors")),
            cases: include_str!($cases),
            answers: include_bytes!($answers),
        }
    };
}

/// A [`Reference`] of the tiny models.
#[macro_export]
macro_rules! reference {
    ($name:literal) => {
        $crate::reference_at!(
            $name,
            "tests/reference/models/",
            $crate::file!("tests/reference/models/", $name, "/cases.json"),
            $crate::file!("tests/reference/models/", $name, "/cases.safetensors")
        )
    };
}

/// A [`Reference`] of the tiny models under edits, whose cases and answers are in a folder of
/// `tests/reference`.
macro_rules! edited_reference {
    ($name:literal, $kind:literal) => {
        $crate::reference_at!(
            $name,
            "tests/reference/models/",
            $crate::file!("tests/reference/", $kind, "/", $name, ".json"),
            $crate::file!("tests/reference/", $kind, "/", $name, ".safetensors")
        )
    };
}

/// A [`Reference`] of the bundled models, on text that they never saw.
#[macro_export]
macro_rules! bundled {
    ($name:literal) => {
        $crate::reference_at!(
            $name,
            "models/",
            $crate::file!("tests/reference/trained/", $name, ".json"),
            $crate::file!("tests/reference/trained/", $name, ".safetensors")
        )
    };
}

/// One model of each family.
pub fn families() -> [Reference; 4] {
    [
        reference!("marian-tiny"),
        reference!("bert-tiny"),
        reference!("gpt2-tiny"),
        reference!("llama-tiny"),
    ]
}

/// All tiny models.
pub fn tiny_models() -> Vec<Reference> {
    vec![
        reference!("marian-tiny"),
        reference!("marian-untied"),
        reference!("marian-bare"),
        reference!("bert-tiny"),
        reference!("bert-untied"),
        reference!("bert-plain"),
        reference!("gpt2-tiny"),
        reference!("gpt2-f16"),
        reference!("gpt2-bf16"),
        reference!("llama-tiny"),
        reference!("llama-untied"),
    ]
}

/// Tiny models of each family under frozen heads and rejoined blocks.
pub fn heads_and_blocks() -> Vec<Reference> {
    vec![
        edited_reference!("marian-tiny", "heads"),
        edited_reference!("bert-tiny", "heads"),
        edited_reference!("gpt2-tiny", "heads"),
        edited_reference!("llama-tiny", "heads"),
    ]
}

/// Tiny models of each family under other kinds of attention.
pub fn kinds() -> Vec<Reference> {
    vec![
        edited_reference!("marian-tiny", "kinds"),
        edited_reference!("bert-tiny", "kinds"),
        edited_reference!("gpt2-tiny", "kinds"),
        edited_reference!("llama-tiny", "kinds"),
    ]
}

/// Tiny models under other schemes of positions.
pub fn placed() -> Vec<Reference> {
    vec![
        edited_reference!("marian-tiny", "placed"),
        edited_reference!("bert-tiny", "placed"),
        edited_reference!("gpt2-tiny", "placed"),
        edited_reference!("llama-tiny", "placed"),
    ]
}

/// Tiny models under other masks.
pub fn masks() -> Vec<Reference> {
    vec![
        edited_reference!("marian-tiny", "masks"),
        edited_reference!("bert-tiny", "masks"),
        edited_reference!("gpt2-tiny", "masks"),
    ]
}

impl Reference {
    /// The model on a backend.
    pub fn load<B: Backend>(&self, backend: B) -> Session<B> {
        Session::load(backend, self.config, self.checkpoint)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The cases of a tiny model.
    pub fn cases(&self) -> Vec<Value> {
        serde_json::from_str(self.cases).expect("cases.json is a list")
    }

    /// What the bundled models were given, by member.
    pub fn described(&self) -> Value {
        serde_json::from_str(self.cases).expect("the inputs are JSON")
    }
}
