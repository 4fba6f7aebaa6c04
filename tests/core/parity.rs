//! Hidden states, attention weights, logits and greedy texts of tiny random models of
//! the four families equal Hugging Face's, with and without edits, on `cpu` and `oracle`
//! (`tests/webgpu.rs` runs the same bodies on the GPU).

use crate::support;

use headscope::backend::{Cpu, Oracle};
use support::parity::{heads_and_blocks_on, kinds_on, tiny_models_on};
use support::{
    assert_close, assert_exact, finished, heads_and_blocks, kinds, request, tiny_models,
};
use wasm_bindgen_test::wasm_bindgen_test;

/// What edits change is small: under them numbers are held closer than those of plain runs.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_cpu_computes_what_hugging_face_computes() {
    tiny_models_on(Cpu, assert_close, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_oracle_computes_what_hugging_face_computes() {
    tiny_models_on(Oracle, assert_close, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn frozen_heads_and_rejoined_blocks_compute_what_pytorch_computes() {
    heads_and_blocks_on(Cpu, assert_exact).await;
    heads_and_blocks_on(Oracle, assert_exact).await;
}

/// Within 1e-5 of f64, for every model and case.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn kinds_of_attention_compute_what_pytorch_computes() {
    kinds_on(Cpu, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_oracle_knows_kinds_of_attention_by_their_patterns() {
    kinds_on(Oracle, assert_exact).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_run_that_takes_nothing_over_computes_the_same_bits() {
    for reference in tiny_models().into_iter().chain(heads_and_blocks()).chain(kinds()) {
        let session = reference.load(Cpu);
        let mut earlier = None;
        for case in reference.cases() {
            let sent = request(&case, session.info().architecture);
            let fresh = finished(&session, &sent, None).await;
            let after = finished(&session, &sent, earlier.as_ref()).await;
            let (fresh, all) = (
                support::everything(&session, &fresh).await,
                support::everything(&session, &after).await,
            );
            for ((name, one), (_, other)) in fresh.into_iter().zip(all) {
                let label = format!("{}: {}: {name}", reference.name, case["name"]);
                support::assert_same_bits(&one.into_data(), &other.into_data(), &label);
            }
            earlier = Some(after);
        }
    }
}
