//! The logit lens: what the model would predict if it ended at some depth. The residual stream of a
//! depth goes through the stack's final norm, if it has one, and through the model's own output
//! head, so that the last depth gives the run's logits to the bit.
//!
//! `logits_l = Head(N(hidden_l))`, `l` from 0 (the embedding) to the number of blocks
//!
//! Source: nostalgebraist, "interpreting GPT: the logit lens" (2020). The formulas of entropy and
//! divergence are in `kernels::distribution`.
//!
//! No block is computed again. Some positions at a time go through the head, with all depths of
//! them in one product with the unembedding, whose logits are dropped once the best entries and the
//! measures are taken. A stack without a final norm has its norms in its blocks: its hidden states
//! are read as they are.

use std::cell::RefCell;
use std::mem::take;
use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::checks::{check_size, checked_position, not_ready};
use super::finite::not_finite;
use super::predictions::{check_ids, no_head};
use super::{Reading, Run};
use crate::axes::{Axis, Tensor};
use crate::backend::Backend;
use crate::blocks::Norm;
use crate::error::{Code, Error, Result};
use crate::kernels::distribution::{Distribution, Weighted};
use crate::model::Model;
use crate::question::{Ids, Layers, Positions, Size, Work};

/// The work of a piece, in multiplications: about 20 ms on one core.
const PIECE_WORK: usize = 400_000_000;

/// The most logits of a piece: 16 MiB of f32.
const MOST_LOGITS: usize = 1 << 22;

/// The most predictions of an answer: 64 MiB for each number of them.
const MOST_PREDICTIONS: usize = 1 << 24;

/// The fields of the question `lens`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LensAsked {
    /// The depths, as `hidden` counts them: 0 is the embedding, the number of blocks the output of
    /// the stack. By default all.
    pub layers: Option<Layers>,
    /// The positions that predict, by default all.
    pub positions: Option<Positions>,
    /// The number of predictions for each depth and position.
    pub top_k: Size,
    /// A chosen entry of the vocabulary for each position.
    pub ids: Option<Ids>,
}

/// The predictions of a run's depths: a row of each tensor is a depth, a column a position, in the
/// order asked.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
pub struct Lens {
    /// Whether the states of all depths go through the stack's final norm. A stack without one has
    /// its norms in its blocks: its states are read as they are.
    pub final_norm: bool,
    /// The ids of the likeliest entries, likeliest first, `[layer, position, rank]`.
    pub ids: Tensor,
    /// The logits of these entries, `[layer, position, rank]`.
    pub logits: Tensor,
    /// The probabilities of these entries, `[layer, position, rank]`.
    pub probabilities: Tensor,
    /// The entropy of each distribution, in nats, `[layer, position]`.
    pub entropy: Tensor,
    /// The Kullback-Leibler divergence of the last depth's distribution from each, in nats,
    /// `[layer, position]`.
    pub divergence: Tensor,
    /// The chosen entries; null if none were named.
    pub chosen: Option<LensChosen>,
}

/// The chosen entries in the predictions of a run's depths.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LensChosen {
    /// The probability of the chosen entry, `[layer, position]`.
    pub probabilities: Tensor,
    /// The number of entries before the chosen one in the order of `ids`, `[layer, position]`.
    pub ranks: Tensor,
}

/// Some positions at all depths: a range in the list of positions.
type Piece = Range<usize>;

/// The depths and positions that are asked for.
struct Plan {
    depths: Vec<usize>,
    positions: Vec<usize>,
    top_k: usize,
    ids: Option<Vec<usize>>,
    /// The depths that are computed: each of `depths` once, then the last, with which the others
    /// are compared.
    computed: Vec<usize>,
    /// The number of blocks, which is the last depth.
    n_layers: usize,
    n_vocabulary: usize,
}

/// The residual stream of every depth, and the way to its logits.
struct States<B: Backend> {
    model: Rc<Model<B>>,
    hidden: Vec<B::Tensor>,
    /// The output of the stack, after its final norm.
    output: B::Tensor,
}

/// The answer while it is computed.
struct Cells {
    plan: Plan,
    /// Ids, logits and probabilities, `[depth, position, rank]`.
    best: [Vec<f32>; 3],
    /// Entropy, divergence, probability and rank of the chosen entry, `[depth, position]`.
    measures: [Vec<f32>; 4],
}

