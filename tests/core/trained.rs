//! The three bundled models on text that they never saw equal Hugging Face's: every hidden
//! state, every weight and every row of logits of fifty inputs, of random ids and under edits,
//! and what is written greedily, token by token. The role scores in their `headscope.json`, which
//! Python computed from Hugging Face's weights, are those that the core computes from its own on
//! the very same sentences; the two were written independently, from `docs/roles.md`.

use crate::support;

use crate::support::Session;
use headscope::analysis::{Lexicon, Role};
use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, HeadMeasures, HeadTally, RunRequest};
use serde_json::Value;
use support::trained::{inputs, trained_on};
use support::{Handle, Reference, assert_close, finished, indices, numbers, request, stacks_of};

#[pollster::test]
async fn the_translator_computes_what_hugging_face_computes() {
    trained_on(Cpu, assert_close, bundled!("en-fr")).await;
}

#[pollster::test]
async fn models_of_one_stack_compute_what_hugging_face_computes() {
    trained_on(Cpu, assert_close, bundled!("tiny-gpt")).await;
    trained_on(Cpu, assert_close, bundled!("tiny-bert")).await;
}

/// Writes `wanted` tokens after what is given; returns them.
async fn write(session: &Session<Cpu>, given: RunRequest, wanted: usize) -> (Handle, Vec<usize>) {
    let generate =
        Some(GenerateRequest { max_new_tokens: Some(wanted as f64), ..GenerateRequest::default() });
    let run = session.begin(&RunRequest { generate, ..given }, None).unwrap();
    let report = run.finish().await.unwrap();
    let written = report.generated.iter().map(|token| token.chosen as usize).collect();
    (run, written)
}

#[pollster::test]
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
#[pollster::test]
async fn the_writer_writes_what_hugging_face_writes() {
    let reference = bundled!("tiny-gpt");
    let session = reference.load(Cpu);
    let mut sentences = 0;
    for input in inputs(&reference).iter().filter(|input| input.get("written").is_some()) {
        let prompt = numbers(&input["prompt_ids"]);
        let expected = indices(&input["written"]);
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

/// Means of weights that differ by rounding, themselves rounded to six decimals.
const TOLERANCE: f64 = 2e-6;

/// A role of the strongest key, of one head or of all together, can turn on a tie within rounding:
/// one query's worth, of the two thousand or more in three hundred sentences.
const STRONGEST: f64 = 5e-4;

const SENTENCES: usize = 300;
const REPEATED: usize = 30;

/// What every head of some stacks did on some texts together, stack by stack.
async fn pooled(
    session: &Session<Cpu>,
    stacks: &[&str],
    texts: &Value,
    lexicon: &Lexicon,
) -> Vec<Vec<HeadMeasures>> {
    let mut all: Vec<Vec<HeadTally>> = vec![Vec::new(); stacks.len()];
    for text in texts.as_array().unwrap() {
        let run = finished(session, &request(text, session.info().architecture), None).await;
        for (stack, all) in stacks.iter().zip(&mut all) {
            let tallies = run.tallies(stack, lexicon.clone(), None).unwrap().await.unwrap();
            if all.is_empty() {
                *all = tallies;
            } else {
                all.iter_mut().zip(&tallies).for_each(|(all, one)| all.merge(one));
            }
        }
    }
    all.iter().map(|heads| heads.iter().map(HeadTally::measures).collect()).collect()
}

async fn assert_roles(reference: Reference, notes: &str) {
    let session = reference.load(Cpu);
    let notes: Value = serde_json::from_str(notes).expect("headscope.json is JSON");
    let texts = &reference.described()["roles"];
    assert_eq!(texts["sentences"].as_array().unwrap().len(), SENTENCES);
    assert_eq!(texts["repeated"].as_array().unwrap().len(), REPEATED);
    let special = indices(&texts["special"]).into_iter().map(|id| id as u32);
    let lexicon =
        Lexicon { special: special.collect(), unigrams: Some(numbers(&notes["unigrams"])) };
    let stacks: Vec<&str> = stacks_of(&session).into_iter().map(|(stack, ..)| stack).collect();
    assert_eq!(notes["roles"].as_object().unwrap().len(), stacks.len(), "{}", reference.name);
    let sentences = pooled(&session, &stacks, &texts["sentences"], &lexicon).await;
    let repeated = pooled(&session, &stacks, &texts["repeated"], &lexicon).await;
    for (at, (stack, layers, heads)) in stacks_of(&session).into_iter().enumerate() {
        assert_eq!(sentences[at].len(), layers * heads);
        for (plain, repeated) in sentences[at].iter().zip(&repeated[at]) {
            let noted = &notes["roles"][stack][plain.layer][plain.head];
            assert_eq!(noted.as_object().unwrap().len(), Role::ALL.len());
            for role in Role::ALL {
                let own = if role == Role::Induction { repeated } else { plain };
                let own = own.roles.of(role);
                let noted = noted[role.name()].as_f64();
                let is_strongest = matches!(role, Role::Rare | Role::Near | Role::Positional)
                    || stack == "cross" && matches!(role, Role::Next | Role::Aligned);
                let tolerance = if is_strongest { STRONGEST } else { TOLERANCE };
                let is_near = match (own, noted) {
                    (Some(own), Some(noted)) => (own - noted).abs() <= tolerance,
                    (own, noted) => own == noted,
                };
                let what = format!("{}: {stack} {}.{}", reference.name, plain.layer, plain.head);
                assert!(is_near, "{what} {}: {own:?}, in the file {noted:?}", role.name());
            }
        }
    }
}

/// The notes of a bundled model.
macro_rules! notes {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/", $name, "/headscope.json"))
    };
}

#[pollster::test]
async fn the_translators_role_scores_are_those_of_its_file() {
    assert_roles(bundled!("en-fr"), notes!("en-fr")).await;
}

#[pollster::test]
async fn role_scores_of_the_models_of_one_stack_are_those_of_their_files() {
    assert_roles(bundled!("tiny-gpt"), notes!("tiny-gpt")).await;
    assert_roles(bundled!("tiny-bert"), notes!("tiny-bert")).await;
}
