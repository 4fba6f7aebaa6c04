//! Files of other formats beside the folder that they were made from: the same numbers to the bit,
//! and of each GGUF key what becomes of it.

use std::fs;
use std::panic::catch_unwind;

use headscope::backend::Cpu;
use headscope::error::Result;
use headscope::model::Architecture;
use headscope::run::RunRequest;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};

use crate::support::references::{FAMILIES, NUMBERS, checkpoint};
use crate::support::{Session, assert_exact, finished, hidden, request, streams_of};

fn path(file: &str) -> String {
    format!("{}/tests/reference/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(path(&format!("files/{file}"))).expect("a file of the reference")
}

/// Config and weights of the folder that a file was made from.
fn folder(name: &str) -> (Value, Vec<u8>) {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).expect("the reference");
    if let Some(family) = families.get(name) {
        let numbers = SafeTensors::deserialize(NUMBERS).expect("the reference");
        return (family["config"].clone(), checkpoint(&numbers, name));
    }
    let read = |file: &str| fs::read(path(&format!("models/{name}/{file}"))).expect("a folder");
    let config = serde_json::from_slice(&read("config.json")).expect("a config");
    (config, read("model.safetensors"))
}

/// Numbers of a config as a GGUF file has them, and what that says otherwise.
fn as_in_gguf(value: &Value, said: &Value) -> Value {
    let mut value = rounded(value);
    for (name, field) in said.as_object().into_iter().flatten() {
        value[name] = field.clone();
    }
    value
}

fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            json!(f64::from(number.as_f64().unwrap_or(0.0) as f32))
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), rounded(value))).collect()
        }
        Value::Array(all) => all.iter().map(rounded).collect(),
        other => other.clone(),
    }
}

/// Matrices without the last 16 bits of each number.
fn cut(file: &[u8]) -> Vec<u8> {
    let tensors = SafeTensors::deserialize(file).expect("a good file").tensors();
    let cut = tensors.into_iter().map(|(name, view)| {
        let mut data = view.data().to_vec();
        if view.shape().len() > 1 && view.dtype() == Dtype::F32 {
            data.as_chunks_mut::<4>().0.iter_mut().for_each(|number| number[..2].fill(0));
        }
        (name, view.dtype(), view.shape().to_vec(), data)
    });
    let cut: Vec<_> = cut.collect();
    let views = cut.iter().map(|(name, dtype, shape, data)| {
        let view = safetensors::tensor::TensorView::new(*dtype, shape.clone(), data);
        (name, view.expect("as many bytes as before"))
    });
    safetensors::serialize(views, None).expect("tensors can be saved")
}

fn input(session: &Session<Cpu>) -> RunRequest {
    let architecture = session.info().architecture;
    let case = if architecture == Architecture::EncoderDecoder {
        json!({"ids": [5, 17, 2, 30, 9], "target_ids": [6, 3]})
    } else {
        json!({"ids": [5, 17, 2, 30, 9]})
    };
    request(&case, architecture)
}

/// Both compute the same states, and the same logits where both have a head.
async fn assert_same_numbers(file: &Session<Cpu>, folder: &Session<Cpu>, what: &str) {
    let [ours, theirs] =
        [finished(file, &input(file), None).await, finished(folder, &input(folder), None).await];
    assert_eq!(streams_of(file), streams_of(folder), "{what}");
    for (stack, layer) in streams_of(file) {
        let [ours, theirs] = [&ours, &theirs].map(|run| hidden(run, stack, layer));
        let ours = ours.await.into_data();
        let theirs = theirs.await.into_data();
        assert_exact(&ours, &theirs, &format!("{what}: {stack} {layer}"));
    }
    if file.info().predicts {
        let [ours, theirs] = [&ours, &theirs].map(|run| run.logits(None).expect("logits"));
        let ours = ours.await.unwrap().into_data();
        let theirs = theirs.await.unwrap().into_data();
        assert_exact(&ours, &theirs, &format!("{what}: logits"));
    }
}

