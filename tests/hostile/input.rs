//! Requests that no model can take: ids, masks, token types, targets and lengths.

use headscope::run::{GenerateRequest, RunRequest};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::reference;
use crate::witness::{Witness, assert_finite, assert_refused, families, good_request, writing};

/// What a page could send in place of an index.
const NO_INDICES: [f64; 8] =
    [-1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 61.0, 4_294_967_301.0, 1e300];

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn texts_of_no_token_or_too_many_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        let longest = witness.session.info().max_tokens;
        let empty = RunRequest { ids: vec![], ..good.clone() };
        let words = ["at least one token", "type something"];
        assert_refused(witness.begin(&empty), "input/empty", &words, "no ids");
        for n in [longest + 1, 10_000, 1_000_000] {
            let long = RunRequest { ids: vec![5.0; n], ..good.clone() };
            let words =
                [&format!("at most {longest} tokens"), "shorten the text", &format!("{n} tokens")];
            assert_refused(witness.begin(&long), "input/too-long", &words, "too many ids");
        }
        if good.target_ids.is_some() {
            let empty = RunRequest { target_ids: Some(vec![]), ..good.clone() };
            let words = ["the target ids", "at least one token"];
            assert_refused(witness.begin(&empty), "input/empty", &words, "no target ids");
            let long = RunRequest { target_ids: Some(vec![5.0; longest + 1]), ..good.clone() };
            let words = ["the target ids", "at most"];
            assert_refused(witness.begin(&long), "input/too-long", &words, "too many target ids");
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn ids_outside_the_vocabulary_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        for id in NO_INDICES {
            let words = ["the token ids, number 2", "a whole number from 0 to 60"];
            let ids = RunRequest { ids: vec![5.0, 9.0, id], ..good.clone() };
            assert_refused(witness.begin(&ids), "input/bad-id", &words, &format!("id {id}"));
            if good.target_ids.is_some() {
                let words = ["the target ids, number 1", "a whole number from 0 to 60"];
                let target = RunRequest { target_ids: Some(vec![60.0, id]), ..good.clone() };
                let what = format!("target id {id}");
                assert_refused(witness.begin(&target), "input/bad-id", &words, &what);
            }
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn attention_masks_of_another_length_or_other_values_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        let mut masks = vec![vec![], vec![1.0; 3], vec![1.0; 5], vec![1.0; 100_000]];
        let values = NO_INDICES.into_iter().chain([2.0, 0.999_999]);
        masks.extend(values.map(|value| vec![1.0, 0.0, value, 1.0]));
        for mask in masks {
            let what = format!("{:?}", &mask[..mask.len().min(5)]);
            let request = RunRequest { attention_mask: Some(mask), ..good.clone() };
            let words = ["the attention mask", "4 values, each 0 or 1"];
            assert_refused(witness.begin(&request), "input/bad-mask", &words, &what);
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn token_types_that_the_model_has_not_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        let expected = match witness.session.info().token_types {
            0 => "this model has no token types",
            _ => "4 whole numbers below 2",
        };
        let mut all = vec![vec![], vec![0.0; 3], vec![0.0; 5]];
        all.extend(NO_INDICES.into_iter().chain([2.0]).map(|value| vec![0.0, 0.0, value, 0.0]));
        for types in all {
            let what = format!("{}: {types:?}", witness.reference.name);
            let request = RunRequest { token_type_ids: Some(types), ..good.clone() };
            let words = ["the token types", expected];
            assert_refused(witness.begin(&request), "input/bad-token-type", &words, &what);
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn targets_and_continuations_that_a_model_has_not_are_refused() {
    let code = "input/unexpected-target";
    let [marian, bert, gpt2, llama] = families();
    for reference in [bert, gpt2, llama] {
        let witness = Witness::new(reference).await;
        let target = RunRequest { target_ids: Some(vec![1.0]), ..good_request(&witness.session) };
        let words = ["the target", "this model has one stack"];
        assert_refused(witness.begin(&target), code, &words, witness.reference.name);
        if witness.session.info().stacks.decoder.is_none() {
            let writing = writing(good_request(&witness.session), 3.0);
            let words = ["no continuation", "this model has no decoder"];
            assert_refused(witness.begin(&writing), code, &words, witness.reference.name);
        }
        witness.assert_unharmed().await;
    }
    let witness = Witness::new(marian).await;
    let neither = RunRequest { target_ids: None, ..good_request(&witness.session) };
    let words = ["target ids, or a request to generate them", "neither"];
    assert_refused(witness.begin(&neither), code, &words, "neither target nor generate");
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn wishes_for_no_number_of_tokens_are_refused() {
    for reference in [reference!("marian-tiny"), reference!("gpt2-tiny")] {
        let witness = Witness::new(reference).await;
        for n in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300, 4_294_967_296.0] {
            let request = writing(good_request(&witness.session), n);
            let words = ["the number of tokens to write", "a whole number from 0 to"];
            assert_refused(witness.begin(&request), "input/malformed", &words, &n.to_string());
        }
        let none = witness.run(&writing(good_request(&witness.session), 0.0)).await;
        assert_finite(&witness.session, &none, "no new token").await;
        // More than the positions allow: the text ends with them.
        let longest = witness.session.info().max_tokens;
        let most = writing(good_request(&witness.session), 1_000_000.0);
        let run = witness.run(&most).await;
        assert!(run.target_ids().len() <= longest, "{}", run.target_ids().len());
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_full_text_can_be_continued_by_one_token_at_most() {
    let witness = Witness::new(reference!("gpt2-tiny")).await;
    let longest = witness.session.info().max_tokens;
    let full = RunRequest {
        ids: vec![5.0; longest],
        generate: Some(GenerateRequest::default()),
        ..RunRequest::default()
    };
    let run = witness.begin(&full).unwrap_or_else(|error| panic!("{error}"));
    let report = run.finish().await.unwrap();
    assert_eq!((report.generated.len(), run.target_ids().len()), (1, longest));
}

/// Where nothing is real no query may look anywhere: weights of 0, numbers, and a flag.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_of_nothing_but_padding_gives_zeros_and_is_flagged() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        let n = good.ids.len();
        let run = witness.run(&RunRequest { attention_mask: Some(vec![0.0; n]), ..good }).await;
        assert_finite(&witness.session, &run, witness.reference.name).await;
        let stacks = witness.session.info().stacks;
        let blind = [
            ("encoder", stacks.encoder, n),
            ("decoder", stacks.decoder.filter(|_| stacks.encoder.is_none()), n),
            ("cross", stacks.cross, 3),
        ];
        for (name, stack, n_queries) in blind {
            let Some(stack) = stack else { continue };
            let all: Vec<usize> = (0..n_queries).collect();
            for (layer, head) in
                (0..stack.layers).flat_map(|layer| (0..stack.heads).map(move |head| (layer, head)))
            {
                let what = format!("{}: {name} {layer} {head}", witness.reference.name);
                let weights =
                    run.attention((name, layer, head), "weights", None).unwrap().await.unwrap();
                let mask = run.mask(name, layer, head).unwrap().into_data();
                assert_eq!(run.fully_masked(name, layer, head).unwrap(), all, "{what}");
                assert_eq!(weights.into_data(), vec![0.0; n_queries * n], "{what}");
                assert_eq!(mask, vec![f32::NEG_INFINITY; n_queries * n], "{what}");
            }
        }
        witness.assert_unharmed().await;
    }
}
