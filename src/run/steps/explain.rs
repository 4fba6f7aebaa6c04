//! The explanation of one cell: the rows and columns that it was made of, read from the run or
//! computed by the block's own code.

mod attention;

use super::pick::{Asked, Conclude, Pick};
use crate::attention::{HeadNorm, HeadNormKind};
use crate::axes::{Step, Weight};
use crate::backend::{Backend, Linear};
use crate::blocks::{Convolution, Embedding, NormKind};
use crate::edits::FixedPattern;
use crate::error::{Code, Error, Result};
use crate::kernels::norm::{mean_square, moments};
use crate::model::Model;
use crate::question::{At, Layer};
use crate::run::Reading;

use super::explanation::{Along, Explanation, Line, Operation, Source};
use super::plan::Made;
use super::view::{Found, View};

/// Begins the explanation of one cell.
pub(super) fn explain<B: Backend>(
    model: &Model<B>,
    view: &View<B>,
    step: Step,
    row: usize,
    column: usize,
) -> Result<Reading<Explanation>> {
    let made = view.made(model, step)?;
    let n_rows = view.rows(model, step);
    let width = view.width(model, step);
    for (what, at, size) in [("the row", row, n_rows), ("the column", column, width)] {
        if at >= size {
            return Err(Error::beyond(Code::SelectionBadPosition, what, size - 1, at));
        }
    }
    let watched = view.watched_around(model, row);
    let cell = Cell { model, view, step, row, column, watched };
    let value = cell.number(step, row, column);
    let Asked { lines, numbers, conclude } =
        if cell.is_patched() { Asked::of(vec![], Operation::Patched) } else { cell.asked(&made) };
    Ok(Box::pin(async move {
        let value = one(&value.arrive().await?);
        let mut read = Vec::with_capacity(lines.len());
        for (source, values) in lines {
            read.push(Line { source, values: values.arrive().await? });
        }
        let mut own = Vec::with_capacity(numbers.len());
        for number in numbers {
            own.push(one(&number.arrive().await?));
        }
        let operation = conclude(&mut read, &own);
        Ok(Explanation { operation, lines: read, value })
    }))
}

impl<B: Backend> View<B> {
    /// The steps of one row of the stream; none for a step whose rows belong to another text.
    fn watched_around(&self, model: &Model<B>, row: usize) -> Found<B> {
        let foreign = row >= self.n_rows();
        if foreign { Vec::new() } else { self.watched(model, row..row + 1, None) }
    }
}

/// The cell that is explained, with the steps of its row.
struct Cell<'a, B: Backend> {
    model: &'a Model<B>,
    view: &'a View<B>,
    step: Step,
    row: usize,
    column: usize,
    watched: Found<B>,
}

