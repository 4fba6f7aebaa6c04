//! Integrated gradients of a target over the embeddings of a text: how much each token moves the
//! target on the straight way from a baseline to the text (Sundararajan, Taly & Yan 2017,
//! "Axiomatic Attribution for Deep Networks", section 3):
//!
//! `a_t = Σ_d (x − b)_td · ∫₀¹ ∂f(b + α (x − b)) / ∂x_td dα`
//!
//! `x` are the rows that enter the first block, positions included. The baseline `b` is zeros, or
//! the rows that the text would have if each of its tokens were one named entry of the vocabulary.
//! The integral is a sum of `m` terms at `α = (k − ½) / m`. With more steps the sum of all `a_t`
//! comes nearer to `f(x) − f(b)` (completeness, proposition 1); both numbers are part of the
//! answer.
//!
//! A point of the way is the run with a patch of all rows of the first block's input.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::checks::check_size;
use super::predictions::check_ids;
use super::{GradientTarget, Run};
use crate::axes::{Axis, Stack, Step, Tensor};
use crate::backend::{Autodiff, Derivatives};
use crate::error::{Code, Error, Result};
use crate::question::{At, Id, Reading, Size, Work};

/// The most points of a way.
const MOST_STEPS: usize = 1000;

/// The fields of the question `integratedGradients`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct IntegratedGradientsAsked {
    /// The number that is attributed.
    pub target: GradientTarget,
    /// The stack whose text is compared with the baseline; the text of another stack stays.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
    /// The entry of the vocabulary whose embedding is the baseline of each token; absent: zeros.
    pub baseline: Option<Id>,
    /// The number of points between baseline and text, from 1 to 1,000.
    pub steps: Size,
}

/// Integrated gradients of a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IntegratedGradients {
    /// The number of each token.
    pub tokens: Vec<f64>,
    /// The target for the text.
    pub target: f64,
    /// The target for the baseline. With enough steps the numbers of all tokens sum up to the
    /// difference of both targets.
    pub baseline: f64,
}

/// The way from the baseline to the text.
struct Way<B: Derivatives> {
    run: Rc<RefCell<Run<Autodiff<B>>>>,
    asked: IntegratedGradientsAsked,
    /// The baseline and the text, `[n, d]`.
    ends: [Vec<f32>; 2],
}

/// The sums so far.
struct Sums {
    /// The gradients at the points of the way, `[n, d]`.
    gradients: Vec<f64>,
    /// The target for the text, and for the baseline.
    targets: [f64; 2],
}

/// The numbers of each token of a run for a target, in steps: point by point of the way.
///
/// # Errors
/// `selection/…`, `input/bad-id`, `input/wrong-kind` for an entry of the vocabulary as the baseline
/// of an image, and the errors of [`Run::gradients`].
pub fn integrated_gradients<B: Derivatives>(
    run: &Rc<RefCell<Run<Autodiff<B>>>>,
    asked: IntegratedGradientsAsked,
) -> Result<Work<IntegratedGradients>> {
    check_size("the number of steps", asked.steps.0, MOST_STEPS)?;
    let begun = run.borrow();
    let target = begun.target_value(&asked.target)?;
    let ends = begun.ends(&asked)?;
    let mut points = 0..=asked.steps.0;
    let mut read = Some((target, ends, Rc::clone(run), asked));
    let state = Rc::new(OnceCell::new());
    Ok(Work::new(move || {
        let read = read.take();
        let point = points.next();
        let state = Rc::clone(&state);
        Box::pin(async move {
            if let Some((target, ends, run, asked)) = read {
                let way = Way { run, asked, ends: ends.await? };
                let gradients = vec![0.0; way.ends[0].len()];
                let sums = Sums { gradients, targets: [target.await?, 0.0] };
                let _ = state.set((way, RefCell::new(sums)));
            }
            let Some((way, sums)) = state.get() else { return Ok(None) };
            match point {
                Some(0) => {
                    let baseline = way.target_of_baseline().await?;
                    sums.borrow_mut().targets[1] = baseline;
                }
                Some(point) => {
                    let gradients = way.gradients(point).await?;
                    let pairs = &mut sums.borrow_mut().gradients;
                    let pairs = pairs.iter_mut().zip(gradients);
                    pairs.for_each(|(sum, gradient)| *sum += f64::from(gradient));
                }
                None => return Ok(Some(way.answer(&sums.borrow()))),
            }
            Ok(None)
        })
    }))
}

