//! What a block asks of the device: its dispatches, and its bytes through global memory beside the
//! least possible. All of it is counted from the shapes of the recorded kernels, so that it does
//! not depend on the device.
//!
//! * `least`: each weight once, and each tensor that passes between the parts of the block once in
//!   and once out.
//! * `bound`: what each kernel reads and writes, once. A device reads this from its memory if its
//!   cache holds what a kernel reads again.
//! * `loaded`: what all workgroups read and write, once for each workgroup that reads it.

use headscope::backend::webgpu::{Dispatch, Opening, WebGpu};
use headscope::run::RunRequest;

use crate::session::Session;
use crate::shapes::{Family, Fill, Shape};

/// The bytes of an f32.
const FLOAT: u64 = size_of::<f32>() as u64;
/// The queries and keys of a workgroup of attention.
const SQUARE: u64 = 32;

/// Prints the counts of a block of each family, with weights of f32 and of bfloat16.
pub async fn print(tokens: usize) {
    println!("of a block, {tokens} tokens   dispatches   least     bound         loaded");
    for (name, family) in [
        ("GPT-2 small", Family::Gpt2),
        ("BERT base", Family::Bert),
        ("SmolLM2-135M", Family::Llama),
    ] {
        for bytes in [4, 2] {
            let fill = Fill::Zeros { bytes };
            let shape = Shape { fill, ..Shape::of(family, 2, tokens.max(64), 512) };
            let block = block(&shape, tokens).await;
            let bound: u64 = block.iter().map(bound).sum();
            let loaded: u64 = block.iter().map(|one| loaded(one, family != Family::Bert)).sum();
            let least = least(&shape, bytes, tokens);
            let format = if bytes == 2 { "bf16" } else { "f32" };
            let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
            let times = |bytes: u64| bytes as f64 / least as f64;
            println!(
                "{name:13} {format:4} {:10} {:8.1} {:8.1} ×{:.2} {:9.1} ×{:.2} MiB",
                block.len(),
                mebibytes(least),
                mebibytes(bound),
                times(bound),
                mebibytes(loaded),
                times(loaded),
            );
        }
    }
}

/// The kernels from one block's attention to that of the next: as many as a block has. They are
/// recorded, and not computed.
async fn block(shape: &Shape, tokens: usize) -> Vec<Dispatch> {
    // Nothing is submitted before it is read, and no adapter cuts the rows.
    let most_products = Some(u64::MAX);
    let gpu = WebGpu::open(Opening { is_logged: true, most_products, ..Opening::default() });
    let gpu = gpu.await.unwrap();
    let session = Session::load(gpu.clone(), &shape.config(), &shape.checkpoint()).unwrap();
    session.taken().await.unwrap();
    gpu.dispatches();
    let ids = (0..tokens).map(|i| (i * 7919 % shape.vocabulary) as f64).collect();
    let run = session.begin(&RunRequest { ids, ..RunRequest::default() }, None).unwrap();
    let mut all = Vec::new();
    loop {
        all.extend(gpu.dispatches());
        let mut attention = (0..all.len()).filter(|&at: &usize| all[at].name == "attend");
        if let (Some(first), Some(second)) = (attention.next(), attention.next()) {
            return all[first..second].to_vec();
        }
        run.step().await.unwrap();
    }
}

/// The least bytes of a block.
fn least(shape: &Shape, bytes: usize, tokens: usize) -> u64 {
    // The stream behind each of the two sublayers, queries and context; keys and values; the
    // network's hidden rows.
    let row = 4 * shape.d_model + 2 * shape.d_keys() + shape.d_ff;
    (bytes * shape.weights()) as u64 + 2 * FLOAT * (tokens * row) as u64
}

/// The bytes that a kernel reads and writes, once.
fn bound(one: &Dispatch) -> u64 {
    one.inputs.iter().sum::<u64>() + one.output
}

/// The bytes that all workgroups of a kernel read and write.
fn loaded(one: &Dispatch, is_causal: bool) -> u64 {
    let [across, down, deep] = one.groups.map(u64::from);
    let n_maps = match one.name {
        "linear_three" | "linear_three_few" => 3,
        "gated" | "gated_few" => 2,
        _ => 1,
    };
    let again: u64 = match one.name {
        "linear" | "linear_three" | "gated" => {
            let weights: u64 = one.inputs[1..=n_maps].iter().sum();
            one.inputs[0] * (across - 1) + weights * (down - 1)
        }
        "linear_few" | "linear_three_few" | "gated_few" => one.inputs[0] * (across * down - 1),
        "norm" => one.inputs[2..].iter().sum::<u64>() * (across * down - 1),
        "attend" => {
            let [width, value_width] = [4, 14].map(|at| u64::from(one.shape[at]));
            let keys = u64::from(one.shape[2]).div_ceil(SQUARE);
            let squares: u64 =
                (1..=across).map(|square| if is_causal { keys.min(square) } else { keys }).sum();
            // Queries are read again for each square of keys, and all heads of a group read its
            // keys and values.
            let of_square = SQUARE * (2 * width * deep + value_width) * FLOAT;
            squares * down * of_square - one.inputs[..3].iter().sum::<u64>()
        }
        _ => 0,
    };
    bound(one) + again
}
