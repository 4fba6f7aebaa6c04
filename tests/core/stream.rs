//! What is measured of the residual stream follows from the hidden states that can be read and
//! from the steps of the blocks, edited or not; two runs are as far apart as their states are.

use crate::support;

use crate::support::Session;
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::{Depth, DepthPoint};
use support::{Handle, Reference, finished, of_ids};
use wasm_bindgen_test::wasm_bindgen_test;

const IDS: [f64; 7] = [5.0, 9.0, 13.0, 5.0, 9.0, 17.0, 2.0];
const TARGET: [f64; 5] = [60.0, 7.0, 11.0, 7.0, 11.0];
const EDITS: &str = r#"{"heads":[{"heads":[1],"pattern":"uniform"}],
    "blocks":[{"layers":[0],"norm":"none"},{"layers":[1],"norm":"pre","residual":false}]}"#;

fn families() -> [Reference; 4] {
    [
        reference!("marian-tiny"),
        reference!("bert-tiny"),
        reference!("gpt2-tiny"),
        reference!("llama-tiny"),
    ]
}

async fn run(session: &Session<Cpu>, edits: Option<&str>) -> Handle {
    finished(session, &of_ids(session, &IDS, &TARGET, edits), None).await
}

fn streams(session: &Session<Cpu>) -> Vec<(&'static str, usize)> {
    let all = support::stacks_of(session).into_iter();
    all.filter(|(name, ..)| *name != "cross").map(|(name, layers, _)| (name, layers)).collect()
}

async fn hidden(run: &Handle, stack: &str, layer: usize) -> Tensor {
    run.hidden(stack, layer).unwrap().await.unwrap()
}

fn rows(tensor: &Tensor) -> Vec<Vec<f64>> {
    let width = tensor.shape()[1];
    let wide: Vec<f64> = tensor.values().iter().map(|&x| f64::from(x)).collect();
    wide.chunks_exact(width).map(<[f64]>::to_vec).collect()
}

fn length(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[track_caller]
fn close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() <= 1e-9 * (1.0 + want.abs()), "{what}: {got} for {want}");
}

