//! Reading of a config field by field, so that an error names the field; and the settings of a
//! family, by field name with Hugging Face's default.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::slice;

use serde_json::{Map, Value};

use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::warning::FieldWarning;

/// The most repetitions of a list of layer types: there are not more layers.
const MOST_REPETITIONS: u64 = 1024;

/// The fields of a file such as `config.json`, or of an object in it, the names of those that were
/// read, and the warnings about them.
#[derive(Default)]
pub struct Fields {
    map: Map<String, Value>,
    /// The prefix of field names in messages: for an object in the file, its name and a dot.
    path: String,
    /// The name of the file.
    file: String,
    /// The names of the fields that were read.
    read: RefCell<BTreeSet<String>>,
    warnings: RefCell<Vec<FieldWarning>>,
}

impl Fields {
    /// Parses the text of the file `file`.
    ///
    /// # Errors
    /// `config/not-json`.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let fields = serde_json::from_str(text).map_err(|error| {
            Error::new(Code::ConfigNotJson, file, "a JSON object", error.to_string())
        })?;
        Ok(Self::of(fields, String::new(), file.to_owned()))
    }

    fn of(map: Map<String, Value>, path: String, file: String) -> Self {
        Self { map, path, file, read: RefCell::default(), warnings: RefCell::default() }
    }

    /// All fields with their values.
    pub fn all(&self) -> &Map<String, Value> {
        &self.map
    }

    /// The fields together with those of another object, which win.
    pub fn extended(mut self, other: Self) -> Self {
        self.map.extend(other.map);
        self.path = other.path;
        self
    }

    /// The name of a field in messages.
    pub fn named(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    /// A size that is required.
    pub fn size(&self, field: &str) -> Result<usize> {
        let missing = || {
            let expected = "a whole number in config.json";
            Error::new(Code::ConfigMissingField, self.named(field), expected, "nothing")
        };
        let value = self.get(field).ok_or_else(missing)?;
        whole(&self.named(field), value)
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

    /// The names of the fields, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        self.map.keys().map(String::as_str).collect()
    }

    /// The fields that are not in `known` and not null, with their values.
    pub fn beside(&self, known: &[&str]) -> Vec<(&str, &Value)> {
        let all = self.map.iter().map(|(field, value)| (field.as_str(), value));
        all.filter(|(field, value)| !known.contains(field) && !value.is_null()).collect()
    }

    /// The number of fields.
    pub fn count(&self) -> usize {
        self.map.len()
    }

    /// A size, or Hugging Face's default.
    pub fn size_or(&self, field: &str, default: usize) -> Result<usize> {
        self.get(field).map_or(Ok(default), |value| whole(&self.named(field), value))
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

    /// A number, or Hugging Face's default.
    pub fn number_or(&self, field: &str, default: f64) -> Result<f64> {
        Ok(self.read(field, "a number", Value::as_f64)?.unwrap_or(default))
    }

    /// A flag, or Hugging Face's default.
    pub fn flag_or(&self, field: &str, default: bool) -> Result<bool> {
        Ok(self.read(field, "true or false", Value::as_bool)?.unwrap_or(default))
    }

    /// A text, if the field is set.
    pub fn text(&self, field: &str) -> Result<Option<&str>> {
        self.read(field, "a text", Value::as_str)
    }

    /// The first of `architectures`: the class by which Hugging Face reads the folder.
    pub fn architecture(&self) -> Result<Option<&str>> {
        let all = self.read("architectures", "a list of texts", Value::as_array)?;
        Ok(all.and_then(|all| all.first()).and_then(Value::as_str))
    }

    /// An object of fields, if the field is set.
    pub fn object(&self, field: &str) -> Result<Option<Self>> {
        let object = self.read(field, "an object", Value::as_object)?;
        let path = format!("{}.", self.named(field));
        Ok(object.map(|object| Self::of(object.clone(), path, self.file.clone())))
    }

    /// An activation by its name in Hugging Face, or the default.
    pub fn activation_or(&self, field: &str, default: Activation) -> Result<Activation> {
        self.text(field)?.map_or(Ok(default), |name| Self::activation_named(field, name))
    }

    /// The activation of a name; `field` is the field for the error.
    pub fn activation_named(field: &str, name: &str) -> Result<Activation> {
        Activation::of_name(name).ok_or_else(|| {
            let expected =
                "an activation of Hugging Face without weights, such as relu, gelu or silu";
            Error::new(Code::ConfigBadField, field, expected, name)
        })
    }

    /// A list of numbers, if the field is set.
    pub fn numbers(&self, field: &str) -> Result<Option<Vec<f64>>> {
        self.read(field, "a list of numbers", |value| {
            value.as_array()?.iter().map(Value::as_f64).collect()
        })
    }

    /// Whether each text of a list equals `text`; `None` without the list.
    pub fn each_is(&self, field: &str, text: &str) -> Result<Option<Vec<bool>>> {
        let all = self.read(field, "a list of texts", Value::as_array)?;
        Ok(all.map(|all| all.iter().map(|one| one.as_str() == Some(text)).collect()))
    }

    /// Whether each layer has the type `text`, for a list of the form `[[types, repeat count], …]`.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn repeated(&self, field: &str, text: &str) -> Result<Option<Vec<bool>>> {
        self.read(field, "a list of kinds and how often they follow each other", |value| {
            let mut all = Vec::new();
            for item in value.as_array()? {
                let [kinds, count] = item.as_array()?.as_slice() else { return None };
                let kinds = kinds.as_array()?.iter().map(|kind| kind.as_str() == Some(text));
                let kinds: Vec<bool> = kinds.collect();
                let count = count.as_u64()?.min(MOST_REPETITIONS) as usize;
                all.extend(kinds.iter().copied().cycle().take(kinds.len() * count));
            }
            Some(all)
        })
    }

    /// Moves values under an alias to the field's usual name.
    pub fn rename(&mut self, aliases: &[(&str, &str)]) {
        for &(alias, field) in aliases {
            if let Some(value) = self.map.remove(alias) {
                self.map.insert(field.to_owned(), value);
            }
        }
    }

    /// The words of a text joined by `|`, in lower case, or those of a list unchanged.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn words(&self, field: &str) -> Result<Vec<String>> {
        let words =
            self.read(field, "words joined by | or a list of words", |value| match value {
                Value::String(text) => Some(
                    text.to_lowercase().split('|').map(|word| word.trim().to_owned()).collect(),
                ),
                list => {
                    list.as_array()?.iter().map(|word| Some(word.as_str()?.to_owned())).collect()
                }
            })?;
        Ok(words.unwrap_or_default())
    }

    /// Refuses a field with another value than `expected`.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn require(&self, field: &str, expected: &Value) -> Result<()> {
        let is_same = |value: &Value| value == expected || is_as(value, expected);
        match self.get(field) {
            Some(value) if !is_same(value) => {
                let expected = format!("{expected}, the only value that is computed");
                Err(bad(&self.named(field), &expected, value))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a field that is set; `remedy` says what to do.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn refuse(&self, field: &str, remedy: &str) -> Result<()> {
        let Some(value) = self.get(field) else { return Ok(()) };
        let is_empty = value.as_object().is_some_and(Map::is_empty)
            || value.as_array().is_some_and(Vec::is_empty);
        if is_empty { Ok(()) } else { Err(bad(&self.named(field), remedy, value)) }
    }

    /// Warns of a field that Hugging Face does not compute with, unless it has the usual value.
    pub fn expect(&self, field: &str, usual: &Value) {
        if let Some(value) = self.get(field).filter(|&value| value != usual) {
            self.warn(field, value);
        }
    }

    /// Warns that a field has no effect.
    pub fn warn(&self, field: &str, value: &Value) {
        let field = self.named(field);
        let warning = FieldWarning::without_effect(&self.file, &field, value.to_string());
        self.warnings.borrow_mut().push(warning);
    }

    /// Takes the warnings so far.
    pub fn warnings(&self) -> Vec<FieldWarning> {
        self.warnings.take()
    }

    /// Whether a field is present and null.
    pub fn is_null(&self, field: &str) -> bool {
        self.read.borrow_mut().insert(field.to_owned());
        self.map.get(field).is_some_and(Value::is_null)
    }

    /// Warns of the fields that were not read, except those that `but` accepts, flags that are off,
    /// and null.
    pub fn warn_unread(&self, but: impl Fn(&str) -> bool) {
        for (field, value) in &self.map {
            let is_read = self.read.borrow().contains(field.as_str());
            let is_off = value.is_null() || value == &Value::Bool(false);
            if !is_read && !is_off && !but(field) {
                self.warn(field, value);
            }
        }
    }

    /// Whether a field is present and not null.
    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// The value of a field, converted by `as_kind`; `None` if it is absent.
    fn read<'a, T>(
        &'a self,
        field: &str,
        expected: &str,
        as_kind: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>> {
        let read = |value| as_kind(value).ok_or_else(|| bad(&self.named(field), expected, value));
        self.get(field).map(read).transpose()
    }

    /// The value of a field that is present and not null.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.read.borrow_mut().insert(field.to_owned());
        self.map.get(field).filter(|value| !value.is_null())
    }
}

