//! Patches: what follows from an activation of another text's run equals what PyTorch computes with
//! hooks on Hugging Face's modules; an activation put in its own place changes no bit; blocks
//! before a patch are taken over from the run before.

use crate::support;

use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::{Operation, RunRequest};
use serde_json::{Value, json};
use support::{
    Answers, Handle, REPEATING, Session, address_elsewhere, assert_close, assert_same_bits,
    families, finished, hidden, numbers, run_under, stacks_of, steps, streams_of, under,
};

const CASES: &str = include_str!("../reference/patches.json");
const ANSWERS: &[u8] = include_bytes!("../reference/patches.safetensors");

/// The edit that puts a tensor at an address.
pub fn patch(at: &Value, tensor: &Tensor) -> Value {
    let rows: Vec<Vec<f32>> =
        tensor.values().outer_iter().map(|row| row.iter().copied().collect()).collect();
    json!({"at": at, "from": {"values": rows}})
}

pub async fn activation(run: &Handle, at: &Value) -> Tensor {
    run.activation(at).unwrap_or_else(|error| panic!("{at}: {error}")).await.unwrap()
}

pub async fn logits(run: &Handle) -> Vec<f32> {
    run.logits(None).unwrap().await.unwrap().into_data()
}

#[pollster::test]
async fn what_follows_from_a_patch_equals_pytorch() {
    let described: Value = serde_json::from_str(CASES).unwrap();
    let answers = Answers::open(ANSWERS);
    let mut compared = 0;
    for reference in families() {
        let session = reference.load(Cpu);
        let model = &described[reference.name];
        let ids = numbers(&model["ids"]);
        let source = run_under(&session, &numbers(&model["source_ids"]), &json!({})).await;
        for case in model["patches"].as_array().unwrap() {
            let at = &case["at"];
            let name = format!("{}/{}", reference.name, case["name"].as_str().unwrap());
            let tensor = activation(&source, at).await;
            let run = run_under(&session, &ids, &json!({"patches": [patch(at, &tensor)]})).await;
            let (want, _) = answers.get(&name);
            assert_close(&logits(&run).await, &want, &name);
            let there = activation(&run, at).await;
            assert_same_bits(&there.into_data(), &tensor.into_data(), &name);
            compared += 1;
        }
    }
    assert_eq!(compared, 35);
}

#[pollster::test]
async fn probabilities_under_a_patch_are_those_of_the_run_with_it() {
    let mut beside_others = 0;
    for reference in families() {
        let session = reference.load(Cpu);
        let mut other = REPEATING;
        other[2] = 23.;
        let source = run_under(&session, &other, &json!({})).await;
        // A patch that the run already has stays.
        let (first, ..) = stacks_of(&session)[0];
        let own = json!({"stack": first, "layer": 0, "step": "context", "head": 0});
        let own = patch(&own, &activation(&source, &own).await);
        let base = run_under(&session, &REPEATING, &json!({"patches": [own]})).await;
        let ids = [4, 9];
        for (stack, layers, heads) in stacks_of(&session) {
            for layer in 0..layers {
                let position = 1 + 2 * layer.min(1);
                for at in addresses(&base, (stack, layer, heads - 1)).await {
                    // Heads, or positions, are computed side by side.
                    let mut beside = at.clone();
                    match at.get("head") {
                        Some(_) => beside["head"] = json!(0),
                        None => beside["positions"] = json!([2, 0]),
                    }
                    let all = [at, beside];
                    let asked = json!({"at": all, "other": 0, "position": position, "ids": ids});
                    let got = base.patched(asked, &source).await.unwrap();
                    for (at, got) in all.iter().zip(got.chunks(ids.len())) {
                        let values = patch(at, &activation(&source, at).await);
                        let edits = json!({"patches": [own, values]});
                        let run = run_under(&session, &REPEATING, &edits).await;
                        let want = run.probabilities(&[position; 2], &ids).unwrap().await.unwrap();
                        assert_eq!(got, want, "{}: {at}", reference.name);
                    }
                    beside_others += got.len() / ids.len() - 1;
                }
            }
        }
    }
    assert!(beside_others > 100, "{beside_others}");
}

