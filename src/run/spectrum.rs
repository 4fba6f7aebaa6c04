//! The singular values of one head's pattern, before and after the softmax: the number of
//! directions of its scores, which is at most the number of dimensions of the head, and that of its
//! weights.
//!
//! Before the softmax means the scores without their mask. A masked cell is `-∞` in the masked
//! scores, which then have no singular values, and any other fill would not be the model's; the
//! scores themselves are finite everywhere. After the softmax a masked cell is 0, and a fully
//! masked row is a row of zeros, which adds nothing.

use serde::Serialize;

use super::{Reading, Run};
use crate::analysis::SingularValues;
use crate::analysis::spectrum::Decomposition;
use crate::axes::{Stack, Stage};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

/// The longest shorter side of a pattern: the work grows with its cube, and takes some seconds for
/// the longest.
const LONGEST_SIDE: usize = 512;

/// The work of one step, in multiplications of f64: some milliseconds.
const STEP_WORK: usize = 5_000_000;

/// The singular values of the patterns of one head.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Spectrum {
    /// The singular values of the scores before the mask.
    pub scores: SingularValues,
    /// The singular values of the weights.
    pub weights: SingularValues,
}

/// A spectrum that is being computed. It holds copies of the patterns and does not use the run.
pub struct SpectrumWork {
    scores: Decomposition,
    weights: Decomposition,
}

impl SpectrumWork {
    /// Takes one short step; returns the spectrum once it is complete.
    pub fn step(&mut self) -> Option<Spectrum> {
        let scores = self.scores.advance(STEP_WORK)?;
        let weights = self.weights.advance(STEP_WORK)?;
        Some(Spectrum { scores, weights })
    }
}

impl<B: Backend> Run<B> {
    /// Begins to compute the spectrum of one head.
    ///
    /// # Errors
    /// `selection/…` for what does not exist and for a text that is too long, `run/not-ready`.
    pub fn spectrum(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
    ) -> Result<Reading<SpectrumWork>> {
        let spec = self.readable_site(stack, layer)?;
        check_side(self.pattern_shape(&spec))?;
        let scores = self.attention((stack, layer, head), Stage::Scores, None)?;
        let weights = self.attention((stack, layer, head), Stage::Weights, None)?;
        Ok(Box::pin(async move {
            let scores = scores.await?;
            let weights = weights.await?;
            let n_keys = scores.shape()[1];
            Ok(SpectrumWork {
                scores: Decomposition::new(&scores.into_data(), n_keys),
                weights: Decomposition::new(&weights.into_data(), n_keys),
            })
        }))
    }
}

fn check_side([n_queries, n_keys]: [usize; 2]) -> Result<()> {
    if n_queries.min(n_keys) <= LONGEST_SIDE {
        return Ok(());
    }
    Err(Error::new(
        Code::SelectionTooLarge,
        "the singular values",
        format!("a pattern with at most {LONGEST_SIDE} queries or keys; shorten the text"),
        format!("{n_queries} queries and {n_keys} keys"),
    ))
}
