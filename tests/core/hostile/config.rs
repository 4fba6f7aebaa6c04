//! `config.json` that is none, lacks or contradicts what it needs, or asks for sizes that
//! no machine has.

use crate::support::Session;
use headscope::backend::Cpu;
use headscope::error::Error;
use headscope::run::RunRequest;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::reference_model::{
    ReferenceModel, assert_refused, good_request, reference_models, writing,
};
use crate::support::{Reference, assert_same_bits, families, finished};

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

/// The sizes of a family that may be left out.
fn more_sizes(reference: &Reference) -> &'static [&'static str] {
    match reference.name {
        "marian-tiny" => &["max_position_embeddings"],
        "bert-tiny" => &["max_position_embeddings", "type_vocab_size"],
        "gpt2-tiny" => &["n_positions", "n_inner"],
        _ => &["max_position_embeddings", "num_key_value_heads", "head_dim"],
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_no_json_object_is_refused() {
    let model = ReferenceModel::new(reference!("bert-tiny")).await;
    let deep = "[".repeat(100_000);
    for text in
        ["", "{", "[]", "7", "null", "\"bert\"", "<html>", "{\"a\":1e999}", "\u{feff}{}", &deep]
    {
        let loaded = Session::load(Cpu, text, model.reference.checkpoint);
        let what: String = text.chars().take(9).collect();
        assert_refused(loaded, "config/not-json", &["config.json", "a JSON object"], &what);
    }
    model.assert_still_runs().await;
}

/// Sizes that are missing, no whole number, zero or absurd. Were anything of the absurd sizes
/// allocated, the test would not come back.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn bad_sizes_are_refused_and_named_before_anything_is_allocated() {
    let no_sizes = [json!(-1), json!(1.5), json!("6"), json!([6]), json!({}), json!(true)];
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
    for model in reference_models().await {
        let reference = &model.reference;
        for &field in sizes(reference) {
            let mut without = fields(reference);
            without.remove(field);
            let config = Value::Object(without).to_string();
            let loaded = Session::load(Cpu, &config, reference.checkpoint);
            assert_refused(loaded, "config/missing-field", &[field, "a whole number"], field);
            let loaded = load_with(reference, field, Value::Null);
            assert_refused(loaded, "config/missing-field", &[field], field);
            for value in &no_sizes {
                let loaded = load_with(reference, field, value.clone());
                let words = [field, "a whole number from 0", &value.to_string()];
                assert_refused(loaded, "config/bad-field", &words, field);
            }
        }
        for &field in sizes(reference).iter().chain(more_sizes(reference)) {
            let loaded = load_with(reference, field, json!(0));
            assert_refused(loaded, "config/bad-field", &["at least 1"], field);
            // Rotary positions beyond the longest table are a warning.
            if reference.name == "llama-tiny" && field == "max_position_embeddings" {
                continue;
            }
            for value in &absurd {
                let loaded = load_with(reference, field, value.clone());
                let what = format!("{}: {field}: {value}", reference.name);
                if field.ends_with("heads") || field == "n_head" {
                    let code = loaded.as_ref().err().map(|error| error.code.as_str());
                    let known = ["config/too-large", "config/contradiction"];
                    assert!(code.is_some_and(|code| known.contains(&code)), "{what}: {code:?}");
                } else {
                    assert_refused(loaded, "config/too-large", &["at most"], &what);
                }
            }
        }
        model.assert_still_runs().await;
    }
    // No tensor of the file bounds the length of positions that are computed.
    let marian = reference!("marian-tiny");
    let loaded = load_with(&marian, "max_position_embeddings", json!(10_000_000));
    let words = ["max_position_embeddings", "fits in memory"];
    assert_refused(loaded, "config/too-large", &words, "a long table");
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
        (&llama, "rope_scaling", json!({"type": "dynamic", "factor": 2.0, "rope_theta": 100})),
        (&bert, "hidden_act", json!("gelu_python")),
    ];
    for (reference, field, value) in cases {
        let what = format!("{field} of {}: {value}", reference.name);
        let plain = reference.load(Cpu);
        let session = load_with(reference, field, value.clone()).unwrap();
        let warnings = session.info().warnings;
        assert!(warnings.iter().all(|one| one.file == "config.json"), "{what}: {warnings:?}");
        let named: Vec<_> = warnings.iter().map(|one| (&*one.field, &*one.value)).collect();
        match field {
            "rope_scaling" | "hidden_act" => assert_eq!(named, [], "{what}"),
            "rope_parameters" => {
                assert_eq!(named, [("rope_parameters.partial_rotary_factor", "0.5")]);
            }
            _ => assert_eq!(named, [(field, &*value.to_string())], "{what}"),
        }
        let request = good_request(&plain);
        let before = finished(&plain, &request, None).await.logits(None).unwrap().await.unwrap();
        let after = finished(&session, &request, None).await.logits(None).unwrap().await.unwrap();
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
        let ends = session.info().end_tokens;
        let ended = written.last().is_some_and(|token| ends.contains(&token.chosen));
        assert!(written.len() == 3 || ended, "{what}: {written:?}");
    }
    assert!(reference!("llama-tiny").load(Cpu).info().warnings.is_empty());
}

