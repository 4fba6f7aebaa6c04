//! Reading a config field by field, so that a wrong one is named, and the settings of a family,
//! which have the names of the fields and Hugging Face's defaults.

use std::cell::RefCell;
use std::slice;

use serde_json::{Map, Value};

use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::warning::FieldWarning;

/// The fields of a file such as `config.json`, the warnings about those that were read, and the
/// name of the file.
pub struct Fields(Map<String, Value>, RefCell<Vec<FieldWarning>>, String);

impl Fields {
    /// Parses the text of a file of this name.
    ///
    /// # Errors
    /// `config/not-json`.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let fields = serde_json::from_str(text).map_err(|error| {
            Error::new(Code::ConfigNotJson, file, "a JSON object", error.to_string())
        })?;
        Ok(Self(fields, RefCell::default(), file.to_owned()))
    }

    /// All of them.
    pub fn all(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A size that must be there.
    pub fn size(&self, field: &str) -> Result<usize> {
        let missing = || {
            Error::new(Code::ConfigMissingField, field, "a whole number in config.json", "nothing")
        };
        let value = self.get(field).ok_or_else(missing)?;
        whole(field, value)
    }

    /// A height and a width, or one size for both, at least 1 each.
    pub fn sides_or(&self, field: &str, default: usize) -> Result<[usize; 2]> {
        let Some(value) = self.get(field) else { return Ok([default; 2]) };
        let sides = match value.as_array().map(Vec::as_slice) {
            Some([height, width]) => [whole(field, height)?, whole(field, width)?],
            _ => [whole(field, value)?; 2],
        };
        if sides.contains(&0) { Err(bad(field, "at least 1", value)) } else { Ok(sides) }
    }

    /// The names of the fields, in the order of the alphabet.
    pub fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The fields beside these, with their values.
    pub fn beside(&self, known: &[&str]) -> Vec<(&str, &Value)> {
        let all = self.0.iter().map(|(field, value)| (field.as_str(), value));
        all.filter(|(field, value)| !known.contains(field) && !value.is_null()).collect()
    }

    /// How many fields there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// A size with Hugging Face's default.
    pub fn size_or(&self, field: &str, default: usize) -> Result<usize> {
        self.get(field).map_or(Ok(default), |value| whole(field, value))
    }

    /// A token id for generation, if the vocabulary has it; otherwise a warning.
    pub fn token(&self, field: &str, n_vocabulary: usize) -> Option<u32> {
        let value = self.get(field)?;
        // Some files list several end tokens; the first is the usual one.
        let ids = value.as_array().map_or(slice::from_ref(value), Vec::as_slice);
        let found = ids.iter().find_map(|id| token(id, n_vocabulary));
        if found.is_none() {
            self.warn(field, value);
        }
        found
    }

    /// A number with Hugging Face's default.
    pub fn number_or(&self, field: &str, default: f64) -> Result<f64> {
        Ok(self.read(field, "a number", Value::as_f64)?.unwrap_or(default))
    }

    /// Yes or no, with Hugging Face's default.
    pub fn flag_or(&self, field: &str, default: bool) -> Result<bool> {
        Ok(self.read(field, "true or false", Value::as_bool)?.unwrap_or(default))
    }

    /// A text, or none.
    pub fn text(&self, field: &str) -> Result<Option<&str>> {
        self.read(field, "a text", Value::as_str)
    }

    /// The class that Hugging Face reads the folder by, if it is named.
    pub fn architecture(&self) -> Result<Option<&str>> {
        let all = self.read("architectures", "a list of texts", Value::as_array)?;
        Ok(all.and_then(|all| all.first()).and_then(Value::as_str))
    }

    /// An object of fields, or none.
    pub fn object(&self, field: &str) -> Result<Option<Self>> {
        let object = self.read(field, "an object", Value::as_object)?;
        Ok(object.map(|object| Self(object.clone(), RefCell::default(), self.2.clone())))
    }

    /// An activation by Hugging Face's names.
    pub fn activation_or(&self, field: &str, default: Activation) -> Result<Activation> {
        self.text(field)?.map_or(Ok(default), |name| Self::activation_named(field, name))
    }

    /// The activation of this name, which the field has.
    pub fn activation_named(field: &str, name: &str) -> Result<Activation> {
        Activation::of_name(name).ok_or_else(|| {
            let expected =
                "an activation of Hugging Face without weights, such as relu, gelu or silu";
            Error::new(Code::ConfigBadField, field, expected, name)
        })
    }

    /// Numbers, or none.
    pub fn numbers(&self, field: &str) -> Result<Option<Vec<f64>>> {
        self.read(field, "a list of numbers", |value| {
            value.as_array()?.iter().map(Value::as_f64).collect()
        })
    }

    /// Whether each text of a list is this one; none without the list.
    pub fn each_is(&self, field: &str, text: &str) -> Result<Option<Vec<bool>>> {
        let all = self.read(field, "a list of texts", Value::as_array)?;
        Ok(all.map(|all| all.iter().map(|one| one.as_str() == Some(text)).collect()))
    }

    /// Whether a text, or a text of a list, has this word in it.
    pub fn mentions(&self, field: &str, word: &str) -> bool {
        let text = self.get(field).map(Value::to_string).unwrap_or_default();
        text.as_bytes().windows(word.len()).any(|part| part == word.as_bytes())
    }

    /// Refuses a field that has another value than the one that is built in.
    pub fn require(&self, field: &str, expected: &Value) -> Result<()> {
        match self.get(field) {
            Some(value) if value != expected => Err(bad(field, &expected.to_string(), value)),
            _ => Ok(()),
        }
    }

    /// A warning for a field that Hugging Face does not compute with, unless it has this value.
    pub fn expect(&self, field: &str, usual: &Value) {
        if let Some(value) = self.get(field).filter(|&value| value != usual) {
            self.warn(field, value);
        }
    }

    /// Warns that a field has no effect.
    pub fn warn(&self, field: &str, value: &Value) {
        let warning = FieldWarning::without_effect(&self.2, field, value.to_string());
        self.1.borrow_mut().push(warning);
    }

    /// The warnings so far.
    pub fn warnings(&self) -> Vec<FieldWarning> {
        self.1.take()
    }

    /// Whether a field is there and null.
    pub fn is_null(&self, field: &str) -> bool {
        self.0.get(field).is_some_and(Value::is_null)
    }

    /// Whether a field is there and not null.
    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// A value of the kind that `as_kind` reads, or none.
    fn read<'a, T>(
        &'a self,
        field: &str,
        expected: &str,
        as_kind: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>> {
        let read = |value| as_kind(value).ok_or_else(|| bad(field, expected, value));
        self.get(field).map(read).transpose()
    }

    /// A field that is there and not null.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }
}

