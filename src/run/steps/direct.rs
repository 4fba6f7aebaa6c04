//! Direct paths: what an activation would be if the outputs that some heads have in another run
//! reached it through the residual stream alone. Every component between both keeps its output of
//! this run, so that only sums and norms of the stream are computed again. A patch of the
//! activation with these numbers is a path patch (Wang et al. 2022, section 3.1 and appendix B;
//! Goldowsky-Dill et al. 2023, section 3).
//!
//! A sender is the context of a head. A receiver is what a projection has of the stream: queries,
//! keys and values as they enter the products, or the stream that leaves a block. The output of an
//! encoder reaches the keys and values of cross-attention.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::view::View;
use super::{Reading, unwatched};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Step, Sublayer, Tensor};
use crate::backend::Backend;
use crate::blocks::{ATTENTION, BatchText, FEED_FORWARD, Joined};
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::{At, Head, Layer, OtherRun, Work};
use crate::run::Run;
use crate::run::activation_patches::ActivationPatch;
use crate::run::patched::whole;

/// The fields of the question `direct`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DirectAsked {
    /// The senders: the addresses of heads' `context`, at least one.
    pub from: Vec<At>,
    /// The receiver: the address of queries, keys or values as they enter the products, or of the
    /// stream that leaves a block.
    pub to: At,
    /// The run whose outputs the senders have.
    pub other: OtherRun,
}

/// Where a direct path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The queries, keys and values of self-attention.
    Own,
    /// The queries of cross-attention.
    CrossQuery,
    /// The keys and values of cross-attention.
    Memory,
    /// The stream that leaves a block.
    Output,
}

/// The blocks of a path, with the receiver's part of its step's rows and columns.
struct Path<B: Backend> {
    run: Rc<RefCell<Run<B>>>,
    /// The stack of the blocks that the path leads through.
    stack: Stack,
    to: At,
    end: End,
    /// The senders' outputs of the other run.
    sent: RefCell<Vec<ActivationPatch>>,
    /// The stream after the last block of the path so far; `None` before the first sender's block.
    stream: RefCell<Option<B::Tensor>>,
}

/// The activation at `asked.to` if only the direct paths from `asked.from` carried the numbers that
/// `other` has there.
///
/// # Errors
/// `selection/…` for addresses that the run does not have, `selection/bad-stage` for a step that
/// neither sends nor receives and for no sender, `selection/bad-layer` where no direct path leads
/// to the receiver, `selection/other-length` for runs of texts of other lengths, `run/not-ready`.
pub fn direct<B: Backend>(
    run: &Rc<RefCell<Run<B>>>,
    other: &Run<B>,
    asked: DirectAsked,
) -> Result<Work<Tensor>> {
    let DirectAsked { from, to, .. } = asked;
    let mut layers = None;
    let mut left = Vec::with_capacity(from.len());
    let end = {
        let run = run.borrow();
        run.check_same_model(other)?;
        let end = run.end_of(&to)?;
        for sender in &from {
            let own = run.layers_of(sender, &to, end)?;
            let first = layers.map_or(own.start, |known: Range<usize>| known.start.min(own.start));
            layers = Some(first..own.end);
            left.push((sender.clone(), other.read_at(&whole(sender))?));
        }
        end
    };
    let (Some(mut layers), Some(first)) = (layers, from.first()) else {
        return Err(no_sender("none"));
    };
    let of_encoder = first.stack == Stack::Encoder;
    let path = Path {
        run: Rc::clone(run),
        stack: if of_encoder { Stack::Encoder } else { Stack::Decoder },
        to,
        end,
        sent: RefCell::default(),
        stream: RefCell::default(),
    };
    let path = Rc::new(path);
    let mut left = left.into_iter();
    Ok(Work::new(move || {
        if let Some((from, sent)) = left.next() {
            let path = Rc::clone(&path);
            return Box::pin(async move { path.send(&from, &sent.await?).map(|()| None) });
        }
        let passed = layers.next().map(|layer| path.pass(layer));
        let arrived = if passed.is_none() { Some(path.arrive()) } else { None };
        Box::pin(async move {
            passed.transpose()?;
            match arrived {
                Some(numbers) => numbers?.await.map(Some),
                None => Ok(None),
            }
        })
    }))
}

impl<B: Backend> Run<B> {
    /// Where a path to an address ends.
    fn end_of(&self, to: &At) -> Result<End> {
        let view = View::of(self, to.stack, to.layer.0, 0)?;
        let [query, key] = view.compared();
        let (_, weights) = self.stack_run(to.stack)?;
        let last = weights.blocks[to.layer.0].last_step(view.wiring);
        let is_memory = to.step == key || to.step == Step::Value;
        match to.stack {
            Stack::Cross if to.step == query => Ok(End::CrossQuery),
            Stack::Cross if is_memory => Ok(End::Memory),
            Stack::Encoder | Stack::Decoder if to.step == query || is_memory => Ok(End::Own),
            Stack::Encoder | Stack::Decoder if to.step == last => Ok(End::Output),
            _ => {
                let names = [query, key, Step::Value, last].map(Step::name).join(", ");
                let what = "the receiver of a path";
                Err(Error::new(
                    Code::SelectionBadStage,
                    what,
                    format!("one of {names}"),
                    to.step.name(),
                ))
            }
        }
    }

