//! Edits of masks: every preset, mode, inversion and fill computes what the same edit in
//! PyTorch computes; what does nothing changes no bit; a run that takes over equals one that
//! does not, also where a decoder may look ahead; a seed gives the same mask every time.

use crate::support;

use crate::support::{RunHandle, Session};
use headscope::backend::{Cpu, Oracle};
use serde_json::{Value, json};
use support::cases::{IDS, assert_same, reading, sent, writing, written_ids};
use support::parity::masks_on;
use support::{assert_exact, assert_same_bits, everything, finished, masks};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_cpu_computes_what_pytorch_computes() {
    masks_on(Cpu, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_oracle_computes_what_pytorch_computes() {
    masks_on(Oracle, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masks_that_change_nothing_are_bit_identical_and_rerun_nothing() {
    let nothing = [
        json!([{"preset": {"kind": "none"}}]),
        json!([{"preset": {"kind": "none"}, "mode": "or", "invert": true}]),
        json!([{"fill": "-inf"}]),
        json!([{"fill": "-1e9"}, {"fill": "-inf"}]),
        json!([{"allow": []}]),
        json!([{"layers": [], "preset": {"kind": "none"}, "mode": "replace"}]),
        json!([{"heads": [], "preset": {"kind": "none"}, "mode": "replace"}]),
    ];
    // What says the same as the model's own mask, which is not known beforehand.
    let same = [
        json!([{"stack": "decoder", "preset": {"kind": "causal"}}]),
        json!([{"stack": "decoder", "preset": {"kind": "causal"}, "mode": "or"}]),
        json!([{"stack": "decoder", "preset": {"kind": "causal"}, "mode": "replace"}]),
        json!([{"stack": "decoder", "preset": {"kind": "prefix", "length": 0}, "mode": "replace"}]),
        json!([{"preset": {"kind": "window", "width": 99}}]),
        json!([{"preset": {"kind": "block", "size": 99}}]),
        json!([{"preset": {"kind": "padding", "length": 99}}]),
        json!([{"preset": {"kind": "random", "keys": 64, "seed": 1}}]),
        json!([{"preset": {"kind": "strided", "stride": 1}}]),
        json!([{"fill": "-1e9"}]),
    ];
    for reference in masks() {
        let session = reference.load(Cpu);
        let plain = finished(&session, &sent(&IDS, &session, &json!({})), None).await;
        let has_decoder = session.info().stacks.decoder.is_some();
        for (edits, vain) in
            nothing.iter().map(|edits| (edits, true)).chain(same.iter().map(|edits| (edits, false)))
        {
            if edits[0]["stack"] == "decoder" && !has_decoder {
                continue;
            }
            let request = sent(&IDS, &session, &json!({ "masks": edits }));
            for earlier in [None, Some(&plain)] {
                let run = finished(&session, &request, earlier).await;
                // A row of forbidden cells adds −10⁹ where "masked" had −∞: all else is the same.
                if edits[0]["fill"] == "-1e9" && !vain {
                    assert_same_but_masked(&session, &run, &plain).await;
                } else {
                    assert_same(&session, &run, &plain, &edits.to_string()).await;
                }
                if vain && earlier.is_some() {
                    assert_eq!(run.executed().blocks, 0, "{edits}");
                }
            }
        }
    }
}

async fn assert_same_but_masked(
    session: &Session<Cpu>,
    got: &RunHandle<Cpu>,
    want: &RunHandle<Cpu>,
) {
    let (got, want) = (everything(session, got).await, everything(session, want).await);
    for ((name, got), (_, want)) in got.into_iter().zip(want) {
        if !name.ends_with("masked") {
            assert_same_bits(&got.into_data(), &want.into_data(), &name);
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_blocks_that_can_change_rerun_and_equal_a_full_run() {
    let session = reference!("marian-tiny").load(Cpu);
    let plain = finished(&session, &sent(&IDS, &session, &json!({})), None).await;
    let window = json!({"kind": "window", "width": 1});
    let cases = [
        (json!({"stack": "encoder", "layers": [0], "preset": window}), 5),
        (json!({"stack": "encoder", "layers": [2], "heads": [1], "preset": window}), 3),
        (
            json!({"stack": "decoder", "layers": [1], "preset": {"kind": "none"}, "mode": "replace"}),
            1,
        ),
        (json!({"stack": "decoder", "layers": [0], "heads": [2], "allow": [[0, 4]]}), 2),
        (json!({"stack": "cross", "layers": [1], "fill": "-1e9"}), 1),
    ];
    for (edit, blocks) in cases {
        let request = sent(&IDS, &session, &json!({"masks": [edit]}));
        let partial = finished(&session, &request, Some(&plain)).await;
        let full = finished(&session, &request, None).await;
        assert_eq!(partial.executed().blocks, blocks, "{edit}");
        assert_same(&session, &partial, &full, &edit.to_string()).await;
        // The way back is as long.
        let back = finished(&session, &sent(&IDS, &session, &json!({})), Some(&partial)).await;
        assert_eq!(back.executed().blocks, blocks, "{edit}");
        assert_same(&session, &back, &plain, "taken back").await;
    }
}

/// Whatever was computed for the text before, a typed token more gives the same bits; and as
/// much is taken over as looks at nothing new.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_grows_and_shrinks_takes_over_only_what_stays_true() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let preset = |preset: Value| json!({"masks": [{"mode": "replace", "preset": preset}]});
    // The edits, and the rows of six that a text of seven takes over.
    let cases = [
        (json!({}), 6),
        (preset(json!({"kind": "none"})), 0),
        (preset(json!({"kind": "window", "width": 1, "oneSided": true})), 6),
        (preset(json!({"kind": "window", "width": 1})), 5),
        (preset(json!({"kind": "block", "size": 3})), 6),
        (preset(json!({"kind": "block", "size": 4})), 4),
        (preset(json!({"kind": "prefix", "length": 3})), 6),
        (preset(json!({"kind": "prefix", "length": 9})), 0),
        (preset(json!({"kind": "global", "tokens": [3], "width": 0})), 3),
        (json!({"masks": [{"fill": "-1e9"}]}), 0),
        (json!({"masks": [{"layers": [2], "preset": {"kind": "none"}, "mode": "replace"}]}), 6),
    ];
    let ids: Vec<f64> = (0..9).map(f64::from).map(|at| (at * 7. + 3.) % 61.).collect();
    for (edits, taken_over) in cases {
        let mut earlier = None;
        for n in [6, 7, 8, 5, 9, 6] {
            let request = sent(&ids[..n], &session, &edits);
            let run = finished(&session, &request, earlier.as_ref()).await;
            let fresh = finished(&session, &request, None).await;
            assert_same(&session, &run, &fresh, &format!("{edits} at {n}")).await;
            if n == 7 && earlier.is_some() {
                assert_eq!(run.executed().reused_tokens, taken_over, "{edits}");
            }
            earlier = Some(run);
        }
    }
}

/// What is written with rows kept is what is written when every step begins anew.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn writing_keeps_only_rows_that_stay_true() {
    let presets = [
        json!({"kind": "none"}),
        json!({"kind": "block", "size": 3}),
        json!({"kind": "strided", "stride": 2}),
        json!({"kind": "random", "keys": 2, "seed": 5, "width": 1}),
        json!({"kind": "global", "tokens": [0], "width": 1}),
        json!({"kind": "prefix", "length": 2}),
        json!({"kind": "padding", "length": 4}),
    ];
    for reference in masks() {
        let session = reference.load(Cpu);
        if session.info().stacks.decoder.is_none() {
            continue;
        }
        for (preset, mode) in
            presets.iter().flat_map(|preset| ["and", "or", "replace"].map(|mode| (preset, mode)))
        {
            let edit = json!({"stack": "decoder", "layers": [1], "preset": preset, "mode": mode});
            let request = sent(&IDS[..4], &session, &json!({"masks": [edit]}));
            let request = writing(request, 6.0);
            let written = finished(&session, &request, None).await;
            // Token by token: each text is given whole, and its best next token taken.
            let mut ids = written_ids(&written);
            let from = if session.info().stacks.cross.is_some() { 1 } else { 4 };
            let of = |ids: &[f64]| reading(request.clone(), &session, ids);
            let whole = finished(&session, &of(&ids), None).await;
            assert_same(&session, &written, &whole, &edit.to_string()).await;
            while ids.len() > from {
                let next = ids.pop().unwrap();
                let before = finished(&session, &of(&ids), None).await;
                let best = before.predictions(&[ids.len() - 1], 1).unwrap().await.unwrap();
                assert_eq!(f64::from(best[0][0].id), next, "{edit} after {}", ids.len());
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_row_that_may_look_nowhere_is_empty_or_what_the_arithmetic_gives() {
    let session = reference!("bert-tiny").load(Cpu);
    let nobody = json!({"preset": {"kind": "none"}, "invert": true, "layers": [1]});
    let mut large = nobody.clone();
    large["fill"] = json!("-1e9");
    for (edit, weight, fill) in [(nobody, 0.0, f32::NEG_INFINITY), (large, 1.0 / 6.0, -1e9)] {
        let mut request = sent(&IDS, &session, &json!({"masks": [edit]}));
        request.attention_mask = Some(vec![1., 1., 1., 1., 0., 1.]);
        let run = finished(&session, &request, None).await;
        for head in 0..5 {
            assert_eq!(run.fully_masked("encoder", 1, head).unwrap(), [0, 1, 2, 3, 4, 5]);
            let weights =
                run.attention(("encoder", 1, head), "weights", None).unwrap().await.unwrap();
            assert!(weights.into_data().iter().all(|&x| (x - weight).abs() < 1e-7), "{weight}");
            let additive = run.mask("encoder", 1, head).unwrap().into_data();
            assert_eq!(additive, [fill; 36]);
        }
        let logits = run.logits(None).unwrap().await.unwrap().into_data();
        assert!(logits.iter().all(|x| x.is_finite()));
        // Other rows have the same numbers under either fill.
        assert!(run.fully_masked("encoder", 0, 0).unwrap().is_empty());
    }
}

/// A text that shares a batch with a longer one computes, under its padding, what it computes
/// by itself.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_padded_text_is_the_text_alone() {
    let session = reference!("bert-tiny").load(Cpu);
    let alone = finished(&session, &sent(&IDS[..4], &session, &json!({})), None).await;
    let length = json!({"masks": [{"preset": {"kind": "padding", "length": 4}}]});
    let padded = finished(&session, &sent(&IDS, &session, &length), None).await;
    for layer in 0..=3 {
        let rows = |run: &RunHandle<Cpu>| run.hidden("encoder", layer).unwrap();
        let (alone, padded) = (rows(&alone).await.unwrap(), rows(&padded).await.unwrap());
        let alone = alone.into_data();
        assert_same_bits(&padded.into_data()[..alone.len()], &alone, &format!("layer {layer}"));
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_seed_gives_its_mask_and_another_seed_another() {
    let session = reference!("bert-tiny").load(Cpu);
    let mask = async |seed: u32| {
        let preset = json!({"kind": "random", "keys": 2, "seed": seed, "width": 0});
        let request = sent(&IDS, &session, &json!({"masks": [{"preset": preset}]}));
        let run = finished(&session, &request, None).await;
        let masks = [0, 1, 2].map(|layer| run.mask("encoder", layer, layer).unwrap().into_data());
        assert!(masks[0] == masks[1] && masks[1] == masks[2], "one mask wherever it holds");
        let [mask, ..] = masks;
        assert!(mask.chunks(6).all(|row| row.iter().filter(|&&cell| cell == 0.0).count() == 3));
        mask
    };
    assert_eq!(mask(1).await, mask(1).await);
    assert_ne!(mask(1).await, mask(2).await);
    assert_ne!(mask(u32::MAX).await, mask(0).await);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_attention_costs_is_counted_in_the_masks_that_can_be_read() {
    let edits = [
        json!([]),
        json!([{"preset": {"kind": "window", "width": 1}}]),
        json!([{"preset": {"kind": "global", "tokens": [0], "width": 0}, "mode": "replace"},
               {"heads": [1], "preset": {"kind": "block", "size": 2}},
               {"heads": [0], "block": [[3, 3]]}]),
    ];
    for reference in masks() {
        let session = reference.load(Cpu);
        let stacks = &session.info().stacks;
        for masks in &edits {
            let run =
                finished(&session, &sent(&IDS, &session, &json!({"masks": masks})), None).await;
            for (name, size) in [("encoder", &stacks.encoder), ("decoder", &stacks.decoder)] {
                let Some(size) = size else { continue };
                let open = |head| {
                    let mask = run.mask(name, 1, head).unwrap().into_data();
                    (mask.iter().filter(|&&added| added == 0.0).count(), mask.len())
                };
                let counted: Vec<(usize, usize)> = (0..size.heads).map(open).collect();
                let all = counted[0].1;
                let n = all.isqrt();
                let costs = run.cost(name, 1, &[n, 4096]).unwrap();
                let cells: usize = counted.iter().map(|(cells, _)| cells).sum();
                let (cost, what) = (&costs[0], format!("{}: {name}: {masks}", reference.name));
                assert_eq!((cost.tokens, cost.heads, cost.exact), (n, size.heads, true), "{what}");
                assert_eq!(cost.masked.cells, cells as f64, "{what}");
                assert_eq!(cost.full.cells, (all * size.heads) as f64, "{what}");
                assert_eq!(cost.masked.multiply_adds, (2 * cells * size.head_dim) as f64);
                assert_eq!(costs[1].full.weight_bytes, (size.heads << 26) as f64);
            }
        }
        let run = finished(&session, &sent(&IDS, &session, &json!({})), None).await;
        let stack = if stacks.encoder.is_some() { "encoder" } else { "decoder" };
        for (layer, lengths, code) in [
            (99, vec![10], "selection/bad-layer"),
            (0, vec![], "selection/bad-size"),
            (0, vec![0], "selection/bad-size"),
            (0, vec![100_001], "selection/bad-size"),
            (0, vec![10; 65], "selection/bad-size"),
        ] {
            assert_eq!(run.cost(stack, layer, &lengths).unwrap_err().code.as_str(), code);
        }
    }
}
