//! What each key of a head adds to the residual stream: how long it is, and how far it moves a
//! logit.
//!
//! `norm[q, k] = ‖g · α_qk · v_k W_O‖`: the weight alone hides that values are of different lengths
//! (G. Kobayashi et al., "Attention is Not Only a Weight", 2020, section 3.1). `v_k` has its bias,
//! `W_O` is the head's rows, without the bias of the output, and `g` is the gate of the head. Norms
//! after the output map are not part of it, and patches of the head's output neither.
//!
//! `effect[q, k] = u_q · (g · α_qk · v_k W_O)`: the part of a logit at position `q` that comes from
//! one key, along the direction `u_q` of `steps::attribution`, with the scales of norms held.
//!
//! The length of `v W_O` is `√(v G vᵀ)` with `G = W_O W_Oᵀ`, `[d_h, d_h]`, in f64: a value is never
//! multiplied out to the width of the stream.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::steps::{HeadKeys, KeysOf};
use super::{AttributionAsked, Run};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Stage, Tensor, named};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::kernels::precise::add_multiple;
use crate::model::Model;
use crate::question::{Head, Id, Layer, Position, Reading, Work};

/// The number of columns of `W_O` that are read at once, so that it is not in memory twice.
const COLUMNS_AT_ONCE: usize = 256;

/// The most cells of the effects of several heads: 64 MiB.
const MOST_CELLS: usize = 1 << 24;

named! {
    /// The numbers of a head that thumbnails show.
    ThumbnailStage, SelectionBadStage, "the stage" {
        /// Raw scores, `Q Kᵀ`.
        Raw = "raw",
        /// Scaled scores.
        Scores = "scores",
        /// Masked scores.
        Masked = "masked",
        /// Attention weights.
        Weights = "weights",
        /// The lengths of what each key adds to the residual stream.
        Norms = "norms",
    }
}

impl ThumbnailStage {
    /// The stage of the pattern; `None` for the norms.
    pub(super) fn of_pattern(self) -> Option<Stage> {
        match self {
            Self::Raw => Some(Stage::Raw),
            Self::Scores => Some(Stage::Scores),
            Self::Masked => Some(Stage::Masked),
            Self::Weights => Some(Stage::Weights),
            Self::Norms => None,
        }
    }
}

/// The fields of the question `effects`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct EffectsAsked {
    /// The stack in which the heads attend.
    pub stack: Stack,
    /// The heads' block, from 0, by default all blocks.
    pub layer: Option<Layer>,
    /// The head's index in its block, from 0, by default all heads.
    pub head: Option<Head>,
    /// The entry of the vocabulary whose logit is moved, by default of each row the likeliest
    /// there.
    pub id: Option<Id>,
    /// The entry whose logit is subtracted; none by default.
    pub against: Option<Id>,
}

impl<B: Backend> Run<B> {
    /// The length of what each key adds to a head's output, `[query, key]`.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn norms(&self, stack: Stack, layer: usize, head: usize) -> Result<Reading<Tensor>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let shape = self.pattern_shape(&spec);
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            spec.fetch(&model.backend).await?;
            let heads = head..head + 1;
            let cells = norms_of(&model, (stack, layer), &spec, heads).await?.concat();
            Tensor::new(cells, &shape, &[Axis::Query, Axis::Key])
        }))
    }
}

