//! Requests that no model can take: ids, masks, token types, targets and lengths.

use headscope::run::{GenerateRequest, RunRequest};
use wasm_bindgen_test::wasm_bindgen_test;

use super::reference_model::{
    ReferenceModel, assert_finite, assert_refused, good_request, reference_models, writing,
};
use crate::support::{heads_of, pattern};

/// What a page could send in place of an index.
const NO_INDICES: [f64; 8] =
    [-1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 61.0, 4_294_967_301.0, 1e300];

/// Bad requests for a model: the request, the code, and the words of the sentence.
fn bad_requests(model: &ReferenceModel) -> Vec<(RunRequest, &'static str, Vec<String>)> {
    let info = model.session.info();
    let good = good_request(&model.session);
    let longest = info.max_tokens;
    let mut all = Vec::new();
    let mut add = |request: RunRequest, code, words: &[&str]| {
        all.push((request, code, words.iter().map(|&word| word.to_owned()).collect()));
    };
    let ids = |ids: Vec<f64>| RunRequest { ids, ..good.clone() };
    let target = |ids: Vec<f64>| RunRequest { target_ids: Some(ids), ..good.clone() };
    add(ids(vec![]), "input/empty", &["at least one token", "type something"]);
    for n in [longest + 1, 10_000, 1_000_000] {
        let words =
            [&*format!("at most {longest} tokens"), "shorten the text", &format!("{n} tokens")];
        add(ids(vec![5.0; n]), "input/too-long", &words);
    }
    for id in NO_INDICES {
        let words = ["the token ids, number 2", "a whole number from 0 to 60"];
        add(ids(vec![5.0, 9.0, id]), "input/bad-id", &words);
    }
    if good.target_ids.is_some() {
        add(target(vec![]), "input/empty", &["the target ids", "at least one token"]);
        add(target(vec![5.0; longest + 1]), "input/too-long", &["the target ids", "at most"]);
        for id in NO_INDICES {
            let words = ["the target ids, number 1", "a whole number from 0 to 60"];
            add(target(vec![60.0, id]), "input/bad-id", &words);
        }
        let neither = RunRequest { target_ids: None, ..good.clone() };
        add(neither, "input/unexpected-target", &["neither"]);
    } else {
        add(target(vec![1.0]), "input/unexpected-target", &["this model has one stack"]);
    }
    let mut masks = vec![vec![], vec![1.0; 3], vec![1.0; 5], vec![1.0; 100_000]];
    masks.extend(NO_INDICES.into_iter().chain([2.0, 0.999_999]).map(|x| vec![1.0, 0.0, x, 1.0]));
    for mask in masks {
        let request = RunRequest { attention_mask: Some(mask), ..good.clone() };
        add(request, "input/bad-mask", &["the attention mask", "4 values, each 0 or 1"]);
    }
    let expected = match info.token_types {
        0 => "this model has no token types",
        _ => "4 whole numbers below 2",
    };
    let mut types = vec![vec![], vec![0.0; 3], vec![0.0; 5]];
    types.extend(NO_INDICES.into_iter().chain([2.0]).map(|value| vec![0.0, 0.0, value, 0.0]));
    for types in types {
        let request = RunRequest { token_type_ids: Some(types), ..good.clone() };
        add(request, "input/bad-token-type", &["the token types", expected]);
    }
    if info.stacks.decoder.is_none() {
        let words = ["no continuation", "this model has no decoder"];
        add(writing(good.clone(), 3.0), "input/unexpected-target", &words);
    } else {
        for n in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300, 4_294_967_296.0] {
            let words = ["`max_new_tokens` of the continuation", "a whole number from 0 to"];
            add(writing(good.clone(), n), "input/out-of-range", &words);
        }
    }
    all
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn bad_requests_are_refused_with_their_code() {
    for model in reference_models().await {
        for (request, code, words) in bad_requests(&model) {
            let words: Vec<&str> = words.iter().map(|word| &**word).collect();
            assert_refused(model.begin(&request), code, &words, model.reference.name);
        }
        model.assert_still_runs().await;
    }
}

/// A text ends with the positions; a full one is continued by one token at most.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_written_text_ends_with_the_positions() {
    for reference in [reference!("marian-tiny"), reference!("gpt2-tiny")] {
        let model = ReferenceModel::new(reference).await;
        let good = good_request(&model.session);
        let none = model.run(&writing(good.clone(), 0.0)).await;
        assert_finite(&model.session, &none, "no new token").await;
        let longest = model.session.info().max_tokens;
        let run = model.run(&writing(good.clone(), 1_000_000.0)).await;
        assert!(run.target_ids().len() <= longest, "{}", run.target_ids().len());
        if good.target_ids.is_none() {
            let generate = Some(GenerateRequest::default());
            let full = RunRequest { ids: vec![5.0; longest], generate, ..RunRequest::default() };
            let run = model.begin(&full).unwrap_or_else(|error| panic!("{error}"));
            let report = run.finish().await.unwrap();
            assert_eq!((report.generated.len(), run.target_ids().len()), (1, longest));
        }
        model.assert_still_runs().await;
    }
}

/// Where nothing is real no query attends to any key: weights of 0, numbers, and a flag.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_of_nothing_but_padding_gives_zeros_and_is_flagged() {
    for model in reference_models().await {
        let good = good_request(&model.session);
        let n = good.ids.len();
        let is_translator = good.target_ids.is_some();
        let run = model.run(&RunRequest { attention_mask: Some(vec![0.0; n]), ..good }).await;
        assert_finite(&model.session, &run, model.reference.name).await;
        // A translation has no padding of its own.
        for at in heads_of(&model.session) {
            if is_translator && at.0 == "decoder" {
                continue;
            }
            let what = format!("{}: {at:?}", model.reference.name);
            let weights = pattern(&run, at, "weights").await;
            let n_queries = weights.shape()[0];
            let all: Vec<usize> = (0..n_queries).collect();
            let mask = run.mask(at.0, at.1, at.2).unwrap().into_data();
            assert_eq!(run.fully_masked(at.0, at.1, at.2).unwrap(), all, "{what}");
            assert_eq!(weights.into_data(), vec![0.0; n_queries * n], "{what}");
            assert_eq!(mask, vec![f32::NEG_INFINITY; n_queries * n], "{what}");
        }
        model.assert_still_runs().await;
    }
}