impl<B: Backend> Run<B> {
    /// What each depth predicts at each position, in steps.
    ///
    /// # Errors
    /// `output/unavailable` for a model without a head, `selection/…` for a depth, a position or a
    /// number of predictions that does not exist, `input/bad-id` for an entry outside the
    /// vocabulary, `run/not-ready`. The work fails with `run/not-finite` where the logits of a
    /// depth are no numbers.
    pub fn lens(&self, asked: &LensAsked) -> Result<Work<Lens>> {
        let plan = self.lens_plan(asked)?;
        let states = self.lens_states()?;
        let has_norm = states.final_norm().is_some();
        let mut left = plan.pieces(self.model.config.embedding_width).into_iter();
        let cells = Rc::new(RefCell::new(Cells::new(plan)));
        Ok(Work::new(move || {
            let cells = Rc::clone(&cells);
            let Some(piece) = left.next() else {
                return Box::pin(async move { cells.borrow_mut().answer(has_norm).map(Some) });
            };
            let logits = states.logits(&piece, &cells.borrow().plan);
            Box::pin(async move {
                let logits = logits?.await?;
                cells.borrow_mut().add(&piece, &logits)?;
                Ok(None)
            })
        }))
    }

    /// The depths and positions that are asked for, checked.
    fn lens_plan(&self, asked: &LensAsked) -> Result<Plan> {
        let n_vocabulary = self.model.config.n_vocabulary;
        let n = self.predicting_rows()?;
        let n_layers = self.predicting()?.sites.len();
        let depths = asked.layers.as_ref().map(|layers| layers.0.clone());
        let depths = depths.unwrap_or_else(|| (0..=n_layers).collect());
        if let Some(&depth) = depths.iter().find(|&&depth| depth > n_layers) {
            return Err(Error::beyond(Code::SelectionBadLayer, "the layer", n_layers, depth));
        }
        let positions = asked.positions.as_ref().map(|positions| positions.0.clone());
        let positions = positions.unwrap_or_else(|| (0..n).collect());
        for &position in &positions {
            checked_position(position, n)?;
        }
        let top_k = asked.top_k.0;
        let most = MOST_PREDICTIONS / (depths.len() * positions.len()).max(1);
        check_size("the number of predictions", top_k, n_vocabulary.min(most))?;
        let ids = asked.ids.as_ref().map(|ids| ids.0.clone());
        if let Some(ids) = &ids {
            check_ids(&positions, ids, n_vocabulary)?;
        }
        let below = (0..n_layers).filter(|depth| depths.contains(depth));
        let computed = below.chain([n_layers]).collect();
        Ok(Plan { depths, positions, top_k, ids, computed, n_layers, n_vocabulary })
    }

    /// The residual stream of every depth of the stack that predicts.
    fn lens_states(&self) -> Result<States<B>> {
        let stack = self.predicting()?;
        let output = stack.output().ok_or_else(|| not_ready("the output"))?;
        if self.model.head.is_none() {
            return Err(no_head());
        }
        let model = Rc::clone(&self.model);
        Ok(States { model, hidden: stack.hidden.clone(), output: output.clone() })
    }
}

impl<B: Backend> States<B> {
    fn final_norm(&self) -> Option<&Norm<B>> {
        self.model.predicting()?.final_norm.as_ref()
    }

    /// The reading of the logits of a piece, `[depth, position, vocabulary]`.
    fn logits(&self, piece: &Piece, plan: &Plan) -> Result<Reading<Vec<f32>>> {
        let backend = &self.model.backend;
        let head = self.model.head.as_ref().ok_or_else(no_head)?;
        // The head of an image may read another token beside the one that predicts.
        let is_image = self.model.config.image.is_some();
        let width = if is_image { plan.n_vocabulary } else { self.model.config.d_model };
        let mut all = backend.empty(width, plan.computed.len() * piece.len());
        for &depth in &plan.computed {
            // The output went through the norm.
            let below = self.hidden.get(depth).filter(|_| depth < plan.n_layers);
            let mut state = match below.unwrap_or(&self.output) {
                state if is_image => state.clone(),
                state => selected(backend, state, &plan.positions[piece.clone()]),
            };
            if let Some(norm) = self.final_norm().filter(|_| below.is_some()) {
                state = norm.forward(backend, &state);
            }
            if is_image {
                state = head.forward(backend, &state, 0..1);
            }
            backend.append(&mut all, &state);
        }
        if !is_image {
            all = head.forward(backend, &all, 0..plan.computed.len() * piece.len());
        }
        Ok(Box::pin(backend.read(&all)))
    }
}

