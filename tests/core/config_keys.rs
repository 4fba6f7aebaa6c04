//! Each field of each family's config.json, changed alone: the model computes what Hugging Face
//! computes, or the config is refused by a sentence that names the field.
//! `tests/reference/config_keys.py` says what a case is. Weights are drawn by the names of tensors.

use std::collections::BTreeMap;

use headscope::backend::Cpu;
use headscope::error::{Error, Result};
use headscope::run::RunRequest;
use serde_json::{Map, Value, json};

use crate::support::drawn::{drawn_checkpoint, hashed, unit};
use crate::support::{Handle, Session, hidden, indices, numbers, pattern, stacks_of};

/// The cases, read when they are needed: the file is too large for the program.
fn file() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference/config_keys.json");
    std::fs::read_to_string(path).expect("the cases are readable")
}

/// What a decoder that has an encoder reads.
const TARGET: [f64; 8] = [2., 9., 21., 14., 27., 6., 13., 10.];

/// As in `support`: of a number, and of the largest of its tensor.
const ABSOLUTE: f64 = 1e-4;
const RELATIVE: f64 = 1e-5;

/// A base with what a case changes of it.
fn changed(base: &Value, case: &Value, part: &str) -> Map<String, Value> {
    let mut all = base.as_object().expect("an object").clone();
    if let Some(new) = case[part].as_object() {
        all.extend(new.clone());
    }
    for gone in case[&format!("no_{part}")].as_array().into_iter().flatten() {
        all.remove(gone.as_str().expect("a name"));
    }
    all
}

/// The sum of all numbers under drawn factors, one number, and the largest.
struct Sample {
    found: [f64; 2],
    largest: f64,
}

fn sampled(all: &[f32]) -> Sample {
    let total: f64 =
        all.iter().enumerate().map(|(at, &x)| f64::from(x) * f64::from(unit(7, at))).sum();
    let one = all[hashed(3, 0) as usize % all.len()];
    Sample {
        found: [total / (all.len() as f64).sqrt(), f64::from(one)],
        largest: all.iter().fold(0.0, |largest, &x| f64::max(largest, f64::from(x.abs()))),
    }
}

/// Rows of real tokens.
fn of_rows(all: &[f32], real: Option<&[bool]>) -> Vec<f32> {
    let Some(real) = real else { return all.to_vec() };
    let width = all.len() / real.len();
    let rows = all.chunks(width).zip(real).filter(|&(_, &real)| real);
    rows.flat_map(|(row, _)| row.iter().copied()).collect()
}

async fn samples(session: &Session<Cpu>, run: &Handle, real: Option<&[bool]>) -> Vec<Sample> {
    let mut all = Vec::new();
    for (stack, layers, heads) in stacks_of(session) {
        let is_alone = session.info().stacks.cross.is_none();
        let rows = real.filter(|_| is_alone || stack == "encoder");
        for layer in [0, layers - 1] {
            let mut weights = Vec::new();
            for head in 0..heads {
                let one = pattern(run, (stack, layer, head), "weights").await.into_data();
                weights.extend(of_rows(&one, rows));
            }
            all.push(sampled(&weights));
        }
        if stack != "cross" {
            all.push(sampled(&of_rows(&hidden(run, stack, layers).await.into_data(), rows)));
        }
    }
    if session.info().predicts {
        let rows = real.filter(|_| session.info().stacks.cross.is_none());
        let logits = run.logits(None).expect("it predicts").await.expect("numbers are read");
        all.push(sampled(&of_rows(&logits.into_data(), rows)));
    }
    all
}

/// A case's input as a request.
fn request(given: &Value, session: &Session<Cpu>) -> RunRequest {
    let list = |name: &str| given.get(name).map(numbers);
    let info = session.info();
    let pixels = info.image.filter(|_| given.get("pixels").is_some()).map(|image| {
        (0..image.channels * image.size[0] * image.size[1]).map(|at| unit(11, at)).collect()
    });
    RunRequest {
        ids: list("ids").unwrap_or_default(),
        pixels,
        token_type_ids: list("types"),
        attention_mask: list("attention_mask"),
        target_ids: info.stacks.cross.map(|_| TARGET.to_vec()),
        ..RunRequest::default()
    }
}

/// What a case computes, or why it is refused.
async fn computed(family: &Value, case: &Value) -> Result<Vec<Sample>> {
    let config = Value::Object(changed(&family["config"], case, "config"));
    let layout = case["layout"].as_u64().map(|at| &family["layouts"][at as usize]);
    let weights =
        drawn_checkpoint(&changed(&family["tensors"], layout.unwrap_or(&Value::Null), "tensors"));
    let session = Session::load(Cpu, &config.to_string(), &weights)?;
    let given = &family["inputs"][case["input"].as_str().unwrap_or("plain")];
    let run = session.begin(&request(given, &session), None)?;
    run.finish().await?;
    let real: Option<Vec<bool>> =
        given.get("attention_mask").map(|mask| indices(mask).iter().map(|&one| one > 0).collect());
    Ok(samples(&session, &run, real.as_deref()).await)
}

