//! `config.json` that is none, lacks or contradicts what it needs, or asks for sizes that
//! no machine has.

use crate::support::Session;
use headscope::backend::Cpu;
use headscope::error::Error;
use headscope::run::RunRequest;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::craft::Parts;
use crate::reference;
use crate::support::{Reference, assert_same_bits, finished};
use crate::witness::{Witness, assert_refused, families, good_request, writing};

fn fields(reference: &Reference) -> Map<String, Value> {
    serde_json::from_str(reference.config).expect("a good config")
}

/// The model's files with one field of the config changed.
fn load_with(reference: &Reference, field: &str, value: Value) -> Result<Session<Cpu>, Error> {
    let mut fields = fields(reference);
    fields.insert(field.to_owned(), value);
    Session::load(Cpu, &Value::Object(fields).to_string(), reference.checkpoint)
}

/// The fields of a family that hold sizes.
fn sizes(reference: &Reference) -> &'static [&'static str] {
    match reference.name {
        "marian-tiny" => &[
            "d_model",
            "vocab_size",
            "encoder_layers",
            "encoder_attention_heads",
            "encoder_ffn_dim",
            "decoder_layers",
            "decoder_attention_heads",
            "decoder_ffn_dim",
        ],
        "bert-tiny" | "llama-tiny" => &[
            "hidden_size",
            "vocab_size",
            "num_hidden_layers",
            "num_attention_heads",
            "intermediate_size",
        ],
        _ => &["n_embd", "vocab_size", "n_layer", "n_head"],
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_no_json_object_is_refused() {
    let witness = Witness::new(reference!("bert-tiny")).await;
    let deep = "[".repeat(100_000);
    for text in
        ["", "{", "[]", "7", "null", "\"bert\"", "<html>", "{\"a\":1e999}", "\u{feff}{}", &deep]
    {
        let loaded = Session::load(Cpu, text, witness.reference.checkpoint);
        let words = ["config.json", "a JSON object"];
        assert_refused(
            loaded,
            "config/not-json",
            &words,
            &text.chars().take(9).collect::<String>(),
        );
    }
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = test)]
fn a_family_that_is_not_built_in_is_refused() {
    let gpt2 = reference!("gpt2-tiny");
    for family in
        [json!("mamba"), json!("GPT2"), json!(""), json!("x".repeat(100_000)), Value::Null]
    {
        let words = ["model_type", "marian, bert, gpt2 or llama"];
        let loaded = load_with(&gpt2, "model_type", family);
        assert_refused(loaded, "config/unsupported-family", &words, "another family");
    }
    let loaded = load_with(&gpt2, "model_type", json!(["gpt2"]));
    assert_refused(loaded, "config/bad-field", &["model_type", "a text"], "a list of families");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_missing_size_is_named() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        for &field in sizes(&witness.reference) {
            let mut without = fields(&witness.reference);
            without.remove(field);
            let config = Value::Object(without).to_string();
            let loaded = Session::load(Cpu, &config, witness.reference.checkpoint);
            assert_refused(loaded, "config/missing-field", &[field, "a whole number"], field);
            let loaded = load_with(&witness.reference, field, Value::Null);
            assert_refused(loaded, "config/missing-field", &[field], field);
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_size_that_is_no_whole_number_is_named() {
    for reference in families() {
        for &field in sizes(&reference) {
            for value in [json!(-1), json!(1.5), json!("6"), json!([6]), json!({}), json!(true)] {
                let loaded = load_with(&reference, field, value.clone());
                let words = [field, "a whole number from 0", &value.to_string()];
                assert_refused(loaded, "config/bad-field", &words, &format!("{field}: {value}"));
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn zero_sizes_are_refused() {
    for reference in families() {
        for &field in sizes(&reference) {
            let loaded = load_with(&reference, field, json!(0));
            assert_refused(loaded, "config/bad-field", &["at least 1", "found 0"], field);
        }
    }
    for (reference, field) in [
        (reference!("marian-tiny"), "max_position_embeddings"),
        (reference!("bert-tiny"), "max_position_embeddings"),
        (reference!("bert-tiny"), "type_vocab_size"),
        (reference!("gpt2-tiny"), "n_positions"),
        (reference!("gpt2-tiny"), "n_inner"),
        (reference!("llama-tiny"), "max_position_embeddings"),
        (reference!("llama-tiny"), "num_key_value_heads"),
        (reference!("llama-tiny"), "head_dim"),
    ] {
        let loaded = load_with(&reference, field, json!(0));
        assert_refused(loaded, "config/bad-field", &["at least 1"], field);
    }
}

/// Were anything of these sizes allocated, the test would not come back.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn absurd_sizes_are_refused_before_anything_is_allocated() {
    let absurd = [
        json!(1u64 << 31),
        json!(u32::MAX),
        json!(1u64 << 32),
        json!(1_000_000_000_000_000_000u64),
        json!(1u64 << 63),
        json!(u64::MAX),
        json!(1e18),
        json!(1e300),
    ];
    for reference in families() {
        let witness = Witness::new(reference).await;
        let more = ["max_position_embeddings", "n_positions", "num_key_value_heads", "head_dim"];
        // Rotary positions beyond the longest table are a warning.
        let is_rotary = witness.reference.name == "llama-tiny";
        let more = more.iter().filter(|&&field| {
            witness.reference.config.contains(field)
                && !(is_rotary && field == "max_position_embeddings")
        });
        for &field in sizes(&witness.reference).iter().chain(more) {
            for value in &absurd {
                let loaded = load_with(&witness.reference, field, value.clone());
                let what = format!("{}: {field}: {value}", witness.reference.name);
                if field.ends_with("heads") || field == "n_head" {
                    let code = loaded.as_ref().err().map(|error| error.code.as_str());
                    let known = ["config/too-large", "config/contradiction"];
                    assert!(code.is_some_and(|code| known.contains(&code)), "{what}: {code:?}");
                } else {
                    assert_refused(loaded, "config/too-large", &["at most"], &what);
                }
            }
        }
        witness.assert_unharmed().await;
    }
    // No tensor of the file bounds the length of positions that are computed.
    let loaded =
        load_with(&reference!("marian-tiny"), "max_position_embeddings", json!(10_000_000));
    let words = ["max_position_embeddings", "fits in memory"];
    assert_refused(loaded, "config/too-large", &words, "a long table");
}

#[wasm_bindgen_test(unsupported = test)]
fn fields_that_contradict_each_other_are_named() {
    let [marian, bert, gpt2, llama] = families();
    let cases = [
        (&marian, "encoder_attention_heads", 7, "encoder_attention_heads"),
        (&marian, "decoder_attention_heads", 31, "decoder_attention_heads"),
        (&bert, "num_attention_heads", 4, "num_attention_heads"),
        (&gpt2, "n_head", 4, "n_head"),
        (&llama, "num_attention_heads", 3, "num_attention_heads"),
        (&llama, "num_key_value_heads", 3, "num_key_value_heads"),
        (&llama, "num_key_value_heads", 8, "num_key_value_heads"),
        (&llama, "head_dim", 5, "head_dim"),
    ];
    for (reference, field, value, named) in cases {
        let loaded = load_with(reference, field, json!(value));
        let words = [named, &value.to_string()];
        assert_refused(loaded, "config/contradiction", &words, &format!("{field}: {value}"));
    }
}

/// What Hugging Face computes without them, or generation alone uses, is no reason to refuse a
/// folder: the model computes the same bits, and its information names the fields.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn fields_that_change_no_number_are_warnings() {
    let [marian, bert, gpt2, llama] = families();
    let cases = [
        (&marian, "decoder_start_token_id", json!(61)),
        (&marian, "eos_token_id", json!(4_000_000)),
        (&marian, "eos_token_id", json!([])),
        (&marian, "bad_words_ids", json!([[60], [61], [-1]])),
        (&marian, "bad_words_ids", json!("none")),
        (&marian, "normalize_before", json!(true)),
        (&bert, "pad_token_id", json!(61)),
        (&gpt2, "bos_token_id", json!(50_256)),
        (&gpt2, "eos_token_id", json!(0.5)),
        (&gpt2, "add_cross_attention", json!(true)),
        (&llama, "pad_token_id", json!(-1)),
        (&llama, "eos_token_id", json!([128_001, 128_009])),
        (&llama, "max_position_embeddings", json!(10_000_000)),
        (&llama, "rope_parameters", json!({"rope_theta": 100, "partial_rotary_factor": 0.5})),
        (&llama, "rope_scaling", json!({"type": "dynamic", "factor": 2.0})),
        (&bert, "hidden_act", json!("gelu_python")),
    ];
    for (reference, field, value) in cases {
        let what = format!("{field} of {}: {value}", reference.name);
        let plain = reference.load(Cpu);
        let session = load_with(reference, field, value.clone()).unwrap();
        let warnings = session.info().warnings;
        let named: Vec<_> = warnings.iter().map(|one| (&*one.field, &*one.value)).collect();
        match field {
            "rope_scaling" | "hidden_act" => assert_eq!(named, [], "{what}"),
            "rope_parameters" => assert_eq!(named, [("partial_rotary_factor", "0.5")]),
            _ => assert_eq!(named, [(field, &*value.to_string())], "{what}"),
        }
        let request = good_request(&plain);
        let (before, after) = (
            finished(&plain, &request, None).await.logits(None).unwrap().await.unwrap(),
            finished(&session, &request, None).await.logits(None).unwrap().await.unwrap(),
        );
        assert_same_bits(&after.into_data(), &before.into_data(), &what);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        let begun = session.begin(&RunRequest { target_ids: None, ..writing(request, 3.0) }, None);
        if field == "decoder_start_token_id" {
            assert_refused(begun, "input/unexpected-target", &["start token"], &what);
            continue;
        }
        let written = begun.unwrap().finish().await.unwrap().generated;
        let ended = written.last().map(|token| token.chosen) == session.info().end_token;
        assert!(written.len() == 3 || ended, "{what}: {written:?}");
    }
    assert!(reference!("llama-tiny").load(Cpu).info().warnings.is_empty());
}

#[wasm_bindgen_test(unsupported = test)]
fn other_fields_of_a_wrong_kind_are_named() {
    let [marian, bert, gpt2, llama] = families();
    let cases = [
        (&marian, "activation_function", json!("mish"), "relu, gelu"),
        (&marian, "activation_function", json!(3), "a text"),
        (&marian, "scale_embedding", json!("yes"), "true or false"),
        (&marian, "tie_word_embeddings", json!(1), "true or false"),
        (&bert, "position_embedding_type", json!("relative_key"), "absolute"),
        (&bert, "is_decoder", json!(true), "false"),
        (&bert, "layer_norm_eps", json!("1e-12"), "a number"),
        (&gpt2, "scale_attn_weights", json!(false), "true"),
        (&gpt2, "tie_word_embeddings", json!("x".repeat(100_000)), "true or false"),
        (&llama, "rope_theta", json!("fast"), "a number"),
        (&llama, "rope_scaling", json!({"rope_type": "llama3", "factor": 8.0}), "default"),
        (&llama, "rope_scaling", json!({"type": "linear", "factor": 2.0}), "default"),
        (&llama, "rope_parameters", json!({"rope_type": "yarn"}), "default"),
        (&llama, "rope_parameters", json!({"rope_type": 3}), "a text"),
        (&llama, "rope_parameters", json!(10_000), "an object"),
        (&llama, "attention_bias", json!("no"), "true or false"),
        (&llama, "hidden_act", json!("mish"), "relu, gelu"),
    ];
    for (reference, field, value, expected) in cases {
        let what = format!("{field} of {}", reference.name);
        let loaded = load_with(reference, field, value.clone());
        // Inside an object it is the inner field that is wrong.
        let named = if value["rope_type"] == json!(3) { "rope_type" } else { field };
        assert_refused(loaded, "config/bad-field", &[named, expected], &what);
    }
    for theta in [json!(0), json!(-10_000)] {
        let loaded = load_with(&llama, "rope_parameters", json!({"rope_theta": theta}));
        assert_refused(loaded, "config/bad-field", &["rope_theta", "positive"], "a base");
    }
    for epsilon in [json!(-1e-5), json!(1e60)] {
        let loaded = load_with(&bert, "layer_norm_eps", epsilon);
        assert_refused(
            loaded,
            "config/bad-field",
            &["layer_norm_eps", "a small number"],
            "an epsilon",
        );
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_config_that_contradicts_the_weights_is_refused() {
    let (shape, missing) = ("checkpoint/wrong-shape", "checkpoint/missing-tensor");
    let cases = [
        (reference!("marian-tiny"), "d_model", 60, shape),
        (reference!("marian-tiny"), "vocab_size", 62, shape),
        (reference!("marian-tiny"), "encoder_ffn_dim", 38, shape),
        (reference!("marian-tiny"), "encoder_layers", 4, missing),
        (reference!("marian-tiny"), "decoder_layers", 1000, missing),
        (reference!("bert-tiny"), "hidden_size", 60, shape),
        (reference!("bert-tiny"), "max_position_embeddings", 20, shape),
        (reference!("bert-tiny"), "type_vocab_size", 3, shape),
        (reference!("bert-tiny"), "num_hidden_layers", 4, missing),
        (reference!("gpt2-tiny"), "n_embd", 60, shape),
        (reference!("gpt2-tiny"), "n_inner", 42, shape),
        (reference!("gpt2-tiny"), "n_positions", 18, shape),
        (reference!("gpt2-tiny"), "n_layer", 4, missing),
        (reference!("llama-tiny"), "hidden_size", 32, shape),
        (reference!("llama-tiny"), "head_dim", 8, shape),
        (reference!("llama-tiny"), "num_key_value_heads", 1, shape),
        (reference!("llama-tiny"), "intermediate_size", 42, shape),
        (reference!("llama-tiny"), "num_hidden_layers", 4, missing),
    ];
    for (reference, field, value, code) in cases {
        let witness = Witness::new(reference).await;
        let loaded = load_with(&witness.reference, field, json!(value));
        let says = if code == shape { "as the config says" } else { "which the config asks for" };
        let names = Parts::of(witness.reference.checkpoint).names();
        let what = format!("{}: {field}: {value}", witness.reference.name);
        if let Err(error) = &loaded {
            let sentence = error.to_string();
            assert!(code == missing || names.iter().any(|name| sentence.contains(name)), "{what}");
        }
        assert_refused(loaded, code, &[says], &what);
        witness.assert_unharmed().await;
    }
}
