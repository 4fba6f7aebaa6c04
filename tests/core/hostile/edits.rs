//! Edits that name what does not exist, hold what is no number, come in masses, or
//! contradict each other.

use headscope::edits::wire::{
    AttentionEdit, BlockEdit, Edits, HeadEdit, HeadPattern, MaskEdit, MaskPreset, NormPlace,
};
use headscope::error::{Code, Error};
use headscope::run::RunRequest;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::reference_model::{
    ReferenceModel, assert_finite, assert_refused, good_request, numbers, reference_models, writing,
};
use crate::support::under;

const RANGE: &str = "edit/out-of-range";
const VALUE: &str = "edit/bad-value";
const UNSUPPORTED: &str = "edit/unsupported";
const CONTRADICTION: &str = "edit/contradiction";
const STACK: &str = "selection/bad-stack";

/// The model's good request under edits.
fn edited(model: &ReferenceModel, edits: Value) -> RunRequest {
    let edits = serde_json::from_value(edits).expect("edits of the documented form");
    RunRequest { edits: Some(edits), ..good_request(&model.session) }
}

fn masks(masks: Vec<MaskEdit>) -> Edits {
    Edits { masks, ..Edits::default() }
}

fn heads(heads: Vec<HeadEdit>) -> Edits {
    Edits { heads, ..Edits::default() }
}

fn drawn(rows: Vec<Vec<f64>>) -> HeadEdit {
    HeadEdit { pattern: Some(HeadPattern::Drawn(rows)), ..HeadEdit::default() }
}

