//! What is read of a run belongs together: the scores of the vocabulary make the predictions,
//! positions are the table's, thumbnails the pattern's.

use crate::support;

use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::positions::{Layout, Rotation, sinusoidal};
use ndarray::{Array2, Ix2};
use serde_json::json;
use support::{
    Answers, REPEATING, Random, TARGET, assert_same_bits, finished, heads_of, pattern,
    repeating_runs, request, stacks_of, tiny_models, under, writing,
};

fn matrix(tensor: &Tensor) -> Array2<f32> {
    tensor.values().clone().into_dimensionality::<Ix2>().unwrap()
}

#[test]
fn a_model_says_what_it_is() {
    let info = reference!("llama-tiny").load(Cpu).info();
    let size = info.stacks.decoder.unwrap();
    assert_eq!((size.layers, size.heads, size.kv_heads, size.head_dim), (3, 4, 2, 6));
    let words = (info.positions.as_str(), info.norm.as_str(), info.activation.as_str());
    assert_eq!((words, info.gated), (("rotary", "pre", "SiLU"), true));
    assert!(!reference!("gpt2-tiny").load(Cpu).info().gated);
}

#[pollster::test]
async fn rows_sum_to_one_and_masked_cells_are_exactly_zero() {
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        for case in reference.cases() {
            let run = finished(&session, &request(&case, session.info().architecture), None).await;
            for at in heads_of(&session) {
                let fully_masked = run.fully_masked(at.0, at.1, at.2).unwrap();
                let weights = matrix(&pattern(&run, at, "weights").await);
                let masked = matrix(&pattern(&run, at, "masked").await);
                for (query, row) in weights.rows().into_iter().enumerate() {
                    let want = if fully_masked.contains(&query) { 0.0 } else { 1.0 };
                    let what = format!("{}: {at:?}: row {query}", reference.name);
                    assert!((row.sum() - want).abs() < 1e-5, "{what} sums to {}", row.sum());
                    for (weight, score) in row.iter().zip(masked.row(query)) {
                        let is_masked = *score == f32::NEG_INFINITY;
                        assert!(!is_masked || weight.to_bits() == 0, "{what}: {weight}");
                    }
                }
            }
        }
    }
}

#[pollster::test]
async fn predictions_are_the_best_of_the_softmax_of_the_logits() {
    for (name, _, run) in repeating_runs().await {
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

#[pollster::test]
async fn named_entries_are_as_probable_as_the_softmax_of_the_logits_says() {
    for (name, _, run) in repeating_runs().await {
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

#[pollster::test]
async fn positions_are_those_of_the_model() {
    let table =
        |reference: support::Reference, name: &str| Answers::open(reference.checkpoint).get(name).0;
    for (name, session, run) in repeating_runs().await {
        let d = session.info().d_model;
        for (stack, _) in support::streams_of(&session) {
            let got = run.positions(stack).unwrap().await.unwrap();
            let n = if stack == "decoder" && name == "marian-tiny" {
                TARGET.len()
            } else {
                REPEATING.len()
            };
            let want = match name {
                "marian-tiny" => sinusoidal(n, d, Layout::SplitHalves).into_raw_vec_and_offset().0,
                "bert-tiny" => {
                    table(reference!("bert-tiny"), "bert.embeddings.position_embeddings.weight")
                }
                "gpt2-tiny" => table(reference!("gpt2-tiny"), "transformer.wpe.weight"),
                // Nothing is added: six dimensions of each query and key are rotated.
                _ => Rotation::new(100.0, 6).table(n),
            };
            let columns = if name == "llama-tiny" { 6 } else { d };
            assert_same_bits(&got.into_data(), &want[..n * columns], name);
        }
    }
}

#[pollster::test]
async fn a_thumbnail_as_large_as_the_pattern_is_the_pattern() {
    for (name, session, run) in repeating_runs().await {
        for (stack, layers, heads) in stacks_of(&session).into_iter().filter(|one| one.0 != "cross")
        {
            let n = pattern(&run, (stack, 0, 0), "weights").await.shape()[0];
            let all = run.thumbnails(stack, n, "weights", None).unwrap().await.unwrap();
            assert_eq!(all.shape(), [layers, heads, n, n]);
            let all = all.into_data();
            let last = run.thumbnails(stack, n, "weights", Some(layers - 1)).unwrap();
            let last = last.await.unwrap().into_data();
            assert_same_bits(&last, &all[all.len() - heads * n * n..], name);
            for (at, cells) in all.chunks_exact(n * n).enumerate() {
                let pattern = pattern(&run, (stack, at / heads, at % heads), "weights").await;
                assert_same_bits(cells, &pattern.into_data(), name);
            }
        }
    }
}

#[pollster::test]
async fn rows_alone_are_those_of_the_whole() {
    for (name, session, run) in repeating_runs().await {
        for (stack, ..) in stacks_of(&session) {
            for stage in ["raw", "scores", "masked", "weights"] {
                let what = format!("{name}, {stack}, {stage}");
                let at = (stack, 0, 1);
                let whole = pattern(&run, at, stage).await;
                let &[n_queries, n_keys] = whole.shape() else { panic!("{what}") };
                let whole = whole.into_data();
                for rows in [0..1, n_queries - 1..n_queries, 1..n_queries, 0..n_queries] {
                    let some = run.attention(at, stage, Some(rows.clone())).unwrap();
                    let some = some.await.unwrap();
                    assert_eq!(some.shape(), [rows.len(), n_keys], "{what}");
                    let want = &whole[rows.start * n_keys..rows.end * n_keys];
                    assert_same_bits(&some.into_data(), want, &what);
                }
            }
        }
    }
}

#[pollster::test]
async fn the_source_can_be_read_before_the_first_word_is_written() {
    let session = reference!("marian-tiny").load(Cpu);
    let ids = Random(6).ids(7, 61);
    let request = writing(under(&session, &ids, &json!({})), 9.0);
    let run = session.begin(&request, None).unwrap();
    let mut report = run.step().await.unwrap();
    while !report.source_ready {
        assert!(!report.finished);
        report = run.step().await.unwrap();
    }
    assert!(report.generated.is_empty() && !report.finished);
    assert_eq!(pattern(&run, ("encoder", 2, 0), "weights").await.shape(), [7, 7]);
    let refused = run.attention(("cross", 0, 0), "weights", None).err().unwrap();
    assert_eq!(refused.code.as_str(), "run/not-ready");
    assert!(!run.finish().await.unwrap().generated.is_empty());
}