/// What each key of the heads adds to a logit of each query's position, `[query, key]`, before it
/// the axes of layers and heads of which none is named; 0 in the rows of positions that predict
/// nothing, and of several heads NaN where a patch replaces a head's output.
///
/// # Errors
/// The errors of `attribution`; `selection/too-large` for the cells of too many heads. The work
/// fails with `selection/bad-head` where a patch replaces the output of the only head, and where
/// the output head reads two tokens.
pub fn effects<B: Backend>(run: &Rc<RefCell<Run<B>>>, asked: EffectsAsked) -> Result<Work<Tensor>> {
    let found = run.borrow();
    let (heads, shape) = found.asked_heads(&asked)?;
    // Refused before the first step, if at all.
    drop(
        found
            .keys_of(about_row(&asked, 0, asked.id.as_ref().map_or(0, |id| id.0)), heads.clone())?,
    );
    let [n_queries, n_keys] = [shape[2], shape[3]];
    let mut rows = 0..found.predicting_rows()?.min(n_queries);
    drop(found);
    let is_alone = asked.layer.is_some() && asked.head.is_some();
    let cells = Rc::new(RefCell::new(vec![0.0; shape.iter().product()]));
    let run = Rc::clone(run);
    Ok(Work::new(move || {
        let Some(row) = rows.next() else {
            let cells = tensor_of(cells.take(), &asked, shape);
            return Box::pin(async move { cells.map(Some) });
        };
        let (run, cells) = (Rc::clone(&run), Rc::clone(&cells));
        let (asked, heads) = (asked.clone(), heads.clone());
        Box::pin(async move {
            let found = row_of_effects(run, asked, heads.clone(), row).await?;
            if found.is_empty() || is_alone && found.iter().any(|head| head.keys.is_none()) {
                return Err(no_keys());
            }
            let mut cells = cells.borrow_mut();
            for HeadKeys { layer, head, keys } in found {
                let at = (layer - heads.layers.start) * shape[1] + head - heads.heads.start;
                let row = &mut cells[(at * n_queries + row) * n_keys..][..n_keys];
                match keys {
                    Some(keys) => {
                        row.iter_mut().zip(keys).for_each(|(cell, key)| *cell = key.value as f32);
                    }
                    None => row.fill(f32::NAN),
                }
            }
            Ok(None)
        })
    }))
}

impl<B: Backend> Run<B> {
    /// The heads that are asked for, with their numbers of layers, heads, queries and keys.
    fn asked_heads(&self, asked: &EffectsAsked) -> Result<(KeysOf, [usize; 4])> {
        let stack = asked.stack;
        let layers = self.layers(stack, asked.layer.as_ref().map(|layer| layer.0))?;
        let spec = self.readable_site(stack, layers.start)?;
        let heads = match asked.head {
            Some(Head(head)) => {
                self.check_head(stack, head)?;
                head..head + 1
            }
            None => 0..spec.n_heads,
        };
        let [n_queries, n_keys] = self.pattern_shape(&spec);
        let shape = [layers.len(), heads.len(), n_queries, n_keys];
        let n_cells: usize = shape.iter().product();
        if layers.len() * heads.len() > 1 && n_cells > MOST_CELLS {
            return Err(Error::new(
                Code::SelectionTooLarge,
                "the effects of several heads",
                format!("at most {MOST_CELLS} cells; name a layer, or a head"),
                format!("{n_cells} of them"),
            ));
        }
        Ok((KeysOf { stack, layers, heads }, shape))
    }
}

/// The effects of the keys of heads at one position.
async fn row_of_effects<B: Backend>(
    run: Rc<RefCell<Run<B>>>,
    asked: EffectsAsked,
    heads: KeysOf,
    row: usize,
) -> Result<Vec<HeadKeys>> {
    let id = if let Some(Id(id)) = asked.id {
        id
    } else {
        let best = run.borrow().predictions(&[row], 1)?;
        best.await?.iter().flatten().next().map_or(0, |best| best.id as usize)
    };
    let keys = run.borrow().keys_of(about_row(&asked, row, id), heads)?;
    keys.await
}

/// The question for what is added at one position.
fn about_row(asked: &EffectsAsked, row: usize, id: usize) -> AttributionAsked {
    let against = asked.against.clone();
    AttributionAsked { position: Position(row), id: Id(id), against, head: None }
}

