//! Reading a question about a run: which stack, which layer, which stage. JavaScript can
//! send anything there; what is no text or no index is refused with the code of what it
//! was meant to be, and named as it was sent. Whether it exists is for the session.

use std::ops::Range;

use wasm_bindgen::JsValue;

use super::convert::{JsResult, thrown};
use crate::error::{Code, Error, shown};

pub(super) fn stack(value: &JsValue) -> JsResult<String> {
    name(value, "the stack", Code::SelectionBadStack)
}

pub(super) fn stage(value: &JsValue) -> JsResult<String> {
    name(value, "the stage", Code::SelectionBadStage)
}

pub(super) fn part(value: &JsValue) -> JsResult<String> {
    name(value, "the part", Code::SelectionBadStage)
}

pub(super) fn step(value: &JsValue) -> JsResult<String> {
    name(value, "the step", Code::SelectionBadStage)
}

pub(super) fn position(value: &JsValue, what: &str) -> JsResult<usize> {
    index(value, what, Code::SelectionBadPosition)
}

pub(super) fn layer(value: &JsValue) -> JsResult<usize> {
    index(value, "the layer", Code::SelectionBadLayer)
}

pub(super) fn head(value: &JsValue) -> JsResult<usize> {
    index(value, "the head", Code::SelectionBadHead)
}

pub(super) fn size(value: &JsValue, what: &str) -> JsResult<usize> {
    index(value, what, Code::SelectionBadSize)
}

/// Some positions, or `None` where none were named.
pub(super) fn positions(value: &JsValue) -> JsResult<Option<Vec<usize>>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    list(value, "the positions", Code::SelectionBadPosition).map(Some)
}

/// Entries of the vocabulary.
pub(super) fn ids(value: &JsValue) -> JsResult<Vec<usize>> {
    list(value, "the ids", Code::InputBadId)
}

fn list(value: &JsValue, what: &str, code: Code) -> JsResult<Vec<usize>> {
    let refused = || thrown(Error::new(code, what, "a list of whole numbers", kind(value)));
    // Asking anything but an object whether it can be iterated throws an error of JavaScript's.
    if !value.is_object() {
        return Err(refused());
    }
    let list = js_sys::try_iter(value)?.ok_or_else(refused)?;
    list.map(|item| index(&item?, what, code)).collect()
}

/// From a first position to the one before the last of two, or `None` where none were named.
pub(super) fn range(value: &JsValue, what: &str) -> JsResult<Option<Range<usize>>> {
    match positions(value)?.as_deref() {
        None => Ok(None),
        Some(&[first, end]) => Ok(Some(first..end)),
        Some(other) => {
            let expected = "two numbers, the first and the one behind the last";
            let got = format!("{} of them", other.len());
            Err(thrown(Error::new(Code::SelectionBadPosition, what, expected, got)))
        }
    }
}

fn name(value: &JsValue, what: &str, code: Code) -> JsResult<String> {
    value.as_string().ok_or_else(|| thrown(Error::new(code, what, "its name, a text", kind(value))))
}

fn index(value: &JsValue, what: &str, code: Code) -> JsResult<usize> {
    let refused = |got: String| Err(thrown(Error::new(code, what, "a whole number from 0", got)));
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) =>
        {
            #[expect(clippy::cast_sign_loss, reason = "checked to be at least 0")]
            Ok(number as usize)
        }
        Some(number) => refused(shown(number)),
        None => refused(kind(value)),
    }
}

/// What kind of value was sent, for a sentence.
fn kind(value: &JsValue) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    value.js_typeof().as_string().map_or_else(String::new, |kind| match kind.as_str() {
        "undefined" => kind,
        "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    })
}

#[cfg(test)]
mod tests {
    use js_sys::{Array, BigInt, Object, Reflect};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn refusal<T>(result: JsResult<T>) -> [String; 2] {
        let error = result.err().unwrap();
        let field = |name: &str| Reflect::get(&error, &JsValue::from(name)).unwrap();
        ["code", "got"].map(|name| field(name).as_string().unwrap())
    }

    #[wasm_bindgen_test]
    fn what_is_no_index_is_refused_and_named_as_it_was_sent() {
        let big: JsValue = BigInt::from(1).into();
        let cases: [(JsValue, &str); 7] = [
            (JsValue::from(-1), "-1"),
            (JsValue::from(0.5), "0.5"),
            (JsValue::from(f64::NAN), "NaN"),
            (JsValue::UNDEFINED, "undefined"),
            (JsValue::NULL, "null"),
            (big, "a bigint"),
            (Object::new().into(), "an object"),
        ];
        for (value, got) in cases {
            assert_eq!(refusal(layer(&value)), ["selection/bad-layer", got]);
        }
        assert_eq!(head(&JsValue::from(3)).unwrap(), 3);
    }

    #[wasm_bindgen_test]
    fn what_is_no_name_is_refused() {
        assert_eq!(refusal(stack(&JsValue::UNDEFINED)), ["selection/bad-stack", "undefined"]);
        assert_eq!(refusal(stage(&JsValue::NULL)), ["selection/bad-stage", "null"]);
        assert_eq!(part(&JsValue::from("key")).unwrap(), "key");
    }

    #[wasm_bindgen_test]
    fn a_range_is_two_numbers_or_nothing() {
        assert_eq!(range(&JsValue::NULL, "the rows").unwrap(), None);
        let two = Array::of2(&JsValue::from(2), &JsValue::from(5));
        assert_eq!(range(&two, "the rows").unwrap(), Some(2..5));
        let one = Array::of1(&JsValue::from(2));
        let refused = ["selection/bad-position", "1 of them"];
        assert_eq!(refusal(range(&one, "the rows")), refused);
    }

    #[wasm_bindgen_test]
    fn positions_are_a_list_or_nothing() {
        assert_eq!(positions(&JsValue::UNDEFINED).unwrap(), None);
        let list = Array::of2(&JsValue::from(2), &JsValue::from(0));
        assert_eq!(positions(&list).unwrap(), Some(vec![2, 0]));
        let wrong = Array::of1(&BigInt::from(1));
        assert_eq!(refusal(positions(&wrong)), ["selection/bad-position", "a bigint"]);
        assert_eq!(refusal(positions(&JsValue::from(7))), ["selection/bad-position", "a number"]);
    }

    #[wasm_bindgen_test]
    fn ids_are_a_list() {
        let list = Array::of2(&JsValue::from(2), &JsValue::from(0));
        assert_eq!(ids(&list).unwrap(), [2, 0]);
        let wrong = Array::of1(&JsValue::from(-1));
        assert_eq!(refusal(ids(&wrong)), ["input/bad-id", "-1"]);
        assert_eq!(refusal(ids(&JsValue::UNDEFINED)), ["input/bad-id", "undefined"]);
    }
}
