//! The demos: questions that need no model.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{JsResult, parsed, thrown, unknown_field, value};
use crate::demos::{DemoQuestion, answer};
use crate::error::{Code, Error};

/// Answers a question that needs no model.
#[wasm_bindgen]
pub fn demo(question: &JsValue) -> JsResult<JsValue> {
    let asked: DemoQuestion = parsed(question.clone(), "the question", Code::InputMalformed)?;
    if let Some(field) = unknown_field(question, &value(&asked)?) {
        let expected = "only fields that this version knows";
        return Err(thrown(Error::new(Code::InputMalformed, "the question", expected, field)));
    }
    value(answer(&asked).map_err(thrown)?)
}
