//! What each key of a head adds equals what PyTorch computes with hooks on the modules of Hugging
//! Face; under any edits it is what the other answers of the run say.

use crate::lens::opened;
use crate::support::parity::mixtures;
use crate::support::{
    Answers, Handle, REPEATING, Session, assert_within, families, finished, has_stacks_of, request,
    rows, run_under, stacks_of,
};

use headscope::axes::Tensor;
use headscope::backend::Cpu;
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/lens.json");
const ASKED: &str = include_str!("../reference/shares.json");
const ANSWERS: &[u8] = include_bytes!("../reference/shares.safetensors");

/// Within 1e-4 of the largest number.
fn assert_near(got: &[f32], want: &[f32], what: &str) {
    let largest = want.iter().fold(0f32, |largest, x| largest.max(x.abs()));
    assert_within(1e-4 * largest, got, want, what);
}

async fn effects(run: &Handle, stack: &str, [layer, head]: [usize; 2], asked: &Value) -> Tensor {
    let mut asked = asked.clone();
    asked["stack"] = stack.into();
    asked["layer"] = layer.into();
    asked["head"] = head.into();
    run.effects(asked.clone()).await.unwrap_or_else(|error| panic!("{asked}: {error}"))
}

async fn norms(run: &Handle, stack: &str, [layer, head]: [usize; 2]) -> Tensor {
    run.norms(stack, layer, head).unwrap().await.unwrap()
}

#[pollster::test]
async fn shares_equal_those_of_hooks_on_hugging_face() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let all: Map<String, Value> = serde_json::from_str(ASKED).unwrap();
    let answers = Answers::open(ANSWERS);
    let mut compared = 0;
    for (name, asked) in &all {
        let session = opened(name);
        let run =
            finished(&session, &request(&cases[name], session.info().architecture), None).await;
        for (stack, layers, heads) in stacks_of(&session) {
            for (layer, what) in [(0, "effects"), (1, "norms")] {
                let part = format!("{name}/{stack}.{layer}.{what}");
                if layer >= layers || !answers.has(&part) {
                    continue;
                }
                let mut got = Vec::new();
                for head in 0..heads {
                    let of_head = if what == "norms" {
                        norms(&run, stack, [layer, head]).await
                    } else {
                        effects(&run, stack, [layer, head], asked).await
                    };
                    got.extend(of_head.into_data());
                }
                assert_near(&got, &answers.get(&part).0, &part);
                compared += 1;
            }
        }
    }
    assert_eq!((all.len(), compared), (11, 31));
}

/// The length of what each key adds, in plain loops over other answers.
async fn norms_in_loops(
    session: &Session<Cpu>,
    run: &Handle,
    (stack, layer, head): (&str, usize, usize),
    gate: f64,
) -> Vec<f32> {
    let weights = run.attention((stack, layer, head), "weights", None).unwrap().await.unwrap();
    let values = run.projection(stack, layer, head, "value", true).unwrap().await.unwrap();
    let output = session.head_weights((stack, layer, head), "output").unwrap().await.unwrap();
    let output = rows(&output);
    let lengths: Vec<f64> = rows(&values)
        .iter()
        .map(|value| {
            let added = (0..output[0].len())
                .map(|o| value.iter().zip(&output).map(|(v, row)| v * row[o]).sum::<f64>());
            added.map(|number| number * number).sum::<f64>().sqrt()
        })
        .collect();
    let cells = rows(&weights);
    let of_row = |row: &Vec<f64>| -> Vec<f32> {
        row.iter().zip(&lengths).map(|(weight, length)| (gate * weight * length) as f32).collect()
    };
    cells.iter().flat_map(of_row).collect()
}

#[pollster::test]
async fn norms_are_gated_weights_times_lengths_under_edits() {
    for reference in families() {
        let session = reference.load(Cpu);
        for (stack, layers, heads) in stacks_of(&session) {
            let edits = json!({
                "heads": [{"stack": stack, "layers": [layers - 1], "heads": [1], "gate": -0.5}],
                "masks": [{"stack": stack, "preset": {"kind": "window", "width": 2}}],
            });
            let run = run_under(&session, &REPEATING, &edits).await;
            let mut all = Vec::new();
            for layer in 0..layers {
                for head in 0..heads {
                    let gate = if [layer, head] == [layers - 1, 1] { 0.5 } else { 1.0 };
                    let want = norms_in_loops(&session, &run, (stack, layer, head), gate).await;
                    let got = norms(&run, stack, [layer, head]).await.into_data();
                    let what = format!("{} {stack} {layer} {head}", reference.name);
                    assert_near(&got, &want, &what);
                    all.extend(got);
                }
            }
            if stack != "cross" {
                let n = (all.len() / (layers * heads)).isqrt();
                let small = run.thumbnails(stack, n, "norms", None).unwrap().await.unwrap();
                assert_eq!(small.into_data(), all, "{} {stack}", reference.name);
            }
        }
    }
}

