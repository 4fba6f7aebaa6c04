//! A run behind the door. Every answer owns what it needs, so that freeing the object
//! while it is on its way is harmless.

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, thrown, value};
use super::engine::Engine;
use super::question::{
    head, ids, layer, part, position, positions, range, size, stack, stage, step,
};
use super::spectrum::WasmSpectrum;
use super::steps::{WasmSteps, explanation};
use super::tensor::tensor;
use crate::analysis::Lexicon;
use crate::axes::Tensor;
use crate::error::Result;
use crate::run::Reading;
use crate::session::RunHandle;

/// A run of a model.
#[wasm_bindgen]
pub struct WasmRun {
    handle: RunHandle<Engine>,
}

impl WasmRun {
    pub(super) fn new(handle: RunHandle<Engine>) -> Self {
        Self { handle }
    }

    pub(super) fn handle(&self) -> &RunHandle<Engine> {
        &self.handle
    }
}

/// Boxed, so that what drives a promise is compiled once and not for every question.
pub(super) fn promise(answer: impl Future<Output = JsResult<JsValue>> + 'static) -> Promise {
    let answer: Pin<Box<dyn Future<Output = JsResult<JsValue>>>> = Box::pin(answer);
    future_to_promise(answer)
}

/// A tensor that is waited for; what is wrong with the question is told at once.
fn reading(reading: Result<Reading<Tensor>>) -> JsResult<Promise> {
    let reading = reading.map_err(thrown)?;
    Ok(promise(async move { reading.await.map(tensor).map_err(thrown) }))
}

/// One head of the model.
pub(super) struct Site {
    pub stack: String,
    pub layer: usize,
    pub head: usize,
}

pub(super) fn site(
    stack_name: &JsValue,
    layer_index: &JsValue,
    head_index: &JsValue,
) -> JsResult<Site> {
    let (stack, layer) = (stack(stack_name)?, layer(layer_index)?);
    Ok(Site { stack, layer, head: head(head_index)? })
}

