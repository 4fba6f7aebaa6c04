//! Attention alone equals PyTorch's and a worked example, on `cpu` and `oracle`.

use crate::support;

use headscope::backend::{Cpu, Oracle};
use support::alone::{equals_pytorch, worked_example};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_worked_example_comes_out() {
    worked_example(Cpu).await;
    worked_example(Oracle).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn batches_equal_pytorch_and_each_sequence_by_itself() {
    equals_pytorch(Cpu).await;
    equals_pytorch(Oracle).await;
}
