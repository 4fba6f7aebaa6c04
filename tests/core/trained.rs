//! The three bundled models on text that they never saw equal Hugging Face's: every hidden
//! state, every weight and every row of logits of fifty inputs, of random ids and under edits,
//! and what is written greedily, token by token.

use crate::support;

use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, RunRequest};
use headscope::session::Session;
use serde_json::Value;
use support::{
    Answers, Handle, Reference, assert_close, finished, indices, logit_sums, numbers, request,
    tolerance,
};
use wasm_bindgen_test::wasm_bindgen_test;

/// Fifty sentences, random ids and a text under edits.
const INPUTS: usize = 52;

fn inputs(reference: &Reference) -> Vec<Value> {
    let inputs = reference.described()["inputs"].as_array().unwrap().clone();
    assert_eq!(inputs.len(), INPUTS, "{}: other inputs", reference.name);
    inputs
}

fn name(input: &Value) -> &str {
    input["name"].as_str().unwrap()
}

/// Every state and weight of a run; returns how many numbers were compared.
async fn compare_states(
    session: &Session<Cpu>,
    run: &Handle,
    answers: &Answers<'_>,
    what: &str,
    name: &str,
) -> usize {
    let stacks = session.info().stacks;
    let mut compared = 0;
    for (stack, found) in
        [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)]
    {
        let Some(found) = found else { continue };
        for layer in 0..found.layers {
            let (want, shape) = answers.get(&format!("{name}.{stack}.attention.{layer}"));
            let mut got = Vec::with_capacity(want.len());
            for head in 0..found.heads {
                let weights =
                    run.attention((stack, layer, head), "weights", None).unwrap().await.unwrap();
                assert_eq!(weights.shape(), &shape[1..], "{what}: {stack} {layer}.{head}");
                got.extend(weights.into_data());
            }
            assert_close(&got, &want, &format!("{what}: {stack}.attention.{layer}"));
            compared += want.len();
        }
        if stack == "cross" {
            continue;
        }
        for layer in 0..=found.layers {
            let (want, _) = answers.get(&format!("{name}.{stack}.hidden.{layer}"));
            let got = run.hidden(stack, layer).unwrap().await.unwrap().into_data();
            assert_close(&got, &want, &format!("{what}: {stack}.hidden.{layer}"));
            compared += want.len();
        }
    }
    compared
}

/// The sums that every row of the logits is kept as, a file of its own.
macro_rules! kept_sums {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/reference/trained/",
            $name,
            ".logit-sums.safetensors"
        ))
    };
}

/// One row of the logits number by number, every row by its sums, and at each position the
/// best eight, which no other exceeds. Returns how many numbers of the reference were compared.
async fn compare_logits(
    run: &Handle,
    answers: &Answers<'_>,
    sums: &Answers<'_>,
    what: &str,
    input: &Value,
) -> usize {
    let logits = run.logits(None).unwrap().await.unwrap();
    let (n, vocabulary) = (logits.shape()[0], logits.shape()[1]);
    let rows = logits.into_data();
    let rows: Vec<&[f32]> = rows.chunks_exact(vocabulary).collect();

    let position = input["logits_position"].as_u64().unwrap() as usize;
    let (whole, _) = answers.get(&format!("{}.logits", name(input)));
    assert_close(rows[position], &whole, &format!("{what}: logits at {position}"));

    let (best, shape) = answers.get(&format!("{}.top_logits", name(input)));
    assert_eq!(shape[0], n, "{what}: another number of positions");
    let ids = input["top_ids"].as_array().unwrap();
    for ((row, ids), best) in rows.iter().zip(ids).zip(best.chunks_exact(shape[1])) {
        let ids = indices(ids);
        let got: Vec<f32> = ids.iter().map(|&id| row[id]).collect();
        assert_close(&got, best, &format!("{what}: the best logits"));
        let others = (0..vocabulary).filter(|id| !ids.contains(id)).map(|id| row[id]);
        let largest = others.fold(f32::NEG_INFINITY, f32::max);
        let least = best[best.len() - 1];
        assert!(largest <= least + tolerance(best), "{what}: {largest} is not among the best");
    }
    whole.len() + best.len() + compare_sums(&rows, sums, what, name(input))
}

/// A sum may be off by no more than a single logit of its row may be, although fifty are in it.
fn compare_sums(rows: &[&[f32]], sums: &Answers<'_>, what: &str, name: &str) -> usize {
    let (want, shape) = sums.get(name);
    assert_eq!(shape[0], rows.len(), "{what}: another number of rows");
    for (position, (row, want)) in rows.iter().zip(want.chunks_exact(shape[1])).enumerate() {
        let got = logit_sums::sums(row);
        assert_eq!(got.len(), want.len(), "{what}: another number of sums");
        let tolerance = tolerance(row);
        for (group, (got, want)) in got.iter().zip(want).enumerate() {
            assert!(
                (got - want).abs() <= tolerance,
                "{what}: the logits at {position}, group {group}, add up to {got}, not {want}"
            );
        }
    }
    want.len()
}

async fn computes_what_hugging_face_computes(reference: Reference, sums: &[u8], least: usize) {
    let session = reference.load(Cpu);
    let (answers, sums) = (Answers::open(reference.answers), Answers::open(sums));
    let mut compared = 0;
    for input in inputs(&reference) {
        let what = format!("{}: {}", reference.name, name(&input));
        let run = finished(&session, &request(&input, session.info().architecture), None).await;
        compared += compare_states(&session, &run, &answers, &what, name(&input)).await;
        compared += compare_logits(&run, &answers, &sums, &what, &input).await;
    }
    assert!(compared > least, "{}: only {compared} numbers were compared", reference.name);
}

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
    computes_what_hugging_face_computes(bundled!("en-fr"), kept_sums!("en-fr"), 500_000).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_writer_computes_what_hugging_face_computes() {
    computes_what_hugging_face_computes(bundled!("tiny-gpt"), kept_sums!("tiny-gpt"), 500_000)
        .await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_reader_computes_what_hugging_face_computes() {
    computes_what_hugging_face_computes(bundled!("tiny-bert"), kept_sums!("tiny-bert"), 500_000)
        .await;
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
