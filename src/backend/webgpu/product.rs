//! Products of tokens and weights: one weight with what follows, three weights of the same tokens
//! in one kernel, and a gated network's two.

use std::rc::Rc;

use wgpu::BufferAddress;

use super::compiled::{FLOAT_BYTES, HAS_BIAS, HAS_PLUS, HAS_TIMES, NO_ACTIVATION};
use super::gpu::{Bound, Gpu};
use super::linear_kernels::{Choice, Kernel, Maps};
use super::matrix::{Part, WebGpuMatrix};
use super::tensor::WebGpuTensor;
use crate::backend::Epilogue;
use crate::kernels::activation::Activation;

/// The numbers from one tensor to the next in a buffer of several are a multiple of this: WebGPU
/// binds parts of buffers from every 256th byte on.
const ALIGNED: usize = 256 / FLOAT_BYTES;

/// A weight with its bias.
type Map<'a> = (&'a WebGpuMatrix, Option<&'a WebGpuTensor>);

/// `activation(x W + b) ⊙ times + plus`.
pub(super) fn linear(
    gpu: &Gpu,
    x: &WebGpuTensor,
    (matrix, bias): Map<'_>,
    then: &Epilogue<'_, WebGpuTensor>,
) -> WebGpuTensor {
    let rows = x.rows;
    let out = gpu.tensor(rows, matrix.outer);
    let (Some(from), Some(into)) = (x.bound(), out.bound()) else { return out };
    let beside = [bias, then.times, then.plus].map(|tensor| tensor.and_then(WebGpuTensor::bound));
    let has = [HAS_BIAS, HAS_TIMES, HAS_PLUS];
    let follows: u32 =
        beside.iter().zip(has).map(|(tensor, has)| u32::from(tensor.is_some()) * has).sum();
    let activation = then.activation.map_or(NO_ACTIVATION, |activation| activation as u32);
    let kernel = Kernel::of(rows, matrix.outer);
    let compiled = gpu.pipelines.linear.get(choice(kernel, Maps::One, matrix));
    for part in &matrix.parts {
        let sizes = [rows, matrix.inner, part.rows, matrix.outer, part.first];
        let [rows, inner, outer, columns, first] = sizes.map(|size| size as u32);
        let shape = [rows, inner, outer, columns, first, activation, follows];
        let weights = part.bound();
        let [bias, times, plus] = beside.map(|tensor| tensor.unwrap_or(weights.unread()));
        let groups = kernel.groups(x.rows, part.rows);
        let products = (x.len() * part.rows) as u64;
        let inputs = [from, weights, bias, times, plus];
        gpu.dispatch(&compiled, &inputs, into, &shape, groups, products);
    }
    out
}

/// Three maps of the same rows in one kernel; `None` if it cannot compute them.
pub(super) fn three(gpu: &Gpu, x: &WebGpuTensor, maps: [Map<'_>; 3]) -> Option<[WebGpuTensor; 3]> {
    let weights = at_once(maps.map(|map| map.0))?;
    let outers = maps.map(|(matrix, _)| matrix.outer);
    let rows = x.rows;
    let [first, second, third] = outers.map(|outer| (rows * outer).next_multiple_of(ALIGNED));
    let starts = [0, first, first + second];
    let n_numbers = first + second + third;
    let from = x.bound()?;
    if n_numbers * FLOAT_BYTES > gpu.largest_binding {
        return None;
    }
    let buffer = Rc::new(gpu.buffer(n_numbers));
    let bytes = (n_numbers * FLOAT_BYTES) as BufferAddress;
    let into = Bound { bytes, ..Bound::whole(&buffer) };
    let (biases, has_bias) = biases(maps, weights);
    let sizes = [rows, maps[0].0.inner, outers[0], outers[1], outers[2], starts[1], starts[2]];
    let shape: Vec<u32> = sizes.map(|size| size as u32).into_iter().chain([has_bias]).collect();
    let outer = outers.iter().sum();
    let kernel = Kernel::of(rows, outer);
    let inputs: Vec<_> = [from].into_iter().chain(weights).chain(biases).collect();
    let compiled = gpu.pipelines.linear.get(choice(kernel, Maps::Three, maps[0].0));
    let products = (x.len() * outer) as u64;
    gpu.dispatch(&compiled, &inputs, into, &shape, kernel.groups(rows, outer), products);
    let part = |at: usize| WebGpuTensor::part(&buffer, starts[at], rows, outers[at]);
    Some([part(0), part(1), part(2)])
}

/// `activation(x W + b) ⊙ (x W₃ + b₃)` in one kernel; `None` if it cannot compute it.
pub(super) fn gated(
    gpu: &Gpu,
    x: &WebGpuTensor,
    maps: [Map<'_>; 2],
    activation: Activation,
) -> Option<WebGpuTensor> {
    let weights = at_once(maps.map(|map| map.0))?;
    let (matrix, rows) = (maps[0].0, x.rows);
    let from = x.bound()?;
    let out = gpu.tensor(rows, matrix.outer);
    let into = out.bound()?;
    let (biases, has_bias) = biases(maps, weights);
    let [shape_rows, inner, outer] = [rows, matrix.inner, matrix.outer].map(|size| size as u32);
    let shape = [shape_rows, inner, outer, activation as u32, has_bias];
    // A square has as many columns of either weight.
    let both = 2 * matrix.outer;
    let kernel = Kernel::of(rows, both);
    let inputs: Vec<_> = [from].into_iter().chain(weights).chain(biases).collect();
    let compiled = gpu.pipelines.linear.get(choice(kernel, Maps::Gated, matrix));
    let products = (x.len() * both) as u64;
    gpu.dispatch(&compiled, &inputs, into, &shape, kernel.groups(rows, both), products);
    Some(out)
}

fn choice(kernel: Kernel, maps: Maps, matrix: &WebGpuMatrix) -> Choice {
    Choice { kernel, maps, held: matrix.held, in_fours: matrix.inner.is_multiple_of(4) }
}

/// The bindings of weights that one kernel can read: whole ones of one format.
fn at_once<const N: usize>(matrices: [&WebGpuMatrix; N]) -> Option<[Bound<'_>; N]> {
    let is_alike =
        |matrix: &&WebGpuMatrix| matrix.held == matrices[0].held && matches!(matrix.parts[..], [_]);
    matrices.iter().all(is_alike).then(|| matrices.map(|matrix| Part::bound(&matrix.parts[0])))
}

/// The bindings of biases, and a bit for each that there is.
fn biases<'a, const N: usize>(
    maps: [Map<'a>; N],
    weights: [Bound<'a>; N],
) -> ([Bound<'a>; N], u32) {
    let found = maps.map(|(_, bias)| bias.and_then(WebGpuTensor::bound));
    let bits = found.iter().enumerate().map(|(at, bias)| u32::from(bias.is_some()) << at);
    let bits = bits.sum();
    (found.map(|bias| bias.unwrap_or(weights[0].unread())), bits)
}
