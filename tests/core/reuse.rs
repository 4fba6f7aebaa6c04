//! A run that reuses an earlier one equals a fresh run to the bit, and computes again only what can
//! have changed: under every edit, with texts that grow and shrink, and where the model writes.

use crate::support;

use headscope::axes::Stack;
use headscope::backend::Cpu;
use headscope::run::{Executed, RunRequest};
use headscope::variants::VariantName;
use serde_json::{Value, json};
use support::parity::mixtures;
use support::{
    Handle, IDS, Reference, Session, assert_same, assert_same_bits, everything, families, finished,
    has_stacks_of, heads_of, reading, run_under, tiny_models, under, writing, written_ids,
};
use wasm_bindgen_test::wasm_bindgen_test;

/// A kind of attention as an edit of everything.
pub fn kind(parts: &Value) -> Value {
    json!({ "attention": [parts] })
}

/// Every variant that any stack can have, and other settings of a head; the numbers of some suit a
/// short text.
pub fn variants() -> Vec<Value> {
    let everywhere = VariantName::ALL.into_iter().filter(|name| name.facts().stacks == Stack::ALL);
    let variants = everywhere.map(|name| match name {
        VariantName::Softmax => {
            json!({"scale": "none", "temperature": 3, "dropout": {"rate": 0.3, "seed": 1}})
        }
        VariantName::Sliding => {
            json!({"kind": name.name(), "parameters": {"width": 2}, "dropout": {"rate": 0.3, "seed": 1}})
        }
        VariantName::Blocks => json!({"kind": name.name(), "parameters": {"size": 3}}),
        VariantName::Performer => json!({"kind": name.name(), "parameters": {"features": 8}}),
        VariantName::Chunked => json!({"kind": name.name(), "parameters": {"size": 2}}),
        _ => json!({"kind": name.name()}),
    });
    variants.collect()
}