#[pollster::test]
async fn probabilities_under_a_patch_that_cannot_be_are_refused() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let longer = [&REPEATING[..], &[2.0]].concat();
    let longer = finished(&session, &under(&session, &longer, &json!({})), None).await;
    let at = |step: &str| json!({"stack": "decoder", "layer": 1, "step": step});
    for (step, position, id, other, code) in [
        ("context", 1, 9, &longer, "selection/other-length"),
        ("context", 99, 9, &run, "selection/bad-position"),
        ("context", 1, 99_999, &run, "input/bad-id"),
        ("final", 1, 9, &run, "edit/unsupported"),
        ("memory", 1, 9, &run, "selection/bad-stage"),
    ] {
        let mut at = at(step);
        if step == "final" {
            at["layer"] = json!(2);
        }
        let asked = json!({"at": [at], "other": 0, "position": position, "ids": [id]});
        let error = run.patched(asked.clone(), other).await.unwrap_err();
        assert_eq!(error.code.as_str(), code, "{asked}: {error}");
    }
}

#[pollster::test]
async fn what_follows_from_a_path_patch_equals_pytorch() {
    let described: Value = serde_json::from_str(CASES).unwrap();
    let answers = Answers::open(ANSWERS);
    let mut compared = 0;
    for reference in families() {
        let session = reference.load(Cpu);
        let model = &described[reference.name];
        let ids = numbers(&model["ids"]);
        let base = run_under(&session, &ids, &json!({})).await;
        let source = run_under(&session, &numbers(&model["source_ids"]), &json!({})).await;
        for case in model["paths"].as_array().unwrap() {
            let (from, to) = (&case["from"], &case["to"]);
            let asked = json!({"from": [from], "to": to, "other": 0});
            let received = base.direct(asked, &source).await.unwrap();
            let run = run_under(&session, &ids, &json!({"patches": [patch(to, &received)]})).await;
            let name = format!("{}/{}", reference.name, case["name"].as_str().unwrap());
            let (want, _) = answers.get(&name);
            assert_close(&logits(&run).await, &want, &name);
            compared += 1;
        }
    }
    assert_eq!(compared, 18);
}

#[pollster::test]
async fn a_path_of_the_runs_own_output_changes_no_bit() {
    for reference in families() {
        let session = reference.load(Cpu);
        let run = run_under(&session, &REPEATING, &json!({})).await;
        for (stack, layers, heads) in stacks_of(&session) {
            let into = if stack == "cross" { "decoder" } else { stack };
            let to = json!({"stack": into, "layer": layers - 1, "step": "value", "head": 0});
            let from = json!({"stack": stack, "layer": 0, "step": "context", "head": heads - 1});
            let asked = json!({"from": [from], "to": to, "other": 0});
            let received = run.direct(asked, &run).await.unwrap().into_data();
            let own = activation(&run, &to).await.into_data();
            assert_same_bits(&received, &own, &format!("{}: {stack}", reference.name));
        }
    }
}

#[pollster::test]
async fn paths_of_several_heads_arrive_together() {
    for reference in families() {
        let session = reference.load(Cpu);
        let mut other = REPEATING;
        other[2] = 23.;
        let base = run_under(&session, &REPEATING, &json!({})).await;
        let source = run_under(&session, &other, &json!({})).await;
        for (stack, layers, heads) in stacks_of(&session) {
            let into = if stack == "cross" { "decoder" } else { stack };
            let to = json!({"stack": into, "layer": layers - 1, "step": "value", "head": 0});
            let context =
                |head: usize| json!({"stack": stack, "layer": 0, "step": "context", "head": head});
            let [one, two] = [context(0), context(heads - 1)];
            let from = async |from: Value, other: &Handle| {
                let asked = json!({"from": from, "to": to, "other": 0});
                base.direct(asked, other).await.unwrap().into_data()
            };
            let name = format!("{}: {stack}", reference.name);
            let alone = from(json!([one]), &source).await;
            let both = from(json!([one, two]), &source).await;
            let turned = from(json!([two, one]), &source).await;
            assert_same_bits(&both, &turned, &name);
            // A head whose output is that of the run sends nothing new.
            let own = patch(&one, &activation(&source, &one).await);
            let half = run_under(&session, &REPEATING, &json!({"patches": [own]})).await;
            assert_same_bits(&from(json!([one, two]), &half).await, &alone, &name);
            let is_changed = heads > 1 && from(json!([two]), &source).await != alone;
            assert!(!is_changed || both != alone, "{name}");
        }
    }
}

