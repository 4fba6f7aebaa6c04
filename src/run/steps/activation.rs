//! The one place that turns the address of an activation into its tensor. An address that the run
//! does not have is refused with the field that is wrong and with what there is.
//!
//! Tensors that the run stores are read, patterns are derived by the operation of the forward pass,
//! all others are computed again by the block's own code.

use std::ops::Range;
use std::rc::Rc;

use super::explain::absent;
use super::plan::{Made, plan};
use super::view::{View, is_head_normed, is_of_keys, projected};
use super::{Watching, unwatched};
use crate::axes::{Axis, Part, Stack, Stage, Step, Sublayer, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::{At, Head, Layer, Reading, Work};
use crate::run::Run;
use crate::run::activation_patches::PatchPlace;

/// The activation that an address names.
pub(in crate::run) struct Activation<B: Backend> {
    model: Rc<Model<B>>,
    view: View<B>,
    place: Place,
}

/// The part of a step's matrix that an address names.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub step: Step,
    /// The rows, as ranges in the order of the answer.
    pub rows: Vec<Range<usize>>,
    /// The columns of the answer.
    columns: Range<usize>,
    /// The number of columns of the step.
    width: usize,
    axes: [Axis; 2],
}

impl<B: Backend> Run<B> {
    /// The activation at an address: the matrix that [`Self::steps`] has of the step, or the named
    /// rows and the columns of the named head.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have, also for a step that stands in the
    /// list of a block and is of another stack, which the sentence names; `run/not-ready` for what
    /// is not computed.
    pub fn activation(&self, at: &At) -> Result<Work<Tensor>> {
        Ok(self.resolve(at)?.work())
    }

    /// The activation at an address, once it can be read.
    pub(in crate::run) fn read_at(&self, at: &At) -> Result<Reading<Tensor>> {
        Ok(self.activation(at)?.finish())
    }

    /// The address of the residual stream that enters block `layer`, or leaves the stack.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub(in crate::run) fn stream_at(&self, stack: Stack, layer: usize) -> Result<At> {
        let (found, weights) = self.stream(stack)?;
        self.readable_rows(found)?;
        let n_layers = found.sites.len();
        match found.sites.last() {
            Some(last) if layer == n_layers => {
                Ok(At::of(stack, layer - 1, weights.last_step(last.wiring)))
            }
            _ if layer < n_layers => Ok(At::of(stack, layer, Step::Input)),
            _ => Err(Error::beyond(Code::SelectionBadLayer, "the layer", n_layers, layer)),
        }
    }

    /// The step of a head's queries, keys or values as they enter the products, or before their
    /// rotation.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub(in crate::run) fn step_of(
        &self,
        stack: Stack,
        layer: usize,
        part: Part,
        rotated: bool,
    ) -> Result<Step> {
        let is_turned = self.readable_site(stack, layer)?.turns.is_some();
        let (_, weights) = self.stack_run(stack)?;
        let is_normed = is_head_normed(stack, &weights.blocks[layer]);
        Ok(projected(part, is_turned && rotated, is_normed))
    }

    /// The place of a patch at an address, in a run that need not have computed anything.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have.
    pub(in crate::run) fn patch_place(&self, at: &At) -> Result<PatchPlace> {
        let head = at.head.as_ref().map(|Head(head)| *head);
        let view = View::before(self, at.stack, at.layer.0, head.unwrap_or(0))?;
        let Place { rows, columns, width, .. } = view.place(&self.model, at, head)?;
        let spot = view.spot(&self.model, at.step);
        Ok(PatchPlace { spot, rows: rows.into_iter().flatten().collect(), columns, width })
    }

    fn resolve(&self, at: &At) -> Result<Activation<B>> {
        let head = at.head.as_ref().map(|Head(head)| *head);
        let view = View::of(self, at.stack, at.layer.0, head.unwrap_or(0))?;
        let model = Rc::clone(&self.model);
        let place = view.place(&model, at, head)?;
        Ok(Activation { model, view, place })
    }
}