/// Every scheme of positions, and an order.
fn schemes() -> [Value; 8] {
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

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_without_effect_are_bit_identical_and_rerun_nothing() {
    for reference in families() {
        let session = reference.load(Cpu);
        let (own, norm) = match reference.name {
            "marian-tiny" => ("sinusoidal", "post"),
            "llama-tiny" => ("rotary", "pre"),
            "bert-tiny" => ("learned", "post"),
            _ => ("learned", "pre"),
        };
        let plain = run_under(&session, &IDS, &json!({})).await;
        for edits in [
            json!({"heads": [{"gate": 1}]}),
            json!({"heads": [{"heads": [], "gate": 0}], "masks": [{"layers": [], "block": [[0, 0]]}]}),
            json!({"heads": [{"heads": [], "pattern": "uniform"}, {"layers": [], "pattern": [[1]]}, {"pattern": []}]}),
            json!({"blocks": [{}]}),
            json!({"blocks": [{"norm": "model"}, {"residual": true}, {"layers": [], "residual": false}]}),
            json!({"blocks": [{"norm": "none", "residual": false}, {"norm": "model", "residual": true}]}),
            json!({"blocks": [{"norm": norm}]}),
            json!({"blocks": [{"sublayers": [], "norm": "none"}]}),
            json!({"masks": [{"block": []}]}),
            json!({"masks": [{"allow": []}, {"mode": "and"}]}),
            json!({"masks": [{"preset": {"kind": "none"}}]}),
            json!({"masks": [{"preset": {"kind": "none"}, "mode": "or", "invert": true}]}),
            json!({"masks": [{"fill": "-1e9"}, {"fill": "-inf"}]}),
            json!({"masks": [{"layers": [], "preset": {"kind": "none"}, "mode": "replace"}]}),
            json!({"positions": []}),
            json!({"positions": [{"scheme": "model"}]}),
            json!({"positions": [{"scheme": own}]}),
            json!({"positions": [{"scheme": "none"}, {"scheme": "model"}]}),
            json!({"positions": [{"order": [2, 0, 1]}, {"order": []}]}),
            json!({"positions": [{"order": [0, 1, 2]}]}),
            kind(&json!({"kind": "softmax"})),
            kind(&json!({"scale": "model", "temperature": 1})),
            kind(&json!({"dropout": {"rate": 0, "seed": 7}})),
            kind(&json!({"heads": [], "kind": "linear"})),
            json!({"attention": [{"kind": "linear"}, {"kind": "softmax"}]}),
        ] {
            let what = format!("{}: {edits}", reference.name);
            assert_same(&session, &run_under(&session, &IDS, &edits).await, &plain, &what).await;
            let again = finished(&session, &under(&session, &IDS, &edits), Some(&plain)).await;
            assert_same(&session, &again, &plain, &what).await;
            assert_eq!(again.executed().blocks, 0, "{what}");
        }
    }
}

/// That they allow what the model's own mask allows is not known before they are computed.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masks_that_say_the_same_as_the_model_change_no_bit() {
    for reference in families() {
        let session = reference.load(Cpu);
        let plain = run_under(&session, &IDS, &json!({})).await;
        for mask in [
            json!({"stack": "decoder", "preset": {"kind": "causal"}}),
            json!({"stack": "decoder", "preset": {"kind": "causal"}, "mode": "or"}),
            json!({"stack": "decoder", "preset": {"kind": "prefix", "length": 0}, "mode": "replace"}),
            json!({"stack": "decoder", "block": [[0, 3]]}),
            json!({"preset": {"kind": "window", "width": 99}}),
            json!({"preset": {"kind": "block", "size": 99}}),
            json!({"preset": {"kind": "padding", "length": 99}}),
            json!({"preset": {"kind": "random", "keys": 64, "seed": 1}}),
            json!({"preset": {"kind": "strided", "stride": 1}}),
            // Where "masked" had −∞ it adds −10⁹: all else is the same.
            json!({"fill": "-1e9"}),
        ] {
            let edits = json!({ "masks": [mask] });
            if !has_stacks_of(&session, &edits) {
                continue;
            }
            let run = finished(&session, &under(&session, &IDS, &edits), Some(&plain)).await;
            let got = everything(&session, &run).await;
            let want = everything(&session, &plain).await;
            for ((name, got), (_, want)) in got.into_iter().zip(want) {
                if edits["masks"][0]["fill"].is_null() || !name.ends_with("masked") {
                    let what = format!("{}: {edits}: {name}", reference.name);
                    assert_same_bits(&got.into_data(), &want.into_data(), &what);
                }
            }
        }
    }
}