impl<B: Backend> Cell<'_, B> {
    /// Whether a patch put the number there.
    fn is_patched(&self) -> bool {
        let Self { view, model, step, row, column, .. } = *self;
        let of_head = || view.site().fixed_patterns.pattern(view.head, row);
        if step == Step::Weights {
            return matches!(of_head(), Some(FixedPattern::Patched(_)));
        }
        let width = view.width(model, step);
        view.spot(model, step)
            .is_some_and(|spot| view.activation_patches.has(spot, row, [column, width]))
    }

    fn asked(&self, made: &Made<'_, B>) -> Asked {
        match *made {
            Made::Embedded(embedding) => self.embedded(embedding),
            Made::Same(At { stack, layer: Layer(layer), step, .. }) => {
                // The other stack may have fewer heads; the step is the same for all of them.
                let there = self.model.config.stack(stack).map_or(1, |size| size.n_heads);
                let head = self.view.head.min(there.saturating_sub(1));
                let row = self.row;
                let column = self.column;
                let along = Along::Cell;
                let source = Source::Step { stack, layer, head, step, row, column, along };
                // The numbers of the other block are the same.
                let lines = vec![(source, self.number(self.step, row, column))];
                Asked::of(lines, Operation::Same)
            }
            Made::Normed(of, norm) => {
                let one = |x: &B::Tensor| self.pick(x, self.column, 1, 1);
                let bias = match &norm.kind {
                    NormKind::Layer(bias) => Some(one(bias)),
                    NormKind::RootMeanSquare => None,
                };
                self.normed(self.whole_row(of, self.row), one(&norm.gain), bias, norm.epsilon)
            }
            Made::HeadNormed(of, norm) => self.head_normed(of, norm),
            Made::Mapped(of, weight, linear) => {
                let weight = Source::Weight { weight, column: self.column };
                self.mapped(of, weight, linear)
            }
            Made::Rotated(of, ref turns) => self.rotated(of, turns),
            Made::Compared(query, key) => self.compared(query, key),
            Made::Scaled => self.scaled(),
            Made::Masked => {
                let n_keys = self.view.width(self.model, Step::Masked);
                let mask = self.view.site().mask_row(self.view.head, self.row, n_keys);
                let added = mask[self.column];
                self.of_cells(&[Step::Scores], Operation::Mask { added })
            }
            Made::Softmax => self.given().unwrap_or_else(|| self.softmax()),
            Made::Mixed => self.mixed(),
            Made::Added(a, b) => self.of_cells(&[a, b], Operation::Add),
            Made::Multiplied(a, b) => {
                self.of_cells(&[a, b], Operation::Product { factor: 1.0, bias: None })
            }
            Made::Activated(of, activation) => {
                self.of_cells(&[of], Operation::Activation { function: activation.name() })
            }
            Made::Gathered(convolution) => self.gathered(convolution),
        }
    }

    /// A cell of the block's input, of a row nearby; nothing beyond the text.
    fn gathered(&self, convolution: &Convolution<B>) -> Asked {
        let view = self.view;
        let n = self.view.n_rows();
        let origin = convolution.origin(self.row, self.column, n, &view.real);
        let lines = origin.map(|(row, column)| {
            let input = self.model.backend.select(&view.input, row..row + 1);
            let source = self.source(Step::Input, row, column, Along::Cell);
            (source, self.pick(&input, column, 1, 1))
        });
        Asked::of(lines.into_iter().collect(), Operation::Nearby)
    }

    /// An operation on the cells of some steps at this cell's place.
    fn of_cells(&self, steps: &[Step], operation: Operation) -> Asked {
        let lines = steps.iter().map(|&step| self.one_cell(step, self.column));
        Asked::of(lines.collect(), operation)
    }

    /// A cell of this row in another step.
    fn one_cell(&self, step: Step, column: usize) -> (Source, Pick) {
        let source = self.source(step, self.row, column, Along::Cell);
        (source, self.number(step, self.row, column))
    }

    /// One head's part of a row of queries or of keys.
    fn row_of_head(&self, step: Step, row: usize, head: usize) -> (Source, Pick) {
        let first = head * self.head_dim();
        let width = self.head_dim();
        let source = self.source(step, row, first, Along::Columns);
        (source, self.pick(&self.row_of(step, row), first, 1, width))
    }

    fn embedded(&self, embedding: &Embedding<B>) -> Asked {
        let backend = &self.model.backend;
        let column = self.column;
        let row = self.row;
        let id = self.view.ids[row];
        let token_type = self.view.types[row];
        let one = |x: &B::Tensor| self.pick(x, column, 1, 1);
        let tokens = embedding.tokens(backend, &[id], self.view.patches.as_ref(), 1.0);
        if let Some(projection) =
            embedding.projection.as_ref().filter(|_| embedding.projects_tokens)
        {
            return self.projected(id, &tokens, projection);
        }
        let token = one(&tokens);
        let mut lines = vec![(Source::Token { id, column }, token)];
        if let Some(table) = &self.view.added {
            let position = self.view.positions[row];
            let added = backend.select(table, row..row + 1);
            lines.push((Source::Position { position, column }, one(&added)));
        }
        if let Some(table) = &embedding.token_types {
            let source = Source::TokenType { id: token_type, column };
            lines.push((source, one(&backend.embed(table, &[token_type], 1.0))));
        }
        Asked::of(lines, Operation::Embedding { scale: embedding.scale })
    }

    /// A token's row through a map, plus the number of its position.
    fn projected(&self, id: u32, tokens: &B::Tensor, projection: &Linear<B>) -> Asked {
        let backend = &self.model.backend;
        let column = self.column;
        let weights = projection.column(backend, column);
        let width = self.model.config.embedding_width;
        let weight = Source::Weight { weight: Weight::Embedding, column };
        let lines = vec![
            (Source::Token { id, column: 0 }, self.pick(tokens, 0, 1, width)),
            (weight, self.pick(&weights, 0, 1, width)),
        ];
        let position = self.view.added.as_ref().map(|table| {
            let row = backend.select(table, self.row..self.row + 1);
            self.pick(&row, column, 1, 1)
        });
        let conclude: Conclude = Box::new(|_, numbers| Operation::Product {
            factor: 1.0,
            bias: numbers.first().copied(),
        });
        Asked { lines, numbers: position.into_iter().collect(), conclude }
    }

    fn head_normed(&self, of: Step, norm: &HeadNorm<B>) -> Asked {
        let first = self.column / norm.width * norm.width;
        let source = self.source(of, self.row, first, Along::Columns);
        let row = self.pick(&self.row_of(of, self.row), first, 1, norm.width);
        let gains = norm.gains(&self.model.backend);
        let gain = |column: usize| self.pick(&gains, column, 1, 1);
        match norm.kind {
            HeadNormKind::RootMeanSquare { .. } => {
                self.normed((source, row), gain(self.column % norm.width), None, norm.epsilon)
            }
            HeadNormKind::Layer { .. } => {
                let bias = Some(Pick::known(vec![0.0]));
                self.normed((source, row), gain(self.column), bias, norm.epsilon)
            }
        }
    }

    fn normed(
        &self,
        (source, row): (Source, Pick),
        gain: Pick,
        bias: Option<Pick>,
        epsilon: f32,
    ) -> Asked {
        let term = self.column % row.count.max(1);
        let mut numbers = vec![gain];
        let conclude: Conclude = match bias {
            Some(bias) => {
                numbers.push(bias);
                Box::new(move |lines, numbers| {
                    let (mean, variance) = moments(&lines[0].values);
                    let gain = numbers[0];
                    let bias = numbers[1];
                    Operation::Norm { mean, variance, epsilon, gain, bias, term }
                })
            }
            None => Box::new(move |lines, numbers| {
                let mean_square = mean_square(&lines[0].values);
                Operation::RmsNorm { mean_square, epsilon, gain: numbers[0], term }
            }),
        };
        Asked { lines: vec![(source, row)], numbers, conclude }
    }

    fn mapped(&self, of: Step, weight: Source, linear: &Linear<B>) -> Asked {
        let backend = &self.model.backend;
        let column = linear.column(backend, self.column);
        let inner = self.view.width(self.model, of);
        let lines = vec![self.whole_row(of, self.row), (weight, self.pick(&column, 0, 1, inner))];
        let numbers = linear.bias().map(|bias| self.pick(bias, self.column, 1, 1));
        let conclude: Conclude = Box::new(|_, numbers| Operation::Product {
            factor: 1.0,
            bias: numbers.first().copied(),
        });
        Asked { lines, numbers: numbers.into_iter().collect(), conclude }
    }

    /// A number and its partner, half the rotated dimensions away, rotated by the angle of the
    /// position.
    fn rotated(&self, of: Step, turns: &B::Tensor) -> Asked {
        let half = self.view.turn_width / 2;
        let within = self.column % self.head_dim();
        if within >= 2 * half {
            return self.of_cells(&[of], Operation::Same);
        }
        let pair = within % half.max(1);
        let is_first = within < half;
        let partner = if is_first { self.column + half } else { self.column - half };
        let turn = self.model.backend.select(turns, self.row..self.row + 1);
        let sign = if is_first { -1.0 } else { 1.0 };
        Asked {
            lines: vec![self.one_cell(of, self.column), self.one_cell(of, partner)],
            numbers: vec![self.pick(&turn, pair, 1, 1), self.pick(&turn, half + pair, 1, 1)],
            conclude: Box::new(move |_, numbers| Operation::Rotation {
                cosine: numbers[0],
                sine: sign * numbers[1],
            }),
        }
    }

    fn head_dim(&self) -> usize {
        // The width is a divisor, so it is at least one, as in every config.
        self.model.config.stack(self.view.stack).map_or(1, |stack| stack.head_dim)
    }

    /// One row of a step, `[1, width]`.
    fn row_of(&self, step: Step, row: usize) -> B::Tensor {
        let backend = &self.model.backend;
        if let Some(whole) = self.view.stored(self.model, step) {
            return backend.select(&whole, row..row + 1);
        }
        match self.watched.iter().find(|(found, _)| *found == step) {
            Some((_, x)) => x.clone(),
            None => backend.empty(self.view.width(self.model, step), 0),
        }
    }

    fn whole_row(&self, step: Step, row: usize) -> (Source, Pick) {
        let width = self.view.width(self.model, step);
        (self.source(step, row, 0, Along::Columns), self.pick(&self.row_of(step, row), 0, 1, width))
    }

    fn number(&self, step: Step, row: usize, column: usize) -> Pick {
        self.pick(&self.row_of(step, row), column, 1, 1)
    }

    fn pick(&self, x: &B::Tensor, first: usize, stride: usize, count: usize) -> Pick {
        Pick { numbers: Box::pin(self.model.backend.read(x)), first, stride, count }
    }

    fn source(&self, step: Step, row: usize, column: usize, along: Along) -> Source {
        let stack = self.view.stack;
        let layer = self.view.layer;
        let head = self.view.head;
        Source::Step { stack, layer, head, step, row, column, along }
    }
}

fn one(numbers: &[f32]) -> f32 {
    numbers.first().copied().unwrap_or(f32::NAN)
}

pub(super) fn absent(step: Step, there: &[Step]) -> Error {
    let there: Vec<&str> = there.iter().map(|step| step.name()).collect();
    Error::new(Code::SelectionBadStage, "the step", there.join(", "), step.name())
}
