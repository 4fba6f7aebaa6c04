//! Loading of the blocks of a stack.

use super::super::config::StackConfig;
use super::super::family::{GateNames, NetworkNames, StackNames, SublayerNorms};
use super::tensors::Loader;
use crate::axes::Stack;
use crate::backend::{Backend, Linear};
use crate::blocks::{Block, CrossAttention, FeedForward, Residual};
use crate::edits::NormPlace;
use crate::error::Result;

impl<B: Backend> Loader<'_, B> {
    /// The cross-attention of a block, in a stack that has it.
    pub fn cross(
        &self,
        names: &StackNames,
        size: StackConfig,
        layer: usize,
    ) -> Result<Option<CrossAttention<B>>> {
        let Some(cross) = &names.cross else { return Ok(None) };
        let block = self.block_name(names, layer)?;
        Ok(Some(CrossAttention {
            attention: self.attention(&block, cross, size, Stack::Decoder, None)?,
            residual: self.residual(&block, cross.norms)?,
        }))
    }

    /// The weights of one block.
    pub fn block(
        &self,
        names: &StackNames,
        size: StackConfig,
        (stack, layer): (Stack, usize),
        cross: Option<CrossAttention<B>>,
    ) -> Result<Block<B>> {
        let block = self.block_name(names, layer)?;
        let attention = &names.attention;
        let self_residual = if layer == 0 && attention.first_has_no_norm {
            Residual { norm: self.no_norm(), placement: NormPlace::None, after: None }
        } else {
            self.residual(&block, attention.norms)?
        };
        Ok(Block {
            self_attention: self.attention(&block, attention, size, stack, Some(layer))?,
            self_residual,
            cross,
            feed_forward: self.network(&block, &names.network, size)?,
            feed_forward_residual: self.residual(&block, self.network_norms(names))?,
            is_parallel: self.config.is_parallel,
            convolution: self.convolution(names, layer)?,
        })
    }

    /// The norms of the feed-forward network; a parallel one may share the norm of self-attention.
    fn network_norms(&self, names: &StackNames) -> SublayerNorms {
        let is_shared = self.config.is_parallel && self.family.shares_parallel_norm;
        if is_shared { names.attention.norms } else { names.network.norms }
    }

    /// The feed-forward network of a block.
    fn network(
        &self,
        block: &str,
        names: &NetworkNames,
        size: StackConfig,
    ) -> Result<FeedForward<B>> {
        let (d, d_ff) = (self.config.d_model, size.d_ff);
        let has_bias = names.bias.read(self.fields)?;
        let full = |part: &str| format!("{block}.{part}");
        let map = |part: &str| self.linear(&full(part), [d, d_ff], has_bias, self.order);
        let (inner, linear): (Linear<B>, Option<Linear<B>>) = match names.gate {
            GateNames::Separate { gate, linear } if self.config.is_gated => {
                (map(gate)?, Some(map(linear)?))
            }
            GateNames::Fused(name) if self.config.is_gated => {
                let places = [0..d_ff, d_ff..2 * d_ff].map(Iterator::collect);
                let [inner, linear] = self.parts(&full(name), d, &places, has_bias)?;
                (inner, Some(linear))
            }
            _ => (map(names.inner)?, None),
        };
        Ok(FeedForward {
            inner,
            outer: self.linear(&full(names.outer), [d_ff, d], has_bias, self.order)?,
            activation: self.config.activation,
            linear,
        })
    }
}
