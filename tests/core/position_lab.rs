//! The laboratory of positions: sinusoidal tables as PyTorch computes them, whatever their base
//! and layout, and the likeness of a table's rows as NumPy finds it.

use headscope::demos::absolute::{LikenessAsked, likeness};
use headscope::demos::absolute::{WavesAsked, waves};
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

const REFERENCE: &str = include_str!("../reference/position-lab.json");
const TOLERANCE: f64 = 1e-10;

/// The numbers of a fixture; null is no number.
fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|cell| cell.as_f64().unwrap_or(f64::NAN)).collect()
}

fn close(got: &[f64], want: &Value, what: &str) {
    let want = numbers(want);
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (got, want)) in got.iter().zip(&want).enumerate() {
        let same = (got - want).abs() <= TOLERANCE * want.abs().max(1.0);
        assert!(same || (got.is_nan() && want.is_nan()), "{what}[{at}]: {got} instead of {want}");
    }
}

fn cases(topic: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(REFERENCE).unwrap();
    let found = all[topic].as_array().unwrap().clone();
    assert!(!found.is_empty());
    found
}

#[wasm_bindgen_test(unsupported = test)]
fn waves_are_those_of_pytorch() {
    for case in cases("waves") {
        let number = |name: &str| case[name].as_f64().unwrap();
        let (length, dim, base) = (number("length"), number("dim"), number("base"));
        let halves = case["halves"].as_bool();
        let got = waves(&WavesAsked { length, dim, base, halves }).unwrap();
        let what = format!("{length} × {dim}, base {base}, halves {halves:?}");
        close(&got.table, &case["table"], &what);
        close(&got.products, &case["products"], &what);
        let alike = likeness(&LikenessAsked { table: got.table, dim }).unwrap();
        close(&alike.products_apart, &case["productsApart"], &what);
        // Of an odd width the last pair has no cosine, and the distance alone decides no more.
        let (of_first, means) = (numbers(&case["products"]), numbers(&case["productsApart"]));
        let same = of_first.iter().zip(means).all(|(one, mean)| (one - mean).abs() < TOLERANCE);
        assert_eq!(same, dim % 2.0 == 0.0, "{what}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn likeness_is_that_of_numpy() {
    for case in cases("likeness") {
        let dim = case["dim"].as_f64().unwrap();
        let got = likeness(&LikenessAsked { table: numbers(&case["table"]), dim }).unwrap();
        close(&got.products, &case["products"], "products");
        close(&got.cosines, &case["cosines"], "cosines");
        close(&got.products_apart, &case["productsApart"], "products by distance");
        close(&got.cosines_apart, &case["cosinesApart"], "cosines by distance");
    }
}
