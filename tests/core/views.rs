//! What is read of a run belongs together: the projections make the scores, the scores of
//! the vocabulary make the predictions, positions are the table's, thumbnails the pattern's.

use crate::support;

use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::positions::{Layout, rotary, sinusoidal};
use ndarray::{Array2, Ix2};
use support::{Answers, assert_close, assert_same_bits, finished, request};
use wasm_bindgen_test::wasm_bindgen_test;

fn matrix(tensor: &Tensor) -> Array2<f32> {
    tensor.values().clone().into_dimensionality::<Ix2>().unwrap()
}

/// One run of each family on a text of seven tokens or more.
async fn runs() -> Vec<(&'static str, support::Session<Cpu>, support::Handle)> {
    let mut all = Vec::new();
    for reference in support::families() {
        let session = reference.load(Cpu);
        let long = |case: &serde_json::Value| {
            case["ids"].as_array().unwrap().len() >= 7 && case.get("edits").is_none()
        };
        let case = reference.cases().into_iter().find(long).unwrap();
        let run = finished(&session, &request(&case, session.info().architecture), None).await;
        all.push((reference.name, session, run));
    }
    all
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn queries_and_keys_make_the_scores_and_values_the_output() {
    for (name, session, run) in runs().await {
        let stacks = session.info().stacks;
        let stacks =
            [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)];
        for (stack, found) in stacks {
            let Some(found) = found else { continue };
            for (layer, head) in
                (0..found.layers).flat_map(|layer| (0..found.heads).map(move |head| (layer, head)))
            {
                let part = async |part: &str| {
                    matrix(&run.projection(stack, layer, head, part, true).unwrap().await.unwrap())
                };
                let stage = async |stage: &str| {
                    matrix(
                        &run.attention((stack, layer, head), stage, None).unwrap().await.unwrap(),
                    )
                };
                let (query, key, value) =
                    (part("query").await, part("key").await, part("value").await);
                assert_eq!(query.ncols(), found.head_dim);
                let raw = query.dot(&key.t());
                let what = format!("{name}: {stack} {layer}.{head}");
                let got = stage("raw").await;
                assert_close(got.as_slice().unwrap(), raw.as_slice().unwrap(), &what);
                let scores = raw / (found.head_dim as f32).sqrt();
                let got = stage("scores").await;
                assert_close(got.as_slice().unwrap(), scores.as_slice().unwrap(), &what);
                // Every query's context is a mean of values, between the smallest and largest.
                let context = stage("weights").await.dot(&value);
                for (column, values) in context.columns().into_iter().zip(value.columns()) {
                    let low = values.fold(f32::INFINITY, |low, &x| low.min(x)) - 1e-5;
                    let high = values.fold(f32::NEG_INFINITY, |high, &x| high.max(x)) + 1e-5;
                    assert!(column.iter().all(|x| (low..=high).contains(x)), "{what}");
                }
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn predictions_are_the_best_of_the_softmax_of_the_logits() {
    for (name, _, run) in runs().await {
        let logits = matrix(&run.logits(None).unwrap().await.unwrap());
        let positions: Vec<usize> = (0..logits.nrows()).rev().collect();
        let predictions = run.predictions(&positions, 9).unwrap().await.unwrap();
        for (&position, best) in positions.iter().zip(&predictions) {
            let row = logits.row(position);
            let total: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            let mut order: Vec<usize> = (0..row.len()).collect();
            order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
            assert_eq!(best.len(), 9);
            for (candidate, &id) in best.iter().zip(&order) {
                assert_eq!(candidate.id as usize, id, "{name}: position {position}");
                assert_eq!(candidate.logit, row[id]);
                let probability = f64::from(row[id]).exp() / total;
                assert!((f64::from(candidate.probability) - probability).abs() < 1e-5);
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn named_entries_are_as_probable_as_the_softmax_of_the_logits_says() {
    for (name, _, run) in runs().await {
        let logits = matrix(&run.logits(None).unwrap().await.unwrap());
        let (n, vocabulary) = logits.dim();
        // Every entry of one position, neighbours of one row, rows out of order and twice.
        let one = (0..vocabulary).map(|id| (n - 1, id));
        let pairs = one.chain((0..3 * n).map(|at| ((at / 2 * 5) % n, at * 7 % vocabulary)));
        let (positions, ids): (Vec<usize>, Vec<usize>) = pairs.unzip();
        let found = run.probabilities(&positions, &ids).unwrap().await.unwrap();
        assert_eq!(found.len(), positions.len());
        for ((&position, &id), found) in positions.iter().zip(&ids).zip(&found) {
            let row = logits.row(position);
            let total: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            let want = f64::from(row[id]) - total.ln();
            let what = format!("{name}: {id} at {position}");
            assert!((found.log_probability - want).abs() < 1e-12, "{what}");
            assert!((found.probability - want.exp()).abs() < 1e-12, "{what}");
        }
        let all: f64 = found[..vocabulary].iter().map(|one| one.probability).sum();
        assert!((all - 1.0).abs() < 1e-12, "{name}: {all}");
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn positions_are_those_of_the_model() {
    for (name, session, run) in runs().await {
        let d = session.info().d_model;
        for stack in ["encoder", "decoder"] {
            let Ok(reading) = run.positions(stack) else { continue };
            let got = reading.await.unwrap();
            let n = got.shape()[0];
            let written = if stack == "decoder" && name == "marian-tiny" {
                run.target_ids()
            } else {
                run.ids()
            };
            assert_eq!(n, written.len());
            let want = match name {
                "marian-tiny" => sinusoidal(n, d, Layout::SplitHalves).into_raw_vec_and_offset().0,
                "bert-tiny" => {
                    let file = Answers::open(reference!("bert-tiny").checkpoint);
                    file.get("bert.embeddings.position_embeddings.weight").0
                }
                "gpt2-tiny" => {
                    Answers::open(reference!("gpt2-tiny").checkpoint)
                        .get("transformer.wpe.weight")
                        .0
                }
                // Nothing is added: queries and keys are turned, six dimensions of a head.
                _ => rotary(n, 6, 100.0).into_raw_vec_and_offset().0,
            };
            let columns = if name == "llama-tiny" { 6 } else { d };
            assert_same_bits(&got.into_data(), &want[..n * columns], name);
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_thumbnail_as_large_as_the_pattern_is_the_pattern() {
    for (name, session, run) in runs().await {
        let stacks = session.info().stacks;
        for (stack, found) in [("encoder", stacks.encoder), ("decoder", stacks.decoder)] {
            let Some(found) = found else { continue };
            let pattern = run.attention((stack, 0, 0), "weights", None).unwrap().await.unwrap();
            let n = pattern.shape()[0];
            let all = run.thumbnails(stack, n, "weights", None).unwrap().await.unwrap();
            assert_eq!(all.shape(), [found.layers, found.heads, n, n]);
            let last = run.thumbnails(stack, n, "weights", Some(found.layers - 1));
            let last = last.unwrap().await.unwrap();
            assert_eq!(last.shape(), [1, found.heads, n, n]);
            for (layer, head) in
                (0..found.layers).flat_map(|layer| (0..found.heads).map(move |head| (layer, head)))
            {
                let pattern =
                    run.attention((stack, layer, head), "weights", None).unwrap().await.unwrap();
                let at = (layer * found.heads + head) * n * n;
                let small = &all.values().as_slice().unwrap()[at..at + n * n];
                assert_same_bits(small, pattern.values().as_slice().unwrap(), name);
            }
            let of_last = all.values().as_slice().unwrap().len() - last.values().len();
            let of_last = &all.values().as_slice().unwrap()[of_last..];
            assert_same_bits(last.values().as_slice().unwrap(), of_last, name);
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn rows_alone_are_those_of_the_whole() {
    for (name, session, run) in runs().await {
        for (stack, ..) in support::stacks_of(&session) {
            for stage in ["raw", "scores", "masked", "weights"] {
                let what = format!("{name}, {stack}, {stage}");
                let whole = run.attention((stack, 0, 1), stage, None).unwrap().await.unwrap();
                let &[n_queries, n_keys] = whole.shape() else { panic!("{what}") };
                let whole = whole.into_data();
                for rows in [0..1, n_queries - 1..n_queries, 1..n_queries, 0..n_queries] {
                    let of = (stack, 0, 1);
                    let some = run.attention(of, stage, Some(rows.clone())).unwrap();
                    let some = some.await.unwrap();
                    assert_eq!(some.shape(), [rows.len(), n_keys], "{what}");
                    let want = &whole[rows.start * n_keys..rows.end * n_keys];
                    assert_same_bits(&some.into_data(), want, &what);
                }
            }
        }
    }
}
