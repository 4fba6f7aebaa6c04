//! The projections of a head and the positions: queries and keys before and after their rotation,
//! values, and the table of positions.

use serde::Deserialize;

use super::places::by_distance;
use super::{Reading, Run};
use crate::axes::{Axis, Part, Stack, Tensor};
use crate::backend::Backend;
use crate::blocks::ATTENTION;
use crate::error::Result;
use crate::question::{Head, Layer, Rotated};

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

impl<B: Backend> Run<B> {
    /// One head's queries, keys or values, `[position, head_dim]`; with `rotated` as they entered
    /// the products, otherwise as they were projected and normed. Only rotary positions make a
    /// difference.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn projection(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        part: Part,
        rotated: bool,
    ) -> Result<Reading<Tensor>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let (x, heads, own) = match part {
            Part::Query => (&spec.query, spec.n_heads, head),
            Part::Key => (&spec.key, spec.n_kv_heads, spec.kv_head(head)),
            Part::Value => (&spec.value, spec.n_kv_heads, spec.kv_head(head)),
        };
        let before = if rotated { None } else { self.unrotated(stack, layer, part)? };
        let n = self.model.backend.rows(x);
        let width = self.head_dim(stack);
        let numbers = self.read(before.as_ref().unwrap_or(x));
        Ok(Box::pin(async move {
            let numbers = numbers.await?;
            let rows = numbers.chunks_exact(heads * width);
            let own = rows.flat_map(|row| &row[own * width..(own + 1) * width]);
            Tensor::new(own.copied().collect(), &[n, width], &[Axis::Position, Axis::HeadDim])
        }))
    }

    /// Queries or keys before their rotation, all heads side by side, projected again, because a
    /// run stores them rotated. `None` without rotations.
    fn unrotated(&self, stack: Stack, layer: usize, part: Part) -> Result<Option<B::Tensor>> {
        let (found, weights) = self.stack_run(stack)?;
        let block = &weights.blocks[layer];
        if stack == Stack::Cross || found.sites[layer].own.turns.is_none() {
            return Ok(None);
        }
        let backend = &self.model.backend;
        let x = backend.select(&found.hidden[layer], 0..self.readable_rows(found)?);
        let joined = block.self_residual.joined(found.sites[layer].wiring.own, ATTENTION);
        let entered = joined.enter(backend, &x, None);
        let attention = &block.self_attention;
        Ok(match part {
            Part::Query => Some(attention.query_before(backend, &entered)),
            Part::Key => Some(attention.key_before(backend, &entered)),
            Part::Value => None,
        })
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

    /// The width of the heads of a stack.
    pub(super) fn head_dim(&self, stack: Stack) -> usize {
        self.model.config.stack(stack).map_or(0, |config| config.head_dim)
    }
}
