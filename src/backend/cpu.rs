//! The CPU backend: packed weights and the kernels.
//!
//! Every output element is summed in one fixed order, whichever rows are computed
//! together: a cached step and a partial rerun are bit-identical to the full run.

mod attention_derivatives;
mod derivatives;
mod head;
mod head_rows;
mod packed_head;
mod tensor;

use std::future::{Future, ready};
use std::ops::Range;
use std::rc::Rc;

use super::{Algebra, Attend, Attention, Backend, Epilogue, Inspect, Order, Storage};
use crate::axes::Stage;
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul};
use crate::kernels::stored::Format;
use crate::kernels::{self, elementwise, norm, rotate, softmax, top_k};
use crate::variants::{Cost, QUERY_ROWS};
use head::{Head, kv_rows};
pub(super) use packed_head::PackedHead;
pub(super) use tensor::CpuTensor;

/// The CPU backend, which runs the kernels of this build.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cpu {
    /// Whether weights of a file are rounded to bytes.
    pub has_bytes: bool,
}

/// The CPU backend that keeps weights in the format of their file.
#[expect(non_upper_case_globals, reason = "a unit struct's name is its value too")]
pub const Cpu: Cpu = Cpu { has_bytes: false };

impl Storage for Cpu {
    type Tensor = CpuTensor;
    type Matrix = PackedMatrix;

    fn upload(&self, data: Vec<f32>, columns: usize) -> CpuTensor {
        CpuTensor::new(data, columns)
    }

    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> PackedMatrix {
        match order {
            Order::InnerOuter => PackedMatrix::from_rows(inner, outer, data, outer),
            Order::OuterInner => PackedMatrix::from_columns(inner, outer, data, inner),
        }
    }

    fn stored_matrix(
        &self,
        format: Format,
        [inner, outer]: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<PackedMatrix> {
        let held = self.held_format(format).unwrap_or(format);
        let mut matrix = PackedMatrix::stored(held, inner, outer);
        for rows in rows {
            matrix.push_stored(format, &rows?);
        }
        Ok(matrix)
    }

    fn held_format(&self, format: Format) -> Option<Format> {
        Some(if self.has_bytes { Format::Q8_0 } else { format })
    }

    fn empty(&self, columns: usize, most: usize) -> CpuTensor {
        CpuTensor::empty(columns, most)
    }

    fn rows(&self, x: &CpuTensor) -> usize {
        x.rows()
    }

    fn select(&self, x: &CpuTensor, rows: Range<usize>) -> CpuTensor {
        x.select(rows)
    }

    fn reshape(&self, x: &CpuTensor, columns: usize) -> CpuTensor {
        x.reshape(columns)
    }

    fn append(&self, x: &mut CpuTensor, rows: &CpuTensor) {
        x.append(rows);
    }

    fn read(&self, x: &CpuTensor) -> impl Future<Output = Result<Vec<f32>>> + 'static {
        ready(Ok(x.data.to_vec()))
    }
}

impl Algebra for Cpu {
    fn embed(&self, table: &PackedMatrix, ids: &[u32], scale: f32) -> CpuTensor {
        let d = table.inner();
        let mut out = vec![0.0; ids.len() * d];
        for (row, &id) in out.chunks_exact_mut(d).zip(ids) {
            table.column(id as usize, row);
        }
        elementwise::scale(&mut out, scale);
        CpuTensor::new(out, d)
    }

    fn linear_epilogue(
        &self,
        x: &CpuTensor,
        matrix: &PackedMatrix,
        bias: Option<&CpuTensor>,
        then: &Epilogue<'_, CpuTensor>,
    ) -> CpuTensor {
        let rows = x.rows();
        let outer = matrix.outer();
        let mut out = vec![0.0; rows * outer];
        let input = Rows { data: &x.data, stride: x.columns, count: rows };
        matmul(input, matrix, bias.map(|b| b.data.as_slice()), &mut out, outer);
        if let Some(activation) = then.activation {
            activation.apply(&mut out);
        }
        if let Some(times) = then.times {
            elementwise::multiply_into(&mut out, &times.data);
        }
        if let Some(plus) = then.plus {
            elementwise::add_into(&mut out, &plus.data);
        }
        CpuTensor::new(out, outer)
    }

    fn multiply(&self, a: &CpuTensor, b: &CpuTensor) -> CpuTensor {
        let mut out = a.data.to_vec();
        elementwise::multiply_into(&mut out, &b.data);
        CpuTensor::new(out, a.columns)
    }

    fn add(&self, a: &CpuTensor, b: &CpuTensor) -> CpuTensor {
        let mut out = a.data.to_vec();
        elementwise::add_into(&mut out, &b.data);
        CpuTensor::new(out, a.columns)
    }

    fn layer_norm(
        &self,
        x: &CpuTensor,
        gain: &CpuTensor,
        bias: &CpuTensor,
        epsilon: f32,
    ) -> CpuTensor {
        x.written_in_pieces(gain.columns, |row, into| {
            norm::layer_norm_row(row, &gain.data, &bias.data, epsilon, into);
        })
    }

