//! The three bundled models on text that they never saw equal Hugging Face's: every hidden
//! state and every weight of fifty inputs, of random ids and under edits, the logits as far
//! as they are kept, and what is written greedily, token by token.

mod support;

use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, RunRequest};
use headscope::session::Session;
use serde_json::Value;
use support::{
    Answers, Handle, Reference, assert_close, finished, indices, numbers, request, tolerance,
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
                let weights = run.attention(stack, layer, head, "weights").unwrap().await.unwrap();
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

/// A whole row of the logits, and at each position the best eight, which no other exceeds.
async fn compare_logits(run: &Handle, answers: &Answers<'_>, what: &str, input: &Value) -> usize {
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
    whole.len() + best.len()
}

async fn computes_what_hugging_face_computes(reference: Reference, least: usize) {
    let session = reference.load(Cpu);
    let answers = Answers::open(reference.answers);
    let mut compared = 0;
    for input in inputs(&reference) {
        let what = format!("{}: {}", reference.name, name(&input));
        let run = finished(&session, &request(&input, session.info().architecture), None).await;
        compared += compare_states(&session, &run, &answers, &what, name(&input)).await;
        compared += compare_logits(&run, &answers, &what, &input).await;
    }
    assert!(compared > least, "{}: only {compared} numbers were compared", reference.name);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_translator_computes_what_hugging_face_computes() {
    computes_what_hugging_face_computes(bundled!("en-fr"), 500_000).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_writer_computes_what_hugging_face_computes() {
    computes_what_hugging_face_computes(bundled!("tiny-gpt"), 500_000).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_reader_computes_what_hugging_face_computes() {
    computes_what_hugging_face_computes(bundled!("tiny-bert"), 500_000).await;
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