impl<B: Backend> View<B> {
    /// How a step of the block is computed.
    ///
    /// # Errors
    /// `selection/bad-stage` for a step that the block does not have.
    pub fn made<'a>(&self, model: &'a Model<B>, step: Step) -> Result<Made<'a, B>> {
        let steps = match self.weights(model) {
            Some(weights) => plan(model, weights, self),
            None => Vec::new(),
        };
        let names: Vec<Step> = steps.iter().map(|(step, _)| *step).collect();
        let found = steps.into_iter().find(|(there, _)| *there == step);
        found.map(|(_, made)| made).ok_or_else(|| absent(step, &names))
    }

    /// The part of a step's matrix that an address names.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have.
    pub fn place(&self, model: &Model<B>, at: &At, head: Option<usize>) -> Result<Place> {
        let step = at.step;
        if let Some(own) = self.address_elsewhere(&self.made(model, step)?, model, step) {
            return Err(elsewhere(step, &own));
        }
        let (axis, width) = self.columns(model, step);
        let columns = match (axis, head) {
            (Axis::Key, None) => return Err(bad_head(step, "one, by its index", "nothing")),
            (Axis::HeadDim, Some(head)) => self.columns_of(model, step, head),
            (Axis::Key, Some(_)) | (_, None) => 0..width,
            (_, Some(head)) => return Err(bad_head(step, "none", &head.to_string())),
        };
        let n = self.rows(model, step);
        let rows = match &at.positions {
            None => vec![0..n; 1],
            Some(positions) => ranges(&positions.0, n)?,
        };
        let of_rows = if axis == Axis::Key { Axis::Query } else { Axis::Position };
        Ok(Place { step, rows, columns, width, axes: [of_rows, axis] })
    }

    /// The address of a step that the list of this block also has, but that another sublayer
    /// computes; `None` for a step of its own. `input` is what enters each block of a stack of
    /// blocks, whatever computes it.
    fn address_elsewhere(&self, made: &Made<B>, model: &Model<B>, step: Step) -> Option<At> {
        let is_cross = self.stack == Stack::Cross;
        let of = |stack, step| Some(At::of(stack, self.layer, step));
        let follows_cross = || {
            let sublayer = self.spot(model, step).map(|spot| spot.sublayer);
            step == Step::Final || sublayer == Some(Sublayer::FeedForward)
        };
        match (step, made) {
            (Step::Input, _) if !is_cross => None,
            (_, Made::Same(from)) => Some(from.clone()),
            (Step::CrossSum, _) => of(Stack::Cross, Step::Sum),
            (Step::CrossNormed, _) => of(Stack::Cross, Step::Normed),
            _ if is_cross && follows_cross() => of(Stack::Decoder, step),
            _ => None,
        }
    }

    /// The columns of one head in a step in which heads stand side by side.
    fn columns_of(&self, model: &Model<B>, step: Step, head: usize) -> Range<usize> {
        let own = if is_of_keys(step) { self.site().kv_head(head) } else { head };
        let head_dim = model.config.stack(self.stack).map_or(0, |stack| stack.head_dim);
        own * head_dim..(own + 1) * head_dim
    }
}

impl<B: Backend> Activation<B> {
    fn work(self) -> Work<Tensor> {
        let Self { model, view, place } = self;
        if let Some(stage) = Stage::of(place.step) {
            return Work::once(Box::pin(async move {
                let site = view.site();
                site.fetch(&model.backend).await?;
                let rows = |rows: &Range<usize>| {
                    site.pattern_rows(&model.backend, view.head, rows.clone(), stage)
                };
                place.tensor(&place.rows.iter().map(rows).collect::<Vec<_>>().concat())
            }));
        }
        if let Some(x) = view.stored(&model, place.step) {
            let x = place.select(&model.backend, &x);
            return Work::once(place.read(&model.backend, &x));
        }
        let mut watching = Watching::of(Rc::clone(&model), view, Some(place.step), &place.rows);
        Work::new(move || match watching.step() {
            Some(piece) => Box::pin(async move { piece.await.map(|()| None) }),
            None => match watching.found(place.step) {
                Some(x) => {
                    let tensor = place.read(&model.backend, x);
                    Box::pin(async move { tensor.await.map(Some) })
                }
                None if place.rows.is_empty() => {
                    let nothing = place.tensor(&[]).map(Some);
                    Box::pin(async move { nothing })
                }
                None => {
                    let error = unwatched(place.step);
                    Box::pin(async move { Err(error) })
                }
            },
        })
    }
}

impl Place {
    /// The rows of the place, of a tensor that has all.
    pub fn select<B: Backend>(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        if let [rows] = &self.rows[..] {
            return backend.select(x, rows.clone());
        }
        let mut some = backend.empty(self.width, self.rows.iter().map(Range::len).sum());
        for rows in &self.rows {
            backend.append(&mut some, &backend.select(x, rows.clone()));
        }
        some
    }

    /// The reading of the place, of a tensor that has its rows alone.
    pub fn read<B: Backend>(&self, backend: &B, x: &B::Tensor) -> Reading<Tensor> {
        let numbers = backend.read(x);
        let place = self.clone();
        Box::pin(async move { place.tensor(&numbers.await?) })
    }

    /// The place, of the numbers of its rows.
    pub fn tensor(&self, numbers: &[f32]) -> Result<Tensor> {
        let n = self.rows.iter().map(Range::len).sum();
        let mut own = Vec::with_capacity(n * self.columns.len());
        for row in numbers.chunks_exact(self.width.max(1)) {
            own.extend_from_slice(&row[self.columns.clone()]);
        }
        Tensor::new(own, &[n, self.columns.len()], &self.axes)
    }
}

/// Positions as ranges of rows, in their order.
fn ranges(positions: &[usize], n: usize) -> Result<Vec<Range<usize>>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for &position in positions {
        if position >= n {
            return Err(Error::beyond(Code::SelectionBadPosition, "the position", n - 1, position));
        }
        match ranges.last_mut() {
            Some(last) if last.end == position => last.end += 1,
            _ => ranges.push(position..position + 1),
        }
    }
    Ok(ranges)
}

fn bad_head(step: Step, expected: &str, got: &str) -> Error {
    let what = format!("the head of the step {}", step.name());
    Error::new(Code::SelectionBadHead, what, expected, got)
}

/// The refusal of a second address of a tensor, which names the first.
fn elsewhere(step: Step, At { stack, layer: Layer(layer), step: own, .. }: &At) -> Error {
    let own = format!("the step {} of layer {layer} of the stack {}", own.name(), stack.name());
    Error::new(Code::SelectionBadStage, "the step", own, step.name())
}
