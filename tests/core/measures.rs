//! What is measured follows from the patterns and states that can be read: the same numbers, by
//! plain loops over other answers of the same run: measures and roles, singular values, divergence
//! of heads, cosines, and the residual stream.

use crate::support;

use std::f64::consts::LN_2;

use headscope::analysis::spectrum::Decomposition;
use headscope::analysis::{Lexicon, Role, SingularValues};
use headscope::axes::{Step, Tensor};
use headscope::backend::Cpu;
use headscope::run::{Depth, GenerateRequest, HeadMeasures, RunRequest};
use serde_json::{Value, json};
use support::{
    Answers, Handle, Head, REPEATING, Random, Session, TARGET, families, finished, hidden, numbers,
    pattern, repeating_runs, rows, run_under, spectrum, stacks_of, step, steps, streams_of, under,
};

const SPECTRA: &[u8] = include_bytes!("../reference/spectrum.safetensors");

/// The positions that keep their content, by PyTorch and NumPy.
const RETENTION: &str = include_str!("../reference/retention.json");

/// Of the largest singular value: the core's bound, and the rounding of the reference to f32.
const SPECTRUM_TOLERANCE: f64 = 4e-6;

const EDITS: &str = r#"{"heads":[{"heads":[1],"pattern":"uniform"}],
    "blocks":[{"layers":[0],"norm":"none"},{"layers":[1],"norm":"pre","residual":false}]}"#;

/// Panics unless a sum in f64 is near another of the same numbers; of logarithms, by those of f32.
#[track_caller]
fn near(got: Option<f64>, want: Option<f64>, what: &str) {
    let is_near = match (got, want) {
        (Some(got), Some(want)) => (got - want).abs() <= 1e-8 * (1.0 + want.abs()),
        (got, want) => got == want,
    };
    assert!(is_near, "{what}: {got:?} instead of {want:?}");
}

fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn length(row: &[f64]) -> f64 {
    dot(row, row).sqrt()
}

fn entropy(row: &[f64]) -> f64 {
    row.iter().filter(|&&weight| weight > 0.0).map(|weight| -weight * weight.ln()).sum()
}

async fn weights(run: &Handle, head: Head<'_>) -> Vec<Vec<f64>> {
    rows(&pattern(run, head, "weights").await)
}

fn lexicon(session: &Session<Cpu>) -> Lexicon {
    let counts = (0..session.info().vocab_size).map(|id| (id * 7 % 11) as f64);
    Lexicon { special: [2, 60].into(), unigrams: Some(counts.collect()) }
}

async fn measures(run: &Handle, stack: &str, lexicon: Lexicon) -> Vec<HeadMeasures> {
    run.measures(stack, lexicon).unwrap().await.unwrap()
}

#[pollster::test]
async fn entropy_and_distance_follow_from_the_patterns_that_are_read() {
    for (name, session, run) in repeating_runs().await {
        for (stack, layers, heads) in stacks_of(&session) {
            let found = measures(&run, stack, lexicon(&session)).await;
            assert_eq!(found.len(), layers * heads);
            for (at, head) in found.iter().enumerate() {
                assert_eq!((head.layer, head.head), (at / heads, at % heads));
                let what = format!("{name}: {stack} {}.{}", head.layer, head.head);
                let rows = weights(&run, (stack, head.layer, head.head)).await;
                check_measures(head, stack, &rows, &what);
            }
        }
    }
}

fn check_measures(head: &HeadMeasures, stack: &str, rows: &[Vec<f64>], what: &str) {
    near(head.entropy, mean(rows.iter().map(|row| entropy(row))), what);
    let distance = |(query, row): (usize, &Vec<f64>)| {
        row.iter().enumerate().map(|(key, weight)| weight * (key as f64 - query as f64).abs()).sum()
    };
    let distances = mean(rows.iter().enumerate().map(distance)).filter(|_| stack != "cross");
    near(head.distance, distances, what);
}

