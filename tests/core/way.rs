//! The way through a block, matrix by matrix: it begins and ends with the residual stream of
//! the run, every cell is the sum of what is said to have made it, and every term stands
//! where it is said to stand.

mod recomputed;
mod sources;

use crate::support;

use crate::support::Session;
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::{RunRequest, Source, StepTensor};
use recomputed::recomputed;
use sources::{Known, check_made, check_source};
use support::{Handle, assert_same_bits, finished};
use wasm_bindgen_test::wasm_bindgen_test;

const IDS: [f64; 7] = [5.0, 9.0, 13.0, 5.0, 9.0, 17.0, 2.0];
const TARGET: [f64; 5] = [60.0, 7.0, 11.0, 7.0, 11.0];

/// Rounding of a sum, of the size of what is summed.
const TOLERANCE: f64 = 1e-5;

fn request(session: &Session<Cpu>, edits: Option<&str>) -> RunRequest {
    support::of_ids(session, &IDS, &TARGET, edits)
}

const EDITS: &str =
    r#"{"masks":[{"block":[[1,0],[2,1]]}],"heads":[{"layers":[0],"heads":[1],"gate":0.5}]}"#;

/// Frozen heads, and blocks joined in every other way; what a model has not is left out.
const HEADS_AND_BLOCKS: &str = r#"{
    "masks":[{"layers":[1],"heads":[0],"block":[[1,1]]}],
    "heads":[{"layers":[0],"heads":[0],"pattern":"uniform"},
             {"layers":[1],"heads":[0],"pattern":"diagonal"},
             {"layers":[1],"heads":[1],"pattern":[[1,0,2],[0,3,1]],"gate":2}],
    "blocks":[{"layers":[0],"norm":"pre"},{"layers":[1],"norm":"post","residual":false},
              {"layers":[0],"sublayers":["feed-forward"],"norm":"none","residual":false}]
}"#;
const WITHOUT_NORMS: &str = r#"{"blocks":[{"norm":"none"},{"layers":[1],"residual":false}]}"#;

/// Relative positions, turns and tables in other places, each of which makes other sums.
const PLACES: [&str; 3] = [
    r#"{"positions":[{"scheme":"transformer-xl","order":[2,0,1,3]}]}"#,
    r#"{"positions":[{"scheme":"t5","parameters":{"buckets":4,"maxDistance":5}}]}"#,
    r#"{"positions":[{"scheme":"rotary","order":[1,0]},{"stack":"encoder","scheme":"learned","parameters":{"seed":3}}]}"#,
];

/// Kinds of attention, of which some make something of queries and keys before they multiply.
const KINDS: [&str; 3] = [
    r#"{"attention":[{"kind":"additive","parameters":{"width":4}},{"layers":[0],"heads":[0],"kind":"linear"},
        {"layers":[1],"heads":[0],"kind":"performer","parameters":{"features":9}},
        {"layers":[1],"heads":[1],"kind":"cosine","scale":5,"dropout":{"rate":0.3,"seed":2}}]}"#,
    r#"{"attention":[{"kind":"sliding","parameters":{"width":1}},{"layers":[0],"heads":[1],"kind":"blocks"},
        {"layers":[1],"heads":[0],"kind":"chunked","parameters":{"size":2}}],
        "masks":[{"fill":"-1e9"},{"block":[[1,0],[2,1]]}]}"#,
    r#"{"attention":[{"stack":"encoder","kind":"low-rank","parameters":{"rank":2}},
        {"stack":"encoder","layers":[1],"kind":"linformer","parameters":{"keys":3}}]}"#,
];

/// As many keys as linformer pools there.
const POOLED: usize = 3;

/// One run of each family, with and without edits, and what it has of stacks.
async fn runs() -> Vec<(&'static str, Handle, Vec<(&'static str, usize, usize)>)> {
    let mut all = Vec::new();
    // Of the last, all heads share their keys and values, and every map has a bias.
    for reference in support::families().into_iter().chain([reference!("llama-untied")]) {
        let session = reference.load(Cpu);
        let others = [None, Some(EDITS), Some(HEADS_AND_BLOCKS), Some(WITHOUT_NORMS)];
        for edits in others.into_iter().chain(PLACES.map(Some)).chain(KINDS.map(Some)) {
            // Every family has both stacks or one: what names the other is left out.
            let edits = edits.filter(|edits| {
                !edits.contains("encoder") || session.info().stacks.encoder.is_some()
            });
            let run = finished(&session, &request(&session, edits), None).await;
            all.push((reference.name, run, support::stacks_of(&session)));
        }
    }
    all
}

async fn steps(run: &Handle, stack: &str, layer: usize, head: usize) -> Vec<StepTensor> {
    let mut work = run.steps(stack, layer, head).unwrap();
    loop {
        if let Some(steps) = work.step().await.unwrap() {
            return steps;
        }
    }
}