/// A setting of a family: a fixed value, or a field with Hugging Face's default.
#[derive(Clone, Copy)]
pub enum Setting<T> {
    /// A value that is the same in every model of the family.
    Fixed(T),
    /// A field of config.json, and its default.
    Field(&'static str, T),
}

impl<T: Copy> Setting<T> {
    /// The field's name, for messages; empty for a fixed value.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Fixed(_) => "",
            Self::Field(field, _) => field,
        }
    }

    /// The fixed value, or the result of `read` for the field and its default.
    fn read_by(self, read: impl FnOnce(&'static str, T) -> Result<T>) -> Result<T> {
        match self {
            Self::Fixed(value) => Ok(value),
            Self::Field(field, default) => read(field, default),
        }
    }
}

impl Setting<bool> {
    /// Reads a flag.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<bool> {
        self.read_by(|field, default| fields.flag_or(field, default))
    }
}

impl Setting<usize> {
    /// Reads a size.
    ///
    /// # Errors
    /// `config/bad-field` or `config/too-large`.
    pub fn read(self, fields: &Fields) -> Result<usize> {
        self.read_by(|field, default| fields.size_or(field, default))
    }
}

impl Setting<f64> {
    /// Reads a number.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<f64> {
        self.read_by(|field, default| fields.number_or(field, default))
    }
}

impl Setting<Option<f64>> {
    /// Reads a number; `None` if the field is null.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<Option<f64>> {
        self.read_by(|field, default| {
            if fields.is_null(field) {
                return Ok(None);
            }
            Ok(fields.read(field, "a number or null", Value::as_f64)?.or(default))
        })
    }
}

impl Setting<Activation> {
    /// Reads an activation.
    ///
    /// # Errors
    /// `config/bad-field`.
    pub fn read(self, fields: &Fields) -> Result<Activation> {
        self.read_by(|field, default| fields.activation_or(field, default))
    }
}

/// A size. The largest accepted one is the same with addresses of 32 bits and of 64.
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

/// Whether two values are the same number.
fn is_as(value: &Value, other: &Value) -> bool {
    value.as_f64().is_some_and(|number| other.as_f64() == Some(number))
}

fn bad(field: &str, expected: &str, value: &Value) -> Error {
    Error::new(Code::ConfigBadField, field, expected, value.to_string())
}
