//! What a picture of a head needs beside its cells, and the picture itself where the backend makes
//! its colours.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{JsResult, thrown, value};
use super::question::stage;
use super::run::{WasmRun, promise, site};

#[wasm_bindgen]
impl WasmRun {
    /// The sums of one head's pattern at a stage, and between which numbers its cells lie.
    pub fn marginals(
        &self,
        stack_name: &JsValue,
        layer_index: &JsValue,
        head_index: &JsValue,
        stage_name: &JsValue,
    ) -> JsResult<Promise> {
        let (of, stage) = (site(stack_name, layer_index, head_index)?, stage(stage_name)?);
        let found = self.handle().marginals(&of.stack, of.layer, of.head, &stage);
        let found = found.map_err(thrown)?;
        Ok(promise(async move { value(&found.await.map_err(thrown)?) }))
    }
}

#[cfg(feature = "webgpu")]
mod painted {
    use js_sys::Uint8ClampedArray;
    use serde::Deserialize;

    use super::super::convert::{object, parsed};
    use super::super::question::{range, size};
    use super::{JsResult, JsValue, Promise, WasmRun, promise, site, stage, thrown, value};
    use crate::backend::{Colours, Joining};
    use crate::error::Code;
    use crate::run::{Painted, PictureAsked};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// `{ rows, columns, without }`: lists of positions, and one or none.
    #[derive(Deserialize)]
    struct Groups {
        rows: Vec<Vec<u32>>,
        columns: Vec<Vec<u32>>,
        without: Option<u32>,
    }

    fn joining(groups: &JsValue) -> JsResult<Option<Joining>> {
        if groups.is_null() || groups.is_undefined() {
            return Ok(None);
        }
        let Groups { rows, columns, without } =
            parsed(groups.clone(), "the groups", Code::SelectionBadPosition)?;
        let positions = |groups: Vec<Vec<u32>>| -> Vec<Vec<usize>> {
            let group = |group: Vec<u32>| group.into_iter().map(|one| one as usize).collect();
            groups.into_iter().map(group).collect()
        };
        let (rows, columns) = (positions(rows), positions(columns));
        Ok(Some(Joining { rows, columns, without: without.map(|key| key as usize) }))
    }

    /// `{ data, rows, columns, marginals }`, the bytes copied.
    fn picture(painted: &Painted) -> JsResult<JsValue> {
        let [rows, columns] = painted.shape.map(|side| JsValue::from(side as f64));
        let data = Uint8ClampedArray::from(painted.pixels.as_slice());
        let marginals = value(&painted.marginals)?;
        let fields =
            [("data", data.into()), ("rows", rows), ("columns", columns), ("marginals", marginals)];
        Ok(object(fields).into())
    }

    #[wasm_bindgen]
    impl WasmRun {
        /// One head's pattern at a stage as pixels, at most `most` on a side, in the colours of a
        /// ramp; `groups` are those that its rows and columns stand for, and `rows` and `columns` the
        /// part that is shown.
        #[expect(clippy::too_many_arguments, reason = "the fields of one question")]
        pub fn painted(
            &self,
            stack_name: &JsValue,
            layer_index: &JsValue,
            head_index: &JsValue,
            stage_name: &JsValue,
            ramp: Vec<u8>,
            signed: bool,
            most: &JsValue,
            groups: &JsValue,
            rows: &JsValue,
            columns: &JsValue,
        ) -> JsResult<Promise> {
            let (of, stage) = (site(stack_name, layer_index, head_index)?, stage(stage_name)?);
            let part = range(rows, "the rows")?.zip(range(columns, "the columns")?);
            let asked = PictureAsked {
                colours: Colours { ramp, signed },
                joining: joining(groups)?,
                part: part.map(Into::into),
                most: size(most, "the pixels on a side")?,
            };
            let of = (of.stack.as_str(), of.layer, of.head);
            let found = self.handle().painted(of, &stage, asked).map_err(thrown)?;
            Ok(promise(async move {
                match found {
                    Some(painted) => picture(&painted.await.map_err(thrown)?),
                    None => Ok(JsValue::NULL),
                }
            }))
        }
    }
}
