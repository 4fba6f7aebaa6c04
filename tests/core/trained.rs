//! The three bundled models on text that they never saw equal Hugging Face's: every hidden
//! state, every weight and every row of logits of fifty inputs, of random ids and under edits,
//! and what is written greedily, token by token.

use crate::support;

use crate::support::Session;
use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, RunRequest};
use support::trained::{inputs, trained_on};
use support::{Handle, assert_close, indices, logit_sums, numbers, tolerance};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = test)]
fn a_sum_tells_that_one_logit_is_wrong_or_that_two_were_exchanged() {
    let row: Vec<f32> = (0..120).map(|id| (id as f32 * 0.37).sin() * 9.0).collect();
    let right = logit_sums::sums(&row);
    assert_eq!(right.len(), 3);
    let differs = |row: &[f32]| {
        let sums = logit_sums::sums(row);
        right.iter().zip(&sums).any(|(a, b)| (a - b).abs() > tolerance(row))
    };
    assert!(!differs(&row));
    for id in 0..row.len() {
        let mut wrong = row.clone();
        wrong[id] += 1e-3;
        assert!(differs(&wrong), "{id}");
        let mut exchanged = row.clone();
        exchanged.swap(id, (id + 1) % row.len());
        assert!(differs(&exchanged), "{id}");
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_translator_computes_what_hugging_face_computes() {
    trained_on(Cpu, assert_close, bundled!("en-fr"), kept_sums!("en-fr"), 500_000).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_writer_computes_what_hugging_face_computes() {
    trained_on(Cpu, assert_close, bundled!("tiny-gpt"), kept_sums!("tiny-gpt"), 500_000).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_reader_computes_what_hugging_face_computes() {
    trained_on(Cpu, assert_close, bundled!("tiny-bert"), kept_sums!("tiny-bert"), 500_000).await;
}

/// Writes `wanted` tokens after what is given; returns them.
async fn write(session: &Session<Cpu>, given: RunRequest, wanted: usize) -> (Handle, Vec<usize>) {
    let generate = Some(GenerateRequest { max_tokens: Some(wanted as f64) });
    let run = session.begin(&RunRequest { generate, ..given }, None).unwrap();
    let report = run.finish().await.unwrap();
    let written = report.generated.iter().map(|token| token.chosen as usize).collect();
    (run, written)
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_translator_writes_what_hugging_face_writes() {
    let reference = bundled!("en-fr");
    let session = reference.load(Cpu);
    let mut sentences = 0;
    for input in inputs(&reference).iter().filter(|input| input.get("written").is_some()) {
        let expected = indices(&input["written"]);
        let given = RunRequest { ids: numbers(&input["ids"]), ..RunRequest::default() };
        let (run, written) = write(&session, given, expected.len()).await;
        assert_eq!(written, expected, "{}", input["text"]);
        let read = indices(&input["target_ids"]);
        let ids: Vec<usize> = run.target_ids().into_iter().map(|id| id as usize).collect();
        assert_eq!(ids[..read.len()], read, "{}", input["text"]);
        sentences += 1;
    }
    assert_eq!(sentences, 50);
}

/// The engine stops where the text ends; the reference goes on, and so it is asked again.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_writer_writes_what_hugging_face_writes() {
    let reference = bundled!("tiny-gpt");
    let session = reference.load(Cpu);
    let mut sentences = 0;
    for input in inputs(&reference).iter().filter(|input| input.get("written").is_some()) {
        let (prompt, expected) = (numbers(&input["prompt_ids"]), indices(&input["written"]));
        let mut written = Vec::new();
        while written.len() < expected.len() {
            let so_far = written.iter().map(|&id: &usize| id as f64);
            let ids = prompt.iter().copied().chain(so_far).collect();
            let given = RunRequest { ids, ..RunRequest::default() };
            let (_, more) = write(&session, given, expected.len() - written.len()).await;
            assert!(!more.is_empty(), "{}: nothing was written", input["text"]);
            written.extend(more);
        }
        assert_eq!(written, expected, "{}", input["text"]);
        sentences += 1;
    }
    assert_eq!(sentences, 50);
}
