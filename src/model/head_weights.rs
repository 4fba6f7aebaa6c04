//! The trained matrices of one attention head: its columns of `W_Q`, `W_K` and `W_V`, its rows of
//! `W_O`, and its part of their biases, as the backend multiplies with them: weights stored in
//! fewer bits are widened.
//!
//! Source: Vaswani et al. 2017, section 3.2.2; heads that share keys and values: J. Ainslie et al.,
//! "GQA", 2023.

use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::Model;
use crate::attention::MultiHeadAttention;
use crate::axes::{Axis, Stack, Tensor, named};
use crate::backend::{Backend, Linear};
use crate::error::{Code, Error, Result};
use crate::question::{Head, Layer, Reading};

/// The number of columns that are read at once, so that a large matrix is not in memory twice.
const COLUMNS_AT_ONCE: usize = 256;

named! {
    /// A trained part of a head.
    HeadWeight, SelectionBadStage, "the part" {
        /// `W_Q` of the head, `[model_dim, head_dim]`.
        Query = "query",
        /// `W_K` of the head, `[model_dim, head_dim]`; heads that share keys have the same.
        Key = "key",
        /// `W_V` of the head, `[model_dim, head_dim]`; heads that share values have the same.
        Value = "value",
        /// `W_O` of the head, `[head_dim, model_dim]`.
        Output = "output",
        /// The bias of the queries, added to `X W_Q`, `[head_dim]`.
        QueryBias = "query-bias",
        /// The bias of the keys, added to `X W_K`, `[head_dim]`.
        KeyBias = "key-bias",
        /// The bias of the values, added to `X W_V`, `[head_dim]`.
        ValueBias = "value-bias",
        /// The bias of the output, added once to the sum of all heads, `[model_dim]`.
        OutputBias = "output-bias",
    }
}

/// The fields of the question `weights`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct WeightsAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The matrix or the bias.
    pub part: HeadWeight,
}

/// A head's share of an affine map.
struct Share<'a, B: Backend> {
    map: &'a Linear<B>,
    /// The range of the inputs.
    inner: Range<usize>,
    /// The range of the outputs.
    outer: Range<usize>,
    /// The axes of the inputs and of the outputs.
    axes: [Axis; 2],
}

impl<B: Backend> Model<B> {
    /// The error for a stack that this model does not have.
    pub(crate) fn no_stack(&self, stack: Stack) -> Error {
        let there: Vec<&str> = Stack::ALL
            .iter()
            .filter(|&&one| self.config.stack(one).is_some())
            .map(|one| one.name())
            .collect();
        Error::new(Code::SelectionBadStack, "the stack", there.join(" or "), stack.name())
    }

    /// One part of one head; a bias of zeros if the model has none.
    ///
    /// # Errors
    /// `selection/…` for what does not exist.
    pub fn head_weights(
        self: &Rc<Self>,
        (stack, layer, head): (Stack, usize, usize),
        part: HeadWeight,
    ) -> Result<Reading<Tensor>> {
        self.share((stack, layer, head), part)?;
        let model = Rc::clone(self);
        Ok(Box::pin(async move {
            let share = model.share((stack, layer, head), part)?;
            if part.is_bias() {
                share.bias(&model.backend).await
            } else {
                share.matrix(&model.backend).await
            }
        }))
    }

    fn share(
        &self,
        (stack, layer, head): (Stack, usize, usize),
        part: HeadWeight,
    ) -> Result<Share<'_, B>> {
        let attention = self.attention(stack, layer)?;
        if head >= attention.n_heads {
            return Err(Error::beyond(
                Code::SelectionBadHead,
                "the head",
                attention.n_heads - 1,
                head,
            ));
        }
        let width = attention.head_dim;
        let own = |head: usize| head * width..(head + 1) * width;
        let shared = head / (attention.n_heads / attention.n_kv_heads);
        let stream = 0..self.config.d_model;
        let (map, inner, outer) = match part {
            HeadWeight::Query | HeadWeight::QueryBias => (&attention.query, stream, own(head)),
            HeadWeight::Key | HeadWeight::KeyBias => (&attention.key, stream, own(shared)),
            HeadWeight::Value | HeadWeight::ValueBias => (&attention.value, stream, own(shared)),
            HeadWeight::Output | HeadWeight::OutputBias => (&attention.output, own(head), stream),
        };
        let axes = match part {
            HeadWeight::Output | HeadWeight::OutputBias => [Axis::HeadDim, Axis::ModelDim],
            _ => [Axis::ModelDim, Axis::HeadDim],
        };
        Ok(Share { map, inner, outer, axes })
    }

    /// The attention of a block.
    ///
    /// # Errors
    /// `selection/…` for what does not exist.
    pub(crate) fn attention(&self, stack: Stack, layer: usize) -> Result<&MultiHeadAttention<B>> {
        let weights = match stack {
            Stack::Encoder => &self.encoder,
            Stack::Decoder | Stack::Cross => &self.decoder,
        };
        let blocks = weights.as_ref().map_or(&[][..], |weights| &weights.blocks);
        if self.config.stack(stack).is_none() || blocks.is_empty() {
            return Err(self.no_stack(stack));
        }
        let block = blocks.get(layer).ok_or_else(|| {
            Error::beyond(Code::SelectionBadLayer, "the layer", blocks.len() - 1, layer)
        })?;
        match (&block.cross, stack) {
            (Some(cross), Stack::Cross) => Ok(&cross.attention),
            (None, Stack::Cross) => Err(self.no_stack(stack)),
            _ => Ok(&block.self_attention),
        }
    }
}

impl HeadWeight {
    fn is_bias(self) -> bool {
        matches!(self, Self::QueryBias | Self::KeyBias | Self::ValueBias | Self::OutputBias)
    }
}

impl<B: Backend> Share<'_, B> {
    /// The matrix of the share, `[inner, outer]`.
    async fn matrix(self, backend: &B) -> Result<Tensor> {
        let shape = [self.inner.len(), self.outer.len()];
        let mut all = vec![0.0; shape[0] * shape[1]];
        for first in self.outer.clone().step_by(COLUMNS_AT_ONCE) {
            let columns = first..self.outer.end.min(first + COLUMNS_AT_ONCE);
            let rows = self.map.columns(backend, columns.clone());
            let numbers = backend.read(&rows).await?;
            let whole = numbers.len() / columns.len();
            for (column, numbers) in columns.zip(numbers.chunks_exact(whole)) {
                let places = all.iter_mut().skip(column - self.outer.start).step_by(shape[1]);
                for (place, &number) in places.zip(&numbers[self.inner.clone()]) {
                    *place = number;
                }
            }
        }
        Tensor::new(all, &shape, &self.axes)
    }

    /// The bias of the share, `[outer]`.
    async fn bias(self, backend: &B) -> Result<Tensor> {
        let n = self.outer.len();
        let numbers = match self.map.bias() {
            Some(bias) => backend.read(bias).await?[self.outer.clone()].to_vec(),
            None => vec![0.0; n],
        };
        Tensor::new(numbers, &[n], &self.axes[1..])
    }
}
