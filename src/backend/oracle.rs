//! The oracle: the same operations as plain loops over plain rows, slow and legible.
//! It shares no arithmetic with the kernels, so that each can be checked by the other.

mod kinds;

use std::future::{Future, ready};
use std::ops::Range;

use super::{Attention, Backend, Epilogue, Order};
use crate::axes::Stage;
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::scalar;

/// Runs plain loops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oracle;

/// Rows of `columns` numbers.
#[derive(Debug, Clone)]
pub struct OracleTensor {
    data: Vec<f32>,
    columns: usize,
}

/// A weight as `[inner, outer]`, row-major.
pub struct OracleMatrix {
    data: Vec<f32>,
    inner: usize,
    outer: usize,
}

impl OracleTensor {
    fn rows(&self) -> usize {
        self.data.len() / self.columns
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.columns..(row + 1) * self.columns]
    }

    /// One head's part of a row that `n_heads` of them share.
    fn head(&self, row: usize, head: usize, n_heads: usize) -> &[f32] {
        let width = self.columns / n_heads;
        &self.row(row)[head * width..(head + 1) * width]
    }

    /// The same shape, each row written by `f` from its place and its numbers.
    fn map_rows(&self, f: impl Fn(usize, &[f32], &mut [f32])) -> Self {
        let mut data = self.data.clone();
        for (at, row) in data.chunks_exact_mut(self.columns).enumerate() {
            f(at, self.row(at), row);
        }
        Self { data, columns: self.columns }
    }

    /// Numbers of the same shape from those of two tensors.
    fn zip(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let data = self.data.iter().zip(&other.data).map(|(&a, &b)| f(a, b)).collect();
        Self { data, columns: self.columns }
    }
}

fn tensor(rows: &[Vec<f32>], columns: usize) -> OracleTensor {
    OracleTensor { data: rows.concat(), columns }
}

/// One head's row of the pattern at a stage.
fn pattern_row(
    site: &Attention<'_, OracleTensor>,
    head: usize,
    query: usize,
    stage: Stage,
) -> Vec<f32> {
    let n_keys = site.key.rows();
    let raw = kinds::raw(site, head, query);
    if stage == Stage::Raw {
        return raw;
    }
    let mut scores = kinds::scores(site, head, query, &raw);
    if let Some(cap) = site.cap {
        scores = scores.iter().map(|score| cap * (score / cap).tanh()).collect();
    }
    if let Some(relative) = site.relative {
        let key = |at: usize| site.key.head(at, site.kv_head(head), site.n_kv_heads);
        relative.join(head, (query, site.query.head(query, head, site.n_heads)), key, &mut scores);
    }
    if stage == Stage::Scores {
        return scores;
    }
    let mut additive = site.mask.row(head, query, n_keys);
    if stage == Stage::Weights && site.frozen.write(head, query, &mut additive) {
        return additive;
    }
    let mut row: Vec<f32> =
        scores.iter().zip(&additive).map(|(score, mask)| score + mask).collect();
    kinds::leave_out(site, head, query, &mut row);
    if stage == Stage::Weights {
        scalar::softmax_row(&mut row);
        kinds::after_softmax(site, head, query, row)
    } else {
        row
    }
}

impl Backend for Oracle {
    type Tensor = OracleTensor;
    type Matrix = OracleMatrix;

