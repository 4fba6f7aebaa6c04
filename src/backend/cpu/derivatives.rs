//! The reverse pass of the operations of a forward pass other than attention.

use std::ops::Range;
use std::rc::Rc;

use super::{Cpu, CpuTensor, attention_derivatives};
use crate::backend::{Attention, Derivatives, Order, Slopes, Storage};
use crate::kernels::activation::Activation;
use crate::kernels::elementwise;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::norm_backward::{layer_norm_backward_row, rms_norm_backward_row};
use crate::kernels::slope::slopes;
use crate::kernels::softmax_backward::log_softmax_backward;
use crate::kernels::transpose::transposed;
use crate::kernels::vector::add_multiple;

impl Derivatives for Cpu {
    fn columns(&self, x: &CpuTensor) -> usize {
        x.columns
    }

    fn shape(&self, matrix: &PackedMatrix) -> [usize; 2] {
        [matrix.inner(), matrix.outer()]
    }

    fn transpose(&self, matrix: &PackedMatrix) -> PackedMatrix {
        let [inner, outer] = self.shape(matrix);
        let mut columns = vec![0.0; inner * outer];
        for (index, column) in columns.chunks_exact_mut(inner.max(1)).enumerate() {
            matrix.column(index, column);
        }
        self.matrix(&columns, outer, inner, Order::InnerOuter)
    }

    fn weight_backward(&self, x: &CpuTensor, dy: &CpuTensor) -> CpuTensor {
        let rows = x.rows();
        let transposed = transposed(&dy.data, dy.columns);
        let packed = PackedMatrix::from_rows(rows, x.columns, &x.data, x.columns);
        let mut out = vec![0.0; dy.columns * x.columns];
        let left = Rows { data: &transposed, stride: rows, count: dy.columns };
        matmul(left, &packed, None, &mut out, x.columns);
        CpuTensor::new(out, x.columns)
    }

    fn embed_backward(
        &self,
        table: &PackedMatrix,
        ids: &[u32],
        scale: f32,
        dy: &CpuTensor,
    ) -> CpuTensor {
        let width = table.inner();
        let mut out = vec![0.0; table.outer() * width];
        for (&id, slope) in ids.iter().zip(dy.data.chunks_exact(width)) {
            let row = &mut out[id as usize * width..][..width];
            add_multiple(row, scale, slope);
        }
        CpuTensor::new(out, width)
    }

    fn add_rows(&self, sum: &mut CpuTensor, first: usize, rows: &CpuTensor) {
        let cells = first * sum.columns..first * sum.columns + rows.data.len();
        elementwise::add_into(&mut Rc::make_mut(&mut sum.data)[cells], &rows.data);
    }

    fn sum_rows(&self, x: &CpuTensor) -> CpuTensor {
        let mut sum = vec![0.0; x.columns];
        x.data.chunks_exact(x.columns).for_each(|row| elementwise::add_into(&mut sum, row));
        CpuTensor::new(sum, x.columns)
    }

    fn slope(&self, x: &CpuTensor, activation: Activation) -> CpuTensor {
        let mut numbers = x.data.to_vec();
        slopes(activation, &mut numbers);
        CpuTensor::new(numbers, x.columns)
    }

    fn layer_norm_backward(
        &self,
        x: &CpuTensor,
        gain: &CpuTensor,
        epsilon: f32,
        dy: &CpuTensor,
    ) -> [CpuTensor; 3] {
        let [dx, dgain] = norm_backward(x, gain, dy, |rows, dx, dgain| {
            layer_norm_backward_row(rows, epsilon, dx, dgain);
        });
        [dx, dgain, self.sum_rows(&dy.reshape(gain.columns))]
    }

    fn rms_norm_backward(
        &self,
        x: &CpuTensor,
        gain: &CpuTensor,
        epsilon: f32,
        dy: &CpuTensor,
    ) -> [CpuTensor; 2] {
        norm_backward(x, gain, dy, |rows, dx, dgain| {
            rms_norm_backward_row(rows, epsilon, dx, dgain);
        })
    }

    fn log_softmax_backward(&self, y: &CpuTensor, dy: &CpuTensor) -> CpuTensor {
        let mut dx = dy.data.to_vec();
        log_softmax_backward(&y.data, y.columns, &mut dx);
        CpuTensor::new(dx, y.columns)
    }

    fn attend_backward(
        &self,
        site: &Attention<'_, CpuTensor>,
        queries: Range<usize>,
        dy: &CpuTensor,
    ) -> [CpuTensor; 3] {
        attention_derivatives::of_rows(site, &queries, dy)
    }

    fn pattern_backward(
        &self,
        site: &Attention<'_, CpuTensor>,
        head: usize,
        queries: Range<usize>,
        dy: &CpuTensor,
    ) -> Slopes {
        attention_derivatives::of_pattern(site, head, &queries, &dy.data)
    }
}

/// The gradients with respect to the pieces of rows that were normed, and to the gain.
fn norm_backward(
    x: &CpuTensor,
    gain: &CpuTensor,
    dy: &CpuTensor,
    backward: impl Fn([&[f32]; 3], &mut [f32], &mut [f32]),
) -> [CpuTensor; 2] {
    let width = gain.columns;
    let mut dx = vec![0.0; x.data.len()];
    let mut dgain = vec![0.0; width];
    let pieces = x.data.chunks_exact(width).zip(dy.data.chunks_exact(width));
    for ((x, dy), dx) in pieces.zip(dx.chunks_exact_mut(width)) {
        backward([x, &gain.data, dy], dx, &mut dgain);
    }
    [CpuTensor::new(dx, x.columns), CpuTensor::new(dgain, width)]
}
