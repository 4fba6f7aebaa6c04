//! Between the core's values and JavaScript's: errors with their code, structured values
//! through serde.

use js_sys::{Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::error::{Code, Error};

/// What the methods of the door give.
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
pub(super) fn value<T: Serialize>(value: &T) -> JsResult<JsValue> {
    let serializer = Serializer::new().serialize_missing_as_null(true);
    value.serialize(&serializer).map_err(|error| {
        thrown(Error::new(Code::Internal, "an answer", "one that can be sent", error.to_string()))
    })
}

/// A structured value out of JavaScript; `code` is what a wrong form is reported as.
pub(super) fn parsed<T: DeserializeOwned>(value: JsValue, what: &str, code: Code) -> JsResult<T> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| thrown(Error::new(code, what, "the documented form", error.to_string())))
}

pub(super) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from(name), &value);
    }
    object
}
