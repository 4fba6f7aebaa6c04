//! Hidden states, attention weights, logits and greedy texts of tiny random models of the four
//! families equal Hugging Face's and PyTorch's, with and without edits (`tests/core/webgpu` runs
//! the same bodies on the GPU).

use crate::support;

use headscope::backend::Cpu;
use headscope::variants::VariantName;
use serde_json::Value;
use support::parity::{edited_on, tiny_models_on};
use support::{Reference, assert_close, assert_exact, edited};
use wasm_bindgen_test::wasm_bindgen_test;

/// Under edits numbers are held closer than those of plain runs: they were computed in f64.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_cpu_computes_what_hugging_face_computes() {
    tiny_models_on(Cpu, assert_close, assert_exact).await;
}

/// Masks, heads and blocks, variants of attention and schemes of positions: within 1e-5 of f64, for
/// every model and case.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_compute_what_pytorch_computes() {
    for edits in ["masks", "heads", "variants", "placed"] {
        edited_on(Cpu, edits, assert_exact).await;
    }
}

/// A variant without a case would pass every test that goes through the cases.
#[test]
fn every_variant_has_a_case() {
    let (_, models) = edited().into_iter().find(|(topic, _)| *topic == "variants").unwrap();
    let cases: Vec<Value> = models.iter().flat_map(Reference::cases).collect();
    let kinds: Vec<&Value> = cases
        .iter()
        .filter_map(|case| case["edits"]["attention"].as_array())
        .flatten()
        .map(|edit| &edit["kind"])
        .collect();
    let has_case = |variant: VariantName| kinds.iter().any(|kind| *kind == variant.name());
    let without: Vec<VariantName> = VariantName::ALL
        .into_iter()
        .filter(|&variant| variant != VariantName::Softmax && !has_case(variant))
        .collect();
    assert!(without.is_empty(), "no case in tests/reference/variants.json has {without:?}");
}
