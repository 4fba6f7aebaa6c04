//! Random changes of good configs, checkpoints, settings and edits: each works or is refused by a
//! code of its own part, and nothing panics. `FUZZ_RUNS` makes more than the short round, and other
//! changes.

use headscope::backend::Cpu;
use headscope::decode::StepReport;
use headscope::edits::wire::Edits;
use headscope::error::Result;
use headscope::model::{ImageConfig, ImageProcessor};
use headscope::run::{GenerateRequest, RunRequest};
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::craft::{file, header_bytes};
use super::reference_model::good_request;
use crate::support::drawn::drawn_checkpoint;
use crate::support::parity::mixtures;
use crate::support::references::{FAMILIES, NUMBERS, SETTINGS, checkpoint};
use crate::support::{Random, Session, families};

/// Changes of each good value.
fn runs() -> usize {
    std::env::var("FUZZ_RUNS").map_or(60, |runs| runs.parse().expect("FUZZ_RUNS is a number"))
}

/// What stands in place of a value; or it is in a list, or twice as large.
const ODD: &str = r#"[null, true, "", "none", [], {}, [0, 1], 0, 1, -1, 2.5, 7, 1000000000, 1e300, 18446744073709551615]"#;

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
    let at = random.below(n);
    let is_deleted = random.below(8) == 0;
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
    odd.extend([json!([old]), json!(old.as_u64().unwrap_or(3).wrapping_mul(2))]);
    odd.swap_remove(random.below(odd.len()))
}

async fn run(loaded: &Result<Session<Cpu>>, edits: Option<Edits>) -> Result<StepReport> {
    let session = loaded.as_ref().map_err(Clone::clone)?;
    session.begin(&RunRequest { edits, ..good_request(session) }, None)?.finish().await
}

/// 1 for what ran, 0 for what was refused by a code of these parts.
fn outcome(ran: Result<StepReport>, parts: &[&str], changed: &Value) -> usize {
    let Err(error) = ran else { return 1 };
    let part = error.code.as_str().split_once('/').map_or("", |(part, _)| part);
    assert!(parts.contains(&part), "{changed}: {error}");
    0
}