#[pollster::test]
async fn a_path_that_the_stream_does_not_take_is_refused() {
    let session = reference!("marian-tiny").load(Cpu);
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let longer = [&REPEATING[..], &[2.0]].concat();
    let other = finished(&session, &under(&session, &longer, &json!({})), None).await;
    let at = |stack: &str, layer: usize, step: &str| json!({"stack": stack, "layer": layer, "step": step, "head": 0});
    for (from, to, code) in [
        (("encoder", 1, "context"), ("encoder", 1, "query"), "selection/bad-layer"),
        (("decoder", 0, "context"), ("decoder", 0, "value"), "selection/bad-layer"),
        (("cross", 1, "context"), ("cross", 1, "query"), "selection/bad-layer"),
        (("encoder", 0, "context"), ("decoder", 1, "key"), "selection/bad-layer"),
        (("encoder", 0, "context"), ("cross", 1, "query"), "selection/bad-layer"),
        (("decoder", 0, "context"), ("cross", 1, "key"), "selection/bad-layer"),
        (("encoder", 0, "value"), ("encoder", 1, "key"), "selection/bad-stage"),
        (("encoder", 0, "context"), ("encoder", 1, "context"), "selection/bad-stage"),
        (("encoder", 9, "context"), ("encoder", 1, "key"), "selection/bad-layer"),
    ] {
        let [from, to] = [from, to].map(|(stack, layer, step)| at(stack, layer, step));
        let asked = json!({"from": [from], "to": to, "other": 0});
        let error = run.direct(asked.clone(), &run).await.unwrap_err();
        assert_eq!(error.code.as_str(), code, "{asked}: {error}");
    }
    let path = json!({"from": [], "to": at("encoder", 1, "key"), "other": 0});
    let error = run.direct(path, &run).await.unwrap_err();
    assert_eq!(error.code.as_str(), "selection/bad-stage", "{error}");
    let path = json!({
        "from": [at("encoder", 0, "context")], "to": at("encoder", 1, "key"), "other": 0,
    });
    let error = run.direct(path, &other).await.unwrap_err();
    assert_eq!(error.code.as_str(), "selection/other-length", "{error}");
}

/// The address of each step of a block that can be patched, with a head where it needs one.
pub async fn addresses(run: &Handle, (stack, layer, head): (&str, usize, usize)) -> Vec<Value> {
    let kept = steps(run, (stack, layer, head)).await.into_iter().map(|one| {
        let mut at = json!({"stack": stack, "layer": layer, "step": one.step.name()});
        if ["weights", "context", "value"].contains(&one.step.name()) {
            at["head"] = json!(head);
        }
        at
    });
    let is_open = |at: &Value| {
        let closed = [
            "embedded",
            "memory",
            "raw",
            "scores",
            "masked",
            "final",
            "entered",
            "query",
            "key",
            "query-rotated",
            "key-rotated",
        ];
        let step = at["step"].as_str().unwrap();
        !closed.contains(&step) && address_elsewhere(stack, step).is_none()
    };
    kept.filter(is_open).collect()
}

