//! The role scores in the bundled models' `headscope.json`, which Python took from Hugging
//! Face's weights, are those that the core takes from its own on the very same sentences.
//! The two were written apart from each other, from `docs/roles.md`.

use crate::support;

use crate::support::Session;
use headscope::analysis::{Lexicon, Role};
use headscope::backend::Cpu;
use headscope::run::{HeadMeasures, HeadTally};
use serde_json::Value;
use support::{Reference, finished, numbers, request};
use wasm_bindgen_test::wasm_bindgen_test;

/// Means of weights that differ by rounding, themselves rounded to six decimals.
const TOLERANCE: f64 = 2e-6;

/// A role of the strongest key can turn on a tie within rounding: one query's worth, of the
/// two thousand or more in three hundred sentences.
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
            let tallies = run.tallies(stack, lexicon.clone()).unwrap().await.unwrap();
            if all.is_empty() {
                *all = tallies;
            } else {
                all.iter_mut().zip(&tallies).for_each(|(all, one)| all.merge(one));
            }
        }
    }
    all.iter().map(|heads| heads.iter().map(HeadTally::measures).collect()).collect()
}

async fn are_those_of_the_file(reference: Reference, notes: &str) {
    let session = reference.load(Cpu);
    let notes: Value = serde_json::from_str(notes).expect("headscope.json is JSON");
    let texts = &reference.described()["roles"];
    assert_eq!(texts["sentences"].as_array().unwrap().len(), SENTENCES);
    assert_eq!(texts["repeated"].as_array().unwrap().len(), REPEATED);
    let special = support::indices(&texts["special"]).into_iter().map(|id| id as u32);
    let lexicon =
        Lexicon { special: special.collect(), unigrams: Some(numbers(&notes["unigrams"])) };
    let there = session.info().stacks;
    let sizes = [there.encoder, there.decoder, there.cross];
    let named = ["encoder", "decoder", "cross"].into_iter().zip(sizes);
    let (stacks, sizes): (Vec<&str>, Vec<_>) =
        named.filter_map(|(stack, size)| Some((stack, size?))).unzip();
    assert_eq!(notes["roles"].as_object().unwrap().len(), stacks.len(), "{}", reference.name);
    let sentences = pooled(&session, &stacks, &texts["sentences"], &lexicon).await;
    let repeated = pooled(&session, &stacks, &texts["repeated"], &lexicon).await;
    for (at, (stack, size)) in stacks.iter().zip(sizes).enumerate() {
        let file = &notes["roles"][stack];
        assert_eq!(sentences[at].len(), size.layers * size.heads);
        for (plain, repeated) in sentences[at].iter().zip(&repeated[at]) {
            let of_file = &file[plain.layer][plain.head];
            assert_eq!(of_file.as_object().unwrap().len(), Role::ALL.len());
            for role in Role::ALL {
                let own = if role == Role::Induction { repeated } else { plain };
                let what = format!(
                    "{}: {stack} {}.{} {}",
                    reference.name,
                    plain.layer,
                    plain.head,
                    role.name()
                );
                compare(own.roles.of(role), &of_file[role.name()], role, &what);
            }
        }
    }
}

fn compare(own: Option<f64>, of_file: &Value, role: Role, what: &str) {
    let strongest = matches!(role, Role::Rare | Role::Positional);
    let tolerance = if strongest { STRONGEST } else { TOLERANCE };
    match (own, of_file.as_f64()) {
        (Some(own), Some(of_file)) => {
            assert!((own - of_file).abs() <= tolerance, "{what}: {own}, in the file {of_file}");
        }
        (own, _) => assert!(own.is_none() && of_file.is_null(), "{what}: {own:?}, not {of_file}"),
    }
}

/// The notes of a bundled model.
macro_rules! notes {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/", $name, "/headscope.json"))
    };
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_translators_scores_are_those_of_its_file() {
    are_those_of_the_file(bundled!("en-fr"), notes!("en-fr")).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_writers_scores_are_those_of_its_file() {
    are_those_of_the_file(bundled!("tiny-gpt"), notes!("tiny-gpt")).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_readers_scores_are_those_of_its_file() {
    are_those_of_the_file(bundled!("tiny-bert"), notes!("tiny-bert")).await;
}
