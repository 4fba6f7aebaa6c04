//! The WebGPU backend: the same operations as WGSL kernels, on whatever adapter wgpu finds.
//! Numbers stay on the GPU from `upload` to `read`; an operation records a command and returns,
//! and only `read` waits.
//!
//! The signature of an operation has no error. A failure of the GPU (a tensor beyond its limits,
//! memory that ran out, a lost device) is stored, and from then on every `read` fails with it: no
//! number that was computed after a failure is returned.
//!
//! The backend stays within WebGPU's default limits: a weight above 128 MiB is cut into parts, a
//! tensor above them is refused. Numbers are f32. No kernel is tuned for one GPU.

mod attention;
mod backlog;
mod completion;
mod gpu;
mod matrix;
mod pipelines;
mod pool;
mod read_back;
mod recording;
mod tensor;

use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use crate::backend::{
    Algebra, Attend, Attention, Backend, Epilogue, ForwardOnly, Limits, Order, Storage,
};
use crate::error::Result;
use crate::kernels::activation::Activation;

pub(super) use attention::ScoreInputs;
use completion::Answered;
use gpu::{Gpu, bytes};
use pipelines::{HAS_BIAS, HAS_PLUS, HAS_TIMES, Kernel, NO_ACTIVATION, cells, row_groups};

pub use gpu::Opening;
pub use matrix::WebGpuMatrix;
pub use pool::Counts;
pub use tensor::WebGpuTensor;

/// The most ranks that the kernel computes, with one pass over the row for each.
const MOST_RANKS: usize = 32;

/// The WebGPU backend on one adapter; clones share the device.
#[derive(Clone)]
pub struct WebGpu {
    gpu: Rc<Gpu>,
}

impl WebGpu {
    /// Opens the fastest adapter.
    ///
    /// # Errors
    /// `gpu/unavailable` if there is none, or none with the needed features.
    pub async fn new() -> Result<Self> {
        Self::open(Opening::default()).await
    }

    /// Opens the fastest adapter with the given requirements.
    ///
    /// # Errors
    /// `gpu/unavailable` if there is none, or none with the needed features.
    pub async fn open(opening: Opening) -> Result<Self> {
        Ok(Self { gpu: Rc::new(Gpu::open(opening).await?) })
    }

    /// The name of the adapter from its driver.
    pub fn adapter_name(&self) -> &str {
        &self.gpu.adapter.name
    }

    /// Whether the adapter is software: correct, but slower than the `cpu` backend.
    pub fn is_software(&self) -> bool {
        self.gpu.adapter.device_type == wgpu::DeviceType::Cpu
    }

    /// Resolves with the reason when the device is lost, also while no read is pending.
    pub fn lost(&self) -> impl Future<Output = String> + use<> {
        self.gpu.lost()
    }

    /// The pieces of longer work that were submitted and are not known to be complete.
    pub fn backlog(&self) -> usize {
        self.gpu.backlog.len()
    }

    /// The counts of the device's work so far.
    pub fn counts(&self) -> Counts {
        self.gpu.pool.counts(self.gpu.kernels())
    }
}

impl WebGpu {
    /// An operation on two tensors of one shape, number by number.
    fn joined(
        &self,
        pipeline: &wgpu::ComputePipeline,
        a: &WebGpuTensor,
        b: &WebGpuTensor,
    ) -> WebGpuTensor {
        let out = self.gpu.tensor(a.rows, a.columns);
        if let (Some(a), Some(b), Some(into)) = (&a.buffer, &b.buffer, &out.buffer) {
            let shape = [out.len() as u32];
            self.gpu.dispatch(pipeline, &[a, b], into, &shape, cells(out.len()), 0);
        }
        out
    }

    /// The norm of a tensor, or of the sum of two.
    fn norm<const TERMS: usize>(
        &self,
        terms: [&WebGpuTensor; TERMS],
        gain: &WebGpuTensor,
        bias: Option<&WebGpuTensor>,
        epsilon: f32,
    ) -> WebGpuTensor {
        let x = terms[TERMS - 1];
        let gain_columns = gain.columns;
        let out = self.gpu.tensor(x.rows, x.columns);
        let (Some(from), Some(plus)) = (&x.buffer, &terms[0].buffer) else { return out };
        let (Some(gain), Some(into)) = (&gain.buffer, &out.buffer) else { return out };
        let has = u32::from(TERMS > 1) * HAS_PLUS + u32::from(bias.is_some()) * HAS_BIAS;
        let rows = x.len() / gain_columns;
        let columns = gain_columns;
        let shape = [rows as u32, columns as u32, epsilon.to_bits(), has];
        // Every binding needs a buffer; without a bias the buffer is not used.
        let bias = bias.and_then(|bias| bias.buffer.as_ref()).unwrap_or(gain);
        let inputs = [&**from, &**plus, &**gain, &**bias];
        self.gpu.dispatch(&self.gpu.pipelines.norm, &inputs, into, &shape, row_groups(rows), 0);
        out
    }
}