/// Edits of `marian-tiny`, three encoder blocks and two of a decoder, and of `llama-tiny`, three:
/// how many blocks stand at or after each.
fn partial_edits() -> Vec<(Reference, usize, Value)> {
    let marian = json!([
        [5, {"heads": [{"stack": "encoder", "layers": [0], "heads": [2], "gate": 0}]}],
        [3, {"heads": [{"stack": "encoder", "layers": [2], "heads": [0], "gate": 2}]}],
        [1, {"heads": [{"stack": "cross", "layers": [1], "heads": [0], "gate": 0.5}]}],
        [1, {"heads": [{"stack": "cross", "layers": [1], "heads": [1], "pattern": "diagonal"}]}],
        [2, {"heads": [{"stack": "decoder", "layers": [0], "heads": [1], "pattern": "previous"}]}],
        [3, {"heads": [{"stack": "encoder", "layers": [2], "pattern": [[1, 2], [3, 4]]}]}],
        [4, {"masks": [{"stack": "encoder", "layers": [1], "heads": [1, 3], "block": [[0, 1]]}]}],
        [2, {"masks": [{"stack": "decoder", "layers": [0], "block": [[2, 1]]}]}],
        [1, {"masks": [{"stack": "cross", "layers": [1], "heads": [2], "block": [[0, 0], [4, 5]]}]}],
        [3, {"masks": [{"stack": "encoder", "layers": [2], "preset": {"kind": "window", "width": 1}}]}],
        [1, {"masks": [{"stack": "decoder", "layers": [1], "preset": {"kind": "none"}, "mode": "replace"}]}],
        [2, {"masks": [{"stack": "decoder", "layers": [0], "heads": [2], "allow": [[0, 1]]}]}],
        [4, {"blocks": [{"stack": "encoder", "layers": [1], "norm": "pre"}]}],
        [3, {"blocks": [{"stack": "encoder", "layers": [2], "residual": false}]}],
        [1, {"blocks": [{"stack": "decoder", "layers": [1], "norm": "pre"}]}],
        [1, {"blocks": [{"sublayers": ["cross-attention"], "layers": [1], "norm": "none"}]}],
        [2, {"blocks": [{"stack": "decoder", "sublayers": ["feed-forward"], "residual": false}]}],
        [2, {"positions": [{"stack": "decoder", "scheme": "alibi"}]}],
        [2, {"positions": [{"stack": "decoder", "order": [1, 0]}]}],
        [5, {"positions": [{"stack": "encoder", "scheme": "rotary"}]}],
    ]);
    let llama = json!([
        [3, {"heads": [{"layers": [0], "heads": [3], "gate": 2}]}],
        [2, {"heads": [{"layers": [1], "heads": [0], "gate": 0.5}]}],
        [1, {"masks": [{"layers": [2], "heads": [2], "block": [[4, 0]]}]}],
        [2, {"blocks": [{"layers": [1], "norm": "post"}]}],
    ]);
    let mut all = Vec::new();
    for row in marian.as_array().unwrap() {
        all.push((reference!("marian-tiny"), row[0].as_u64().unwrap() as usize, row[1].clone()));
    }
    for mut parts in variants() {
        (parts["stack"], parts["layers"]) = (json!("cross"), json!([1]));
        all.push((reference!("marian-tiny"), 1, kind(&parts)));
    }
    for row in llama.as_array().unwrap() {
        all.push((reference!("llama-tiny"), row[0].as_u64().unwrap() as usize, row[1].clone()));
    }
    all
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_blocks_that_can_change_rerun_and_equal_a_full_run() {
    for (reference, blocks, edits) in partial_edits() {
        let session = reference.load(Cpu);
        let what = format!("{}: {edits}", reference.name);
        let before = under(&session, &IDS, &json!({}));
        let after = under(&session, &IDS, &edits);
        let plain = finished(&session, &before, None).await;
        let partial = finished(&session, &after, Some(&plain)).await;
        let full = finished(&session, &after, None).await;
        let all = plain.executed().blocks;
        assert_eq!(full.executed(), Executed { blocks: all, reused_blocks: 0, reused_tokens: 0 });
        assert_eq!(partial.executed().blocks, blocks, "{what}");
        assert_eq!(partial.executed().reused_blocks, all - blocks, "{what}");
        assert_same(&session, &partial, &full, &what).await;
        let logits = async |run: &Handle| run.logits(None).unwrap().await.unwrap();
        // Blocks of three tokens and their neighbours are all of this text.
        if edits["attention"].is_null() {
            assert_ne!(logits(&partial).await, logits(&plain).await, "{what} changed nothing");
        }
        let back = finished(&session, &before, Some(&partial)).await;
        assert_eq!(back.executed().blocks, blocks, "{what}, undone");
        assert_same(&session, &back, &plain, &format!("{what}, undone")).await;
    }
}

/// One gate more, in the second block, under any mixture of edits.
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
            let plain = run_under(&session, &IDS, &edits).await;
            let partial = finished(&session, &under(&session, &IDS, &more), Some(&plain)).await;
            let full = run_under(&session, &IDS, &more).await;
            let what = format!("{}: {more}", reference.name);
            assert_same(&session, &partial, &full, &what).await;
            let [few, all] = [&partial, &full].map(Handle::executed);
            assert!((1..all.blocks).contains(&few.blocks), "{what}: {few:?} of {all:?}");
            // The cost and the mean of dropout can be read under any mixture.
            let (stack, layer, head) = *heads_of(&session).last().unwrap();
            assert!(full.head_cost(stack, layer, head).unwrap().await.unwrap().operations > 0);
            assert!(full.dropout_mean(stack, layer, head, 3).unwrap().await.is_ok(), "{what}");
        }
    }
}

