//! Edits that name what does not exist, hold what is no number, come in masses, or
//! contradict each other.

use headscope::edits::wire::{BlockEdit, Edits, HeadEdit, HeadPattern, MaskEdit, MaskPreset};
use headscope::run::RunRequest;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::reference;
use crate::witness::{
    Witness, assert_finite, assert_refused, families, good_request, numbers, writing,
};

/// The witness' good request under edits.
fn edited(witness: &Witness, edits: Value) -> RunRequest {
    let edits: Edits = serde_json::from_value(edits).expect("edits of the documented form");
    RunRequest { edits: Some(edits), ..good_request(&witness.session) }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_of_what_does_not_exist_are_refused() {
    let witness = Witness::new(reference!("marian-tiny")).await;
    let range = "edit/out-of-range";
    let cases = [
        (json!({"heads": [{"stack": "encoder", "layers": [3], "gate": 0}]}), range, "layer 3"),
        (json!({"heads": [{"stack": "encoder", "heads": [0, 5], "gate": 0}]}), range, "head 5"),
        (json!({"heads": [{"layers": [4_000_000_000u64], "gate": 0}]}), range, "layer 4000000000"),
        (json!({"masks": [{"heads": [99], "block": []}]}), range, "head 99"),
        (json!({"masks": [{"stack": "encoder", "block": [[4, 0]]}]}), range, "a query below 4"),
        (json!({"masks": [{"stack": "encoder", "block": [[0, 4]]}]}), range, "a key below 4"),
        (json!({"masks": [{"stack": "decoder", "block": [[3, 0]]}]}), range, "a query below 3"),
        (json!({"masks": [{"stack": "cross", "block": [[0, 4]]}]}), range, "a key below 4"),
        (json!({"masks": [{"stack": "middle"}]}), "selection/bad-stack", "\"cross\""),
    ];
    for (edits, code, word) in cases {
        let what = edits.to_string();
        assert_refused(witness.begin(&edited(&witness, edits)), code, &[word], &what);
    }
    let bert = Witness::new(reference!("bert-tiny")).await;
    let edits = edited(&bert, json!({"heads": [{"stack": "cross", "gate": 0}]}));
    let words = ["the stack of an edit", "encoder", "cross"];
    assert_refused(bert.begin(&edits), "selection/bad-stack", &words, "no cross-attention");
    witness.assert_unharmed().await;
}

/// While a text is being written, the model's positions bound its cells.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn cells_of_a_growing_text_are_bounded_by_the_positions() {
    let witness = Witness::new(reference!("gpt2-tiny")).await;
    let longest = witness.session.info().max_tokens;
    let block = |cell: usize| {
        let edits = json!({"masks": [{"block": [[cell, cell]]}]});
        writing(edited(&witness, edits), 3.0)
    };
    witness.run(&block(longest - 1)).await;
    let words = [&*format!("a query below {longest}")];
    assert_refused(witness.begin(&block(longest)), "edit/out-of-range", &words, "beyond");
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_with_what_is_no_number_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let refused = |edits: Edits, word: &str, what: &str| {
            let request = RunRequest { edits: Some(edits), ..good_request(&witness.session) };
            let words = [word, "number"];
            assert_refused(witness.begin(&request), "edit/bad-value", &words, what);
        };
        for gate in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, -1e9, 1e300, f64::MAX] {
            let head = HeadEdit { gate: Some(gate), ..HeadEdit::default() };
            let edits = Edits { heads: vec![head], ..Edits::default() };
            refused(edits, "the gate of a head", &format!("gate {gate}"));
        }
        for index in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            let what = format!("index {index}");
            let layers = HeadEdit { layers: Some(vec![0.0, index]), ..HeadEdit::default() };
            refused(
                Edits { heads: vec![layers], ..Edits::default() },
                "the layers of an edit",
                &what,
            );
            let heads = MaskEdit { heads: Some(vec![index]), ..MaskEdit::default() };
            refused(
                Edits { masks: vec![heads], ..Edits::default() },
                "the heads of an edit",
                &what,
            );
            for cell in [(index, 0.0), (0.0, index)] {
                let cells = MaskEdit { block: Some(vec![cell]), ..MaskEdit::default() };
                refused(
                    Edits { masks: vec![cells], ..Edits::default() },
                    "the cells to block",
                    &what,
                );
            }
        }
        witness.assert_unharmed().await;
    }
}

