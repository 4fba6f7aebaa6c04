//! The kernels: one pipeline per WGSL entry point, compiled when it is first dispatched. A run
//! takes about half of them, and a driver may take longer to compile one than to run it. Constants
//! that Rust and WGSL must agree on are written here and put in front of every source.
//!
//! The bindings of every kernel are the inputs, then the output, then the shape. The choice of the
//! kernel that multiplies tokens and a weight follows from the shape, and is made only here.

use std::cell::LazyCell;

use wgpu::{ComputePipeline, ComputePipelineDescriptor, Device, ShaderModuleDescriptor};

use crate::kernels::activation::Activation;
use crate::variants::GpuScore;

/// The bytes of one number.
pub(super) const FLOAT_BYTES: usize = size_of::<f32>();
/// The most workgroups along one axis of a grid, by WebGPU's default limits.
const LARGEST_GRID: usize = 65_535;
/// The invocations of a workgroup that goes through numbers or through one row.
const LANES: usize = 64;
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

/// A kernel that is compiled when it is first dispatched.
pub(super) type Pipeline = LazyCell<ComputePipeline, Box<dyn FnOnce() -> ComputePipeline>>;

/// A kernel from its source.
pub(super) fn pipeline(
    device: &Device,
    source: impl FnOnce() -> String + 'static,
    entry_point: &'static str,
) -> Pipeline {
    let device = device.clone();
    LazyCell::new(Box::new(move || {
        let common = include_str!("shaders/common.wgsl");
        let source = [&constants(), common, &source()].concat();
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some(entry_point),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: None,
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    }))
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

/// The number of rows up to which reading the weights takes the time, not the products.
const FEW_ROWS: usize = 8;
/// The invocations that share a column if there are few rows, as in `linear_few.wgsl`.
const SHARE: usize = 16;
/// The number of squares below which most cores of an adapter have nothing to do.
const ENOUGH_GROUPS: usize = 96;

/// A kernel that multiplies tokens and a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// The kernel for up to eight rows: sixteen invocations for each column.
    Few,
    /// The kernel with squares of 32.
    Small,
    /// The kernel with squares of 64. Squares of 128 took 2.5 times as long on an H100.
    Large,
}

impl Kernel {
    const ALL: [Self; 3] = [Self::Few, Self::Small, Self::Large];

    /// The kernel for a shape: the largest squares of which there are enough.
    pub fn of(rows: usize, outer: usize) -> Self {
        let [across, down, _] = Self::Large.groups(rows, outer);
        match rows {
            0..=FEW_ROWS => Self::Few,
            _ if rows > 32 && (across * down) as usize >= ENOUGH_GROUPS => Self::Large,
            _ => Self::Small,
        }
    }

    /// The number of workgroups.
    pub fn groups(self, rows: usize, outer: usize) -> [u32; 3] {
        let side = match self {
            Self::Few => return row_groups((outer * SHARE).div_ceil(LANES)),
            Self::Small => 32,
            Self::Large => 64,
        };
        [outer.div_ceil(side) as u32, rows.div_ceil(side) as u32, 1]
    }

    /// The WGSL source, with the constants of its tile.
    fn source(self) -> String {
        match self {
            Self::Few => include_str!("shaders/linear_few.wgsl").to_owned(),
            Self::Small => square(8),
            Self::Large => square(16),
        }
    }
}

/// The source of the kernel whose workgroups have `side` invocations along a side, each with 4 × 4
/// results.
fn square(side: usize) -> String {
    let each = |line: &dyn Fn(usize) -> String| (0..4).map(line).collect::<Vec<_>>().join("\n");
    let sums = each(&|column| format!("var a{column} = vec4<f32>(0.0);"));
    let products = each(&|column| {
        let weights = format!("matrix_tile[at_matrix + {column}u * SIDE]");
        format!("a{column} = added(a{column}, a, {weights});")
    });
    let results = each(&|column| format!("finish(row, column + {column}u * SIDE, a{column}[r]);"));
    let source = include_str!("shaders/linear_square.wgsl")
        .replace("// (sums)", &sums)
        .replace("// (products)", &products)
        .replace("// (results)", &results);
    format!("const SIDE: u32 = {side}u;\n{source}")
}

/// The kernels that multiply tokens and a weight.
pub(super) struct Kernels {
    /// The pipelines for rows of any length, then for lengths divisible by four; in the order of
    /// [`Kernel::ALL`].
    pipelines: [Vec<Pipeline>; 2],
}

impl Kernels {
    pub fn new(device: &Device) -> Self {
        let ways = [
            include_str!("shaders/linear_x_numbers.wgsl"),
            include_str!("shaders/linear_x_fours.wgsl"),
        ];
        let pipelines = ways.map(|way| {
            let of = |kernel: Kernel| {
                let source = move || {
                    let activations = include_str!("shaders/activations.wgsl");
                    let linear = include_str!("shaders/linear.wgsl");
                    [activations, linear, way, &kernel.source()].concat()
                };
                pipeline(device, source, "linear")
            };
            Kernel::ALL.map(of).into()
        });
        Self { pipelines }
    }

    pub fn get(&self, kernel: Kernel, inner: usize) -> &Pipeline {
        &self.pipelines[usize::from(inner.is_multiple_of(4))][kernel as usize]
    }
}

/// Every kernel, ready to be dispatched.
pub(super) struct Pipelines {
    pub add: Pipeline,
    pub activate: Pipeline,
    pub embed: Pipeline,
    pub linear: Kernels,
    pub multiply: Pipeline,
    pub norm: Pipeline,
    pub rotate: Pipeline,
    pub attend: Pipeline,
    pub log_softmax: Pipeline,
    pub top_k: Pipeline,
}

impl Pipelines {
    /// The sources of all kernels; a mistake in one is reported to the device's error handler at
    /// its first dispatch.
    pub fn new(device: &Device) -> Self {
        let plain = |source: &'static str, entry_point| {
            pipeline(device, move || source.to_owned(), entry_point)
        };
        let activate = concat!(
            include_str!("shaders/activations.wgsl"),
            include_str!("shaders/activate.wgsl")
        );
        let softmax = include_str!("shaders/softmax.wgsl");
        Self {
            add: plain(include_str!("shaders/add.wgsl"), "add"),
            activate: plain(activate, "activate"),
            embed: plain(include_str!("shaders/embed.wgsl"), "embed"),
            linear: Kernels::new(device),
            multiply: plain(include_str!("shaders/multiply.wgsl"), "multiply"),
            norm: plain(include_str!("shaders/norm.wgsl"), "norm"),
            rotate: plain(include_str!("shaders/rotate.wgsl"), "rotate"),
            attend: plain(
                concat!(
                    include_str!("shaders/score_tile.wgsl"),
                    include_str!("shaders/attend.wgsl")
                ),
                "attend",
            ),
            log_softmax: plain(softmax, "log_softmax"),
            top_k: plain(include_str!("shaders/top_k.wgsl"), "top_k"),
        }
    }
}
