//! How alike a word of one run is to a word of another of the same model, layer by layer of
//! the residual stream. The measure is that of `analysis::cosine`.

use std::rc::Rc;

use super::views::checked_position;
use super::{Reading, Run};
use crate::analysis::cosine::{cosine, mean_row};
use crate::axes::{Stack, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

impl<B: Backend> Run<B> {
    /// The cosine of `hidden[layer]` at some positions, which are one word's, and at a word's
    /// of another run, for every layer from the embeddings on; `None` where a state is zero.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, in either run, `run/not-ready`,
    /// and `selection/other-model`: the axes of two models differ, even where there are as many.
    pub fn cosines(
        &self,
        stack: Stack,
        positions: &[usize],
        other: &Self,
        other_positions: &[usize],
    ) -> Result<Reading<Vec<Option<f64>>>> {
        if !Rc::ptr_eq(&self.model, &other.model) {
            return Err(Error::new(
                Code::SelectionOtherModel,
                "comparing two runs",
                "two runs of one model",
                "runs of two models",
            ));
        }
        let one = self.states(stack)?;
        let two = other.states(stack)?;
        let one_word = word(positions, self.readable_ids(stack)?.len())?;
        let two_word = word(other_positions, other.readable_ids(stack)?.len())?;
        Ok(Box::pin(async move {
            let mut all = Vec::with_capacity(one.len());
            for (one, two) in one.into_iter().zip(two) {
                let one = mean_of(one.await?, &one_word);
                let two = mean_of(two.await?, &two_word);
                all.push(cosine(&one, &two));
            }
            Ok(all)
        }))
    }

    /// The residual stream of every layer, the embeddings first.
    fn states(&self, stack: Stack) -> Result<Vec<Reading<Tensor>>> {
        let n_layers = self.layers(stack, None)?.len();
        (0..=n_layers).map(|layer| self.hidden(stack, layer)).collect()
    }
}

fn mean_of(states: Tensor, positions: &[usize]) -> Vec<f64> {
    let width = states.shape().last().copied().unwrap_or(0);
    mean_row(&states.into_data(), width, positions)
}

/// One word's positions, of which there is at least one.
fn word(positions: &[usize], n: usize) -> Result<Vec<usize>> {
    if positions.is_empty() {
        return Err(Error::new(
            Code::SelectionBadPosition,
            "the positions of a word",
            "at least one",
            "none",
        ));
    }
    positions.iter().map(|&position| Ok(checked_position(position, n)?.start)).collect()
}
