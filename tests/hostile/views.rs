//! Questions about what a run does not have, or not yet.

use crate::support::RunHandle;
use headscope::analysis::Lexicon;
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::error::Error;
use headscope::run::Reading;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::reference;
use crate::witness::{Witness, assert_refused, families, good_request, writing};

/// What the door makes of anything that is no index.
const NO_INDEX: usize = usize::MAX;

/// What is being asked, and the refusal.
type Question = (&'static str, Result<Reading<Tensor>, Error>);

/// Every question that can be asked about one head of one layer.
fn questions(run: &RunHandle<Cpu>, stack: &str, layer: usize, head: usize) -> Vec<Question> {
    let now = |tensor: Result<Tensor, Error>| -> Result<Reading<Tensor>, Error> {
        tensor.map(|tensor| -> Reading<Tensor> { Box::pin(async { Ok(tensor) }) })
    };
    let flags = run.fully_masked(stack, layer, head);
    let nothing = || Tensor::new(vec![], &[0], &[]);
    vec![
        ("attention", run.attention((stack, layer, head), "weights", None)),
        ("rows of attention", run.attention((stack, layer, head), "weights", Some(0..1))),
        ("mask", now(run.mask(stack, layer, head))),
        ("projection", run.projection(stack, layer, head, "key", true)),
        ("fully masked", now(flags.and_then(|_| nothing()))),
        ("likeness", now(run.likeness(stack, layer, head, None).and_then(|_| nothing()))),
        ("steps", now(run.steps(stack, layer, head).and_then(|_| nothing()))),
        ("explain", now(run.explain((stack, layer, head), "input", 0, 0).and_then(|_| nothing()))),
        ("spectrum", now(run.spectrum(stack, layer, head).and_then(|_| nothing()))),
    ]
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn nothing_is_answered_before_it_is_computed() {
    let words = ["wait for it"];
    for reference in families() {
        let witness = Witness::new(reference).await;
        let run = witness.begin(&good_request(&witness.session)).unwrap_or_else(|e| panic!("{e}"));
        let stacks = witness.session.info().stacks;
        for (stack, found) in
            [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)]
        {
            if found.is_none() {
                continue;
            }
            for (what, answer) in questions(&run, stack, 0, 0) {
                assert_refused(answer, "run/not-ready", &words, what);
            }
            if stack != "cross" {
                assert_refused(run.hidden(stack, 0), "run/not-ready", &words, "hidden");
            }
            let thumbnails = run.thumbnails(stack, 8, "weights", None);
            assert_refused(thumbnails, "run/not-ready", &words, "thumbnails");
            let measures = run.measures(stack, Lexicon::default());
            assert_refused(measures, "run/not-ready", &words, "measures");
        }
        assert_refused(run.logits(None), "run/not-ready", &words, "logits");
        assert_refused(run.logits(Some(&[0])), "run/not-ready", &words, "logits");
        assert_refused(run.predictions(&[0], 3), "run/not-ready", &words, "predictions");
        assert_refused(run.probabilities(&[0], &[3]), "run/not-ready", &words, "probabilities");
        assert!(run.target_ids().is_empty());
        // Asking too early leaves the run as it was.
        run.finish().await.unwrap();
        run.logits(None).unwrap().await.unwrap();
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn stacks_that_a_model_has_not_are_refused() {
    let code = "selection/bad-stack";
    for (reference, there, absent) in [
        (reference!("bert-tiny"), "encoder", &["decoder", "cross"][..]),
        (reference!("gpt2-tiny"), "decoder", &["encoder", "cross"]),
    ] {
        let witness = Witness::new(reference).await;
        let run = witness.run(&good_request(&witness.session)).await;
        for &stack in absent {
            let words = ["the stack", there, stack];
            for (what, answer) in questions(&run, stack, 0, 0) {
                assert_refused(answer, code, &words, what);
            }
            assert_refused(run.hidden(stack, 0), code, &words, "hidden");
            assert_refused(run.positions(stack), code, &words, "positions");
            assert_refused(run.thumbnails(stack, 8, "weights", None), code, &words, "thumbnails");
            assert_refused(run.measures(stack, Lexicon::default()), code, &words, "measures");
        }
        for stack in ["", "Encoder", "middle", "encoder ", "\u{0}"] {
            let words = ["the stack", "\"encoder\" \"decoder\" \"cross\""];
            for (what, answer) in questions(&run, stack, 0, 0) {
                assert_refused(answer, code, &words, what);
            }
            assert_refused(run.hidden(stack, 0), code, &words, "hidden");
            assert_refused(run.positions(stack), code, &words, "positions");
            assert_refused(run.measures(stack, Lexicon::default()), code, &words, "measures");
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn layers_and_heads_that_do_not_exist_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let run = witness.run(&good_request(&witness.session)).await;
        let stacks = witness.session.info().stacks;
        for (stack, found) in
            [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)]
        {
            let Some(found) = found else { continue };
            let last_layer = format!("a whole number up to {}", found.layers - 1);
            let last_head = format!("a whole number up to {}", found.heads - 1);
            for beyond in [0, 1, 1000, NO_INDEX - 1000] {
                for (what, answer) in questions(&run, stack, found.layers + beyond, 0) {
                    let words = ["the layer", &last_layer];
                    assert_refused(answer, "selection/bad-layer", &words, what);
                }
                for (what, answer) in questions(&run, stack, 0, found.heads + beyond) {
                    let words = ["the head", &last_head];
                    assert_refused(answer, "selection/bad-head", &words, what);
                }
                let code = "selection/bad-layer";
                let picture = run.thumbnails(stack, 8, "raw", Some(found.layers + beyond));
                assert_refused(picture, code, &["the layer", &last_layer], "thumbnails");
                let likeness = run.likeness(stack, 0, 0, Some(found.layers + beyond));
                assert_refused(likeness, code, &["the layer", &last_layer], "likeness");
                // The residual stream has one more: what leaves the last block.
                let hidden = run.hidden(stack, found.layers + 1 + beyond);
                if stack == "cross" {
                    let words = ["encoder or decoder"];
                    assert_refused(hidden, "selection/bad-stack", &words, "a stream of cross");
                } else {
                    let words = ["the layer", &format!("a whole number up to {}", found.layers)];
                    assert_refused(hidden, code, &words, "hidden");
                }
            }
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn stages_parts_and_sizes_that_do_not_exist_are_refused() {
    let code = "selection/bad-stage";
    let witness = Witness::new(reference!("marian-tiny")).await;
    let run = witness.run(&good_request(&witness.session)).await;
    for stage in ["", "Weights", "softmax", "raw\n"] {
        let words = ["the stage", "\"raw\" \"scores\" \"masked\" \"weights\""];
        assert_refused(run.attention(("cross", 0, 0), stage, None), code, &words, stage);
        assert_refused(run.thumbnails("cross", 8, stage, None), code, &words, stage);
    }
    for part in ["", "q", "Query", "context"] {
        let words = ["the part", "\"query\" \"key\" \"value\""];
        assert_refused(run.projection("encoder", 0, 0, part, true), code, &words, part);
    }
    let code = "selection/bad-size";
    for size in [0, 257, 1 << 20, NO_INDEX] {
        let words = ["the size of a thumbnail", "256"];
        let picture = run.thumbnails("encoder", size, "weights", None);
        assert_refused(picture, code, &words, &size.to_string());
    }
    for k in [0, 62, NO_INDEX] {
        let words = ["the number of predictions", "61"];
        assert_refused(run.predictions(&[0], k), code, &words, &k.to_string());
    }
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn positions_outside_the_text_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let mut request = good_request(&witness.session);
        if witness.session.info().stacks.decoder.is_some() {
            request = writing(request, 2.0);
        }
        let run = witness.run(&request).await;
        let n = run.logits(None).unwrap().await.unwrap().shape()[0];
        let words = ["the position", &format!("a whole number up to {}", n - 1)];
        for position in [n, n + 1, 1000, NO_INDEX] {
            let code = "selection/bad-position";
            assert_refused(run.logits(Some(&[0, position])), code, &words, "logits");
            assert_refused(run.predictions(&[position], 3), code, &words, "predictions");
            let asked = run.probabilities(&[0, position], &[3, 3]);
            assert_refused(asked, code, &words, "probabilities");
        }
        // Few tokens, asked for so often that their scores would fill the memory.
        let often = vec![0; 5_000_000];
        let words = ["the positions", "at most"];
        assert_refused(run.logits(Some(&often)), "selection/bad-position", &words, "logits");
        let none = run.logits(Some(&[])).unwrap().await.unwrap();
        assert_eq!(none.shape(), [0, 61]);
        assert!(run.predictions(&[], 3).unwrap().await.unwrap().is_empty());
        assert!(run.probabilities(&[], &[]).unwrap().await.unwrap().is_empty());
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn entries_that_the_vocabulary_has_not_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let run = witness.run(&good_request(&witness.session)).await;
        for id in [61, 62, 1 << 20, NO_INDEX] {
            let words = ["the id", "a whole number up to 60"];
            let asked = run.probabilities(&[0, 0], &[60, id]);
            assert_refused(asked, "input/bad-id", &words, &id.to_string());
        }
        for (positions, ids) in [(&[0, 0][..], &[3][..]), (&[], &[3]), (&[0], &[])] {
            let words = ["the ids", "one for each of"];
            let asked = run.probabilities(positions, ids);
            assert_refused(asked, "selection/bad-size", &words, "lists of different lengths");
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_model_without_an_output_head_says_so() {
    let witness = Witness::new(reference!("bert-plain")).await;
    let run = witness.run(&good_request(&witness.session)).await;
    let words = ["predictions", "a checkpoint with an output head"];
    assert_refused(run.logits(None), "output/unavailable", &words, "logits");
    assert_refused(run.predictions(&[0], 3), "output/unavailable", &words, "predictions");
    let asked = run.probabilities(&[0], &[3]);
    assert_refused(asked, "output/unavailable", &words, "probabilities");
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn rows_that_a_pattern_has_not_are_refused() {
    let witness = Witness::new(reference!("marian-tiny")).await;
    let run = witness.run(&good_request(&witness.session)).await;
    let n = run.attention(("encoder", 0, 0), "raw", None).unwrap().await.unwrap().shape()[0];
    for rows in [0..n + 1, n..n + 1, 2..2, n..1, NO_INDEX - 1..NO_INDEX] {
        let refused = run.attention(("encoder", 0, 0), "raw", Some(rows.clone()));
        let words = ["the rows", "a whole number up to"];
        assert_refused(refused, "selection/bad-position", &words, &format!("{rows:?}"));
    }
    witness.assert_unharmed().await;
}
