//! The distance of the residual stream of one run from that of another run of the same model, token
//! by token and layer by layer: the effect of an edit, compared with the original. The measure is
//! that of `analysis::stream`.

use serde::Deserialize;

use super::checks::checked_position;
use super::{Reading, Run};
use crate::analysis::stream::distances;
use crate::axes::{Axis, Stack, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{OtherRun, Positions};

/// The fields of the question `distances`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct DistancesAsked {
    /// The stack of the residual stream.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
    /// The other run of the comparison.
    pub other: OtherRun,
    /// For each token the position of its counterpart in the other run, by default the same
    /// position.
    pub order: Option<Positions>,
}

impl<B: Backend> Run<B> {
    /// The distance `‖hidden[layer] − other.hidden[layer]‖` of every token, `[layer, position]`,
    /// from the embeddings on. With an order a token `t` is compared with the other's token
    /// `order[t]`: for two orders of the same tokens, the effect beyond the order.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, in either run, `run/not-ready`,
    /// `selection/other-model`, and `selection/other-length` for texts of different length, whose
    /// tokens have no counterparts.
    pub fn distances(
        &self,
        stack: Stack,
        other: &Self,
        order: Option<&[usize]>,
    ) -> Result<Reading<Tensor>> {
        self.check_same_model(other)?;
        let layers = self.layers(stack, None)?;
        let states = |run: &Self| -> Result<Vec<Reading<Tensor>>> {
            (0..=layers.end).map(|layer| run.hidden(stack, layer)).collect()
        };
        let one = states(self)?;
        let two = states(other)?;
        let n = self.readable_ids(stack)?.len();
        let n_other = other.readable_ids(stack)?.len();
        if n != n_other {
            return Err(Error::new(
                Code::SelectionOtherLength,
                "comparing two runs token by token",
                format!("a run of {n} tokens"),
                format!("one of {n_other}"),
            ));
        }
        let order: Vec<usize> = order.map_or_else(|| (0..n).collect(), <[usize]>::to_vec);
        if order.len() != n {
            return Err(Error::beyond(
                Code::SelectionBadPosition,
                "the last token of the order",
                n - 1,
                order.len(),
            ));
        }
        for &token in &order {
            checked_position(token, n)?;
        }
        let width = self.model.config.d_model;
        Ok(Box::pin(async move {
            let n_layers = one.len();
            let mut all = Vec::with_capacity(n_layers * n);
            for (one, two) in one.into_iter().zip(two) {
                let one = one.await?.into_data();
                let two = two.await?.into_data();
                let row = |&token: &usize| &two[token * width..(token + 1) * width];
                let two = order.iter().map(row).collect::<Vec<_>>().concat();
                all.extend(distances(&one, &two, width).into_iter().map(|x| x as f32));
            }
            Tensor::new(all, &[n_layers, n], &[Axis::Layer, Axis::Position])
        }))
    }
}
