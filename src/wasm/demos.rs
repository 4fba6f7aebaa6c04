//! The demos: questions that need no model.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{JsResult, asked, thrown};
use crate::demos::DemoQuestion;

/// Answers a question that needs no model.
#[wasm_bindgen]
pub fn demo(question: &JsValue) -> JsResult<JsValue> {
    asked(question, DemoQuestion::read)?.answer(()).map_err(thrown)?
}