/// Runs requests one after the other, each with the run before it; each equals a fresh run.
async fn sequence(session: &Session<Cpu>, requests: Vec<RunRequest>, what: &str) -> Vec<Executed> {
    let mut earlier: Option<Handle> = None;
    let mut executed = Vec::new();
    for (at, request) in requests.into_iter().enumerate() {
        let run = finished(session, &request, earlier.as_ref()).await;
        let fresh = finished(session, &request, None).await;
        assert_same(session, &run, &fresh, &format!("{what}, number {at}")).await;
        executed.push(run.executed());
        earlier = Some(run);
    }
    executed
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_sequence_of_edits_and_texts_always_equals_a_fresh_run() {
    let session = reference!("marian-tiny").load(Cpu);
    let texts: [&[f64]; 4] =
        [&[29., 57.], &[29., 57., 27.], &[29., 58., 27., 4.], &[29., 57., 27.]];
    let edits = [
        json!({}),
        json!({"heads": [{"stack": "decoder", "layers": [1], "heads": [1], "gate": 0}]}),
        json!({"masks": [{"stack": "cross", "layers": [0], "block": [[1, 1]]}]}),
        json!({"heads": [{"stack": "decoder", "heads": [0], "pattern": "previous"}]}),
        json!({"blocks": [{"layers": [1], "norm": "pre"}]}),
        json!({"heads": [{"stack": "cross", "heads": [2], "pattern": [[0, 1], [1, 1]]}]}),
        json!({"blocks": [{"stack": "encoder", "layers": [0], "sublayers": ["self-attention"], "norm": "pre"}]}),
    ];
    let requests = (0..48).map(|round| {
        let request = under(&session, texts[round / 2 % 4], &edits[round % edits.len()]);
        if round % 5 > 2 { writing(request, 9.0) } else { request }
    });
    sequence(&session, requests.collect(), "edits and texts").await;
}

/// A text that grows and shrinks reuses the rows that see nothing new.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_grows_and_shrinks_reuses_only_what_stays_true() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let replaced = |preset: Value| json!({"masks": [{"mode": "replace", "preset": preset}]});
    let ids: Vec<f64> = (0..9).map(f64::from).map(|at| (at * 7. + 3.) % 61.).collect();
    // The edits, and the rows of six that a text of seven reuses.
    for (edits, reused) in [
        (json!({}), 6),
        (replaced(json!({"kind": "none"})), 0),
        (replaced(json!({"kind": "window", "width": 1, "oneSided": true})), 6),
        (replaced(json!({"kind": "window", "width": 1})), 5),
        (replaced(json!({"kind": "block", "size": 3})), 6),
        (replaced(json!({"kind": "block", "size": 4})), 4),
        (replaced(json!({"kind": "prefix", "length": 3})), 6),
        (replaced(json!({"kind": "prefix", "length": 9})), 0),
        (replaced(json!({"kind": "global", "tokens": [3], "width": 0})), 3),
        (json!({"masks": [{"fill": "-1e9"}]}), 0),
        (json!({"masks": [{"layers": [2], "preset": {"kind": "none"}, "mode": "replace"}]}), 6),
    ] {
        let requests = [6, 7, 8, 5, 9, 6].map(|n| under(&session, &ids[..n], &edits));
        let executed = sequence(&session, requests.into(), &edits.to_string()).await;
        assert_eq!(executed[1].reused_tokens, reused, "{edits}");
    }
    for reference in families() {
        let session = reference.load(Cpu);
        let mut reused = 0;
        for edits in mixtures().into_iter().chain(schemes().map(|one| json!({"positions": [one]})))
        {
            let requests = [5, 6, 4, 4].map(|n| under(&session, &IDS[..n], &edits));
            let what = format!("{}: {edits}", reference.name);
            let executed = sequence(&session, requests.into(), &what).await;
            assert_eq!(executed[3].blocks, 0, "{what}: the same request again");
            reused += executed[1].reused_tokens;
        }
        // Rows of an encoder attend to all others; a decoder's stay.
        assert!(reused > 0 || session.info().stacks.encoder.is_some(), "{}", reference.name);
    }
}