    /// The blocks whose output the stream passes on the way from a sender.
    ///
    /// # Errors
    /// `selection/bad-stage` for a sender that is no head's context, `selection/bad-layer` where
    /// there is no path.
    fn layers_of(&self, from: &At, to: &At, end: End) -> Result<Range<usize>> {
        if from.step != Step::Context || from.head.is_none() {
            return Err(no_sender(from.step.name()));
        }
        let (Layer(first), Layer(last)) = (from.layer.clone(), to.layer.clone());
        let end_layer = match end {
            End::Memory => self.stack_run(Stack::Encoder)?.0.sites.len(),
            End::Output => last + 1,
            End::Own | End::CrossQuery => last,
        };
        let is_of_encoder = |stack: Stack| stack == Stack::Encoder;
        let is_in_stack =
            is_of_encoder(from.stack) == (end == End::Memory || is_of_encoder(to.stack));
        // Self-attention comes before cross-attention in a block.
        let behind = usize::from(end != End::CrossQuery || from.stack == Stack::Cross);
        if is_in_stack && first + behind <= end_layer {
            return Ok(first..end_layer);
        }
        let name =
            |at: &At| format!("{} of layer {} ({})", at.step.name(), at.layer.0, at.stack.name());
        Err(Error::new(
            Code::SelectionBadLayer,
            "the receiver of a path",
            format!("one that the stream leads to from {}", name(from)),
            name(to),
        ))
    }
}

impl<B: Backend> Path<B> {
    /// Keeps a sender's output of the other run.
    fn send(&self, from: &At, values: &Tensor) -> Result<()> {
        let sent = self.run.borrow().patch_of(from, values)?;
        self.sent.borrow_mut().push(sent);
        Ok(())
    }

    /// A block of the path.
    fn view(&self, stack: Stack, layer: usize) -> Result<(Rc<Model<B>>, View<B>)> {
        let run = self.run.borrow();
        Ok((Rc::clone(&run.model), View::of(&run, stack, layer, 0)?))
    }

    /// Carries the stream through a block.
    fn pass(&self, layer: usize) -> Result<()> {
        let (model, view) = self.view(self.stack, layer)?;
        let sublayers = [Sublayer::Own, Sublayer::Cross, Sublayer::FeedForward];
        let stream = self.carried(&model, &view, &sublayers)?;
        *self.stream.borrow_mut() = Some(stream);
        Ok(())
    }

    /// The stream after some sublayers of a block, each of which adds what it adds in this run;
    /// those of senders add what they make of the outputs of the other run.
    #[inline(never)]
    fn carried(&self, model: &Model<B>, view: &View<B>, through: &[Sublayer]) -> Result<B::Tensor> {
        let backend = &model.backend;
        let weights = view.weights(model).ok_or_else(|| unwatched(Step::Input))?;
        let block = &weights.blocks[view.layer];
        let kept = view.watched_sublayers(model, 0..view.n_rows());
        let of = |sublayer: Sublayer, step: Step| {
            let mut found = kept.iter().filter(|one| (one.0, one.1) == (sublayer, step));
            found.next().map(|(.., x)| x.clone())
        };
        let mut stream = self.stream.borrow().clone().unwrap_or_else(|| view.input.clone());
        for &sublayer in through {
            let (attention, joined, step) = match (sublayer, &block.cross) {
                (Sublayer::Own, _) => (
                    Some(&block.self_attention),
                    block.self_residual.joined(view.wiring.own, ATTENTION),
                    Step::Attended,
                ),
                (Sublayer::Cross, Some(cross)) => (
                    Some(&cross.attention),
                    cross.residual.joined(view.wiring.cross, ATTENTION),
                    Step::Attended,
                ),
                (Sublayer::Cross, None) => continue,
                (Sublayer::FeedForward, _) => {
                    let joint = view.wiring.feed_forward;
                    let joined = block.feed_forward_residual.joined(joint, FEED_FORWARD);
                    (None, joined, Step::FfOutput)
                }
            };
            let sent = self.sent.borrow();
            let place = (view.layer, sublayer);
            let here = |one: &&ActivationPatch| (one.spot().layer, one.spot().sublayer) == place;
            let mut sent = sent.iter().filter(here).peekable();
            let found = match (attention, of(sublayer, Step::Context)) {
                (Some(attention), Some(mut context)) if sent.peek().is_some() => {
                    sent.for_each(|one| one.apply(backend, &mut context, 0));
                    attention.output.forward(backend, &context)
                }
                _ => of(sublayer, step).ok_or_else(|| unwatched(step))?,
            };
            stream = leave(backend, view, (sublayer, &joined), &stream, found);
        }
        match (&block.convolution, through.last()) {
            (Some(convolution), Some(Sublayer::FeedForward)) => {
                let step = Step::ConvolvedActivated;
                let added = of(Sublayer::FeedForward, step).ok_or_else(|| unwatched(step))?;
                let patched = |step: Step, mut x: B::Tensor| {
                    let place = (view.layer, Sublayer::FeedForward, step);
                    view.activation_patches.apply(backend, place, &mut x, 0);
                    x
                };
                let sum = patched(Step::ConvolvedSum, backend.add(&stream, &added));
                Ok(patched(Step::ConvolvedNormed, convolution.norm.forward(backend, &sum)))
            }
            _ => Ok(stream),
        }
    }

