//! What the WebGPU backend does in a second on this machine's adapter. It reports and asserts
//! nothing; `docs/performance.md` says how to run it and what it said where.
//!
//! `cargo run --release --features webgpu --example webgpu_rates -- [side=4096] [layers=12]
//! [tokens=1024] [repeats=5] [f16] [pass]`; with `pass` the forward pass alone, without its share.

use std::env;
use std::time::{Duration, Instant};

use headscope::backend::webgpu::{Opening, WebGpu, WeightType};
use headscope::backend::{Backend, Order, Then};
use headscope::run::RunRequest;
use headscope::session::Session;
use serde_json::json;

/// What a measurement takes at least, however few its rounds.
const SHORTEST: Duration = Duration::from_millis(200);

/// GPT-2 small.
const D_MODEL: usize = 768;
const N_HEADS: usize = 12;
const VOCABULARY: usize = 50_257;

fn main() {
    let asked: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str, otherwise: usize| {
        let given = asked.iter().find_map(|one| one.strip_prefix(&format!("{name}=")));
        given.map_or(otherwise, |given| given.parse().expect("a number"))
    };
    let (side, repeats) = (number("side", 4096), number("repeats", 5));
    let (layers, tokens) = (number("layers", 12), number("tokens", 1024));
    let is_f16 = asked.iter().any(|one| one == "f16");
    let weights = if is_f16 { WeightType::F16 } else { WeightType::F32 };
    pollster::block_on(async {
        let gpu = WebGpu::open(Opening { weights, ..Opening::default() }).await.unwrap();
        println!(
            "{} (software: {}), weights {:?}",
            gpu.adapter_name(),
            gpu.is_software(),
            gpu.weight_type()
        );
        if asked.iter().any(|one| one == "pass") {
            return pass(&gpu, layers, tokens, repeats, None).await;
        }
        let best = products(&gpu, [side, side, side], repeats).await;
        for shape in [
            [tokens, D_MODEL, D_MODEL],
            [tokens, D_MODEL, 4 * D_MODEL],
            [tokens, 4 * D_MODEL, D_MODEL],
            [32, D_MODEL, 4 * D_MODEL],
            [8, D_MODEL, 4 * D_MODEL],
            [1, D_MODEL, 4 * D_MODEL],
            [1, D_MODEL, VOCABULARY],
        ] {
            products(&gpu, shape, repeats).await;
        }
        norms(&gpu, tokens, repeats).await;
        pass(&gpu, layers, tokens, repeats, Some(best)).await;
    });
}

/// Numbers from -1 to 1.
fn numbers(seed: usize, count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i + 1) as f32 * 1.618 + seed as f32 * 0.77).sin()).collect()
}

/// The rate of a product, from the quickest of some rounds, in products and sums per second.
async fn products(gpu: &WebGpu, [rows, inner, outer]: [usize; 3], repeats: usize) -> f64 {
    let x = gpu.upload(numbers(1, rows * inner), inner);
    let matrix = gpu.matrix(&numbers(2, inner * outer), inner, outer, Order::OuterInner);
    let n_operations = 2 * rows * inner * outer;
    let operations = n_operations as f64;
    // Enough at once that reading a row back does not count.
    let at_once = (10_000_000_000 / n_operations).clamp(1, 64);
    let (mut quickest, began) = (f64::INFINITY, Instant::now());
    for round in 0.. {
        if round > repeats && began.elapsed() >= SHORTEST {
            break;
        }
        let start = Instant::now();
        let mut last = gpu.linear(&x, &matrix, None);
        for _ in 1..at_once {
            last = gpu.linear(&x, &matrix, None);
        }
        gpu.read(&gpu.select(&last, 0..1)).await.unwrap();
        quickest = quickest.min(start.elapsed().as_secs_f64() / at_once as f64);
    }
    let rate = operations / quickest;
    let (millis, giga) = (quickest * 1e3, rate / 1e9);
    println!("{rows} × {inner} × {outer}: {millis:.3} ms, {giga:.1} GFLOP/s");
    rate
}

/// Two ways from a sublayer's last map to the norm of its sum with the stream, in turns: the sum by
/// the map's kernel, and by the norm's.
async fn norms(gpu: &WebGpu, tokens: usize, repeats: usize) {
    let row = |seed| gpu.upload(numbers(seed, D_MODEL), D_MODEL);
    let (gain, bias) = (row(3), row(4));
    let stream = gpu.upload(numbers(1, tokens * D_MODEL), D_MODEL);
    let matrix = gpu.matrix(&numbers(2, D_MODEL * D_MODEL), D_MODEL, D_MODEL, Order::OuterInner);
    let mut quickest = [f64::INFINITY; 2];
    for _ in 0..=2 * repeats {
        for (by_norm, quickest) in quickest.iter_mut().enumerate() {
            let start = Instant::now();
            let normed = if by_norm == 1 {
                let found = gpu.linear(&stream, &matrix, None);
                gpu.add_layer_norm(&stream, &found, &gain, &bias, 1e-5)
            } else {
                let sum = gpu.linear_then(&stream, &matrix, None, &Then::plus(Some(&stream)));
                gpu.layer_norm(&sum, &gain, &bias, 1e-5)
            };
            gpu.read(&gpu.select(&normed, 0..1)).await.unwrap();
            *quickest = quickest.min(start.elapsed().as_secs_f64());
        }
    }
    let [by_map, by_norm] = quickest.map(|seconds| seconds * 1e3);
    println!(
        "{tokens} rows, map, sum and norm: {by_map:.3} ms, {by_norm:.3} ms with the sum in the norm"
    );
}

