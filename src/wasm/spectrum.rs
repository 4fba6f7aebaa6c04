//! Singular values behind the door, while they are computed.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{JsResult, value};
use crate::run::SpectrumWork;

/// The singular values of one head. It needs the run no more, which may be freed.
#[wasm_bindgen]
pub struct WasmSpectrum {
    work: RefCell<SpectrumWork>,
}

impl WasmSpectrum {
    pub(super) fn new(work: SpectrumWork) -> Self {
        Self { work: RefCell::new(work) }
    }
}

#[wasm_bindgen]
impl WasmSpectrum {
    /// One short step of some milliseconds; undefined until they are known.
    pub fn step(&self) -> JsResult<JsValue> {
        // Nothing is called back meanwhile, so nobody else borrows.
        let known = self.work.borrow_mut().step();
        known.map_or(Ok(JsValue::UNDEFINED), |spectrum| value(&spectrum))
    }
}