/// Files, the folders that they were made from, and what the folders would have to say.
fn cases() -> Vec<(&'static str, &'static str, bool, Value)> {
    let stretched = json!({"rope_type": "longrope", "short_factor": [1, 1, 1.5, 2, 4]});
    vec![
        ("llama", "llama-untied", false, json!({"rope_scaling": stretched})),
        ("gpt2", "gpt2-f16", false, json!({})),
        ("bert", "bert-untied", false, json!({})),
        ("gemma3", "gemma3_text", false, json!({"query_pre_attn_scalar": 6})),
        ("phi3", "phi3-longrope", false, json!({})),
        ("distilbert", "distilbert", true, json!({})),
        ("gemma", "gemma", true, json!({})),
        ("gemma2", "gemma2", true, json!({"query_pre_attn_scalar": 6})),
        (
            "gemma-embedding",
            "gemma3_text",
            true,
            json!({
                "query_pre_attn_scalar": 6, "use_bidirectional_attention": true,
            }),
        ),
        ("gptneox", "gpt_neox", true, json!({})),
        ("llama-linear", "llama-linear", true, json!({})),
        ("mistral", "mistral", true, json!({})),
        ("mistral3", "mistral", true, json!({"sliding_window": null})),
        ("modern-bert", "modernbert", true, json!({})),
        ("olmo2", "olmo2", true, json!({})),
        ("qwen2", "qwen2", true, json!({"use_sliding_window": false})),
        ("qwen3", "qwen3", true, json!({})),
        ("smollm3", "smollm3", true, json!({"no_rope_layers": null})),
        ("stablelm", "stablelm", true, json!({})),
        ("starcoder2", "starcoder2", true, json!({})),
        ("t5", "flan-t5", true, json!({"relative_attention_max_distance": 128})),
        (
            "t5encoder",
            "flan-t5",
            true,
            json!({
                "relative_attention_max_distance": 128, "architectures": ["T5EncoderModel"],
            }),
        ),
        ("xlm-roberta", "xlm-roberta", true, json!({"hidden_act": "gelu"})),
    ]
}

