//! Weights in GPU memory: `[outer, inner]`, row-major, so that an entry of an embedding table is
//! a row, in fours along `inner`. A table that is larger than what a kernel can be given is cut
//! between rows into parts, and every kernel that reads it runs once for each.

use half::f16;

use super::gpu::{FLOAT_BYTES, Gpu, bytes};
use super::pool::Buffer;
use crate::backend::Order;

/// How weights are stored; sums are f32 in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightType {
    /// As the model's file has them at most.
    #[default]
    F32,
    /// Rounded to 11 significant bits, in half the memory.
    F16,
}

impl WeightType {
    /// Four numbers as WGSL calls them.
    pub(super) fn wgsl(self) -> &'static str {
        match self {
            Self::F32 => "alias Weights = vec4<f32>;\n",
            Self::F16 => "enable f16;\nalias Weights = vec4<f16>;\n",
        }
    }

    fn n_bytes(self) -> usize {
        match self {
            Self::F32 => FLOAT_BYTES,
            Self::F16 => FLOAT_BYTES / 2,
        }
    }
}

/// A weight.
pub struct WebGpuMatrix {
    pub(super) parts: Vec<Part>,
    pub(super) inner: usize,
    pub(super) outer: usize,
}

/// Some rows of a weight.
pub(super) struct Part {
    pub buffer: Buffer,
    /// The row that it begins with.
    pub first: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl WebGpuMatrix {
    /// Brings a weight to the GPU.
    pub(super) fn new(gpu: &Gpu, data: &[f32], inner: usize, outer: usize, order: Order) -> Self {
        let stride = inner.next_multiple_of(4);
        let row_bytes = stride * gpu.weights.n_bytes();
        let at_once = (gpu.largest_binding / row_bytes.max(1)).max(1);
        let number = |n: usize, k: usize| match order {
            Order::OuterInner => data[n * inner + k],
            Order::InnerOuter => data[k * outer + n],
        };
        let part = |first: usize| {
            let rows = at_once.min(outer - first);
            let padded = (first..first + rows)
                .flat_map(|n| (0..stride).map(move |k| if k < inner { number(n, k) } else { 0.0 }));
            let buffer = match gpu.weights {
                WeightType::F32 if stride == inner && order == Order::OuterInner => {
                    gpu.keep(bytes(&data[first * inner..(first + rows) * inner]))
                }
                WeightType::F32 => gpu.keep(bytes(&padded.collect::<Vec<f32>>())),
                WeightType::F16 => {
                    let halves = padded.map(|x| f16::from_f32(x).to_bits());
                    gpu.keep(bytes(&halves.collect::<Vec<u16>>()))
                }
            };
            Part { buffer, first, rows }
        };
        let parts = (0..outer).step_by(at_once).map(part).collect();
        Self { parts, inner, outer }
    }
}