    fn rms_norm(&self, x: &CpuTensor, gain: &CpuTensor, epsilon: f32) -> CpuTensor {
        x.written_in_pieces(gain.columns, |row, into| {
            norm::rms_norm_row(row, &gain.data, epsilon, into);
        })
    }

    fn rotate(&self, x: &CpuTensor, turns: &CpuTensor, head_dim: usize) -> CpuTensor {
        let mut out = x.data.to_vec();
        let rows = out.chunks_exact_mut(x.columns).zip(turns.data.chunks_exact(turns.columns));
        for (row, turn) in rows {
            rotate::rotate_row(row, turn, head_dim);
        }
        CpuTensor::new(out, x.columns)
    }

    fn activate(&self, x: &CpuTensor, activation: Activation) -> CpuTensor {
        let mut out = x.data.to_vec();
        activation.apply(&mut out);
        CpuTensor::new(out, x.columns)
    }

    fn log_softmax(&self, x: &CpuTensor) -> CpuTensor {
        x.map_rows(softmax::log_softmax_row)
    }

    fn top_k(&self, x: &CpuTensor, k: usize) -> CpuTensor {
        let k = k.min(x.columns);
        let mut out = Vec::with_capacity(x.rows() * 2 * k);
        for row in x.data.chunks_exact(x.columns) {
            let best = top_k::top_k(row, k);
            out.extend(best.iter().map(|&(index, _)| index as f32));
            out.extend(best.iter().map(|&(_, value)| value));
        }
        CpuTensor::new(out, 2 * k)
    }
}

impl Attend for Cpu {
    fn attend(&self, site: &Attention<'_, CpuTensor>, queries: Range<usize>) -> CpuTensor {
        let width = site.value.columns / site.n_kv_heads;
        let columns = site.n_heads * width;
        let mut out = vec![0.0; queries.len() * columns];
        let mut all_packed = site.memo.packed.take();
        for kv_head in 0..site.n_kv_heads {
            let rows = kv_rows(site, kv_head);
            if all_packed.len() == kv_head {
                all_packed.push(Rc::new(PackedHead::empty(rows)));
            }
            let packed = &mut all_packed[kv_head];
            if !packed.knows(rows) {
                Rc::make_mut(packed).learn(rows);
            }
            for head in site.heads_of(kv_head) {
                // Without queries there is no row to write to.
                let first = (head * width).min(out.len());
                let held = (QUERY_ROWS, columns);
                let own = Head::of(site, head);
                own.attend(packed, queries.clone(), held, &mut out[first..]);
                // A gate of 1 is skipped, so that no edit and an edit without effect use the same
                // code.
                if site.gates[head].to_bits() != 1f32.to_bits() {
                    for row in out.chunks_exact_mut(columns) {
                        let own = &mut row[head * width..(head + 1) * width];
                        elementwise::scale(own, site.gates[head]);
                    }
                }
            }
        }
        site.memo.packed.replace(all_packed);
        CpuTensor::new(out, columns)
    }

    fn unprepared(&self, site: &Attention<'_, CpuTensor>) -> usize {
        unprepared(site).count()
    }

    fn prepare(&self, site: &Attention<'_, CpuTensor>) {
        if let Some(head) = unprepared(site).next() {
            head.prepare();
        }
    }
}

impl Inspect for Cpu {
    const READS_BACK: bool = false;

    fn pattern(
        &self,
        site: &Attention<'_, CpuTensor>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        let n_keys = site.key.rows();
        let mut out = vec![0.0; queries.len() * n_keys];
        let head = Head::of(site, head);
        head.pattern(&head.packed_keys(), queries, stage, &mut out);
        out
    }

    fn head_context(&self, site: &Attention<'_, CpuTensor>, head: usize) -> Option<Vec<f32>> {
        let n_queries = site.query.rows();
        let width = site.value.columns / site.n_kv_heads;
        let mut out = vec![0.0; n_queries * width];
        let head = Head::of(site, head);
        head.attend(&head.packed(), 0..n_queries, (n_queries, width), &mut out);
        Some(out)
    }

    fn head_cost(&self, site: &Attention<'_, CpuTensor>, head: usize) -> Option<Cost> {
        Some(Head::of(site, head).cost())
    }

    fn factors(
        &self,
        site: &Attention<'_, CpuTensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        Head::of(site, head).factors(query, key)
    }

    fn alike(
        &self,
        site: &Attention<'_, CpuTensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<f64> {
        let head = Head::of(site, head);
        head.own().variant.sum(&head.view, query, key)
    }
}

impl Backend for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn kernel(&self) -> String {
        kernels::name().to_owned()
    }
}

/// The heads of a site whose data of all rows is not yet computed.
fn unprepared<'a>(site: &'a Attention<'a, CpuTensor>) -> impl Iterator<Item = Head<'a>> {
    let heads = site.variants.iter().map(|(head, _)| Head::of(site, *head));
    heads.filter(Head::is_unprepared)
}

#[cfg(test)]
mod tests;