#[test]
fn a_gguf_file_is_the_folder_that_it_was_made_from() {
    // All of them are compared before the first difference ends the test.
    let wrong = cases().into_iter().filter(|case| {
        let compared = catch_unwind(|| pollster::block_on(assert_is_the_folder(case)));
        compared.is_err()
    });
    let wrong: Vec<_> = wrong.map(|(file, ..)| file).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

async fn assert_is_the_folder((file, name, is_cut, said): &(&str, &str, bool, Value)) {
    let (config, weights) = folder(name);
    let weights = if *is_cut { cut(&weights) } else { weights };
    let config = as_in_gguf(&config, said).to_string();
    let folder = Session::load(Cpu { has_bytes: false }, &config, &weights);
    let folder = folder.unwrap_or_else(|error| panic!("{name}: {error}"));
    let own = Session::load_files(
        Cpu { has_bytes: false },
        None,
        vec![("a.gguf", &bytes(&format!("{file}.gguf")))],
    );
    let own = own.unwrap_or_else(|error| panic!("{file}: {error}"));
    let ours = own.info();
    let theirs = folder.info();
    let is_known = |field: &str| theirs.warnings.iter().any(|known| known.field == field);
    let own_warnings: Vec<_> =
        ours.warnings.iter().filter(|warning| !is_known(&warning.field)).collect();
    assert!(own_warnings.is_empty(), "{file}: {own_warnings:?}");
    let tokens = |info: &headscope::model::ModelInfo| {
        (info.start_token, info.end_tokens.clone(), info.pad_token)
    };
    assert_eq!(
        (ours.max_tokens, &ours.activation),
        (theirs.max_tokens, &theirs.activation),
        "{file}"
    );
    if *name != "xlm-roberta" {
        assert_eq!(tokens(&ours), tokens(&theirs), "{file}");
    }
    assert_same_numbers(&own, &folder, file).await;
}

#[pollster::test]
async fn what_torch_saves_is_the_folder_that_it_was_made_from() {
    let (config, weights) = folder("bert-plain");
    let config = config.to_string();
    let folder = Session::load(Cpu { has_bytes: false }, &config, &weights).expect("a folder");
    // Both have numbers of 64 bits among those of 32. The second is from before the zip format, of
    // tensors with strides, under what a trainer adds.
    for file in ["pytorch_model.bin", "wrapped.bin"] {
        let own = Session::load_files(
            Cpu { has_bytes: false },
            Some(&config),
            vec![(file, &bytes(file))],
        );
        let own = own.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_same_numbers(&own, &folder, file).await;
    }
}

/// Each number of 64 bits is rounded to the f32 that is nearest.
#[pollster::test]
async fn numbers_of_64_bits_are_read_as_f32() {
    let (config, weights) = folder("bert-plain");
    let tensors = SafeTensors::deserialize(&weights).expect("a good file").tensors();
    let with = |widened: fn(f32) -> f64| {
        let all = tensors.iter().map(|(name, view)| {
            let numbers =
                view.data().as_chunks().0.iter().map(|&number| f32::from_le_bytes(number));
            let bytes: Vec<u8> = numbers.flat_map(|x| widened(x).to_le_bytes()).collect();
            (name, view.shape().to_vec(), bytes)
        });
        let all: Vec<_> = all.collect();
        let views = all.iter().map(|(name, shape, bytes)| {
            let view = safetensors::tensor::TensorView::new(Dtype::F64, shape.clone(), bytes);
            (name, view.expect("twice the bytes"))
        });
        let file = safetensors::serialize(views, None).expect("tensors can be saved");
        Session::load(Cpu { has_bytes: false }, &config.to_string(), &file)
    };
    let session = Session::load(Cpu { has_bytes: false }, &config.to_string(), &weights);
    let session = session.expect("a folder");
    let near = |x: f32| f64::from(x) * (1.0 + f64::from(f32::EPSILON) / 5.0);
    for doubled in [with(f64::from), with(near)] {
        assert_same_numbers(&doubled.expect("doubled numbers"), &session, "64 bits").await;
    }
    let error = with(|x| f64::from(x) + 1e300).err().expect("too large for f32");
    assert_eq!(error.code.as_str(), "checkpoint/non-finite");
}

/// A GGUF file with further metadata, each a key, ggml's number of a type and the bytes of a value.
fn with_keys(file: &[u8], keys: &[(&str, u32, Vec<u8>)]) -> Vec<u8> {
    let mut file = file.to_vec();
    for (key, ..) in keys {
        // The file's own value gets another name, since a key stands there once.
        let named = [&(key.len() as u64).to_le_bytes(), key.as_bytes()].concat();
        let found = file.windows(named.len()).position(|part| part == named);
        if let (Some(at), true) = (found, key.starts_with("llama.")) {
            file[at + 8..][..6].copy_from_slice(b"split.");
        }
    }
    let mut more = Vec::new();
    let mut add = |key: &str, kind: u32, value: &[u8]| {
        more.extend((key.len() as u64).to_le_bytes());
        more.extend(key.as_bytes());
        more.extend(kind.to_le_bytes());
        more.extend(value);
        more.len()
    };
    for (key, kind, value) in keys {
        add(key, *kind, value);
    }
    // The numbers stay where they are, counted from a multiple of 32.
    let length = add("general.x", 8, &[]);
    let filling = (length + 8).next_multiple_of(32) - length - 8;
    more.extend((filling as u64).to_le_bytes());
    more.extend(vec![b' '; filling]);
    let count = u64::from_le_bytes(*file[16..].first_chunk().expect("a header"));
    let count = (count + keys.len() as u64 + 1).to_le_bytes();
    [&file[..16], &count, &more, &file[24..]].concat()
}

fn load(file: &[u8]) -> Result<Session<Cpu>> {
    Session::load_files(Cpu { has_bytes: false }, None, vec![("a.gguf", file)])
}

fn float(number: f32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

fn whole(number: u32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

/// A list of whole numbers.
fn list(numbers: &[u32]) -> Vec<u8> {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    [&4u32.to_le_bytes()[..], &(numbers.len() as u64 / 4).to_le_bytes(), &numbers].concat()
}

#[pollster::test]
async fn keys_of_positions_mean_what_they_mean_to_llama_cpp() {
    let plain = bytes("mistral.gguf");
    let (config, weights) = folder("mistral");
    for (keys, scaling) in [
        (
            vec![("llama.rope.scale_linear", 6, float(2.0))],
            json!({"rope_type": "linear", "factor": 2.0}),
        ),
        (
            vec![("llama.rope.scaling.factor", 6, float(3.0))],
            json!({"rope_type": "linear", "factor": 3.0}),
        ),
        (
            vec![
                ("llama.rope.scaling.type", 8, text("none")),
                ("llama.rope.scaling.factor", 6, float(3.0)),
            ],
            Value::Null,
        ),
        (vec![("llama.attention.head_count_kv", 9, list(&[1, 1]))], Value::Null),
        (vec![("llama.rope.scaling.finetuned", 7, vec![1])], Value::Null),
    ] {
        let said = json!({"rope_scaling": scaling});
        let mut config = as_in_gguf(&config, &said);
        if scaling != Value::Null {
            let base = config["rope_parameters"]["rope_theta"].clone();
            config["rope_theta"] = base;
            config.as_object_mut().expect("fields").remove("rope_parameters");
        }
        let folder = Session::load(Cpu { has_bytes: false }, &config.to_string(), &cut(&weights));
        let own =
            load(&with_keys(&plain, &keys)).unwrap_or_else(|error| panic!("{keys:?}: {error}"));
        assert_same_numbers(&own, &folder.expect("a folder"), &format!("{keys:?}")).await;
    }
}

#[test]
fn keys_that_set_what_is_not_computed_are_refused_by_name() {
    let plain = bytes("mistral.gguf");
    for (key, kind, value) in [
        ("attention.scale", 6, float(0.5)),
        ("attention.head_count_kv", 9, list(&[1, 2])),
        ("attention.causal", 7, vec![0]),
        ("attention.temperature_scale", 6, float(0.1)),
        ("attention.value_length", 4, whole(4)),
        ("rope.dimension_count", 4, whole(4)),
        ("rope.freq_base_swa", 6, float(100.0)),
        ("rope.scaling.type", 8, text("wavy")),
        ("rope.scaling.attn_factor", 6, float(2.0)),
        ("final_logit_softcapping", 6, float(30.0)),
        ("logit_scale", 6, float(0.1)),
        ("expert_count", 4, whole(8)),
    ] {
        let key = format!("llama.{key}");
        let keys = if key.ends_with("attn_factor") {
            vec![("llama.rope.scaling.factor", 6, float(2.0)), (&*key, kind, value)]
        } else {
            vec![(&*key, kind, value)]
        };
        let error = load(&with_keys(&plain, &keys)).err().unwrap_or_else(|| panic!("{key}"));
        assert_eq!(error.code.as_str(), "config/bad-field", "{key}: {error}");
        assert!(error.to_string().contains(&key), "{key}: {error}");
    }
}

#[test]
fn a_key_that_no_code_reads_is_a_warning() {
    let keys = [("llama.attention.of_tomorrow", 4, whole(7)), ("other.thing", 8, text("x"))];
    let loaded = load(&with_keys(&bytes("mistral.gguf"), &keys)).expect("a model");
    let found: Vec<_> =
        loaded.info().warnings.into_iter().map(|one| (one.field, one.value)).collect();
    let expected = [("llama.attention.of_tomorrow", "7"), ("other.thing", "\"x\"")];
    assert_eq!(found, expected.map(|(field, value)| (field.to_owned(), value.to_owned())));
}

/// Each key that gguf-py has is classed for each architecture: used, without effect, or refused.
#[test]
fn every_key_of_gguf_py_is_classed() {
    let keys = fs::read_to_string(path("files/gguf-keys.txt")).expect("the keys");
    for (file, architecture) in [("mistral", "llama"), ("t5", "t5"), ("modern-bert", "modern-bert")]
    {
        let plain = bytes(&format!("{file}.gguf"));
        for key in keys.lines() {
            let key = format!("{architecture}.{key}");
            // A value that means nothing: what is read is refused, what is not known is a warning.
            let loaded = load(&with_keys(&plain, &[(&key, 4, whole(0))]));
            let warnings = loaded.map_or_else(|_| Vec::new(), |session| session.info().warnings);
            assert!(warnings.iter().all(|warning| warning.field != key), "{key} is not classed");
        }
    }
}

#[test]
fn a_tensor_that_no_code_reads_is_refused_by_name() {
    let plain = bytes("mistral.gguf");
    let renamed = |from: &str, to: &str| {
        let at = plain.windows(from.len()).position(|part| part == from.as_bytes());
        let mut bytes = plain.clone();
        bytes[at.expect("the name")..][..from.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    for (to, code, named) in [
        ("blk.1.ffn_sink.weight", "checkpoint/unread-tensor", "blk.1.ffn_sink.weight"),
        ("blk.9.ffn_norm.weight", "checkpoint/missing-tensor", "post_attention_layernorm"),
    ] {
        let error = load(&renamed("blk.1.ffn_norm.weight", to)).err().expect("a refusal");
        assert_eq!(error.code.as_str(), code, "{error}");
        assert!(error.to_string().contains(named), "{error}");
    }
}
