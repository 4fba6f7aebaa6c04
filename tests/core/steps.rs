//! The steps of a block, matrix by matrix: they begin and end with the residual stream of
//! the run, every cell is the sum of what is said to have made it, and every term stands
//! where it is said to stand.

use crate::support;

use std::collections::HashMap;
use std::ops::Range;

use crate::families::opened;
use crate::settings;
use crate::support::Session;
use headscope::axes::Tensor;
use headscope::backend::{Algebra, Cpu, Storage};
use headscope::run::{Along, Explanation, Line, Operation, RunRequest, Source, StepTensor};
use headscope::variants::{MadePart, VariantName};
use serde_json::json;
use support::parity::mixtures;
use support::{
    Handle, address_elsewhere, assert_close, assert_same_bits, finished, pattern, steps,
};

const IDS: [f64; 7] = [5.0, 9.0, 13.0, 5.0, 9.0, 17.0, 2.0];

/// Rounding of a sum, of the size of what is summed.
const TOLERANCE: f64 = 1e-5;

fn request(session: &Session<Cpu>, edits: Option<&str>) -> RunRequest {
    support::under(session, &IDS, &serde_json::from_str(edits.unwrap_or("{}")).unwrap())
}

const EDITS: &str =
    r#"{"masks":[{"block":[[1,0],[2,1]]}],"heads":[{"layers":[0],"heads":[1],"gate":0.5}]}"#;

/// Fixed patterns, and blocks joined in every other way; what a model has not is left out.
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

/// Variants of attention, of which some make something of queries and keys before they multiply.
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

/// A variant that no run has would be explained without a test.
#[test]
fn every_variant_is_among_the_runs() {
    let is_named = |name: VariantName| {
        KINDS.iter().any(|edits| edits.contains(&format!("\"{}\"", name.name())))
    };
    let missing: Vec<VariantName> = VariantName::ALL
        .into_iter()
        .filter(|&name| name != VariantName::Softmax && !is_named(name))
        .collect();
    assert!(missing.is_empty(), "no run in KINDS has {missing:?}");
}

/// As many keys as linformer pools there.
const POOLED: usize = 3;

/// One run of each family, with and without edits, and what it has of stacks.
async fn runs() -> Vec<(&'static str, Handle, Vec<(&'static str, usize, usize)>)> {
    let mut all = Vec::new();
    // Of the last, all heads share their keys and values, and every map has a bias.
    for reference in support::families().into_iter().chain([reference!("llama-untied")]) {
        let session = reference.load(Cpu);
        let others = [None, Some(EDITS), Some(HEADS_AND_BLOCKS), Some(WITHOUT_NORMS)];
        let others = others.into_iter().chain(PLACES.map(Some)).chain(KINDS.map(Some));
        let mixtures = mixtures().map(|edits| edits.to_string());
        for edits in others.chain(mixtures.iter().map(|edits| Some(&**edits))) {
            // Every family has both stacks or one: what names the other is left out.
            let edits = edits.filter(|edits| {
                !edits.contains("encoder") || session.info().stacks.encoder.is_some()
            });
            let run = finished(&session, &request(&session, edits), None).await;
            all.push((reference.name, run, support::stacks_of(&session)));
        }
    }
    // What they have that those above do not: narrow tables, norms of heads and after sublayers,
    // soft caps, turned parts of heads, parallel sublayers, keys of distances, norms of all heads
    // together, patches.
    let others = ["albert", "qwen3", "gemma2", "gpt_neox", "deberta", "olmo2", "deit"];
    let families = others.map(|name| (name, opened(name)));
    // Gains of each head, tokens through a map, scales by block, a row that every token has added,
    // and convolutions.
    let others = [
        "stablelm-head-norms",
        "opt-projected",
        "gpt2-by-layer",
        "ernie-tasks",
        "deberta-v2-convolution",
        "deberta-v2-groups",
    ];
    let settings = others.map(|name| (name, settings::opened(name)));
    for (name, session) in families.into_iter().chain(settings) {
        let run = finished(&session, &request(&session, None), None).await;
        all.push((name, run, support::stacks_of(&session)));
    }
    all
}

fn cell(tensor: &Tensor, row: usize, column: usize) -> f32 {
    tensor.values()[[row, column]]
}

