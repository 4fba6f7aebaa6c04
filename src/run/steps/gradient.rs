//! Gradients of a target with respect to activations: how much the logit of an entry of the
//! vocabulary at a position, its difference to another one's, or its log-probability changes with
//! each number of a step.
//!
//! One reverse pass over the recorded operations of the run gives the gradients of all addresses
//! (`backend::autodiff`). Those of a head's pattern follow from that of its context.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Deserialize;

use super::activation::Place;
use super::view::View;
use crate::axes::{Stack, Stage, Step, Tensor, named};
use crate::backend::{Algebra, Autodiff, Derivatives, Storage, Traced, gradients};
use crate::error::{Code, Error, Result};
use crate::question::{At, Head, Id, Position, Reading};
use crate::run::Run;
use crate::run::checks::{checked_position, not_ready};
use crate::run::predictions::{check_ids, logits_of};
use crate::variants::{RawScores, WeightRule};

named! {
    /// The number of an entry whose gradient is computed.
    GradientOf, SelectionBadStage, "the number" {
        /// The logit of the entry.
        Logit = "logit",
        /// The natural logarithm of its probability.
        LogProbability = "log-probability",
    }
}

/// The number whose gradient is computed: that of an entry of the vocabulary at a position, or its
/// difference from that of another entry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct GradientTarget {
    /// The position that predicts.
    pub position: Position,
    /// The entry of the vocabulary.
    pub id: Id,
    /// The entry whose number is subtracted; none by default.
    pub against: Option<Id>,
    /// The number of the entry: by default its logit.
    pub of: Option<GradientOf>,
}

/// The fields of the question `gradient`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GradientAsked {
    /// The number whose gradient is computed.
    pub target: GradientTarget,
    /// The addresses of the activations.
    pub at: Vec<At>,
}

/// The gradients with respect to activations, each in the shape of the activation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "Tensor[]"))]
pub struct Gradients(pub Vec<Tensor>);

/// The tensor of the run from whose gradient that of an address is read.
struct Source<B: Derivatives> {
    view: View<Autodiff<B>>,
    place: Place,
    tensor: Traced<B>,
}

impl<B: Derivatives> Run<Autodiff<B>> {
    /// The gradients of a target with respect to activations, each in the shape of the activation:
    /// see [`Self::activation`]. An activation on which the target does not depend has zeros.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for a run that took rows over from
    /// another one or goes on writing, `edit/unsupported` for an attention variant other than the
    /// softmax of products, whose derivatives are not built in.
    pub fn gradients(&self, asked: &GradientAsked) -> Result<Reading<Gradients>> {
        let readings = self.gradients_by_turns(&asked.target, &asked.at)?;
        Ok(Box::pin(async move {
            let mut tensors = Vec::new();
            for reading in readings {
                tensors.push(reading.await?);
            }
            Ok(Gradients(tensors))
        }))
    }

