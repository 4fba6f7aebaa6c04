//! The address of an activation: the one way to name a tensor that a run computes. Which addresses
//! a model has is known to the run, which resolves them. A tensor has one address: a step that a
//! list shows of another stack is refused with the address that it has there. The one exception is
//! the `input` of a block, which is also what the block before leaves.

use serde::{Deserialize, Serialize};

use super::fields::{Head, Layer, Positions};
use crate::axes::{Stack, Step};

/// The address of an activation of a run. A stage of attention, a projection of a head and the
/// residual stream at a depth are activations too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct At {
    /// The stack; `cross` for the cross-attention of a decoder's blocks.
    pub stack: Stack,
    /// The index of the block, from 0.
    pub layer: Layer,
    /// The step of the block.
    pub step: Step,
    /// The index of the head: required for a pattern, optional where heads stand side by side,
    /// refused elsewhere.
    pub head: Option<Head>,
    /// The rows, from 0, in the order of the answer; by default all. They are positions of tokens,
    /// for a pattern those of queries.
    pub positions: Option<Positions>,
}

impl At {
    /// The address of all rows of a step, of all heads.
    pub fn of(stack: Stack, layer: usize, step: Step) -> Self {
        Self { stack, layer: Layer(layer), step, head: None, positions: None }
    }

    /// The address of one head's part of this activation.
    #[must_use]
    pub fn of_head(self, head: usize) -> Self {
        Self { head: Some(Head(head)), ..self }
    }
}
