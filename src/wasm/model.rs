//! A loaded model behind the door.

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{JsResult, parsed, thrown, value};
use super::engine::{Engine, open};
use super::run::WasmRun;
use super::unknown::unknown_field;
use crate::edits::wire::Edits;
use crate::error::{Code, Error};
use crate::run::RunRequest;
use crate::session::Session;

/// A model on the backend of this build.
#[wasm_bindgen]
pub struct WasmModel {
    session: Session<Engine>,
}

#[wasm_bindgen]
impl WasmModel {
    /// Reads the text of `config.json` and the bytes of `model.safetensors`.
    pub async fn load(config: String, checkpoint: Vec<u8>) -> JsResult<WasmModel> {
        let backend = open().await.map_err(thrown)?;
        let session = Session::load(backend, &config, &checkpoint).map_err(thrown)?;
        #[cfg(feature = "webgpu")]
        session.taken().await.map_err(thrown)?;
        Ok(Self { session })
    }

    /// What the page may know of the model.
    pub fn info(&self) -> JsResult<JsValue> {
        value(&self.session.info())
    }

    /// Begins a run.
    pub fn begin(&self, request: &JsValue) -> JsResult<WasmRun> {
        self.begin_with(request, None)
    }

    /// Begins a run; what is the same in `earlier` is taken over.
    #[wasm_bindgen(js_name = beginAfter)]
    pub fn begin_after(&self, request: &JsValue, earlier: &WasmRun) -> JsResult<WasmRun> {
        self.begin_with(request, Some(earlier))
    }

    fn begin_with(&self, request: &JsValue, earlier: Option<&WasmRun>) -> JsResult<WasmRun> {
        let request = parse_request(request)?;
        let run = self.session.begin(&request, earlier.map(WasmRun::handle)).map_err(thrown)?;
        Ok(WasmRun::new(run))
    }
}

#[cfg(feature = "webgpu")]
#[wasm_bindgen]
impl WasmModel {
    /// Why the GPU was lost, once it is: also while nobody asks anything of it.
    pub fn lost(&self) -> js_sys::Promise {
        let lost = self.session.backend().lost();
        super::run::promise(async move { Ok(JsValue::from(lost.await)) })
    }
}

/// A malformed request is told apart from edits that this version does not know.
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