/// Bad edits by their part and code: of a translator that reads four tokens and three, with a word
/// of the sentence where only that edit has it.
fn bad_edits() -> Value {
    json!({
        "heads edit/out-of-range": [
            ["layer 3", {"stack": "encoder", "layers": [3], "gate": 0}],
            ["head 5", {"stack": "encoder", "heads": [0, 5], "gate": 0}],
            ["layer 4000000000", {"layers": [4_000_000_000u64], "gate": 0}],
        ],
        "heads edit/unsupported": [
            ["uniform", {"pattern": "unknown"}],
        ],
        "heads edit/bad-value": [
            ["from −1000 to 1000", {"gate": 1e9}],
            ["1 cells in row 1", {"pattern": [[1, 0], [1], [1, 0]]}],
            ["numbers from 0", {"pattern": [[0, -1]]}],
            ["numbers from 0", {"pattern": [[0, 1e7]]}],
        ],
        "masks edit/out-of-range": [
            ["head 99", {"heads": [99], "block": []}],
            ["a query below 4", {"stack": "encoder", "block": [[4, 0]]}],
            ["a key below 4", {"stack": "encoder", "block": [[0, 4]]}],
            ["a query below 3", {"stack": "decoder", "block": [[3, 0]]}],
            ["a key below 4", {"stack": "cross", "allow": [[0, 4]]}],
            ["a position below 4", {"stack": "encoder", "preset": {"kind": "global", "tokens": [0, 4]}}],
        ],
        "masks selection/bad-stack": [
            ["\"cross\"", {"stack": "middle"}],
        ],
        "masks edit/contradiction": [
            ["a preset to join", {"mode": "replace"}],
            ["a preset to join", {"invert": true}],
            ["query 1 and key 1 in both", {"block": [[0, 0], [1, 1]], "allow": [[1, 1]]}],
        ],
        "blocks selection/bad-stack": [
            ["the stack of an edit", {"stack": "cross"}],
        ],
        "blocks edit/out-of-range": [
            ["layer 99", {"layers": [99]}],
            ["cross-attention", {"stack": "encoder", "sublayers": ["cross-attention"]}],
        ],
        "blocks edit/unsupported": [
            ["\"unknown\"", {"sublayers": ["unknown"]}],
            ["the norm of an edit", {"norm": "batch"}],
        ],
        "attention edit/unsupported": [
            ["", {"kind": "quadratic"}],
            ["", {"scale": "big"}],
        ],
        "attention edit/out-of-range": [
            ["head 9", {"heads": [9], "kind": "linear"}],
        ],
        "attention edit/bad-value": [
            ["", {"scale": 0}],
            ["", {"temperature": 0}],
            ["", {"temperature": 1e9}],
            ["", {"dropout": {"rate": 1, "seed": 1}}],
            ["", {"dropout": {"rate": 0.5, "seed": -1}}],
            ["", {"kind": "sliding", "parameters": {"width": 1.5}}],
            ["", {"kind": "chunked", "parameters": {"size": 0}}],
            ["", {"kind": "performer", "parameters": {"features": 1_000_000}}],
        ],
        "attention edit/contradiction": [
            ["", {"kind": "sliding", "parameters": {"rank": 1}}],
            ["", {"parameters": {"rank": 1}}],
            ["", {"kind": "linear", "temperature": 2}],
            ["", {"kind": "linear", "dropout": {"rate": 0.1, "seed": 1}}],
            ["", {"kind": "chunked", "dropout": {"rate": 0.1, "seed": 1}}],
            ["", {"kind": "low-rank"}],
            ["", {"kind": "low-rank", "stack": "cross"}],
            ["", {"kind": "linformer", "stack": "decoder"}],
        ],
        "positions edit/unsupported": [
            ["", {"scheme": "spiral"}],
        ],
        "positions selection/bad-stack": [
            ["", {"stack": "cross", "scheme": "none"}],
            ["", {"stack": "middle"}],
        ],
        "positions edit/out-of-range": [
            ["", {"order": [3, 1, 2, 0, 4]}],
        ],
        "positions edit/contradiction": [
            ["", {"scheme": "alibi", "parameters": {"base": 10}}],
            ["", {"parameters": {"seed": 10}}],
        ],
        "positions edit/bad-value": [
            ["", {"scheme": "rotary", "parameters": {"base": 0}}],
            ["", {"scheme": "rotary", "parameters": {"base": 1e300}}],
            ["", {"scheme": "rotary", "parameters": {"base": 1e-310}}],
            ["", {"scheme": "learned", "parameters": {"seed": 0.5}}],
            ["", {"scheme": "t5", "parameters": {"buckets": 3}}],
            ["", {"scheme": "t5", "parameters": {"buckets": 1e9}}],
            ["", {"scheme": "t5", "parameters": {"maxDistance": 16}}],
            ["", {"order": [0, 0]}],
            ["", {"order": [1, 2]}],
            ["", {"order": [1.5, 0]}],
        ],
    })
}

