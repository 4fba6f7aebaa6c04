//! Conversion between the core's values and JavaScript's: errors with their code, tensors as copies
//! of their numbers, structured values through serde.

#[cfg(feature = "model")]
use js_sys::{Array, Float32Array, Float64Array, Map};
use js_sys::{Object, Reflect};
use serde::Serialize;
#[cfg(feature = "model")]
use serde::de::DeserializeOwned;
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_wasm_bindgen::Serializer;
#[cfg(feature = "model")]
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;

#[cfg(feature = "model")]
use crate::axes::Tensor;
use crate::error::{Code, Error};
#[cfg(feature = "model")]
use crate::files::{Metadata, Value};
use crate::question::Leave;
#[cfg(all(feature = "model", feature = "gradients"))]
use crate::run::Gradients;
#[cfg(all(feature = "model", not(feature = "gradients")))]
use crate::run::{Explanation, Lens, LensChosen, StepTensor, Steps};

/// The result of a method for JavaScript.
pub(super) type JsResult<T> = Result<T, JsValue>;

/// An error as `{ code, message, doing, expected, got }`.
pub(super) fn thrown(error: Error) -> JsValue {
    let fields = [
        ("code", error.code.as_str().to_owned()),
        ("message", error.to_string()),
        ("doing", error.doing),
        ("expected", error.expected),
        ("got", error.got),
    ];
    object(fields.map(|(name, text)| (name, JsValue::from(text)))).into()
}

/// A structured value as plain JavaScript objects.
pub(super) fn value<T: Serialize>(value: T) -> JsResult<JsValue> {
    serialized(value, &Serializer::new().serialize_missing_as_null(true))
}

/// A structured value as plain JavaScript objects, with `undefined` for missing values.
#[cfg(feature = "model")]
pub(super) fn sparse<T: Serialize>(value: T) -> JsResult<JsValue> {
    serialized(value, &Serializer::new())
}

fn serialized<T: Serialize>(value: T, serializer: &Serializer) -> JsResult<JsValue> {
    value.serialize(serializer).map_err(|error| unsent(&error))
}

/// The error for an answer that JavaScript has no form for.
fn unsent(error: &serde_wasm_bindgen::Error) -> JsValue {
    thrown(Error::new(Code::Internal, "an answer", "one that can be sent", error.to_string()))
}

/// A structured value from JavaScript; `code` is the code of the error for a wrong form.
#[cfg(feature = "model")]
pub(super) fn parsed<T: DeserializeOwned>(value: JsValue, what: &str, code: Code) -> JsResult<T> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| thrown(Error::from_reader(&error.to_string(), code, what)))
}

/// A question, `{ what, … }`, which `read` makes of its name and its fields.
pub(super) fn asked<'a, T>(
    question: &'a JsValue,
    read: fn(&str, Fields<'a>) -> Result<T, serde_wasm_bindgen::Error>,
) -> JsResult<T> {
    let what =
        Reflect::get(question, &JsValue::from("what")).ok().and_then(|what| what.as_string());
    let Some(what) = what else {
        let expected = "an object whose `what` names the question";
        return Err(thrown(Error::new(Code::InputMalformed, "the question", expected, "none")));
    };
    read(&what, Fields(question)).map_err(|error| {
        thrown(Error::from_reader(&error.to_string(), Code::InputMalformed, "the question"))
    })
}

/// The fields of a question. A field that the question does not have is refused:
/// `serde_wasm_bindgen` asks an object for the fields that it knows, and never sees the others.
pub(super) struct Fields<'a>(&'a JsValue);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = serde_wasm_bindgen::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.check(fields)?;
        serde_wasm_bindgen::Deserializer::from(self.0.clone())
            .deserialize_struct(name, fields, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        serde_wasm_bindgen::Deserializer::from(self.0.clone()).deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl Fields<'_> {
    #[inline(never)]
    fn check(&self, known: &'static [&'static str]) -> Result<(), serde_wasm_bindgen::Error> {
        for key in Object::keys(&Object::from(self.0.clone())) {
            let is_given = Reflect::get(self.0, &key).is_ok_and(|value| !value.is_undefined());
            let name = key.as_string().unwrap_or_default();
            if is_given && name != "what" && !known.contains(&name.as_str()) {
                return Err(serde::de::Error::unknown_field(&name, known));
            }
        }
        Ok(())
    }
}

/// Answers leave as plain JavaScript objects.
impl<T: Serialize> Leave<JsResult<JsValue>> for T {
    fn leave(self) -> JsResult<JsValue> {
        value(self)
    }
}

#[cfg(feature = "model")]
impl Leave<JsResult<JsValue>> for Tensor {
    fn leave(self) -> JsResult<JsValue> {
        tensor(self)
    }
}

#[cfg(all(feature = "model", feature = "gradients"))]
impl Leave<JsResult<JsValue>> for Gradients {
    fn leave(self) -> JsResult<JsValue> {
        array(self.0, tensor)
    }
}

#[cfg(all(feature = "model", not(feature = "gradients")))]
impl Leave<JsResult<JsValue>> for Steps {
    fn leave(self) -> JsResult<JsValue> {
        array(self.0, |StepTensor { step, tensor: numbers }| {
            Ok(object([("step", step.name().into()), ("tensor", tensor(numbers)?)]).into())
        })
    }
}

