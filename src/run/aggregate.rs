//! Patterns of several heads joined into one: their mean and maximum, and what reaches a position
//! from the input through all blocks below, by rollout or by flow. The formulas of the last two are
//! in `analysis::rollout` and `analysis::flow`; this module supplies the patterns.
//!
//! All of them take the weights before dropout. Gates, and what an ablated head no longer adds to
//! the residual stream, do not change weights and so do not enter.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::Run;
use crate::analysis::flow::FlowNetwork;
use crate::analysis::rollout::{Rollout, with_residual};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Tensor, named};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::{Head, Layer, Work};

/// The most tokens of a text whose flow is computed: the work grows with their fourth power.
const LONGEST_FLOW: usize = 64;

/// The number of flows that one step computes: some milliseconds in a model of many blocks.
const FLOWS_A_STEP: usize = 8;

named! {
    /// A way to join the patterns of several heads.
    Aggregation, SelectionBadStage, "the aggregate" {
        /// The mean of the heads' weights.
        Mean = "mean",
        /// The largest of the heads' weights in each cell.
        Maximum = "maximum",
        /// Attention rollout: the product of the blocks' matrices `½ (A + I)`, with `A` the mean of
        /// a block's heads (Abnar & Zuidema 2020).
        Rollout = "rollout",
        /// Attention flow: the largest flow through a network with the same matrices as its
        /// capacities (Abnar & Zuidema 2020).
        Flow = "flow",
    }
}

/// The fields of the question `aggregate`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct AggregateAsked {
    /// The stack in which the heads attend.
    pub stack: Stack,
    /// The way to join the patterns.
    pub how: Aggregation,
    /// For a mean or a maximum the block of the heads, by default all blocks; for rollout and flow
    /// the block whose output is followed down to the input, by default the last.
    pub layer: Option<Layer>,
    /// For a mean or a maximum the index of the heads in their blocks, by default all heads.
    pub head: Option<Head>,
}

/// The patterns joined so far.
enum Joined {
    Mean { sums: Vec<f64>, count: usize },
    Maximum(Vec<f64>),
    Rollout(Rollout),
    Blocks(Vec<Vec<f64>>),
    Flow { network: FlowNetwork, flows: Vec<f64> },
}

impl Joined {
    fn new(how: Aggregation, [n_queries, n_keys]: [usize; 2]) -> Self {
        let zeros = vec![0.0; n_queries * n_keys];
        match how {
            Aggregation::Mean => Self::Mean { sums: zeros, count: 0 },
            Aggregation::Maximum => Self::Maximum(zeros),
            Aggregation::Rollout => Self::Rollout(Rollout::new(n_keys)),
            Aggregation::Flow => Self::Blocks(Vec::new()),
        }
    }

    /// Adds the weights of a block's heads, `[n_q, n_k]` each.
    fn add(&mut self, heads: &[Vec<f32>], n_keys: usize) {
        match self {
            Self::Mean { sums, count } => {
                add_all(sums, heads);
                *count += heads.len();
            }
            Self::Maximum(most) => {
                for head in heads {
                    let cells = most.iter_mut().zip(head);
                    cells.for_each(|(most, &weight)| *most = most.max(f64::from(weight)));
                }
            }
            Self::Rollout(rollout) => rollout.add(&block_matrix(heads, n_keys)),
            Self::Blocks(blocks) => blocks.push(block_matrix(heads, n_keys)),
            Self::Flow { .. } => {}
        }
    }

    /// Computes the next part of what remains once every block was added; returns the cells once
    /// they are complete.
    fn finish(&mut self, n: usize) -> Option<Vec<f64>> {
        match self {
            Self::Mean { sums, count } => {
                divide_all(sums, *count);
                Some(std::mem::take(sums))
            }
            Self::Maximum(most) => Some(std::mem::take(most)),
            Self::Rollout(rollout) => Some(rollout.shares()),
            Self::Blocks(blocks) => {
                *self = Self::Flow { network: FlowNetwork::new(blocks, n), flows: Vec::new() };
                None
            }
            Self::Flow { network, flows } => {
                let next = flows.len()..(flows.len() + FLOWS_A_STEP).min(n * n);
                flows.extend(next.map(|cell| network.between(cell / n, cell % n)));
                (flows.len() == n * n).then(|| std::mem::take(flows))
            }
        }
    }
}

fn add_all(sums: &mut [f64], heads: &[Vec<f32>]) {
    for head in heads {
        sums.iter_mut().zip(head).for_each(|(sum, &weight)| *sum += f64::from(weight));
    }
}

