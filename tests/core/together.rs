//! Edits of positions, kinds of attention, masks and heads in one request: what is taken over
//! from an earlier run, or written token by token, equals a fresh run to the bit; the counters
//! say what was computed; the oracle computes the same; what cannot go together, or would not
//! fit, is refused with its code.

use crate::support;

use crate::support::RunHandle;
use headscope::backend::{Cpu, Oracle};
use serde_json::json;
use support::cases::{IDS, assert_same, reading, sent, writing, written_ids};
use support::mixtures::{mixtures, mixtures_on};
use support::{families, finished};
use wasm_bindgen_test::wasm_bindgen_test;

/// A text that grows and shrinks equals what is computed anew, and asked again costs nothing.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn rows_that_are_kept_are_those_of_a_fresh_run() {
    for reference in families() {
        let session = reference.load(Cpu);
        let mut reused = 0;
        for edits in mixtures() {
            let mut earlier = None;
            for n in [5, 6, 4] {
                let request = sent(&IDS[..n], &session, &edits);
                let run = finished(&session, &request, earlier.as_ref()).await;
                let fresh = finished(&session, &request, None).await;
                let what = format!("{}: {edits} at {n}", reference.name);
                assert_same(&session, &run, &fresh, &what).await;
                let [few, all] = [&run, &fresh].map(RunHandle::executed);
                assert!(few.blocks <= all.blocks && all.reused_tokens == 0, "{what}");
                reused += few.reused_tokens;
                let again = finished(&session, &request, Some(&run)).await;
                assert_eq!(again.executed().blocks, 0, "{what}, again");
                earlier = Some(run);
            }
        }
        // Rows of an encoder look at all others; a decoder's stay.
        assert!(reused > 0 || session.info().stacks.encoder.is_some(), "{}", reference.name);
    }
}

/// One head more, in the second block: the first is taken over, and all equals a full run.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_edit_more_reruns_only_what_it_can_change() {
    for reference in families() {
        let session = reference.load(Cpu);
        for edits in mixtures() {
            let mut more = edits.clone();
            let gate = json!({"layers": [1], "heads": [0], "gate": 0.5});
            match more["heads"].as_array_mut() {
                Some(heads) => heads.push(gate),
                None => more["heads"] = json!([gate]),
            }
            let [before, after] = [&edits, &more].map(|edits| sent(&IDS, &session, edits));
            let plain = finished(&session, &before, None).await;
            let partial = finished(&session, &after, Some(&plain)).await;
            let full = finished(&session, &after, None).await;
            let what = format!("{}: {more}", reference.name);
            assert_same(&session, &partial, &full, &what).await;
            let [few, all] = [&partial, &full].map(RunHandle::executed);
            assert!((1..all.blocks).contains(&few.blocks), "{what}: {few:?} of {all:?}");
            assert_eq!(few.blocks + few.reused_blocks, all.blocks, "{what}");
            let back = finished(&session, &before, Some(&partial)).await;
            assert_same(&session, &back, &plain, &format!("{what}, taken back")).await;
        }
    }
}

/// What is written token by token is what is read at once.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_written_text_is_the_one_that_is_read() {
    for reference in families() {
        let session = reference.load(Cpu);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        for mut edits in mixtures() {
            // A written text begins with one token, of which no order moves three.
            edits["positions"][0].as_object_mut().unwrap().remove("order");
            let request = writing(sent(&IDS[..4], &session, &edits), 6.0);
            let written = finished(&session, &request, None).await;
            let again = finished(&session, &request, Some(&written)).await;
            assert_eq!(again.executed().blocks, 0, "{edits}");
            let at_once = reading(request, &session, &written_ids(&written));
            let whole = finished(&session, &at_once, None).await;
            let what = format!("{}: {edits}", reference.name);
            assert_same(&session, &written, &whole, &what).await;
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_oracle_computes_the_same() {
    mixtures_on(Oracle).await;
}

/// Relative positions join scores; a kind that never holds them is refused, also where it is
/// one head of one layer, and also when it was fine before.
#[wasm_bindgen_test(unsupported = test)]
fn what_cannot_go_together_is_refused_with_its_code() {
    for reference in families() {
        let session = reference.load(Cpu);
        for scheme in ["alibi", "t5", "transformer-xl"] {
            for kind in ["linear", "performer", "chunked", "sliding", "blocks"] {
                let edits = json!({
                    "positions": [{"scheme": scheme}],
                    "attention": [{"layers": [1], "heads": [1], "kind": kind}],
                });
                let refused = session.begin(&sent(&IDS, &session, &edits), None).err().unwrap();
                assert_eq!(refused.code.as_str(), "edit/contradiction", "{edits}");
            }
        }
    }
}

/// Tables of positions count as memory, and are not made for a text that is refused: the
/// longest text that fits without any is too long with Transformer-XL's rows of all distances.
#[wasm_bindgen_test(unsupported = test)]
fn tables_of_positions_and_features_of_keys_count_as_memory() {
    let session = reference!("bert-tiny").load(Cpu);
    let code = |n: usize, scheme: &str| {
        let edits = json!({"positions": [{"scheme": scheme}]});
        let begun = session.begin(&sent(&vec![5.0; n], &session, &edits), None);
        begun.err().map(|error| error.code.as_str())
    };
    let (mut fits, mut too_long) = (1, 16_384);
    assert_eq!([code(fits, "none"), code(too_long, "none")], [None, Some("input/too-long")]);
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        if code(middle, "none").is_none() { fits = middle } else { too_long = middle }
    }
    let kind = |n: usize, features: usize| {
        let performer = json!({"kind": "performer", "parameters": {"features": features}});
        let edits = json!({"positions": [{"scheme": "none"}], "attention": [performer]});
        let begun = session.begin(&sent(&vec![5.0; n], &session, &edits), None);
        begun.err().map(|error| error.code.as_str())
    };
    assert_eq!([kind(fits, 1024), kind(fits / 2, 1024)], [Some("input/too-long"), None]);
    for scheme in ["sinusoidal", "transformer-xl"] {
        assert_eq!(code(fits, scheme), Some("input/too-long"), "{scheme} at {fits}");
        assert_eq!(code(fits / 2, scheme), None, "{scheme} at {}", fits / 2);
    }
}

/// What a head costs can be read under any mixture, and what is too much has a code.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn costs_are_read_under_any_mixture() {
    let session = reference!("bert-tiny").load(Cpu);
    for edits in mixtures() {
        let run = finished(&session, &sent(&IDS, &session, &edits), None).await;
        for head in 0..2 {
            let cost = run.head_cost("encoder", 1, head).unwrap().await.unwrap();
            assert!(cost.operations > 0 && cost.exact_operations > 0, "{edits}: {cost:?}");
            let mean = run.dropout_mean("encoder", 1, head, 3).unwrap().await.unwrap();
            assert_eq!([mean.mean.len(), mean.kept.len()], [36, 36], "{edits}");
        }
    }
}
