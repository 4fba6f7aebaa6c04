//! Random changes of good configs and edits (`checkpoint.rs` has those of files): each works or is refused by a
//! code of its own part, and nothing panics. `FUZZ_RUNS` makes more than the short round.

use headscope::backend::Cpu;
use headscope::edits::wire::Edits;
use headscope::run::RunRequest;
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::reference_model::good_request;
use crate::support::parity::mixtures;
use crate::support::references::{FAMILIES, NUMBERS, checkpoint};
use crate::support::{Random, Session, families, finished};

/// Changes of each good value.
fn runs() -> usize {
    std::env::var("FUZZ_RUNS").map_or(60, |runs| runs.parse().expect("FUZZ_RUNS is a number"))
}

/// What stands in place of a value; or it is in a list, or twice as large.
const ODD: &str = r#"[null, true, "", "none", [], {}, [0, 1], 0, 1, -1, 2.5, 7, 1e9, 1e300, 18446744073709551615]"#;

/// Replaces, deletes or copies one to three of the values inside.
fn mutated(good: &Value, random: &mut Random) -> Value {
    let mut changed = good.clone();
    for _ in 0..=random.below(3) {
        mutate(&mut changed, random);
    }
    changed
}

fn mutate(value: &mut Value, random: &mut Random) {
    let n = value.as_object().map_or_else(|| value.as_array().map_or(0, Vec::len), Map::len);
    if n == 0 || random.below(8) == 0 {
        *value = odd_value(value, random);
        return;
    }
    let (at, is_deleted) = (random.below(n), random.below(8) == 0);
    match value {
        Value::Object(fields) => {
            let key = fields.keys().nth(at).expect("a key").clone();
            if is_deleted {
                fields.remove(&key);
            } else {
                mutate(&mut fields[&key], random);
            }
        }
        Value::Array(all) if is_deleted => {
            let copy = all.remove(at);
            all.extend([copy.clone(), copy].into_iter().take(random.below(3)));
        }
        other => mutate(&mut other[at], random),
    }
}

fn odd_value(old: &Value, random: &mut Random) -> Value {
    let mut odd: Vec<Value> = serde_json::from_str(ODD).expect("values");
    odd.extend([json!([old]), json!(old.as_f64().unwrap_or(3.0) * 2.0)]);
    odd.swap_remove(random.below(odd.len()))
}

#[wasm_bindgen_test(unsupported = test)]
fn a_changed_config_opens_or_is_refused() {
    let mut random = Random(1);
    let (mut opened, mut refused) = (0, 0);
    let numbers = SafeTensors::deserialize(NUMBERS).expect("the reference");
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).expect("the reference");
    for (name, family) in families {
        let weights = checkpoint(&numbers, &name);
        for _ in 0..runs() {
            let config = mutated(&family["config"], &mut random).to_string();
            match Session::load(Cpu, &config, &weights) {
                Ok(_) => opened += 1,
                Err(error) => {
                    let part = error.code.as_str().split_once('/').map(|(part, _)| part);
                    assert!(matches!(part, Some("config" | "checkpoint")), "{config}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(opened > 0 && refused > 0, "{opened} opened, {refused} refused");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn changed_edits_run_or_are_refused() {
    let mut random = Random(3);
    let (mut ran, mut refused) = (0, 0);
    for reference in families() {
        let session = reference.load(Cpu);
        for good in mixtures() {
            for _ in 0..runs() / 4 {
                let sent = mutated(&good, &mut random);
                let Ok(edits) = serde_json::from_value::<Edits>(sent.clone()) else { continue };
                let request = RunRequest { edits: Some(edits), ..good_request(&session) };
                match session.begin(&request, None) {
                    Ok(_) => {
                        finished(&session, &request, None).await;
                        ran += 1;
                    }
                    Err(error) => {
                        assert!(error.code.as_str().starts_with("edit/"), "{sent}: {error}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(ran > 0 && refused > 0, "{ran} ran, {refused} were refused");
}
