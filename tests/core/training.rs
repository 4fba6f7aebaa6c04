//! Training follows PyTorch's losses and gradient norms step by step.

use std::rc::Rc;

use crate::lens::opened_on;
use crate::support::references::{Reference, tiny_models};
use crate::support::{Session, assert_same_bits, families, numbers};

use headscope::backend::{Autodiff, Backend, Cpu};
use headscope::decode::Decoding;
use headscope::error::{Code, Result};
use headscope::model::Model;
use headscope::run::RunRequest;
use headscope::training::{
    Dropout, Example, Folder, Method, Optimiser, Schedule, Trainer, TrainingBatch,
};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/training.json");

/// How far a loss may be from that of PyTorch.
const LOSS: f64 = 1e-3;
/// The first steps of a training in f32, in which roundings have not grown yet.
const FIRST: usize = 50;
/// The steps of which the mean loss follows PyTorch's later on, within `SAME_CURVE` of it.
const SPAN: usize = 10;
const SAME_CURVE: f64 = 0.02;

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn whole(value: &Value) -> Option<usize> {
    value.as_u64().map(|n| n as usize)
}

fn optimiser(settings: &Value) -> Optimiser {
    let method = &settings["method"];
    let method = match method.get("betas") {
        Some(betas) => Method::AdamW {
            betas: [0, 1].map(|at| betas[at].as_f64().unwrap()),
            epsilon: number(&method["epsilon"]).unwrap(),
            weight_decay: number(&method["weight_decay"]).unwrap(),
        },
        None => Method::Sgd { momentum: number(&method["momentum"]).unwrap() },
    };
    let schedule = Schedule {
        rate: number(&settings["rate"]).unwrap(),
        warmup: whole(&settings["warmup"]).unwrap(),
        cosine_until: whole(&settings["cosine_until"]),
    };
    Optimiser::new(method, schedule, number(&settings["clip"]))
}

fn batch(examples: &Value) -> Vec<Example> {
    let pair = |pair: &Value| (whole(&pair[0]).unwrap(), whole(&pair[1]).unwrap());
    let example = |example: &Value| Example {
        request: RunRequest {
            ids: numbers(&example["ids"]),
            target_ids: example.get("target_ids").map(numbers),
            ..RunRequest::default()
        },
        targets: example["targets"].as_array().unwrap().iter().map(pair).collect(),
    };
    examples.as_array().unwrap().iter().map(example).collect()
}

#[pollster::test]
async fn losses_follow_those_of_pytorch() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    for (name, case) in &cases {
        let model = opened_on(Autodiff::new(Cpu), name).into_model();
        let smoothing = number(&case["settings"]["label_smoothing"]).unwrap();
        let model = Rc::into_inner(model).unwrap();
        let mut trainer =
            Trainer::new(model, optimiser(&case["settings"]), smoothing).await.unwrap();
        let batches: Vec<Vec<Example>> =
            case["batches"].as_array().unwrap().iter().map(batch).collect();
        let [losses, norms] = ["losses", "norms"].map(|field| numbers(&case[field]));
        for (step, (loss, norm)) in losses.iter().zip(&norms).enumerate() {
            let outcome = trainer.step(&batches[step % batches.len()]).await.unwrap();
            let what = format!("{name}, step {step}: {outcome:?} instead of {loss}, {norm}");
            assert!((outcome.loss - loss).abs() <= LOSS, "{what}");
            assert!((outcome.gradient_norm - norm).abs() <= 1e-2 * norm, "{what}");
        }
        assert_eq!(losses.len(), 50, "{name}");
    }
    assert_eq!(cases.len(), 4);
}

