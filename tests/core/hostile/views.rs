//! Queries of what a run does not have, or not yet.

use headscope::analysis::Lexicon;
use headscope::backend::Cpu;
use headscope::error::Error;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use super::reference_model::{
    ReferenceModel, assert_refused, good_request, reference_models, writing,
};
use crate::support::{RunHandle, stacks_of};

/// What the wasm API makes of anything that is no index.
const NO_INDEX: usize = usize::MAX;

/// A query and what it says.
type Asked = (&'static str, Result<(), Error>);

/// Every query of one head of one layer.
fn of_head(run: &RunHandle<Cpu>, stack: &str, layer: usize, head: usize) -> Vec<Asked> {
    let at = (stack, layer, head);
    vec![
        ("attention", run.attention(at, "weights", None).map(drop)),
        ("rows of attention", run.attention(at, "weights", Some(0..1)).map(drop)),
        ("mask", run.mask(stack, layer, head).map(drop)),
        ("projection", run.projection(stack, layer, head, "key", true).map(drop)),
        ("fully masked", run.fully_masked(stack, layer, head).map(drop)),
        ("head_divergences", run.head_divergences(stack, layer, head, None).map(drop)),
        ("steps", run.steps(stack, layer, head).map(drop)),
        ("explain", run.explain(at, "input", 0, 0).map(drop)),
        ("spectrum", run.spectrum(stack, layer, head).map(drop)),
    ]
}

/// Every query of a whole stack.
fn of_stack(run: &RunHandle<Cpu>, stack: &str) -> Vec<Asked> {
    vec![
        ("thumbnails", run.thumbnails(stack, 8, "weights", None).map(drop)),
        ("measures", run.measures(stack, Lexicon::default()).map(drop)),
    ]
}

/// Every query of a residual stream.
fn of_stream(run: &RunHandle<Cpu>, stack: &str) -> Vec<Asked> {
    vec![("hidden", run.hidden(stack, 0).map(drop)), ("positions", run.positions(stack).map(drop))]
}

/// Every query of some positions of the output.
fn of_output(run: &RunHandle<Cpu>, position: usize) -> Vec<Asked> {
    vec![
        ("logits", run.logits(Some(&[0, position])).map(drop)),
        ("predictions", run.predictions(&[position], 3).map(drop)),
        ("probabilities", run.probabilities(&[0, position], &[3, 3]).map(drop)),
    ]
}

#[track_caller]
fn all_refused(asked: Vec<Asked>, code: &str, words: &[&str]) {
    for (what, answer) in asked {
        assert_refused(answer, code, words, what);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn nothing_is_answered_before_it_is_computed() {
    let code = "run/not-ready";
    let words = ["wait for it"];
    for model in reference_models().await {
        let run = model.begin(&good_request(&model.session)).unwrap_or_else(|e| panic!("{e}"));
        for (stack, ..) in stacks_of(&model.session) {
            all_refused(of_head(&run, stack, 0, 0), code, &words);
            all_refused(of_stack(&run, stack), code, &words);
            if stack != "cross" {
                assert_refused(run.hidden(stack, 0), code, &words, "hidden");
            }
        }
        all_refused(of_output(&run, 0), code, &words);
        assert_refused(run.logits(None), code, &words, "logits");
        assert!(run.target_ids().is_empty());
        // A query too early leaves the run as it was.
        run.finish().await.unwrap();
        run.logits(None).unwrap().await.unwrap();
        model.assert_still_runs().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn stacks_that_a_model_has_not_are_refused() {
    for (reference, there, absent) in [
        (reference!("bert-tiny"), "encoder", ["decoder", "cross"]),
        (reference!("gpt2-tiny"), "decoder", ["encoder", "cross"]),
    ] {
        let model = ReferenceModel::new(reference).await;
        let run = model.run(&good_request(&model.session)).await;
        let unknown = ["", "Encoder", "middle", "encoder ", "\u{0}"];
        for stack in absent.into_iter().chain(unknown) {
            let is_stack = absent.contains(&stack);
            let words =
                if is_stack { [there, stack] } else { ["\"encoder\" \"decoder\" \"cross\"", ""] };
            for asked in [of_head(&run, stack, 0, 0), of_stack(&run, stack), of_stream(&run, stack)]
            {
                all_refused(asked, "selection/bad-stack", &["the stack", words[0], words[1]]);
            }
        }
        model.assert_still_runs().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn layers_and_heads_that_do_not_exist_are_refused() {
    for model in reference_models().await {
        let run = model.run(&good_request(&model.session)).await;
        for (stack, layers, heads) in stacks_of(&model.session) {
            let last_layer = format!("a whole number up to {}", layers - 1);
            let last_head = format!("a whole number up to {}", heads - 1);
            for beyond in [0, 1, 1000, NO_INDEX - 1000] {
                let code = "selection/bad-layer";
                let words = ["the layer", &*last_layer];
                all_refused(of_head(&run, stack, layers + beyond, 0), code, &words);
                let picture = run.thumbnails(stack, 8, "raw", Some(layers + beyond));
                assert_refused(picture, code, &words, "thumbnails");
                let divergences = run.head_divergences(stack, 0, 0, Some(layers + beyond));
                assert_refused(divergences, code, &words, "head_divergences");
                let asked = of_head(&run, stack, 0, heads + beyond);
                all_refused(asked, "selection/bad-head", &["the head", &last_head]);
                // The residual stream has one more: what leaves the last block.
                let hidden = run.hidden(stack, layers + 1 + beyond);
                if stack == "cross" {
                    let words = ["encoder or decoder"];
                    assert_refused(hidden, "selection/bad-stack", &words, "a stream of cross");
                } else {
                    let words = ["the layer", &format!("a whole number up to {layers}")];
                    assert_refused(hidden, code, &words, "hidden");
                }
            }
        }
        model.assert_still_runs().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn stages_parts_sizes_and_rows_that_do_not_exist_are_refused() {
    let model = ReferenceModel::new(reference!("marian-tiny")).await;
    let run = model.run(&good_request(&model.session)).await;
    for stage in ["", "Weights", "softmax", "raw\n"] {
        let words = ["the stage", "\"raw\" \"scores\" \"masked\" \"weights\""];
        let code = "selection/bad-stage";
        assert_refused(run.attention(("cross", 0, 0), stage, None), code, &words, stage);
        assert_refused(run.thumbnails("cross", 8, stage, None), code, &words, stage);
    }
    for part in ["", "q", "Query", "context"] {
        let words = ["the part", "\"query\" \"key\" \"value\""];
        let asked = run.projection("encoder", 0, 0, part, true);
        assert_refused(asked, "selection/bad-stage", &words, part);
    }
    for (at, code, words) in [
        (json!({"step": "soft"}), "selection/bad-stage", ["the step", "\"weights\""]),
        (json!({"step": "memory"}), "selection/bad-stage", ["the step", "weights, context"]),
        (json!({"step": "weights"}), "selection/bad-head", ["the head of the step weights", "one"]),
        (
            json!({"step": "sum", "head": 0}),
            "selection/bad-head",
            ["the head of the step sum", "none"],
        ),
        (json!({"step": "query", "head": 9}), "selection/bad-head", ["the head", "up to"]),
        (json!({"step": "sum", "layer": 9}), "selection/bad-layer", ["the layer", "up to"]),
        (json!({"step": "sum", "stack": "side"}), "selection/bad-stack", ["the stack", "cross"]),
        (
            json!({"step": "sum", "positions": [1, 4]}),
            "selection/bad-position",
            ["the position", "a whole number up to 3"],
        ),
        (
            json!({"step": "sum", "positions": 2}),
            "selection/bad-position",
            ["the positions", "a list"],
        ),
        (json!({}), "selection/bad-stage", ["the step", "nothing"]),
        (json!({"step": "sum", "part": "query"}), "input/malformed", ["unknown field `part`", ""]),
    ] {
        let mut sent = json!({"stack": "encoder", "layer": 0});
        sent.as_object_mut().unwrap().extend(at.as_object().unwrap().clone());
        assert_refused(run.activation(&sent).map(drop), code, &words, &sent.to_string());
    }
    for (step, row, column, code) in [
        ("unknown", 0, 0, "selection/bad-stage"),
        ("memory", 0, 0, "selection/bad-stage"),
        ("weights", 4, 0, "selection/bad-position"),
        ("weights", NO_INDEX, 0, "selection/bad-position"),
        ("weights", 0, 4, "selection/bad-position"),
    ] {
        let refused = run.explain(("encoder", 0, 0), step, row, column).err();
        assert_eq!(refused.map(|error| error.code.as_str()), Some(code), "{step}");
    }
    let size = "selection/bad-size";
    for n in [0, 257, 1 << 20, NO_INDEX] {
        let words = ["the size of a thumbnail", "256"];
        assert_refused(run.thumbnails("encoder", n, "weights", None), size, &words, "thumbnails");
    }
    for k in [0, 62, NO_INDEX] {
        let words = ["the number of predictions", "61"];
        assert_refused(run.predictions(&[0], k), size, &words, "predictions");
    }
    for lengths in [&[][..], &[0], &[100_001], &[10; 65]] {
        assert_refused(run.cost("encoder", 0, lengths), size, &[], "costs");
    }
    assert_refused(run.cost("encoder", 99, &[10]), "selection/bad-layer", &[], "costs");
    let n = run.target_ids().len() + 1;
    for rows in [0..n + 1, n..n + 1, 2..2, n..1, NO_INDEX - 1..NO_INDEX] {
        let refused = run.attention(("encoder", 0, 0), "raw", Some(rows));
        let words = ["the rows", "a whole number up to"];
        assert_refused(refused, "selection/bad-position", &words, "rows");
    }
    model.assert_still_runs().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn positions_and_entries_outside_the_text_and_the_vocabulary_are_refused() {
    for model in reference_models().await {
        let mut request = good_request(&model.session);
        if model.session.info().stacks.decoder.is_some() {
            request = writing(request, 2.0);
        }
        let run = model.run(&request).await;
        let n = run.logits(None).unwrap().await.unwrap().shape()[0];
        let code = "selection/bad-position";
        let words = ["the position", &*format!("a whole number up to {}", n - 1)];
        for position in [n, n + 1, 1000, NO_INDEX] {
            all_refused(of_output(&run, position), code, &words);
        }
        // Few tokens, asked for so often that their scores would fill the memory.
        let often = vec![0; 5_000_000];
        assert_refused(run.logits(Some(&often)), code, &["the positions", "at most"], "logits");
        for id in [61, 62, 1 << 20, NO_INDEX] {
            let words = ["the id", "a whole number up to 60"];
            assert_refused(run.probabilities(&[0, 0], &[60, id]), "input/bad-id", &words, "an id");
        }
        for (positions, ids) in [(&[0, 0][..], &[3][..]), (&[], &[3]), (&[0], &[])] {
            let words = ["the ids", "one for each of"];
            assert_refused(run.probabilities(positions, ids), "selection/bad-size", &words, "ids");
        }
        let none = run.logits(Some(&[])).unwrap().await.unwrap();
        assert_eq!(none.shape(), [0, 61]);
        assert!(run.predictions(&[], 3).unwrap().await.unwrap().is_empty());
        assert!(run.probabilities(&[], &[]).unwrap().await.unwrap().is_empty());
        model.assert_still_runs().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_model_without_an_output_head_says_so() {
    let model = ReferenceModel::new(reference!("bert-plain")).await;
    let run = model.run(&good_request(&model.session)).await;
    let words = ["predictions", "a checkpoint with an output head"];
    all_refused(of_output(&run, 0), "output/unavailable", &words);
    model.assert_still_runs().await;
}