fn cell(tensor: &Tensor, row: usize, column: usize) -> f32 {
    tensor.values()[[row, column]]
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_way_begins_and_ends_with_the_stream_of_the_run() {
    for (name, run, stacks) in runs().await {
        let encoder_layers = stacks[0].1;
        for (stack, layers, heads) in stacks {
            for layer in 0..layers {
                let head = layer % heads;
                let what = format!("{name}: {stack} {layer}.{head}");
                let steps = steps(&run, stack, layer, head).await;
                let numbers = |step: &str| {
                    let found = steps.iter().find(|one| one.step.name() == step);
                    found.unwrap_or_else(|| panic!("{what}: no {step}")).tensor.clone()
                };
                let stream = if stack == "encoder" { "encoder" } else { "decoder" };
                let hidden =
                    async |layer| run.hidden(stream, layer).unwrap().await.unwrap().into_data();
                let last = steps.last().unwrap();
                let after = hidden(layer + 1).await;
                assert_same_bits(&last.tensor.clone().into_data(), &after, &what);
                if stack == "cross" {
                    let memory = run.hidden("encoder", encoder_layers).unwrap().await.unwrap();
                    assert_same_bits(&numbers("memory").into_data(), &memory.into_data(), &what);
                } else {
                    assert_same_bits(&numbers("input").into_data(), &hidden(layer).await, &what);
                }
                for stage in ["raw", "scores", "masked", "weights"] {
                    let want =
                        run.attention((stack, layer, head), stage, None).unwrap().await.unwrap();
                    assert_same_bits(&numbers(stage).into_data(), &want.into_data(), stage);
                }
                let is_there = |step: &str| steps.iter().any(|one| one.step.name() == step);
                for (part, rotated, step) in [
                    ("query", false, "query"),
                    ("query", true, "query-rotated"),
                    ("key", false, "key"),
                    ("key", true, "key-rotated"),
                    ("value", true, "value"),
                ] {
                    let want = run.projection(stack, layer, head, part, rotated);
                    let want = want.unwrap().await.unwrap();
                    // Where nothing is turned there is one step, and it is both.
                    let all = numbers(if is_there(step) { step } else { part });
                    let width = want.shape()[1];
                    let head = head * (all.shape()[1] / width) / heads;
                    for ((row, column), &number) in
                        want.values().indexed_iter().map(|(at, x)| ((at[0], at[1]), x))
                    {
                        assert_eq!(cell(&all, row, head * width + column), number, "{what} {part}");
                    }
                }
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn every_cell_is_the_sum_of_terms_that_stand_where_they_are_said_to() {
    let mut made_of = 0;
    for (name, run, stacks) in runs().await {
        // Read once each, by place.
        let mut known = Known::new();
        for &(stack, layers, heads) in &stacks {
            for layer in 0..layers {
                for head in 0..heads {
                    let found = steps(&run, stack, layer, head).await;
                    known.insert((stack.to_owned(), layer, head), found);
                }
            }
        }
        for ((stack, layer, head), found) in &known {
            for one in found {
                let (step, shape) = (one.step.name(), one.tensor.shape());
                let rows = [0, shape[0] - 1];
                let columns = [0, shape[1] / 2, shape[1] - 1];
                for (row, column) in rows.into_iter().flat_map(|row| columns.map(|c| (row, c))) {
                    let what = format!("{name}: {stack} {layer}.{head} {step} [{row}, {column}]");
                    let made = run.explain((stack, *layer, *head), step, row, column);
                    let made =
                        made.unwrap_or_else(|error| panic!("{what}: {error}")).await.unwrap();
                    let shown = cell(&one.tensor, row, column);
                    assert_eq!(made.value, shown, "{what}");
                    let (value, size) = recomputed(&made);
                    if shown.is_finite() {
                        let difference = (value - f64::from(shown)).abs();
                        assert!(
                            difference <= TOLERANCE * (1.0 + size),
                            "{what}: {value} for {shown}"
                        );
                    } else {
                        assert_eq!(value, f64::from(shown), "{what}");
                    }
                    for line in &made.lines {
                        check_source(&known, &line.source, &line.values, &what);
                        if let Source::Made { .. } = line.source {
                            made_of += 1;
                            let heads = stacks.iter().find(|(name, ..)| name == stack).unwrap().2;
                            let place = (*layer, *head, heads);
                            check_made(&known, line, place, (row, column), &what);
                        }
                    }
                }
            }
        }
    }
    assert!(made_of > 500, "only {made_of} lines were made by a kind");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_not_there_is_refused() {
    for (name, run, stacks) in runs().await {
        let (stack, layers, heads) = stacks[0];
        let refused = |of: (&str, usize, usize), step: &str, row: usize, column: usize| {
            let refusal = run.explain(of, step, row, column).err();
            refusal.unwrap_or_else(|| panic!("{name}: {of:?} {step}")).code.as_str()
        };
        assert_eq!(refused((stack, layers, 0), "input", 0, 0), "selection/bad-layer");
        assert_eq!(refused((stack, 0, heads), "input", 0, 0), "selection/bad-head");
        assert_eq!(refused(("middle", 0, 0), "input", 0, 0), "selection/bad-stack");
        assert_eq!(refused((stack, 0, 0), "dream", 0, 0), "selection/bad-stage");
        assert_eq!(refused((stack, 0, 0), "memory", 0, 0), "selection/bad-stage");
        for (row, column) in [(IDS.len(), 0), (usize::MAX, 0), (0, usize::MAX), (0, IDS.len())] {
            let code = refused((stack, 0, 0), "weights", row, column);
            assert_eq!(code, "selection/bad-position", "{name}: [{row}, {column}]");
        }
        assert_eq!(
            run.steps(stack, 0, usize::MAX).err().unwrap().code.as_str(),
            "selection/bad-head"
        );
    }
}
