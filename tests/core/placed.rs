//! Edits of positions: every scheme, order and mixture computes what the same edit in PyTorch
//! computes; what says nothing new changes no bit; only what can change is computed again; what
//! is written token by token is what is read at once; hostile edits are refused with a code.

use crate::support;

use crate::support::Session;
use headscope::backend::{Cpu, Oracle};
use headscope::run::RunRequest;
use serde_json::{Value, json};
use support::cases::{self, IDS, assert_same, reading, writing, written_ids};
use support::parity::placed_on;
use support::{assert_exact, finished, placed};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_cpu_computes_what_pytorch_computes() {
    placed_on(Cpu, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_oracle_computes_what_pytorch_computes() {
    placed_on(Oracle, assert_exact).await;
}

fn sent(ids: &[f64], session: &Session<Cpu>, positions: &Value) -> RunRequest {
    cases::sent(ids, session, &json!({ "positions": positions }))
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_says_nothing_new_is_bit_identical_and_reruns_nothing() {
    for reference in placed() {
        let session = reference.load(Cpu);
        let own = match reference.name {
            "marian-tiny" => "sinusoidal",
            "llama-tiny" => "rotary",
            _ => "learned",
        };
        let nothing = [
            json!([]),
            json!([{}]),
            json!([{"scheme": "model"}]),
            json!([{"scheme": own}]),
            json!([{"scheme": "none"}, {"scheme": "model"}]),
            json!([{"order": [0, 1, 2]}]),
            json!([{"order": [2, 0, 1]}, {"order": []}]),
        ];
        let plain = finished(&session, &sent(&IDS, &session, &json!([])), None).await;
        for edits in nothing {
            let request = sent(&IDS, &session, &edits);
            assert_same(&session, &finished(&session, &request, None).await, &plain, own).await;
            let again = finished(&session, &request, Some(&plain)).await;
            assert_same(&session, &again, &plain, own).await;
            assert_eq!(again.executed().blocks, 0, "{edits}");
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_the_stacks_that_can_change_rerun_and_equal_a_full_run() {
    let session = reference!("marian-tiny").load(Cpu);
    let plain = finished(&session, &sent(&IDS, &session, &json!([])), None).await;
    for (edit, blocks) in [
        (json!({"stack": "decoder", "scheme": "alibi"}), 2),
        (json!({"stack": "decoder", "order": [1, 0]}), 2),
        (json!({"stack": "encoder", "scheme": "rotary"}), 5),
        (json!({"scheme": "none"}), 5),
    ] {
        let request = sent(&IDS, &session, &json!([edit]));
        let partial = finished(&session, &request, Some(&plain)).await;
        assert_eq!(partial.executed().blocks, blocks, "{edit}");
        let full = finished(&session, &request, None).await;
        assert_same(&session, &partial, &full, &edit.to_string()).await;
        let back = finished(&session, &sent(&IDS, &session, &json!([])), Some(&partial)).await;
        assert_eq!(back.executed().blocks, blocks, "{edit}");
        assert_same(&session, &back, &plain, "taken back").await;
    }
}

fn every_scheme() -> [Value; 8] {
    [
        json!({"scheme": "none"}),
        json!({"scheme": "sinusoidal", "parameters": {"base": 7, "interleaved": true}}),
        json!({"scheme": "learned", "parameters": {"seed": 3}}),
        json!({"scheme": "rotary", "parameters": {"base": 11}}),
        json!({"scheme": "alibi"}),
        json!({"scheme": "t5"}),
        json!({"scheme": "transformer-xl"}),
        json!({"scheme": "alibi", "order": [2, 0, 3, 1]}),
    ]
}

/// A text that grows and shrinks, and one that the model writes, equal what is computed anew.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn rows_that_are_kept_are_those_of_a_fresh_run() {
    for reference in placed() {
        let session = reference.load(Cpu);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        let is_translator = session.info().stacks.cross.is_some();
        for scheme in every_scheme() {
            let edits = json!([scheme]);
            let mut earlier = None;
            for n in [5, 6, 4] {
                let request = sent(&IDS[..n], &session, &edits);
                let run = finished(&session, &request, earlier.as_ref()).await;
                let fresh = finished(&session, &request, None).await;
                assert_same(&session, &run, &fresh, &format!("{edits} at {n}")).await;
                earlier = Some(run);
            }
            let mut stack_edit = scheme.clone();
            stack_edit["stack"] = json!("decoder");
            // A written text begins with one token, of which no order moves four.
            if is_translator {
                stack_edit.as_object_mut().unwrap().remove("order");
            }
            let request = writing(sent(&IDS[..4], &session, &json!([stack_edit])), 7.0);
            let written = finished(&session, &request, None).await;
            let at_once = reading(request, &session, &written_ids(&written));
            let whole = finished(&session, &at_once, None).await;
            assert_same(&session, &written, &whole, &format!("written: {stack_edit}")).await;
        }
    }
}

/// An order may be longer than the text so far, as long as the text can still come so far.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_order_may_name_places_that_are_not_written_yet() {
    let order: Vec<usize> = (0..10).rev().collect();
    for reference in [reference!("gpt2-tiny"), reference!("llama-tiny"), reference!("marian-tiny")]
    {
        let session = reference.load(Cpu);
        for scheme in ["model", "none", "sinusoidal", "rotary", "alibi"] {
            let edits = json!([{"stack": "decoder", "scheme": scheme, "order": order}]);
            let request = writing(sent(&IDS[..3], &session, &edits), 2.0);
            let written = finished(&session, &request, None).await;
            let logits = written.logits(None).unwrap().await.unwrap();
            assert!(logits.into_data().iter().all(|logit| logit.is_finite()), "{scheme}");
        }
    }
}

/// The same scheme by its name ends elsewhere than the model's own: what was cut off is not taken over.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_ended_with_the_model_goes_on_where_the_scheme_has_no_end() {
    let session = reference!("llama-tiny").load(Cpu);
    let request = |positions: Value| writing(sent(&IDS[..3], &session, &positions), 300.0);
    let cut = finished(&session, &request(json!([])), None).await;
    let named = request(json!([{"scheme": "rotary"}]));
    let fresh = finished(&session, &named, None).await;
    let after = finished(&session, &named, Some(&cut)).await;
    assert_eq!(after.ids(), fresh.ids());
}

/// Of an encoder without positions, permuted tokens have permuted rows.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn without_positions_the_order_of_tokens_is_the_order_of_rows_and_nothing_else() {
    let session = reference!("bert-tiny").load(Cpu);
    let order = [3, 0, 5, 1, 4, 2];
    let moved: Vec<f64> = order.iter().map(|&at| IDS[at]).collect();
    for (scheme, is_same) in [("none", true), ("model", false)] {
        let edits = json!([{ "scheme": scheme }]);
        let plain = finished(&session, &sent(&IDS, &session, &edits), None).await;
        let other = finished(&session, &sent(&moved, &session, &edits), None).await;
        let left = other.distances("encoder", &plain, Some(&order)).unwrap().await.unwrap();
        let largest = left.into_data().into_iter().fold(0f32, f32::max);
        assert_eq!(largest < 1e-4, is_same, "{scheme}: {largest}");
    }
}

/// A head is as unlike itself in another run as the two patterns are; in the same run not at all.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn heads_are_compared_with_themselves_in_another_run() {
    let session = reference!("bert-tiny").load(Cpu);
    let plain = finished(&session, &sent(&IDS, &session, &json!([])), None).await;
    let request = sent(&IDS, &session, &json!([{"scheme": "alibi"}]));
    let edited = finished(&session, &request, Some(&plain)).await;
    for (run, is_other) in [(&plain, false), (&edited, true)] {
        let found = run.divergences("encoder", &plain, None).unwrap().await.unwrap();
        assert_eq!(found.len(), 15);
        assert!(found.iter().all(|head| (head.divergence.unwrap() > 1e-6) == is_other));
    }
    let one = edited.divergences("encoder", &plain, Some(2)).unwrap().await.unwrap();
    assert_eq!(one, edited.divergences("encoder", &plain, None).unwrap().await.unwrap()[10..]);
    let shorter = finished(&session, &sent(&IDS[..4], &session, &json!([])), None).await;
    let code = edited.divergences("encoder", &shorter, None).err().map(|error| error.code.as_str());
    assert_eq!(code, Some("selection/other-length"));
    for order in [&[0, 1][..], &[0, 1, 2, 3, 4, 6]] {
        let refused = edited.distances("encoder", &plain, Some(order)).err().unwrap();
        assert_eq!(refused.code.as_str(), "selection/bad-position");
    }
}

/// The positions that a run tells of are those that it used.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_run_tells_of_the_positions_that_it_used() {
    let session = reference!("gpt2-tiny").load(Cpu);
    for (scheme, axes, shape) in [
        ("model", ["position", "model_dim"], [6, 30]),
        ("none", ["position", "model_dim"], [6, 30]),
        ("sinusoidal", ["position", "model_dim"], [6, 30]),
        ("rotary", ["position", "head_dim"], [6, 10]),
        ("alibi", ["distance", "head"], [11, 3]),
        ("transformer-xl", ["distance", "head"], [11, 3]),
    ] {
        let request = sent(&IDS, &session, &json!([{ "scheme": scheme }]));
        let run = finished(&session, &request, None).await;
        let told = run.positions("decoder").unwrap().await.unwrap();
        assert_eq!(told.axes().iter().map(|axis| axis.name()).collect::<Vec<_>>(), axes);
        assert_eq!(told.shape(), shape, "{scheme}");
        let data = told.into_data();
        match scheme {
            "none" => assert!(data.iter().all(|&x| x == 0.0)),
            // The first head's slope, 2⁻⁴, at distances −5 to 5.
            "alibi" => {
                let first: Vec<f32> = data.iter().step_by(3).take(6).copied().collect();
                assert_eq!(first, [-5., -4., -3., -2., -1., 0.].map(|x: f32| x / 16.0));
            }
            _ => assert!(data.iter().any(|&x| x != 0.0)),
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn hostile_edits_are_refused_with_their_code() {
    let session = reference!("marian-tiny").load(Cpu);
    let code = |positions: &Value| {
        session.begin(&sent(&IDS, &session, positions), None).err().map(|error| error.code.as_str())
    };
    let many: Vec<Value> = (0..65).map(|_| json!({})).collect();
    let hostile = [
        (json!([{"scheme": "spiral"}]), "edit/unsupported"),
        (json!([{"stack": "cross", "scheme": "none"}]), "selection/bad-stack"),
        (json!([{"stack": "middle"}]), "selection/bad-stack"),
        (json!([{"scheme": "rotary", "parameters": {"base": 0}}]), "edit/bad-value"),
        (json!([{"scheme": "rotary", "parameters": {"base": 1e300}}]), "edit/bad-value"),
        (json!([{"scheme": "rotary", "parameters": {"base": 1e-310}}]), "edit/bad-value"),
        (json!([{"scheme": "alibi", "parameters": {"base": 10}}]), "edit/contradiction"),
        (json!([{"parameters": {"seed": 10}}]), "edit/contradiction"),
        (json!([{"scheme": "learned", "parameters": {"seed": 0.5}}]), "edit/bad-value"),
        (json!([{"scheme": "learned", "parameters": {"seed": -1}}]), "edit/bad-value"),
        (json!([{"scheme": "t5", "parameters": {"buckets": 3}}]), "edit/bad-value"),
        (json!([{"scheme": "t5", "parameters": {"buckets": 1e9}}]), "edit/bad-value"),
        (json!([{"scheme": "t5", "parameters": {"maxDistance": 16}}]), "edit/bad-value"),
        (json!([{"order": [0, 0]}]), "edit/bad-value"),
        (json!([{"order": [1, 2]}]), "edit/bad-value"),
        (json!([{"order": [1.5, 0]}]), "edit/bad-value"),
        (json!([{"order": [5, 1, 2, 3, 4, 0]}]), "edit/out-of-range"),
        (json!(many), "edit/too-many"),
    ];
    for (edits, expected) in hostile {
        assert_eq!(code(&edits), Some(expected), "{edits}");
    }
    let long = vec![5.0; 40];
    let begin = |positions: Value| {
        let begun = session.begin(&sent(&long, &session, &positions), None);
        begun.err().map(|error| error.code.as_str())
    };
    assert_eq!(begin(json!([])), Some("input/too-long"));
    assert_eq!(begin(json!([{"stack": "decoder", "scheme": "none"}])), Some("input/too-long"));
    assert_eq!(begin(json!([{"scheme": "none"}])), None);
    assert_eq!(begin(json!([{"scheme": "sinusoidal"}])), None);
    // Turned pairs need an even number of dimensions; heads of this model have 7.
    let odd = reference!("bert-plain").load(Cpu);
    let refused = odd.begin(&sent(&IDS, &odd, &json!([{"scheme": "rotary"}])), None).err().unwrap();
    assert_eq!(refused.code.as_str(), "edit/unsupported");
}
