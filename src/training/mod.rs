//! Training: a loop of forward pass, reverse pass and update over batches of examples.
//!
//! A model is trained as it is loaded and run: the forward pass of an example is a run, under any
//! edits of the run (masks, positions, wiring, gates, dropout of attention weights), so that what a
//! trained model computes afterwards is what it computed while it was trained. Gradients are those
//! of [`Autodiff`]; an update replaces the weights of the model.

mod dropout;
mod folder;
mod optimiser;
mod parameters;
mod settings;
mod size;
mod state;

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;

use crate::axes::Stack;
use crate::backend::{Autodiff, Derivatives, Traced, gradients};
use crate::error::{Code, Error, Result, shown};
use crate::kernels::elementwise::{add_into, scale};
use crate::kernels::precise::square;
use crate::model::Model;
use crate::run::{Run, RunRequest};

pub use dropout::Dropout;
pub use folder::Folder;
pub use optimiser::{Method, Optimiser, Schedule};
pub use parameters::Parameter;
use parameters::Parameters;
pub use settings::{MethodName, TrainerSettings, TrainingBatch, TrainingExample};

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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepOutcome {
    /// The number of the step, from 1.
    pub step: usize,
    /// The mean over all targets of the negative log-probability of the right entry, in nats; with
    /// label smoothing, of the smoothed distribution's cross-entropy.
    pub loss: f64,
    /// The share of targets whose right entry is the likeliest.
    pub accuracy: f64,
    /// The length of the gradient of all parameters, before it is clipped.
    pub gradient_norm: f64,
    /// The length of the gradient of each part of the model, from the embeddings upwards.
    pub part_norms: Vec<PartNorm>,
}

/// The length of the gradient of one part's parameters, before it is clipped.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PartNorm {
    /// The stack of the part; null for the output head.
    pub stack: Option<Stack>,
    /// The block, from 0; null for the embeddings and the last norm of a stack.
    pub layer: Option<usize>,
    /// The length of the gradient.
    pub norm: f64,
}

/// How a model does on examples that it does not learn from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The mean loss of all targets, as that of a step.
    pub loss: f64,
    /// The share of targets whose right entry is the likeliest.
    pub accuracy: f64,
}

