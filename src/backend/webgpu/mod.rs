//! The WebGPU backend: the same operations as WGSL kernels, on whatever adapter wgpu finds.
//! Numbers stay on the GPU from `upload` to `read`; an operation records a command and returns,
//! and only `read` waits.
//!
//! The signature of an operation has no error. A failure of the GPU (a tensor beyond its limits,
//! memory that ran out, a lost device) is stored, and from then on every `read` fails with it: no
//! number that was computed after a failure is returned.
//!
//! The backend stays within WebGPU's default limits: a weight above 128 MiB is cut into parts, a
//! tensor above them is refused. Tensors and sums are f32; weights have the format of `matrix`. No
//! kernel is tuned for one GPU, and none needs a feature that an adapter may lack.

mod attention;
mod backlog;
mod compiled;
mod completion;
mod gpu;
mod held;
mod linear_kernels;
mod matrix;
mod pipelines;
mod pool;
mod product;
mod read_back;
mod recording;
mod tensor;

use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use crate::backend::{
    Affine, Algebra, Attend, Attention, Backend, Epilogue, ForwardOnly, Limits, Order, Storage,
    gated_apart,
};
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::stored::Format;

pub(super) use attention::ScoreInputs;
use compiled::{Compiled, HAS_BIAS, HAS_PLUS, cells, row_groups};
use completion::Answered;
use gpu::{Bound, Gpu, bytes};

pub use gpu::{Dispatch, Opening};
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

    /// The kernels recorded since the last call, on an adapter that was opened to log them.
    pub fn dispatches(&self) -> Vec<Dispatch> {
        self.gpu.logged()
    }
}

impl WebGpu {
    /// An operation on two tensors of one shape, number by number.
    fn joined(&self, kernel: &Compiled, a: &WebGpuTensor, b: &WebGpuTensor) -> WebGpuTensor {
        let out = self.gpu.tensor(a.rows, a.columns);
        if let (Some(a), Some(b), Some(into)) = (a.bound(), b.bound(), out.bound()) {
            let shape = [out.len() as u32];
            self.gpu.dispatch(kernel, &[a, b], into, &shape, cells(out.len()), 0);
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
        let (Some(from), Some(plus)) = (x.bound(), terms[0].bound()) else { return out };
        let (Some(gain), Some(into)) = (gain.bound(), out.bound()) else { return out };
        let plus = if TERMS > 1 { plus } else { plus.unread() };
        let has = u32::from(TERMS > 1) * HAS_PLUS + u32::from(bias.is_some()) * HAS_BIAS;
        let rows = x.len() / gain_columns;
        let columns = gain_columns;
        let shape = [rows as u32, columns as u32, epsilon.to_bits(), has];
        let bias = bias.and_then(WebGpuTensor::bound).unwrap_or(gain.unread());
        let inputs = [from, plus, gain, bias];
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

    fn stored_matrix(
        &self,
        format: Format,
        shape: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<WebGpuMatrix> {
        WebGpuMatrix::stored(&self.gpu, format, shape, rows)
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
        x.reshaped(columns)
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
        if let Some(into) = out.bound() {
            let ids = self.gpu.upload(bytes(ids));
            let pipeline = &self.gpu.pipelines.embed[table.held as usize];
            for part in &table.parts {
                let sizes = [rows, width, part.first, part.rows].map(|size| size as u32);
                let shape: Vec<u32> = sizes.into_iter().chain([scale.to_bits()]).collect();
                let inputs = [part.bound(), Bound::whole(&ids)];
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
        product::linear(&self.gpu, x, (matrix, bias), then)
    }

    fn linear_three(&self, x: &WebGpuTensor, maps: [Affine<'_, Self>; 3]) -> [WebGpuTensor; 3] {
        let at_once = product::three(&self.gpu, x, maps);
        at_once.unwrap_or_else(|| maps.map(|(matrix, bias)| self.linear(x, matrix, bias)))
    }

    fn gated(
        &self,
        x: &WebGpuTensor,
        maps: [Affine<'_, Self>; 2],
        activation: Activation,
    ) -> WebGpuTensor {
        let at_once = product::gated(&self.gpu, x, maps, activation);
        at_once.unwrap_or_else(|| gated_apart(self, x, maps, activation))
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
        if let (Some(from), Some(turned), Some(into)) = (x.bound(), turns.bound(), out.bound()) {
            let shape = [x.rows, x.columns, head_dim, turns.columns].map(|size| size as u32);
            let pipeline = &self.gpu.pipelines.rotate;
            self.gpu.dispatch(pipeline, &[from, turned], into, &shape, cells(x.len()), 0);
        }
        out
    }

    fn activate(&self, x: &WebGpuTensor, activation: Activation) -> WebGpuTensor {
        let out = self.gpu.tensor(x.rows, x.columns);
        if let (Some(from), Some(into)) = (x.bound(), out.bound()) {
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
        if let Some(cells) = out.bound() {
            let shape = [x.rows as u32, x.columns as u32];
            let pipeline = &self.gpu.pipelines.log_softmax;
            self.gpu.dispatch(pipeline, &[], cells, &shape, row_groups(x.rows), 0);
        }
        out
    }

    fn top_k(&self, x: &WebGpuTensor, k: usize) -> WebGpuTensor {
        let k = k.min(x.columns);
        let out = self.gpu.tensor(x.rows, 2 * k);
        if let (Some(from), Some(into)) = (x.bound(), out.bound()) {
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
        Limits { pace: self.gpu.pace, most_ranks: MOST_RANKS }
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
