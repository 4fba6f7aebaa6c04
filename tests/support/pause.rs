//! Room for others between two pieces of a long test. A browser's page that does nothing but
//! compute cannot answer whoever drives it, who gives it up after half a minute.

/// Nothing: a thread of its own disturbs nobody.
#[cfg(not(target_arch = "wasm32"))]
pub async fn pause() {}

/// Lets the page, or Node, do what waits.
#[cfg(target_arch = "wasm32")]
pub async fn pause() {
    use js_sys::{Function, Promise, Reflect, global};
    use wasm_bindgen::{JsCast, JsValue};

    let waited = Promise::new(&mut |resolve, _| {
        // A promise that is kept at once would be followed before anybody else has a turn.
        let later: Function =
            Reflect::get(&global(), &"setTimeout".into()).unwrap().unchecked_into();
        later.call1(&JsValue::UNDEFINED, &resolve).unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(waited).await.unwrap();
}