    /// The receiver's activation of the stream that arrives.
    fn arrive(&self) -> Result<Reading<Tensor>> {
        let Layer(layer) = self.to.layer;
        let (model, view) = self.view(self.to.stack, layer)?;
        let backend = &model.backend;
        let weights = view.weights(&model).ok_or_else(|| unwatched(Step::Input))?;
        let block = &weights.blocks[layer];
        let passed = || self.stream.borrow().clone().unwrap_or_else(|| view.input.clone());
        let mut sites = view.sites_before(backend, 0);
        sites.own = emptied(backend, &sites.own);
        sites.cross = sites.cross.as_ref().map(|spec| emptied(backend, spec));
        let mut sublayer = Sublayer::Cross;
        match (self.end, &block.cross, &mut sites.cross) {
            (End::Own, ..) => {
                sublayer = Sublayer::Own;
                let input = &passed();
                let batch = &mut [BatchText { sites: &mut sites, input }];
                block.project(backend, batch, 0..backend.rows(input));
            }
            (End::CrossQuery, Some(cross), Some(spec)) => {
                let stream = self.carried(&model, &view, &[Sublayer::Own])?;
                let joined = cross.residual.joined(view.wiring.cross, ATTENTION);
                let entered = joined.enter(backend, &stream, None);
                cross.attention.extend_queries(backend, &mut [spec], &entered);
            }
            (End::Memory, Some(cross), Some(spec)) => {
                let mut memory = passed();
                if let Some(norm) = model.encoder.as_ref().and_then(|own| own.final_norm.as_ref()) {
                    memory = norm.forward(backend, &memory);
                }
                cross.attention.extend_memory(backend, &mut [spec], &memory);
            }
            _ => return self.read(backend, &passed()),
        }
        let site = match (sublayer, sites.cross) {
            (Sublayer::Cross, Some(cross)) => cross,
            _ => sites.own,
        };
        let [query, key] = view.compared();
        let x = match self.to.step {
            step if step == query => &site.query,
            step if step == key => &site.key,
            _ => &site.value,
        };
        self.read(backend, x)
    }

    /// The receiver's part of the rows of its step.
    #[inline(never)]
    fn read(&self, backend: &B, x: &B::Tensor) -> Result<Reading<Tensor>> {
        let place = self.run.borrow().patch_place(&self.to)?;
        let numbers = backend.read(x);
        let of_head = self.to.head.as_ref().map(|Head(head)| *head).is_some();
        Ok(Box::pin(async move {
            let numbers = numbers.await?;
            let part = place.rows.iter().flat_map(|row| {
                let first = row * place.width;
                &numbers[first + place.columns.start..first + place.columns.end]
            });
            let axis = if of_head { Axis::HeadDim } else { Axis::ModelDim };
            let shape = [place.rows.len(), place.columns.len()];
            Tensor::new(part.copied().collect(), &shape, &[Axis::Position, axis])
        }))
    }
}

/// The refusal of what sends nothing along a path.
fn no_sender(got: &str) -> Error {
    let expected = "the context of one or more heads";
    Error::new(Code::SelectionBadStage, "the sender of a path", expected, got)
}

/// The stream after a sublayer whose output is known, under the patches of the run.
fn leave<B: Backend>(
    backend: &B,
    view: &View<B>,
    (sublayer, joined): (Sublayer, &Joined<'_, B>),
    stream: &B::Tensor,
    found: B::Tensor,
) -> B::Tensor {
    let mut patched = |step: Step, x: &mut B::Tensor| {
        view.activation_patches.apply(backend, (view.layer, sublayer, step), x, 0);
    };
    joined.leave(backend, stream, |_| found, Some(&mut patched))
}

/// A site before its first row.
fn emptied<B: Backend>(backend: &B, spec: &PatternSpec<B>) -> PatternSpec<B> {
    spec.truncated(backend, 0, 0, spec.mask.clone(), spec.gates.clone())
}
