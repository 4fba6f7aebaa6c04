//! How long the gradient of a target is at each depth of the residual stream: whether it vanishes
//! or explodes on its way back to the embeddings.

use serde::Deserialize;

use super::{GradientTarget, Run};
use crate::axes::{Axis, Stack, Step, Tensor};
use crate::backend::{Autodiff, Derivatives};
use crate::error::Result;
use crate::question::{At, Reading};

/// The fields of the question `gradientNorms`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GradientNormsAsked {
    /// The number whose gradient is computed.
    pub target: GradientTarget,
    /// The stack of the residual stream.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
}

impl<B: Derivatives> Run<Autodiff<B>> {
    /// The length of the gradient of a target with respect to the residual stream of each position,
    /// `[layer, position]`: as it enters each block, and as it leaves the last one,
    /// before the final norm.
    ///
    /// # Errors
    /// The errors of [`Self::gradients`].
    pub fn gradient_norms(&self, asked: &GradientNormsAsked) -> Result<Reading<Tensor>> {
        let &GradientNormsAsked { ref target, stack } = asked;
        let (run, weights) = self.stream(stack)?;
        let entering = (0..run.sites.len()).map(|layer| At::of(stack, layer, Step::Input));
        let last = run.sites.iter().zip(&weights.blocks).enumerate().last();
        let leaving =
            last.map(|(layer, (sites, block))| At::of(stack, layer, block.last_step(sites.wiring)));
        let at: Vec<At> = entering.chain(leaving).collect();
        let gradients: Vec<_> = self.gradients_by_turns(target, &at)?.collect();
        let width = self.model.config.d_model.max(1);
        Ok(Box::pin(async move {
            let n_depths = gradients.len();
            let mut norms = Vec::new();
            for gradient in gradients {
                let rows = gradient.await?.into_data();
                norms.extend(rows.chunks_exact(width).map(length));
            }
            let n = norms.len() / n_depths.max(1);
            Tensor::new(norms, &[n_depths, n], &[Axis::Layer, Axis::Position])
        }))
    }
}

fn length(row: &[f32]) -> f32 {
    let squares = row.iter().map(|&number| f64::from(number) * f64::from(number));
    squares.sum::<f64>().sqrt() as f32
}
