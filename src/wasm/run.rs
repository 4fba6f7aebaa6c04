//! A run behind the door. Every answer owns what it needs, so that freeing the object
//! while it is on its way is harmless.

use std::future::Future;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, index, tensor, thrown, value};
use crate::axes::Tensor;
use crate::backend::Cpu;
use crate::error::Result;
use crate::run::Reading;
use crate::session::RunHandle;

/// A run of a model on the CPU backend.
#[wasm_bindgen]
pub struct WasmRun {
    handle: RunHandle<Cpu>,
}

impl WasmRun {
    pub(super) fn new(handle: RunHandle<Cpu>) -> Self {
        Self { handle }
    }

    pub(super) fn handle(&self) -> &RunHandle<Cpu> {
        &self.handle
    }
}

fn promise(answer: impl Future<Output = JsResult<JsValue>> + 'static) -> Promise {
    future_to_promise(answer)
}

/// A tensor that is waited for; what is wrong with the question is told at once.
fn reading(reading: Result<Reading<Tensor>>) -> JsResult<Promise> {
    let reading = reading.map_err(thrown)?;
    Ok(promise(async move { reading.await.map(tensor).map_err(thrown) }))
}

fn indices(values: &[f64]) -> Vec<usize> {
    values.iter().map(|&value| index(value)).collect()
}

#[wasm_bindgen]
impl WasmRun {
    /// One short step of at most some milliseconds; call until `finished`.
    pub fn step(&self) -> Promise {
        let handle = self.handle.clone();
        promise(async move { value(&handle.step().await.map_err(thrown)?) })
    }

    /// The ids that the first stack read.
    pub fn ids(&self) -> Vec<u32> {
        self.handle.ids()
    }

    /// The ids that went through the decoder, the start token included.
    #[wasm_bindgen(js_name = targetIds)]
    pub fn target_ids(&self) -> Vec<u32> {
        self.handle.target_ids()
    }

    /// One head's pattern at a stage, `[query, key]`.
    pub fn attention(&self, stack: &str, layer: f64, head: f64, stage: &str) -> JsResult<Promise> {
        reading(self.handle.attention(stack, index(layer), index(head), stage))
    }

    /// One head's additive mask, `[query, key]`.
    pub fn mask(&self, stack: &str, layer: f64, head: f64) -> JsResult<JsValue> {
        self.handle.mask(stack, index(layer), index(head)).map(tensor).map_err(thrown)
    }

    /// The queries of a head that may look nowhere.
    #[wasm_bindgen(js_name = fullyMasked)]
    pub fn fully_masked(&self, stack: &str, layer: f64, head: f64) -> JsResult<Vec<u32>> {
        let rows = self.handle.fully_masked(stack, index(layer), index(head)).map_err(thrown)?;
        Ok(rows.into_iter().map(|row| row as u32).collect())
    }

    /// One head's `query`, `key` or `value`, `[position, head_dim]`.
    pub fn qkv(&self, stack: &str, layer: f64, head: f64, part: &str) -> JsResult<Promise> {
        reading(self.handle.projection(stack, index(layer), index(head), part))
    }

    /// The residual stream, numbered as Hugging Face's `hidden_states`.
    pub fn hidden(&self, stack: &str, layer: f64) -> JsResult<Promise> {
        reading(self.handle.hidden(stack, index(layer)))
    }

    /// Scores of the whole vocabulary, `[position, vocabulary]`.
    #[expect(clippy::needless_pass_by_value, reason = "the form in which optional arrays arrive")]
    pub fn logits(&self, positions: Option<Vec<f64>>) -> JsResult<Promise> {
        let positions = positions.as_deref().map(indices);
        reading(self.handle.logits(positions.as_deref()))
    }

    /// The best next tokens at some positions.
    pub fn predictions(&self, positions: &[f64], top_k: f64) -> JsResult<Promise> {
        let found = self.handle.predictions(&indices(positions), index(top_k)).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// The positional encoding that was added, `[position, model_dim]`.
    pub fn positions(&self, stack: &str) -> JsResult<Promise> {
        reading(self.handle.positions(stack))
    }

    /// Small pictures of the heads of one layer, or of all, `[layer, head, query, key]`.
    pub fn thumbnails(
        &self,
        stack: &str,
        size: f64,
        stage: &str,
        layer: Option<f64>,
    ) -> JsResult<Promise> {
        reading(self.handle.thumbnails(stack, index(size), stage, layer.map(index)))
    }

    /// What the run computed itself and what it took over.
    pub fn executed(&self) -> JsResult<JsValue> {
        value(&self.handle.executed())
    }
}