#[pollster::test]
async fn counts_decide_what_is_rare_and_nothing_else() {
    for (_, session, run) in repeating_runs().await {
        let known = lexicon(&session);
        for (stack, ..) in stacks_of(&session) {
            let with = measures(&run, stack, known.clone()).await;
            let unknown = Lexicon { unigrams: None, ..known.clone() };
            for (with, without) in with.iter().zip(&measures(&run, stack, unknown).await) {
                assert!(with.roles.of(Role::Rare).is_some());
                assert_eq!(without.roles.of(Role::Rare), None);
                for role in Role::ALL.into_iter().filter(|&role| role != Role::Rare) {
                    assert_eq!(with.roles.of(role), without.roles.of(role));
                }
                assert_eq!((with.entropy, with.distance), (without.entropy, without.distance));
            }
        }
    }
    let session = reference!("marian-tiny").load(Cpu);
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let wrong = Lexicon { unigrams: Some(vec![1.0; 60]), ..Lexicon::default() };
    let error = run.measures("encoder", wrong).err().unwrap();
    assert_eq!(error.code.as_str(), "input/malformed");
    assert!(error.to_string().contains("expected 61"), "{error}");
    // Ids that no vocabulary has are special without effect.
    let beyond = Lexicon { special: [u32::MAX].into(), unigrams: None };
    let plain = measures(&run, "encoder", Lexicon::default()).await;
    assert_eq!(measures(&run, "encoder", beyond).await, plain);
}

#[pollster::test]
async fn a_text_that_is_being_written_is_measured_as_far_as_it_is() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let generate =
        Some(GenerateRequest { max_new_tokens: Some(4.0), ..GenerateRequest::default() });
    let writing = RunRequest { ids: vec![5.0, 9.0], generate, ..RunRequest::default() };
    let run = session.begin(&writing, None).unwrap();
    loop {
        let report = run.step().await.unwrap();
        if let Ok(reading) = run.measures("decoder", lexicon(&session)) {
            let ids = support::written_ids(&run);
            let whole = run_under(&session, &ids, &json!({})).await;
            let want = measures(&whole, "decoder", lexicon(&session)).await;
            assert_eq!(reading.await.unwrap(), want);
        }
        if report.finished {
            break;
        }
    }
}

#[test]
fn singular_values_are_those_of_lapack() {
    let vectors = Answers::open(SPECTRA);
    for name in ["scores", "weights", "causal", "graded", "tall"] {
        let (matrix, shape) = vectors.get(&format!("{name}.matrix"));
        let (want, _) = vectors.get(&format!("{name}.values"));
        let (rank, _) = vectors.get(&format!("{name}.rank90"));
        let found = Decomposition::new(&matrix, shape[1]).advance(usize::MAX).unwrap();
        assert_eq!(found.values.len(), want.len(), "{name}");
        for (got, want) in found.values.iter().zip(&want) {
            let apart = (got - f64::from(*want)).abs();
            assert!(apart <= SPECTRUM_TOLERANCE * f64::from(*want).max(found.values[0]), "{name}");
        }
        assert_eq!(found.rank90 as f32, rank[0], "{name}");
    }
}

#[pollster::test]
async fn spectra_are_those_of_the_patterns_that_are_read() {
    for (name, session, run) in repeating_runs().await {
        for head in support::heads_of(&session) {
            let found = spectrum(&run, head).await;
            let what = format!("{name} {head:?}");
            let scores = pattern(&run, head, "scores").await;
            let query = run.projection(head.0, head.1, head.2, "query", true);
            let rank = query.unwrap().await.unwrap().shape()[1];
            check_spectrum(&found.scores, &scores, rank, &what);
            check_spectrum(&found.weights, &pattern(&run, head, "weights").await, 999, &what);
        }
    }
    // A masked cell changes the weights alone.
    let session = reference!("bert-tiny").load(Cpu);
    let masked = json!({"masks": [{"layers": [0], "heads": [1], "block": [[0, 0], [3, 4]]}]});
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    let masked = run_under(&session, &REPEATING, &masked).await;
    let head = ("encoder", 0, 1);
    let before = spectrum(&plain, head).await;
    let after = spectrum(&masked, head).await;
    assert_eq!(before.scores, after.scores);
    assert_ne!(before.weights, after.weights);
}

fn check_spectrum(found: &SingularValues, matrix: &Tensor, rank: usize, what: &str) {
    let cells = matrix.values().as_slice().unwrap();
    let energy: f64 = cells.iter().map(|&cell| f64::from(cell) * f64::from(cell)).sum();
    let held =
        |rank: usize| -> f64 { found.values[..rank].iter().map(|value| value * value).sum() };
    assert!((held(found.values.len()) - energy).abs() <= 1e-9 * energy, "{what}: {energy}");
    assert_eq!(found.values.len(), *matrix.shape().iter().min().unwrap(), "{what}");
    let beyond = found.values.get(rank).copied().unwrap_or(0.0);
    assert!(beyond <= SPECTRUM_TOLERANCE * found.values[0], "{what}: {beyond} beyond {rank}");
    assert!(held(found.rank90) >= 0.9 * energy * (1.0 - 1e-9), "{what}");
    assert!(held(found.rank90 - 1) < 0.9 * energy, "{what}");
}

