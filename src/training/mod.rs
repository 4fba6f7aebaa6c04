//! Training: a loop of forward pass, reverse pass and update over batches of examples.
//!
//! A model is trained as it is loaded and run: the forward pass of an example is a run, under any
//! edits of the run (masks, positions, wiring, gates, dropout of attention weights), so that what a
//! trained model computes afterwards is what it computed while it was trained. Gradients are those of
//! [`Autodiff`]; an update replaces the weights of the model.

mod optimiser;
mod parameters;

use std::rc::Rc;

use crate::backend::{Autodiff, Derivatives, gradients};
use crate::decode::Decoding;
use crate::error::{Code, Error, Result, shown};
use crate::model::Model;
use crate::run::RunRequest;

pub use optimiser::{Method, Optimiser, Schedule};
pub use parameters::Parameter;
use parameters::Parameters;

/// One text to learn from.
#[derive(Debug, Clone)]
pub struct Example {
    /// The text, and for a translator the words that the decoder reads; with the edits under which
    /// the model is trained.
    pub request: RunRequest,
    /// The positions whose prediction is learned, each with the entry that is right.
    pub targets: Vec<(usize, usize)>,
}

/// The result of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepOutcome {
    /// The mean over all targets of the negative log-probability of the right entry, in nats; with
    /// label smoothing, of the smoothed distribution's cross-entropy.
    pub loss: f64,
    /// The share of targets whose right entry is the likeliest.
    pub accuracy: f64,
    /// The length of the gradient of all parameters, before it is clipped.
    pub gradient_norm: f64,
}

/// A model while it is trained.
pub struct Trainer<B: Derivatives> {
    model: Rc<Model<Autodiff<B>>>,
    parameters: Parameters<B>,
    optimiser: Optimiser,
    /// The share of each target's probability that is spread over all entries.
    label_smoothing: f64,
}

/// The sums over a batch.
#[derive(Default)]
struct Sums {
    loss: f64,
    right: usize,
    gradients: Vec<Vec<f32>>,
}

impl<B: Derivatives> Trainer<B> {
    /// The training of a loaded model.
    ///
    /// # Errors
    /// `config/unsupported-family` for a model with parameters that are not trained here,
    /// `output/unavailable` for one without an output head, `input/out-of-range` for a share of
    /// label smoothing outside of 0 to 1.
    pub async fn new(
        mut model: Model<Autodiff<B>>,
        optimiser: Optimiser,
        label_smoothing: f64,
    ) -> Result<Self> {
        if !(0.0..1.0).contains(&label_smoothing) {
            let expected = "a number from 0 to below 1";
            let got = shown(label_smoothing);
            return Err(Error::new(Code::InputOutOfRange, "the label smoothing", expected, got));
        }
        let parameters = Parameters::of(&mut model).await?;
        Ok(Self { model: Rc::new(model), parameters, optimiser, label_smoothing })
    }

    /// The model as it is now.
    pub fn model(&self) -> &Rc<Model<Autodiff<B>>> {
        &self.model
    }

    /// All trained parameters as they are now.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters.all
    }

    /// One update from a batch of examples.
    ///
    /// # Errors
    /// The errors of a run; `input/empty` for a batch without targets, `selection/bad-position` and
    /// `input/bad-id` for targets that do not exist, `run/not-ready` while something else holds the
    /// model, `run/not-finite` for a loss that is no number. Each leaves the model as it was.
    pub async fn step(&mut self, batch: &[Example]) -> Result<StepOutcome> {
        if Rc::strong_count(&self.model) > 1 {
            let what = "the model, which nothing else may read while it is trained";
            return Err(Error::new(Code::RunNotReady, what, "no run of it", "one that is kept"));
        }
        let n_targets: usize = batch.iter().map(|example| example.targets.len()).sum();
        if n_targets == 0 {
            let expected = "at least one position to learn";
            return Err(Error::new(Code::InputEmpty, "the batch", expected, "none"));
        }
        let mut sums = Sums::default();
        for example in batch {
            self.add(example, n_targets, &mut sums).await?;
        }
        let squares = sums.gradients.iter().flatten().map(|&slope| f64::from(slope).powi(2));
        let gradient_norm = squares.sum::<f64>().sqrt();
        let loss = sums.loss / n_targets as f64;
        if !loss.is_finite() || !gradient_norm.is_finite() {
            let what = format!("the loss of step {}", self.optimiser.steps() + 1);
            let expected = "a finite number; a smaller learning rate, or clipping, helps";
            return Err(Error::new(Code::RunNotFinite, what, expected, shown(loss)));
        }
        self.optimiser.update(&mut self.parameters.all, &sums.gradients, gradient_norm);
        if let Some(model) = Rc::get_mut(&mut self.model) {
            self.parameters.write(model);
        }
        Ok(StepOutcome { loss, accuracy: sums.right as f64 / n_targets as f64, gradient_norm })
    }

    /// Adds the part of one example.
    async fn add(&self, example: &Example, n_targets: usize, sums: &mut Sums) -> Result<()> {
        let decoding = Decoding::begin(&self.model, &example.request, None)?;
        while !decoding.step().await?.finished {}
        let output = decoding.run().borrow().log_probabilities()?;
        let backend = self.model.backend.recorded();
        let n_vocabulary = self.model.config.n_vocabulary;
        let values = backend.read(output.value()).await?;
        let weights = self.loss_weights(example, [values.len() / n_vocabulary, n_vocabulary])?;
        let products = values.iter().zip(&weights).map(|(&x, &w)| f64::from(x) * f64::from(w));
        sums.loss += products.sum::<f64>();
        let rows: Vec<&[f32]> = values.chunks_exact(n_vocabulary).collect();
        let is_right = |&&(position, id): &&(usize, usize)| {
            rows[position].iter().all(|value| *value <= rows[position][id])
        };
        sums.right += example.targets.iter().filter(is_right).count();

        let scale = 1.0 / n_targets as f32;
        let weights = weights.into_iter().map(|weight| weight * scale).collect();
        let weights = backend.upload(weights, n_vocabulary);
        let found =
            gradients(backend, &output, weights, &self.parameters.nodes.iter().collect::<Vec<_>>());
        sums.gradients.resize_with(found.len(), Vec::new);
        for (sum, gradient) in sums.gradients.iter_mut().zip(found) {
            let Some(gradient) = gradient else { continue };
            let gradient = backend.read(&gradient).await?;
            if sum.is_empty() {
                *sum = gradient;
            } else {
                sum.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part);
            }
        }
        Ok(())
    }

    /// The factors of the log-probabilities in the loss, before the mean.
    fn loss_weights(
        &self,
        example: &Example,
        [n_rows, n_vocabulary]: [usize; 2],
    ) -> Result<Vec<f32>> {
        let spread = self.label_smoothing / n_vocabulary as f64;
        let mut weights = vec![0.0; n_rows * n_vocabulary];
        for &(position, id) in &example.targets {
            let bad = |code, what, most, got| Err(Error::beyond(code, what, most, got));
            if position >= n_rows {
                return bad(Code::SelectionBadPosition, "the target", n_rows - 1, position);
            }
            if id >= n_vocabulary {
                return bad(Code::InputBadId, "the target", n_vocabulary - 1, id);
            }
            let row = &mut weights[position * n_vocabulary..][..n_vocabulary];
            for weight in row.iter_mut() {
                *weight -= spread as f32;
            }
            row[id] -= (1.0 - self.label_smoothing) as f32;
        }
        Ok(weights)
    }
}
