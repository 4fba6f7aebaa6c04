//! The project's first kernels (`first.wgsl`), on a device of their own: what the product's are
//! measured against on the same adapter. Nothing of them is shipped.

use std::time::{Duration, Instant};

use headscope::attention::PatternSpec;
use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Backend, Order, SiteCache};
use headscope::edits::{Frozen, Kinds};
use headscope::masks::{Heads, Mask, Rule};
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{
    BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages,
    CommandEncoderDescriptor, ComputePassDescriptor, ComputePipeline, ComputePipelineDescriptor,
    Device, MapMode, PollType, Queue, ShaderModuleDescriptor,
};

use crate::{D_MODEL, N_HEADS, SHORTEST, TOLERANCE, numbers};

/// Weights that were held at once.
const WEIGHTS_BYTES: usize = 4 << 20;
/// Invocations of a workgroup, as in `first.wgsl`.
const LANES: usize = 64;
/// Results of one along a side.
const TILE: usize = 16;
/// Workgroups along one axis, by WebGPU's default limits.
const LARGEST_GRID: usize = 65_535;
/// A kernel with what it is given.
struct Job<'a> {
    pipeline: &'a ComputePipeline,
    /// By binding.
    buffers: Vec<(u32, &'a Buffer)>,
    groups: [u32; 3],
}

/// The kernels on the adapter that the product takes.
pub struct First {
    device: Device,
    queue: Queue,
    linear: ComputePipeline,
    attention: [ComputePipeline; 3],
}

