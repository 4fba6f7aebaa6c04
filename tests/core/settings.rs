//! Settings of families, heads over a known body and families under another name beside Hugging
//! Face: hidden states, attention weights and logits of tiny models whose weights are drawn by
//! name.

use crate::support::drawn::drawn_checkpoint;
use crate::support::parity::settings_on;
use crate::support::references::{SETTINGS, SETTINGS_ANSWERS};
use crate::support::{
    Answers, Session, assert_close, assert_same, assert_same_bits, finished, hidden, indices,
    request, under,
};

use headscope::backend::{Backend, Cpu};
use headscope::error::Result;
use headscope::run::{GenerateRequest, RunRequest};
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

/// A setting's model with changes of its config.
fn loaded(name: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Result<Session<Cpu>> {
    loaded_on(Cpu, name, change)
}

fn loaded_on<B: Backend>(
    backend: B,
    name: &str,
    change: impl FnOnce(&mut Map<String, Value>),
) -> Result<Session<B>> {
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let setting = &settings[name];
    let mut config = setting["config"].as_object().unwrap().clone();
    change(&mut config);
    let weights = drawn_checkpoint(setting["tensors"].as_object().unwrap());
    Session::load(backend, &Value::Object(config).to_string(), &weights)
}

/// A setting's model.
pub fn opened(name: &str) -> Session<Cpu> {
    opened_on(Cpu, name)
}

/// A setting's model on a backend.
pub fn opened_on<B: Backend>(backend: B, name: &str) -> Session<B> {
    loaded_on(backend, name, |_| ()).unwrap()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn every_setting_computes_what_hugging_face_computes() {
    settings_on(Cpu, assert_close).await;
}

#[wasm_bindgen_test(unsupported = test)]
fn what_is_not_computed_of_a_setting_is_refused_and_named() {
    for (name, field, value) in [
        ("ibert", "quant_mode", json!(true)),
        ("mvp", "use_prompt", json!(true)),
        ("big_bird", "attention_type", json!("another")),
        ("big_bird", "is_decoder", json!(true)),
        ("albert-groups", "inner_group_num", json!(0)),
        ("albert-groups", "num_hidden_groups", json!(0)),
        ("internlm3", "qkv_bias", json!(true)),
        ("deberta-v2-convolution", "conv_kernel_size", json!(4)),
        ("deberta-v2-groups", "conv_groups", json!(5)),
        ("deberta-v2-groups", "conv_act", json!("another")),
    ] {
        let refused = loaded(name, |config| {
            config.insert(field.to_owned(), value);
        });
        let error = refused.err().unwrap_or_else(|| panic!("{name}: {field} was read"));
        assert_eq!(error.code.as_str(), "config/bad-field", "{name}: {error}");
        assert!(error.to_string().contains(field), "{name}: {error}");
    }
}

/// Each token that is written stretches the rotation a little further; what was cached stays.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_stretched_text_grows_as_hugging_face_writes_it() {
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let session = opened("llama-dynamic");
    assert_eq!(session.info().max_tokens, 18);
    let case = &settings["llama-dynamic"]["written"];
    let run = finished(&session, &request(case, session.info().architecture), None).await;
    let (want, shape) = Answers::open(SETTINGS_ANSWERS).get("llama-dynamic/written");
    let first = indices(&case["ids"]).len() - 1;
    let rows: Vec<usize> = (first..first + shape[0]).collect();
    let got = run.logits(Some(&rows)).unwrap().await.unwrap();
    assert_close(&got.into_data(), &want, "logits of written tokens");
}

/// A text that begins with the usual periods ends where longer ones have others; nothing of one is
/// reused for the other.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn texts_on_both_sides_of_a_rotation_share_no_rows() {
    for name in ["llama-dynamic", "phi3-long"] {
        let session = opened(name);
        let text = |n: usize| RunRequest {
            ids: [5.0, 9.0, 13.0, 17.0, 2.0, 8.0, 11.0, 4.0][..n].to_vec(),
            ..RunRequest::default()
        };
        let long = finished(&session, &text(8), None).await;
        let short = finished(&session, &text(6), Some(&long)).await;
        assert_eq!(short.executed().reused_tokens, 0, "{name}");
        let alone = finished(&session, &text(6), None).await;
        let [got, want] = [hidden(&short, "decoder", 2).await, hidden(&alone, "decoder", 2).await];
        assert_eq!(got, want, "{name}");
        assert_eq!(finished(&session, &text(5), Some(&short)).await.executed().reused_tokens, 5);
    }
}

/// A text that grows beyond the original length is turned by the long factors from then on, all of
/// it, as Hugging Face drops what it cached: steps before have the numbers of the short ones.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_outgrows_its_factors_is_turned_anew() {
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let session = opened("phi3-long");
    let case = &settings["phi3-long"]["written"];
    let sent = request(case, session.info().architecture);
    let run = session.begin(&sent, None).unwrap();
    let written = run.finish().await.unwrap().generated;
    let chosen: Vec<usize> = written.iter().map(|token| token.chosen as usize).collect();
    assert_eq!(chosen, indices(&case["generated"]));
    let (want, shape) = Answers::open(SETTINGS_ANSWERS).get("phi3-long/written");
    for (token, logits) in written.iter().zip(want.chunks(shape[1])) {
        for candidate in &token.candidates {
            let want = logits[candidate.id as usize];
            assert_close(&[candidate.logit], &[want], "the logit of a candidate");
        }
    }
    let text = |ids: &[u32]| RunRequest {
        ids: ids.iter().copied().map(f64::from).collect(),
        ..RunRequest::default()
    };
    // What was written is the text as it is read, and another run finds it so.
    let again = finished(&session, &sent, Some(&run)).await;
    for run in [&run, &again] {
        let read = finished(&session, &text(&run.target_ids()), None).await;
        for layer in 0..3 {
            let got = hidden(run, "decoder", layer).await.into_data();
            assert_same_bits(&got, &hidden(&read, "decoder", layer).await.into_data(), "a layer");
        }
    }
    assert_eq!(again.executed().blocks, 0);
    let short = finished(&session, &text(&run.target_ids()[..5]), Some(&again)).await;
    assert_eq!(short.executed().reused_tokens, 0);
}