/// Bad patches of the same translator: their code, a word of the sentence, and the fields of their
/// address beside the layer, which is 0, with the rows of numbers.
fn bad_patches() -> [(&'static str, &'static str, Value, Value); 14] {
    let encoder = |step: &str| json!({"stack": "encoder", "step": step});
    let of = |stack: &str, step: &str, field: &str, value: Value| json!({"stack": stack, "step": step, field: value});
    let one = |head: usize, step: &str| json!({"stack": "encoder", "step": step, "head": head, "positions": [1]});
    let none = json!([]);
    [
        ("selection/bad-stage", "the step", encoder("memory"), none.clone()),
        ("selection/bad-layer", "the layer", of("encoder", "sum", "layer", json!(3)), none.clone()),
        ("selection/bad-head", "the head", of("cross", "value", "head", json!(3)), none.clone()),
        ("selection/bad-head", "none", of("cross", "sum", "head", json!(0)), none.clone()),
        ("selection/bad-head", "the step weights", encoder("weights"), none.clone()),
        (
            "selection/bad-position",
            "up to 2",
            of("decoder", "sum", "positions", json!([3])),
            none.clone(),
        ),
        (
            "selection/bad-position",
            "up to 3",
            of("cross", "value", "positions", json!([4])),
            none.clone(),
        ),
        (UNSUPPORTED, "the step of patch 0", of("encoder", "raw", "head", json!(0)), none.clone()),
        (UNSUPPORTED, "scores", of("encoder", "scores", "head", json!(0)), none),
        (RANGE, "4, one for each position", encoder("sum"), json!([[1]])),
        (RANGE, "2 rows", of("encoder", "sum", "positions", json!([1])), json!([[1], [2]])),
        (VALUE, "30 numbers", of("encoder", "sum", "positions", json!([1])), json!([[1]])),
        (VALUE, "6 numbers", one(1, "context"), json!([[1]])),
        (VALUE, "a finite number", one(1, "weights"), json!([[0, 0, 1e39, 0]])),
    ]
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn bad_edits_are_refused_with_their_code() {
    let model = ReferenceModel::new(reference!("marian-tiny")).await;
    let refused = |edits: Value, code: &str, word: &str| {
        let what = edits.to_string();
        // Names are refused by the reader, with the code that the wasm API finds in its text.
        let read = serde_json::from_value(edits).map_err(|error| {
            Error::from_reader(&error.to_string(), Code::EditUnsupported, "the edits")
        });
        let begun = read
            .and_then(|edits| model.begin(&RunRequest { edits, ..good_request(&model.session) }));
        assert_refused(begun, code, &[word], what.get(..200).unwrap_or(&what));
    };
    for (code, word, mut at, values) in bad_patches() {
        at.as_object_mut().unwrap().entry("layer").or_insert(json!(0));
        refused(json!({"patches": [{"at": at, "from": {"values": values}}]}), code, word);
    }
    let at = json!({"stack": "encoder", "layer": 0, "step": "context", "head": 0});
    let path = json!({"at": at, "from": {"values": []}, "to": "logits"});
    refused(json!({ "patches": [path] }), UNSUPPORTED, "the receiver of patch 0");
    for (place, edits) in bad_edits().as_object().unwrap() {
        let (part, code) = place.split_once(' ').unwrap();
        for row in edits.as_array().unwrap() {
            refused(json!({ part: [row[1]] }), code, row[0].as_str().unwrap());
        }
    }
    refused(
        json!({"masks": vec![json!({"preset": {"kind": "causal"}}); 300]}),
        "edit/too-many",
        "300",
    );
    refused(json!({"positions": vec![json!({}); 65]}), "edit/too-many", "65");
    // Relative positions join scores, which these variants never hold, also in one head of one
    // layer.
    for scheme in ["alibi", "t5", "transformer-xl"] {
        for kind in ["linear", "performer", "chunked", "sliding", "blocks"] {
            let one = json!({"layers": [1], "heads": [1], "kind": kind});
            let edits = json!({"positions": [{"scheme": scheme}], "attention": [one]});
            refused(edits, CONTRADICTION, "");
        }
    }
    // Of what a scheme has no end, more tokens than the model's own positions are read.
    let long = vec![5.0; 40];
    for (edits, code) in [
        (json!({}), Some("input/too-long")),
        (json!({"positions": [{"stack": "decoder", "scheme": "none"}]}), Some("input/too-long")),
        (json!({"positions": [{"scheme": "none"}]}), None),
        (json!({"positions": [{"scheme": "sinusoidal"}]}), None),
    ] {
        let begun = model.begin(&under(&model.session, &long, &edits));
        assert_eq!(begun.err().map(|error| error.code.as_str()), code, "{edits}");
    }
    model.assert_still_runs().await;
    // Rotated pairs need an even number of dimensions; heads of this model have 7.
    let odd = ReferenceModel::new(reference!("bert-plain")).await;
    let rotary = edited(&odd, json!({"positions": [{"scheme": "rotary"}]}));
    assert_refused(odd.begin(&rotary), UNSUPPORTED, &[], "an odd width");
    let bert = ReferenceModel::new(reference!("bert-tiny")).await;
    let cross = edited(&bert, json!({"heads": [{"stack": "cross", "gate": 0}]}));
    assert_refused(bert.begin(&cross), STACK, &["the stack of an edit", "encoder"], "no cross");
}

/// What no JSON holds, but a caller in JavaScript may send.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_with_what_is_no_number_are_refused() {
    for model in reference_models().await {
        let refused = |edits: Edits, word: &str| {
            let request = RunRequest { edits: Some(edits), ..good_request(&model.session) };
            assert_refused(model.begin(&request), VALUE, &[word, "number"], word);
        };
        for value in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            let head = HeadEdit { layers: Some(vec![0.0, value]), ..HeadEdit::default() };
            refused(heads(vec![head]), "the layers of an edit");
            let mask = MaskEdit { heads: Some(vec![value]), ..MaskEdit::default() };
            refused(masks(vec![mask]), "the heads of an edit");
            for cell in [(value, 0.0), (0.0, value)] {
                let mask = MaskEdit { block: Some(vec![cell]), ..MaskEdit::default() };
                refused(masks(vec![mask]), "the cells to block");
            }
            for (preset, word) in [
                (MaskPreset::Padding { length: value }, "the real length"),
                (MaskPreset::Window { width: value, one_sided: None }, "the width of the window"),
                (MaskPreset::Block { size: value }, "the size of a block"),
                (MaskPreset::Strided { stride: value, one_sided: None }, "the stride"),
                (MaskPreset::Prefix { length: value }, "the length of the prefix"),
                (
                    MaskPreset::Global { tokens: vec![value], width: None, one_sided: None },
                    "the global tokens",
                ),
            ] {
                refused(
                    masks(vec![MaskEdit { preset: Some(preset), ..MaskEdit::default() }]),
                    word,
                );
            }
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, f64::MAX] {
            let gate = HeadEdit { gate: Some(value), ..HeadEdit::default() };
            refused(heads(vec![gate]), "the gate of a head");
            refused(heads(vec![drawn(vec![vec![0.0, value]])]), "pattern");
            let hot = AttentionEdit { temperature: Some(value), ..AttentionEdit::default() };
            refused(Edits { attention: vec![hot], ..Edits::default() }, "");
        }
        // Each gate is allowed, their product is none.
        let gates = |gates: &[f64]| {
            let gate = |&gate: &f64| HeadEdit { gate: Some(gate), ..HeadEdit::default() };
            heads(gates.iter().map(gate).collect())
        };
        let undefined = [&[1000.0; 13][..], &[0.0]].concat();
        for product in [&[1000.0, 1.001][..], &[-1000.0, 2.0], &[1000.0; 13], &undefined] {
            refused(gates(product), "the gate of a head");
        }
        for (rows, word) in [
            (vec![vec![1.0; 2]; 50_000], "50000 rows"),
            (vec![vec![1.0; 100_000]], "100000 columns"),
        ] {
            let edits = Some(heads(vec![drawn(rows)]));
            let request = RunRequest { edits, ..good_request(&model.session) };
            assert_refused(model.begin(&request), RANGE, &[word, "pattern"], word);
        }
        model.assert_still_runs().await;
    }
}