impl Storage for WebGpu {
    type Tensor = WebGpuTensor;
    type Matrix = WebGpuMatrix;

    fn upload(&self, data: Vec<f32>, columns: usize) -> WebGpuTensor {
        let rows = data.len() / columns;
        WebGpuTensor::new(self.gpu.upload(bytes(&data)), rows, columns)
    }

    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> WebGpuMatrix {
        WebGpuMatrix::new(&self.gpu, data, inner, outer, order)
    }

    fn empty(&self, columns: usize, _most: usize) -> WebGpuTensor {
        WebGpuTensor::empty(columns)
    }

    fn rows(&self, x: &WebGpuTensor) -> usize {
        x.rows
    }

    fn select(&self, x: &WebGpuTensor, rows: Range<usize>) -> WebGpuTensor {
        x.select(&self.gpu, rows)
    }

    fn reshape(&self, x: &WebGpuTensor, columns: usize) -> WebGpuTensor {
        WebGpuTensor { buffer: x.buffer.clone(), rows: x.len() / columns, columns }
    }

    fn append(&self, x: &mut WebGpuTensor, rows: &WebGpuTensor) {
        x.append(&self.gpu, rows);
    }

    fn read(&self, x: &WebGpuTensor) -> impl Future<Output = Result<Vec<f32>>> + 'static {
        read_back::read(&self.gpu, x)
    }
}

impl Algebra for WebGpu {
    fn embed(&self, table: &WebGpuMatrix, ids: &[u32], scale: f32) -> WebGpuTensor {
        let rows = ids.len();
        let width = table.inner;
        let out = self.gpu.tensor(rows, width);
        if let Some(into) = &out.buffer {
            let ids = self.gpu.upload(bytes(ids));
            let pipeline = &self.gpu.pipelines.embed;
            for part in &table.parts {
                let sizes = [rows, width, part.first, part.rows].map(|size| size as u32);
                let shape: Vec<u32> = sizes.into_iter().chain([scale.to_bits()]).collect();
                let inputs = [&part.buffer, &ids];
                self.gpu.dispatch(pipeline, &inputs, into, &shape, cells(rows * width), 0);
            }
        }
        out
    }

    fn linear_epilogue(
        &self,
        x: &WebGpuTensor,
        matrix: &WebGpuMatrix,
        bias: Option<&WebGpuTensor>,
        then: &Epilogue<'_, WebGpuTensor>,
    ) -> WebGpuTensor {
        let kernel = Kernel::of(x.rows, matrix.outer);
        let rows = x.rows;
        let inner = matrix.inner;
        let out = self.gpu.tensor(rows, matrix.outer);
        let (Some(from), Some(into)) = (&x.buffer, &out.buffer) else { return out };
        let beside =
            |tensor: Option<&WebGpuTensor>| tensor.and_then(|tensor| tensor.buffer.clone());
        let bias = beside(bias);
        let times = beside(then.times);
        let plus = beside(then.plus);
        let follows = u32::from(bias.is_some()) * HAS_BIAS
            + u32::from(times.is_some()) * HAS_TIMES
            + u32::from(plus.is_some()) * HAS_PLUS;
        let activation = then.activation.map_or(NO_ACTIVATION, |activation| activation as u32);
        for part in &matrix.parts {
            let sizes = [rows, inner, part.rows, matrix.outer, part.first].map(|size| size as u32);
            let shape: Vec<u32> = sizes.into_iter().chain([activation, follows]).collect();
            // Every binding needs a buffer; an absent one is not read.
            let [bias, times, plus] =
                [&bias, &times, &plus].map(|buffer| buffer.as_deref().unwrap_or(&part.buffer));
            let inputs = [&**from, &part.buffer, bias, times, plus];
            let products = (rows * inner) as u64 * part.rows as u64;
            let groups = kernel.groups(rows, part.rows);
            let pipeline = self.gpu.pipelines.linear.get(kernel, inner);
            self.gpu.dispatch(pipeline, &inputs, into, &shape, groups, products);
        }
        out
    }

    fn multiply(&self, a: &WebGpuTensor, b: &WebGpuTensor) -> WebGpuTensor {
        self.joined(&self.gpu.pipelines.multiply, a, b)
    }