    /// The readings of [`Self::gradients`]; that of a pattern is computed when its turn comes.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub(in crate::run) fn gradients_by_turns(
        &self,
        target: &GradientTarget,
        at: &[At],
    ) -> Result<impl Iterator<Item = Reading<Tensor>> + use<B>> {
        self.check_differentiable()?;
        let sources = at.iter().map(|at| self.source(at)).collect::<Result<Vec<Source<B>>>>()?;
        let (output, factors) = self.target(target)?;
        let recorded = self.model.backend.recorded();
        let factors = recorded.upload(factors, self.model.config.n_vocabulary);
        let nodes: Vec<_> = sources.iter().map(|source| source.tensor.node()).collect();
        let found = gradients(recorded, &output, factors, &nodes);
        let model = Rc::clone(&self.model);
        let pairs = sources.into_iter().zip(found);
        Ok(pairs.map(move |(source, gradient)| source.read(&model.backend, gradient)))
    }

    /// The target itself.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub(in crate::run) fn target_value(&self, target: &GradientTarget) -> Result<Reading<f64>> {
        self.check_differentiable()?;
        let (output, factors) = self.target(target)?;
        let scores = self.read(&output);
        Ok(Box::pin(async move {
            let scores = scores.await?;
            let named = scores.iter().zip(factors).filter(|(_, factor)| *factor != 0.0);
            Ok(named.map(|(&score, factor)| f64::from(score) * f64::from(factor)).sum())
        }))
    }

    /// The activation whose gradient [`Self::gradients`] has at the address: what the run keeps.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub(in crate::run) fn kept_activation(&self, at: &At) -> Result<Reading<Tensor>> {
        let Source { place, tensor, .. } = self.source(at)?;
        if Stage::of(place.step).is_some() {
            return self.read_at(at);
        }
        let recorded = self.model.backend.recorded();
        Ok(place.read(recorded, &place.select(recorded, tensor.value())))
    }

    /// The log-probabilities of all entries at all positions of runs of one model and texts of one
    /// length, `[runs · positions, vocabulary]`, as the end of the recorded operations.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub fn log_probabilities(runs: &[RefCell<Self>]) -> Result<Traced<B>> {
        let mut model = None;
        let mut outputs = Vec::with_capacity(runs.len());
        for run in runs {
            let run = run.borrow();
            run.check_differentiable()?;
            let output = run.predicting()?.output().ok_or_else(|| not_ready("the output"))?;
            outputs.push(run.model.backend.select(output, 0..run.predicting_rows()?));
            model = Some(Rc::clone(&run.model));
        }
        let model = model.ok_or_else(|| not_ready("the output"))?;
        let backend = &model.backend;
        let all = backend.stacked(outputs);
        Ok(backend.log_softmax(&logits_of(&model, &all, 0..backend.rows(&all))?))
    }

    /// The scores at the position, and the factor of each in the target.
    fn target(&self, asked: &GradientTarget) -> Result<(Traced<B>, Vec<f32>)> {
        let backend = &self.model.backend;
        let n_vocabulary = self.model.config.n_vocabulary;
        let position = checked_position(asked.position.0, self.predicting_rows()?)?;
        let ids: Vec<usize> =
            std::iter::once(&asked.id).chain(&asked.against).map(|id| id.0).collect();
        check_ids(&vec![position.start; ids.len()], &ids, n_vocabulary)?;
        let logits = self.head_output(position)?;
        let output = match asked.of.unwrap_or(GradientOf::Logit) {
            GradientOf::Logit => logits,
            GradientOf::LogProbability => backend.log_softmax(&logits),
        };
        let mut factors = vec![0.0; n_vocabulary];
        for (id, sign) in ids.into_iter().zip([1.0, -1.0]) {
            factors[id] += sign;
        }
        Ok((output, factors))
    }

    /// Refuses a run whose operations are not recorded as a whole, or have no derivatives here.
    fn check_differentiable(&self) -> Result<()> {
        let stacks = [(Stack::Encoder, &self.encoder), (Stack::Decoder, &self.decoder)];
        let stacks = stacks.iter().filter_map(|(stack, run)| Some((*stack, run.as_ref()?)));
        for (stack, run) in stacks {
            if self.request.writes() || run.reused_rows > 0 {
                return Err(Error::new(
                    Code::RunNotReady,
                    "the gradients",
                    "a run of a whole given text that began without an earlier run",
                    format!("one that continues another in the stack {}", stack.name()),
                ));
            }
            let sites = run.sites.iter().flat_map(|sites| sites.cross.iter().chain([&sites.own]));
            for (_, own) in sites.flat_map(|site| site.variants.iter()) {
                let facts = own.variant.facts();
                if facts.raw != RawScores::Products || facts.weights != WeightRule::Softmax {
                    let expected = "the softmax of products of queries and keys; remove the \
                                    variant to compute gradients";
                    let got = own.variant.name();
                    return Err(Error::new(
                        Code::EditUnsupported,
                        "the attention variant",
                        expected,
                        got,
                    ));
                }
            }
        }
        Ok(())
    }

    /// The tensor behind an address.
    fn source(&self, at: &At) -> Result<Source<B>> {
        let head = at.head.as_ref().map(|Head(head)| *head);
        let view = View::of(self, at.stack, at.layer.0, head.unwrap_or(0))?;
        let place = view.place(&self.model, at, head)?;
        let is_pattern = Stage::of(place.step).is_some();
        let step = if is_pattern { Step::Context } else { place.step };
        let (run, _) = self.stack_run(at.stack)?;
        let kept = || {
            let spot = view.spot(&self.model, step)?;
            run.kept_steps.get((spot.layer, spot.sublayer, spot.step)).cloned()
        };
        let tensor = view.stored(&self.model, step).or_else(kept);
        let tensor = tensor.ok_or_else(|| not_kept(place.step))?;
        Ok(Source { view, place, tensor })
    }
}

impl<B: Derivatives> Source<B> {
    /// The reading of the address, from the gradient of its tensor.
    fn read(&self, backend: &Autodiff<B>, gradient: Option<B::Tensor>) -> Reading<Tensor> {
        let recorded = backend.recorded();
        let value = self.tensor.value();
        let zeros = || {
            let columns = recorded.columns(value);
            recorded.upload(vec![0.0; recorded.rows(value) * columns], columns)
        };
        let gradient = gradient.unwrap_or_else(zeros);
        let Some(stage) = Stage::of(self.place.step) else {
            return self.place.read(recorded, &self.place.select(recorded, &gradient));
        };
        let rows = self.place.rows.iter();
        let cells = rows.map(|rows| {
            let own = backend.recorded().select(&gradient, rows.clone());
            let slopes = self.view.site().slopes(backend, self.view.head, rows.clone(), &own);
            match stage {
                Stage::Raw => slopes.raw,
                Stage::Scores | Stage::Masked => slopes.scores,
                Stage::Weights => slopes.weights,
            }
        });
        let found = self.place.tensor(&cells.collect::<Vec<_>>().concat());
        Box::pin(async move { found })
    }
}

/// The refusal of a step that a run computes but does not keep.
fn not_kept(step: Step) -> Error {
    let expected = "a step with a gradient: input, the queries, keys and values that enter the \
                    products, scores, weights, context, or any step behind it";
    Error::new(Code::SelectionBadStage, "the step", expected, step.name())
}