/// Each gate is allowed, their product is none.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn gates_whose_product_overflows_are_refused() {
    let witness = Witness::new(reference!("gpt2-tiny")).await;
    let gates = |gates: &[f64]| {
        let heads: Vec<Value> = gates.iter().map(|gate| json!({"gate": gate})).collect();
        edited(&witness, json!({"heads": heads}))
    };
    let overflow = [1000.0; 13];
    let undefined = [&overflow[..], &[0.0]].concat();
    for product in [&[1000.0, 1.001][..], &[-1000.0, 2.0], &overflow, &undefined] {
        let words = ["the gate of a head", "from −1000 to 1000"];
        let what = format!("{product:?}");
        assert_refused(witness.begin(&gates(product)), "edit/bad-value", &words, &what);
    }
    for product in [&[1000.0][..], &[-1000.0], &[1000.0, 1000.0, 0.0], &[1e-300; 3]] {
        let run = witness.run(&gates(product)).await;
        assert_finite(&witness.session, &run, &format!("{product:?}")).await;
    }
    witness.assert_unharmed().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masses_of_edits_are_taken() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let good = good_request(&witness.session);
        // Every cell but the diagonal, over and over, in one edit and in many.
        let cells: Vec<(f64, f64)> = (0..100_000)
            .map(|i| (f64::from(i % 3), f64::from(i / 3 % 3)))
            .filter(|(query, key)| query != key)
            .collect();
        let one =
            |cells: &[(f64, f64)]| MaskEdit { block: Some(cells.to_vec()), ..MaskEdit::default() };
        let few = cells[..6].iter().map(|cell| one(&[*cell])).collect();
        let many = cells.iter().take(3_000).map(|cell| one(&[*cell])).collect();
        let mut answers = Vec::new();
        for masks in [vec![one(&cells)], few, many] {
            let edits = Some(Edits { masks, ..Edits::default() });
            let run = witness.run(&RunRequest { edits, ..good.clone() }).await;
            assert_finite(&witness.session, &run, witness.reference.name).await;
            answers.push(numbers(&witness.session, &run).await);
        }
        assert!(answers[0] == answers[1] && answers[1] == answers[2], "{}", witness.reference.name);
        let halves = vec![HeadEdit { gate: Some(0.5), ..HeadEdit::default() }; 20_000];
        let edits = Some(Edits { heads: halves, ..Edits::default() });
        let run = witness.run(&RunRequest { edits, ..good }).await;
        assert_finite(&witness.session, &run, "gates that vanish").await;
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn contradictory_edits_have_one_meaning() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let run = |edits: Value| {
            let request = edited(&witness, edits);
            let witness = &witness;
            async move { numbers(&witness.session, &witness.run(&request).await).await }
        };
        // Silenced and doubled is silenced; halved and doubled is as it was.
        let silenced = run(json!({"heads": [{"heads": [0], "gate": 0}]})).await;
        let both = json!({"heads": [{"heads": [0], "gate": 0}, {"heads": [0], "gate": 2}]});
        assert!(run(both).await == silenced, "{}", witness.reference.name);
        let nothing = run(json!({})).await;
        let undone = json!({"heads": [{"gate": 0.5}, {"gate": 2}]});
        assert!(run(undone).await == nothing, "{}", witness.reference.name);
        assert!(silenced != nothing, "{}", witness.reference.name);
        // The same cell twice, and the same heads twice, are there once.
        let once = run(json!({"masks": [{"heads": [1], "block": [[1, 0]]}]})).await;
        let twice = json!({"masks": [{"heads": [1, 1], "block": [[1, 0], [1, 0]]}]});
        assert!(run(twice).await == once && once != nothing, "{}", witness.reference.name);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_model_without_any_head_and_without_any_cell_computes_numbers() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let silenced = witness.run(&edited(&witness, json!({"heads": [{"gate": 0}]}))).await;
        assert_finite(&witness.session, &silenced, "all heads silenced").await;
        let cells = |n: usize, m: usize| -> Vec<[usize; 2]> {
            (0..n).flat_map(|query| (0..m).map(move |key| [query, key])).collect()
        };
        let stacks = witness.session.info().stacks;
        let n_target = if stacks.cross.is_some() { 3 } else { 4 };
        let there = [
            stacks.encoder.map(|_| json!({"stack": "encoder", "block": cells(4, 4)})),
            stacks.decoder.map(|_| json!({"stack": "decoder", "block": cells(n_target, n_target)})),
            stacks.cross.map(|_| json!({"stack": "cross", "block": cells(n_target, 4)})),
        ];
        let masks: Vec<Value> = there.into_iter().flatten().collect();
        let blind = witness.run(&edited(&witness, json!({"masks": masks}))).await;
        assert_finite(&witness.session, &blind, "every cell blocked").await;
        for (name, numbers) in numbers(&witness.session, &blind).await {
            let sum: f32 = numbers.iter().sum();
            assert!(!name.ends_with(".weights") || sum == 0.0, "{name}: {sum}");
        }
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masks_with_what_is_no_number_or_not_there_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        for value in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            let presets = [
                (MaskPreset::Padding { length: value }, "the real length"),
                (MaskPreset::Window { width: value, one_sided: None }, "the width of the window"),
                (MaskPreset::Block { size: value }, "the size of a block"),
                (MaskPreset::Strided { stride: value, one_sided: None }, "the stride"),
                (MaskPreset::Prefix { length: value }, "the length of the prefix"),
                (
                    MaskPreset::Global { tokens: vec![value], width: None, one_sided: None },
                    "the global tokens",
                ),
            ];
            for (preset, word) in presets {
                let mask = MaskEdit { preset: Some(preset), ..MaskEdit::default() };
                let edits = Some(Edits { masks: vec![mask], ..Edits::default() });
                let request = RunRequest { edits, ..good_request(&witness.session) };
                let words = [word, "number"];
                assert_refused(witness.begin(&request), "edit/bad-value", &words, word);
            }
        }
        let refused = |edit: Value, code: &str, word: &str| {
            let request = edited(&witness, json!({"masks": [edit]}));
            assert_refused(witness.begin(&request), code, &[word], &edit.to_string());
        };
        let global = json!({"kind": "global", "tokens": [0, 4]});
        refused(json!({"preset": global}), "edit/out-of-range", "a position below 4");
        refused(json!({"allow": [[0, 4]]}), "edit/out-of-range", "a key below");
        refused(json!({"mode": "replace"}), "edit/contradiction", "a preset to join");
        refused(json!({"invert": true}), "edit/contradiction", "a preset to join");
        let both = json!({"block": [[0, 0], [1, 1]], "allow": [[1, 1]]});
        refused(both, "edit/contradiction", "query 1 and key 1 in both");
        let crowd = vec![json!({"preset": {"kind": "causal"}}); 300];
        let request = edited(&witness, json!({"masks": crowd}));
        assert_refused(witness.begin(&request), "edit/too-many", &["at most 256", "300"], "crowd");
        witness.assert_unharmed().await;
    }
}

