//! The models that the tests compare with, out of the binary: wasm has no files.

use headscope::backend::Backend;
use headscope::session::Session;
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

/// A [`Reference`] of the tiny models.
#[macro_export]
macro_rules! reference {
    ($name:literal) => {
        $crate::support::Reference {
            name: $name,
            config: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/models/",
                $name,
                "/config.json"
            )),
            checkpoint: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/models/",
                $name,
                "/model.safetensors"
            )),
            cases: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/models/",
                $name,
                "/cases.json"
            )),
            answers: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/models/",
                $name,
                "/cases.safetensors"
            )),
        }
    };
}

/// A [`Reference`] of the tiny models under frozen heads and rejoined blocks.
#[macro_export]
macro_rules! heads_reference {
    ($name:literal) => {
        $crate::support::Reference {
            cases: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/heads/",
                $name,
                ".json"
            )),
            answers: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/heads/",
                $name,
                ".safetensors"
            )),
            ..$crate::reference!($name)
        }
    };
}

/// A [`Reference`] of the tiny models under other kinds of attention.
#[macro_export]
macro_rules! kinds_reference {
    ($name:literal) => {
        $crate::support::Reference {
            cases: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/kinds/",
                $name,
                ".json"
            )),
            answers: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/kinds/",
                $name,
                ".safetensors"
            )),
            ..$crate::reference!($name)
        }
    };
}

/// A [`Reference`] of the bundled models, on text that they never saw.
#[macro_export]
macro_rules! bundled {
    ($name:literal) => {
        $crate::support::Reference {
            name: $name,
            config: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/models/",
                $name,
                "/config.json"
            )),
            checkpoint: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/models/",
                $name,
                "/model.safetensors"
            )),
            cases: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/trained/",
                $name,
                ".json"
            )),
            answers: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/trained/",
                $name,
                ".safetensors"
            )),
        }
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
        reference!("bert-tiny"),
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
        heads_reference!("marian-tiny"),
        heads_reference!("bert-tiny"),
        heads_reference!("gpt2-tiny"),
        heads_reference!("llama-tiny"),
    ]
}

/// Tiny models of each family under other kinds of attention.
pub fn kinds() -> Vec<Reference> {
    vec![
        kinds_reference!("marian-tiny"),
        kinds_reference!("bert-tiny"),
        kinds_reference!("gpt2-tiny"),
        kinds_reference!("llama-tiny"),
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
