//! Edits as one value per attention site and block, and what lenient edits are cut down to. What
//! equals no edit, and where two differ first, is what a run reuses (`reuse.rs`).

use headscope::axes::Stack;
use headscope::edits::{Connection, EditFit, Edits, Extent, MisfitReason, NormPlace, fit};
use headscope::error::Result;
use wasm_bindgen_test::wasm_bindgen_test;

const EXTENTS: [Extent; 3] = [
    Extent {
        stack: Stack::Encoder,
        n_layers: 3,
        n_heads: 5,
        head_dim: 4,
        n_queries: 7,
        n_keys: 7,
        joins_scores: false,
    },
    Extent {
        stack: Stack::Decoder,
        n_layers: 2,
        n_heads: 3,
        head_dim: 3,
        n_queries: 9,
        n_keys: 9,
        joins_scores: false,
    },
    Extent {
        stack: Stack::Cross,
        n_layers: 2,
        n_heads: 3,
        head_dim: 3,
        n_queries: 9,
        n_keys: 7,
        joins_scores: false,
    },
];

fn resolve(json: &str) -> Result<Edits> {
    Edits::resolve(&serde_json::from_str(json).unwrap(), &EXTENTS)
}

fn preset(json: &str) -> Result<Edits> {
    resolve(&format!(r#"{{"masks":[{{"stack":"encoder","preset":{json}}}]}}"#))
}

#[wasm_bindgen_test(unsupported = test)]
fn two_names_of_one_rule_are_equal() {
    for (one, other) in [
        (r#"{"kind":"window","width":2}"#, r#"{"kind":"dilated","width":2,"dilation":1}"#),
        (r#"{"kind":"global","tokens":[3,1,3]}"#, r#"{"kind":"global","tokens":[1,3]}"#),
        (r#"{"kind":"random","keys":0,"seed":1,"width":1}"#, r#"{"kind":"window","width":1}"#),
        (r#"{"kind":"window","width":2,"oneSided":false}"#, r#"{"kind":"window","width":2}"#),
    ] {
        assert_eq!(preset(one).unwrap(), preset(other).unwrap(), "{one}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn later_edits_of_a_block_replace_what_earlier_ones_said() {
    let edits = resolve(
        r#"{"blocks":[{"norm":"pre","residual":false},
                      {"layers":[1],"sublayers":["feed-forward"],"norm":"none"},
                      {"stack":"decoder","sublayers":["cross-attention"],"residual":true}]}"#,
    )
    .unwrap();
    let bare = Connection { residual: false, norm: NormPlace::Pre };
    let encoder = edits.wiring(Stack::Encoder, 1);
    assert_eq!((encoder.own, encoder.cross), (bare, Connection::default()));
    assert_eq!(encoder.feed_forward, Connection { norm: NormPlace::None, ..bare });
    let decoder = edits.wiring(Stack::Decoder, 0);
    assert_eq!(decoder.cross, Connection { residual: true, ..bare });
    assert_eq!(decoder.feed_forward, bare);
}

/// Of each edit why it is left out or cut, and the edits that are left, as JSON.
fn fitted(json: &str, extents: &[Extent]) -> (Vec<MisfitReason>, serde_json::Value) {
    let EditFit { edits, misfits } = fit(&serde_json::from_str(json).unwrap(), extents);
    assert!(Edits::resolve(&edits, extents).is_ok(), "{json}");
    let sent = bare(&serde_json::to_value(&edits).unwrap());
    (misfits.iter().map(|misfit| misfit.says).collect(), sent)
}

/// Without nulls and empty lists.
fn bare(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .filter(|(_, field)| !field.is_null() && field.as_array() != Some(&Vec::new()))
                .map(|(name, field)| (name.clone(), bare(field)))
                .collect(),
        ),
        Value::Array(all) => Value::Array(all.iter().map(bare).collect()),
        Value::Number(number) => number.as_f64().map_or(Value::Null, |number| {
            if number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
        }),
        other => other.clone(),
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn lenient_edits_are_cut_to_what_fits_and_say_what_does_not() {
    use MisfitReason::{
        Impossible, Inactive, OtherModel, Partly, PartlyDrawn, PartlyLength, PartlyModel,
        PartlyOrder, PartlyStacks, PartlyTokens,
    };
    let encoder = &EXTENTS[..1];
    let long = Extent { n_queries: 513, n_keys: 513, ..EXTENTS[0] };
    let cases: &[(&str, &[Extent], &[MisfitReason], &str)] = &[
        ("{}", &EXTENTS, &[], "{}"),
        (
            r#"{"masks":[{"stack":"cross","layers":[1],"block":[[8,6],[9,6],[8,7]]},
                {"stack":"cross","layers":[9],"block":[[0,0]]},
                {"block":[[8,3],[3,3]],"allow":[[9,9]]},
                {"stack":"encoder","layers":[0,9],"block":[[50,50]]}]}"#,
            &EXTENTS,
            &[Partly, OtherModel, Partly, Inactive],
            r#"{"masks":[{"stack":"cross","layers":[1],"block":[[8,6]]},{"block":[[3,3]]}]}"#,
        ),
        (
            r#"{"masks":[{"stack":"encoder","preset":{"kind":"global","tokens":[0,8]}},
                {"stack":"cross","preset":{"kind":"global","tokens":[0,8]}},
                {"preset":{"kind":"padding","length":8}},
                {"stack":"encoder","preset":{"kind":"prefix","length":7}}]}"#,
            &EXTENTS,
            &[PartlyTokens, PartlyLength],
            r#"{"masks":[{"stack":"encoder","preset":{"kind":"global","tokens":[0]}},
                {"stack":"cross","preset":{"kind":"global","tokens":[0,8]}},
                {"preset":{"kind":"padding","length":8}},
                {"stack":"encoder","preset":{"kind":"prefix","length":7}}]}"#,
        ),
        (
            r#"{"heads":[{"stack":"cross","layers":[1,9],"heads":[2],"gate":0},
                {"heads":[8,9],"gate":0.5},{"stack":"cross","heads":[0,1,2,3],"gate":0}]}"#,
            &EXTENTS,
            &[PartlyModel, OtherModel, Impossible],
            r#"{"heads":[{"stack":"cross","layers":[1],"heads":[2],"gate":0}]}"#,
        ),
        (
            r#"{"heads":[{"heads":[2],"gate":50},{"layers":[1],"heads":[2],"gate":-30},
                {"layers":[1],"gate":20},{"stack":"cross","heads":[2],"gate":1001}]}"#,
            &EXTENTS,
            &[Impossible, Impossible],
            r#"{"heads":[{"heads":[2],"gate":50},{"layers":[1],"gate":20}]}"#,
        ),
        (
            r#"{"heads":[{"stack":"cross","pattern":[[1,1,1,1,1,1,1,1]]},{"pattern":[[1]]}]}"#,
            &EXTENTS,
            &[PartlyDrawn],
            r#"{"heads":[{"stack":"cross","pattern":[[1,1,1,1,1,1,1]]},{"pattern":[[1]]}]}"#,
        ),
        (
            r#"{"blocks":[{"layers":[0,9],"residual":false},{"stack":"decoder","norm":"pre"},
                {"sublayers":["cross-attention","feed-forward"],"norm":"pre"},
                {"sublayers":["cross-attention"],"norm":"pre"}]}"#,
            encoder,
            &[PartlyModel, OtherModel, PartlyModel, OtherModel],
            r#"{"blocks":[{"layers":[0],"residual":false},
                {"sublayers":["feed-forward"],"norm":"pre"}]}"#,
        ),
        (
            r#"{"positions":[{"order":[7,6,5,4,3,2,1,0]},
                {"scheme":"t5","order":[7,6,5,4,3,2,1,0]},
                {"stack":"decoder","order":[7,6,5,4,3,2,1,0]}, {"scheme":"rotary"}]}"#,
            &EXTENTS,
            &[Inactive, PartlyOrder, Impossible],
            r#"{"positions":[{"scheme":"t5"},{"stack":"decoder","order":[7,6,5,4,3,2,1,0]}]}"#,
        ),
        (
            r#"{"attention":[{"kind":"linformer"},{"stack":"decoder","kind":"low-rank"},
                {"kind":"sliding"},{"kind":"cosine"},{"layers":[9],"kind":"linear"}],
                "positions":[{"stack":"encoder","scheme":"alibi"}]}"#,
            &EXTENTS,
            &[PartlyStacks, Impossible, PartlyStacks, OtherModel],
            r#"{"attention":[{"stack":"cross","kind":"linformer"},
                {"stack":"decoder","kind":"sliding"},{"stack":"cross","kind":"sliding"},
                {"kind":"cosine"}],"positions":[{"stack":"encoder","scheme":"alibi"}]}"#,
        ),
        (r#"{"attention":[{"kind":"low-rank"}]}"#, &[long], &[Impossible], "{}"),
    ];
    for (sent, extents, says, left) in cases {
        let left = bare(&serde_json::from_str(left).unwrap());
        assert_eq!(fitted(sent, extents), (says.to_vec(), left), "{sent}");
    }
}