#[pollster::test]
async fn steps_begin_and_end_with_the_stream_of_the_run() {
    for (name, run, stacks) in runs().await {
        let encoder_layers = stacks[0].1;
        for (stack, layers, heads) in stacks {
            for layer in 0..layers {
                let head = layer % heads;
                let what = format!("{name}: {stack} {layer}.{head}");
                let steps = steps(&run, (stack, layer, head)).await;
                let numbers = |name: &str| support::step(&steps, name).clone();
                let stream = if stack == "encoder" { "encoder" } else { "decoder" };
                let hidden = async |layer| support::hidden(&run, stream, layer).await.into_data();
                let last = steps.last().unwrap();
                let after = hidden(layer + 1).await;
                assert_same_bits(&last.tensor.clone().into_data(), &after, &what);
                if stack == "cross" {
                    let memory = support::hidden(&run, "encoder", encoder_layers).await;
                    assert_same_bits(&numbers("memory").into_data(), &memory.into_data(), &what);
                } else {
                    assert_same_bits(&numbers("input").into_data(), &hidden(layer).await, &what);
                }
                for stage in ["raw", "scores", "masked", "weights"] {
                    let want = pattern(&run, (stack, layer, head), stage).await;
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
                    let normed = format!("{part}-normed");
                    let before = if is_there(&normed) { &normed } else { part };
                    let is_last = rotated && is_there(step);
                    let all = numbers(if is_last { step } else { before });
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

/// The rows and columns of a tensor.
fn part(tensor: &Tensor, rows: &[usize], columns: Range<usize>) -> Vec<f32> {
    let row = |&row: &usize| columns.clone().map(move |column| cell(tensor, row, column));
    rows.iter().flat_map(row).collect()
}

#[pollster::test]
async fn every_step_is_the_activation_at_its_one_address() {
    for (name, run, stacks) in runs().await {
        for (stack, layers, heads) in stacks {
            for layer in 0..layers {
                let head = (layer + 1) % heads;
                for StepTensor { step, tensor } in steps(&run, (stack, layer, head)).await {
                    let mut at = json!({"stack": stack, "layer": layer, "step": step.name()});
                    let what = format!("{name}: {at}, {head}");
                    let &[n, width] = tensor.shape() else { panic!("{what}") };
                    let axes: Vec<&str> = tensor.axes().iter().map(|axis| axis.name()).collect();
                    if axes[1] == "key" {
                        at["head"] = json!(head);
                    }
                    if let Some(own) = address_elsewhere(stack, step.name()) {
                        let refused = run.activation(&at).err().map(|error| error.to_string());
                        assert!(refused.is_some_and(|error| error.contains(&own)), "{what}");
                        continue;
                    }
                    let whole = run.activation(&at).unwrap().await.unwrap();
                    assert_eq!(whole.axes(), tensor.axes(), "{what}");
                    assert_same_bits(&whole.into_data(), &tensor.clone().into_data(), &what);
                    let rows = [n - 1, 0, 1, 2];
                    let mut columns = 0..width;
                    at["positions"] = json!(rows);
                    if axes[1] == "head_dim" {
                        at["head"] = json!(head);
                        let query =
                            json!({"stack": stack, "layer": layer, "step": "query", "head": 0});
                        let query = run.activation(&query).unwrap().await.unwrap();
                        let head_dim = query.shape()[1];
                        let own = head * (width / head_dim) / heads;
                        columns = own * head_dim..(own + 1) * head_dim;
                    }
                    let some = run.activation(&at).unwrap().await.unwrap();
                    assert_eq!(some.shape(), [rows.len(), columns.len()], "{what}");
                    assert_same_bits(&some.into_data(), &part(&tensor, &rows, columns), &what);
                    at["positions"] = json!([]);
                    let none = run.activation(&at).unwrap().await.unwrap();
                    assert_eq!(none.shape()[0], 0, "{what}");
                }
            }
        }
    }
}

#[pollster::test]
async fn every_cell_is_the_sum_of_its_terms() {
    let mut made_of = 0;
    for (name, run, stacks) in runs().await {
        // Read once each, by place.
        let mut known = Known::new();
        for &(stack, layers, heads) in &stacks {
            for layer in 0..layers {
                for head in 0..heads {
                    let found = steps(&run, (stack, layer, head)).await;
                    known.insert((stack.to_owned(), layer, head), found);
                }
            }
        }
        for ((stack, layer, head), found) in &known {
            for one in found {
                let step = one.step.name();
                let shape = one.tensor.shape();
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

/// The cell once more, from its terms, and how large what was added up is.
fn recomputed(made: &Explanation) -> (f64, f64) {
    let line = |at: usize| made.lines[at].values.iter().map(|&x| f64::from(x));
    let first = || line(0).next().unwrap();
    let x = |number: f32| f64::from(number);
    match made.operation {
        Operation::Product { factor, bias } => {
            let products: Vec<f64> = line(0).zip(line(1)).map(|(a, b)| a * b).collect();
            let bias = bias.map_or(0.0, x);
            let size = products.iter().map(|p| p.abs()).sum::<f64>() + bias.abs();
            (products.iter().sum::<f64>() * x(factor) + bias, size)
        }
        Operation::Scale { factor, bias, ref terms } => {
            let bias = bias.map_or(0.0, x);
            let parts: f64 = terms.iter().map(|(_, part)| x(*part)).sum();
            assert!(terms.is_empty() || (parts - bias).abs() < TOLERANCE, "{parts} for {bias}");
            (first() * x(factor) + bias, first().abs() + bias.abs())
        }
        // In f32, as the engine adds: beside −10⁹ a score is less than rounding.
        Operation::Mask { added } => (f64::from(made.lines[0].values[0] + added), first().abs()),
        Operation::Softmax { total, term, kept, .. } => {
            let exponentials: Vec<f64> = line(1).collect();
            assert!((exponentials.iter().sum::<f64>() - x(total)).abs() < TOLERANCE * x(total));
            (
                if total == 0.0 { 0.0 } else { exponentials[term] / x(total) * x(kept) },
                1.0 * x(kept),
            )
        }
        Operation::Given { total, term, .. } => {
            let sum = line(0).sum::<f64>();
            assert!((sum - x(total)).abs() <= TOLERANCE * x(total), "{sum} for {total}");
            (if total == 0.0 { 0.0 } else { line(0).nth(term).unwrap() / x(total) }, 1.0)
        }
        Operation::Add => {
            let a = first();
            let b = line(1).next().unwrap();
            (a + b, a.abs() + b.abs())
        }
        Operation::Norm { mean, variance, epsilon, gain, bias, term } => {
            let a = line(0).nth(term).unwrap();
            let normal = (a - x(mean)) / (x(variance) + x(epsilon)).sqrt();
            (normal * x(gain) + x(bias), normal.abs() * 10.0)
        }
        Operation::RmsNorm { mean_square, epsilon, gain, term } => {
            let a = line(0).nth(term).unwrap();
            let normal = a / (x(mean_square) + x(epsilon)).sqrt();
            (normal * x(gain), normal.abs() * 10.0)
        }
        Operation::Rotation { cosine, sine, .. } => {
            assert!((x(cosine).powi(2) + x(sine).powi(2) - 1.0).abs() < TOLERANCE, "no turn");
            let a = first();
            let b = line(1).next().unwrap();
            (a * x(cosine) + b * x(sine), a.abs() + b.abs())
        }
        Operation::Activation { function } => {
            let a = first();
            let cube = 0.797_884_560_802_865_4 * (a + 0.044_715 * a * a * a);
            let value = match function {
                "ReLU" => a.max(0.0),
                "GELU (tanh)" => 0.5 * a * (1.0 + cube.tanh()),
                "SiLU" => a / (1.0 + (-a).exp()),
                "tanh" => a.tanh(),
                "GELU" => 0.5 * a * (1.0 + libm::erf(a * std::f64::consts::FRAC_1_SQRT_2)),
                other => panic!("{other}"),
            };
            (value, a.abs())
        }
        Operation::Embedding { scale } => {
            let rest: Vec<f64> = (1..made.lines.len()).map(|at| line(at).next().unwrap()).collect();
            let token = first() * x(scale);
            (
                token + rest.iter().sum::<f64>(),
                token.abs() + rest.iter().map(|x| x.abs()).sum::<f64>(),
            )
        }
        Operation::Same => (first(), 0.0),
        Operation::Patched => (x(made.value), 0.0),
        Operation::Nearby => (made.lines.first().map_or(0.0, |_| first()), 0.0),
        Operation::Logarithm { of } => {
            // It is the raw score, but for what f32 leaves of that.
            let of = of.expect("the cpu knows the sum");
            assert_eq!((of as f32).to_bits(), made.lines[0].values[0].to_bits());
            (of.ln(), 1.0)
        }
        Operation::SoftCap { factor, cap } => {
            (x(cap) * (first() * x(factor) / x(cap)).tanh(), x(cap))
        }
        Operation::Shared { factor, keys } => {
            (first() * x(factor) - (keys as f64).ln(), first().abs() + 1.0)
        }
    }
}

/// Every matrix of a block as one head sees it, by stack, layer and head.
type Known = HashMap<(String, usize, usize), Vec<StepTensor>>;

/// What a kind of attention makes comes of the row of the cell's own query or key, at the head
/// that it belongs to; where it is made by a formula without drawn numbers, it follows from there.
fn check_made(
    known: &Known,
    line: &Line,
    (own_layer, own_head, heads): (usize, usize, usize),
    (query, key): (usize, usize),
    what: &str,
) {
    let Source::Made { stack, layer, head, step, row, column, part } = &line.source else { return };
    assert_eq!((*layer, *head), (own_layer, own_head), "{what}");
    let found = &known[&(stack.name().to_owned(), *layer, *head)];
    let from = found.iter().find(|one| one.step == *step);
    let from =
        &from.unwrap_or_else(|| panic!("{what}: made of {step:?}, which is not there")).tensor;
    let name = step.name();
    let values = &line.values;
    let of_scores = || {
        assert_eq!((name, *row, *column), ("masked", query, key), "{what}: {part:?}");
    };
    // Heads may share their keys, so that a band of them belongs to several heads.
    let band = |prefix: &str, own_row: usize| {
        assert!(name.starts_with(prefix), "{what}: {part:?} of {name}");
        assert_eq!(*row, own_row, "{what}: {part:?}");
        let head_dim = found
            .iter()
            .find(|one| one.step.name() == "query")
            .map_or(0, |one| one.tensor.shape()[1] / heads);
        let width = from.shape()[1];
        assert_eq!(*column, own_head * (width / head_dim) / heads * head_dim, "{what}: {part:?}");
        (0..head_dim).map(|at| f64::from(cell(from, *row, column + at))).collect::<Vec<f64>>()
    };
    let near = |got: &[f32], want: &[f64]| {
        got.len() == want.len()
            && got
                .iter()
                .zip(want)
                .all(|(&got, want)| (f64::from(got) - want).abs() <= TOLERANCE * (1.0 + want.abs()))
    };
    let check_features = |of: &[f64]| {
        assert!(values.iter().all(|&x| x >= 0.0), "{what}: {part:?}");
        // As many as the head has dimensions are those of linear attention.
        if values.len() == of.len() {
            let want: Vec<f64> =
                of.iter().map(|&x| if x > 0.0 { x + 1.0 } else { x.exp() }).collect();
            assert!(near(values, &want), "{what}: {values:?} of {of:?}");
        }
    };
    match part {
        MadePart::Left | MadePart::Right => of_scores(),
        MadePart::Unit => {
            band("query", query);
            assert!(values.iter().all(|x| x.abs() <= 1.0), "{what}: {values:?}");
        }
        MadePart::Drawn => {
            band("key", key);
        }
        MadePart::QueryFeature => check_features(&band("query", query)),
        MadePart::KeyFeature => check_features(&band("key", key)),
        MadePart::MeanKey => {
            let width = band("key", key).len();
            // All keys may be seen there: their segments are as equal as they can be.
            let n = from.shape()[0];
            let count = POOLED.min(n);
            let mut segments = (0..count).map(|i| i * n / count..(i + 1) * n / count);
            let own = segments.find(|segment| segment.contains(row)).unwrap();
            let mean = |at: usize| -> f64 {
                let sum: f64 = own.clone().map(|row| f64::from(cell(from, row, at))).sum();
                sum / own.len() as f64
            };
            let want: Vec<f64> = (*column..column + width).map(mean).collect();
            assert!(near(values, &want), "{what}: {values:?} is not the mean of keys {own:?}");
        }
    }
}

/// What stands in a step is there as it is said to.
fn check_source(known: &Known, source: &Source, values: &[f32], what: &str) {
    let Source::Step { stack, layer, head, step, row, column, along } = source else { return };
    let found = &known[&(stack.name().to_owned(), *layer, *head)];
    let from = found.iter().find(|one| one.step == *step);
    let from = from.unwrap_or_else(|| panic!("{what}: comes from {step:?}, which is not there"));
    for (at, &value) in values.iter().enumerate() {
        let (down, across) = match along {
            Along::Columns => (0, at),
            Along::Rows => (at, 0),
            Along::Cell => (0, 0),
        };
        assert_eq!(cell(&from.tensor, row + down, column + across), value, "{what}: {source:?}");
    }
}

/// The variance is taken of what is left of the mean: as a difference of squares it would
/// lose its digits where a row stands far from zero.
#[pollster::test]
async fn a_norm_of_rows_far_from_zero_keeps_its_digits() {
    let near: Vec<f32> = (0..48u8).map(f32::from).collect();
    let far: Vec<f32> = near.iter().map(|x| x + 4096.0).collect();
    let row = |values| Cpu.upload(values, near.len());
    let gain = row(vec![1.5; 48]);
    let bias = row(vec![-0.25; 48]);
    let [near, far] = [row(near.clone()), row(far)].map(|x| Cpu.layer_norm(&x, &gain, &bias, 1e-5));
    assert_close(&Cpu.read(&far).await.unwrap(), &Cpu.read(&near).await.unwrap(), "far");
}