/// The numbers of a depth by their definitions, of the rows that stand there.
fn check(depth: &Depth, stream: &[Vec<f64>], what: &str) {
    for (at, row) in stream.iter().enumerate() {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
        close(depth.mean[at], mean, what);
        close(depth.deviation[at], variance.sqrt(), what);
        close(depth.norm[at], length(row), what);
        let others = stream.iter().enumerate().filter(|(other, _)| *other != at);
        let cosine = |other: &[f64]| {
            let dot: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
            dot / (length(row) * length(other))
        };
        let similarity =
            others.map(|(_, other)| cosine(other)).sum::<f64>() / (stream.len() - 1) as f64;
        close(depth.similarity[at].unwrap(), similarity, what);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn depths_follow_from_hidden_states_and_steps() {
    for reference in families() {
        let session = reference.load(Cpu);
        for edits in [None, Some(EDITS)] {
            let run = run(&session, edits).await;
            for (stack, layers) in streams(&session) {
                for layer in 0..layers {
                    let what = format!("{}: {stack} {layer}, {edits:?}", reference.name);
                    let depths = run.residuals(stack, layer).unwrap().await.unwrap();
                    let before = rows(&hidden(&run, stack, layer).await);
                    let first = usize::from(layer == 0);
                    if layer == 0 {
                        assert_eq!(depths[0].point, DepthPoint::Embedding, "{what}");
                        assert!(depths[0].share.is_none(), "{what}");
                        check(&depths[0], &before, &what);
                    }
                    let last = depths.last().unwrap();
                    check(last, &rows(&hidden(&run, stack, layer + 1).await), &what);
                    let normed = last.point == DepthPoint::FinalNorm;
                    let has_final = stack == "decoder" && session.info().stacks.encoder.is_none();
                    assert_eq!(normed, has_final && layer + 1 == layers, "{what}");
                    let cross = stack == "decoder" && session.info().stacks.cross.is_some();
                    let sublayers = if cross { 3 } else { 2 };
                    assert_eq!(depths.len(), first + sublayers + usize::from(normed), "{what}");
                    check_shares(&run, (stack, layer), &depths[first..], &before, &what).await;
                }
            }
        }
    }
}

/// Of self-attention what the steps say that it gave.
async fn check_shares(
    run: &Handle,
    (stack, layer): (&str, usize),
    depths: &[Depth],
    before: &[Vec<f64>],
    what: &str,
) {
    let mut work = run.steps(stack, layer, 0).unwrap();
    let steps = loop {
        if let Some(steps) = work.step().await.unwrap() {
            break steps;
        }
    };
    let step = |name: &str| rows(&steps.iter().find(|one| one.step.name() == name).unwrap().tensor);
    let given = step("attended");
    for (at, share) in depths[0].share.as_ref().unwrap().iter().enumerate() {
        close(share.unwrap(), length(&given[at]) / length(&before[at]), what);
    }
    let names: Vec<&str> = depths.iter().map(|depth| depth.point.name()).collect();
    assert_eq!(names[0], "self-attention", "{what}");
    let network = names.iter().position(|name| *name == "feed-forward").unwrap();
    let given = step("ff-output");
    let shares = depths[network].share.as_ref().unwrap();
    for (at, share) in shares.iter().enumerate() {
        close(share.unwrap(), length(&given[at]) / depths[network - 1].norm[at], what);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn two_runs_are_as_far_apart_as_their_states() {
    for reference in families() {
        let session = reference.load(Cpu);
        let (plain, edited) = (run(&session, None).await, run(&session, Some(EDITS)).await);
        for (stack, layers) in streams(&session) {
            let what = format!("{}: {stack}", reference.name);
            let found = edited.distances(stack, &plain, None).unwrap().await.unwrap();
            let axes: Vec<&str> = found.axes().iter().map(|axis| axis.name()).collect();
            assert_eq!(axes, ["layer", "position"], "{what}");
            assert_eq!(found.shape()[0], layers + 1, "{what}");
            for layer in 0..=layers {
                let one = rows(&hidden(&edited, stack, layer).await);
                let two = rows(&hidden(&plain, stack, layer).await);
                for (at, (a, b)) in one.iter().zip(&two).enumerate() {
                    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
                    let want = length(&difference);
                    let got = f64::from(found.values()[[layer, at]]);
                    assert!((got - want).abs() <= 1e-6 * (1.0 + want), "{what}: {got} for {want}");
                    // What enters the first block is untouched, what leaves it is not.
                    assert_eq!(want == 0.0, layer == 0, "{what} {layer}");
                }
            }
            let nowhere = plain.distances(stack, &plain, None).unwrap().await.unwrap();
            assert!(nowhere.values().iter().all(|&x| x == 0.0), "{what}");
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_no_counterpart_is_refused() {
    let session = reference!("bert-tiny").load(Cpu);
    let (long, short) = (
        run(&session, None).await,
        finished(&session, &of_ids(&session, &IDS[..3], &TARGET, None), None).await,
    );
    let code = |error: headscope::error::Error| error.code.as_str();
    assert_eq!(
        long.distances("encoder", &short, None).err().map(code),
        Some("selection/other-length")
    );
    assert_eq!(long.distances("decoder", &long, None).err().map(code), Some("selection/bad-stack"));
    assert_eq!(long.residuals("encoder", 3).err().map(code), Some("selection/bad-layer"));
    let again = reference!("bert-tiny").load(Cpu);
    let other = run(&again, None).await;
    assert_eq!(
        long.distances("encoder", &other, None).err().map(code),
        Some("selection/other-model")
    );
    let translator = reference!("marian-tiny").load(Cpu);
    let across = run(&translator, None).await;
    assert_eq!(across.residuals("cross", 0).err().map(code), Some("selection/bad-stack"));
    // One token has no other to be like.
    let alone = finished(&session, &of_ids(&session, &IDS[..1], &TARGET, None), None).await;
    let depths = alone.residuals("encoder", 0).unwrap().await.unwrap();
    assert!(depths.iter().all(|depth| depth.similarity == [None]));
}
