//! The images of a model that reads them, as it reads them.

use std::cell::OnceCell;

use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::JsValue;

use super::convert::{JsResult, object, thrown};
use crate::error::{Code, Error};
use crate::model::{ImageProcessor, ModelConfig, ModelInfo};
use crate::warning::FieldWarning;

/// The image processor of a model of images, with warnings about unused fields of its file.
#[derive(Default)]
pub(super) struct Images(OnceCell<(ImageProcessor, Vec<FieldWarning>)>);

impl Images {
    /// The description of the model, with these warnings.
    pub fn warn(&self, mut info: ModelInfo) -> ModelInfo {
        info.warnings.extend(self.0.get().into_iter().flat_map(|(_, found)| found.clone()));
        info
    }

    /// Reads the text of `preprocessor_config.json`, once; nothing for a model of texts.
    pub fn read(&self, config: &ModelConfig, json: Option<&str>) -> JsResult<()> {
        let Some(format) = config.image else { return Ok(()) };
        let read = ImageProcessor::new(format, &config.family, json).map_err(thrown)?;
        self.0.set(read).map_err(|_| {
            let doing = "reading preprocessor_config.json";
            let expected = "one for each model";
            thrown(Error::new(Code::Internal, doing, expected, "a second one"))
        })
    }

    /// An image as the model reads it: `{ height, width, data, pixels }`, its bytes
    /// `[height, width, 4]` and its numbers `[channels, height, width]`. It is given in bytes
    /// `[height, width, 4]`, which are read row by row.
    pub fn preprocess(&self, height: usize, width: usize, data: &Uint8Array) -> JsResult<JsValue> {
        let doing = "the image";
        let Some((images, _)) = self.0.get() else {
            let expected = "a text or ids: the model does not read images";
            return Err(thrown(Error::new(Code::InputWrongKind, doing, expected, "an image")));
        };
        let row = width.saturating_mul(4);
        if row.saturating_mul(height) != data.length() as usize {
            let expected = "4 bytes (RGBA) for each pixel, as ImageData has";
            let got = format!("{width} × {height} with {} bytes", data.length());
            return Err(thrown(Error::new(Code::InputBadImage, doing, expected, got)));
        }
        let read = |at: usize, out: &mut [u8]| {
            data.subarray((at * row) as u32, ((at + 1) * row) as u32).copy_to(out);
        };
        let found = images.process([height, width], read).map_err(thrown)?;
        let [height, width] = found.size.map(JsValue::from);
        let bytes = Uint8Array::from(found.bytes.as_slice());
        let pixels = Float32Array::from(found.pixels.as_slice());
        let fields = [
            ("height", height),
            ("width", width),
            ("data", bytes.into()),
            ("pixels", pixels.into()),
        ];
        Ok(object(fields).into())
    }
}