#[pollster::test]
async fn losses_of_200_steps_follow_those_of_pytorch_in_f32() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    for (name, case) in &cases {
        let mut settings = case["settings"].clone();
        settings.as_object_mut().unwrap().remove("cosine_until");
        let model = Rc::into_inner(opened_on(Autodiff::new(Cpu), name).into_model()).unwrap();
        let smoothing = number(&settings["label_smoothing"]).unwrap();
        let mut trainer = Trainer::new(model, optimiser(&settings), smoothing).await.unwrap();
        let batches: Vec<Vec<Example>> =
            case["batches"].as_array().unwrap().iter().map(batch).collect();
        let wanted: Vec<f64> = numbers(&case["losses_in_f32"]);
        assert_eq!(wanted.len(), 200, "{name}");
        let mut found = Vec::new();
        for step in 0..wanted.len() {
            found.push(trainer.step(&batches[step % batches.len()]).await.unwrap().loss);
        }
        for (step, (loss, wanted)) in found.iter().zip(&wanted).enumerate().take(FIRST) {
            assert!((loss - wanted).abs() <= LOSS, "{name}, step {step}: {loss} not {wanted}");
        }
        let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
        for (at, (found, wanted)) in found.chunks(SPAN).zip(wanted.chunks(SPAN)).enumerate() {
            let (found, wanted) = (mean(found), mean(wanted));
            let within = LOSS + SAME_CURVE * wanted;
            assert!((found - wanted).abs() <= within, "{name}, span {at}: {found} not {wanted}");
        }
    }
}

#[pollster::test]
async fn losses_with_dropout_follow_those_of_pytorch_under_the_same_draws() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let cases: Vec<_> = cases.iter().filter(|(_, case)| case.get("dropout").is_some()).collect();
    for (name, case) in &cases {
        let dropped = &case["dropout"];
        let stream = number(&dropped["rate"]).unwrap();
        let seed = dropped["seed"].as_u64().unwrap();
        let dropout = Dropout { stream, attention: 0.0, seed };
        let trainer = trainer_of(name, optimiser(&case["settings"])).await.unwrap();
        let mut trainer = trainer.with_dropout(Some(dropout));
        let batches: Vec<Vec<Example>> =
            case["batches"].as_array().unwrap().iter().map(batch).collect();
        let [losses, norms] = ["losses", "norms"].map(|field| numbers(&dropped[field]));
        for (step, (loss, norm)) in losses.iter().zip(&norms).enumerate() {
            let outcome = trainer.step(&batches[step % batches.len()]).await.unwrap();
            let what = format!("{name}, step {step}: {outcome:?} instead of {loss}, {norm}");
            assert!((outcome.loss - loss).abs() <= LOSS, "{what}");
            assert!((outcome.gradient_norm - norm).abs() <= 1e-2 * norm, "{what}");
        }
        assert_eq!(losses.len(), 6, "{name}");
    }
    assert_eq!(cases.len(), 2);
}

#[pollster::test]
async fn a_training_with_dropout_is_the_same_from_the_same_seed_alone() {
    for reference in families() {
        let batch = small_batch(&reference);
        let mut losses = Vec::new();
        for seed in [3, 3, 4] {
            let dropout = Dropout { stream: 0.1, attention: 0.2, seed };
            let mut trainer = training_of(&reference).await.with_dropout(Some(dropout));
            let first = trainer.step(&batch).await.unwrap();
            losses.push([first.loss, trainer.step(&batch).await.unwrap().loss]);
            // What is evaluated has no dropout.
            let found = [0, 1].map(|_| pollster::block_on(trainer.evaluate(&batch)).unwrap());
            assert_eq!(found[0], found[1]);
        }
        assert_eq!(losses[0], losses[1], "{}", reference.name);
        assert_ne!(losses[0], losses[2], "{}", reference.name);
    }
}

fn plain() -> Optimiser {
    let schedule = Schedule { rate: 1e-3, warmup: 0, cosine_until: None };
    Optimiser::new(Method::Sgd { momentum: 0.0 }, schedule, None)
}

async fn trainer_of(name: &str, optimiser: Optimiser) -> Result<Trainer<Cpu>> {
    let model = opened_on(Autodiff::new(Cpu), name).into_model();
    Trainer::new(Rc::into_inner(model).unwrap(), optimiser, 0.0).await
}

