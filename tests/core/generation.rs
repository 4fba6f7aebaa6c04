//! Texts under the settings of a model's files and of a request, beside Hugging Face: greedy ones
//! token by token, drawn ones by their probabilities; and the class of every setting that there is.

use crate::support::references::{FAMILIES, NUMBERS, checkpoint};
use crate::support::{
    Session, assert_same, indices, numbers, reading, under, writing, written_ids,
};

use headscope::backend::Cpu;
use headscope::decode::{Sampler, Scores, Strategy};
use headscope::kernels::softmax::softmax_row;
use headscope::model::Sampling;
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
pub fn opened(name: &str, changed: &Value, own: &Value) -> Session<Cpu> {
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
            generate: Some(GenerateRequest {
                max_new_tokens: case["max_new_tokens"].as_f64(),
                ..GenerateRequest::default()
            }),
            ..RunRequest::default()
        };
        let got = written(&session, &request).await;
        assert_eq!(got, indices(&case["generated"]), "{}", case["name"]);
    }
}

/// A request takes the settings of the files by the same names, in their place.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn settings_of_a_request_are_those_of_the_files() {
    let fields = [
        "min_new_tokens",
        "repetition_penalty",
        "no_repeat_ngram_size",
        "bad_words_ids",
        "suppress_tokens",
        "begin_suppress_tokens",
        "forced_bos_token_id",
        "forced_eos_token_id",
        "eos_token_id",
    ];
    let mut moved = 0;
    for case in vectors()["cases"].as_array().unwrap() {
        let Some(own) = case["generation_config"].as_object() else { continue };
        let (mut sent, files): (Map<String, Value>, Map<String, Value>) =
            own.clone().into_iter().partition(|(key, _)| fields.contains(&key.as_str()));
        if sent.is_empty() || files.contains_key("max_new_tokens") {
            continue;
        }
        for list in ["eos_token_id", "forced_eos_token_id"] {
            if let Some(id) = sent.get_mut(list).filter(|ids| !ids.is_array()) {
                *id = json!([*id]);
            }
        }
        moved += sent.len();
        sent.insert("max_new_tokens".to_owned(), case["max_new_tokens"].clone());
        let session =
            opened(case["model"].as_str().unwrap(), &case["changed"], &Value::Object(files));
        let request = RunRequest {
            ids: numbers(&case["ids"]),
            attention_mask: case["attention_mask"]
                .is_array()
                .then(|| numbers(&case["attention_mask"])),
            generate: Some(serde_json::from_value(Value::Object(sent)).unwrap()),
            ..RunRequest::default()
        };
        let got = written(&session, &request).await;
        assert_eq!(got, indices(&case["generated"]), "{}", case["name"]);
    }
    assert!(moved > fields.len(), "only {moved} settings were moved");
}

/// The sampler of a vector, its scores and the probabilities of Hugging Face.
fn samplings() -> Vec<(Sampling, Vec<f32>, Vec<f64>)> {
    let read = |case: &Value| {
        let sampling = &case["sampling"];
        let scores = case["scores"].as_array().unwrap().iter();
        (
            Sampling {
                temperature: sampling["temperature"].as_f64().unwrap(),
                top_k: sampling["top_k"].as_u64().unwrap() as usize,
                top_p: sampling["top_p"].as_f64().unwrap_or(1.0),
                min_p: sampling["min_p"].as_f64(),
            },
            scores.map(|score| score.as_f64().map_or(f32::NEG_INFINITY, |s| s as f32)).collect(),
            numbers(&case["probabilities"]),
        )
    };
    vectors()["samplings"].as_array().unwrap().iter().map(read).collect()
}

#[wasm_bindgen_test(unsupported = test)]
fn tokens_are_drawn_by_the_probabilities_of_hugging_face() {
    for (sampling, scores, wanted) in samplings() {
        let mut changed = Scores::of(scores);
        let choice = Sampler::new(sampling, 0).choose(0, &mut changed).unwrap();
        let mut got = changed.values().to_vec();
        softmax_row(&mut got);
        for (at, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            assert!((f64::from(*got) - wanted).abs() < 1e-6, "{sampling:?}: token {at}");
        }
        let draw = choice.draw.unwrap();
        assert!((draw.from..draw.to).contains(&draw.number), "{sampling:?}: {draw:?}");
        assert!((draw.to - draw.from - wanted[choice.entry]).abs() < 1e-6, "{sampling:?}");
        let stages = changed.into_stages();
        assert!(stages.windows(2).all(|pair| pair[0].n_possible >= pair[1].n_possible));
    }
}

