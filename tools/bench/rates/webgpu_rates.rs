//! The rates of the WebGPU backend on this machine's adapter. No time is asserted;
//! `docs/performance.md` gives the commands and results.
//!
//! `cargo run --release --features webgpu --example webgpu_rates -- [side=4096] [layers=12]
//! [tokens=1024] [repeats=5] [pass] [check] [count]`: `pass` measures the forward pass alone,
//! without its share of the rate of products, `check` computes the pass on the CPU as well and
//! compares all numbers of the residual stream, and `count` counts the dispatches and bytes of a
//! block instead.

mod pass;
#[path = "../../../tests/support/session.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod session;
mod shapes;
mod traffic;

use std::env;
use std::time::{Duration, Instant};

use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Algebra, Order, Storage};
use pass::Pass;

/// The least duration of a measurement, whatever the number of rounds.
const SHORTEST: Duration = Duration::from_millis(200);

/// The largest difference of compared numbers, relative to the largest number if that is more than
/// 1.
const TOLERANCE: f32 = 2e-4;

/// The sizes of GPT-2 small.
const D_MODEL: usize = 768;
const N_HEADS: usize = 12;
const VOCABULARY: usize = 50_257;

fn main() {
    let asked: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str, otherwise: usize| {
        let given = asked.iter().find_map(|one| one.strip_prefix(&format!("{name}=")));
        given.map_or(otherwise, |given| given.parse().expect("a number"))
    };
    let side = number("side", 4096);
    let repeats = number("repeats", 5);
    let layers = number("layers", 12);
    let tokens = number("tokens", 1024);
    let is_asked = |what: &str| asked.iter().any(|one| one == what);
    let pass = Pass { layers, tokens, repeats, is_checked: is_asked("check") };
    pollster::block_on(async {
        if is_asked("count") {
            return traffic::print(tokens).await;
        }
        let gpu = WebGpu::new().await.unwrap();
        println!("{} (software: {})", gpu.adapter_name(), gpu.is_software());
        if is_asked("pass") {
            return pass.run(&gpu, None).await;
        }
        let layer = [
            [tokens, D_MODEL, D_MODEL],
            [tokens, D_MODEL, 4 * D_MODEL],
            [tokens, 4 * D_MODEL, D_MODEL],
        ];
        let few = [32, 8, 1].map(|rows| [rows, D_MODEL, 4 * D_MODEL]);
        let best = products(&gpu, [side; 3], repeats).await;
        for shape in layer.into_iter().chain(few).chain([[1, D_MODEL, VOCABULARY]]) {
            products(&gpu, shape, repeats).await;
        }
        pass.run(&gpu, Some(best)).await;
    });
}

/// Random numbers from -1 to 1, the same ones for the same seed.
fn numbers(seed: usize, count: usize) -> Vec<f32> {
    let mut state = seed as u32 * 2 + 1;
    let mut next = || {
        // Marsaglia 2003, "Xorshift RNGs".
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
    };
    (0..count).map(|_| next()).collect()
}

/// The rate of a matrix product in products and sums per second, from the fastest of some rounds.
async fn products(gpu: &WebGpu, [rows, inner, outer]: [usize; 3], repeats: usize) -> f64 {
    let x = gpu.upload(numbers(1, rows * inner), inner);
    let matrix = gpu.matrix(&numbers(2, inner * outer), inner, outer, Order::OuterInner);
    let n_operations = 2 * rows * inner * outer;
    let operations = n_operations as f64;
    // Enough products at once that reading a row back does not count.
    let at_once = if gpu.is_software() { 1 } else { (10_000_000_000 / n_operations).clamp(1, 64) };
    let mut quickest = f64::INFINITY;
    let began = Instant::now();
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
    let millis = quickest * 1e3;
    let giga = rate / 1e9;
    println!("{rows} × {inner} × {outer}: {millis:.3} ms, {giga:.1} GFLOP/s");
    rate
}