fn divide_all(sums: &mut [f64], count: usize) {
    for sum in sums {
        *sum /= count as f64;
    }
}

/// The matrix `½ (A + I)` of a block, with `A` the mean of its heads.
fn block_matrix(heads: &[Vec<f32>], n: usize) -> Vec<f64> {
    let mut mean = vec![0.0; n * n];
    add_all(&mut mean, heads);
    divide_all(&mut mean, heads.len());
    with_residual(mean, n)
}

impl<B: Backend> Run<B> {
    /// The patterns of several heads joined into one, `[query, key]`, in steps: block by block, and
    /// the flow some cells at a time.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, for rollout and flow of cross-attention, and for a
    /// text that is too long; `run/not-ready`. The work fails with `selection/bad-head` at a head
    /// whose attention variant has no weights that sum to 1.
    pub fn aggregate(&self, asked: &AggregateAsked) -> Result<Work<Tensor>> {
        let &AggregateAsked { stack, how, .. } = asked;
        let layers = self.layers_below(asked)?;
        let head = self.head_of(asked)?;
        let specs = self.sites(stack, layers.clone())?;
        let shape = specs.first().map_or([0, 0], |spec| self.pattern_shape(spec));
        if how == Aggregation::Flow && shape[1] > LONGEST_FLOW {
            let expected = format!("a text of at most {LONGEST_FLOW} tokens; shorten it");
            let found = format!("{} tokens", shape[1]);
            return Err(Error::new(Code::SelectionTooLarge, "the flow", expected, found));
        }
        let joined = Rc::new(RefCell::new(Joined::new(how, shape)));
        let model = Rc::clone(&self.model);
        let mut left = layers.zip(specs);
        Ok(Work::new(move || {
            let next = left.next();
            let joined = Rc::clone(&joined);
            let model = Rc::clone(&model);
            Box::pin(async move {
                if let Some((layer, spec)) = next {
                    let weights = weights_of(&model, layer, &spec, head).await?;
                    joined.borrow_mut().add(&weights, shape[1]);
                    return Ok(None);
                }
                let Some(cells) = joined.borrow_mut().finish(shape[1]) else { return Ok(None) };
                let cells = cells.into_iter().map(|cell| cell as f32).collect();
                Tensor::new(cells, &shape, &[Axis::Query, Axis::Key]).map(Some)
            })
        }))
    }

    /// The blocks whose patterns are joined.
    fn layers_below(&self, asked: &AggregateAsked) -> Result<Range<usize>> {
        let layer = asked.layer.as_ref().map(|layer| layer.0);
        let layers = self.layers(asked.stack, layer)?;
        match asked.how {
            Aggregation::Mean | Aggregation::Maximum => Ok(layers),
            Aggregation::Rollout | Aggregation::Flow if asked.stack == Stack::Cross => {
                Err(Error::new(
                    Code::SelectionBadStack,
                    format!("the stack of a {}", asked.how.name()),
                    "encoder or decoder, whose blocks follow each other",
                    "cross",
                ))
            }
            Aggregation::Rollout | Aggregation::Flow => Ok(0..layers.end),
        }
    }

    /// The head of each block whose pattern is joined; `None` for all heads.
    fn head_of(&self, asked: &AggregateAsked) -> Result<Option<usize>> {
        let Some(head) = asked.head.as_ref().map(|head| head.0) else { return Ok(None) };
        self.check_head(asked.stack, head)?;
        match asked.how {
            Aggregation::Mean | Aggregation::Maximum => Ok(Some(head)),
            Aggregation::Rollout | Aggregation::Flow => Err(Error::new(
                Code::SelectionBadHead,
                "the head",
                format!("none: a {} takes the mean of all heads of a block", asked.how.name()),
                head.to_string(),
            )),
        }
    }
}

/// The weights of the heads of a block, or of one head alone.
async fn weights_of<B: Backend>(
    model: &Model<B>,
    layer: usize,
    spec: &PatternSpec<B>,
    head: Option<usize>,
) -> Result<Vec<Vec<f32>>> {
    spec.fetch(&model.backend).await?;
    let heads = head.map_or(0..spec.n_heads, |head| head..head + 1);
    heads
        .map(|head| {
            spec.shares(&model.backend, head).ok_or_else(|| {
                Error::new(
                    Code::SelectionBadHead,
                    "the heads of an aggregate",
                    "heads whose attention variants have weights that sum to 1",
                    format!("head {head} of layer {layer}, whose rows have other sums"),
                )
            })
        })
        .collect()
}
