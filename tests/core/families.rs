//! Each family that can be opened beside Hugging Face: hidden states, attention weights, logits and
//! 50 tokens of greedy text, of tiny random models of awkward sizes.

use crate::support::parity::{families_on, mixtures};
use crate::support::references::{FAMILIES, NUMBERS, checkpoint};
use crate::support::{IDS, Session, assert_close, finished, hidden, run_under, under};

use headscope::backend::{Backend, Cpu};
use headscope::run::RunRequest;
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

/// A family's model.
pub fn opened(name: &str) -> Session<Cpu> {
    opened_on(Cpu, name)
}

/// A family's model on a backend.
pub fn opened_on<B: Backend>(backend: B, name: &str) -> Session<B> {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let weights = checkpoint(&SafeTensors::deserialize(NUMBERS).unwrap(), name);
    Session::load(backend, &families[name]["config"].to_string(), &weights).unwrap()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn every_family_computes_what_hugging_face_computes() {
    families_on(Cpu, assert_close).await;
    // A head may turn no dimension.
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let weights = checkpoint(&SafeTensors::deserialize(NUMBERS).unwrap(), "stablelm");
    let config = families["stablelm"]["config"].to_string().replace("factor\":0.25", "factor\":0");
    run_under(&Session::load(Cpu, &config, &weights).unwrap(), &[5.0; 9], &json!({})).await;
}

/// Rows are reused for the same image alone, and edits reach them as they reach a text's.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_image_is_reused_and_edited_like_a_text() {
    for name in ["vit", "deit"] {
        let session = opened(name);
        let plain = run_under(&session, &IDS, &json!({})).await;
        let last = json!({"heads": [{"layers": [1], "gate": 0}]});
        for (ids, edits, reused) in [(IDS, json!({}), 2), (IDS, last, 1), ([3.0; 6], json!({}), 0)]
        {
            let run = finished(&session, &under(&session, &ids, &edits), Some(&plain)).await;
            assert_eq!(run.executed().reused_blocks, reused, "{name}: {edits}");
            let alone = run_under(&session, &ids, &edits).await;
            let [got, want] =
                [hidden(&run, "encoder", 2).await, hidden(&alone, "encoder", 2).await];
            assert_eq!(got, want, "{name}: {edits}");
        }
        // Rotary positions turn pairs of dimensions, and these heads have 7.
        for edits in mixtures().iter().filter(|edits| edits["positions"][0]["scheme"] != "rotary") {
            run_under(&session, &IDS, edits).await;
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn an_image_and_a_text_are_not_mistaken_for_each_other() {
    let [images, texts] = ["vit", "roberta"].map(opened);
    let image = under(&images, &IDS, &json!({}));
    let pixels = |change: fn(&mut Vec<f32>)| {
        let mut pixels = image.pixels.clone().unwrap();
        change(&mut pixels);
        RunRequest { pixels: Some(pixels), ..RunRequest::default() }
    };
    let text = under(&texts, &IDS, &json!({}));
    let both = RunRequest { ids: text.ids.clone(), ..image.clone() };
    for (session, sent, code) in [
        (&texts, &image, "input/wrong-kind"),
        (&images, &text, "input/wrong-kind"),
        (&images, &both, "input/wrong-kind"),
        (&images, &pixels(|all| all.truncate(7)), "input/bad-image"),
        (&images, &pixels(|all| all.push(0.0)), "input/bad-image"),
        (&images, &pixels(|all| all[3] = f32::NAN), "input/bad-image"),
        (&images, &pixels(|all| all[3] = f32::INFINITY), "input/bad-image"),
    ] {
        let refused = session.begin(sent, None).err().map(|error| error.code.as_str());
        assert_eq!(refused, Some(code));
    }
}
