//! Schemes of positions without a model: what the laboratories answer is what PyTorch computes.

use headscope::demos::absolute::{RotaryAsked, rotary};
use headscope::demos::relative::{AlibiAsked, alibi};
use headscope::demos::relative::{BucketsAsked, buckets};
use headscope::demos::relative::{FourTermsAsked, four_terms};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

const REFERENCE: &str = include_str!("../reference/schemes.json");
const TOLERANCE: f64 = 1e-5;

/// The cases of a scheme: what was asked and what PyTorch says.
fn cases<Asked: DeserializeOwned>(scheme: &str) -> Vec<(Asked, Value)> {
    let all: Value = serde_json::from_str(REFERENCE).unwrap();
    let cases = all[scheme].as_array().unwrap();
    assert!(cases.len() >= 3, "{scheme}");
    let case =
        |case: &Value| (serde_json::from_value(case["asked"].clone()).unwrap(), case.clone());
    cases.iter().map(case).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn close<Got: Copy + Into<f64>>(got: &[Got], want: &[f64], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (&got, &want)) in got.iter().zip(want).enumerate() {
        let got = got.into();
        assert!((got - want).abs() <= TOLERANCE, "{what}[{at}]: {got} instead of {want}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn vectors_are_turned_as_in_pytorch() {
    for (asked, want) in cases::<RotaryAsked>("rotary") {
        let got = rotary(&asked).unwrap();
        close(&got.speeds, &numbers(&want["speeds"]), "speeds");
        close(&got.here.query, &numbers(&want["query"]), "query");
        close(&got.here.key, &numbers(&want["key"]), "key");
        let scores = [got.here.score, got.shifted.score];
        close(&scores, &[&want["score"], &want["shifted"]].map(|x| x.as_f64().unwrap()), "score");
        let reach = got.scores.len() as f64 / 2.0 - 0.5;
        let places = numbers(&want["distances"]);
        #[expect(clippy::cast_sign_loss, reason = "distances are within the reach")]
        let at = places.iter().map(|distance| got.scores[(reach + distance) as usize]);
        close(&at.collect::<Vec<f64>>(), &numbers(&want["scores"]), "scores by distance");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn slopes_are_those_of_the_papers_code() {
    for (asked, want) in cases::<AlibiAsked>("alibi") {
        let got = alibi(&asked).unwrap();
        close(&got.slopes, &numbers(&want["slopes"]), "slopes");
        close(&got.biases, &numbers(&want["biases"]), "biases");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn buckets_are_those_of_t5() {
    for (asked, want) in cases::<BucketsAsked>("buckets") {
        let got = buckets(&asked).unwrap();
        let matrix: Vec<f64> = got.matrix.iter().map(|&bucket| bucket as f64).collect();
        close(&matrix, &numbers(&want["matrix"]), "buckets of pairs");
        close(&got.bias, &numbers(&want["bias"]), "bias");
        let reach = want["reach"].as_i64().unwrap();
        let along = numbers(&want["along"]);
        let mut at = 0;
        assert_eq!(along.len(), 2 * usize::try_from(reach).unwrap() + 1);
        for (distance, &bucket) in (-reach..=reach).zip(&along) {
            while got.borders.get(at + 1).is_some_and(|next| i64::from(next.distance) <= distance) {
                at += 1;
            }
            assert_eq!(got.borders[at].bucket as f64, bucket, "{asked:?} at {distance}");
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_four_terms_are_those_of_the_paper() {
    for (asked, want) in cases::<FourTermsAsked>("fourTerms") {
        let got = four_terms(&asked).unwrap();
        let terms = want["terms"].as_array().unwrap();
        assert_eq!([got.terms.len(), terms.len()], [4, 4]);
        for (term, want) in got.terms.iter().zip(terms) {
            close(term, &numbers(want), "a term");
        }
        close(&got.scores, &numbers(&want["scores"]), "scores");
    }
}
