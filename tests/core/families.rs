//! Each family that can be opened beside Hugging Face: hidden states, attention weights, logits and
//! 50 tokens of greedy text, of tiny random models of awkward sizes.

use crate::support::parity::compare_case;
use crate::support::{
    Answers, FAMILIES, NUMBERS, Session, assert_close, checkpoint, pause, request,
};

use headscope::backend::Cpu;
use safetensors::SafeTensors;
use serde_json::{Map, Value};
use wasm_bindgen_test::wasm_bindgen_test;

/// Entries of the reference that no entry of `families.json` opens.
const NOT_OPENED: [&str; 1] = ["opt-projected"];

/// A family's model.
#[cfg(not(target_arch = "wasm32"))]
pub fn opened(name: &str) -> Session<Cpu> {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let weights = checkpoint(&SafeTensors::deserialize(NUMBERS).unwrap(), name);
    Session::load(Cpu, &families[name]["config"].to_string(), &weights).unwrap()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn every_family_computes_what_hugging_face_computes() {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let numbers = SafeTensors::deserialize(NUMBERS).unwrap();
    let answers = Answers::open(NUMBERS);
    let mut compared = 0;
    for (name, family) in families {
        let weights = checkpoint(&numbers, &name);
        let loaded = Session::load(Cpu, &family["config"].to_string(), &weights);
        if NOT_OPENED.contains(&name.as_str()) {
            let code = loaded.err().map(|error| error.code.as_str());
            assert!(code.is_some_and(|code| code.starts_with("config/")), "{name}: {code:?}");
            continue;
        }
        let session = loaded.unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in family["cases"].as_array().unwrap() {
            let what = format!("{name}/{}", case["name"].as_str().unwrap());
            // The reference file ends where the longer rotation would begin.
            if what.ends_with("/beyond") {
                assert!(session.begin(&request(case, session.info().architecture), None).is_err());
            } else {
                compare_case(assert_close, &session, &answers, case, &what, None).await;
            }
        }
        compared += 1;
        pause().await;
    }
    assert!(compared >= 26);
}