impl<B: Derivatives> Way<B> {
    /// The complete run at a share of the way.
    async fn run_at(&self, share: f64) -> Result<Run<Autodiff<B>>> {
        let point = {
            let run = self.run.borrow();
            let [baseline, text] = &self.ends;
            let rows = baseline.iter().zip(text).map(|(&b, &x)| {
                let [b, x] = [b, x].map(f64::from);
                (b + share * (x - b)) as f32
            });
            let width = run.model.config.d_model;
            let shape = [text.len() / width.max(1), width];
            let rows = Tensor::new(rows.collect(), &shape, &[Axis::Position, Axis::ModelDim])?;
            let patch = run.patch_of(&entrance(self.asked.stack), &rows)?;
            RefCell::new(run.begun_with(self.asked.stack, patch))
        };
        while Run::advance(std::slice::from_ref(&point)).await?.is_some() {}
        Ok(point.into_inner())
    }

    async fn target_of_baseline(&self) -> Result<f64> {
        let value = self.run_at(0.0).await?.target_value(&self.asked.target)?;
        value.await
    }

    /// The gradients at a point, counted from 1.
    async fn gradients(&self, point: usize) -> Result<Vec<f32>> {
        let share = (point as f64 - 0.5) / self.asked.steps.0 as f64;
        let run = self.run_at(share).await?;
        let at = [entrance(self.asked.stack)];
        let mut gradients = run.gradients_by_turns(&self.asked.target, &at)?;
        match gradients.next() {
            Some(gradient) => Ok(gradient.await?.into_data()),
            None => Ok(Vec::new()),
        }
    }

    fn answer(&self, sums: &Sums) -> IntegratedGradients {
        let [baseline, text] = &self.ends;
        let steps = self.asked.steps.0 as f64;
        let ends = baseline.iter().zip(text).zip(&sums.gradients);
        let parts: Vec<f64> =
            ends.map(|((&b, &x), sum)| (f64::from(x) - f64::from(b)) * sum / steps).collect();
        let width = self.run.borrow().model.config.d_model.max(1);
        let tokens = parts.chunks_exact(width).map(|row| row.iter().sum()).collect();
        let [target, baseline] = sums.targets;
        IntegratedGradients { tokens, target, baseline }
    }
}

impl<B: Derivatives> Run<Autodiff<B>> {
    /// The rows that enter the first block for the baseline and for the text.
    fn ends(&self, asked: &IntegratedGradientsAsked) -> Result<Reading<[Vec<f32>; 2]>> {
        let (of_text, weights) = self.stream(asked.stack)?;
        let text = self.kept_activation(&entrance(asked.stack))?;
        let Some(Id(id)) = asked.baseline else {
            return Ok(Box::pin(async move {
                let text = text.await?.into_data();
                Ok([vec![0.0; text.len()], text])
            }));
        };
        if of_text.patches.is_some() {
            let expected = "zeros, since the model reads an image";
            let got = format!("entry {id} of the vocabulary");
            return Err(Error::new(Code::InputWrongKind, "the baseline", expected, got));
        }
        check_ids(&[0], &[id], self.model.config.n_vocabulary)?;
        let mut begun = self.begun();
        let stack = [&mut begun.encoder, &mut begun.decoder];
        let [encoder, decoder] = stack;
        let stack = if asked.stack == Stack::Encoder { encoder } else { decoder };
        let stack = stack.as_mut().ok_or_else(|| self.model.no_stack(asked.stack))?;
        let baseline = stack.embed_as(&self.model.backend, weights, id as u32);
        let baseline = self.read(baseline);
        Ok(Box::pin(async move { Ok([baseline.await?, text.await?.into_data()]) }))
    }
}

/// The address of the rows that enter the first block of a stack.
fn entrance(stack: Stack) -> At {
    At::of(stack, 0, Step::Input)
}