/// A model while it is trained.
pub struct Trainer<B: Derivatives> {
    model: Rc<Model<Autodiff<B>>>,
    parameters: Parameters<B>,
    optimiser: Optimiser,
    /// The share of each target's probability that is spread over all entries.
    label_smoothing: f64,
    dropout: Option<Dropout>,
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
        Ok(Self { model: Rc::new(model), parameters, optimiser, label_smoothing, dropout: None })
    }

    /// The training with dropout in its steps.
    #[must_use]
    pub fn with_dropout(self, dropout: Option<Dropout>) -> Self {
        Self { dropout, ..self }
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
    /// The errors of a run; `input/empty` for a batch without targets, `input/too-long` for an
    /// example that does not fit in memory, `selection/bad-position` and
    /// `input/bad-id` for targets that do not exist, `run/not-ready` while something else holds the
    /// model, `run/not-finite` for a loss that is no number. Each leaves the model as it was.
    pub async fn step(&mut self, batch: &[Example]) -> Result<StepOutcome> {
        if Rc::strong_count(&self.model) > 1 {
            return Err(held());
        }
        let n_targets = n_targets(batch)?;
        let step = self.optimiser.steps() + 1;
        let dropped = self.dropout.map(|dropout| dropout.examples(batch, step));
        let mut sums = Sums::default();
        for examples in self.side_by_side(dropped.as_deref().unwrap_or(batch))? {
            let added = self.add(&examples, n_targets, &mut sums).await;
            added.map_err(|error| at_step(error, step))?;
        }
        let part_norms = self.part_norms(&sums.gradients);
        let squares = part_norms.iter().map(|part| part.norm * part.norm);
        let gradient_norm = squares.sum::<f64>().sqrt();
        let loss = sums.loss / n_targets as f64;
        if !loss.is_finite() || !gradient_norm.is_finite() {
            return Err(not_finite(step, loss, &part_norms));
        }
        self.optimiser.update(&mut self.parameters.all, &sums.gradients, gradient_norm);
        if let Some(model) = Rc::get_mut(&mut self.model) {
            self.parameters.write(model);
        }
        let accuracy = sums.right as f64 / n_targets as f64;
        Ok(StepOutcome { step, loss, accuracy, gradient_norm, part_norms })
    }

    /// How the model does on a batch, from which it learns nothing.
    ///
    /// # Errors
    /// The errors of [`Self::step`] about the batch.
    pub async fn evaluate(&self, batch: &[Example]) -> Result<Evaluation> {
        let n_targets = n_targets(batch)?;
        let mut sums = Sums::default();
        for examples in self.side_by_side(batch)? {
            self.forward(&examples, &mut sums).await?;
        }
        let [loss, accuracy] = [sums.loss, sums.right as f64].map(|sum| sum / n_targets as f64);
        Ok(Evaluation { loss, accuracy })
    }

    /// What continues the training: a file for [`Self::restore`].
    pub fn state(&self) -> Vec<u8> {
        state::file(&self.parameters.all, &self.optimiser)
    }

    /// Goes on from a state of a training of the same model.
    ///
    /// # Errors
    /// `checkpoint/…` for a file that is none of a state of this model, which is then as it was;
    /// `run/not-ready` while something else holds the model.
    pub fn restore(&mut self, state: &[u8]) -> Result<()> {
        let mut parameters = self.parameters.all.clone();
        let mut optimiser = self.optimiser.clone();
        state::restore(state, &mut parameters, &mut optimiser)?;
        let Some(model) = Rc::get_mut(&mut self.model) else { return Err(held()) };
        self.parameters.all = parameters;
        self.optimiser = optimiser;
        self.parameters.write(model);
        Ok(())
    }

    /// The lengths of the gradients of all parts.
    fn part_norms(&self, gradients: &[Vec<f32>]) -> Vec<PartNorm> {
        let mut parts: Vec<PartNorm> = Vec::new();
        for (parameter, gradient) in self.parameters.all.iter().zip(gradients) {
            let (stack, layer) = parameter.part();
            let squares = square(gradient);
            match parts.iter_mut().find(|part| (part.stack, part.layer) == (stack, layer)) {
                Some(part) => part.norm += squares,
                None => parts.push(PartNorm { stack, layer, norm: squares }),
            }
        }
        for part in &mut parts {
            part.norm = part.norm.sqrt();
        }
        parts
    }

    /// The examples in groups whose rows can pass the model side by side: texts of one length,
    /// under the same edits, and no more than fit in memory.
    fn side_by_side<'a>(&self, batch: &'a [Example]) -> Result<Vec<Vec<&'a Example>>> {
        let shape = |Example { request, .. }: &Example| {
            let target = request.target_ids.as_ref().map_or(0, Vec::len);
            [request.ids.len(), target]
        };
        let mut groups: Vec<Vec<&Example>> = Vec::new();
        for example in batch {
            let most = size::most_side_by_side(&self.model.config, example)?;
            let fits = |group: &&mut Vec<&Example>| {
                let first = group[0];
                group.len() < most
                    && shape(first) == shape(example)
                    && first.request.edits == example.request.edits
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(example),
                None => groups.push(vec![example]),
            }
        }
        Ok(groups)
    }

    /// Computes examples whose rows pass the model side by side, and adds their loss: their
    /// log-probabilities, and the factor of each in the loss.
    async fn forward(
        &self,
        examples: &[&Example],
        sums: &mut Sums,
    ) -> Result<(Traced<B>, Vec<f32>)> {
        let begin =
            |example: &&Example| Run::begin(&self.model, &example.request, None).map(RefCell::new);
        let runs = examples.iter().map(begin).collect::<Result<Vec<_>>>()?;
        while Run::advance(&runs).await?.is_some() {}
        let output = Run::log_probabilities(&runs)?;
        let n_vocabulary = self.model.config.n_vocabulary;
        let values = self.model.backend.recorded().read(output.value()).await?;
        let n_rows = values.len() / n_vocabulary / runs.len();
        let of_each = values.chunks_exact(n_rows * n_vocabulary);
        let mut all = Vec::with_capacity(values.len());
        for (example, values) in examples.iter().zip(of_each) {
            let weights = self.loss_weights(example, [n_rows, n_vocabulary])?;
            let products = values.iter().zip(&weights).map(|(&x, &w)| f64::from(x) * f64::from(w));
            sums.loss += products.sum::<f64>();
            let rows: Vec<&[f32]> = values.chunks_exact(n_vocabulary).collect();
            let is_right = |&&(position, id): &&(usize, usize)| {
                rows[position].iter().all(|value| *value <= rows[position][id])
            };
            sums.right += example.targets.iter().filter(is_right).count();
            all.extend(weights);
        }
        for run in runs.iter().filter(|_| !sums.loss.is_finite()) {
            if let Some(error) = Run::fault(run).await? {
                return Err(error);
            }
        }
        Ok((output, all))
    }

    /// Adds the loss of examples whose rows pass the model side by side, and their gradients.
    async fn add(&self, examples: &[&Example], n_targets: usize, sums: &mut Sums) -> Result<()> {
        let (output, mut weights) = self.forward(examples, sums).await?;
        let backend = self.model.backend.recorded();
        let n_vocabulary = self.model.config.n_vocabulary;
        scale(&mut weights, 1.0 / n_targets as f32);
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
                add_into(sum, &gradient);
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

/// The number of targets of a batch.
fn n_targets(batch: &[Example]) -> Result<usize> {
    match batch.iter().map(|example| example.targets.len()).sum() {
        0 => {
            let expected = "at least one position to learn";
            Err(Error::new(Code::InputEmpty, "the batch", expected, "none"))
        }
        n_targets => Ok(n_targets),
    }
}

/// The refusal to change a model that something else holds.
fn held() -> Error {
    let what = "the model, which nothing else may read while it is trained";
    Error::new(Code::RunNotReady, what, "no run of it", "one that is kept")
}

/// What makes a training finite again.
const REMEDY: &str = "a finite number; a smaller learning rate, a warm-up or clipping helps";

/// The error of a run, with the number of the step if the run was not finite.
fn at_step(error: Error, step: usize) -> Error {
    if error.code != Code::RunNotFinite {
        return error;
    }
    Error::new(error.code, format!("step {step}, {}", error.doing), REMEDY, error.got)
}

/// The error for a step whose loss, or the gradient of whose part, is not finite.
fn not_finite(step: usize, loss: f64, parts: &[PartNorm]) -> Error {
    let what = match parts.iter().rev().find(|part| !part.norm.is_finite()) {
        Some(part) if loss.is_finite() => format!("the gradient of {}", part.name()),
        _ => "the loss".to_owned(),
    };
    Error::new(Code::RunNotFinite, format!("step {step}, {what}"), REMEDY, shown(loss))
}

impl PartNorm {
    /// The part in words.
    fn name(&self) -> String {
        match (self.stack, self.layer) {
            (Some(stack), Some(layer)) => format!("layer {layer} of the {}", stack.name()),
            (Some(stack), None) => {
                format!("the embeddings or the last norm of the {}", stack.name())
            }
            (None, _) => "the output head".to_owned(),
        }
    }
}
