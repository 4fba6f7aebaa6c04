//! The WebGPU backend computes what the CPU backend computes: single operations, attention sites,
//! and whole runs of each family, at every stage of every head and under edits of
//! every kind; all families also beside Hugging Face's numbers. Where there is no adapter a test
//! prints so and is skipped.

mod device;
mod runs;
mod sites;

use crate::support::assert_same_bits;
use crate::support::parity::assert_close_where_finite;
use headscope::backend::webgpu::{Opening, WebGpu};
use headscope::backend::{Algebra, Backend, Cpu, Order, Storage};
use headscope::error::Code;
use headscope::kernels::activation::Activation;

/// The GPU, or a line that says which test is skipped for want of one.
async fn adapter(test: &str) -> Option<WebGpu> {
    adapter_as(test, Opening::default()).await
}

/// The same, opened in a way of its own.
async fn adapter_as(test: &str, opening: Opening) -> Option<WebGpu> {
    match WebGpu::open(opening).await {
        Ok(gpu) => Some(gpu),
        Err(error) if error.expected.contains("adapter") => {
            println!("skipped: {test}: no WebGPU adapter ({})", error.got);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Numbers from -1 to 1 without a pattern, the same ones for the same seed.
fn numbers(seed: usize, count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i + 1) as f32 * 1.618 + seed as f32 * 0.77).sin()).collect()
}

#[pollster::test]
async fn rows_are_appended_without_touching_those_who_share_them() {
    let Some(gpu) = adapter("rows_are_appended_without_touching_those_who_share_them").await else {
        return;
    };
    let columns = 5;
    let all = numbers(4, 5 * 40);
    let mut grown = gpu.empty(columns, 40);
    let mut seen = Vec::new();
    for row in all.chunks_exact(columns) {
        gpu.append(&mut grown, &gpu.upload(row.to_vec(), columns));
        if gpu.rows(&grown) % 7 == 0 {
            seen.push(grown.clone());
        }
    }
    for earlier in seen {
        let held = gpu.read(&earlier).await.unwrap();
        assert_same_bits(&held, &all[..held.len()], "a clone");
    }
    assert_same_bits(&gpu.read(&grown).await.unwrap(), &all, "what grew");
    // Two that share rows and room behind them go different ways.
    let mut other = grown.clone();
    gpu.append(&mut grown, &gpu.upload(vec![1.0; columns], columns));
    gpu.append(&mut other, &gpu.upload(vec![2.0; columns], columns));
    for (tensor, last) in [(&grown, 1.0), (&other, 2.0)] {
        let held = gpu.read(tensor).await.unwrap();
        assert_same_bits(&held, &[&all[..], &vec![last; columns]].concat(), "one of two");
    }
    let some = gpu.select(&grown, 3..11);
    assert_same_bits(&gpu.read(&some).await.unwrap(), &all[15..55], "some rows");
    let none = gpu.select(&grown, 2..2);
    assert_eq!((gpu.rows(&none), gpu.read(&none).await.unwrap()), (0, vec![]));
}

const ACTIVATIONS: [&str; 15] = [
    "gelu",
    "gelu_10",
    "gelu_new",
    "hardswish",
    "laplace",
    "leaky_relu",
    "linear",
    "mish",
    "quick_gelu",
    "relu",
    "relu2",
    "relu6",
    "sigmoid",
    "silu",
    "tanh",
];

#[pollster::test]
async fn single_operations_equal_the_cpu() {
    /// Results of operations over sizes and numbers that no tiny model has, named.
    fn results<B: Backend>(backend: &B) -> Vec<(&'static str, B::Tensor)> {
        let rows = 3;
        let columns = 131;
        let wide: Vec<f32> = numbers(6, rows * columns).iter().map(|x| x * 12.0).collect();
        let x = backend.upload(wide, columns);
        let row = |seed, n| backend.upload(numbers(seed, n), n);
        // More numbers than a workgroup holds of a row.
        let long = row(10, 3001);
        let longer = row(11, 3001);
        let ties = vec![1.0, 3.0, 2.0, 3.0, -f32::INFINITY, 3.0];
        let activated = ACTIVATIONS.map(|name| {
            let activation = Activation::of_name(name).unwrap();
            (name, backend.activate(&x, activation))
        });
        let gain = row(12, 7);
        let others = vec![
            ("norms of pieces", backend.layer_norm(&row(13, 35), &gain, &gain, 1e-5)),
            ("norm of a long sum", backend.add_layer_norm(&long, &longer, &long, &longer, 1e-5)),
            ("rms norm of a long sum", backend.add_rms_norm(&long, &longer, &long, 1e-6)),
            ("log-softmax", backend.log_softmax(&x)),
            ("top 70", backend.top_k(&x, 70)),
            ("ties", backend.top_k(&backend.upload(ties, 6), 5)),
        ];
        activated.into_iter().chain(others).collect()
    }
    let Some(gpu) = adapter("single_operations_equal_the_cpu").await else { return };
    for ((name, got), (_, want)) in results(&gpu).into_iter().zip(results(&Cpu)) {
        let got = gpu.read(&got).await.unwrap();
        let want = Cpu.read(&want).await.unwrap();
        assert_close_where_finite(&got, &want, name);
    }
}

#[pollster::test]
async fn what_the_gpu_refuses_is_told_by_reading() {
    let Some(gpu) = adapter("what_the_gpu_refuses_is_told_by_reading").await else { return };
    let small = gpu.upload(vec![1.0, 2.0], 2);
    assert_eq!(gpu.read(&small).await.unwrap(), [1.0, 2.0]);
    // An output of 512 MiB is beyond the default limits.
    let tall = gpu.upload(vec![1.0; 1 << 16], 1);
    let matrix = gpu.matrix(&[1.0; 1 << 11], 1, 1 << 11, Order::OuterInner);
    let error = gpu.read(&gpu.linear(&tall, &matrix, None)).await.unwrap_err();
    assert_eq!(error.code, Code::GpuUnavailable, "{error}");
    let error = gpu.read(&small).await.unwrap_err();
    assert_eq!(error.code, Code::GpuUnavailable, "nothing is trusted any more: {error}");
}