    fn name(&self) -> &'static str {
        "oracle"
    }

    fn kernel(&self) -> String {
        "plain loops".to_owned()
    }

    fn upload(&self, data: Vec<f32>, columns: usize) -> OracleTensor {
        OracleTensor { data, columns }
    }

    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> OracleMatrix {
        let at = |k: usize, n: usize| match order {
            Order::InnerOuter => data[k * outer + n],
            Order::OuterInner => data[n * inner + k],
        };
        let data = (0..inner).flat_map(|k| (0..outer).map(move |n| at(k, n))).collect();
        OracleMatrix { data, inner, outer }
    }

    fn empty(&self, columns: usize, _most: usize) -> OracleTensor {
        OracleTensor { data: Vec::new(), columns }
    }

    fn rows(&self, x: &OracleTensor) -> usize {
        x.rows()
    }

    fn select(&self, x: &OracleTensor, rows: Range<usize>) -> OracleTensor {
        OracleTensor {
            data: x.data[rows.start * x.columns..rows.end * x.columns].to_vec(),
            columns: x.columns,
        }
    }

    fn append(&self, x: &mut OracleTensor, rows: &OracleTensor) {
        x.data.extend_from_slice(&rows.data);
    }

    fn embed(&self, table: &OracleMatrix, ids: &[u32], scale: f32) -> OracleTensor {
        let rows: Vec<Vec<f32>> = ids
            .iter()
            .map(|&id| {
                (0..table.inner)
                    .map(|k| table.data[k * table.outer + id as usize] * scale)
                    .collect()
            })
            .collect();
        tensor(&rows, table.inner)
    }

    fn linear_epilogue(
        &self,
        x: &OracleTensor,
        matrix: &OracleMatrix,
        bias: Option<&OracleTensor>,
        then: &Epilogue<'_, OracleTensor>,
    ) -> OracleTensor {
        let shape = (x.rows(), matrix.inner, matrix.outer);
        let mut data = vec![0.0; x.rows() * matrix.outer];
        let bias = bias.map(|b| b.data.as_slice());
        scalar::matmul(&x.data, &matrix.data, bias, shape, &mut data);
        let out = OracleTensor { data, columns: matrix.outer };
        let out = then.activation.map_or(out.clone(), |activation| self.activate(&out, activation));
        let out = then.times.map_or(out.clone(), |times| self.multiply(&out, times));
        then.plus.map_or(out.clone(), |plus| self.add(plus, &out))
    }

    fn multiply(&self, a: &OracleTensor, b: &OracleTensor) -> OracleTensor {
        a.zip(b, |a, b| a * b)
    }

    fn add(&self, a: &OracleTensor, b: &OracleTensor) -> OracleTensor {
        a.zip(b, |a, b| a + b)
    }

    fn layer_norm(
        &self,
        x: &OracleTensor,
        gain: &OracleTensor,
        bias: &OracleTensor,
        epsilon: f32,
    ) -> OracleTensor {
        x.map_rows(|_, row, out| {
            scalar::layer_norm_row(row, &gain.data, &bias.data, epsilon, out);
        })
    }

    fn rms_norm(&self, x: &OracleTensor, gain: &OracleTensor, epsilon: f32) -> OracleTensor {
        let width = gain.columns;
        x.map_rows(|_, row, out| {
            let pieces = row.chunks_exact(width).zip(out.chunks_exact_mut(width));
            pieces.for_each(|(x, out)| scalar::rms_norm_row(x, &gain.data, epsilon, out));
        })
    }

    fn rotate(&self, x: &OracleTensor, turns: &OracleTensor, head_dim: usize) -> OracleTensor {
        x.map_rows(|at, _, out| scalar::rotate_row(out, turns.row(at), head_dim))
    }

    fn activate(&self, x: &OracleTensor, activation: Activation) -> OracleTensor {
        let data = x.data.iter().map(|&value| scalar::activation(activation, value)).collect();
        OracleTensor { data, columns: x.columns }
    }

    fn attend(&self, site: &Attention<'_, OracleTensor>, queries: Range<usize>) -> OracleTensor {
        let width = site.value.columns / site.n_kv_heads;
        let columns = site.n_heads * width;
        let rows: Vec<Vec<f32>> = queries
            .map(|query| {
                let mut context = vec![0.0; columns];
                for head in 0..site.n_heads {
                    let weights = pattern_row(site, head, query, Stage::Weights);
                    let own = &mut context[head * width..(head + 1) * width];
                    for (key, weight) in weights.iter().enumerate() {
                        let value = site.value.head(key, site.kv_head(head), site.n_kv_heads);
                        own.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight * value);
                    }
                    for value in own {
                        *value *= site.gates[head];
                    }
                }
                context
            })
            .collect();
        tensor(&rows, columns)
    }

    fn pattern(
        &self,
        site: &Attention<'_, OracleTensor>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        queries.flat_map(|query| pattern_row(site, head, query, stage)).collect()
    }

    fn factors(
        &self,
        site: &Attention<'_, OracleTensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        let factors = kinds::factors(site, head, query, key)?;
        Some(factors.map(|factor| factor.into_iter().map(|x| x as f32).collect()))
    }

    fn log_softmax(&self, x: &OracleTensor) -> OracleTensor {
        x.map_rows(|_, _, out| scalar::log_softmax_row(out))
    }

    fn top_k(&self, x: &OracleTensor, k: usize) -> OracleTensor {
        let k = k.min(x.columns);
        let best_of = |row: usize| {
            let best = scalar::top_k(x.row(row), k);
            let indices = best.iter().map(|&(index, _)| index as f32);
            indices.chain(best.iter().map(|&(_, value)| value)).collect()
        };
        tensor(&(0..x.rows()).map(best_of).collect::<Vec<Vec<f32>>>(), 2 * k)
    }

    fn read(&self, x: &OracleTensor) -> impl Future<Output = Result<Vec<f32>>> + 'static {
        ready(Ok(x.data.clone()))
    }
}
