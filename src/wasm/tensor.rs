//! Labelled tensors on their way to JavaScript.

use js_sys::{Array, Float32Array};
use wasm_bindgen::JsValue;

use super::convert::object;
use crate::axes::Tensor;

/// A tensor as `{ data, shape, axes }`, the numbers copied.
pub(super) fn tensor(tensor: Tensor) -> JsValue {
    let shape: Array = tensor.shape().iter().map(|&n| JsValue::from(n as f64)).collect();
    let axes: Array = tensor.axes().iter().map(|axis| JsValue::from(axis.name())).collect();
    let data = Float32Array::from(tensor.into_data().as_slice());
    object([("data", data.into()), ("shape", shape.into()), ("axes", axes.into())]).into()
}
