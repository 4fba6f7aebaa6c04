//! What a head is like: its singular values are LAPACK's and those of the patterns that can
//! be read, and its likeness to other heads follows from those patterns by plain loops.

use crate::support;

use std::f64::consts::LN_2;

use crate::support::Session;
use headscope::analysis::SingularValues;
use headscope::analysis::spectrum::Decomposition;
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::{HeadLikeness, RunRequest, Spectrum};
use support::{Answers, Handle, Random, finished};
use wasm_bindgen_test::wasm_bindgen_test;

const REFERENCE: &[u8] = include_bytes!("../reference/spectrum.safetensors");

const IDS: [f64; 9] = [5.0, 9.0, 13.0, 5.0, 9.0, 13.0, 5.0, 17.0, 2.0];
const TARGET: [f64; 6] = [60.0, 7.0, 11.0, 7.0, 11.0, 7.0];

/// Of the largest value: the core's bound, and the rounding of the reference to f32.
const TOLERANCE: f64 = 4e-6;

fn request(session: &Session<Cpu>, edits: Option<&str>) -> RunRequest {
    support::of_ids(session, &IDS, &TARGET, edits)
}

/// One run of each family, with the stacks that it has.
async fn runs() -> Vec<(Handle, Vec<(&'static str, usize, usize)>)> {
    let mut all = Vec::new();
    for reference in support::families() {
        let session = reference.load(Cpu);
        let run = finished(&session, &request(&session, None), None).await;
        all.push((run, support::stacks_of(&session)));
    }
    all
}

async fn pattern(run: &Handle, stack: &str, (layer, head): (usize, usize), stage: &str) -> Tensor {
    run.attention((stack, layer, head), stage, None).unwrap().await.unwrap()
}

async fn spectrum(run: &Handle, stack: &str, layer: usize, head: usize) -> Spectrum {
    let mut work = run.spectrum(stack, layer, head).unwrap().await.unwrap();
    loop {
        if let Some(spectrum) = work.step() {
            return spectrum;
        }
    }
}

async fn likeness(run: &Handle, stack: &str, layer: usize, head: usize) -> Vec<HeadLikeness> {
    run.likeness(stack, layer, head, None).unwrap().await.unwrap()
}

#[wasm_bindgen_test(unsupported = test)]
fn singular_values_are_those_of_lapack() {
    let vectors = Answers::open(REFERENCE);
    for name in ["scores", "weights", "causal", "graded", "tall"] {
        let (matrix, shape) = vectors.get(&format!("{name}.matrix"));
        let (want, _) = vectors.get(&format!("{name}.values"));
        let (rank, _) = vectors.get(&format!("{name}.rank90"));
        let found = Decomposition::new(&matrix, shape[1]).advance(usize::MAX).unwrap();
        assert_eq!(found.values.len(), want.len(), "{name}");
        for (got, want) in found.values.iter().zip(&want) {
            let apart = (got - f64::from(*want)).abs();
            assert!(apart <= TOLERANCE * f64::from(want.max(found.values[0] as f32)), "{name}");
        }
        assert_eq!(found.rank90 as f32, rank[0], "{name}");
    }
}

fn check(found: &SingularValues, matrix: &Tensor, rank: usize, what: &str) {
    let cells = matrix.values().as_slice().unwrap();
    let energy: f64 = cells.iter().map(|&cell| f64::from(cell) * f64::from(cell)).sum();
    let sum: f64 = found.values.iter().map(|value| value * value).sum();
    assert!((sum - energy).abs() <= 1e-9 * energy, "{what}: {sum} and {energy}");
    assert_eq!(found.values.len(), *matrix.shape().iter().min().unwrap(), "{what}");
    let beyond = found.values.get(rank).copied().unwrap_or(0.0);
    assert!(beyond <= TOLERANCE * found.values[0], "{what}: {beyond} beyond {rank}");
    let held =
        |rank: usize| -> f64 { found.values[..rank].iter().map(|value| value * value).sum() };
    assert!(held(found.rank90) >= 0.9 * energy * (1.0 - 1e-9), "{what}");
    assert!(held(found.rank90 - 1) < 0.9 * energy, "{what}");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn spectra_are_those_of_the_patterns_that_are_read() {
    for (run, stacks) in runs().await {
        for (stack, n_layers, n_heads) in stacks {
            for at in (0..n_layers).flat_map(|layer| (0..n_heads).map(move |head| (layer, head))) {
                let found = spectrum(&run, stack, at.0, at.1).await;
                let what = format!("{stack} {at:?}");
                let scores = pattern(&run, stack, at, "scores").await;
                let query =
                    run.projection(stack, at.0, at.1, "query", true).unwrap().await.unwrap();
                check(&found.scores, &scores, query.shape()[1], &what);
                check(&found.weights, &pattern(&run, stack, at, "weights").await, 999, &what);
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_blocked_cell_changes_the_weights_alone() {
    let session = reference!("bert-tiny").load(Cpu);
    let plain = finished(&session, &request(&session, None), None).await;
    let edits = r#"{"masks":[{"layers":[0],"heads":[1],"block":[[0,0],[3,4]]}]}"#;
    let blocked = finished(&session, &request(&session, Some(edits)), None).await;
    let (before, after) =
        (spectrum(&plain, "encoder", 0, 1).await, spectrum(&blocked, "encoder", 0, 1).await);
    assert_eq!(before.scores, after.scores);
    assert_ne!(before.weights, after.weights);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_is_too_long_is_refused_and_the_run_can_still_be_read() {
    // Its positions are computed, so that it can be told to read more.
    let reference = reference!("marian-tiny");
    let config = reference
        .config
        .replace(r#""max_position_embeddings": 19"#, r#""max_position_embeddings": 600"#);
    let session = Session::load(Cpu, &config, reference.checkpoint).unwrap();
    let sent = RunRequest {
        ids: Random(1).ids(513, 60),
        target_ids: Some(TARGET.to_vec()),
        ..RunRequest::default()
    };
    let run = finished(&session, &sent, None).await;
    let error = run.spectrum("encoder", 0, 0).err().unwrap();
    assert_eq!(error.code.as_str(), "selection/too-large");
    assert!(error.to_string().contains("at most 512 queries or keys; shorten"), "{error}");
    // Few queries are few directions, however many keys there are.
    assert_eq!(spectrum(&run, "cross", 0, 0).await.weights.values.len(), TARGET.len());
}

/// The weights of a head as rows.
async fn rows(run: &Handle, stack: &str, at: (usize, usize)) -> Vec<Vec<f64>> {
    let weights = pattern(run, stack, at, "weights").await;
    let cells = weights.values().as_slice().unwrap();
    let row = |row: &[f32]| row.iter().copied().map(f64::from).collect();
    cells.chunks_exact(weights.shape()[1]).map(row).collect()
}

/// By entropies: `H(M) − ½ H(A) − ½ H(B)`, another formula than the core's.
fn by_entropies(one: &[Vec<f64>], other: &[Vec<f64>], left_out: &[usize]) -> f64 {
    let entropy = |row: &[f64]| -> f64 {
        row.iter().filter(|&&weight| weight > 0.0).map(|weight| -weight * weight.ln()).sum()
    };
    let rows = one.iter().zip(other).enumerate().filter(|(query, _)| !left_out.contains(query));
    let divergences: Vec<f64> = rows
        .map(|(_, (one, other))| {
            let mean: Vec<f64> = one.iter().zip(other).map(|(a, b)| (a + b) / 2.0).collect();
            entropy(&mean) - entropy(one) / 2.0 - entropy(other) / 2.0
        })
        .collect();
    divergences.iter().sum::<f64>() / divergences.len() as f64
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn likeness_follows_from_the_patterns_that_are_read() {
    for (run, stacks) in runs().await {
        for (stack, n_layers, n_heads) in stacks {
            let found = likeness(&run, stack, n_layers - 1, 1).await;
            let asked = rows(&run, stack, (n_layers - 1, 1)).await;
            assert_eq!(found.len(), n_layers * n_heads);
            for (at, other) in found.iter().enumerate() {
                assert_eq!((other.layer, other.head), (at / n_heads, at % n_heads));
                let want =
                    by_entropies(&asked, &rows(&run, stack, (other.layer, other.head)).await, &[]);
                let got = other.divergence.unwrap();
                assert!((got - want).abs() < 1e-6, "{stack} {at}: {got} instead of {want}");
                assert!((0.0..=LN_2 + 1e-6).contains(&got));
                assert_eq!(got == 0.0, at == (n_layers - 1) * n_heads + 1, "{stack} {at}");
            }
            let layer = run.likeness(stack, n_layers - 1, 1, Some(0)).unwrap().await.unwrap();
            assert_eq!(layer, found[..n_heads]);
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn likeness_is_mutual_and_leaves_out_rows_that_may_look_nowhere() {
    let session = reference!("bert-tiny").load(Cpu);
    let block: Vec<String> = (0..IDS.len()).map(|key| format!("[2,{key}]")).collect();
    let edits =
        format!(r#"{{"masks":[{{"layers":[0],"heads":[1],"block":[{}]}}]}}"#, block.join(","));
    let run = finished(&session, &request(&session, Some(&edits)), None).await;
    let from = likeness(&run, "encoder", 0, 0).await[1].divergence;
    assert_eq!(from, likeness(&run, "encoder", 0, 1).await[0].divergence);
    let (one, other) = (rows(&run, "encoder", (0, 0)).await, rows(&run, "encoder", (0, 1)).await);
    assert_eq!(other[2], [0.0; 9]);
    assert!((from.unwrap() - by_entropies(&one, &other, &[2])).abs() < 1e-6);
    // A head of which no query may look anywhere is like nobody, not even itself.
    let nowhere = r#"{"masks":[{"layers":[0],"heads":[1],"block":[ALL]}]}"#;
    let cell = |at: usize| format!("[{},{}]", at / IDS.len(), at % IDS.len());
    let all: Vec<String> = (0..IDS.len() * IDS.len()).map(cell).collect();
    let nowhere = nowhere.replace("ALL", &all.join(","));
    let run = finished(&session, &request(&session, Some(&nowhere)), None).await;
    assert!(likeness(&run, "encoder", 0, 1).await.iter().all(|head| head.divergence.is_none()));
    assert_eq!(likeness(&run, "encoder", 0, 0).await[1].divergence, None);
    assert_eq!(spectrum(&run, "encoder", 0, 1).await.weights.rank90, 0);
}

/// The mean of some rows, in f64.
fn mean(states: &Tensor, positions: &[usize]) -> Vec<f64> {
    let width = states.shape()[1];
    let rows: Vec<f64> = states.values().iter().map(|&x| f64::from(x)).collect();
    (0..width)
        .map(|at| positions.iter().map(|p| rows[p * width + at]).sum::<f64>())
        .map(|sum| sum / positions.len() as f64)
        .collect()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn cosines_follow_from_the_hidden_states_of_both_runs() {
    for reference in support::families() {
        let session = reference.load(Cpu);
        let one = finished(&session, &request(&session, None), None).await;
        let mut asked = request(&session, None);
        asked.ids = vec![17.0, 5.0, 9.0, 2.0];
        let other = finished(&session, &asked, None).await;
        let stacks = session.info().stacks;
        for (stack, size) in [("encoder", stacks.encoder), ("decoder", stacks.decoder)] {
            let Some(size) = size else { continue };
            let (here, there) = ([1, 2], [0]);
            let found = one.cosines(stack, &here, &other, &there).unwrap().await.unwrap();
            assert_eq!(found.len(), size.layers + 1, "{stack}");
            for (layer, found) in found.into_iter().enumerate() {
                let a = mean(&one.hidden(stack, layer).unwrap().await.unwrap(), &here);
                let b = mean(&other.hidden(stack, layer).unwrap().await.unwrap(), &there);
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
                let want = dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
                assert!((found.unwrap() - want).abs() < 1e-12, "{stack} {layer}");
            }
            let same = one.cosines(stack, &here, &one, &here).unwrap().await.unwrap();
            assert!(same.into_iter().all(|cosine| cosine.unwrap() > 1.0 - 1e-12));
            for (at, there) in
                [(&[][..], &[0][..]), (&[0][..], &[][..]), (&[99], &[0]), (&[0], &[99])]
            {
                let refused = one.cosines(stack, at, &other, there).err().unwrap();
                assert_eq!(refused.code.as_str(), "selection/bad-position");
            }
        }
        assert!(one.cosines("cross", &[0], &other, &[0]).is_err());
        // The same weights, loaded once more: another model, whose axes nobody knows to be the same.
        let stream = if stacks.encoder.is_some() { "encoder" } else { "decoder" };
        let elsewhere = reference.load(Cpu);
        let stranger = finished(&elsewhere, &request(&elsewhere, None), None).await;
        let refused = one.cosines(stream, &[0], &stranger, &[0]).err().unwrap();
        assert_eq!(refused.code.as_str(), "selection/other-model");
    }
}
