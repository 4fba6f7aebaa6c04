//! Questions to a run and to a model, and their answers. JavaScript can send anything as a
//! question: an unknown question is refused, and so is a field that the question does not have.

use std::cell::RefCell;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, asked, thrown};
#[cfg(not(feature = "gradients"))]
use super::model::WasmModel;
use super::model::WasmRun;
use crate::analysis::Lexicon;
use crate::question::Work;
#[cfg(feature = "gradients")]
use crate::run::gradient_question::GradientQuestion as Question;
#[cfg(not(feature = "gradients"))]
use crate::run::model_question::ModelQuestion;
use crate::run::question::Context;
#[cfg(not(feature = "gradients"))]
use crate::run::question::Question;

#[wasm_bindgen]
impl WasmRun {
    /// Begins to answer a question, `{ what, … }`. `other` is the run that the question's field of
    /// this name stands for, or any run if the question has no such field. The ids of special
    /// tokens and the counts of ids in the training text, `[v]`, are for questions about roles.
    pub fn query(
        &self,
        query: &JsValue,
        other: &Self,
        special: Option<Vec<u32>>,
        unigrams: Option<Vec<f64>>,
    ) -> JsResult<WasmAnswer> {
        let question = asked(query, Question::read)?;
        let lexicon = Lexicon::new(&special.unwrap_or_default(), unigrams);
        let context =
            Context { run: self.decoding.run(), other: other.decoding.run(), lexicon: &lexicon };
        let work = question.answer(&context).map_err(thrown)?;
        Ok(WasmAnswer { work: RefCell::new(work) })
    }
}

#[cfg(not(feature = "gradients"))]
#[wasm_bindgen]
impl WasmModel {
    /// Begins to answer a question that needs no run, `{ what, … }`.
    pub fn query(&self, query: &JsValue) -> JsResult<WasmAnswer> {
        let question = asked(query, ModelQuestion::read)?;
        let work = question.answer(&self.model).map_err(thrown)?;
        Ok(WasmAnswer { work: RefCell::new(work) })
    }
}

/// An answer while it is computed. It owns what it needs, so that the run may be freed.
#[wasm_bindgen]
pub struct WasmAnswer {
    work: RefCell<Work<JsResult<JsValue>>>,
}

#[wasm_bindgen]
impl WasmAnswer {
    /// Takes one short step of some milliseconds: a promise of the answer, or of undefined while it
    /// is not complete.
    pub fn step(&self) -> Promise {
        // Nothing is called back meanwhile, so there is no other borrow.
        let step = self.work.borrow_mut().step();
        future_to_promise(
            async move { step.await.map_err(thrown)?.unwrap_or(Ok(JsValue::UNDEFINED)) },
        )
    }
}
