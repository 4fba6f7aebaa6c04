//! Patterns of several heads joined equal those that NumPy and networkx make of Hugging Face's
//! weights, and what cannot be joined is refused.

use crate::support;

use headscope::backend::Cpu;
use serde_json::{Value, json};
use support::{
    Answers, REPEATING, Random, assert_close, finished, request, run_under, tiny_models,
};

const ANSWERS: &[u8] = include_bytes!("../reference/aggregates.safetensors");

/// The names of the reference, each with the fields of its question beside the stack.
fn asked() -> [(&'static str, Value); 7] {
    [
        ("mean", json!({"how": "mean"})),
        ("maximum", json!({"how": "maximum"})),
        ("mean.layer", json!({"how": "mean", "layer": 1})),
        ("maximum.head", json!({"how": "maximum", "head": 1})),
        ("rollout", json!({"how": "rollout"})),
        ("rollout.layer", json!({"how": "rollout", "layer": 1})),
        ("flow", json!({"how": "flow"})),
    ]
}

fn with_stack(mut fields: Value, stack: &str) -> Value {
    fields["stack"] = stack.into();
    fields
}

#[pollster::test]
async fn joined_patterns_equal_those_of_the_reference() {
    let answers = Answers::open(ANSWERS);
    let mut compared = 0;
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        for case in reference.cases() {
            let prefix = format!("{}/{}", reference.name, case["name"].as_str().unwrap());
            for stack in ["encoder", "decoder", "cross"] {
                if !answers.has(&format!("{prefix}.{stack}.mean")) {
                    continue;
                }
                let given = request(&case, session.info().architecture);
                let run = finished(&session, &given, None).await;
                for (name, fields) in asked() {
                    let name = format!("{prefix}.{stack}.{name}");
                    if answers.has(&name) {
                        let (want, shape) = answers.get(&name);
                        let got = run.aggregate(with_stack(fields, stack)).await.unwrap();
                        assert_eq!(got.shape(), shape, "{name}");
                        assert_close(&got.into_data(), &want, &name);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 39);
}

#[pollster::test]
async fn what_cannot_be_joined_is_refused() {
    let session = reference!("bert-tiny").load(Cpu);
    let low_rank = json!({"attention": [{"layers": [1], "heads": [0], "kind": "low-rank", "parameters": {"rank": 2}}]});
    let run = run_under(&session, &REPEATING, &low_rank).await;
    let refusals = [
        (json!({"stack": "encoder", "how": "mean"}), "selection/bad-head"),
        (json!({"stack": "encoder", "how": "flow", "layer": 2}), "selection/bad-head"),
        (json!({"stack": "encoder", "how": "rollout", "head": 1}), "selection/bad-head"),
        (json!({"stack": "encoder", "how": "mean", "head": 99}), "selection/bad-head"),
        (json!({"stack": "encoder", "how": "rollout", "layer": 99}), "selection/bad-layer"),
        (json!({"stack": "cross", "how": "mean"}), "selection/bad-stack"),
    ];
    for (asked, code) in refusals {
        let refused = run.aggregate(asked.clone()).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{asked}");
    }
    assert!(run.aggregate(json!({"stack": "encoder", "how": "rollout", "layer": 0})).await.is_ok());

    let translator = reference!("marian-tiny").load(Cpu);
    let run = run_under(&translator, &REPEATING, &json!({})).await;
    let refused = run.aggregate(json!({"stack": "cross", "how": "rollout"})).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "selection/bad-stack");
}

#[pollster::test]
async fn the_flow_of_a_long_text_is_refused_by_its_length() {
    let reference = reference!("marian-tiny");
    let config = reference
        .config
        .replace(r#""max_position_embeddings": 19"#, r#""max_position_embeddings": 600"#);
    let session = support::Session::load(Cpu, &config, reference.checkpoint).unwrap();
    for (n, is_taken) in [(64, true), (65, false)] {
        let run = run_under(&session, &Random(1).ids(n, 60), &json!({})).await;
        let flow = run.aggregate(json!({"stack": "encoder", "how": "flow"})).await;
        assert_eq!(flow.is_ok(), is_taken, "{n} tokens");
    }
}
