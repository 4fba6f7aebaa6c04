//! Warnings of a model's files: the fields that affect no number shown, a list that the model card
//! shows and `ModelInfo::warnings` returns.
//!
//! Every reader of a file adds the warnings of its file, for tokenizer files in
//! `www/engine/tokenizer`: a key that the reader does not know, and a key whose value changes what
//! Hugging Face would write. A key that the reader uses, or of which the code says why it changes
//! nothing, is not listed. A value with which Hugging Face would compute other numbers or other ids
//! is never listed: it is computed, or refused.

use serde::Serialize;

use crate::error::shortened;

/// A field of a model's file with a value that has no effect here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldWarning {
    /// The file's name, such as `config.json`, `tokenizer_config.json` or `model.gguf`.
    pub file: String,
    /// The field's name, after the names of the objects that hold it: `rope_scaling.type`.
    pub field: String,
    /// The field's value as JSON, shortened if long.
    pub value: String,
    /// The field's effect in Hugging Face.
    pub effect: FieldEffect,
}

/// The effect in Hugging Face of a field that has none here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FieldEffect {
    /// No effect: no number and no token depends on the field, or neither library reads it.
    None,
    /// `model.generate` may write another text; what the model computes for a text is the same.
    Generation,
}

impl FieldWarning {
    /// A warning of a field that changes nothing; `value` is JSON.
    pub fn without_effect(file: &str, field: &str, value: String) -> Self {
        Self::new(file, field, value, FieldEffect::None)
    }

    /// A warning of a field with which Hugging Face may write another text; `value` is JSON.
    pub fn of_generation(file: &str, field: &str, value: String) -> Self {
        Self::new(file, field, value, FieldEffect::Generation)
    }

    fn new(file: &str, field: &str, value: String, effect: FieldEffect) -> Self {
        let file = file.to_owned();
        let field = field.to_owned();
        Self { file, field, value: shortened(value), effect }
    }
}