/// Its rows read tokens on both sides of them.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_convolution_is_computed_again_to_the_bit() {
    let session = opened("deberta-v2-convolution");
    let ids = [5.0, 9.0, 13.0, 17.0, 2.0, 8.0, 11.0, 4.0];
    let plain = finished(&session, &under(&session, &ids, &json!({})), None).await;
    for (edits, n_blocks) in [
        (json!({"masks": [{"layers": [1], "block": [[1, 0]]}]}), 1),
        (json!({"masks": [{"layers": [0], "block": [[1, 0]]}]}), 2),
        (json!({"heads": [{"layers": [0], "heads": [1], "gate": 0}]}), 2),
        (json!({"blocks": [{"layers": [0], "sublayers": ["feed-forward"], "residual": false}]}), 2),
    ] {
        let request = under(&session, &ids, &edits);
        let again = finished(&session, &request, Some(&plain)).await;
        let alone = finished(&session, &request, None).await;
        assert_same(&session, &again, &alone, &edits.to_string()).await;
        assert_eq!(again.executed().blocks, n_blocks, "{edits}");
    }
    for n in [5, 7] {
        let hidden: Vec<f64> = (0..n).map(|at| f64::from(u8::from(at != 3))).collect();
        let ids = ids[..n].to_vec();
        let request = RunRequest { ids, attention_mask: Some(hidden), ..RunRequest::default() };
        let again = finished(&session, &request, Some(&plain)).await;
        let alone = finished(&session, &request, None).await;
        assert_same(&session, &again, &alone, "a masked token").await;
    }
}

/// Where it does not follow from the width of the model.
#[wasm_bindgen_test(unsupported = test)]
fn a_width_of_heads_has_the_default_of_its_family() {
    for (name, field, width) in [("seed_oss", "head_dim", 128), ("t5-encoder", "d_kv", 64)] {
        let loaded = loaded(name, |config| {
            config.remove(field);
        });
        let error = loaded.err().unwrap_or_else(|| panic!("{name} has other heads"));
        let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
        let config = &settings[name]["config"];
        let heads = config.get("num_attention_heads").or(config.get("num_heads")).unwrap();
        let rows = width * heads.as_u64().unwrap();
        assert!(error.to_string().contains(&format!("shape [{rows}, ")), "{name}: {error}");
    }
}

/// Longer ones would look at blocks of keys, of which some are drawn by chance.
#[wasm_bindgen_test(unsupported = test)]
fn a_sparse_model_takes_the_texts_that_see_all_keys() {
    let session = opened("big_bird-sparse");
    assert_eq!(session.info().max_tokens, 14);
    let text = |n: usize| RunRequest { ids: vec![3.0; n], ..RunRequest::default() };
    assert!(session.begin(&text(14), None).is_ok());
    let error = session.begin(&text(15), None).err().unwrap();
    assert_eq!(error.code.as_str(), "input/too-long");
}

/// A tied table is no head where the folder is a classifier.
#[wasm_bindgen_test(unsupported = test)]
fn a_head_that_is_not_computed_is_named() {
    let head = |session: Session<Cpu>| session.info().missing_head;
    let classifier = "Qwen2ForSequenceClassification";
    assert_eq!(head(opened("qwen2-classifier")).as_deref(), Some(classifier));
    let unnamed = loaded("qwen2-classifier", |config| {
        config.remove("architectures");
    });
    assert_eq!(head(unnamed.unwrap()).as_deref(), Some("score.weight"));
    // Of ELECTRA the generator predicts tokens, not the discriminator.
    let discriminator = "ElectraForPreTraining";
    assert_eq!(head(opened("electra-discriminator")).as_deref(), Some(discriminator));
    assert_eq!(head(opened("bert-decoder")), None);
    assert_eq!(head(opened("t5-encoder")), None);
}

/// It would never come to an end.
#[wasm_bindgen_test(unsupported = test)]
fn a_model_without_a_head_writes_nothing() {
    let generate =
        Some(GenerateRequest { max_new_tokens: Some(2.0), ..GenerateRequest::default() });
    let ids = vec![5.0, 9.0];
    for name in ["bart-classifier", "llama-classifier"] {
        let sent =
            RunRequest { ids: ids.clone(), generate: generate.clone(), ..Default::default() };
        let refused = opened(name).begin(&sent, None).err().map(|error| error.code.as_str());
        assert_eq!(refused, Some("output/unavailable"), "{name}");
    }
}

/// GPT-SW3 is a GPT-2 under another name.
#[wasm_bindgen_test(unsupported = test)]
fn a_family_opens_under_its_other_names() {
    let session = loaded("gpt2-by-layer", |config| {
        config.insert("model_type".to_owned(), json!("gpt-sw3"));
    });
    assert_eq!(session.unwrap().info().family, "gpt2");
}
