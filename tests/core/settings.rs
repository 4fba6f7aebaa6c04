//! Settings of families, heads over a known body and families under another name beside Hugging Face:
//! hidden states, attention weights and logits of tiny models whose weights are drawn by name.

use crate::support::drawn::drawn_checkpoint;
use crate::support::parity::settings_on;
use crate::support::references::SETTINGS;
use crate::support::{Session, assert_close};

use headscope::backend::Cpu;
use headscope::error::Result;
use headscope::run::RunRequest;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

/// A setting's model with changes of its config.
fn loaded(name: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Result<Session<Cpu>> {
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let setting = &settings[name];
    let mut config = setting["config"].as_object().unwrap().clone();
    change(&mut config);
    let weights = drawn_checkpoint(setting["tensors"].as_object().unwrap());
    Session::load(Cpu, &Value::Object(config).to_string(), &weights)
}

/// A setting's model.
pub fn opened(name: &str) -> Session<Cpu> {
    loaded(name, |_| ()).unwrap()
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
        ("deberta-v2-classifier", "conv_kernel_size", json!(3)),
    ] {
        let refused = loaded(name, |config| {
            config.insert(field.to_owned(), value);
        });
        let error = refused.err().unwrap_or_else(|| panic!("{name}: {field} was read"));
        assert_eq!(error.code.as_str(), "config/bad-field", "{name}: {error}");
        assert!(error.to_string().contains(field), "{name}: {error}");
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
    assert_eq!(head(opened("bert-decoder")), None);
    assert_eq!(head(opened("t5-encoder")), None);
}

/// GPT-SW3 is a GPT-2 under another name.
#[wasm_bindgen_test(unsupported = test)]
fn a_family_opens_under_its_other_names() {
    let session = loaded("gpt2-by-layer", |config| {
        config.insert("model_type".to_owned(), json!("gpt-sw3"));
    });
    assert_eq!(session.unwrap().info().family, "gpt2");
}