#[pollster::test]
async fn a_text_too_long_for_singular_values_is_refused_and_the_run_can_still_be_read() {
    // Its positions are computed, so that it can read more.
    let reference = reference!("marian-tiny");
    let config = reference
        .config
        .replace(r#""max_position_embeddings": 19"#, r#""max_position_embeddings": 600"#);
    let session = Session::load(Cpu, &config, reference.checkpoint).unwrap();
    let run = run_under(&session, &Random(1).ids(513, 60), &json!({})).await;
    let error = run.spectrum("encoder", 0, 0).err().unwrap();
    assert_eq!(error.code.as_str(), "selection/too-large");
    assert!(error.to_string().contains("at most 512 queries or keys; shorten"), "{error}");
    // Few queries are few directions, however many keys there are.
    assert_eq!(spectrum(&run, ("cross", 0, 0)).await.weights.values.len(), TARGET.len());
}

/// By entropies: `H(M) − ½ H(A) − ½ H(B)`, another formula than the core's.
fn divergence_by_entropies(one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    mean(one.iter().zip(other).map(|(one, other)| {
        let middle: Vec<f64> = one.iter().zip(other).map(|(a, b)| f64::midpoint(*a, *b)).collect();
        entropy(&middle) - entropy(one) / 2.0 - entropy(other) / 2.0
    }))
    .unwrap()
}

#[pollster::test]
async fn divergence_follows_from_the_patterns_that_are_read() {
    for (name, session, run) in repeating_runs().await {
        for (stack, layers, heads) in stacks_of(&session) {
            let found = run.head_divergences(stack, layers - 1, 1, None).unwrap().await.unwrap();
            let own = weights(&run, (stack, layers - 1, 1)).await;
            assert_eq!(found.len(), layers * heads);
            for (at, other) in found.iter().enumerate() {
                assert_eq!((other.layer, other.head), (at / heads, at % heads));
                let rows = weights(&run, (stack, other.layer, other.head)).await;
                let want = divergence_by_entropies(&own, &rows);
                let got = other.divergence.unwrap();
                assert!((got - want).abs() < 1e-6, "{name}, {stack} {at}: {got}, not {want}");
                assert!((0.0..=LN_2 + 1e-6).contains(&got));
                assert_eq!(got == 0.0, at == (layers - 1) * heads + 1, "{name}, {stack} {at}");
            }
            let layer = run.head_divergences(stack, layers - 1, 1, Some(0)).unwrap().await.unwrap();
            assert_eq!(layer, found[..heads]);
        }
    }
}

/// A head is as unlike itself in another run as the two patterns are; in the same run not at all.
#[pollster::test]
async fn heads_are_compared_with_themselves_in_another_run() {
    let session = reference!("bert-tiny").load(Cpu);
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    let alibi = json!({"positions": [{"scheme": "alibi"}]});
    let edited = run_under(&session, &REPEATING, &alibi).await;
    for (run, is_other) in [(&plain, false), (&edited, true)] {
        let found = run.run_divergences("encoder", &plain, None).unwrap().await.unwrap();
        assert_eq!(found.len(), 15);
        assert!(found.iter().all(|head| (head.divergence.unwrap() > 1e-6) == is_other));
    }
    let one = edited.run_divergences("encoder", &plain, Some(2)).unwrap().await.unwrap();
    assert_eq!(one, edited.run_divergences("encoder", &plain, None).unwrap().await.unwrap()[10..]);
}

#[pollster::test]
async fn cosines_follow_from_the_hidden_states_of_both_runs() {
    for reference in families() {
        let session = reference.load(Cpu);
        let one = run_under(&session, &REPEATING, &json!({})).await;
        let other = run_under(&session, &[17.0, 5.0, 9.0, 2.0], &json!({})).await;
        let here = [1, 2];
        let there = [0];
        let middle = async |run: &Handle, stack, layer, positions: &[usize]| -> Vec<f64> {
            let rows = rows(&hidden(run, stack, layer).await);
            let column = |at: usize| mean(positions.iter().map(|&position| rows[position][at]));
            (0..rows[0].len()).map(|at| column(at).unwrap()).collect()
        };
        for (stack, layers) in streams_of(&session) {
            let found = one.cosines(stack, &here, &other, &there).unwrap().await.unwrap();
            assert_eq!(found.len(), layers + 1, "{stack}");
            for (layer, found) in found.into_iter().enumerate() {
                let a = middle(&one, stack, layer, &here).await;
                let b = middle(&other, stack, layer, &there).await;
                let want = dot(&a, &b) / (length(&a) * length(&b));
                assert!((found.unwrap() - want).abs() < 1e-12, "{stack} {layer}");
            }
            let same = one.cosines(stack, &here, &one, &here).unwrap().await.unwrap();
            assert!(same.into_iter().all(|cosine| cosine.unwrap() > 1.0 - 1e-12));
        }
    }
}

/// The numbers of a depth by their definitions, of the rows that stand there.
fn check_depth(depth: &Depth, stream: &[Vec<f64>], what: &str) {
    for (at, row) in stream.iter().enumerate() {
        let middle = mean(row.iter().copied()).unwrap();
        let variance = mean(row.iter().map(|x| (x - middle).powi(2))).unwrap();
        near(Some(depth.mean[at]), Some(middle), what);
        near(Some(depth.deviation[at]), Some(variance.sqrt()), what);
        near(Some(depth.norm[at]), Some(length(row)), what);
        let others = stream.iter().enumerate().filter(|(other, _)| *other != at);
        let cosine = |other: &[f64]| dot(row, other) / (length(row) * length(other));
        near(depth.similarity[at], mean(others.map(|(_, other)| cosine(other))), what);
    }
}

#[pollster::test]
async fn depths_follow_from_hidden_states_and_steps() {
    let edits: Value = serde_json::from_str(EDITS).unwrap();
    for reference in families() {
        let session = reference.load(Cpu);
        let stacks = session.info().stacks;
        for edits in [&json!({}), &edits] {
            let run = run_under(&session, &REPEATING, edits).await;
            for (stack, layers) in streams_of(&session) {
                for layer in 0..layers {
                    let what = format!("{}: {stack} {layer}, {edits}", reference.name);
                    let depths = run.residuals(stack, layer).unwrap().await.unwrap();
                    let before = rows(&hidden(&run, stack, layer).await);
                    let first = usize::from(layer == 0);
                    if layer == 0 {
                        assert_eq!(depths[0].step, Step::Input, "{what}");
                        assert!(depths[0].share.is_none(), "{what}");
                        check_depth(&depths[0], &before, &what);
                    }
                    let last = depths.last().unwrap();
                    check_depth(last, &rows(&hidden(&run, stack, layer + 1).await), &what);
                    let is_normed = last.step == Step::Final;
                    let has_final = stack == "decoder" && stacks.encoder.is_none();
                    assert_eq!(is_normed, has_final && layer + 1 == layers, "{what}");
                    let has_cross = stack == "decoder" && stacks.cross.is_some();
                    let sublayers = if has_cross { 3 } else { 2 };
                    assert_eq!(depths.len(), first + sublayers + usize::from(is_normed), "{what}");
                    check_shares(&run, (stack, layer), &depths[first..], &before, &what).await;
                }
            }
        }
    }
}

/// Of self-attention and of the feed-forward network: what the steps give, by what was there.
async fn check_shares(
    run: &Handle,
    (stack, layer): (&str, usize),
    depths: &[Depth],
    before: &[Vec<f64>],
    what: &str,
) {
    let steps = steps(run, (stack, layer, 0)).await;
    let names: Vec<&str> = depths.iter().map(|depth| depth.step.name()).collect();
    assert!(["attended", "sum", "normed"].contains(&names[0]), "{what}: {names:?}");
    let network = names.iter().position(|name| name.starts_with("ff-")).unwrap();
    for depth in depths {
        check_depth(depth, &rows(step(&steps, depth.step.name())), what);
    }
    for (at, name) in [(0, "attended"), (network, "ff-output")] {
        let added = rows(step(&steps, name));
        for (row, share) in depths[at].share.as_ref().unwrap().iter().enumerate() {
            let base = if at == 0 { length(&before[row]) } else { depths[at - 1].norm[row] };
            near(*share, Some(length(&added[row]) / base), what);
        }
    }
}

#[pollster::test]
async fn two_runs_are_as_far_apart_as_their_states() {
    let edits: Value = serde_json::from_str(EDITS).unwrap();
    for reference in families() {
        let session = reference.load(Cpu);
        let plain = run_under(&session, &REPEATING, &json!({})).await;
        let edited = run_under(&session, &REPEATING, &edits).await;
        for (stack, layers) in streams_of(&session) {
            let what = format!("{}: {stack}", reference.name);
            let found = edited.distances(stack, &plain, None).unwrap().await.unwrap();
            let axes: Vec<&str> = found.axes().iter().map(|axis| axis.name()).collect();
            assert_eq!((axes, found.shape()[0]), (vec!["layer", "position"], layers + 1), "{what}");
            for layer in 0..=layers {
                let one = rows(&hidden(&edited, stack, layer).await);
                let two = rows(&hidden(&plain, stack, layer).await);
                for (at, (a, b)) in one.iter().zip(&two).enumerate() {
                    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
                    let got = f64::from(found.values()[[layer, at]]);
                    let want = length(&apart);
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

/// Two runs can be compared where both have the stack, the positions, the length, and one model.
#[pollster::test]
async fn what_has_no_counterpart_is_refused() {
    let session = reference!("bert-tiny").load(Cpu);
    let long = run_under(&session, &REPEATING, &json!({})).await;
    let short = run_under(&session, &REPEATING[..3], &json!({})).await;
    // The same weights, loaded once more: another model, whose axes may be others.
    let again = reference!("bert-tiny").load(Cpu);
    let stranger = run_under(&again, &REPEATING, &json!({})).await;
    let translator = reference!("marian-tiny").load(Cpu);
    let across = finished(&translator, &under(&translator, &REPEATING, &json!({})), None).await;
    let code = |error: Option<headscope::error::Error>| error.map(|error| error.code.as_str());
    let e = "encoder";
    for (refused, want) in [
        (long.distances(e, &short, None).err(), "selection/other-length"),
        (long.run_divergences(e, &short, None).err(), "selection/other-length"),
        (long.distances(e, &stranger, None).err(), "selection/other-model"),
        (long.cosines(e, &[0], &stranger, &[0]).err(), "selection/other-model"),
        (long.distances("decoder", &long, None).err(), "selection/bad-stack"),
        (across.residuals("cross", 0).err(), "selection/bad-stack"),
        (across.cosines("cross", &[0], &across, &[0]).err(), "selection/bad-stack"),
        (long.residuals(e, 3).err(), "selection/bad-layer"),
        (long.distances(e, &long, Some(&[0, 1])).err(), "selection/bad-position"),
        (short.distances(e, &short, Some(&[0, 1, 3])).err(), "selection/bad-position"),
        (long.cosines(e, &[], &short, &[0]).err(), "selection/bad-position"),
        (long.cosines(e, &[0], &short, &[]).err(), "selection/bad-position"),
        (long.cosines(e, &[99], &short, &[0]).err(), "selection/bad-position"),
        (long.cosines(e, &[0], &short, &[99]).err(), "selection/bad-position"),
    ] {
        assert_eq!(code(refused), Some(want));
    }
    // One token has no other to be like.
    let alone = run_under(&session, &REPEATING[..1], &json!({})).await;
    let depths = alone.residuals(e, 0).unwrap().await.unwrap();
    assert!(depths.iter().all(|depth| depth.similarity == [None]));
}

#[pollster::test]
async fn content_retention_is_that_of_numpy() {
    let described: Value = serde_json::from_str(RETENTION).unwrap();
    let ids = numbers(&described["ids"]);
    assert_eq!(numbers(&described["target_ids"]), TARGET);
    let mut compared = 0;
    for (name, stacks) in described["counts"].as_object().unwrap() {
        let reference = families().into_iter().find(|one| one.name == name).unwrap();
        let session = reference.load(Cpu);
        let run = run_under(&session, &ids, &json!({})).await;
        for (stack, layers) in stacks.as_object().unwrap() {
            for (layer, heads) in layers.as_array().unwrap().iter().enumerate() {
                for (head, count) in heads.as_array().unwrap().iter().enumerate() {
                    let found =
                        run.content_retention(stack, layer, head).unwrap().finish().await.unwrap();
                    let is_target = session.info().stacks.cross.is_some() && stack == "decoder";
                    let positions = if is_target { TARGET.len() } else { ids.len() };
                    let want = json!({"retained": count, "positions": positions});
                    let got = serde_json::to_value(found).unwrap();
                    assert_eq!(got, want, "{name} {stack} {layer} {head}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 57);
}

#[pollster::test]
async fn content_retention_leaves_out_what_has_no_direction_and_refuses_cross_attention() {
    let session = reference!("marian-tiny").load(Cpu);
    let own = json!({"heads": [{"heads": [0], "pattern": "diagonal"}, {"heads": [1], "gate": 0}]});
    let run = run_under(&session, &REPEATING, &own).await;
    let found =
        async |head| run.content_retention("encoder", 0, head).unwrap().finish().await.unwrap();
    let n = REPEATING.len();
    let kept = found(0).await;
    assert_eq!([kept.retained, kept.positions], [n, n]);
    let silent = found(1).await;
    assert_eq!([silent.retained, silent.positions], [0, 0]);
    let refused = run.content_retention("cross", 0, 0).err().unwrap();
    assert_eq!(refused.code.as_str(), "selection/bad-stack");
}
