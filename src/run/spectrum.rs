//! The singular values of one head's pattern, before the softmax and after it: how many
//! directions its scores have, which are at most as many as the head has dimensions, and
//! how many the softmax makes of them.
//!
//! Before means the scores without their mask. A forbidden cell is `-∞` in the masked
//! scores, of which no singular value can be taken, and no other number in its place would
//! be the model's; the scores themselves are finite everywhere. Afterwards a forbidden cell
//! is 0, and a query that may look nowhere is a row of zeros, which adds nothing.

use serde::Serialize;

use super::{Reading, Run};
use crate::analysis::SingularValues;
use crate::analysis::spectrum::Decomposition;
use crate::axes::{Stack, Stage};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

/// The longest shorter side of a pattern: its cube is what the work grows with, and with
/// the longest it is some seconds.
const LONGEST_SIDE: usize = 512;

/// The work of one step, in multiplications of f64: some milliseconds.
const STEP_WORK: usize = 5_000_000;

/// What the patterns of one head have of each of their directions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Spectrum {
    /// Of the scores before the mask.
    pub scores: SingularValues,
    /// Of the weights.
    pub weights: SingularValues,
}

/// A spectrum that is being computed. It holds copies of the patterns and needs the run no
/// more.
pub struct SpectrumWork {
    scores: Decomposition,
    weights: Decomposition,
}

impl SpectrumWork {
    /// One short step; the answer once nothing is left to do.
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
