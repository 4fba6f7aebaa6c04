//! Greedy texts under the settings of a model's files, beside Hugging Face; and the class of every
//! setting that there is.

use crate::support::references::{FAMILIES, NUMBERS, checkpoint};
use crate::support::{
    Session, assert_same, indices, numbers, reading, under, writing, written_ids,
};

use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, RunRequest};
use headscope::warning::FieldEffect;
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

fn vectors() -> Value {
    let text = include_str!(file!("tests/reference/generation.json"));
    serde_json::from_str(text).unwrap()
}

/// A model with changed fields in its `config.json`, and with a `generation_config.json`.
fn opened(name: &str, changed: &Value, own: &Value) -> Session<Cpu> {
    let (mut config, weights): (Map<String, Value>, Vec<u8>) = if name == "marian-tiny" {
        let marian = reference!("marian-tiny");
        (serde_json::from_str(marian.config).unwrap(), marian.checkpoint.to_vec())
    } else {
        let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
        let config = families[name]["config"].as_object().unwrap().clone();
        (config, checkpoint(&SafeTensors::deserialize(NUMBERS).unwrap(), name))
    };
    config.extend(changed.as_object().unwrap().clone());
    let own = own.is_object().then(|| own.to_string());
    Session::load_with(Cpu, &Value::Object(config).to_string(), own.as_deref(), &weights).unwrap()
}