#[cfg(all(feature = "model", not(feature = "gradients")))]
impl Leave<JsResult<JsValue>> for Lens {
    fn leave(self) -> JsResult<JsValue> {
        let chosen = match self.chosen {
            Some(LensChosen { probabilities, ranks }) => {
                let probabilities = tensor(probabilities)?;
                object([("probabilities", probabilities), ("ranks", tensor(ranks)?)]).into()
            }
            None => JsValue::NULL,
        };
        let fields = [
            ("finalNorm", self.final_norm.into()),
            ("ids", tensor(self.ids)?),
            ("logits", tensor(self.logits)?),
            ("probabilities", tensor(self.probabilities)?),
            ("entropy", tensor(self.entropy)?),
            ("divergence", tensor(self.divergence)?),
            ("chosen", chosen),
        ];
        Ok(object(fields).into())
    }
}

/// An explanation leaves as `{ operation, lines: [{ source, values }], value }`, the numbers of a
/// line copied at once.
#[cfg(all(feature = "model", not(feature = "gradients")))]
impl Leave<JsResult<JsValue>> for Explanation {
    fn leave(self) -> JsResult<JsValue> {
        let lines = array(self.lines, |line| {
            let values = Float32Array::from(line.values.as_slice());
            Ok(object([("source", value(line.source)?), ("values", values.into())]).into())
        })?;
        let operation = value(self.operation)?;
        let fields = [("operation", operation), ("lines", lines), ("value", self.value.into())];
        Ok(object(fields).into())
    }
}

/// Metadata of a GGUF file as a `Map`: numbers, flags, texts, lists of texts, and lists of numbers
/// and of flags as arrays of `f64`.
#[cfg(feature = "model")]
pub(super) fn metadata(metadata: &Metadata) -> JsValue {
    let map = Map::new();
    for (key, value) in &metadata.0 {
        map.set(&JsValue::from(key), &metadata_value(value));
    }
    map.into()
}

#[cfg(feature = "model")]
fn metadata_value(value: &Value) -> JsValue {
    match value {
        Value::Bool(flag) => JsValue::from(*flag),
        Value::Text(text) => JsValue::from(text),
        Value::List(list) => match list.texts() {
            Some(texts) => texts.map(JsValue::from).collect::<Array>().into(),
            None => Float64Array::from(list.numbers().as_slice()).into(),
        },
        number => JsValue::from(number.number().unwrap_or(f64::NAN)),
    }
}

/// A tensor as `{ data, shape, axes }`, the numbers copied.
#[cfg(feature = "model")]
fn tensor(tensor: Tensor) -> JsResult<JsValue> {
    let shape = value(tensor.shape())?;
    let axes = array(tensor.axes().to_vec(), |axis| Ok(axis.name().into()))?;
    let data = Float32Array::from(tensor.into_data().as_slice());
    Ok(object([("data", data.into()), ("shape", shape), ("axes", axes)]).into())
}

#[cfg(feature = "model")]
fn array<T>(items: Vec<T>, convert: fn(T) -> JsResult<JsValue>) -> JsResult<JsValue> {
    items.into_iter().map(convert).collect::<JsResult<Array>>().map(JsValue::from)
}

pub(super) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from(name), &value);
    }
    object
}

/// The path of the first field in `sent` that `understood` lacks, such as `edits.masks.0.preset`.
/// Fields that are `undefined` or `null` count as absent. `serde-wasm-bindgen` asks an object only
/// for the fields that it knows, so `deny_unknown_fields` never sees the others.
#[cfg(feature = "model")]
pub(super) fn unknown_field(sent: &JsValue, understood: &JsValue) -> Option<String> {
    let object = sent.dyn_ref::<Object>()?;
    if Array::is_array(sent) {
        let sent = Array::from(sent);
        let known = Array::from(understood).length();
        if sent.length() > known {
            return Some(known.to_string());
        }
        // A list of numbers has no fields to check.
        if !sent.get(0).is_object() {
            return None;
        }
    }
    Object::keys(object).iter().find_map(|key| {
        let value = Reflect::get(sent, &key).ok()?;
        if value.is_undefined() || value.is_null() {
            return None;
        }
        let name = key.as_string()?;
        match Reflect::get(understood, &key) {
            Ok(known) if !known.is_undefined() => {
                unknown_field(&value, &known).map(|inner| format!("{name}.{inner}"))
            }
            _ => Some(name),
        }
    })
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use js_sys::JSON;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn json(text: &str) -> JsValue {
        JSON::parse(text).unwrap_or(JsValue::NULL)
    }

    #[wasm_bindgen_test]
    fn names_the_path_of_the_first_unknown_field() {
        let understood =
            json(r#"{"ids": [1], "edits": {"masks": [{"block": [[0, 1]]}], "heads": []}}"#);
        let cases = [
            (r#"{"ids": [1]}"#, None),
            (r#"{"edits": {"masks": [{"block": [[0, 1]]}]}}"#, None),
            (r#"{"edits": {"masks": [{"block": [[0, 1]], "stack": null}]}}"#, None),
            (r#"{"edits": {"attention": {}}}"#, Some("edits.attention")),
            (r#"{"edits": {"masks": [{"preset": 1}]}}"#, Some("edits.masks.0.preset")),
            (r#"{"edits": {"masks": [{"block": [[0, 1, 9]]}]}}"#, Some("edits.masks.0.block.0.2")),
            (r#"{"idz": [1]}"#, Some("idz")),
        ];
        for (sent, expected) in cases {
            assert_eq!(unknown_field(&json(sent), &understood).as_deref(), expected, "{sent}");
        }
    }
}