/// Loads and runs changed copies of each family's config and checkpoint.
async fn run_changed(change: impl Fn(&Value, &[u8], &mut Random) -> (Value, Vec<u8>)) {
    let mut random = Random(runs() as u64);
    let mut outcomes = [0; 2];
    let numbers = SafeTensors::deserialize(NUMBERS).expect("the reference");
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).expect("the reference");
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).expect("the reference");
    let settings = settings.into_iter().map(|(_, setting)| {
        let weights = drawn_checkpoint(setting["tensors"].as_object().expect("names"));
        (setting, weights)
    });
    let families = families.into_iter().map(|(name, family)| (family, checkpoint(&numbers, &name)));
    for (family, weights) in families.chain(settings) {
        for _ in 0..runs() {
            let (config, weights) = change(&family["config"], &weights, &mut random);
            let loaded = Session::load(Cpu, &config.to_string(), &weights);
            let ran = run(&loaded, None).await;
            outcomes[outcome(ran, &["config", "checkpoint", "input", "run"], &config)] += 1;
        }
    }
    assert!(!outcomes.contains(&0), "refused and ran: {outcomes:?}");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_changed_config_runs_or_is_refused() {
    run_changed(|config, weights, random| (mutated(config, random), weights.to_vec())).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_changed_checkpoint_runs_or_is_refused() {
    run_changed(|config, weights, random| {
        let end = header_bytes(weights);
        let mut header = serde_json::from_slice(&weights[8..end]).expect("a good header");
        mutate(&mut header, random);
        let mut bytes = file(header.to_string().as_bytes(), &weights[end..]);
        let at = random.below(bytes.len());
        bytes[at] = random.below(256) as u8;
        (config.clone(), bytes)
    })
    .await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn changed_edits_run_or_are_refused() {
    let mut random = Random(runs() as u64);
    let mut outcomes = [0; 2];
    for reference in families() {
        let loaded = Ok(reference.load(Cpu));
        for good in mixtures() {
            for _ in 0..runs() / 4 {
                let sent = mutated(&good, &mut random);
                let Ok(edits) = serde_json::from_value::<Edits>(sent.clone()) else { continue };
                let ran = run(&loaded, Some(edits)).await;
                outcomes[outcome(ran, &["edit"], &sent)] += 1;
            }
        }
    }
    assert!(!outcomes.contains(&0), "refused and ran: {outcomes:?}");
}

/// The settings of one case, perhaps with those of another, some of them changed.
fn mixed(cases: &[&Value], random: &mut Random) -> Value {
    let mut settings = cases[random.below(cases.len())].as_object().expect("fields").clone();
    if random.below(2) == 0 {
        settings.extend(cases[random.below(cases.len())].as_object().expect("fields").clone());
    }
    mutated(&Value::Object(settings), random)
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn changed_settings_of_generation_write_or_are_refused() {
    let (mut random, mut outcomes) = (Random(runs() as u64), [0; 2]);
    let text = include_str!(file!("tests/reference/generation.json"));
    let vectors: Value = serde_json::from_str(text).expect("the reference");
    let cases = vectors["cases"].as_array().expect("cases");
    let settings = |part| cases.iter().map(move |case: &Value| &case[part]);
    let files: Vec<&Value> = settings("generation_config").filter(|one| one.is_object()).collect();
    for reference in families() {
        let config: Value = serde_json::from_str(reference.config).expect("a config");
        for _ in 0..8 * runs() {
            let mut config = config.clone();
            let changed = mixed(&files, &mut random);
            let is_file = random.below(2) == 0;
            if let (false, Some(fields), Some(own)) =
                (is_file, changed.as_object(), config.as_object_mut())
            {
                own.extend(fields.clone());
            }
            let (file, config) = (changed.to_string(), config.to_string());
            let file = is_file.then_some(&*file);
            let loaded = Session::load_with(Cpu, &config, file, reference.checkpoint);
            let most = [None, Some(4.0)][random.below(2)];
            let ran = written(&loaded, most).await;
            outcomes[outcome(ran, &["config", "checkpoint", "input", "output"], &changed)] += 1;
        }
    }
    assert!(!outcomes.contains(&0), "refused and ran: {outcomes:?}");
}

async fn written(loaded: &Result<Session<Cpu>>, max_tokens: Option<f64>) -> Result<StepReport> {
    let session = loaded.as_ref().map_err(Clone::clone)?;
    let generate =
        Some(GenerateRequest { max_new_tokens: max_tokens, ..GenerateRequest::default() });
    session.begin(&RunRequest { generate, ..good_request(session) }, None)?.finish().await
}

#[wasm_bindgen_test(unsupported = test)]
fn changed_settings_of_images_process_one_or_are_refused() {
    let (mut random, mut outcomes) = (Random(runs() as u64), [0; 2]);
    let text = include_str!(file!("tests/reference/images.json"));
    let vectors: Value = serde_json::from_str(text).expect("the reference");
    let cases = vectors["cases"].as_object().expect("cases");
    let settings: Vec<&Value> = cases.values().map(|case| &case["settings"]).collect();
    let size = [12, 10];
    for _ in 0..40 * runs() {
        let format = ImageConfig { channels: 3, size, patch: [2, 2], grid: [6, 5], specials: 1 };
        let changed = mixed(&settings, &mut random);
        let family = ["vit", "deit"][random.below(2)];
        let from = [1 + random.below(40), 1 + random.below(40)];
        let done = ImageProcessor::new(format, family, Some(&changed.to_string()))
            .and_then(|(processor, _)| processor.process(from, |at, row| row.fill(at as u8)));
        let Err(error) = done else {
            outcomes[1] += 1;
            continue;
        };
        outcomes[0] += 1;
        let part = error.code.as_str().split_once('/').map_or("", |(part, _)| part);
        assert!(["config", "input"].contains(&part), "{changed}: {error}");
    }
    assert!(!outcomes.contains(&0), "refused and ran: {outcomes:?}");
}
