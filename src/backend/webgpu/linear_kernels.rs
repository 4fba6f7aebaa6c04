//! The kernels that multiply tokens and weights. The choice of the kernel follows from the shape,
//! and is made only here. A source is put together from how weights are read, how tokens are read,
//! what is computed of the sums, and the kernel; each combination is compiled when it is first
//! dispatched.

use std::cell::RefCell;

use wgpu::Device;

use super::compiled::{Compiled, LANES, compiled, row_groups};
use super::held::Held;

/// The number of rows up to which reading the weights takes the time, not the products.
const FEW_ROWS: usize = 8;
/// The invocations that share a column if there are few rows, as in `linear_few.wgsl`.
const SHARE: usize = 16;
/// The number of squares below which most cores of an adapter have nothing to do.
const ENOUGH_GROUPS: usize = 96;

/// How a kernel goes through a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// The kernel for up to eight rows: sixteen invocations for each column.
    Few,
    /// The kernel with squares of 32.
    Small,
    /// The kernel with squares of 64. Squares of 128 took 2.5 times as long on an H100.
    Large,
}

/// The weights of a dispatch, and what is computed of the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    /// One weight, and an epilogue.
    One,
    /// Three weights side by side, whose results follow each other.
    Three,
    /// Two weights of the same shape: the activated results of one times those of the other. A
    /// workgroup has as many columns of either.
    Gated,
}

/// A combination that is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub kernel: Kernel,
    pub maps: Maps,
    pub held: Held,
    /// Whether rows of tokens are divisible by four.
    pub in_fours: bool,
}

/// The kernels that were dispatched so far.
pub(super) struct LinearKernels {
    device: Device,
    compiled: RefCell<Vec<(Choice, Compiled)>>,
}

impl Kernel {
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
}

impl Maps {
    /// The source of what is computed of the sums, and the names and bindings of the weights.
    fn source(self) -> (&'static str, &'static [(&'static str, u32)]) {
        match self {
            Self::One => (include_str!("shaders/linear_one.wgsl"), &[("matrix", 1)]),
            Self::Three => (
                include_str!("shaders/linear_three.wgsl"),
                &[("matrix_1", 1), ("matrix_2", 2), ("matrix_3", 3)],
            ),
            Self::Gated => {
                (include_str!("shaders/linear_gated.wgsl"), &[("gate", 1), ("factor", 2)])
            }
        }
    }
}

impl Choice {
    /// The name of the kernel.
    fn name(self) -> &'static str {
        match (self.maps, self.kernel) {
            (Maps::One, Kernel::Few) => "linear_few",
            (Maps::One, _) => "linear",
            (Maps::Three, Kernel::Few) => "linear_three_few",
            (Maps::Three, _) => "linear_three",
            (Maps::Gated, Kernel::Few) => "gated_few",
            (Maps::Gated, _) => "gated",
        }
    }

    /// The WGSL source.
    fn source(self) -> String {
        let (results, weights) = self.maps.source();
        let way = if self.in_fours {
            include_str!("shaders/linear_x_fours.wgsl")
        } else {
            include_str!("shaders/linear_x_numbers.wgsl")
        };
        [
            include_str!("shaders/activations.wgsl"),
            &self.held.source(weights),
            results,
            include_str!("shaders/linear.wgsl"),
            way,
            &self.kernel_source(),
        ]
        .concat()
    }

    /// The source of the kernel, with the constants of its tile.
    fn kernel_source(self) -> String {
        let is_gated = self.maps == Maps::Gated;
        match self.kernel {
            Kernel::Few => {
                let lanes = if is_gated { "HALF * SHARE" } else { "LANES" };
                let finish = |sums: &str, row: &str| {
                    let factor = format!(", {sums}[first + HALF * SHARE][{row}]");
                    let factor = if is_gated { factor.as_str() } else { "" };
                    format!("finish(own, column, {sums}[first][{row}]{factor});")
                };
                include_str!("shaders/linear_few.wgsl")
                    .replace("/* lanes */", lanes)
                    .replace("// (low rows)", &finish("low_sums", "own"))
                    .replace("// (high rows)", &finish("high_sums", "own - 4u"))
            }
            Kernel::Small => square(8, is_gated),
            Kernel::Large => square(16, is_gated),
        }
    }
}

/// The source of the kernel whose workgroups have `side` invocations along a side, each with 4 × 4
/// sums.
fn square(side: usize, is_gated: bool) -> String {
    let each =
        |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<Vec<_>>().join("\n");
    let sums = each(4, &|column| format!("var a{column} = vec4<f32>(0.0);"));
    let products = each(4, &|column| {
        let weights = format!("matrix_tile[at_matrix + {column}u * SIDE]");
        format!("a{column} = added(a{column}, a, {weights});")
    });
    let results = each(if is_gated { 2 } else { 4 }, &|column| {
        let factor = if is_gated { format!(", a{}[r]", column + 2) } else { String::new() };
        format!("finish(row, column + {column}u * SIDE, a{column}[r]{factor});")
    });
    let source = include_str!("shaders/linear_square.wgsl")
        .replace("// (sums)", &sums)
        .replace("// (products)", &products)
        .replace("// (results)", &results);
    format!("const SIDE: u32 = {side}u;\n{source}")
}

impl LinearKernels {
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), compiled: RefCell::default() }
    }

    /// A kernel, which is compiled if it was not dispatched before.
    pub fn get(&self, choice: Choice) -> Compiled {
        let mut known = self.compiled.borrow_mut();
        if let Some((_, kernel)) = known.iter().find(|(of, _)| *of == choice) {
            return kernel.clone();
        }
        let kernel = compiled(&self.device, &choice.source(), "linear", choice.name());
        known.push((choice, kernel.clone()));
        kernel
    }
}
