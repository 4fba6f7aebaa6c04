//! The training of a model: a batch goes in, its loss comes out.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Promise, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, parsed, thrown, unknown_field, value};
use super::engine::engine;
use crate::backend::Cpu;
use crate::error::{Code, Error};
use crate::files::{self, Bytes};
use crate::model::Model;
use crate::training::{Folder, Trainer, TrainerSettings, TrainingBatch};

/// A model while it is trained.
#[wasm_bindgen]
pub struct WasmTrainer {
    /// Absent while it computes.
    trainer: Rc<Cell<Option<Trainer<Cpu>>>>,
    folder: Folder,
}

#[wasm_bindgen]
impl WasmTrainer {
    /// Begins the training of the folder with the text `config` and the bytes of
    /// `model.safetensors`, or goes on from the state of an earlier one.
    pub async fn load(
        config: String,
        weights: Vec<u8>,
        settings: JsValue,
        state: Option<Vec<u8>>,
    ) -> JsResult<WasmTrainer> {
        let settings: TrainerSettings = read(&settings, "the settings of the training")?;
        let optimiser = settings.optimiser().map_err(thrown)?;
        let dropout = settings.dropout().map_err(thrown)?;
        let backend = engine(false).await?;
        let files = files::open(vec![Box::new(Bytes::new("model.safetensors", &weights))]);
        let files = files.map_err(thrown)?;
        let model = Model::load(backend, Some(&config), None, files).map_err(thrown)?;
        let smoothing = settings.label_smoothing.unwrap_or(0.0);
        let mut trainer = Trainer::new(model, optimiser, smoothing).await.map_err(thrown)?;
        let own = trainer.parameters();
        let folder = Folder::of(&backend, &config, &weights, own).await.map_err(thrown)?;
        trainer = trainer.with_dropout(dropout);
        if let Some(state) = state {
            trainer.restore(&state).map_err(thrown)?;
        }
        Ok(Self { trainer: Rc::new(Cell::new(Some(trainer))), folder })
    }

    /// One step of the training: a promise of its outcome.
    pub fn step(&self, batch: &JsValue) -> JsResult<Promise> {
        let batch: TrainingBatch = read(batch, "the batch")?;
        let mut trainer = self.take()?;
        let place = Rc::clone(&self.trainer);
        Ok(future_to_promise(async move {
            let outcome = trainer.step(&batch.into_examples()).await;
            place.set(Some(trainer));
            value(outcome.map_err(thrown)?)
        }))
    }

    /// How the model does on a batch, from which it learns nothing: a promise.
    pub fn evaluate(&self, batch: &JsValue) -> JsResult<Promise> {
        let batch: TrainingBatch = read(batch, "the batch")?;
        let trainer = self.take()?;
        let place = Rc::clone(&self.trainer);
        Ok(future_to_promise(async move {
            let found = trainer.evaluate(&batch.into_examples()).await;
            place.set(Some(trainer));
            value(found.map_err(thrown)?)
        }))
    }

    /// The bytes of `model.safetensors` with the parameters as they are now.
    pub fn weights(&self) -> JsResult<Uint8Array> {
        self.bytes(|trainer| self.folder.file(trainer.parameters()))
    }

    /// What continues the training.
    pub fn state(&self) -> JsResult<Uint8Array> {
        self.bytes(Trainer::state)
    }

    fn bytes(&self, file: impl FnOnce(&Trainer<Cpu>) -> Vec<u8>) -> JsResult<Uint8Array> {
        let trainer = self.take()?;
        let bytes = Uint8Array::from(file(&trainer).as_slice());
        self.trainer.set(Some(trainer));
        Ok(bytes)
    }

    /// The trainer, which is put back once it has computed.
    fn take(&self) -> JsResult<Trainer<Cpu>> {
        self.trainer.take().ok_or_else(|| {
            let what = "the training";
            thrown(Error::new(Code::RunNotReady, what, "one call at a time", "a second one"))
        })
    }
}

/// A value from JavaScript; a field that it does not have is refused.
fn read<T: DeserializeOwned + Serialize>(sent: &JsValue, what: &str) -> JsResult<T> {
    let read: T = parsed(sent.clone(), what, Code::InputMalformed)?;
    match unknown_field(sent, &value(&read)?) {
        None => Ok(read),
        Some(field) => {
            let expected = "only fields that this version knows";
            Err(thrown(Error::new(Code::InputMalformed, what, expected, field)))
        }
    }
}