/// As large as they may be, as many as they may be, and against each other.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn masks_of_extremes_compute_numbers() {
    let huge = f64::from(u32::MAX);
    let extremes = [
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
    for reference in families() {
        let witness = Witness::new(reference).await;
        for (preset, fill) in
            extremes.iter().flat_map(|preset| ["-inf", "-1e9"].map(|fill| (preset, fill)))
        {
            for invert in [false, true] {
                let edit = json!({"preset": preset, "invert": invert, "fill": fill});
                let run = witness.run(&edited(&witness, json!({"masks": [edit]}))).await;
                assert_finite(&witness.session, &run, &edit.to_string()).await;
                // A kind that asks for some keys of a row at a time.
                let chunked = json!({"masks": [edit], "attention": [{"kind": "chunked", "parameters": {"size": 1}}]});
                let request = edited(&witness, chunked);
                let run = witness.run(&request).await;
                assert_finite(&witness.session, &run, &edit.to_string()).await;
            }
        }
        let some = extremes.iter().cycle().take(255);
        let masks: Vec<Value> = some
            .zip(["and", "or", "replace"].iter().cycle())
            .map(|(preset, mode)| json!({"preset": preset, "mode": mode}))
            .collect();
        let run = witness.run(&edited(&witness, json!({"masks": masks}))).await;
        assert_finite(&witness.session, &run, "one after the other").await;
        let cells: Vec<[u32; 2]> = (0..100_000).map(|i| [i % 3, i / 3 % 3]).collect();
        let all = witness.run(&edited(&witness, json!({"masks": [{"allow": cells}]}))).await;
        assert_finite(&witness.session, &all, "every cell allowed, over and over").await;
        witness.assert_unharmed().await;
    }
}

