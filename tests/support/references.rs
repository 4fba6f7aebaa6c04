//! The models that the tests compare with, out of the binary: wasm has no files.

use super::session::Session;
use headscope::backend::Backend;
use safetensors::SafeTensors;
use serde_json::Value;

/// A Hugging Face folder with what it computes, all in memory.
pub struct Reference {
    /// For messages.
    pub name: &'static str,
    /// `config.json`.
    pub config: &'static str,
    /// `model.safetensors`.
    pub checkpoint: &'static [u8],
    /// The topic's JSON file: the cases of each model by its name.
    pub cases: &'static str,
    /// What Hugging Face or PyTorch computes for them.
    pub answers: &'static [u8],
    /// What stands before the names of this model's tensors, in a file of several models.
    pub prefix: &'static str,
}

/// The path of a file of this project.
#[macro_export]
macro_rules! file {
    ($($part:expr),+) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/", $($part),+)
    };
}

/// The answers of all tiny models.
pub static MODELS: &[u8] = include_bytes!(file!("tests/reference/models.safetensors"));

/// Each family with its config and cases, and the weights and answers of all.
pub const FAMILIES: &str = include_str!(file!("tests/reference/families.json"));
pub static NUMBERS: &[u8] = include_bytes!(file!("tests/reference/families.safetensors"));

/// Each setting with its config, the shapes of its tensors and its case, and the answers of all.
pub const SETTINGS: &str = include_str!(file!("tests/reference/settings.json"));
pub static SETTINGS_ANSWERS: &[u8] = include_bytes!(file!("tests/reference/settings.safetensors"));

/// The `model.safetensors` of a family.
pub fn checkpoint(numbers: &SafeTensors<'_>, name: &str) -> Vec<u8> {
    let prefix = format!("{name}/weights/");
    let all = numbers.tensors().into_iter();
    let own = all.filter_map(|(name, view)| Some((name.strip_prefix(&prefix)?.to_owned(), view)));
    safetensors::serialize(own.collect::<Vec<_>>(), None).expect("tensors can be saved")
}

/// A [`Reference`]: a model's folder, its topic's JSON file, and its answers.
#[macro_export]
macro_rules! reference_at {
    ($name:literal, $folder:literal, $cases:literal, $answers:expr, $prefix:expr) => {
        $crate::support::Reference {
            name: $name,
            config: include_str!($crate::file!($folder, $name, "/config.json")),
            checkpoint: include_bytes!($crate::file!($folder, $name, "/model.safetensors")),
            cases: include_str!($crate::file!("tests/reference/", $cases, ".json")),
            answers: $answers,
            prefix: $prefix,
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
            "models",
            $crate::support::MODELS,
            concat!($name, "/")
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
            "trained",
            include_bytes!($crate::file!("tests/reference/trained/", $name, ".safetensors")),
            ""
        )
    };
}

/// A topic, and the references of tiny models under its edits.
macro_rules! edited {
    ($topic:literal, $($name:literal),+) => {{
        static ANSWERS: &[u8] = include_bytes!(file!("tests/reference/", $topic, ".safetensors"));
        let references = vec![$($crate::reference_at!(
            $name,
            "tests/reference/models/",
            $topic,
            ANSWERS,
            concat!($name, "/")
        )),+];
        ($topic, references)
    }};
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

/// Tiny models under the edits of each topic: masks, frozen heads and rejoined blocks, variants of
/// attention, schemes of positions.
pub fn edited() -> [(&'static str, Vec<Reference>); 4] {
    [
        edited!("masks", "marian-tiny", "bert-tiny", "gpt2-tiny"),
        edited!("heads", "marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny"),
        edited!("variants", "marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny"),
        edited!("placed", "marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny"),
    ]
}

impl Reference {
    /// The model on a backend.
    pub fn load<B: Backend>(&self, backend: B) -> Session<B> {
        Session::load(backend, self.config, self.checkpoint)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What the topic's file has of this model.
    pub fn described(&self) -> Value {
        let topic: Value = serde_json::from_str(self.cases).expect("a topic is JSON");
        topic[self.name].clone()
    }

    /// The cases of a tiny model.
    pub fn cases(&self) -> Vec<Value> {
        self.described().as_array().expect("cases are a list").clone()
    }
}