impl First {
    /// Opens the adapter that `gpu` runs on once more.
    pub async fn open(gpu: &WebGpu) -> Self {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance.request_adapter(&options).await.unwrap();
        assert_eq!(adapter.get_info().name, gpu.adapter_name(), "another adapter");
        let (device, queue) =
            adapter.request_device(&wgpu::DeviceDescriptor::default()).await.unwrap();
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some("the first kernels"),
            source: wgpu::ShaderSource::Wgsl(include_str!("first.wgsl").into()),
        });
        let pipeline = |entry_point: &str| {
            device.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(entry_point),
                layout: None,
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let linear = pipeline("linear");
        let attention = ["scores", "softmax", "mix"].map(pipeline);
        Self { device, queue, linear, attention }
    }

    fn upload(&self, contents: &[u8], usage: BufferUsages) -> Buffer {
        self.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
    }

    fn given(&self, numbers: &[f32]) -> Buffer {
        self.upload(bytemuck::cast_slice(numbers), BufferUsages::STORAGE)
    }

    fn sizes(&self, sizes: &[u32]) -> Buffer {
        self.upload(bytemuck::cast_slice(sizes), BufferUsages::UNIFORM)
    }

    fn found(&self, n_numbers: usize) -> Buffer {
        self.device.create_buffer(&BufferDescriptor {
            label: None,
            size: (n_numbers * size_of::<f32>()) as u64,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// Runs kernels so many times and reads the first numbers of a buffer.
    fn run(&self, jobs: &[Job<'_>], times: usize, from: &Buffer, n_numbers: usize) -> Vec<f32> {
        let mut encoder = self.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        for _ in 0..times {
            for job in jobs {
                let entries: Vec<BindGroupEntry<'_>> = job
                    .buffers
                    .iter()
                    .map(|(binding, buffer)| BindGroupEntry {
                        binding: *binding,
                        resource: buffer.as_entire_binding(),
                    })
                    .collect();
                let bindings = self.device.create_bind_group(&BindGroupDescriptor {
                    label: None,
                    layout: &job.pipeline.get_bind_group_layout(0),
                    entries: &entries,
                });
                pass.set_pipeline(job.pipeline);
                pass.set_bind_group(0, &bindings, &[]);
                pass.dispatch_workgroups(job.groups[0], job.groups[1], job.groups[2]);
            }
        }
        drop(pass);
        let size = (n_numbers * size_of::<f32>()) as u64;
        let staging = self.device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(from, 0, &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        staging.map_async(MapMode::Read, .., |result| result.unwrap());
        self.device.poll(PollType::wait_indefinitely()).unwrap();
        bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..).unwrap())
    }
}

/// The seconds of two who do the same, in turns, each at its quickest. Both give a first row.
async fn in_turns(
    repeats: usize,
    times: usize,
    first: impl Fn() -> Vec<f32>,
    now: impl AsyncFn() -> Vec<f32>,
) -> [f64; 2] {
    let (mut quickest, began) = ([Duration::MAX; 2], Instant::now());
    for round in 0.. {
        if round > repeats && began.elapsed() >= SHORTEST {
            break;
        }
        let start = Instant::now();
        first();
        quickest[0] = quickest[0].min(start.elapsed());
        let start = Instant::now();
        now().await;
        quickest[1] = quickest[1].min(start.elapsed());
    }
    quickest.map(|seconds| seconds.as_secs_f64() / times as f64)
}

/// Panics unless both computed the same.
fn assert_same(first: &[f32], now: &[f32], scale: f32) {
    let apart = first.iter().zip(now).map(|(a, b)| (a - b).abs()).fold(0f32, f32::max);
    assert_eq!(first.len(), now.len());
    assert!(apart <= TOLERANCE * scale.max(1.0), "{apart} apart");
}

fn tell(what: &str, operations: f64, [first, now]: [f64; 2]) {
    let giga = |seconds: f64| operations / seconds / 1e9;
    println!(
        "{what}: first kernel {:.3} ms ({:.1} GFLOP/s), today's {:.3} ms ({:.1} GFLOP/s): {:.2} times as fast",
        first * 1e3,
        giga(first),
        now * 1e3,
        giga(now),
        first / now,
    );
}

/// A product by both.
pub async fn product(
    gpu: &WebGpu,
    first: &First,
    [rows, inner, outer]: [usize; 3],
    repeats: usize,
) {
    let (x, matrix) = (numbers(1, rows * inner), numbers(2, inner * outer));
    let (own_x, own_matrix) = (first.given(&x), first.given(&matrix));
    let into = first.found(rows * outer);
    let sizes = first.sizes(&[rows, inner, outer, 0].map(|size| size as u32));
    let groups = [outer.div_ceil(TILE) as u32, rows.div_ceil(TILE) as u32, 1];
    let buffers = vec![(0, &own_x), (1, &own_matrix), (2, &into), (3, &sizes)];
    let jobs = [Job { pipeline: &first.linear, buffers, groups }];
    let matrix = gpu.matrix(&matrix, inner, outer, Order::OuterInner);
    let x = gpu.upload(x, inner);
    let n_operations = 2 * rows * inner * outer;
    let times = if gpu.is_software() { 1 } else { (10_000_000_000 / n_operations).clamp(1, 64) };
    let now = async |times: usize| {
        let mut last = gpu.linear(&x, &matrix, None);
        for _ in 1..times {
            last = gpu.linear(&x, &matrix, None);
        }
        gpu.read(&gpu.select(&last, 0..1)).await.unwrap()
    };
    assert_same(&first.run(&jobs, 1, &into, outer), &now(1).await, (inner as f32).sqrt());
    let seconds =
        in_turns(repeats, times, || first.run(&jobs, times, &into, 1), async || now(times).await)
            .await;
    tell(&format!("{rows} × {inner} × {outer}"), n_operations as f64, seconds);
}

/// Causal attention of all heads of GPT-2 small by both.
pub async fn attention(gpu: &WebGpu, first: &First, n: usize, repeats: usize) {
    let width = D_MODEL / N_HEADS;
    let scale = 1.0 / (width as f32).sqrt();
    let given = [1, 2, 3].map(|seed| numbers(seed, n * D_MODEL));
    let own = [0, 1, 2].map(|at| first.given(&given[at]));
    let at_once = (WEIGHTS_BYTES / (N_HEADS * n * size_of::<f32>())).clamp(1, n);
    let (cells, into) = (first.found(N_HEADS * at_once * n), first.found(n * D_MODEL));
    let portions: Vec<(usize, Buffer)> = (0..n)
        .step_by(at_once)
        .map(|start| {
            let count = at_once.min(n - start);
            let sizes = [N_HEADS, width, n, count, start].map(|size| size as u32);
            let words: Vec<u32> = sizes.into_iter().chain([scale.to_bits(), 0, 0]).collect();
            (count, first.sizes(&words))
        })
        .collect();
    let folded = |groups: usize| {
        let across = groups.min(LARGEST_GRID);
        [across as u32, groups.div_ceil(across) as u32, 1]
    };
    let mut jobs = Vec::new();
    for (count, sizes) in &portions {
        let rows = N_HEADS * count;
        let [scores, softmax, mix] = &first.attention;
        let (q, k, v) = ((0, &own[0]), (1, &own[1]), (2, &own[2]));
        let (cells, sizes) = ((3, &cells), (5, sizes));
        let groups = folded((rows * n).div_ceil(LANES));
        jobs.push(Job { pipeline: scores, buffers: vec![q, k, cells, sizes], groups });
        jobs.push(Job { pipeline: softmax, buffers: vec![cells, sizes], groups: folded(rows) });
        let groups = folded((count * D_MODEL).div_ceil(LANES));
        jobs.push(Job { pipeline: mix, buffers: vec![v, cells, (4, &into), sizes], groups });
    }
    let [query, key, value] = given.map(|numbers| gpu.upload(numbers, D_MODEL));
    let site = PatternSpec {
        query,
        key,
        value,
        n_heads: N_HEADS,
        n_kv_heads: N_HEADS,
        scale,
        mask: Mask::open().with(Heads::All, Rule::Causal),
        gates: vec![1.0; N_HEADS],
        frozen: Frozen::default(),
        kinds: Kinds::default(),
        turns: None,
        relative: None,
        memo: SiteCache::default(),
    };
    let whole = gpu.read(&site.attend(gpu, 0..n)).await.unwrap();
    assert_same(&first.run(&jobs, 1, &into, n * D_MODEL), &whole, 1.0);
    let now = async || gpu.read(&gpu.select(&site.attend(gpu, 0..n), n - 1..n)).await.unwrap();
    let seconds = in_turns(repeats, 1, || first.run(&jobs, 1, &into, 1), now).await;
    // Scores and context of the half that the mask leaves, though both compute more.
    let operations = 2.0 * (n * (n + 1) * D_MODEL) as f64;
    tell(&format!("attention of {N_HEADS} heads, {n} tokens"), operations, seconds);
    let stored = N_HEADS * at_once * n * size_of::<f32>();
    println!(
        "  the first kept {:.1} MiB of weights at a time, today's none",
        stored as f64 / f64::from(1 << 20)
    );
}