#[pollster::test]
async fn an_activation_in_its_own_place_changes_no_bit() {
    for reference in families() {
        let session = reference.load(Cpu);
        let plain = run_under(&session, &REPEATING, &json!({})).await;
        for (stack, layers, heads) in stacks_of(&session) {
            let layer = layers - 1;
            for at in addresses(&plain, (stack, layer, heads - 1)).await {
                let what = format!("{}: {at}", reference.name);
                let edits = json!({"patches": [patch(&at, &activation(&plain, &at).await)]});
                let run = finished(&session, &under(&session, &REPEATING, &edits), None).await;
                for (stream, layers) in streams_of(&session) {
                    for layer in 0..=layers {
                        let got = hidden(&run, stream, layer).await.into_data();
                        let want = hidden(&plain, stream, layer).await.into_data();
                        assert_same_bits(&got, &want, &what);
                    }
                }
                assert_same_bits(&logits(&run).await, &logits(&plain).await, &what);
            }
        }
    }
}

fn request(session: &Session<Cpu>, edits: &Value) -> RunRequest {
    under(session, &REPEATING, edits)
}

#[pollster::test]
async fn a_lenient_request_has_its_patches_beside_edits_that_are_left_out() {
    for reference in families() {
        let session = reference.load(Cpu);
        let mut other = REPEATING;
        other[2] = 23.;
        let source = run_under(&session, &other, &json!({})).await;
        let (stack, ..) = stacks_of(&session)[0];
        let at = json!({"stack": stack, "layer": 1, "step": "context", "head": 0});
        let patches = [patch(&at, &activation(&source, &at).await)];
        let strict = run_under(&session, &REPEATING, &json!({"patches": patches})).await;
        let both = json!({"heads": [{"layers": [99], "gate": 0}], "patches": patches});
        let lenient = RunRequest { lenient: Some(true), ..request(&session, &both) };
        let run = finished(&session, &lenient, None).await;
        assert_same_bits(&logits(&run).await, &logits(&strict).await, reference.name);
    }
}

#[pollster::test]
async fn blocks_before_a_patch_are_taken_over() {
    for reference in families() {
        let session = reference.load(Cpu);
        let source = run_under(&session, &[5., 9., 23., 5., 40., 17., 2.], &json!({})).await;
        let other = run_under(&session, &REPEATING, &json!({})).await;
        for (stack, layers, heads) in stacks_of(&session) {
            for layer in 0..layers {
                for at in addresses(&other, (stack, layer, heads - 1)).await {
                    let what = format!("{}: {at}", reference.name);
                    // The memory of cross-attention is as long as the source, the rest as the text.
                    let tensor = activation(&other, &at).await;
                    let mut at = at;
                    at["positions"] = json!([1]);
                    let row = activation(&source, &at).await;
                    let mut values = row.into_data();
                    values.resize(tensor.shape()[1], 0.0);
                    let edits = json!({"patches": [{"at": at, "from": {"values": [values]}}]});
                    let fresh = finished(&session, &request(&session, &edits), None).await;
                    let again = finished(&session, &request(&session, &edits), Some(&other)).await;
                    assert_same_bits(&logits(&again).await, &logits(&fresh).await, &what);
                    let computed = again.executed().blocks;
                    let all = again.executed().blocks + again.executed().reused_blocks;
                    // The input of a block is what leaves the one before.
                    let is_input = at["step"] == "input" && stack != "cross";
                    let first = layer - usize::from(is_input && layer > 0);
                    let before = if stack == "encoder" {
                        first
                    } else {
                        first + session.info().stacks.encoder.map_or(0, |encoder| encoder.layers)
                    };
                    assert_eq!(computed, all - before, "{what}");
                    let back =
                        finished(&session, &request(&session, &json!({})), Some(&again)).await;
                    assert_same_bits(&logits(&back).await, &logits(&other).await, &what);
                    let fork = again.forked(&[]);
                    fork.finish().await.unwrap();
                    assert_same_bits(&logits(&fork).await, &logits(&again).await, &what);
                }
            }
        }
    }
}

