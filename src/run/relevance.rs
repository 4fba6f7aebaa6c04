//! How relevant each token of a text is for a target, by attention and its gradients: head by head,
//! and propagated through all blocks. The formulas are in `analysis::relevance`; this module
//! supplies patterns and gradients.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Deserialize;

use super::{GradientTarget, Run};
use crate::analysis::relevance::{PositivePart, Relevance};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Stage, Step, Tensor};
use crate::backend::{Autodiff, Derivatives};
use crate::error::Result;
use crate::question::{At, Head, Layer, Reading, Work};

/// The fields of the question `relevance`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RelevanceAsked {
    /// The number for which tokens are relevant.
    pub target: GradientTarget,
    /// The stack in which the heads attend: the relevance of an encoder's tokens in each other, of
    /// a decoder's, or, of `cross`, of the source's tokens in those of the target text.
    pub stack: Stack,
}

/// The fields of the question `weightedGradient`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct WeightedGradientAsked {
    /// The number whose gradient is computed.
    pub target: GradientTarget,
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
}

/// The relevance so far: in the encoder, and in the decoder with what it has of the source.
struct Propagated {
    encoder: Relevance,
    decoder: Relevance,
}

/// A site with its stack and block.
type PlacedSite<B> = (Stack, usize, PatternSpec<Autodiff<B>>);

impl Propagated {
    fn add(&mut self, stack: Stack, attention: &[f64]) {
        match stack {
            Stack::Encoder => self.encoder.add_own(attention),
            Stack::Decoder => self.decoder.add_own(attention),
            Stack::Cross => self.decoder.add_cross(attention, &self.encoder),
        }
    }

    fn of(self, stack: Stack) -> Vec<f64> {
        match stack {
            Stack::Encoder => self.encoder.own(),
            Stack::Decoder => self.decoder.own(),
            Stack::Cross => self.decoder.memory(),
        }
    }
}

impl<B: Derivatives> Run<Autodiff<B>> {
    /// The relevance of each token in each position for a target, `[query, key]`, in steps: block
    /// by block.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub fn relevance(&self, asked: &RelevanceAsked) -> Result<Work<Tensor>> {
        let stack = asked.stack;
        let sites = self.sites_towards(stack)?;
        let shape = sites.last().map_or([0, 0], |(_, _, spec)| self.pattern_shape(spec));
        let rows = |of: Stack| {
            let own = sites.iter().find(|(stack, ..)| *stack == of);
            own.map_or(0, |(_, _, spec)| self.pattern_shape(spec)[0])
        };
        let [n_source, n_target] = [Stack::Encoder, Stack::Decoder].map(rows);
        let heads = sites.iter().flat_map(|(stack, layer, spec)| {
            let weights = At::of(*stack, *layer, Step::Weights);
            (0..spec.n_heads).map(move |head| weights.clone().of_head(head))
        });
        let mut gradients = self.gradients_by_turns(&asked.target, &heads.collect::<Vec<_>>())?;
        let propagated = Rc::new(RefCell::new(Some(Propagated {
            encoder: Relevance::new(n_source, 0),
            decoder: Relevance::new(n_target, n_source),
        })));
        let model = Rc::clone(&self.model);
        let mut left = sites.into_iter();
        Ok(Work::new(move || {
            let next = left.next().map(|(stack, _, spec)| {
                let gradients: Vec<_> = gradients.by_ref().take(spec.n_heads).collect();
                (stack, spec, gradients)
            });
            let model = Rc::clone(&model);
            let propagated = Rc::clone(&propagated);
            Box::pin(async move {
                if let Some((stack, spec, gradients)) = next {
                    let attention = positive_part(&model.backend, &spec, gradients).await?;
                    if let Some(propagated) = &mut *propagated.borrow_mut() {
                        propagated.add(stack, &attention);
                    }
                    return Ok(None);
                }
                let cells = propagated.take().map_or_else(Vec::new, |found| found.of(stack));
                let cells = cells.into_iter().map(|cell| cell as f32).collect();
                Tensor::new(cells, &shape, &[Axis::Query, Axis::Key]).map(Some)
            })
        }))
    }

    /// The weights of a head times the gradients of a target with respect to them, `[query, key]`.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub fn weighted_gradient(&self, asked: &WeightedGradientAsked) -> Result<Reading<Tensor>> {
        let WeightedGradientAsked { target, stack, layer: Layer(layer), head: Head(head) } = asked;
        let at = At::of(*stack, *layer, Step::Weights).of_head(*head);
        let weights = self.kept_activation(&at)?;
        let gradients = self.gradients_by_turns(target, &[at])?.next();
        Ok(Box::pin(async move {
            let weights = weights.await?;
            let shape = weights.shape().to_vec();
            let mut cells = weights.into_data();
            if let Some(gradients) = gradients {
                let gradients = gradients.await?.into_data();
                cells.iter_mut().zip(gradients).for_each(|(cell, gradient)| *cell *= gradient);
            }
            Tensor::new(cells, &shape, &[Axis::Query, Axis::Key])
        }))
    }

    /// The sites through which relevance reaches the tokens of a stack, in the order of the
    /// computation. The last one is of that stack.
    fn sites_towards(&self, stack: Stack) -> Result<Vec<PlacedSite<B>>> {
        let of = |stack: Stack, layer: usize| Ok((stack, layer, self.readable_site(stack, layer)?));
        let layers = self.layers(stack, None)?;
        if stack != Stack::Cross {
            return layers.map(|layer| of(stack, layer)).collect();
        }
        let source = self.layers(Stack::Encoder, None)?.map(|layer| of(Stack::Encoder, layer));
        let target =
            layers.flat_map(|layer| [Stack::Decoder, Stack::Cross].map(|stack| of(stack, layer)));
        source.chain(target).collect()
    }
}

/// The mean over a site's heads of the positive parts of weights times gradients.
async fn positive_part<B: Derivatives>(
    backend: &Autodiff<B>,
    spec: &PatternSpec<Autodiff<B>>,
    gradients: Vec<Reading<Tensor>>,
) -> Result<Vec<f64>> {
    spec.fetch(backend).await?;
    let mut joined = None;
    for (head, gradients) in gradients.into_iter().enumerate() {
        let weights = spec.pattern(backend, head, Stage::Weights);
        let joined = joined.get_or_insert_with(|| PositivePart::new(weights.len()));
        joined.add(&weights, &gradients.await?.into_data());
    }
    Ok(joined.map_or_else(Vec::new, PositivePart::mean))
}