/// One layer, or `None` for all of them.
fn one_layer(value: &JsValue) -> JsResult<Option<usize>> {
    if value.is_undefined() { Ok(None) } else { layer(value).map(Some) }
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

    /// One head's pattern at a stage, `[query, key]`; of `rows`, a first query and the one behind
    /// the last, only theirs.
    pub fn attention(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        stage_name: &JsValue,
        rows: &JsValue,
    ) -> JsResult<Promise> {
        let (of, stage) = (site(stack_name, layer_index, head_index)?, stage(stage_name)?);
        let of = (of.stack.as_str(), of.layer, of.head);
        reading(self.handle.attention(of, &stage, range(rows, "the rows")?))
    }

    /// One head's additive mask, `[query, key]`.
    pub fn mask(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
    ) -> JsResult<JsValue> {
        let of = site(stack_name, layer_index, head_index)?;
        self.handle.mask(&of.stack, of.layer, of.head).map(tensor).map_err(thrown)
    }

    /// The queries of a head that may look nowhere.
    #[wasm_bindgen(js_name = fullyMasked)]
    pub fn fully_masked(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
    ) -> JsResult<Vec<u32>> {
        let of = site(stack_name, layer_index, head_index)?;
        let rows = self.handle.fully_masked(&of.stack, of.layer, of.head).map_err(thrown)?;
        Ok(rows.into_iter().map(|row| row as u32).collect())
    }

    /// What the attention of a layer would cost for texts of some lengths.
    pub fn cost(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        lengths: &JsValue,
    ) -> JsResult<JsValue> {
        let (stack, layer) = (stack(stack_name)?, layer(layer_index)?);
        let lengths = positions(lengths)?.unwrap_or_default();
        value(&self.handle.cost(&stack, layer, &lengths).map_err(thrown)?)
    }

    /// One head's `query`, `key` or `value`, `[position, head_dim]`; `rotated` as they
    /// entered the product.
    pub fn qkv(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        part_name: &JsValue,
        rotated: bool,
    ) -> JsResult<Promise> {
        let (of, part) = (site(stack_name, layer_index, head_index)?, part(part_name)?);
        reading(self.handle.projection(&of.stack, of.layer, of.head, &part, rotated))
    }

    /// The residual stream, numbered as Hugging Face's `hidden_states`.
    pub fn hidden(&self, stack_name: &JsValue, layer_index: &JsValue) -> JsResult<Promise> {
        reading(self.handle.hidden(&stack(stack_name)?, layer(layer_index)?))
    }

    /// Scores of the whole vocabulary, `[position, vocabulary]`.
    pub fn logits(&self, at: &JsValue) -> JsResult<Promise> {
        reading(self.handle.logits(positions(at)?.as_deref()))
    }

    /// The best next tokens at some positions.
    pub fn predictions(&self, at: &JsValue, top_k: &JsValue) -> JsResult<Promise> {
        let at = positions(at)?.unwrap_or_default();
        let k = size(top_k, "the number of predictions")?;
        let found = self.handle.predictions(&at, k).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// How probable an entry of the vocabulary is at a position, pair by pair.
    pub fn probabilities(&self, at: &JsValue, of: &JsValue) -> JsResult<Promise> {
        let (at, of) = (positions(at)?.unwrap_or_default(), ids(of)?);
        let found = self.handle.probabilities(&at, &of).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// The positional encoding that was added, `[position, model_dim]`, or by which queries
    /// and keys were turned, `[position, head_dim]`.
    pub fn positions(&self, stack_name: &JsValue) -> JsResult<Promise> {
        reading(self.handle.positions(&stack(stack_name)?))
    }

    /// Small pictures of the heads of one layer, or of all, `[layer, head, query, key]`.
    pub fn thumbnails(
        &self,
        stack_name: &JsValue,
        cells: &JsValue,
        stage_name: &JsValue,
        layer_index: &JsValue,
    ) -> JsResult<Promise> {
        let layer = one_layer(layer_index)?;
        let cells = size(cells, "the size of a thumbnail")?;
        let (stack, stage) = (stack(stack_name)?, stage(stage_name)?);
        reading(self.handle.thumbnails(&stack, cells, &stage, layer))
    }

    /// What every head of a stack did on this text. `special` are the ids of special tokens,
    /// `unigrams` how often training saw each id, where that is known.
    pub fn measures(
        &self,
        stack_name: &JsValue,
        special: &[u32],
        unigrams: Option<Vec<f64>>,
    ) -> JsResult<Promise> {
        let lexicon = Lexicon { special: special.iter().copied().collect(), unigrams };
        let found = self.handle.measures(&stack(stack_name)?, lexicon).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// How unlike the heads of the layer `among`, or of all, are to one head of their stack.
    pub fn likeness(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        among: &JsValue,
    ) -> JsResult<Promise> {
        let (of, among) = (site(stack_name, layer_index, head_index)?, one_layer(among)?);
        let found = self.handle.likeness(&of.stack, of.layer, of.head, among).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// The cosine of a word's hidden states with those of a word of another run of the same
    /// model, for every layer from the embeddings on.
    pub fn cosines(
        &self,
        stack_name: &JsValue,
        at: &JsValue,
        other: &Self,
        other_at: &JsValue,
    ) -> JsResult<Promise> {
        let at = positions(at)?.unwrap_or_default();
        let other_at = positions(other_at)?.unwrap_or_default();
        let found = self.handle.cosines(&stack(stack_name)?, &at, &other.handle, &other_at);
        let found = found.map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// How far the residual stream is from that of another run of the same model and length,
    /// `[layer, position]`.
    pub fn distances(
        &self,
        stack_name: &JsValue,
        other: &Self,
        order: &JsValue,
    ) -> JsResult<Promise> {
        let order = positions(order)?;
        reading(self.handle.distances(&stack(stack_name)?, &other.handle, order.as_deref()))
    }

    /// How unlike every head of one layer, or of all, is to itself in another run of the model.
    pub fn divergences(
        &self,
        stack_name: &JsValue,
        other: &Self,
        among: &JsValue,
    ) -> JsResult<Promise> {
        let among = one_layer(among)?;
        let found = self.handle.divergences(&stack(stack_name)?, &other.handle, among);
        let found = found.map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// What can be said of the residual stream at every depth of one block.
    pub fn residuals(&self, stack_name: &JsValue, layer_index: &JsValue) -> JsResult<Promise> {
        let found = self.handle.residuals(&stack(stack_name)?, layer(layer_index)?);
        let found = found.map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// The singular values of one head, before they are computed: a [`WasmSpectrum`].
    pub fn spectrum(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
    ) -> JsResult<Promise> {
        let of = site(stack_name, layer_index, head_index)?;
        let work = self.handle.spectrum(&of.stack, of.layer, of.head).map_err(thrown)?;
        Ok(promise(async move { Ok(WasmSpectrum::new(work.await.map_err(thrown)?).into()) }))
    }

    /// What one head's attention took, and how far it is from exact attention.
    #[wasm_bindgen(js_name = headCost)]
    pub fn head_cost(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
    ) -> JsResult<Promise> {
        let of = site(stack_name, layer_index, head_index)?;
        let found = self.handle.head_cost(&of.stack, of.layer, of.head).map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// One head's weights on the average of many draws of its dropout.
    #[wasm_bindgen(js_name = dropoutMean)]
    pub fn dropout_mean(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        draws: &JsValue,
    ) -> JsResult<Promise> {
        let of = site(stack_name, layer_index, head_index)?;
        let draws = size(draws, "the number of draws")?;
        let found = self.handle.dropout_mean(&of.stack, of.layer, of.head, draws);
        let found = found.map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }

    /// Every matrix of one block as one head sees it, before they are computed.
    pub fn steps(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
    ) -> JsResult<WasmSteps> {
        let of = site(stack_name, layer_index, head_index)?;
        self.handle.steps(&of.stack, of.layer, of.head).map(WasmSteps::new).map_err(thrown)
    }

    /// What makes one cell of one of those matrices.
    pub fn explain(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        step_name: &JsValue,
        row: &JsValue,
        column: &JsValue,
    ) -> JsResult<Promise> {
        let of = site(stack_name, layer_index, head_index)?;
        let step = step(step_name)?;
        let (row, column) = (position(row, "the row")?, position(column, "the column")?);
        let of = (of.stack.as_str(), of.layer, of.head);
        let made = self.handle.explain(of, &step, row, column).map_err(thrown)?;
        Ok(promise(async move { explanation(made.await.map_err(thrown)?) }))
    }

    /// What the run computed itself and what it took over.
    pub fn executed(&self) -> JsResult<JsValue> {
        value(&self.handle.executed())
    }
}

/// What only a run on another backend than `cpu` has to tell.
#[cfg(feature = "webgpu")]
#[wasm_bindgen]
impl WasmRun {
    /// The attention sites that are left to the `cpu` backend.
    #[wasm_bindgen(js_name = onCpu)]
    pub fn on_cpu(&self) -> JsResult<JsValue> {
        value(&self.handle.on_cpu())
    }
}
