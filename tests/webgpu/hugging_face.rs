//! What the GPU computes beside Hugging Face and PyTorch: the bodies that the CPU is held to, within
//! 2e-4.

use super::adapter;
use super::support::alone::{equals_pytorch, worked_example};
use super::support::parity::{heads_and_blocks_on, kinds_on, tiny_models_on};

/// By how much a number may differ.
const TOLERANCE: f32 = 2e-4;

fn assert_near(got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: another shape");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        assert!((got - want).abs() <= TOLERANCE, "{what}[{at}]: {got} instead of {want}");
    }
}

#[pollster::test]
async fn the_gpu_computes_what_hugging_face_computes() {
    let Some(gpu) = adapter("the_gpu_computes_what_hugging_face_computes").await else { return };
    tiny_models_on(gpu, assert_near, assert_near).await;
}

#[pollster::test]
async fn frozen_heads_and_rejoined_blocks_compute_what_pytorch_computes() {
    let test = "frozen_heads_and_rejoined_blocks_compute_what_pytorch_computes";
    let Some(gpu) = adapter(test).await else { return };
    heads_and_blocks_on(gpu, assert_near).await;
}

#[pollster::test]
async fn kinds_of_attention_compute_what_pytorch_computes() {
    let test = "kinds_of_attention_compute_what_pytorch_computes";
    let Some(gpu) = adapter(test).await else { return };
    kinds_on(gpu, assert_near).await;
}

#[pollster::test]
async fn attention_alone_equals_pytorch() {
    let Some(gpu) = adapter("attention_alone_equals_pytorch").await else { return };
    worked_example(gpu.clone()).await;
    equals_pytorch(gpu).await;
}