/// While a text is being written, the model's positions bound its cells.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn cells_of_a_growing_text_are_bounded_by_the_positions() {
    let model = ReferenceModel::new(reference!("gpt2-tiny")).await;
    let longest = model.session.info().max_tokens;
    let block = |cell: usize| {
        let edits = json!({"masks": [{"block": [[cell, cell]]}]});
        writing(edited(&model, edits), 3.0)
    };
    model.run(&block(longest - 1)).await;
    let words = [&*format!("a query below {longest}")];
    assert_refused(model.begin(&block(longest)), RANGE, &words, "beyond");
    model.assert_still_runs().await;
}

/// Edits as large and as many as they may be, and against each other.
fn extremes() -> Vec<(&'static str, Edits)> {
    let cells = |edges: bool| -> Vec<(f64, f64)> {
        let all = (0..100_000).map(|i| (f64::from(i % 3), f64::from(i / 3 % 3)));
        all.filter(|(query, key)| edges || query != key).collect()
    };
    let block =
        |cells: &[(f64, f64)]| MaskEdit { block: Some(cells.to_vec()), ..MaskEdit::default() };
    let all = MaskEdit { allow: Some(cells(true)), ..MaskEdit::default() };
    let silent = HeadEdit { gate: Some(0.0), ..HeadEdit::default() };
    let half = HeadEdit { gate: Some(0.5), ..HeadEdit::default() };
    let large = HeadEdit { gate: Some(-1000.0), ..HeadEdit::default() };
    let bare =
        BlockEdit { norm: Some(NormPlace::None), residual: Some(false), ..BlockEdit::default() };
    let without = BlockEdit { residual: Some(false), ..BlockEdit::default() };
    let tiny = vec![vec![f64::MIN_POSITIVE / 4.0, 0.0], vec![0.0, 0.0], vec![1e6, 1e-6]];
    let blocks = |blocks| Edits { blocks, ..Edits::default() };
    vec![
        ("every cell but the diagonal, in one edit", masks(vec![block(&cells(false))])),
        (
            "the same in many edits",
            masks(cells(false)[..200].iter().map(|&cell| block(&[cell])).collect()),
        ),
        ("every cell allowed, over and over", masks(vec![all])),
        ("all heads ablated", heads(vec![silent])),
        ("a large gate", heads(vec![large])),
        ("gates that vanish", heads(vec![half; 20_000])),
        ("the smallest shares", heads(vec![drawn(tiny)])),
        ("drawn over and over", heads(vec![drawn(vec![vec![1.0, 2.0]; 2]); 20_000])),
        ("neither residuals nor norms", blocks(vec![bare])),
        ("a hundred thousand edits of blocks", blocks(vec![without; 100_000])),
    ]
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masses_and_extremes_of_edits_compute_numbers() {
    let huge = f64::from(u32::MAX);
    let presets = [
        json!({"kind": "window", "width": huge}),
        json!({"kind": "dilated", "width": huge, "dilation": huge}),
        json!({"kind": "block", "size": huge}),
        json!({"kind": "strided", "stride": huge, "oneSided": true}),
        json!({"kind": "padding", "length": 0}),
        json!({"kind": "padding", "length": huge}),
        json!({"kind": "prefix", "length": huge}),
        json!({"kind": "global", "tokens": []}),
        json!({"kind": "random", "keys": 64, "seed": huge}),
    ];
    for model in reference_models().await {
        for (what, edits) in extremes() {
            let request = RunRequest { edits: Some(edits), ..good_request(&model.session) };
            assert_finite(&model.session, &model.run(&request).await, what).await;
        }
        // Alone, inverted, and of a kind that reads some keys of a row at a time.
        for (preset, fill) in
            presets.iter().flat_map(|one| ["-inf", "-1e9"].map(|fill| (one, fill)))
        {
            for invert in [false, true] {
                let edit = json!({"preset": preset, "invert": invert, "fill": fill});
                for kind in [json!([]), json!([{"kind": "chunked", "parameters": {"size": 1}}])] {
                    let edits = json!({"masks": [edit], "attention": kind});
                    let what = edits.to_string();
                    let run = model.run(&edited(&model, edits)).await;
                    assert_finite(&model.session, &run, &what).await;
                }
            }
        }
        let modes = ["and", "or", "replace"].into_iter().cycle();
        let joined = presets.iter().cycle().take(255).zip(modes);
        let joined: Vec<Value> =
            joined.map(|(preset, mode)| json!({"preset": preset, "mode": mode})).collect();
        let run = model.run(&edited(&model, json!({ "masks": joined }))).await;
        assert_finite(&model.session, &run, "one after the other").await;
        // Without any cell every weight is 0.
        let nowhere = json!({"masks": [{"preset": {"kind": "none"}, "invert": true}]});
        let run = model.run(&edited(&model, nowhere)).await;
        assert_finite(&model.session, &run, "every cell masked").await;
        for (name, numbers) in numbers(&model.session, &run).await {
            assert!(!name.ends_with(".weights") || numbers.iter().all(|&x| x == 0.0), "{name}");
        }
        model.assert_still_runs().await;
    }
}