/// 10,000 draws have the distribution of Hugging Face by a χ² test with p > 0.01.
#[wasm_bindgen_test(unsupported = test)]
fn draws_have_the_distribution_of_hugging_face() {
    const DRAWS: usize = 10_000;
    for (sampling, scores, wanted) in samplings() {
        let mut counts = vec![0_usize; wanted.len()];
        let mut sampler = Sampler::new(sampling, 17);
        for step in 0..DRAWS {
            let choice = sampler.choose(step, &mut Scores::of(scores.clone())).unwrap();
            counts[choice.entry] += 1;
        }
        // Tokens that are drawn less than five times on average are counted together.
        let mut rare = (0, 0.0);
        let mut statistic = 0.0;
        let mut cells = 0;
        for (&count, &probability) in counts.iter().zip(&wanted) {
            let average = probability * DRAWS as f64;
            assert!(probability > 0.0 || count == 0, "{sampling:?}: a forbidden token");
            if average < 5.0 {
                rare = (rare.0 + count, rare.1 + average);
            } else {
                statistic += (count as f64 - average).powi(2) / average;
                cells += 1;
            }
        }
        if rare.1 >= 5.0 {
            statistic += (rare.0 as f64 - rare.1).powi(2) / rare.1;
            cells += 1;
        }
        // The 99th percentile of χ² (Wilson and Hilferty 1931), within 2 % for a freedom of 2.
        let freedom = f64::from(cells - 1);
        let spread = 2.0 / (9.0 * freedom);
        let limit = freedom * (1.0 - spread + 2.326 * spread.sqrt()).powi(3);
        assert!(freedom < 1.0 || statistic < limit, "{sampling:?}: {statistic} of {limit}");
    }
}

/// The same seed writes the same text, natively and as wasm, and another seed another one.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_seed_is_a_text() {
    let session = opened("llama-llama3", &json!({}), &json!({"top_p": 0.95}));
    let drawn = |seed: u64| RunRequest {
        ids: vec![5.0, 9.0, 13.0, 5.0],
        generate: serde_json::from_value(json!({
            "do_sample": true, "max_new_tokens": 8, "temperature": 1.3, "seed": seed,
        }))
        .unwrap(),
        ..RunRequest::default()
    };
    let first = written(&session, &drawn(3)).await;
    assert_eq!(first, written(&session, &drawn(3)).await);
    assert_ne!(first, written(&session, &drawn(4)).await);
    assert_eq!(first, [10, 9, 3, 2, 12, 10, 7, 26]);
}

#[wasm_bindgen_test(unsupported = test)]
fn a_continuation_that_cannot_be_written_is_refused() {
    let session = opened("llama-llama3", &json!({}), &json!({"typical_p": 0.9}));
    for (sent, code, named) in [
        (json!({"do_sample": true, "temperature": 0}), "input/out-of-range", "`temperature`"),
        (json!({"do_sample": true, "temperature": 1e-60}), "input/out-of-range", "`temperature`"),
        (json!({"do_sample": true, "top_p": 1.5}), "input/out-of-range", "`top_p`"),
        (json!({"do_sample": true, "min_p": -0.1}), "input/out-of-range", "`min_p`"),
        (json!({"do_sample": true, "top_k": 2.5}), "input/out-of-range", "`top_k`"),
        (json!({"do_sample": true, "seed": 0.5}), "input/out-of-range", "`seed`"),
        (json!({"do_sample": true}), "input/malformed", "`typical_p`"),
        (json!({"temperature": 0.7}), "input/malformed", "`do_sample: true`"),
        (json!({"do_sample": false, "seed": 1}), "input/malformed", "`do_sample: true`"),
        (json!({"repetition_penalty": 0}), "input/out-of-range", "`repetition_penalty`"),
        (json!({"eos_token_id": [99]}), "input/bad-id", "`eos_token_id`"),
        (json!({"bad_words_ids": [[]]}), "input/malformed", "`bad_words_ids`"),
        (json!({"forced_bos_token_id": 5, "suppress_tokens": [5]}), "input/malformed", "token 5"),
        (json!({"max_new_tokens": -1}), "input/out-of-range", "`max_new_tokens`"),
    ] {
        let request = RunRequest {
            ids: vec![1.0; 4],
            generate: serde_json::from_value(sent.clone()).unwrap(),
            ..RunRequest::default()
        };
        let refused = session.begin(&request, None).err().unwrap();
        assert_eq!(refused.code.as_str(), code, "{sent}: {refused}");
        assert!(refused.to_string().contains(named), "{sent}: {refused}");
    }
    let nan = GenerateRequest {
        do_sample: Some(true),
        temperature: Some(f64::NAN),
        ..GenerateRequest::default()
    };
    let request = RunRequest { ids: vec![1.0], generate: Some(nan), ..RunRequest::default() };
    let refused = session.begin(&request, None).err().unwrap();
    assert_eq!(refused.code.as_str(), "input/out-of-range");
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
