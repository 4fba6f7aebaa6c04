//! What a model's files hold and no number shown depends on: one list of fields, which the model
//! card shows and `ModelInfo::warnings` gives.
//!
//! Every reader of a file adds its own, that of a tokenizer's files in `www/engine/tokenizer`: a
//! key that it does not know, and a key whose value changes what Hugging Face would write. A key
//! that the reader uses, or of which the code says why it changes nothing, is no entry. A value
//! with which Hugging Face would compute other numbers or other ids is never an entry: it is
//! computed, or refused.

use serde::Serialize;

use crate::error::shortened;

/// A field of a model's file with a value that has no effect here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldWarning {
    /// The file's name, such as `config.json`, `tokenizer_config.json` or `model.gguf`.
    pub file: String,
    /// The field's name, after those of the objects that hold it: `rope_scaling.type`.
    pub field: String,
    /// Its value as JSON, of a long one the beginning.
    pub value: String,
    /// What Hugging Face does with it.
    pub effect: FieldEffect,
}

/// What Hugging Face does with a field that has no effect here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FieldEffect {
    /// Nothing: no number and no token depends on the field, or no code of either reads it.
    None,
    /// `model.generate` may write another text; what the model computes for a text is the same.
    Generation,
}

impl FieldWarning {
    /// A field that changes nothing; `value` is JSON.
    pub fn without_effect(file: &str, field: &str, value: String) -> Self {
        Self::new(file, field, value, FieldEffect::None)
    }

    /// A field with which Hugging Face may write another text; `value` is JSON.
    pub fn of_generation(file: &str, field: &str, value: String) -> Self {
        Self::new(file, field, value, FieldEffect::Generation)
    }

    fn new(file: &str, field: &str, value: String, effect: FieldEffect) -> Self {
        let file = file.to_owned();
        let field = field.to_owned();
        Self { file, field, value: shortened(value), effect }
    }
}
