//! Fields that nobody reads. `serde-wasm-bindgen` asks an object only for the fields that
//! it knows, so `deny_unknown_fields` never sees the others; here they are found by
//! comparing what was sent with what was understood.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// The path of the first field in `sent` that `understood` lacks, such as `edits.masks.0.preset`.
/// Fields that are `undefined` or `null` count as absent.
pub(super) fn unknown_field(sent: &JsValue, understood: &JsValue) -> Option<String> {
    let object = sent.dyn_ref::<Object>()?;
    if Array::is_array(sent) {
        let (sent, known) = (Array::from(sent), Array::from(understood).length());
        if sent.length() > known {
            return Some(known.to_string());
        }
        // A long list of numbers has nothing to look into.
        if !sent.get(0).is_object() {
            return None;
        }
    }
    Object::keys(object).iter().find_map(|key| {
        let value = Reflect::get(sent, &key).ok()?;
        if value.is_undefined() || value.is_null() {
            return None;
        }
        let name = key.as_string()?;
        match Reflect::get(understood, &key) {
            Ok(known) if !known.is_undefined() => {
                unknown_field(&value, &known).map(|inner| format!("{name}.{inner}"))
            }
            _ => Some(name),
        }
    })
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use js_sys::JSON;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn json(text: &str) -> JsValue {
        JSON::parse(text).unwrap_or(JsValue::NULL)
    }

    #[wasm_bindgen_test]
    fn names_the_path_of_the_first_unknown_field() {
        let understood =
            json(r#"{"ids": [1], "edits": {"masks": [{"block": [[0, 1]]}], "heads": []}}"#);
        let cases = [
            (r#"{"ids": [1]}"#, None),
            (r#"{"edits": {"masks": [{"block": [[0, 1]]}]}}"#, None),
            (r#"{"edits": {"masks": [{"block": [[0, 1]], "stack": null}]}}"#, None),
            (r#"{"edits": {"attention": {}}}"#, Some("edits.attention")),
            (r#"{"edits": {"masks": [{"preset": 1}]}}"#, Some("edits.masks.0.preset")),
            (r#"{"edits": {"masks": [{"block": [[0, 1, 9]]}]}}"#, Some("edits.masks.0.block.0.2")),
            (r#"{"idz": [1]}"#, Some("idz")),
        ];
        for (sent, expected) in cases {
            assert_eq!(unknown_field(&json(sent), &understood).as_deref(), expected, "{sent}");
        }
    }
}
