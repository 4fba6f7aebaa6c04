//! A kernel: an entry point of a WGSL source, compiled into a pipeline when it is first dispatched,
//! and the grid of its workgroups. Constants that Rust and WGSL must agree on are written here and
//! put in front of every source.

use std::cell::LazyCell;

use wgpu::{ComputePipeline, ComputePipelineDescriptor, Device, ShaderModuleDescriptor};

use crate::kernels::activation::Activation;
use crate::variants::GpuScore;

/// The bytes of one number.
pub(super) const FLOAT_BYTES: usize = size_of::<f32>();
/// The most workgroups along one axis of a grid, by WebGPU's default limits.
const LARGEST_GRID: usize = 65_535;
/// The invocations of a workgroup that goes through numbers or through one row.
pub(super) const LANES: usize = 64;
/// The invocations of a workgroup that goes through one very long row: the default limit.
const MANY_LANES: usize = 256;
/// The invocations of a workgroup of attention: eight for each row of a square.
const ATTEND_LANES: usize = 256;
/// The queries and keys of a square, whose scores a workgroup computes at once.
pub(super) const SQUARE: usize = 32;
/// The columns of values that a workgroup sums.
pub(super) const WIDEST: usize = 64;
/// The numbers in a record of a head's scores.
const HEAD_WORDS: usize = 7;
/// The value in a shape for no activation.
pub(super) const NO_ACTIVATION: u32 = u32::MAX;
/// The bit in a shape for a bias.
pub(super) const HAS_BIAS: u32 = 1;
pub(super) const HAS_TIMES: u32 = 2;
pub(super) const HAS_PLUS: u32 = 4;

/// The relative-position terms of the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Terms {
    /// No terms.
    None,
    /// A number by head and distance.
    Table,
    /// A number by head and distance, and products with queries and keys.
    Products,
}

/// A grid with a lane for each of some numbers.
pub(super) fn cells(n_numbers: usize) -> [u32; 3] {
    row_groups(n_numbers.div_ceil(LANES))
}

/// A grid with a workgroup for each of some rows, on two axes if one is too short.
pub(super) fn row_groups(n_rows: usize) -> [u32; 3] {
    let across = n_rows.clamp(1, LARGEST_GRID);
    [across as u32, n_rows.div_ceil(across) as u32, 1]
}

/// A kernel with its name.
#[derive(Clone)]
pub(super) struct Compiled {
    pub name: &'static str,
    pub pipeline: ComputePipeline,
}

/// A kernel that is compiled when it is first dispatched.
pub(super) type Pipeline = LazyCell<Compiled, Box<dyn FnOnce() -> Compiled>>;

/// A kernel from its source, whose entry point has the kernel's name.
pub(super) fn pipeline(
    device: &Device,
    source: impl FnOnce() -> String + 'static,
    name: &'static str,
) -> Pipeline {
    let device = device.clone();
    LazyCell::new(Box::new(move || compiled(&device, &source(), name, name)))
}

/// Compiles a kernel.
pub(super) fn compiled(
    device: &Device,
    source: &str,
    entry_point: &str,
    name: &'static str,
) -> Compiled {
    let common = include_str!("shaders/common.wgsl");
    let source = [&constants(), common, source].concat();
    let module = device.create_shader_module(ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module: &module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    Compiled { name, pipeline }
}

/// The constants as WGSL.
fn constants() -> String {
    [
        ("LANES", LANES as u32),
        ("MANY_LANES", MANY_LANES as u32),
        ("MINUS_INFINITY", f32::NEG_INFINITY.to_bits()),
        ("HAS_BIAS", HAS_BIAS),
        ("HAS_TIMES", HAS_TIMES),
        ("HAS_PLUS", HAS_PLUS),
        ("NO_ACTIVATION", NO_ACTIVATION),
        ("RELU", Activation::Relu as u32),
        ("GELU", Activation::Gelu as u32),
        ("GELU_TANH", Activation::GeluTanh as u32),
        ("SILU", Activation::Silu as u32),
        ("TANH", Activation::Tanh as u32),
        ("GELU_CLIPPED", Activation::GeluClipped as u32),
        ("QUICK_GELU", Activation::QuickGelu as u32),
        ("MISH", Activation::Mish as u32),
        ("RELU2", Activation::Relu2 as u32),
        ("RELU6", Activation::Relu6 as u32),
        ("LEAKY_RELU", Activation::LeakyRelu as u32),
        ("HARDSWISH", Activation::Hardswish as u32),
        ("SIGMOID", Activation::Sigmoid as u32),
        ("LAPLACE", Activation::Laplace as u32),
        ("LINEAR", Activation::Linear as u32),
        ("ATTEND_LANES", ATTEND_LANES as u32),
        ("SQUARE", SQUARE as u32),
        ("WIDEST", WIDEST as u32),
        ("HEAD_WORDS", HEAD_WORDS as u32),
        ("KIND_COSINE", GpuScore::Cosine as u32),
        ("KIND_FEATURES", GpuScore::Features as u32),
        ("KIND_ADDITIVE", GpuScore::Additive as u32),
        ("TERMS_NONE", Terms::None as u32),
        ("TERMS_PRODUCTS", Terms::Products as u32),
    ]
    .into_iter()
    .map(|(name, value)| format!("const {name}: u32 = {value}u;\n"))
    .collect::<Vec<String>>()
    .concat()
}
