//! What must hold of every run, whatever the model and the text: rows sum to one, masked
//! weights are exactly 0, the past does not see the future, order enters by positions
//! alone, a cache changes nothing, plain loops agree.

use crate::support;

use crate::support::Session;
use headscope::backend::{Cpu, Oracle};
use headscope::model::Architecture;
use headscope::run::{GenerateRequest, RunRequest};
use support::{Random, assert_close, assert_same_bits, everything, finished, request, tiny_models};
use wasm_bindgen_test::wasm_bindgen_test;

fn text(session: &Session<Cpu>, random: &mut Random, n: usize) -> RunRequest {
    let info = session.info();
    let ids = random.ids(n, info.vocab_size);
    let target_ids = (info.architecture == Architecture::EncoderDecoder)
        .then(|| random.ids(n + 2, info.vocab_size));
    RunRequest { ids, target_ids, ..RunRequest::default() }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn rows_sum_to_one_and_masked_cells_are_exactly_zero() {
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        for case in reference.cases() {
            let sent = request(&case, session.info().architecture);
            let run = finished(&session, &sent, None).await;
            let all = everything(&session, &run).await;
            for (at, (name, weights)) in
                all.iter().enumerate().filter(|(_, (name, _))| name.ends_with("weights"))
            {
                let (masked_name, masked) = &all[at - 1];
                assert!(masked_name.ends_with("masked"));
                let part: Vec<&str> = name.split('.').collect();
                let (layer, head) = (part[2].parse().unwrap(), part[3].parse().unwrap());
                let flagged = run.fully_masked(part[0], layer, head).unwrap();
                for (query, (row, masked)) in
                    weights.values().rows().into_iter().zip(masked.values().rows()).enumerate()
                {
                    let sum: f32 = row.sum();
                    let want = if flagged.contains(&query) { 0.0 } else { 1.0 };
                    assert!(
                        (sum - want).abs() < 1e-5,
                        "{}: {name}: row {query} sums to {sum}",
                        reference.name
                    );
                    for (weight, score) in row.iter().zip(masked) {
                        assert!(
                            *score != f32::NEG_INFINITY || weight.to_bits() == 0,
                            "{name}: {weight} where masked"
                        );
                    }
                }
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_past_does_not_see_the_future() {
    let mut random = Random(1);
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        let long = text(&session, &mut random, 11);
        let mut short = long.clone();
        match &mut short.target_ids {
            Some(target) => target.truncate(5),
            None => short.ids.truncate(5),
        }
        let layers = session.info().stacks.decoder.unwrap().layers;
        // Both alone and with the other to take over from.
        let one = finished(&session, &short, None).await;
        let grown = finished(&session, &long, Some(&one)).await;
        let alone = finished(&session, &long, None).await;
        let shrunk = finished(&session, &short, Some(&alone)).await;
        assert_eq!(
            grown.executed().reused_tokens,
            if long.target_ids.is_some() { 11 + 5 } else { 5 }
        );
        for layer in 0..=layers {
            let hidden = async |run: &support::Handle| {
                run.hidden("decoder", layer).unwrap().await.unwrap().into_data()
            };
            let (first, long, all) =
                (hidden(&one).await, hidden(&grown).await, hidden(&alone).await);
            assert_same_bits(&long[..first.len()], &first, "the first rows");
            assert_same_bits(&long, &all, "the grown text");
            assert_same_bits(&hidden(&shrunk).await, &first, "the shortened text");
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn without_positions_order_does_not_matter() {
    // BERT with every position alike: a permutation of the text permutes the output.
    let reference = reference!("bert-tiny");
    let mut checkpoint = reference.checkpoint.to_vec();
    support::overwrite(&mut checkpoint, "bert.embeddings.position_embeddings.weight", 0.25);
    let session = Session::load(Cpu, reference.config, &checkpoint).unwrap();
    let ids = Random(2).ids(9, 61);
    let order = [4, 0, 8, 2, 7, 1, 3, 6, 5];
    let permuted: Vec<f64> = order.iter().map(|&from| ids[from]).collect();
    let run = async |ids: Vec<f64>| {
        finished(&session, &RunRequest { ids, ..RunRequest::default() }, None).await
    };
    let (plain, moved) = (run(ids).await, run(permuted).await);
    let (plain, moved) =
        (plain.logits(None).unwrap().await.unwrap(), moved.logits(None).unwrap().await.unwrap());
    for (to, &from) in order.iter().enumerate() {
        let (got, want) = (
            moved.values().index_axis(ndarray::Axis(0), to),
            plain.values().index_axis(ndarray::Axis(0), from),
        );
        assert_close(
            &got.iter().copied().collect::<Vec<_>>(),
            &want.iter().copied().collect::<Vec<_>>(),
            "a moved token",
        );
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn writing_with_a_cache_equals_reading_what_was_written() {
    let mut random = Random(3);
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        let info = session.info();
        if info.stacks.decoder.is_none() {
            continue;
        }
        for n in [1, 4, 7] {
            let mut sent =
                RunRequest { ids: random.ids(n, info.vocab_size), ..RunRequest::default() };
            sent.generate = Some(GenerateRequest::default());
            let written = finished(&session, &sent, None).await;
            let target: Vec<f64> = written.target_ids().iter().map(|&id| f64::from(id)).collect();
            let read = match info.architecture {
                Architecture::Decoder => RunRequest { ids: target, ..RunRequest::default() },
                _ => RunRequest { target_ids: Some(target), generate: None, ..sent },
            };
            let read = finished(&session, &read, None).await;
            let (one, other) =
                (everything(&session, &written).await, everything(&session, &read).await);
            for ((name, got), (_, want)) in one.into_iter().zip(other) {
                assert_same_bits(
                    &got.into_data(),
                    &want.into_data(),
                    &format!("{}: {name}", reference.name),
                );
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn plain_loops_agree_with_the_kernels() {
    let mut random = Random(4);
    for reference in tiny_models() {
        let (session, plain) = (reference.load(Cpu), reference.load(Oracle));
        for n in [1, 3, 10] {
            let sent = text(&session, &mut random, n);
            let (fast, slow) =
                (finished(&session, &sent, None).await, finished(&plain, &sent, None).await);
            let (fast, slow) = (everything(&session, &fast).await, everything(&plain, &slow).await);
            assert_eq!(fast.len(), slow.len());
            for ((name, got), (_, want)) in fast.into_iter().zip(slow) {
                let (got, want) = (finite(got.into_data()), finite(want.into_data()));
                assert_close(&got, &want, &format!("{}: {name}", reference.name));
            }
        }
    }
}

/// Masked cells as a number, so that they can be compared.
fn finite(numbers: Vec<f32>) -> Vec<f32> {
    numbers.into_iter().map(|x| if x == f32::NEG_INFINITY { -1.0 } else { x }).collect()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_source_can_be_read_before_the_first_word_is_written() {
    let session = reference!("marian-tiny").load(Cpu);
    let ids = Random(6).ids(7, 61);
    let sent =
        RunRequest { ids, generate: Some(GenerateRequest::default()), ..RunRequest::default() };
    let run = session.begin(&sent, None).unwrap();
    let mut report = run.step().await.unwrap();
    while !report.source_ready {
        assert!(!report.finished);
        report = run.step().await.unwrap();
    }
    assert!(report.generated.is_empty() && !report.finished);
    let pattern = run.attention(("encoder", 2, 0), "weights", None).unwrap().await.unwrap();
    assert_eq!(pattern.shape(), [7, 7]);
    assert_eq!(
        run.attention(("cross", 0, 0), "weights", None).err().unwrap().code.as_str(),
        "run/not-ready"
    );
    assert!(!run.finish().await.unwrap().generated.is_empty());
}