/// A row is taken over if it sees no row that a patch changes.
#[pollster::test]
async fn rows_that_see_nothing_of_a_patch_are_taken_over() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    let stack = "decoder";
    let width = hidden(&plain, stack, 0).await.shape()[1];
    let stream = |position: usize, layer: usize| {
        let at = json!({"stack": stack, "layer": layer, "step": "input", "positions": [position]});
        json!({"at": at, "from": {"values": [vec![0.5; width]]}})
    };
    // The second token looks ahead, at the fifth.
    let mut weights = [0.0; REPEATING.len()];
    weights[4] = 1.0;
    let at = json!({"stack": stack, "layer": 0, "step": "weights", "head": 0, "positions": [1]});
    let ahead = json!({"at": at, "from": {"values": [weights]}});
    let open_mask = json!({"masks": [{"preset": {"kind": "none"}, "mode": "replace"}]});
    let open = run_under(&session, &REPEATING, &open_mask).await;
    let ahead_alone = run_under(&session, &REPEATING, &json!({"patches": [ahead]})).await;
    for (before, mut edits, patches, reused) in [
        (&plain, json!({}), vec![stream(3, 1)], 3),
        (&plain, json!({}), vec![stream(4, 0), stream(2, 0)], 2),
        (&ahead_alone, json!({}), vec![ahead.clone(), stream(4, 0)], 1),
        (&ahead_alone, json!({}), vec![ahead, stream(5, 0)], 5),
        (&open, open_mask, vec![stream(3, 1)], 0),
    ] {
        edits["patches"] = json!(patches);
        let fresh = finished(&session, &request(&session, &edits), None).await;
        let again = finished(&session, &request(&session, &edits), Some(before)).await;
        assert_same_bits(&logits(&again).await, &logits(&fresh).await, &edits.to_string());
        assert_eq!(again.executed().reused_tokens, reused, "{edits}");
    }
}

#[pollster::test]
async fn equal_patterns_of_two_heads_are_two_patches_and_no_positions_are_none() {
    let session = reference!("bert-tiny").load(Cpu);
    let n = REPEATING.len();
    let uniform = vec![vec![1.0 / n as f64; n]; n];
    let under_head = |head: usize| {
        let at = json!({"stack": "encoder", "layer": 1, "step": "weights", "head": head});
        request(&session, &json!({"patches": [{"at": at, "from": {"values": uniform}}]}))
    };
    let first = finished(&session, &under_head(0), None).await;
    let second = finished(&session, &under_head(1), None).await;
    let after = finished(&session, &under_head(1), Some(&first)).await;
    assert_same_bits(&logits(&after).await, &logits(&second).await, "head 1 after head 0");
    assert_ne!(logits(&first).await, logits(&second).await);
    let at = json!({"stack": "encoder", "layer": 1, "step": "context", "positions": []});
    let nothing = json!({"patches": [{"at": at, "from": {"values": []}}]});
    let [nothing, plain] = [nothing, json!({})].map(|edits| request(&session, &edits));
    let nothing = finished(&session, &nothing, None).await;
    let plain = finished(&session, &plain, None).await;
    assert_same_bits(&logits(&nothing).await, &logits(&plain).await, "no position");
    let given = json!({"heads": [{"layers": [1], "heads": [1], "pattern": "uniform"}]});
    let fixed = finished(&session, &request(&session, &given), None).await;
    assert_close(&logits(&second).await, &logits(&fixed).await, "a uniform pattern");
}

#[pollster::test]
async fn a_patched_cell_says_so() {
    let session = reference!("marian-tiny").load(Cpu);
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    for (step, head) in
        [("weights", Some(2)), ("value", Some(2)), ("context", Some(2)), ("attended", None)]
    {
        let mut at = json!({"stack": "cross", "layer": 1, "step": step, "positions": [1]});
        if let Some(head) = head {
            at["head"] = json!(head);
        }
        let edits = json!({"patches": [patch(&at, &activation(&plain, &at).await)]});
        let run = run_under(&session, &REPEATING, &edits).await;
        let width = 30 / 3;
        let column = if ["value", "context"].contains(&step) { 2 * width } else { 0 };
        let kind = async |row: usize, column: usize| {
            let made = run.explain(("cross", 1, 2), step, row, column).unwrap().await.unwrap();
            matches!(made.operation, Operation::Patched)
        };
        assert!(kind(1, column).await, "{step}");
        assert!(!kind(0, column).await, "{step}");
        if step == "value" || step == "context" {
            assert!(!kind(1, column - 1).await, "{step}");
        }
    }
}