fn learned(targets: Vec<(usize, usize)>) -> Example {
    Example { request: RunRequest { ids: vec![5.0, 9.0, 13.0], ..RunRequest::default() }, targets }
}

#[pollster::test]
async fn what_cannot_be_trained_is_refused() {
    for (name, part) in [
        ("t5", "relative positions"),
        ("deberta", "relative positions"),
        ("gemma3_text", "norms of queries"),
        ("vit", "patches"),
        ("electra", "projection"),
        ("mpnet", "relative positions"),
    ] {
        let refused = trainer_of(name, plain()).await.err().unwrap();
        assert_eq!(refused.code, Code::ConfigUnsupportedFamily, "{name}");
        assert!(refused.got.contains(part), "{name}: {refused}");
    }
    let headless = trainer_of("bert-plain", plain()).await.err();
    assert_eq!(headless.map(|error| error.code), Some(Code::OutputUnavailable));

    let mut trainer = trainer_of("gpt2-tiny", plain()).await.unwrap();
    for (batch, code) in [
        (vec![learned(Vec::new())], Code::InputEmpty),
        (vec![learned(vec![(3, 5)])], Code::SelectionBadPosition),
        (vec![learned(vec![(0, 99)])], Code::InputBadId),
    ] {
        assert_eq!(trainer.step(&batch).await.err().map(|error| error.code), Some(code));
    }
    let mut long = learned(vec![(0, 5)]);
    long.request.ids = vec![5.0; 1 << 20];
    let refused = trainer.step(&[long]).await.err().unwrap();
    assert_eq!(refused.code, Code::InputTooLong);
    assert!(refused.got.starts_with("1048576 tokens, "), "{refused}");

    let kept = Rc::clone(trainer.model());
    let refused = trainer.step(&[learned(vec![(0, 5)])]).await.err();
    assert_eq!(refused.map(|error| error.code), Some(Code::RunNotReady));
    drop(kept);
}

#[pollster::test]
async fn a_loss_that_is_no_number_names_the_step_and_leaves_the_model() {
    let schedule = Schedule { rate: 1e30, warmup: 0, cosine_until: None };
    let wild = Optimiser::new(Method::Sgd { momentum: 0.0 }, schedule, None);
    let mut trainer = trainer_of("gpt2-tiny", wild).await.unwrap();
    let batch = [learned(vec![(1, 13)])];
    trainer.step(&batch).await.unwrap();
    let before = trainer.parameters().to_vec();
    let refused = trainer.step(&batch).await.unwrap_err();
    assert_eq!(refused.code, Code::RunNotFinite, "{refused}");
    assert!(refused.doing.starts_with("step 2, "), "{refused}");
    assert_eq!(trainer.parameters(), before);
}

/// A batch that every tiny model with an output head can learn.
fn small_batch(reference: &Reference) -> Vec<Example> {
    let mut examples = json!([
        {"ids": [5, 9, 13, 7], "targets": [[1, 6], [2, 8]]},
        {"ids": [11, 4, 10], "targets": [[2, 12]]},
    ]);
    if reference.name.starts_with("marian") {
        for example in examples.as_array_mut().unwrap() {
            example["targetIds"] = json!([60, 9, 12]);
        }
    }
    let batch: TrainingBatch = serde_json::from_value(json!({"examples": examples})).unwrap();
    batch.into_examples()
}

fn adam() -> Optimiser {
    let method = Method::AdamW { betas: [0.9, 0.98], epsilon: 1e-8, weight_decay: 0.01 };
    let schedule = Schedule { rate: 3e-3, warmup: 3, cosine_until: Some(20) };
    Optimiser::new(method, schedule, Some(1.0))
}

async fn training_of(reference: &Reference) -> Trainer<Cpu> {
    let model = Rc::into_inner(reference.load(Autodiff::new(Cpu)).into_model()).unwrap();
    Trainer::new(model, adam(), 0.1).await.unwrap()
}