/// Some rows of a tensor, in any order.
fn selected<B: Backend>(backend: &B, x: &B::Tensor, rows: &[usize]) -> B::Tensor {
    let mut runs =
        rows.chunk_by(|one, next| one + 1 == *next).map(|run| run[0]..run[0] + run.len());
    let mut all = backend.select(x, runs.next().unwrap_or(0..0));
    for run in runs {
        backend.append(&mut all, &backend.select(x, run));
    }
    all
}

impl Plan {
    /// The pieces of the work, of which each is some positions.
    fn pieces(&self, width: usize) -> Vec<Piece> {
        let most = (PIECE_WORK / width.max(1)).min(MOST_LOGITS);
        let at_once = (most / self.n_vocabulary / self.computed.len()).max(1);
        let n = self.positions.len();
        (0..n).step_by(at_once).map(|first| first..n.min(first + at_once)).collect()
    }
}

impl Cells {
    fn new(plan: Plan) -> Self {
        let n = plan.depths.len() * plan.positions.len();
        let numbers = || vec![0.0; n];
        Self {
            best: [(); 3].map(|()| vec![0.0; n * plan.top_k]),
            measures: [(); 4].map(|()| numbers()),
            plan,
        }
    }

    /// Takes what is asked for of the logits of a piece, `[depth, position, vocabulary]`.
    fn add(&mut self, piece: &Piece, logits: &[f32]) -> Result<()> {
        let n_vocabulary = self.plan.n_vocabulary;
        let computed = self.plan.computed.clone();
        let n_below = computed.len() - 1;
        let row = |depth: usize, at: usize| {
            &logits[(depth * piece.len() + at) * n_vocabulary..][..n_vocabulary]
        };
        for at in 0..piece.len() {
            let last = Weighted::of(row(n_below, at));
            for (of, &depth) in computed.iter().enumerate() {
                let own =
                    if of == n_below { last.distribution() } else { Distribution::of(row(of, at)) };
                if !own.is_finite() {
                    return Err(not_finite(format!("the logits at depth {depth}")));
                }
                self.put(depth, piece.start + at, &own, &last);
            }
        }
        Ok(())
    }

    fn put(&mut self, depth: usize, at: usize, own: &Distribution<'_>, last: &Weighted<'_>) {
        let Plan { depths, positions, top_k, ids, .. } = &self.plan;
        let rows = depths.iter().enumerate().filter(|(_, asked)| **asked == depth);
        for (row, _) in rows {
            let cell = row * positions.len() + at;
            for (rank, entry) in own.best(*top_k).enumerate() {
                let numbers = [entry.id as f32, entry.logit, entry.probability as f32];
                for (all, number) in self.best.iter_mut().zip(numbers) {
                    all[cell * top_k + rank] = number;
                }
            }
            let chosen = ids.as_ref().map(|ids| ids[at]);
            let measures = [
                own.entropy() as f32,
                last.divergence_from(own) as f32,
                chosen.map_or(0.0, |id| own.entry(id).probability as f32),
                chosen.map_or(0.0, |id| own.rank(id) as f32),
            ];
            for (all, number) in self.measures.iter_mut().zip(measures) {
                all[cell] = number;
            }
        }
    }

    /// The answer, once every piece was added.
    fn answer(&mut self, final_norm: bool) -> Result<Lens> {
        let shape = [self.plan.depths.len(), self.plan.positions.len(), self.plan.top_k];
        let axes = [Axis::Layer, Axis::Position, Axis::Rank];
        let tensor =
            |numbers: &mut Vec<f32>, n: usize| Tensor::new(take(numbers), &shape[..n], &axes[..n]);
        let [ids, logits, probabilities] = &mut self.best;
        let [entropy, divergence, chosen, ranks] = &mut self.measures;
        let chosen = self.plan.ids.as_ref().map(|_| {
            Ok(LensChosen { probabilities: tensor(chosen, 2)?, ranks: tensor(ranks, 2)? })
        });
        Ok(Lens {
            final_norm,
            ids: tensor(ids, 3)?,
            logits: tensor(logits, 3)?,
            probabilities: tensor(probabilities, 3)?,
            entropy: tensor(entropy, 2)?,
            divergence: tensor(divergence, 2)?,
            chosen: chosen.transpose()?,
        })
    }
}
