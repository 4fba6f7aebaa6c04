//! The similarity of a word of one run to a word of another run of the same model, layer by layer
//! of the residual stream. The measure is `analysis::cosine`.

use std::rc::Rc;

use serde::Deserialize;

use super::{Reading, Run};
use crate::analysis::{cosine, mean_row};
use crate::axes::{Stack, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{At, OtherRun, Positions};

/// The fields of the question `cosines`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CosinesAsked {
    /// The stack of the residual stream.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
    /// The positions of this run's word.
    pub positions: Positions,
    /// The other run of the comparison.
    pub other: OtherRun,
    /// The positions of the other run's word.
    pub other_positions: Positions,
}

impl<B: Backend> Run<B> {
    /// The cosine between a word's mean state in this run and another word's in the other run, for
    /// every layer of `hidden` from the embeddings on; `None` for a state of zeros. The positions
    /// are those of the words' tokens.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, in either run, `run/not-ready`, and
    /// `selection/other-model`.
    pub fn cosines(
        &self,
        stack: Stack,
        positions: &[usize],
        other: &Self,
        other_positions: &[usize],
    ) -> Result<Reading<Vec<Option<f64>>>> {
        self.check_same_model(other)?;
        let one = self.states(stack, positions)?;
        let two = other.states(stack, other_positions)?;
        let width = self.model.config.d_model;
        Ok(Box::pin(async move {
            let mut all = Vec::with_capacity(one.len());
            for (one, two) in one.into_iter().zip(two) {
                all.push(cosine(&mean_of(one, width).await?, &mean_of(two, width).await?));
            }
            Ok(all)
        }))
    }

    /// Refuses another model: the axes of two models differ, even if they are as many.
    pub(super) fn check_same_model(&self, other: &Self) -> Result<()> {
        if Rc::ptr_eq(&self.model, &other.model) {
            return Ok(());
        }
        Err(Error::new(
            Code::SelectionOtherModel,
            "comparing two runs",
            "two runs of one model",
            "runs of two models",
        ))
    }

    /// A word's rows of the residual stream at every layer, the embeddings first.
    fn states(&self, stack: Stack, positions: &[usize]) -> Result<Vec<Reading<Tensor>>> {
        let layers = self.layers(stack, None)?;
        let of_layer = |layer| {
            let at = self.stream_at(stack, layer)?;
            check_word(positions)?;
            self.read_at(&At { positions: Some(Positions(positions.to_vec())), ..at })
        };
        (0..=layers.end).map(of_layer).collect()
    }
}

async fn mean_of(rows: Reading<Tensor>, width: usize) -> Result<Vec<f64>> {
    let rows = rows.await?.into_data();
    let positions: Vec<usize> = (0..rows.len() / width.max(1)).collect();
    Ok(mean_row(&rows, width, &positions))
}

/// Refuses a word without tokens.
fn check_word(positions: &[usize]) -> Result<()> {
    if !positions.is_empty() {
        return Ok(());
    }
    let what = "the positions of a word";
    Err(Error::new(Code::SelectionBadPosition, what, "at least one", "none"))
}
