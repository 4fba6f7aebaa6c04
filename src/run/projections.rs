//! The projections of a head and the positions: queries and keys before and after their rotation,
//! values, and the table of positions.

use serde::Deserialize;

use super::places::by_distance;
use super::{Reading, Run};
use crate::axes::{Axis, Part, Stack, Tensor};
use crate::backend::Backend;
use crate::error::Result;
use crate::question::{At, Head, Layer, Rotated, Work};

/// The fields of the question `qkv`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct QkvAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The projection: queries, keys or values.
    pub part: Part,
    /// Whether queries and keys are turned by rotary positions, by default true.
    pub rotated: Option<Rotated>,
}

impl QkvAsked {
    pub(super) fn place(&self) -> (Stack, usize, usize) {
        (self.stack, self.layer.0, self.head.0)
    }
}

impl<B: Backend> Run<B> {
    /// One head's queries, keys or values, `[position, head_dim]`; with `rotated` as they entered
    /// the products, otherwise as they were projected and normed. Only rotary positions make a
    /// difference.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn projection(
        &self,
        (stack, layer, head): (Stack, usize, usize),
        part: Part,
        rotated: bool,
    ) -> Result<Work<Tensor>> {
        let step = self.step_of(stack, layer, part, rotated)?;
        self.activation(&At::of(stack, layer, step).of_head(head))
    }

    /// The numbers that the positions add to the stream, `[position, model_dim]`, zeros if there
    /// are none; for rotary positions the cosines and sines, `[position, rotated dimension]`; for
    /// relative positions the terms by distance alone, `[distance, head]`, or the keys of
    /// distances, `[distance, model_dim]`. A row belongs to a token, whatever its position.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn positions(&self, stack: Stack) -> Result<Reading<Tensor>> {
        let (found, _) = self.stream(stack)?;
        let n = found.ids.len();
        let d = self.model.config.d_model;
        if let Some(table) = &found.places.added {
            return Ok(self.labelled(
                table,
                n,
                (Axis::ModelDim, self.model.config.embedding_width),
            ));
        }
        if let Some(turns) = found.places.turns.iter().flatten().next() {
            return Ok(self.labelled(turns, n, (Axis::HeadDim, found.places.turn_width)));
        }
        let own = found.sites.first().map(|sites| &sites.own);
        let relative = match own.and_then(|own| Some((own.n_heads, own.relative.as_ref()?))) {
            Some((n_heads, relative)) => by_distance(relative, n_heads, n)?,
            None => Tensor::new(vec![0.0; n * d], &[n, d], &[Axis::Position, Axis::ModelDim])?,
        };
        Ok(Box::pin(async move { Ok(relative) }))
    }
}
