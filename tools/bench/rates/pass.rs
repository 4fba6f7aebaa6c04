//! A forward pass of the shape of GPT-2 small, with random weights: its time, its use of the
//! device, and a comparison with the CPU.

use std::time::Instant;

use crate::session::{RunHandle, Session};
use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Backend, Cpu};
use headscope::run::RunRequest;

use crate::shapes::{Family, Shape};
use crate::{D_MODEL, N_HEADS, SHORTEST, TOLERANCE, VOCABULARY};

/// The forward pass to measure.
pub struct Pass {
    pub layers: usize,
    pub tokens: usize,
    pub repeats: usize,
    /// Whether the CPU computes the pass too, for comparison.
    pub is_checked: bool,
}

impl Pass {
    /// Runs the pass up to the last row's most probable token, and prints its share of the rate
    /// `best`.
    pub async fn run(&self, gpu: &WebGpu, best: Option<f64>) {
        let &Self { layers, tokens, repeats, is_checked } = self;
        let shape = Shape::of(Family::Gpt2, layers, tokens.max(1024), VOCABULARY);
        let config = shape.config();
        let checkpoint = shape.checkpoint();
        let session = Session::load(gpu.clone(), &config, &checkpoint).unwrap();
        let on_cpu = is_checked.then(|| Session::load(Cpu, &config, &checkpoint).unwrap());
        drop(checkpoint);
        session.taken().await.unwrap();
        let before = gpu.counts();
        let mut quickest = f64::INFINITY;
        let mut rounds = 0;
        let began = Instant::now();
        let mut last = None;
        while rounds <= repeats || began.elapsed() < SHORTEST {
            rounds += 1;
            // The memory of an earlier run is reused.
            drop(last.take());
            let start = Instant::now();
            let run = finished(&session, tokens).await;
            run.predictions(&[tokens - 1], 1).unwrap().await.unwrap();
            quickest = quickest.min(start.elapsed().as_secs_f64());
            last = Some(run);
        }
        let after = gpu.counts();
        let n = tokens as f64;
        let d = D_MODEL as f64;
        // Of the two products of attention only the half under the causal mask is counted, though
        // the kernel may compute more.
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
        if best.is_none() {
            // After other measurements the peak memory would be theirs.
            let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
            println!(
                "besides weights {:.1} MiB in {} buffers at most, {:.1} MiB the largest; {:.2} MiB \
                 were sent and {} bytes read; all patterns would be {:.1} MiB",
                mebibytes(after.peak_bytes),
                after.buffers - before.buffers,
                mebibytes(after.largest_bytes),
                mebibytes((after.sent_bytes - before.sent_bytes) / rounds as u64),
                (after.read_bytes - before.read_bytes) / rounds as u64,
                mebibytes((layers * N_HEADS * tokens * tokens * size_of::<f32>()) as u64),
            );
        }
        if let (Some(on_cpu), Some(run)) = (on_cpu, last) {
            compare(&run, &finished(&on_cpu, tokens).await, layers).await;
        }
    }
}

/// A finished run of `tokens` tokens.
async fn finished<B: Backend>(session: &Session<B>, tokens: usize) -> RunHandle<B> {
    let ids = (0..tokens).map(|i| (i * 7919 % VOCABULARY) as f64).collect();
    let run = session.begin(&RunRequest { ids, ..RunRequest::default() }, None).unwrap();
    run.finish().await.unwrap();
    run
}

/// Panics unless the residual streams of both runs are equal at every depth, and the logits of the
/// last token.
async fn compare<B: Backend>(run: &RunHandle<B>, on_cpu: &RunHandle<Cpu>, layers: usize) {
    let last = run.ids().len() - 1;
    for layer in 0..=layers + 1 {
        let [got, want] = if layer > layers {
            let got = run.logits(Some(&[last]));
            let want = on_cpu.logits(Some(&[last]));
            [got.unwrap().await, want.unwrap().await]
        } else {
            let got = run.hidden("decoder", layer);
            let want = on_cpu.hidden("decoder", layer);
            [got.unwrap().await, want.unwrap().await]
        };
        let [got, want] = [got, want].map(|tensor| tensor.unwrap().into_data());
        assert_eq!(got.len(), want.len());
        let largest = want.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        let apart = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0f32, f32::max);
        let what = if layer > layers { "logits".to_owned() } else { format!("stream {layer}") };
        println!("  {what}: {apart:.1e} apart at most, numbers up to {largest:.2}");
        assert!(apart <= TOLERANCE * largest.max(1.0), "{what}: too far apart");
    }
}
