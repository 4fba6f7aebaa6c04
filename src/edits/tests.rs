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
fn absent_scopes_mean_everywhere_that_has_them() {
    let edits = resolve(r#"{"heads":[{"heads":[4],"gate":0.5}]}"#).unwrap();
    assert_eq!(edits.site(Stack::Encoder, 2).gates(5)[4], 0.5);
    assert_eq!(edits.site(Stack::Decoder, 0), SiteEdits::default());
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
    ];
    for (json, code) in cases {
        assert_eq!(resolve(json).unwrap_err().code.as_str(), code, "{json}");
    }
    let mut nan = wire::Edits::default();
    nan.heads.push(wire::HeadEdit { gate: Some(f64::NAN), ..Default::default() });
    assert_eq!(Edits::resolve(&nan, &EXTENTS).unwrap_err().code, Code::EditBadValue);
}

#[wasm_bindgen_test(unsupported = test)]
fn a_hundred_thousand_cells_are_taken() {
    let cells: Vec<(f64, f64)> =
        (0..100_000).map(|i| (f64::from(i % 7), f64::from(i % 5))).collect();
    let mask =
        wire::MaskEdit { stack: Some("encoder".into()), block: Some(cells), ..Default::default() };
    let edits =
        Edits::resolve(&wire::Edits { masks: vec![mask], heads: vec![] }, &EXTENTS).unwrap();
    assert_ne!(edits.site(Stack::Encoder, 0), SiteEdits::default());
}
