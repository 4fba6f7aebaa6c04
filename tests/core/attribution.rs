//! The parts of a logit equal gradients times values in PyTorch, with the scales of norms detached;
//! they add up to the logit in every model, under every edit.

use crate::lens::opened;
use crate::support::parity::mixtures;
use crate::support::references::{FAMILIES, SETTINGS};
use crate::support::{
    Answers, Handle, REPEATING, Session, assert_close, families, finished, request, run_under,
    stacks_of,
};

use headscope::backend::Cpu;
use headscope::run::{Attribution, FrozenScale, LogitPart, LogitPartKind};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/lens.json");
const ASKED: &str = include_str!("../reference/attribution.json");
const ANSWERS: &[u8] = include_bytes!("../reference/attribution.safetensors");

async fn attribution(run: &Handle, asked: &Value) -> Attribution {
    run.attribution(asked.clone()).await.unwrap_or_else(|error| panic!("{asked}: {error}"))
}

/// The values of the parts that are of this kind, and of this stack unless it is empty.
fn values(found: &Attribution, kind: LogitPartKind, stack: &str) -> Vec<f32> {
    let is_of = |part: &&LogitPart| {
        part.kind == kind && part.stack.map_or("", |stack| stack.name()) == stack
    };
    found.parts.iter().filter(is_of).map(|part| part.value as f32).collect()
}

/// The sums of biases of each block, and of those outside of blocks at the end.
fn biases(found: &Attribution, layers: usize) -> Vec<f32> {
    let mut sums = vec![0.0; layers + 1];
    let ends = |part: &&LogitPart| part.kind.name().ends_with("-bias");
    for part in found.parts.iter().filter(ends) {
        sums[part.layer.unwrap_or(layers)] += part.value;
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}

fn assert_sums(found: &Attribution, what: &str) {
    let sum: f64 = found.parts.iter().map(|part| part.value).sum();
    let largest = found.parts.iter().fold(1.0, |largest, part| part.value.abs().max(largest));
    assert!((sum - found.sum).abs() < 1e-9, "{what}");
    let apart = (found.sum - found.uncapped).abs();
    assert!(apart <= 1e-5 * largest, "{what}: {} for {}", found.sum, found.uncapped);
}

#[pollster::test]
async fn parts_equal_gradients_times_values_with_detached_scales() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let all: Map<String, Value> = serde_json::from_str(ASKED).unwrap();
    let answers = Answers::open(ANSWERS);
    for (name, asked) in &all {
        let session = opened(name);
        let run =
            finished(&session, &request(&cases[name], session.info().architecture), None).await;
        let found = attribution(&run, asked).await;
        let (own, layers, _) =
            stacks_of(&session).into_iter().rfind(|(stack, ..)| *stack != "cross").unwrap();
        for (part, got) in [
            ("logit", vec![found.logit as f32]),
            ("uncapped", vec![found.uncapped as f32]),
            ("own", values(&found, LogitPartKind::Head, own)),
            ("cross", values(&found, LogitPartKind::Head, "cross")),
            ("feed-forward", values(&found, LogitPartKind::FeedForward, own)),
            ("token", values(&found, LogitPartKind::Token, "")),
            ("position", values(&found, LogitPartKind::Position, "")),
            ("token-type", values(&found, LogitPartKind::TokenType, "")),
            ("biases", biases(&found, layers)),
        ] {
            let what = format!("{name}/{part}");
            if answers.has(&what) {
                assert_close(&got, &answers.get(&what).0, &what);
            } else {
                assert!(got.is_empty(), "{what}");
            }
        }
    }
    assert_eq!(all.len(), 12);
}

/// The address of each head of the stack that predicts and of its cross-attention.
fn heads_that_write(session: &Session<Cpu>) -> Vec<(&'static str, usize, usize)> {
    let stacks = stacks_of(session);
    let has_decoder = stacks.iter().any(|(stack, ..)| *stack == "decoder");
    let own = stacks.into_iter().filter(|(stack, ..)| !has_decoder || *stack != "encoder");
    own.flat_map(|(stack, layers, heads)| {
        (0..layers * heads).map(move |at| (stack, at / heads, at % heads))
    })
    .collect()
}

#[pollster::test]
async fn parts_add_up_in_every_model() {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let of_families = families.iter().map(|(name, family)| (name, &family["cases"][0]));
    let of_settings = settings.iter().map(|(name, setting)| (name, &setting["case"]));
    for (name, case) in of_families.chain(of_settings) {
        let session = opened(name);
        let run = finished(&session, &request(case, session.info().architecture), None).await;
        if !session.info().predicts {
            let refused = run.attribution(json!({"position": 0, "id": 1})).await.unwrap_err();
            assert_eq!(refused.code.as_str(), "output/unavailable", "{name}");
            continue;
        }
        let found = attribution(&run, &json!({"position": 0, "id": 1, "against": 3})).await;
        assert_sums(&found, name);
        let heads = found.parts.iter().filter(|part| part.kind == LogitPartKind::Head).count();
        assert_eq!(heads, heads_that_write(&session).len(), "{name}");
    }
}