async fn written(session: &Session<Cpu>, request: &RunRequest) -> Vec<usize> {
    let report = session.begin(request, None).unwrap().finish().await.unwrap();
    for token in &report.generated {
        assert_eq!(token.candidates[0].id, token.chosen, "the chosen token leads the others");
        assert!((token.probability - token.log_probability.exp()).abs() < 1e-6);
    }
    report.generated.iter().map(|token| token.chosen as usize).collect()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn settings_are_followed_as_hugging_face_follows_them() {
    for case in vectors()["cases"].as_array().unwrap() {
        let name = case["model"].as_str().unwrap();
        let session = opened(name, &case["changed"], &case["generation_config"]);
        let request = RunRequest {
            ids: numbers(&case["ids"]),
            attention_mask: case["attention_mask"]
                .is_array()
                .then(|| numbers(&case["attention_mask"])),
            generate: Some(GenerateRequest { max_tokens: case["max_new_tokens"].as_f64() }),
            ..RunRequest::default()
        };
        let got = written(&session, &request).await;
        assert_eq!(got, indices(&case["generated"]), "{}", case["name"]);
    }
}

/// Every setting of Hugging Face has a class; what it would write otherwise is listed, and so is a
/// key that no code reads.
#[wasm_bindgen_test(unsupported = test)]
fn a_setting_that_is_not_followed_is_listed() {
    let keys = vectors()["keys"].as_array().unwrap().clone();
    let all: Map<String, Value> =
        keys.into_iter().map(|key| (key.as_str().unwrap().to_owned(), json!({}))).collect();
    let named = |own: Value| {
        let warnings = opened("llama-llama3", &json!({}), &own).info().warnings;
        warnings.into_iter().map(|one| {
            assert_eq!(one.file, "generation_config.json");
            (one.field, one.value, one.effect)
        })
    };
    let unknown = named(Value::Object(all)).filter(|one| one.2 == FieldEffect::None);
    assert_eq!(unknown.collect::<Vec<_>>(), [], "each key of Hugging Face's is classed");

    let followed = json!({
        "num_beams": 1, "do_sample": false, "temperature": 0.6, "top_p": 0.9, "length_penalty": 2,
        "early_stopping": true, "pad_token_id": 99, "use_cache": false, "guidance_scale": 1,
        "eos_token_id": [1, 2], "no_repeat_ngram_size": 3, "transformers_version": "5.24.0",
        "cache_implementation": "hybrid", "stop_strings": null,
    });
    assert_eq!(named(followed).collect::<Vec<_>>(), []);

    let generation = FieldEffect::Generation;
    for (own, effect) in [
        (json!({"num_beams": 4}), generation),
        (json!({"do_sample": true}), generation),
        (json!({"stop_strings": ["."]}), generation),
        (json!({"guidance_scale": 1.5}), generation),
        (json!({"encoder_no_repeat_ngram_size": 2}), generation),
        (json!({"cache_implementation": "quantized"}), generation),
        // Hugging Face refuses to write with these.
        (json!({"forced_bos_token_id": 99}), generation),
        (json!({"bad_words_ids": [[1], [99]]}), generation),
        (json!({"bad_words_ids": []}), generation),
        (json!({"repetition_penalty": 0}), generation),
        (json!({"min_length": -1}), generation),
        (json!({"max_new_tokens": 0}), generation),
        (json!({"eos_token_id": "</s>"}), generation),
        // No vocabulary has these, so that they are never written.
        (json!({"eos_token_id": [1, 99]}), FieldEffect::None),
        (json!({"suppress_tokens": [-1]}), FieldEffect::None),
        (json!({"chat_format": "chatml"}), FieldEffect::None),
    ] {
        let (key, value) = own.as_object().unwrap().iter().next().unwrap();
        let want = (key.clone(), value.to_string(), effect);
        assert_eq!(named(own.clone()).collect::<Vec<_>>(), [want]);
    }
    let both = json!({"forced_bos_token_id": 5, "suppress_tokens": [5]});
    let listed: Vec<_> = named(both).map(|(key, ..)| key).collect();
    assert_eq!(listed, ["forced_bos_token_id"]);
}

#[wasm_bindgen_test(unsupported = test)]
fn settings_that_cannot_be_followed_are_refused() {
    let session = opened("llama-llama3", &json!({}), &json!({"max_length": 4}));
    let request = RunRequest {
        ids: vec![1.0; 4],
        generate: Some(GenerateRequest::default()),
        ..RunRequest::default()
    };
    let refused = session.begin(&request, None).err().unwrap();
    assert_eq!(refused.code.as_str(), "input/too-long");
    assert!(refused.to_string().contains("max_length"), "{refused}");

    let weights = checkpoint(&SafeTensors::deserialize(NUMBERS).unwrap(), "llama-llama3");
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let config = families["llama-llama3"]["config"].to_string();
    let refused = Session::load_with(Cpu, &config, Some("[]"), &weights).err().unwrap();
    assert_eq!(refused.code.as_str(), "config/not-json");
    assert!(refused.to_string().contains("generation_config.json"), "{refused}");
}

/// A run that is forked while it writes goes on as if it had not been, and the fork computes what a
/// run of its tokens computes, both to the bit.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_fork_goes_on_by_itself() {
    let edits = json!({
        "masks": [{"stack": "decoder", "preset": {"kind": "window", "width": 2}}],
        "heads": [{"layers": [0], "heads": [1], "gate": 0.5}],
    });
    for reference in [reference!("marian-tiny"), reference!("gpt2-tiny"), reference!("llama-tiny")]
    {
        let session = reference.load(Cpu);
        for edits in [json!({}), edits.clone()] {
            let what = format!("{} {edits}", reference.name);
            let request = writing(under(&session, &[5.0, 9.0, 13.0, 2.0], &edits), 6.0);
            let untouched = session.begin(&request, None).unwrap();
            untouched.finish().await.unwrap();

            let run = session.begin(&request, None).unwrap();
            while run.step().await.unwrap().generated.is_empty() {}
            let forks = [[7_u32, 11], [8, 7]].map(|own| (own, run.forked(&own)));
            let before = written_ids(&run);
            run.finish().await.unwrap();
            assert_same(&session, &run, &untouched, &what).await;
            for (own, fork) in forks {
                fork.finish().await.unwrap();
                let mut ids = written_ids(&fork);
                assert_eq!(ids[ids.len() - 2..], own.map(f64::from), "{what}");
                let fresh = session.begin(&reading(&session, &request, &ids), None).unwrap();
                fresh.finish().await.unwrap();
                assert_same(&session, &fork, &fresh, &what).await;
                assert!(fork.executed().blocks > 0, "{what}: nothing was computed");
                ids.truncate(before.len());
                assert_eq!(ids, before, "{what}");
            }
            assert_same(&session, &run, &untouched, &what).await;
        }
    }
}
