//! What edits make of single numbers: fully masked rows, fixed patterns, padding, seeds, orders.
//! That each edit computes what the same edit in PyTorch computes is part of `parity.rs`.

use crate::support;

use headscope::analysis::Lexicon;
use headscope::backend::Cpu;
use serde_json::{Value, json};
use support::{
    Handle, IDS, Session, assert_same_bits, families, finished, hidden, pattern, run_under, under,
    writing,
};
use wasm_bindgen_test::wasm_bindgen_test;

async fn assert_finite_logits(run: &Handle) {
    let logits = run.logits(None).unwrap().await.unwrap().into_data();
    assert!(logits.iter().all(|x| x.is_finite()));
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_fully_masked_row_has_no_weights_and_is_flagged() {
    let session = reference!("marian-tiny").load(Cpu);
    let row: Vec<[usize; 2]> = (0..6).map(|key| [3, key]).collect();
    let edits = json!({"masks": [{"stack": "cross", "layers": [0], "heads": [1], "block": row}]});
    let run = run_under(&session, &IDS, &edits).await;
    assert_eq!(run.fully_masked("cross", 0, 1).unwrap(), [3]);
    assert!(run.fully_masked("cross", 0, 0).unwrap().is_empty());
    assert_eq!(pattern(&run, ("cross", 0, 1), "weights").await.into_data()[18..24], [0.0; 6]);
    assert_finite_logits(&run).await;

    // Where every row is, the weights are 0, or what −10⁹ added to all of a row gives.
    let session = reference!("bert-tiny").load(Cpu);
    for (fill, weight, added) in [("-inf", 0.0, f32::NEG_INFINITY), ("-1e9", 1.0 / 6.0, -1e9)] {
        let all = json!({"preset": {"kind": "none"}, "invert": true, "layers": [1], "fill": fill});
        let mut request = under(&session, &IDS, &json!({ "masks": [all] }));
        request.attention_mask = Some(vec![1., 1., 1., 1., 0., 1.]);
        let run = finished(&session, &request, None).await;
        for head in 0..5 {
            assert_eq!(run.fully_masked("encoder", 1, head).unwrap(), [0, 1, 2, 3, 4, 5]);
            let weights = pattern(&run, ("encoder", 1, head), "weights").await.into_data();
            assert!(weights.iter().all(|&x| (x - weight).abs() < 1e-7), "{weight}");
            assert_eq!(run.mask("encoder", 1, head).unwrap().into_data(), [added; 36]);
        }
        assert_finite_logits(&run).await;
        assert!(run.fully_masked("encoder", 0, 0).unwrap().is_empty());
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_fixed_pattern_keeps_its_scores_and_shares_what_the_mask_leaves() {
    let session = reference!("marian-tiny").load(Cpu);
    let at = ("decoder", 0, 1);
    let masks =
        json!([{"stack": "decoder", "layers": [0], "heads": [1], "block": [[1, 0], [3, 3]]}]);
    let fixed = |pattern: Value| json!({"stack": "decoder", "layers": [0], "heads": [1], "pattern": pattern});
    let heads = [fixed(json!("uniform")), fixed(json!([[1, 1], [5, 0], [1, 3]]))];
    let plain = run_under(&session, &IDS, &json!({"masks": masks})).await;
    let run = run_under(&session, &IDS, &json!({"masks": masks, "heads": heads})).await;
    for stage in ["raw", "scores", "masked"] {
        let got = pattern(&run, at, stage).await;
        let want = pattern(&plain, at, stage).await;
        assert_same_bits(&got.into_data(), &want.into_data(), stage);
    }
    let third = 1.0 / 3.0;
    let want: [[f32; 5]; 5] = [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        // What was drawn is masked.
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.25, 0.75, 0.0, 0.0, 0.0],
        // Beyond the drawing the pattern before it holds, on what the masks leave.
        [third, third, third, 0.0, 0.0],
        [0.2, 0.2, 0.2, 0.2, 0.2],
    ];
    let weights = pattern(&run, at, "weights").await.into_data();
    assert_same_bits(&weights, &want.concat(), "the weights");
    assert_eq!(run.fully_masked("decoder", 0, 1).unwrap(), [1]);
    assert_eq!(plain.fully_masked("decoder", 0, 1).unwrap(), [0usize; 0]);
    // A row without weights has no share in what is measured of rows.
    let measures = run.measures("decoder", Lexicon::default()).unwrap().await.unwrap();
    let entropy = measures.iter().find(|one| one.layer == 0 && one.head == 1).unwrap().entropy;
    let by_hand = [0.0, 0.25 * 4f64.ln() + 0.75 * (4.0 / 3.0_f64).ln(), 3f64.ln(), 5f64.ln()];
    let by_hand = by_hand.iter().sum::<f64>() / 4.0;
    assert!((entropy.unwrap() - by_hand).abs() < 1e-6, "{entropy:?} for {by_hand}");
}

/// A text that shares a batch with a longer one computes, under its padding, what it computes
/// by itself.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_padded_text_is_the_text_alone() {
    let session = reference!("bert-tiny").load(Cpu);
    let alone = run_under(&session, &IDS[..4], &json!({})).await;
    let length = json!({"masks": [{"preset": {"kind": "padding", "length": 4}}]});
    let padded = run_under(&session, &IDS, &length).await;
    for layer in 0..=3 {
        let alone = hidden(&alone, "encoder", layer).await.into_data();
        let padded = hidden(&padded, "encoder", layer).await.into_data();
        assert_same_bits(&padded[..alone.len()], &alone, &format!("layer {layer}"));
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_seed_gives_its_mask_and_another_seed_another() {
    let session = reference!("bert-tiny").load(Cpu);
    let mask = async |seed: u32| {
        let preset = json!({"kind": "random", "keys": 2, "seed": seed, "width": 0});
        let run = run_under(&session, &IDS, &json!({"masks": [{"preset": preset}]})).await;
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
    for reference in families() {
        let session = reference.load(Cpu);
        let stacks = session.info().stacks;
        for masks in &edits {
            let run = run_under(&session, &IDS, &json!({"masks": masks})).await;
            for (name, size) in [("encoder", stacks.encoder), ("decoder", stacks.decoder)] {
                let Some(size) = size else { continue };
                let masks = (0..size.heads).map(|head| run.mask(name, 1, head).unwrap());
                let added: Vec<f32> = masks.flat_map(headscope::axes::Tensor::into_data).collect();
                let cells = added.iter().filter(|&&added| added == 0.0).count();
                let n = (added.len() / size.heads).isqrt();
                let costs = run.cost(name, 1, &[n, 4096]).unwrap();
                let cost = &costs[0];
                assert_eq!((cost.tokens, cost.heads, cost.exact), (n, size.heads, true));
                assert_eq!(cost.masked.cells, cells as f64, "{}: {name}", reference.name);
                assert_eq!(cost.full.cells, added.len() as f64, "{}: {name}", reference.name);
                assert_eq!(cost.masked.multiply_adds, (2 * cells * size.head_dim) as f64);
                assert_eq!(costs[1].full.weight_bytes, (size.heads << 26) as f64);
            }
        }
    }
}

/// An order may be longer than the text so far, as long as the text can still become so long.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_order_may_name_places_that_are_not_written_yet() {
    let order: Vec<usize> = (0..10).rev().collect();
    for reference in [reference!("gpt2-tiny"), reference!("llama-tiny"), reference!("marian-tiny")]
    {
        let session = reference.load(Cpu);
        for scheme in ["model", "none", "sinusoidal", "rotary", "alibi"] {
            let placed = json!({"stack": "decoder", "scheme": scheme, "order": order});
            let request = under(&session, &IDS[..3], &json!({ "positions": [placed] }));
            assert_finite_logits(&finished(&session, &writing(request, 2.0), None).await).await;
        }
    }
}

fn scheme(name: &str) -> Value {
    json!({"positions": [{ "scheme": name }]})
}

/// Of an encoder without positions, permuted tokens have permuted rows.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn without_positions_the_order_of_tokens_is_the_order_of_rows_and_nothing_else() {
    let session = reference!("bert-tiny").load(Cpu);
    let order = [3, 0, 5, 1, 4, 2];
    let moved: Vec<f64> = order.iter().map(|&at| IDS[at]).collect();
    for (name, is_same) in [("none", true), ("model", false)] {
        let plain = run_under(&session, &IDS, &scheme(name)).await;
        let other = run_under(&session, &moved, &scheme(name)).await;
        let left = other.distances("encoder", &plain, Some(&order)).unwrap().await.unwrap();
        let largest = left.into_data().into_iter().fold(0f32, f32::max);
        assert_eq!(largest < 1e-4, is_same, "{name}: {largest}");
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_run_gives_the_positions_that_it_used() {
    let session = reference!("gpt2-tiny").load(Cpu);
    for (name, axes, shape) in [
        ("model", ["position", "model_dim"], [6, 30]),
        ("none", ["position", "model_dim"], [6, 30]),
        ("sinusoidal", ["position", "model_dim"], [6, 30]),
        ("rotary", ["position", "head_dim"], [6, 10]),
        ("alibi", ["distance", "head"], [11, 3]),
        ("transformer-xl", ["distance", "head"], [11, 3]),
    ] {
        let run = run_under(&session, &IDS, &scheme(name)).await;
        let positions = run.positions("decoder").unwrap().await.unwrap();
        assert_eq!(positions.axes().iter().map(|axis| axis.name()).collect::<Vec<_>>(), axes);
        assert_eq!(positions.shape(), shape, "{name}");
        let data = positions.into_data();
        match name {
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

/// Tables of positions and features of keys count as memory, and are not made for a text that is
/// refused: the longest text that fits without any is too long with each of them.
#[wasm_bindgen_test(unsupported = test)]
fn tables_of_positions_and_features_of_keys_count_as_memory() {
    let session = reference!("bert-tiny").load(Cpu);
    let code = |n: usize, edits: &Value| {
        let begun = session.begin(&under(&session, &vec![5.0; n], edits), None);
        begun.err().map(|error| error.code.as_str())
    };
    let mut fits = 1;
    let mut too_long = 16_384;
    assert_eq!(code(too_long, &scheme("none")), Some("input/too-long"));
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        if code(middle, &scheme("none")).is_none() { fits = middle } else { too_long = middle }
    }
    let mut performer = scheme("none");
    performer["attention"] = json!([{"kind": "performer", "parameters": {"features": 1024}}]);
    for edits in [scheme("sinusoidal"), scheme("transformer-xl"), performer] {
        assert_eq!(code(fits, &edits), Some("input/too-long"), "{edits} at {fits}");
        assert_eq!(code(fits / 2, &edits), None, "{edits} at {}", fits / 2);
    }
}

/// A config that transformers wrote before its fifth version.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_older_config_of_a_llama_computes_the_same() {
    let reference = reference!("llama-tiny");
    let mut fields: Value = serde_json::from_str(reference.config).unwrap();
    let object = fields.as_object_mut().unwrap();
    object.remove("rope_parameters");
    object.insert("rope_theta".to_owned(), 100.0.into());
    object.insert("rope_scaling".to_owned(), Value::Null);
    let new = reference.load(Cpu);
    let old = Session::load(Cpu, &fields.to_string(), reference.checkpoint);
    let old = old.unwrap_or_else(|error| panic!("{error}"));
    let one = run_under(&new, &IDS, &json!({})).await;
    let other = run_under(&old, &IDS, &json!({})).await;
    support::assert_same(&new, &one, &other, "an older config").await;
}