/// A setting of a family: built in, or read from a field, for which Hugging Face has a default.
#[derive(Clone, Copy)]
pub enum Setting<T> {
    /// The same in every model of the family.
    Fixed(T),
    /// A field of config.json, and its value where it is absent.
    Field(&'static str, T),
}

impl<T: Copy> Setting<T> {
    /// The field, for messages; empty where it is built in.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Fixed(_) => "",
            Self::Field(field, _) => field,
        }
    }

    /// The value that is built in, or what `read` makes of the field and its default.
    fn read_by(self, read: impl FnOnce(&'static str, T) -> Result<T>) -> Result<T> {
        match self {
            Self::Fixed(value) => Ok(value),
            Self::Field(field, default) => read(field, default),
        }
    }
}

impl Setting<bool> {
    /// Yes or no.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<bool> {
        self.read_by(|field, default| fields.flag_or(field, default))
    }
}

impl Setting<usize> {
    /// A size.
    ///
    /// # Errors
    /// `config/bad-field` or `config/too-large`.
    pub fn read(self, fields: &Fields) -> Result<usize> {
        self.read_by(|field, default| fields.size_or(field, default))
    }
}

impl Setting<f64> {
    /// A number.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<f64> {
        self.read_by(|field, default| fields.number_or(field, default))
    }
}

impl Setting<Option<f64>> {
    /// A number, or none where the field is null or 0.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<Option<f64>> {
        self.read_by(|field, default| {
            if fields.is_null(field) {
                return Ok(None);
            }
            let number = fields.number_or(field, default.unwrap_or(0.0))?;
            Ok((number != 0.0).then_some(number))
        })
    }
}

impl Setting<Activation> {
    /// An activation.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<Activation> {
        self.read_by(|field, default| fields.activation_or(field, default))
    }
}

/// A size. The largest one that is read is the same with addresses of 32 bits and of 64.
fn whole(field: &str, value: &Value) -> Result<usize> {
    if let Some(size) = value.as_u64().and_then(|number| u32::try_from(number).ok()) {
        return Ok(size as usize);
    }
    if value.as_f64().is_some_and(|number| number > f64::from(u32::MAX)) {
        let expected = format!("a size of at most {}", u32::MAX);
        return Err(Error::new(Code::ConfigTooLarge, field, expected, value.to_string()));
    }
    Err(bad(field, "a whole number from 0", value))
}

/// An id of the vocabulary.
fn token(value: &Value, n_vocabulary: usize) -> Option<u32> {
    let id = value.as_u64().and_then(|number| u32::try_from(number).ok());
    id.filter(|&id| (id as usize) < n_vocabulary)
}

fn bad(field: &str, expected: &str, value: &Value) -> Error {
    Error::new(Code::ConfigBadField, field, expected, value.to_string())
}
