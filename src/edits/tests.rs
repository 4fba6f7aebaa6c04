use super::*;
use wasm_bindgen_test::wasm_bindgen_test;

const EXTENTS: [Extent; 3] = [
    Extent { stack: Stack::Encoder, n_layers: 3, n_heads: 5, n_queries: 7, n_keys: 7 },
    Extent { stack: Stack::Decoder, n_layers: 2, n_heads: 3, n_queries: 9, n_keys: 9 },
    Extent { stack: Stack::Cross, n_layers: 2, n_heads: 3, n_queries: 9, n_keys: 7 },
];

fn resolve(json: &str) -> Result<Edits> {
    Edits::resolve(&serde_json::from_str(json).unwrap(), &EXTENTS)
}

#[wasm_bindgen_test(unsupported = test)]
fn an_edit_lands_on_its_site_alone() {
    let edits =
        resolve(r#"{"heads":[{"stack":"encoder","layers":[1],"heads":[4],"gate":0}]}"#).unwrap();
    assert_eq!(edits.site(Stack::Encoder, 1).gates(5), [1.0, 1.0, 1.0, 1.0, 0.0]);
    assert_eq!(edits.site(Stack::Encoder, 0), SiteEdits::default());
    assert_eq!(edits.site(Stack::Decoder, 1), SiteEdits::default());
}

#[wasm_bindgen_test(unsupported = test)]
fn gates_multiply_in_order() {
    let edits =
        resolve(r#"{"heads":[{"gate":0.5},{"stack":"cross","heads":[0],"gate":2}]}"#).unwrap();
    assert_eq!(edits.site(Stack::Cross, 0).gates(3), [1.0, 0.5, 0.5]);
}

#[wasm_bindgen_test(unsupported = test)]
fn what_changes_nothing_equals_no_edit() {
    let nothing = resolve("{}").unwrap();
    for json in [
        r#"{"heads":[{"gate":1}]}"#,
        r#"{"heads":[{"heads":[],"gate":0}]}"#,
        r#"{"masks":[{"block":[]}]}"#,
        r#"{"masks":[{"heads":[],"block":[[0,0]]}]}"#,
        r#"{"masks":[{"preset":{"kind":"none"}}]}"#,
        r#"{"masks":[{"preset":{"kind":"none"},"mode":"or","invert":true}]}"#,
        r#"{"masks":[{"allow":[]}, {"mode":"and"}]}"#,
        r#"{"masks":[{"fill":"-1e9"},{"fill":"-inf"}]}"#,
        r#"{"heads":[{"heads":[],"pattern":"uniform"},{"pattern":[]}]}"#,
        r#"{"blocks":[{"norm":"model","residual":true},{"layers":[],"norm":"none"}]}"#,
    ] {
        assert_eq!(resolve(json).unwrap(), nothing, "{json}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_first_changed_block_is_found_across_both_sites_of_the_decoder() {
    let none = resolve("{}").unwrap();
    let cross = resolve(r#"{"masks":[{"stack":"cross","layers":[1],"block":[[0,0]]}]}"#).unwrap();
    assert_eq!(cross.first_difference(&none, Stack::Encoder), None);
    assert_eq!(cross.first_difference(&none, Stack::Decoder), Some(1));
    let both = resolve(r#"{"masks":[{"layers":[1],"block":[[0,0]]}],"heads":[{"stack":"decoder","layers":[0],"gate":0}]}"#)
        .unwrap();
    assert_eq!(both.first_difference(&none, Stack::Encoder), Some(1));
    assert_eq!(both.first_difference(&cross, Stack::Decoder), Some(0));
}

#[wasm_bindgen_test(unsupported = test)]
fn hostile_edits_are_refused_with_a_code() {
    let cases = [
        (r#"{"heads":[{"stack":"middle","gate":0}]}"#, "selection/bad-stack"),
        (r#"{"heads":[{"stack":"encoder","layers":[3],"gate":0}]}"#, "edit/out-of-range"),
        (r#"{"heads":[{"heads":[5],"gate":0}]}"#, "edit/out-of-range"),
        (r#"{"heads":[{"heads":[-1],"gate":0}]}"#, "edit/bad-value"),
        (r#"{"heads":[{"heads":[0.5],"gate":0}]}"#, "edit/bad-value"),
        (r#"{"heads":[{"gate":1e9}]}"#, "edit/bad-value"),
        (r#"{"masks":[{"stack":"cross","block":[[0,7]]}]}"#, "edit/out-of-range"),
        (r#"{"masks":[{"stack":"cross","block":[[9,0]]}]}"#, "edit/out-of-range"),
        (r#"{"masks":[{"block":[[1e300,0]]}]}"#, "edit/bad-value"),
        (r#"{"masks":[{"stack":"cross","allow":[[9,0]]}]}"#, "edit/out-of-range"),
        (r#"{"masks":[{"allow":[[0,-1]]}]}"#, "edit/bad-value"),
        (r#"{"masks":[{"allow":[[1,2],[0,1]],"block":[[0,1]]}]}"#, "edit/contradiction"),
        (r#"{"masks":[{"mode":"replace","block":[[0,1]]}]}"#, "edit/contradiction"),
        (r#"{"masks":[{"invert":true}]}"#, "edit/contradiction"),
        (r#"{"heads":[{"pattern":"dream"}]}"#, "edit/unsupported"),
        (r#"{"heads":[{"pattern":[[1],[1,2]]}]}"#, "edit/bad-value"),
        (r#"{"heads":[{"pattern":[[1,-1]]}]}"#, "edit/bad-value"),
        (r#"{"heads":[{"pattern":[[1e7]]}]}"#, "edit/bad-value"),
        (r#"{"heads":[{"stack":"cross","pattern":[[1,1,1,1,1,1,1,1]]}]}"#, "edit/out-of-range"),
        (r#"{"blocks":[{"stack":"cross"}]}"#, "selection/bad-stack"),
        (r#"{"blocks":[{"stack":"decoder","layers":[2]}]}"#, "edit/out-of-range"),
        (
            r#"{"blocks":[{"stack":"encoder","sublayers":["cross-attention"]}]}"#,
            "edit/out-of-range",
        ),
        (r#"{"blocks":[{"sublayers":["dream"]}]}"#, "edit/unsupported"),
        (r#"{"blocks":[{"norm":"batch"}]}"#, "edit/unsupported"),
    ];
    for (json, code) in cases {
        assert_eq!(resolve(json).unwrap_err().code.as_str(), code, "{json}");
    }
    let mut nan = wire::Edits::default();
    nan.heads.push(wire::HeadEdit { gate: Some(f64::NAN), ..Default::default() });
    assert_eq!(Edits::resolve(&nan, &EXTENTS).unwrap_err().code, Code::EditBadValue);
}

fn preset(json: &str) -> Result<Edits> {
    resolve(&format!(r#"{{"masks":[{{"stack":"encoder","preset":{json}}}]}}"#))
}

#[wasm_bindgen_test(unsupported = test)]
fn numbers_of_a_preset_are_checked() {
    for json in [
        r#"{"kind":"window","width":-1}"#,
        r#"{"kind":"window","width":0.5}"#,
        r#"{"kind":"dilated","width":1,"dilation":0}"#,
        r#"{"kind":"block","size":0}"#,
        r#"{"kind":"strided","stride":0}"#,
        r#"{"kind":"padding","length":1e300}"#,
        r#"{"kind":"prefix","length":-2}"#,
        r#"{"kind":"global","tokens":[1,2.5]}"#,
        r#"{"kind":"random","keys":65,"seed":1}"#,
        r#"{"kind":"random","keys":1,"seed":4294967296}"#,
    ] {
        assert_eq!(preset(json).unwrap_err().code, Code::EditBadValue, "{json}");
    }
    let global = |token: usize| preset(&format!(r#"{{"kind":"global","tokens":[0,{token}]}}"#));
    assert!(global(6).is_ok());
    assert_eq!(global(7).unwrap_err().code, Code::EditOutOfRange);
    // In cross-attention it may be a query alone.
    let cross = r#"{"masks":[{"stack":"cross","preset":{"kind":"global","tokens":[8]}}]}"#;
    assert!(resolve(cross).is_ok());
    assert!(resolve(&cross.replace('8', "9")).is_err());
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
fn a_crowd_of_presets_is_refused() {
    let crowd = |n: usize| {
        let one = wire::MaskEdit { preset: Some(wire::MaskPreset::Causal), ..Default::default() };
        Edits::resolve(&wire::Edits { masks: vec![one; n], ..Default::default() }, &EXTENTS)
    };
    assert!(crowd(256).is_ok());
    assert_eq!(crowd(257).unwrap_err().code, Code::EditTooMany);
}

#[wasm_bindgen_test(unsupported = test)]
fn later_edits_of_a_block_replace_what_earlier_ones_said() {
    let edits = resolve(
        r#"{"blocks":[{"norm":"pre","residual":false},
                      {"layers":[1],"sublayers":["feed-forward"],"norm":"none"},
                      {"stack":"decoder","sublayers":["cross-attention"],"residual":true}]}"#,
    )
    .unwrap();
    let bare = Connection { residual: false, norm: Some(NormSide::Pre) };
    let encoder = edits.wiring(Stack::Encoder, 1);
    assert_eq!((encoder.own, encoder.cross), (bare, Connection::default()));
    assert_eq!(encoder.feed_forward, Connection { norm: Some(NormSide::None), ..bare });
    let decoder = edits.wiring(Stack::Decoder, 0);
    assert_eq!(decoder.cross, Connection { residual: true, ..bare });
    assert_eq!(decoder.feed_forward, bare);
    let none = resolve("{}").unwrap();
    assert_eq!(edits.first_difference(&none, Stack::Encoder), Some(0));
    let late = resolve(r#"{"blocks":[{"stack":"decoder","layers":[1],"norm":"pre"}]}"#).unwrap();
    assert_eq!(late.first_difference(&none, Stack::Decoder), Some(1));
    assert_eq!(late.first_difference(&none, Stack::Encoder), None);
    assert_eq!(late.clone().settled(NormSide::Pre, Scheme::Learned), none);
    assert_eq!(late.clone().settled(NormSide::Post, Scheme::Learned), late);
}