fn drawn(rows: Vec<Vec<f64>>) -> Edits {
    let head = HeadEdit { pattern: Some(HeadPattern::Drawn(rows)), ..HeadEdit::default() };
    Edits { heads: vec![head], ..Edits::default() }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn drawn_patterns_that_are_none_are_refused() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let refused = |rows: Vec<Vec<f64>>, code: &str, word: &str, what: &str| {
            let request = RunRequest { edits: Some(drawn(rows)), ..good_request(&witness.session) };
            assert_refused(witness.begin(&request), code, &[word, "pattern"], what);
        };
        for cell in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -1e-300, 1e7, f64::MAX] {
            let what = format!("cell {cell}");
            refused(vec![vec![0.0, cell]], "edit/bad-value", "numbers from 0", &what);
        }
        let ragged = vec![vec![1.0, 0.0], vec![1.0], vec![1.0, 0.0]];
        refused(ragged, "edit/bad-value", "1 cells in row 1", "ragged");
        refused(vec![vec![1.0; 2]; 50_000], "edit/out-of-range", "50000 rows", "many rows");
        refused(vec![vec![1.0; 100_000]], "edit/out-of-range", "100000 columns", "a long row");
        let name = HeadPattern::Named("dream".repeat(100_000));
        let head = HeadEdit { pattern: Some(name), ..HeadEdit::default() };
        let edits = Some(Edits { heads: vec![head], ..Edits::default() });
        let request = RunRequest { edits, ..good_request(&witness.session) };
        let words = ["the pattern of a head", "uniform"];
        assert_refused(witness.begin(&request), "edit/unsupported", &words, "another name");
        // The smallest numbers there are have a share as well, and zeros have none.
        for row in [vec![f64::MIN_POSITIVE / 4.0, 0.0], vec![0.0, 0.0], vec![1e6, 1e-6], vec![]] {
            let edits = Some(drawn(vec![row.clone()]));
            let run = witness.run(&RunRequest { edits, ..good_request(&witness.session) }).await;
            assert_finite(&witness.session, &run, &format!("{row:?}")).await;
        }
        let many = vec![drawn(vec![vec![1.0, 2.0]; 2]).heads.remove(0); 20_000];
        let edits = Some(Edits { heads: many, ..Edits::default() });
        let run = witness.run(&RunRequest { edits, ..good_request(&witness.session) }).await;
        assert_finite(&witness.session, &run, "drawn over and over").await;
        witness.assert_unharmed().await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn blocks_that_are_not_there_are_refused_and_bare_ones_compute_numbers() {
    for reference in families() {
        let witness = Witness::new(reference).await;
        let there = witness.session.info().stacks;
        let one = if there.encoder.is_some() { "encoder" } else { "decoder" };
        let cases = [
            (
                json!({"blocks": [{"stack": "cross"}]}),
                "selection/bad-stack",
                "the stack of an edit",
            ),
            (json!({"blocks": [{"stack": "middle"}]}), "selection/bad-stack", "\"middle\""),
            (json!({"blocks": [{"layers": [99]}]}), "edit/out-of-range", "layer 99"),
            (json!({"blocks": [{"layers": [0.5]}]}), "edit/bad-value", "the layers of an edit"),
            (json!({"blocks": [{"sublayers": ["dream"]}]}), "edit/unsupported", "\"dream\""),
            (json!({"blocks": [{"norm": "batch"}]}), "edit/unsupported", "the norm of an edit"),
            (
                json!({"blocks": [{"stack": one, "sublayers": ["cross-attention"]}]}),
                "edit/out-of-range",
                "cross-attention",
            ),
        ];
        for (edits, code, word) in cases {
            let what = edits.to_string();
            assert_refused(witness.begin(&edited(&witness, edits)), code, &[word], &what);
        }
        let bare = edited(&witness, json!({"blocks": [{"norm": "none", "residual": false}]}));
        let run = witness.run(&bare).await;
        assert_finite(&witness.session, &run, "neither residuals nor norms").await;
        let block = BlockEdit { residual: Some(false), ..BlockEdit::default() };
        let edits = Some(Edits { blocks: vec![block; 100_000], ..Edits::default() });
        let run = witness.run(&RunRequest { edits, ..good_request(&witness.session) }).await;
        assert_finite(&witness.session, &run, "a hundred thousand edits of blocks").await;
        witness.assert_unharmed().await;
    }
}