#[pollster::test]
async fn a_row_of_effects_is_what_attribution_says_of_its_keys() {
    for reference in families() {
        let session = reference.load(Cpu);
        for edits in mixtures().into_iter().chain([json!({})]) {
            if !has_stacks_of(&session, &edits) {
                continue;
            }
            let run = run_under(&session, &REPEATING, &edits).await;
            for (stack, layers, _) in stacks_of(&session) {
                if stack == "encoder" && session.info().stacks.decoder.is_some() {
                    continue;
                }
                let place = [layers - 1, 1];
                let own = effects(&run, stack, place, &json!({})).await;
                let best = run.predictions(&[2], 1).unwrap().await.unwrap()[0][0].id;
                for (id, found) in [
                    (7, effects(&run, stack, place, &json!({"id": 7})).await),
                    (best as usize, own),
                ] {
                    let head = json!({"stack": stack, "layer": place[0], "head": place[1]});
                    let asked = json!({"position": 2, "id": id, "head": head});
                    let keys = run.attribution(asked).await.unwrap().keys.unwrap();
                    let want: Vec<f64> =
                        keys.iter().map(|key| f64::from(key.value as f32)).collect();
                    assert_eq!(rows(&found)[2], want, "{} {stack} {edits}", reference.name);
                }
            }
        }
    }
}

#[pollster::test]
async fn the_effects_of_all_heads_are_those_of_each() {
    for reference in families() {
        let session = reference.load(Cpu);
        let run = run_under(&session, &REPEATING, &json!({})).await;
        for (stack, layers, heads) in stacks_of(&session) {
            if stack == "encoder" && session.info().stacks.decoder.is_some() {
                continue;
            }
            let mut each = Vec::new();
            for layer in 0..layers {
                for head in 0..heads {
                    let own = effects(&run, stack, [layer, head], &json!({})).await;
                    each.push(own.into_data());
                }
            }
            let all = run.effects(json!({ "stack": stack })).await.unwrap();
            assert_eq!(all.shape()[..2], [layers, heads], "{}", reference.name);
            assert_eq!(all.into_data(), each.concat(), "{} {stack}", reference.name);
            let block = run.effects(json!({"stack": stack, "layer": layers - 1})).await.unwrap();
            assert_eq!(block.shape()[0], heads, "{}", reference.name);
            let own = &each[(layers - 1) * heads..];
            assert_eq!(block.into_data(), own.concat(), "{} {stack}", reference.name);
        }
    }
}

/// Of an image the class token alone predicts; other positions move no logit.
#[pollster::test]
async fn positions_that_predict_nothing_have_no_effects() {
    let run = run_under(&opened("vit"), &REPEATING, &json!({})).await;
    let found = rows(&effects(&run, "encoder", [0, 1], &json!({"id": 2})).await);
    assert!(found[0].iter().all(|&cell| cell != 0.0));
    assert!(found[1..].iter().flatten().all(|&cell| cell == 0.0));
}

#[pollster::test]
async fn what_has_no_effects_is_refused() {
    let asked =
        |stack: &str, head: usize| json!({"stack": stack, "layer": 1, "head": head, "id": 1});
    let marian = run_under(&opened("marian-tiny"), &REPEATING, &json!({})).await;
    let at =
        json!({"stack": "decoder", "layer": 1, "step": "context", "head": 1, "positions": [2]});
    let edits = json!({"patches": [{"at": at, "from": {"values": [vec![1.0; 10]]}}]});
    let patched = run_under(&opened("gpt2-tiny"), &REPEATING, &edits).await;
    let two_tokens = run_under(&opened("deit"), &REPEATING, &json!({})).await;
    let no_head = run_under(&opened("vit-bare"), &REPEATING, &json!({})).await;
    for (run, asked, code) in [
        (&marian, asked("encoder", 0), "selection/bad-stack"),
        (&marian, asked("decoder", 99), "selection/bad-head"),
        (&marian, json!({"stack": "cross", "layer": 0, "head": 0, "id": 61}), "input/bad-id"),
        (&patched, asked("decoder", 1), "selection/bad-head"),
        (&two_tokens, asked("encoder", 1), "selection/bad-head"),
        (&no_head, asked("encoder", 0), "output/unavailable"),
    ] {
        let refused = run.effects(asked.clone()).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{asked}");
    }
    assert!(patched.effects(asked("decoder", 0)).await.is_ok());
    // Among several heads its row is no number.
    let block = json!({"stack": "decoder", "layer": 1, "id": 1});
    let block = patched.effects(block).await.unwrap();
    let [heads, n] = [block.shape()[0], block.shape()[2]];
    let unknown = |at: &usize| block.values().iter().nth(*at).is_some_and(|cell| cell.is_nan());
    let unknown: Vec<usize> = (0..heads * n * n).filter(unknown).collect();
    let row = n * n + 2 * n;
    assert_eq!(unknown, (row..row + n).collect::<Vec<_>>());
}
