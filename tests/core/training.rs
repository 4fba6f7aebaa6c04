//! Training follows PyTorch's losses and gradient norms step by step.

use std::rc::Rc;

use crate::lens::opened_on;
use crate::support::numbers;

use headscope::backend::{Autodiff, Cpu};
use headscope::error::{Code, Result};
use headscope::run::RunRequest;
use headscope::training::{Example, Method, Optimiser, Schedule, Trainer};
use serde_json::{Map, Value};

const CASES: &str = include_str!("../reference/training.json");

/// How far a loss may be from that of PyTorch in f64.
const LOSS: f64 = 1e-3;

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
    assert_eq!(trainer.parameters(), before);
}