/// A forward pass shaped like GPT-2 small, up to the last row's best word, and how much of the
/// first rate it reaches.
async fn pass(gpu: &WebGpu, layers: usize, tokens: usize, repeats: usize, best: Option<f64>) {
    let config = json!({
        "model_type": "gpt2", "n_embd": D_MODEL, "n_head": N_HEADS, "n_layer": layers,
        "n_positions": tokens.max(1024), "n_ctx": tokens.max(1024), "vocab_size": VOCABULARY,
        "activation_function": "gelu_new", "scale_attn_weights": true,
        "scale_attn_by_inverse_layer_idx": false, "add_cross_attention": false, "layer_norm_epsilon": 1e-5,
        "bos_token_id": 50_256, "eos_token_id": 50_256
    });
    let checkpoint = checkpoint(layers, tokens.max(1024));
    let session = Session::load(gpu.clone(), &config.to_string(), &checkpoint).unwrap();
    drop(checkpoint);
    let ids = (0..tokens).map(|i| (i * 7919 % VOCABULARY) as f64).collect();
    let request = RunRequest { ids, ..RunRequest::default() };
    let (mut quickest, mut rounds, began) = (f64::INFINITY, 0, Instant::now());
    let before = gpu.counts();
    while rounds <= repeats || began.elapsed() < SHORTEST {
        rounds += 1;
        let start = Instant::now();
        let run = session.begin(&request, None).unwrap();
        run.finish().await.unwrap();
        run.predictions(&[tokens - 1], 1).unwrap().await.unwrap();
        quickest = quickest.min(start.elapsed().as_secs_f64());
    }
    let after = gpu.counts();
    let n = tokens as f64;
    let d = D_MODEL as f64;
    // Of the two products of attention only the half that the causal mask leaves is counted,
    // though the kernel may compute more.
    let per_layer = 2.0 * n * 12.0 * d * d + 2.0 * n * (n + 1.0) * d;
    let operations = layers as f64 * per_layer + 2.0 * d * VOCABULARY as f64;
    let share = best.map_or(String::new(), |best| {
        format!(", {:.0} % of the first rate", operations / quickest / best * 100.0)
    });
    println!(
        "{layers} layers, {tokens} tokens: {:.1} ms, {:.1} GFLOP/s{share}; \
         {} kernels in {} submissions",
        quickest * 1e3,
        operations / quickest / 1e9,
        (after.kernels - before.kernels) / rounds,
        (after.submissions - before.submissions) / rounds,
    );
    if best.is_some() {
        // The most that was ever held would be that of the products before.
        return;
    }
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!(
        "besides weights {:.1} MiB in buffers at most, {:.1} MiB the largest; {:.1} MiB were sent; \
         all patterns would be {:.1} MiB",
        mebibytes(after.peak_bytes),
        mebibytes(after.largest_bytes),
        mebibytes((after.sent_bytes - before.sent_bytes) / rounds as u64),
        mebibytes((layers * N_HEADS * tokens * tokens * size_of::<f32>()) as u64),
    );
}

/// A model file with numbers of the right size and shape.
fn checkpoint(layers: usize, positions: usize) -> Vec<u8> {
    let d = D_MODEL;
    let mut shapes = vec![
        ("wte.weight".to_owned(), vec![VOCABULARY, d]),
        ("wpe.weight".to_owned(), vec![positions, d]),
        ("ln_f.weight".to_owned(), vec![d]),
        ("ln_f.bias".to_owned(), vec![d]),
    ];
    for layer in 0..layers {
        let parts = [
            ("ln_1.weight", vec![d]),
            ("ln_1.bias", vec![d]),
            ("ln_2.weight", vec![d]),
            ("ln_2.bias", vec![d]),
            ("attn.c_attn.weight", vec![d, 3 * d]),
            ("attn.c_attn.bias", vec![3 * d]),
            ("attn.c_proj.weight", vec![d, d]),
            ("attn.c_proj.bias", vec![d]),
            ("mlp.c_fc.weight", vec![d, 4 * d]),
            ("mlp.c_fc.bias", vec![4 * d]),
            ("mlp.c_proj.weight", vec![4 * d, d]),
            ("mlp.c_proj.bias", vec![d]),
        ];
        shapes.extend(parts.map(|(name, shape)| (format!("h.{layer}.{name}"), shape)));
    }
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (seed, (name, shape)) in shapes.into_iter().enumerate() {
        let first = data.len();
        let count = shape.iter().product();
        let scale = if name.contains("ln_") { 1.0 } else { 0.02 };
        data.extend(numbers(seed, count).iter().flat_map(|x| (x * scale).to_le_bytes()));
        let entry = json!({ "dtype": "F32", "shape": shape, "data_offsets": [first, data.len()] });
        header.insert(name, entry);
    }
    let mut header = serde_json::to_vec(&header).unwrap();
    header.resize(header.len().next_multiple_of(8), b' ');
    [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
}
