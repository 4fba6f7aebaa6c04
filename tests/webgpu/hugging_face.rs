//! What the GPU computes beside Hugging Face and PyTorch: the bodies that the CPU is held to, within
//! 2e-4.

use headscope::backend::webgpu::{Opening, WeightType};

use super::support::Reference;
use super::support::alone::{equals_pytorch, worked_example};
use super::support::functions::operations_on;
use super::support::mixtures::mixtures_on;
use super::support::parity::{heads_and_blocks_on, kinds_on, masks_on, placed_on, tiny_models_on};
use super::support::trained::trained_on;
use super::{adapter, adapter_as};
use crate::{bundled, kept_sums};

/// By how much a number may differ.
const TOLERANCE: f32 = 2e-4;
/// The same of a model whose weights were rounded to 11 bits, as a share of the largest number
/// beside it, or of 1.
const TOLERANCE_OF_F16: f32 = 1e-2;

fn assert_near(got: &[f32], want: &[f32], what: &str) {
    assert_within(TOLERANCE, got, want, what);
}

fn assert_near_in_f16(got: &[f32], want: &[f32], what: &str) {
    let sizes = want.iter().map(|x| x.abs()).filter(|x| x.is_finite());
    assert_within(TOLERANCE_OF_F16 * sizes.fold(1.0, f32::max), got, want, what);
}

fn assert_within(tolerance: f32, got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: another shape");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        // Of what is infinite there is no difference.
        let is_near = got == want || (got - want).abs() <= tolerance;
        assert!(is_near, "{what}[{at}]: {got} instead of {want}");
    }
}

#[pollster::test]
async fn the_gpu_computes_what_hugging_face_computes() {
    let Some(gpu) = adapter("the_gpu_computes_what_hugging_face_computes").await else { return };
    tiny_models_on(gpu, assert_near, assert_near).await;
}

/// The models under the same edits, their weights in half the bits, where the adapter has these.
#[pollster::test]
async fn in_f16_the_gpu_computes_nearly_what_hugging_face_computes() {
    let test = "in_f16_the_gpu_computes_nearly_what_hugging_face_computes";
    let opening = Opening { weights: WeightType::F16, ..Opening::default() };
    let Some(gpu) = adapter_as(test, opening).await else { return };
    if gpu.weight_type() != WeightType::F16 {
        println!("skipped: {test}: this adapter has no shader-f16 ({})", gpu.adapter_name());
        return;
    }
    tiny_models_on(gpu, assert_near_in_f16, assert_near_in_f16).await;
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
async fn schemes_of_positions_compute_what_pytorch_computes() {
    let test = "schemes_of_positions_compute_what_pytorch_computes";
    let Some(gpu) = adapter(test).await else { return };
    placed_on(gpu, assert_near).await;
}

#[pollster::test]
async fn edited_masks_compute_what_pytorch_computes() {
    let Some(gpu) = adapter("edited_masks_compute_what_pytorch_computes").await else { return };
    masks_on(gpu, assert_near).await;
}

#[pollster::test]
async fn mixtures_of_edits_compute_what_the_cpu_computes() {
    let test = "mixtures_of_edits_compute_what_the_cpu_computes";
    let Some(gpu) = adapter(test).await else { return };
    mixtures_on(gpu).await;
}

async fn bundled(test: &str, reference: Reference, sums: &[u8]) {
    let Some(gpu) = adapter(test).await else { return };
    trained_on(gpu, assert_near, reference, sums, 500_000).await;
}

#[pollster::test]
async fn the_translator_computes_what_hugging_face_computes() {
    let test = "the_translator_computes_what_hugging_face_computes";
    bundled(test, bundled!("en-fr"), kept_sums!("en-fr")).await;
}

#[pollster::test]
async fn the_writer_computes_what_hugging_face_computes() {
    let test = "the_writer_computes_what_hugging_face_computes";
    bundled(test, bundled!("tiny-gpt"), kept_sums!("tiny-gpt")).await;
}

#[pollster::test]
async fn the_reader_computes_what_hugging_face_computes() {
    let test = "the_reader_computes_what_hugging_face_computes";
    bundled(test, bundled!("tiny-bert"), kept_sums!("tiny-bert")).await;
}

#[pollster::test]
async fn operations_alone_are_right() {
    let Some(gpu) = adapter("operations_alone_are_right").await else { return };
    operations_on(gpu, assert_near).await;
}

#[pollster::test]
async fn attention_alone_equals_pytorch() {
    let Some(gpu) = adapter("attention_alone_equals_pytorch").await else { return };
    worked_example(gpu.clone()).await;
    equals_pytorch(gpu).await;
}