/// Fields of a wrong kind, fields that contradict each other or the weights: the code, and the
/// words that the sentence holds.
#[wasm_bindgen_test(unsupported = test)]
fn other_bad_fields_are_refused_and_named() {
    const FIELD: &str = "config/bad-field";
    const CONTRADICTION: &str = "config/contradiction";
    let families = families();
    let [marian, bert, gpt2, llama] = &families;
    let long = "x".repeat(100_000);
    let family = "such as bert, gpt2";
    let shape = ("checkpoint/wrong-shape", "as the config says");
    let missing = ("checkpoint/missing-tensor", "which the config asks for");
    let cases = [
        (gpt2, "model_type", json!("mamba"), "config/unsupported-family", family),
        (gpt2, "model_type", json!(long), "config/unsupported-family", family),
        (gpt2, "model_type", json!(["gpt2"]), FIELD, "a text"),
        (marian, "activation_function", json!("prelu"), FIELD, "without weights"),
        (marian, "scale_embedding", json!("yes"), FIELD, "true or false"),
        (bert, "position_embedding_type", json!("relative_key"), FIELD, "absolute"),
        (bert, "is_decoder", json!("no"), FIELD, "true or false"),
        (bert, "layer_norm_eps", json!("1e-12"), FIELD, "a number"),
        (bert, "layer_norm_eps", json!(1e60), FIELD, "a small number"),
        (gpt2, "scale_attn_weights", json!(1), FIELD, "true or false"),
        (gpt2, "scale_attn_by_inverse_layer_idx", json!("all"), FIELD, "true or false"),
        (gpt2, "architectures", json!("GPT2LMHeadModel"), FIELD, "a list of texts"),
        (gpt2, "tie_word_embeddings", json!(long), FIELD, "true or false"),
        (llama, "rope_theta", json!("fast"), FIELD, "a number"),
        (llama, "rope_scaling", json!({"rope_type": "spiral", "factor": 8.0}), FIELD, "default"),
        (llama, "rope_parameters", json!({"rope_type": 3}), FIELD, "a text"),
        (llama, "rope_parameters", json!({"rope_theta": 0}), FIELD, "positive"),
        (llama, "rope_parameters", json!(10_000), FIELD, "an object"),
        (llama, "hidden_act", json!("xielu"), FIELD, "without weights"),
        (marian, "encoder_attention_heads", json!(7), CONTRADICTION, "7"),
        (marian, "decoder_attention_heads", json!(31), CONTRADICTION, "31"),
        (gpt2, "n_head", json!(4), CONTRADICTION, "4"),
        (llama, "num_key_value_heads", json!(3), CONTRADICTION, "3"),
        (llama, "head_dim", json!(5), CONTRADICTION, "5"),
        (marian, "d_model", json!(60), shape.0, shape.1),
        (marian, "encoder_layers", json!(4), missing.0, missing.1),
        (marian, "decoder_layers", json!(1000), missing.0, missing.1),
        (bert, "max_position_embeddings", json!(20), shape.0, shape.1),
        (bert, "type_vocab_size", json!(3), shape.0, shape.1),
        (gpt2, "n_inner", json!(42), shape.0, shape.1),
        (gpt2, "n_positions", json!(18), shape.0, shape.1),
        (llama, "head_dim", json!(8), shape.0, shape.1),
        (llama, "num_key_value_heads", json!(1), shape.0, shape.1),
    ];
    for (reference, field, value, code, word) in cases {
        let what = format!("{field} of {}", reference.name);
        let loaded = load_with(reference, field, value.clone());
        // Inside an object it is the inner field that is wrong; weights are named by themselves.
        let inner = if value["rope_type"] == json!(3) { "rope_type" } else { "rope_theta" };
        let is_inner = inner == "rope_type" || value["rope_theta"].is_number();
        let named = match code.split_once('/') {
            Some(("checkpoint", _)) => "a tensor",
            _ if is_inner => inner,
            _ => field,
        };
        let named = if code == shape.0 { "shape" } else { named };
        assert_refused(loaded, code, &[named, word], &what);
    }
}
