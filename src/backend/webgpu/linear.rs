//! The product of tokens and a weight, with what follows it in the same kernel. Which of the
//! kernels multiplies, follows from the shape, here and nowhere else.

use wgpu::Device;

use super::gpu::{Gpu, row_groups};
use super::recording::{LANES, Pipeline, pipeline};
use super::tensor::WebGpuTensor;
use super::tensor::{WebGpuMatrix, WeightType};
use crate::backend::Epilogue;

/// Rows up to which it is the weights that take the time, not the products.
const FEW_ROWS: usize = 8;
/// Invocations that share a column where there are few rows, as in `linear_few.wgsl`.
const SHARE: usize = 16;
/// Squares below which an adapter has nothing to do for most of its cores.
const ENOUGH_GROUPS: usize = 96;

/// What stands in a shape for no activation.
pub(super) const NO_ACTIVATION: u32 = u32::MAX;
/// What there is besides, in a shape.
pub(super) const HAS_BIAS: u32 = 1;
pub(super) const HAS_TIMES: u32 = 2;
pub(super) const HAS_PLUS: u32 = 4;

/// A kernel that multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// Sixteen invocations for each column of up to eight rows.
    Few,
    /// Squares of 32.
    Small,
    /// Squares of 64.
    Medium,
    /// Squares of 128.
    Wide,
}

impl Kernel {
    const ALL: [Self; 4] = [Self::Few, Self::Small, Self::Medium, Self::Wide];

    /// The one for a shape: the largest squares of which there are enough.
    pub fn of(rows: usize, outer: usize) -> Self {
        let is_enough = |kernel: Self| {
            let groups = kernel.groups(rows, outer);
            groups[0] as usize * groups[1] as usize >= ENOUGH_GROUPS
        };
        match rows {
            0..=FEW_ROWS => Self::Few,
            _ if rows > 64 && is_enough(Self::Wide) => Self::Wide,
            _ if rows > 32 && is_enough(Self::Medium) => Self::Medium,
            _ => Self::Small,
        }
    }

    /// Its workgroups.
    fn groups(self, rows: usize, outer: usize) -> [u32; 3] {
        let side = match self {
            Self::Few => return row_groups((outer * SHARE).div_ceil(LANES)),
            Self::Small => 32,
            Self::Medium => 64,
            Self::Wide => 128,
        };
        [outer.div_ceil(side) as u32, rows.div_ceil(side) as u32, 1]
    }

    /// Its source, with what it has along a side.
    fn source(self) -> String {
        match self {
            Self::Few => include_str!("shaders/linear_few.wgsl").to_owned(),
            Self::Small => square(8, 4),
            Self::Medium => square(16, 4),
            Self::Wide => square(16, 8),
        }
    }
}

/// The kernel whose workgroups have `side` invocations along a side, and these `per` results.
fn square(side: usize, per: usize) -> String {
    let (mut sums, mut products, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let fours = ["a", "b"].into_iter().zip((0..per).step_by(4));
    for (four, first) in fours.clone() {
        let rows = (first..first + 4).map(|row| format!("x_tile[at_x + {row}u * SIDE]"));
        let rows = rows.collect::<Vec<_>>().join(", ");
        products.push(format!("let {four} = transpose(mat4x4<f32>({rows}));"));
    }
    for column in 0..per {
        products.push(format!("weights = matrix_tile[at_matrix + {column}u * SIDE];"));
        for (four, first) in fours.clone() {
            let sum = format!("{four}{column}");
            let place = format!("row + {first}u * SIDE, column + {column}u * SIDE");
            sums.push(format!("var {sum} = vec4<f32>(0.0);"));
            products.push(format!("{sum} = added({sum}, {four}, weights);"));
            results.push(format!("finish({place}, {sum}[r]);"));
        }
    }
    let source = include_str!("shaders/linear_square.wgsl")
        .replace("// (sums)", &sums.join("\n"))
        .replace("// (products)", &products.join("\n"))
        .replace("// (results)", &results.join("\n"));
    format!("const SIDE: u32 = {side}u;\nconst PER: u32 = {per}u;\n{source}")
}

/// The kernels for one way to store weights.
pub(super) struct Kernels {
    /// For rows of any length, then for rows that four divides; in the order of [`Kernel::ALL`].
    pipelines: [Vec<Pipeline>; 2],
}

impl Kernels {
    pub fn new(device: &Device, weights: WeightType) -> Self {
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
                pipeline(device, weights.wgsl(), source, "linear")
            };
            Kernel::ALL.map(of).into()
        });
        Self { pipelines }
    }

    fn get(&self, kernel: Kernel, inner: usize) -> &Pipeline {
        &self.pipelines[usize::from(inner.is_multiple_of(4))][kernel as usize]
    }
}

/// `x · matrix (+ bias)`, and what follows, by the kernel for its shape.
pub(super) fn linear(
    gpu: &Gpu,
    x: &WebGpuTensor,
    matrix: &WebGpuMatrix,
    bias: Option<&WebGpuTensor>,
    then: &Epilogue<'_, WebGpuTensor>,
) -> WebGpuTensor {
    let kernel = Kernel::of(x.rows, matrix.outer);
    let (rows, inner) = (x.rows, matrix.inner);
    let out = gpu.tensor(rows, matrix.outer);
    let (Some(from), Some(into)) = (&x.buffer, &out.buffer) else { return out };
    let beside = |tensor: Option<&WebGpuTensor>| tensor.and_then(|tensor| tensor.buffer.clone());
    let (bias, times, plus) = (beside(bias), beside(then.times), beside(then.plus));
    let follows = u32::from(bias.is_some()) * HAS_BIAS
        + u32::from(times.is_some()) * HAS_TIMES
        + u32::from(plus.is_some()) * HAS_PLUS;
    let activation = then.activation.map_or(NO_ACTIVATION, |activation| activation as u32);
    for part in &matrix.parts {
        let sizes = [rows, inner, part.rows, matrix.outer, part.first].map(|size| size as u32);
        let shape: Vec<u32> = sizes.into_iter().chain([activation, follows]).collect();
        // Every binding needs a buffer; where nothing follows it is one that is not read.
        let [bias, times, plus] =
            [&bias, &times, &plus].map(|buffer| buffer.as_deref().unwrap_or(&part.buffer));
        let inputs = [&**from, &part.buffer, bias, times, plus];
        let products = (rows * inner) as u64 * part.rows as u64;
        let groups = kernel.groups(rows, part.rows);
        let pipeline = gpu.pipelines.linear.get(kernel, inner);
        gpu.heavy_dispatch(pipeline, &inputs, into, &shape, groups, products);
    }
    out
}
