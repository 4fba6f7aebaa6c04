//! The way through a block behind the door: its matrices while they are computed, and what
//! makes one of their cells.

use std::cell::RefCell;

use js_sys::{Array, Float32Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, object, thrown, value};
use super::engine::Engine;
use super::tensor::tensor;
use crate::run::{Explanation, StepTensor, StepsWork};

/// The matrices of one block. It needs the run no more, which may be freed.
#[wasm_bindgen]
pub struct WasmSteps {
    work: RefCell<StepsWork<Engine>>,
}

impl WasmSteps {
    pub(super) fn new(work: StepsWork<Engine>) -> Self {
        Self { work: RefCell::new(work) }
    }
}

#[wasm_bindgen]
impl WasmSteps {
    /// One short step of some milliseconds; a promise of undefined until they are known.
    pub fn step(&self) -> Promise {
        // Nothing is called back meanwhile, so nobody else borrows.
        let known = self.work.borrow_mut().step();
        future_to_promise(async move {
            match known.await.map_err(thrown)? {
                None => Ok(JsValue::UNDEFINED),
                Some(steps) => Ok(list(steps, step_tensor).into()),
            }
        })
    }
}

/// `{ operation, lines: [{ source, values }], value }`, the numbers of a line copied at once.
pub(super) fn explanation(made: Explanation) -> JsResult<JsValue> {
    let lines = Array::new();
    for line in made.lines {
        let values = Float32Array::from(line.values.as_slice());
        lines.push(&object([("source", value(&line.source)?), ("values", values.into())]));
    }
    let operation = value(&made.operation)?;
    let fields = [("operation", operation), ("lines", lines.into()), ("value", made.value.into())];
    Ok(object(fields).into())
}

fn step_tensor(found: StepTensor) -> JsValue {
    object([("step", found.step.name().into()), ("tensor", tensor(found.tensor))]).into()
}

fn list<T>(items: Vec<T>, convert: fn(T) -> JsValue) -> Array {
    items.into_iter().map(convert).collect()
}