    fn add(&self, a: &WebGpuTensor, b: &WebGpuTensor) -> WebGpuTensor {
        self.joined(&self.gpu.pipelines.add, a, b)
    }

    fn layer_norm(
        &self,
        x: &WebGpuTensor,
        gain: &WebGpuTensor,
        bias: &WebGpuTensor,
        epsilon: f32,
    ) -> WebGpuTensor {
        self.norm([x], gain, Some(bias), epsilon)
    }

    fn rms_norm(&self, x: &WebGpuTensor, gain: &WebGpuTensor, epsilon: f32) -> WebGpuTensor {
        self.norm([x], gain, None, epsilon)
    }

    fn add_layer_norm(
        &self,
        a: &WebGpuTensor,
        b: &WebGpuTensor,
        gain: &WebGpuTensor,
        bias: &WebGpuTensor,
        epsilon: f32,
    ) -> WebGpuTensor {
        self.norm([a, b], gain, Some(bias), epsilon)
    }

    fn add_rms_norm(
        &self,
        a: &WebGpuTensor,
        b: &WebGpuTensor,
        gain: &WebGpuTensor,
        epsilon: f32,
    ) -> WebGpuTensor {
        self.norm([a, b], gain, None, epsilon)
    }

    fn rotate(&self, x: &WebGpuTensor, turns: &WebGpuTensor, head_dim: usize) -> WebGpuTensor {
        let out = self.gpu.tensor(x.rows, x.columns);
        if let (Some(from), Some(turned), Some(into)) = (&x.buffer, &turns.buffer, &out.buffer) {
            let shape = [x.rows, x.columns, head_dim, turns.columns].map(|size| size as u32);
            let pipeline = &self.gpu.pipelines.rotate;
            self.gpu.dispatch(pipeline, &[from, turned], into, &shape, cells(x.len()), 0);
        }
        out
    }

    fn activate(&self, x: &WebGpuTensor, activation: Activation) -> WebGpuTensor {
        let out = self.gpu.tensor(x.rows, x.columns);
        if let (Some(from), Some(into)) = (&x.buffer, &out.buffer) {
            let shape = [x.len() as u32, activation as u32];
            self.gpu.dispatch(
                &self.gpu.pipelines.activate,
                &[from],
                into,
                &shape,
                cells(x.len()),
                0,
            );
        }
        out
    }

    fn log_softmax(&self, x: &WebGpuTensor) -> WebGpuTensor {
        let out = x.copied(&self.gpu, 0..x.rows);
        if let Some(cells) = &out.buffer {
            let shape = [x.rows as u32, x.columns as u32];
            let pipeline = &self.gpu.pipelines.log_softmax;
            self.gpu.dispatch(pipeline, &[], cells, &shape, row_groups(x.rows), 0);
        }
        out
    }

    fn top_k(&self, x: &WebGpuTensor, k: usize) -> WebGpuTensor {
        let k = k.min(x.columns);
        let out = self.gpu.tensor(x.rows, 2 * k);
        if let (Some(from), Some(into)) = (&x.buffer, &out.buffer) {
            let shape = [x.rows as u32, x.columns as u32, k as u32];
            self.gpu.dispatch(
                &self.gpu.pipelines.top_k,
                &[from],
                into,
                &shape,
                row_groups(x.rows),
                0,
            );
        }
        out
    }
}

impl Attend for WebGpu {
    fn attend(&self, site: &Attention<'_, WebGpuTensor>, queries: Range<usize>) -> WebGpuTensor {
        attention::attend(&self.gpu, site, queries)
    }

    fn declines(&self, site: &Attention<'_, WebGpuTensor>) -> bool {
        attention::declines(site)
    }
}

impl ForwardOnly for WebGpu {}

impl Backend for WebGpu {
    fn name(&self) -> &'static str {
        "webgpu"
    }

    fn kernel(&self) -> String {
        // Browsers do not tell the adapter's name.
        format!("WGSL on {}", self.adapter_name()).trim_end_matches(" on ").to_owned()
    }

    fn limits(&self) -> Limits {
        // Few rows leave most of a GPU idle; a software adapter is hardly faster than a core.
        let pace = if self.is_software() { 1 } else { 16 };
        Limits { pace, most_ranks: MOST_RANKS }
    }

    fn caught_up(&self) -> Option<impl Future<Output = Result<()>> + 'static> {
        let (index, done) = self.gpu.backlog.overdue()?;
        let gpu = Rc::clone(&self.gpu);
        Some(async move {
            if let Err(error) = Answered::new(&gpu.device, done, Some(index)).await {
                gpu.fail(&error);
            }
            gpu.check()
        })
    }
}