/// The cells of heads with an axis for all that is not named.
fn tensor_of(cells: Vec<f32>, asked: &EffectsAsked, shape: [usize; 4]) -> Result<Tensor> {
    let axes = [Axis::Layer, Axis::Head, Axis::Query, Axis::Key];
    let is_named = [asked.layer.is_some(), asked.head.is_some(), false, false];
    let kept = || is_named.iter().enumerate().filter(|(_, named)| !**named).map(|(at, _)| at);
    let shape: Vec<usize> = kept().map(|at| shape[at]).collect();
    let axes: Vec<Axis> = kept().map(|at| axes[at]).collect();
    Tensor::new(cells, &shape, &axes)
}

fn no_keys() -> Error {
    Error::new(
        Code::SelectionBadHead,
        "the effects of the keys",
        "a head whose output no patch replaces, in a model whose output head reads one token",
        "another",
    )
}

/// The lengths of what each key of some heads adds to the residual stream, `[n_q, n_k]` each.
/// Requires [`PatternSpec::fetch`].
pub(super) async fn norms_of<B: Backend>(
    model: &Model<B>,
    (stack, layer): (Stack, usize),
    spec: &PatternSpec<B>,
    heads: Range<usize>,
) -> Result<Vec<Vec<f32>>> {
    let backend = &model.backend;
    let squares = squares_of_output(model, (stack, layer), heads.clone()).await?;
    let values = backend.read(&spec.value).await?;
    let n_keys = backend.rows(&spec.value);
    let columns = values.len() / n_keys.max(1);
    let all = heads.zip(&squares).map(|(head, square)| {
        let width = square.len().isqrt();
        let first = spec.kv_head(head) * width;
        let gate = f64::from(spec.gates[head]).abs();
        let rows = values.chunks_exact(columns.max(1));
        let lengths: Vec<f64> =
            rows.map(|row| gate * length(&row[first..first + width], square)).collect();
        let mut cells = spec.pattern(backend, head, Stage::Weights);
        for row in cells.chunks_exact_mut(n_keys.max(1)) {
            let keys = row.iter_mut().zip(&lengths);
            keys.for_each(|(cell, &length)| *cell = (f64::from(*cell).abs() * length) as f32);
        }
        cells
    });
    Ok(all.collect())
}

/// The products `W_O W_Oᵀ` of some heads, `[d_h, d_h]` each.
async fn squares_of_output<B: Backend>(
    model: &Model<B>,
    (stack, layer): (Stack, usize),
    heads: Range<usize>,
) -> Result<Vec<Vec<f64>>> {
    let attention = model.attention(stack, layer)?;
    let width = attention.head_dim;
    let d = model.config.d_model;
    let mut squares = vec![vec![0.0; width * width]; heads.len()];
    for first in (0..d).step_by(COLUMNS_AT_ONCE) {
        let columns = first..d.min(first + COLUMNS_AT_ONCE);
        let columns = attention.output.columns(&model.backend, columns);
        let numbers = model.backend.read(&columns).await?;
        for column in numbers.chunks_exact(attention.n_heads * width) {
            for (square, head) in squares.iter_mut().zip(heads.clone()) {
                add_products(square, &column[head * width..(head + 1) * width]);
            }
        }
    }
    Ok(squares)
}

/// Adds the products of all pairs of some numbers.
fn add_products(square: &mut [f64], numbers: &[f32]) {
    for (row, &one) in square.chunks_exact_mut(numbers.len().max(1)).zip(numbers) {
        add_multiple(row, f64::from(one), numbers);
    }
}

/// The length of `v W` by the product `W Wᵀ`.
fn length(value: &[f32], square: &[f64]) -> f64 {
    let rows = square.chunks_exact(value.len().max(1));
    let terms = rows.zip(value).map(|(row, &one)| {
        let sum: f64 =
            row.iter().zip(value).map(|(number, &other)| number * f64::from(other)).sum();
        sum * f64::from(one)
    });
    terms.sum::<f64>().max(0.0).sqrt()
}