/// What is written token by token with a cache is what is read at once, and each token is the best
/// after the text before it.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_written_text_equals_the_text_that_is_read() {
    let presets = [
        json!({"kind": "none"}),
        json!({"kind": "block", "size": 3}),
        json!({"kind": "strided", "stride": 2}),
        json!({"kind": "random", "keys": 2, "seed": 5, "width": 1}),
        json!({"kind": "global", "tokens": [0], "width": 1}),
        json!({"kind": "prefix", "length": 2}),
        json!({"kind": "padding", "length": 4}),
    ];
    let masks = presets.iter().flat_map(|preset| {
        ["and", "or", "replace"].map(|mode| {
        json!({"masks": [{"stack": "decoder", "layers": [1], "preset": preset, "mode": mode}]})
    })
    });
    let others = schemes().map(|mut scheme| {
        scheme["stack"] = json!("decoder");
        json!({ "positions": [scheme] })
    });
    let others =
        others.into_iter().chain(variants().into_iter().map(|one| kind(&one))).chain(mixtures());
    let all: Vec<Value> = std::iter::once(json!({})).chain(masks).chain(others).collect();
    for reference in tiny_models() {
        let session = reference.load(Cpu);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        // Models of a family differ in their sizes alone.
        let count = if reference.name.ends_with("-tiny") { all.len() } else { 1 };
        for edits in &all[..count] {
            let mut edits = edits.clone();
            // A written text begins with one token, of which no order moves several.
            if let Some(placed) = edits.pointer_mut("/positions/0").and_then(Value::as_object_mut) {
                placed.remove("order");
            }
            let what = format!("{}: {edits}", reference.name);
            let request = writing(under(&session, &IDS[..4], &edits), 6.0);
            let written = finished(&session, &request, None).await;
            let again = finished(&session, &request, Some(&written)).await;
            assert_eq!(again.executed().blocks, 0, "{what}");
            let mut ids = written_ids(&written);
            let whole = finished(&session, &reading(&session, &request, &ids), None).await;
            assert_same(&session, &written, &whole, &what).await;
            let from = if session.info().stacks.cross.is_some() { 1 } else { 4 };
            // A drawing may not be larger than what it is drawn over.
            while ids.len() > from && session.info().predicts && edits["heads"].is_null() {
                let next = ids.pop().unwrap();
                let before = finished(&session, &reading(&session, &request, &ids), None).await;
                let best = before.predictions(&[ids.len() - 1], 1).unwrap().await.unwrap();
                assert_eq!(f64::from(best[0][0].id), next, "{what} after {}", ids.len());
            }
        }
    }
}

/// The same scheme by its name ends elsewhere than the model's own: a text that was cut off there
/// goes on.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_ended_with_the_model_goes_on_where_the_scheme_has_no_end() {
    let session = reference!("llama-tiny").load(Cpu);
    let request = |edits: Value| writing(under(&session, &IDS[..3], &edits), 300.0);
    let cut = finished(&session, &request(json!({})), None).await;
    let named = request(json!({"positions": [{"scheme": "rotary"}]}));
    let fresh = finished(&session, &named, None).await;
    let after = finished(&session, &named, Some(&cut)).await;
    assert_eq!(after.ids(), fresh.ids());
}