/// The names that a refusal may use: the field, and what a case changes, to the bottom.
fn names(case: &Value) -> Vec<String> {
    fn keys(value: &Value, all: &mut Vec<String>) {
        for (name, value) in value.as_object().into_iter().flatten() {
            all.push(name.clone());
            keys(value, all);
        }
    }
    let mut all = vec![case["field"].as_str().expect("a name").to_owned()];
    keys(&case["config"], &mut all);
    all.extend(
        case["no_config"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|gone| gone.as_str().expect("a name").to_owned()),
    );
    all
}

/// Whether a refusal names what was changed.
fn names_field(error: &Error, case: &Value) -> bool {
    let text = error.to_string();
    names(case).iter().any(|name| text.contains(name.as_str()))
}

/// How many cases were computed and refused.
async fn check(families: &[&str]) {
    let all: Value = serde_json::from_str(&file()).expect("the cases are JSON");
    let mut wrong = Vec::new();
    for &name in families {
        let family = &all[name];
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        let cases = family["cases"].as_array().expect("a list of cases");
        for case in cases {
            let what = format!("{name}: {case}");
            let want = family["answers"][case["answers"].as_u64().unwrap_or(0) as usize]
                .as_array()
                .expect("a list of answers");
            match computed(family, case).await {
                Err(error) => {
                    if !names_field(&error, case) {
                        wrong.push(format!("{what}: refused without the field: {error}"));
                    }
                    let key = format!("{} [{}] {error}", case["field"], error.code.as_str());
                    *refused.entry(key).or_default() += 1;
                }
                Ok(got) => {
                    // Seen from both sides a Gemma predicts nothing here.
                    let is_encoder = case["config"]["use_bidirectional_attention"] == true;
                    let is_equal = got.len() + usize::from(is_encoder) >= want.len()
                        && got.iter().zip(want).all(|(got, want)| {
                            let allowed = ABSOLUTE + RELATIVE * got.largest;
                            let want = numbers(want);
                            got.found.iter().zip(&want).all(|(a, b)| (a - b).abs() <= allowed)
                        });
                    if !is_equal {
                        let got: Vec<_> = got.iter().map(|one| one.found).collect();
                        wrong.push(format!("{what}: computed {got:.4?}, not {want:?}"));
                    }
                }
            }
        }
        let n_refused: usize = refused.values().sum();
        println!("{name}: {} cases, {n_refused} refused", cases.len());
        for (why, count) in refused {
            println!("    {count} × {why}");
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// `T5Config` takes the decoder's layers from `num_layers` before the field's other name, which is
/// the encoder's alone, replaces it.
#[test]
fn the_decoder_of_t5_has_as_many_layers_as_num_layers_says() {
    let all: Map<String, Value> = serde_json::from_str(&file()).expect("the cases are JSON");
    let family = &all["t5"];
    let weights = drawn_checkpoint(family["tensors"].as_object().expect("tensors"));
    let load = |layers: Value| {
        let config = changed(&family["config"], &json!({ "config": layers }), "config");
        Session::load(Cpu { has_bytes: false }, &Value::Object(config).to_string(), &weights)
    };
    let both = json!({"num_decoder_layers": null, "num_layers": 2, "num_hidden_layers": 1});
    let stacks = load(both).expect("a T5").info().stacks;
    let layers = [stacks.encoder, stacks.decoder].map(|stack| stack.expect("a stack").layers);
    assert_eq!(layers, [1, 2]);
    let one = json!({"num_decoder_layers": null, "num_layers": null, "num_hidden_layers": 1});
    let error = load(one).err().expect("it says nothing of the decoder");
    assert!(error.to_string().contains("num_layers"), "{error}");
}

/// A test of some families.
macro_rules! tests {
    ($($test:ident: $($name:literal),+;)+) => {
        $(#[pollster::test]
        async fn $test() {
            check(&[$($name),+]).await;
        })+

        #[test]
        fn every_family_of_the_file_has_a_test() {
            let all: Map<String, Value> = serde_json::from_str(&file()).expect("the cases are JSON");
            let tested = [$($($name),+),+];
            let mut cases = 0;
            for (name, family) in all {
                assert!(tested.contains(&name.as_str()), "{name} has no test");
                cases += family["cases"].as_array().expect("a list of cases").len();
            }
            assert!(cases >= 3000, "only {cases} cases");
        }
    };
}

tests! {
    fields_of_bert: "bert", "electra", "distilbert";
    fields_of_roberta: "roberta", "xlm-roberta", "camembert", "mpnet";
    fields_of_albert_and_modernbert: "albert", "modernbert";
    fields_of_deberta: "deberta", "deberta-v2";
    fields_of_gpt: "gpt2", "gpt_neo", "gpt_neox";
    fields_of_llama: "llama", "mistral", "smollm3", "olmo2";
    fields_of_qwen: "qwen2", "qwen3";
    fields_of_gemma: "gemma", "gemma2", "gemma3_text";
    fields_of_phi: "phi3", "stablelm", "starcoder2";
    fields_of_bart: "marian", "bart", "mbart";
    fields_of_m2m_and_opt: "m2m_100", "opt";
    fields_of_t5: "t5", "mt5";
    fields_of_images: "vit", "deit";
}
