//! The divergence of one head from the others of its stack on this run's text. The measure is
//! `analysis::divergence`; this module supplies the patterns.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{Reading, Run};
use crate::analysis::Pattern;
use crate::analysis::divergence;
use crate::attention::PatternSpec;
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::OtherRun;

/// The divergence of a head from the requested one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadDivergence {
    /// The index of the head's block.
    pub layer: usize,
    /// The index of the head in the block.
    pub head: usize,
    /// The mean over queries of the Jensen-Shannon divergence between the two heads' rows, in nats:
    /// 0 for equal heads, at most ln 2; null if every query is fully masked in one of the heads, or
    /// if the attention variant of a head has no weights that sum to 1.
    pub divergence: Option<f64>,
}

/// A pattern that was read, with its visible cells.
struct Known {
    weights: Vec<f32>,
    visible: Vec<bool>,
    n_keys: usize,
}

impl Known {
    /// A head's weights before dropout; `None` if its attention variant has no weights that sum to
    /// 1.
    async fn read<B: Backend>(
        backend: &B,
        spec: &PatternSpec<B>,
        head: usize,
    ) -> Result<Option<Self>> {
        spec.fetch(backend).await?;
        let Some(weights) = spec.shares(backend, head) else { return Ok(None) };
        let visible = spec.visible(backend, head);
        Ok(Some(Self { weights, visible, n_keys: backend.rows(&spec.key) }))
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern { weights: &self.weights, visible: &self.visible, n_keys: self.n_keys }
    }

    fn divergence(one: Option<&Self>, other: Option<&Self>) -> Option<f64> {
        divergence(&one?.pattern(), &other?.pattern())
    }
}

/// The fields of the question `runDivergences`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct RunDivergencesAsked {
    /// The stack in which the heads attend.
    pub stack: Stack,
    /// The other run of the comparison.
    pub other: OtherRun,
}

impl<B: Backend> Run<B> {
    /// The divergence of every head of a stack from itself in another run of the same model and of
    /// as many tokens: the effect of an edit on it. Block by block, or one block alone.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, for another model and for other lengths,
    /// `run/not-ready`.
    pub fn run_divergences(
        &self,
        stack: Stack,
        other: &Self,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadDivergence>>> {
        self.check_same_model(other)?;
        let mut pairs = Vec::new();
        for layer in self.layers(stack, among)? {
            let one = self.readable_site(stack, layer)?;
            let two = other.readable_site(stack, layer)?;
            let shape = self.pattern_shape(&one);
            let there = other.pattern_shape(&two);
            if shape != there {
                return Err(Error::new(
                    Code::SelectionOtherLength,
                    "comparing two runs head by head",
                    format!("a pattern of {} × {}", shape[0], shape[1]),
                    format!("one of {} × {}", there[0], there[1]),
                ));
            }
            pairs.push((layer, one, two));
        }
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let backend = &model.backend;
            let mut found = Vec::new();
            for (layer, one, two) in &pairs {
                for head in 0..one.n_heads {
                    let own = Known::read(backend, one, head).await?;
                    let other = Known::read(backend, two, head).await?;
                    let divergence = Known::divergence(own.as_ref(), other.as_ref());
                    found.push(HeadDivergence { layer: *layer, head, divergence });
                }
            }
            Ok(found)
        }))
    }

    /// The divergences of the heads of some layers from one head of the same stack, block by block;
    /// the head itself is included if its layer is.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn head_divergences(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadDivergence>>> {
        let own = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let layers = self.layers(stack, among)?;
        let others = layers
            .map(|layer| Ok((layer, self.readable_site(stack, layer)?)))
            .collect::<Result<Vec<_>>>()?;
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let backend = &model.backend;
            let asked = Known::read(backend, &own, head).await?;
            let mut found = Vec::new();
            for (layer, spec) in &others {
                for head in 0..spec.n_heads {
                    let other = Known::read(backend, spec, head).await?;
                    let divergence = Known::divergence(asked.as_ref(), other.as_ref());
                    found.push(HeadDivergence { layer: *layer, head, divergence });
                }
            }
            Ok(found)
        }))
    }
}