#[pollster::test]
async fn parts_add_up_under_edits_and_a_head_is_the_sum_of_its_keys() {
    for reference in families() {
        let session = reference.load(Cpu);
        for edits in mixtures().into_iter().chain([json!({})]) {
            if !crate::support::has_stacks_of(&session, &edits) {
                continue;
            }
            let run = run_under(&session, &REPEATING, &edits).await;
            for (stack, layer, head) in heads_that_write(&session) {
                let asked = json!({"position": 3, "id": 7,
                    "head": {"stack": stack, "layer": layer, "head": head}});
                let found = attribution(&run, &asked).await;
                let what = format!("{} {asked} {edits}", reference.name);
                assert_sums(&found, &what);
                let own = found.parts.iter().find(|part| {
                    (part.stack.map_or("", |stack| stack.name()), part.layer, part.head)
                        == (stack, Some(layer), Some(head))
                });
                let keys = found.keys.unwrap();
                let sum: f64 = keys.iter().map(|key| key.value).sum();
                let largest = keys.iter().fold(1.0, |most: f64, key| most.max(key.value.abs()));
                assert!((sum - own.unwrap().value).abs() <= 1e-4 * largest, "{what}");
            }
        }
    }
}

#[pollster::test]
async fn an_ablated_head_adds_nothing_and_a_stream_without_residual_ends() {
    let session = opened("gpt2-tiny");
    let asked = json!({"position": 5, "id": 7});
    let ablated = json!({"heads": [{"layers": [1], "heads": [2], "gate": 0}]});
    let found = attribution(&run_under(&session, &REPEATING, &ablated).await, &asked).await;
    let head = found.parts.iter().find(|part| part.layer == Some(1) && part.head == Some(2));
    assert_eq!(head.unwrap().value.abs().to_bits(), 0);
    assert_eq!(found.frozen, [FrozenScale::FinalNorm]);
    let cut =
        json!({"blocks": [{"layers": [1], "sublayers": ["feed-forward"], "residual": false}]});
    let found = attribution(&run_under(&session, &REPEATING, &cut).await, &asked).await;
    assert_sums(&found, "a cut stream");
    let below = found.parts.iter().filter(|part| part.layer == Some(0));
    assert!(below.into_iter().all(|part| part.value == 0.0));
}

/// A patch of what is a sum is a part of its own: what it puts there beyond the other parts.
#[pollster::test]
async fn a_patch_of_the_stream_is_a_part() {
    for name in ["gpt2-tiny", "bert-tiny", "marian-tiny"] {
        let session = opened(name);
        let stack = if name == "bert-tiny" { "encoder" } else { "decoder" };
        let width = session.info().d_model;
        let row: Vec<f64> = (0..width).map(|at| (at as f64).sin()).collect();
        for (step, layer) in [("input", 0), ("input", 1), ("attended", 1), ("ff-output", 0)] {
            let at = json!({"stack": stack, "layer": layer, "step": step, "positions": [2]});
            let edits = json!({"patches": [{"at": at, "from": {"values": [row]}}]});
            let run = run_under(&session, &REPEATING, &edits).await;
            for (position, is_patched) in [(2, step != "ff-output"), (3, false)] {
                let found = attribution(&run, &json!({"position": position, "id": 7})).await;
                assert_sums(&found, &format!("{name} {at} {position}"));
                let patch = found.parts.iter().find(|part| part.kind == LogitPartKind::Patch);
                let value = patch.map_or(0.0, |part| part.value.abs());
                assert_eq!(value > 1e-3, is_patched, "{name} {at} {position}: {value}");
            }
        }
    }
    let session = opened("gpt2-tiny");
    let at =
        json!({"stack": "decoder", "layer": 1, "step": "context", "head": 1, "positions": [2]});
    let edits = json!({"patches": [{"at": at, "from": {"values": [vec![1.0; 10]]}}]});
    let run = run_under(&session, &REPEATING, &edits).await;
    for (head, has_keys) in [(1, false), (0, true)] {
        let head = json!({"stack": "decoder", "layer": 1, "head": head});
        let found = attribution(&run, &json!({"position": 2, "id": 7, "head": head})).await;
        assert_sums(&found, "a patched head");
        assert_eq!(found.keys.is_some(), has_keys);
    }
}

#[pollster::test]
async fn what_does_not_exist_is_refused() {
    let run = run_under(&opened("marian-tiny"), &REPEATING, &json!({})).await;
    let head = |stack: &str, layer: usize, head: usize| json!({"position": 0, "id": 1, "head": {"stack": stack, "layer": layer, "head": head}});
    for (asked, code) in [
        (json!({"position": 5, "id": 1}), "selection/bad-position"),
        (json!({"position": 0, "id": 61}), "input/bad-id"),
        (json!({"position": 0, "id": 1, "against": 61}), "input/bad-id"),
        (json!({"position": 0}), "input/bad-id"),
        (head("encoder", 0, 0), "selection/bad-stack"),
        (head("cross", 9, 0), "selection/bad-layer"),
        (head("decoder", 0, 9), "selection/bad-head"),
    ] {
        let refused = run.attribution(asked.clone()).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{asked}");
    }
}
