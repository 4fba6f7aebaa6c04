//! The computation of one block, as seen from one of its heads: every matrix between the block's
//! input and its output, each under an address, and the explanation of any of their cells.
//!
//! The numbers are computed exactly as in a run: the rows go through the block's own code again,
//! with a hook on each operation. A row has the same bits whichever rows it is computed with, so
//! the displayed numbers are those of the run.

mod activation;
mod attribution;
mod direct;
mod direction;
mod explain;
mod explanation;
mod gradient;
mod pick;
mod plan;
mod residuals;
mod spot;
mod view;

use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use crate::axes::{Axis, Stack, Stage, Step, Tensor};
use crate::backend::Backend;
use crate::blocks::Convolution;
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::{Head, Layer, Position};

use super::{Reading, Run};
use plan::plan;
use view::{Found, View};

pub use attribution::{
    Attribution, AttributionAsked, FrozenScale, KeyPart, LogitPart, LogitPartKind,
};
pub(super) use attribution::{HeadKeys, KeysOf};
pub use direct::{DirectAsked, direct};
pub use explanation::{Along, Explanation, Line, Operation, Source};
pub use gradient::{GradientAsked, GradientOf, GradientTarget, Gradients};
pub use residuals::Depth;

/// The work of a piece, in multiplications: about 20 ms on one core. Each piece packs the keys and
/// values of the block again, which take as long as some rows.
const PIECE_WORK: usize = 400_000_000;

/// One matrix of a block.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StepTensor {
    /// The step whose matrix it is.
    pub step: Step,
    /// The numbers of the matrix, a row per token; columns of heads are side by side.
    pub tensor: Tensor,
}

/// Every matrix of a block, in the order in which the block computes them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "StepTensor[]"))]
pub struct Steps(pub Vec<StepTensor>);

/// The matrices of one block while they are computed. The work does not use the run.
pub struct StepsWork<B: Backend>(Watching<B>);

/// Steps of a block that are computed again, some rows at a time.
struct Watching<B: Backend> {
    model: Rc<Model<B>>,
    view: View<B>,
    /// The one step that is needed, or all.
    wanted: Option<Step>,
    /// The rows that are left, the next ones last.
    left: Vec<Range<usize>>,
    found: Found<B>,
}

/// The fields of the question `explain`: one cell of a step's matrix.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct ExplainAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The step whose matrix has the cell.
    pub step: Step,
    /// The row of the cell, from 0.
    pub row: Position,
    /// The column of the cell, from 0.
    pub column: Position,
}

impl ExplainAsked {
    pub(super) fn place(&self) -> (Stack, usize, usize) {
        (self.stack, self.layer.0, self.head.0)
    }
}

impl<B: Backend> Run<B> {
    /// Begins to compute the steps of a block, seen from one head.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for what is not computed.
    pub fn steps(&self, stack: Stack, layer: usize, head: usize) -> Result<StepsWork<B>> {
        let view = View::of(self, stack, layer, head)?;
        let all = 0..view.n_rows();
        Ok(StepsWork(Watching::of(Rc::clone(&self.model), view, None, &[all])))
    }

    /// Explains one cell of one step.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for what is not computed.
    pub fn explain(
        &self,
        (stack, layer, head): (Stack, usize, usize),
        step: Step,
        row: usize,
        column: usize,
    ) -> Result<Reading<Explanation>> {
        let view = View::of(self, stack, layer, head)?;
        if !B::READS_BACK {
            return explain::explain(&self.model, &view, step, row, column);
        }
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            view.site().fetch(&model.backend).await?;
            explain::explain(&model, &view, step, row, column)?.await
        }))
    }
}

impl<B: Backend> StepsWork<B> {
    /// Takes one short step; returns the matrices, in the order of the block, once all are
    /// computed.
    pub fn step(&mut self) -> Reading<Option<Vec<StepTensor>>> {
        if let Some(piece) = self.0.step() {
            return Box::pin(async move { piece.await.map(|()| None) });
        }
        let answer = self.0.answer();
        Box::pin(async move { Ok(Some(answer.await?)) })
    }
}

impl<B: Backend> Watching<B> {
    fn of(model: Rc<Model<B>>, view: View<B>, wanted: Option<Step>, rows: &[Range<usize>]) -> Self {
        let left = rows.iter().rev().cloned().collect();
        Self { model, view, wanted, left, found: Vec::new() }
    }

    /// Takes one short step; `None` once all rows are computed.
    fn step(&mut self) -> Option<Reading<()>> {
        let backend = &self.model.backend;
        let site = self.view.site();
        // Patterns are derived from rows that are read back first.
        if let Some(pending_rows) = site.pending_rows(backend) {
            let memo = site.memo.of_read();
            return Some(Box::pin(async move {
                memo.store_rows(pending_rows.await?);
                Ok(())
            }));
        }
        let rows = self.left.pop()?;
        let end = rows.end.min(rows.start + self.rows_at_once());
        if end < rows.end {
            self.left.push(end..rows.end);
        }
        for (step, rows) in self.view.watched(&self.model, rows.start..end, self.wanted) {
            match self.found.iter_mut().find(|(found, _)| *found == step) {
                Some((_, all)) => backend.append(all, &rows),
                None => self.found.push((step, rows)),
            }
        }
        Some(Box::pin(async { Ok(()) }))
    }

    /// The computed rows of a step.
    fn found(&self, step: Step) -> Option<&B::Tensor> {
        self.found.iter().find(|(found, _)| *found == step).map(|(_, x)| x)
    }

    /// The number of rows of a piece.
    fn rows_at_once(&self) -> usize {
        let config = &self.model.config;
        let d = config.d_model;
        let Some(stack) = config.stack(self.view.stack) else { return 1 };
        let queries = stack.query_width();
        let keys = stack.kv_width();
        let n_keys = self.model.backend.rows(&self.view.site().key);
        let attended = 2 * queries * (n_keys + self.view.n_rows());
        let patterns = Stage::ALL.len() * stack.head_dim * n_keys;
        let maps = if config.is_gated { 3 } else { 2 };
        let around = self.view.convolution(&self.model).map_or(0, Convolution::work_per_row);
        let work = 2 * d * (queries + keys) + maps * d * stack.d_ff + around + attended + patterns;
        (PIECE_WORK / work.max(1)).max(1)
    }

    fn answer(&self) -> Reading<Vec<StepTensor>> {
        let model = &self.model;
        let view = &self.view;
        let Some(weights) = view.weights(model) else { return Box::pin(async { Ok(Vec::new()) }) };
        let backend = &model.backend;
        let reads: Vec<_> = plan(model, weights, view)
            .iter()
            .map(|&(step, _)| {
                let x = view.stored(model, step).or_else(|| self.found(step).cloned());
                let (axis, width) = view.columns(model, step);
                let numbers = x.map(|x| -> (usize, Reading<Vec<f32>>) {
                    (backend.rows(&x), Box::pin(backend.read(&x)))
                });
                (step, axis, width, numbers)
            })
            .collect();
        Box::pin(async move {
            let mut all = Vec::with_capacity(reads.len());
            for (step, axis, width, x) in reads {
                let (rows, numbers) = x.ok_or_else(|| unwatched(step))?;
                let of_rows = if axis == Axis::Key { Axis::Query } else { Axis::Position };
                let tensor = Tensor::new(numbers.await?, &[rows, width], &[of_rows, axis])?;
                all.push(StepTensor { step, tensor });
            }
            Ok(all)
        })
    }
}

fn unwatched(step: Step) -> Error {
    Error::new(Code::Internal, "a step of the block", "one that the block computes", step.name())
}