async fn logits_of<B: Backend>(model: &Rc<Model<B>>, request: &RunRequest) -> Vec<f32> {
    let decoding = Decoding::begin(model, request, None).unwrap();
    while !decoding.step().await.unwrap().finished {}
    let logits = decoding.run().borrow().logits(None).unwrap();
    logits.await.unwrap().into_data()
}

/// The tiny models that have an output head.
fn trainable() -> Vec<Reference> {
    let has_head = |reference: &Reference| !["bert-plain", "marian-bare"].contains(&reference.name);
    tiny_models().into_iter().filter(has_head).collect()
}

#[pollster::test]
async fn a_trained_folder_opens_like_any_other_with_the_logits_of_the_trained_model() {
    for reference in trainable() {
        let (config, weights) = (reference.config, reference.checkpoint);
        let mut trainer = training_of(&reference).await;
        let backend = Autodiff::new(Cpu);
        let folder = Folder::of(&backend, config, weights, trainer.parameters()).await.unwrap();
        let batch = small_batch(&reference);
        let untrained = reference.load(Cpu).into_model();
        for _ in 0..3 {
            trainer.step(&batch).await.unwrap();
        }
        let file = folder.file(trainer.parameters());
        let opened = Session::load(Cpu, config, &file).unwrap().into_model();
        for Example { request, .. } in &batch {
            let got = logits_of(&opened, request).await;
            assert_same_bits(&got, &logits_of(trainer.model(), request).await, reference.name);
            assert_ne!(got, logits_of(&untrained, request).await, "{}", reference.name);
        }
    }
}

#[pollster::test]
async fn a_training_goes_on_from_its_state_to_the_bit() {
    for reference in families() {
        let batch = small_batch(&reference);
        let mut trainer = training_of(&reference).await;
        trainer.step(&batch).await.unwrap();
        let state = trainer.state();
        let mut other = training_of(&reference).await;
        other.restore(&state).unwrap();
        for _ in 0..2 {
            let outcome = trainer.step(&batch).await.unwrap();
            assert_eq!(other.step(&batch).await.unwrap(), outcome, "{}", reference.name);
        }
        assert_eq!(other.parameters(), trainer.parameters(), "{}", reference.name);
        let parts = trainer.step(&batch).await.unwrap();
        let squares: f64 = parts.part_norms.iter().map(|part| part.norm * part.norm).sum();
        assert!((squares.sqrt() - parts.gradient_norm).abs() < 1e-9 * parts.gradient_norm);
        let layers = parts.part_norms.iter().filter(|part| part.layer.is_some()).count();
        assert!(layers >= 2, "{}: {layers} layers", reference.name);
    }
}

#[pollster::test]
async fn what_is_no_state_of_the_model_is_refused_and_changes_nothing() {
    let [one, other] = ["gpt2-tiny", "bert-tiny"]
        .map(|name| trainable().into_iter().find(|reference| reference.name == name).unwrap());
    let mut trainer = training_of(&one).await;
    let before = trainer.parameters().to_vec();
    let foreign = training_of(&other).await.state();
    for (state, code) in [
        (foreign.as_slice(), "checkpoint/missing-tensor"),
        (one.checkpoint, "checkpoint/missing-tensor"),
        (b"no file", "checkpoint/truncated"),
    ] {
        let refused = trainer.restore(state).err().unwrap();
        assert_eq!(refused.code.as_str(), code, "{refused}");
    }
    assert_eq!(trainer.parameters(), before);
}

#[pollster::test]
async fn an_evaluation_is_the_loss_of_the_next_step_and_changes_nothing() {
    let reference = &trainable()[0];
    let batch = small_batch(reference);
    let mut trainer = training_of(reference).await;
    let before = trainer.parameters().to_vec();
    let found = trainer.evaluate(&batch).await.unwrap();
    assert_eq!(trainer.parameters(), before);
    let outcome = trainer.step(&batch).await.unwrap();
    assert_eq!((found.loss, found.accuracy), (outcome.loss, outcome.accuracy));
}
