//! Softmax attention, the model's own: products of queries and keys.
//!
//! `raw = q·k`, `scores = f · raw`, `weights = softmax(masked)`
//!
//! Source: Vaswani et al. 2017, section 3.2.1. Every method of [`AttentionVariant`] has its
//! default.

use super::{AttentionVariant, Facts, Named};

/// Attention by the softmax of products of queries and keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Softmax;

impl Named for Softmax {
    fn of(_: [usize; 2]) -> Self {
        Self
    }
}

impl AttentionVariant for Softmax {
    fn facts(&self) -> &'static Facts {
        &Facts::SOFTMAX
    }
}
