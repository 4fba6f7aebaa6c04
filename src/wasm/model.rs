//! A loaded model and its runs, on the backend that the build chooses.

use std::cell::Cell;
use std::rc::Rc;

#[cfg(not(feature = "gradients"))]
use js_sys::Uint8Array;
use js_sys::{Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, metadata, parsed, sparse, thrown, unknown_field, value};
use super::engine::{Engine, engine, taken};
#[cfg(not(feature = "gradients"))]
use super::images::Images;
use super::source::WeightFile;
use crate::decode::Decoding;
use crate::edits::wire::Edits;
use crate::error::{Code, Error};
use crate::files;
use crate::model::Model;
use crate::run::RunRequest;

/// A model on the backend of this build.
#[wasm_bindgen]
pub struct WasmModel {
    pub(super) model: Rc<Model<Engine>>,
    #[cfg(not(feature = "gradients"))]
    images: Images,
    /// The metadata of a GGUF file for the page's tokenizer, until `info` returns them.
    metadata: Cell<JsValue>,
}

/// A run of a model.
#[wasm_bindgen]
pub struct WasmRun {
    pub(super) decoding: Rc<Decoding<Engine>>,
}

#[wasm_bindgen]
impl WasmModel {
    /// Loads a model: reads the files of weights, part by part, and the texts of `config.json` and
    /// of `generation_config.json`, which a GGUF file has itself. Narrow weights are bytes, on the
    /// CPU only.
    pub async fn load(
        config: Option<String>,
        checkpoint: Vec<WeightFile>,
        narrow: bool,
        generation: Option<String>,
    ) -> JsResult<WasmModel> {
        let sources = checkpoint.into_iter().map(WeightFile::into_source);
        let sources = sources.collect::<Result<_, _>>().map_err(thrown)?;
        let files = files::open(sources).map_err(thrown)?;
        let metadata = files.whole.as_ref().map_or(JsValue::NULL, |own| metadata(&own.metadata));
        let config = config.as_deref();
        let generation = generation.as_deref();
        let backend = engine(narrow).await?;
        let model = Model::load(backend, config, generation, files).map_err(thrown)?;
        taken(&model).await?;
        Ok(Self {
            model: Rc::new(model),
            #[cfg(not(feature = "gradients"))]
            images: Images::default(),
            metadata: Cell::new(metadata),
        })
    }

    /// The description of the model; at the first call with `metadata`, those of a GGUF file by
    /// their keys, whose header is read only here, or null.
    pub fn info(&self) -> JsResult<JsValue> {
        let info = self.model.info();
        #[cfg(not(feature = "gradients"))]
        let info = self.images.warn(info);
        let info = value(info)?;
        let metadata = self.metadata.replace(JsValue::NULL);
        Reflect::set(&info, &JsValue::from("metadata"), &metadata)?;
        Ok(info)
    }

    /// Begins a run; `pixels` are the numbers of an image.
    pub fn begin(&self, request: &JsValue, pixels: Option<Vec<f32>>) -> JsResult<WasmRun> {
        self.begin_with(request, pixels, None)
    }

    /// Begins a run, which takes over the rows that are the same in `earlier`.
    #[wasm_bindgen(js_name = beginAfter)]
    pub fn begin_after(
        &self,
        request: &JsValue,
        earlier: &WasmRun,
        pixels: Option<Vec<f32>>,
    ) -> JsResult<WasmRun> {
        self.begin_with(request, pixels, Some(earlier))
    }

    fn begin_with(
        &self,
        request: &JsValue,
        pixels: Option<Vec<f32>>,
        earlier: Option<&WasmRun>,
    ) -> JsResult<WasmRun> {
        let request = RunRequest { pixels, ..parse_request(request)? };
        let earlier = earlier.map(|earlier| &*earlier.decoding);
        let decoding = Decoding::begin(&self.model, &request, earlier).map_err(thrown)?;
        Ok(WasmRun { decoding: Rc::new(decoding) })
    }
}

#[cfg(not(feature = "gradients"))]
#[wasm_bindgen]
impl WasmModel {
    /// Reads the text of `preprocessor_config.json`; `None` for a folder without the file. A model
    /// of texts ignores it. A model reads it once.
    #[wasm_bindgen(js_name = readPreprocessor)]
    #[expect(clippy::needless_pass_by_value, reason = "a text that crosses the wasm API is owned")]
    pub fn read_preprocessor(&self, json: Option<String>) -> JsResult<()> {
        self.images.read(&self.model.config, json.as_deref())
    }

    /// An image as the model reads it: `{ height, width, data, pixels }`, its bytes
    /// `[height, width, 4]` and its numbers `[channels, height, width]`. It is given in bytes
    /// `[height, width, 4]`, which are read row by row.
    pub fn preprocess(&self, height: usize, width: usize, data: &Uint8Array) -> JsResult<JsValue> {
        self.images.preprocess(height, width, data)
    }
}

#[cfg(all(feature = "webgpu", not(feature = "gradients")))]
#[wasm_bindgen]
impl WasmModel {
    /// Resolves with the reason when the GPU is lost, also while no query is pending.
    pub fn lost(&self) -> Promise {
        let lost = self.model.backend.lost();
        future_to_promise(async move { Ok(JsValue::from(lost.await)) })
    }
}

#[wasm_bindgen]
impl WasmRun {
    /// Takes one short step of at most some milliseconds, and returns the state of the run: the
    /// report, the ids of the first stack and of the decoder, the computed blocks, those with a
    /// site that is left to the `cpu` backend, and at the end the fit of lenient edits. Call until
    /// `finished`.
    pub fn step(&self) -> Promise {
        let decoding = Rc::clone(&self.decoding);
        future_to_promise(async move {
            let report = decoding.step().await.map_err(thrown)?;
            let run = decoding.run().borrow();
            // The length of a text that the model writes is known at the end.
            let fit = run.fit().filter(|_| report.finished);
            let report = value(report)?;
            for (name, field) in [
                ("ids", value(run.ids())?),
                ("targetIds", value(run.target_ids())?),
                ("executed", value(run.executed())?),
                ("onCpu", value(run.on_cpu())?),
                ("fit", sparse(fit)?),
            ] {
                Reflect::set(&report, &JsValue::from(name), &field)?;
            }
            Ok(report)
        })
    }
}

/// A malformed request is distinguished from edits that this version does not know.
fn parse_request(sent: &JsValue) -> JsResult<RunRequest> {
    let request = parsed(sent.clone(), "the request", Code::InputMalformed).or_else(|error| {
        let edits = Reflect::get(sent, &JsValue::from("edits"))?;
        parsed::<Option<Edits>>(edits, "the edits", Code::EditUnsupported)?;
        Err(error)
    })?;
    let Some(field) = unknown_field(sent, &value(&request)?) else { return Ok(request) };
    let code =
        if field.starts_with("edits.") { Code::EditUnsupported } else { Code::InputMalformed };
    Err(thrown(Error::new(code, "the request", "only fields that this version knows", field)))
}
