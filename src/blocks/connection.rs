//! A sublayer's connection to the residual stream in one run: the model's norm, and its place and
//! the residual as the run's edits set them.
//!
//! `y = x + F(N(x))`, `y = N(x + F(x))`, without a norm `y = x + F(x)`, without the residual
//! `y = F(N(x))`, `y = N(F(x))`, `y = F(x)`.
//!
//! Sources: `norm.rs`; `edits::Wiring` for the edits.

use super::{Norm, Residual, SublayerHook, SublayerSteps};
use crate::axes::Step;
use crate::backend::Backend;
use crate::edits::{Connection, NormPlace};

/// The connection of one sublayer to the residual stream.
pub struct Joined<'a, B: Backend> {
    /// The norm's weights.
    pub norm: &'a Norm<B>,
    /// The place of the norm: before the sublayer, after the sum, or nowhere.
    pub side: NormPlace,
    /// Whether the sublayer's input is added to its output.
    pub residual: bool,
    /// The norm of the sublayer's output, before the residual sum.
    pub after: Option<&'a Norm<B>>,
    /// The names of the steps around the sublayer.
    pub steps: SublayerSteps,
}

impl<B: Backend> Residual<B> {
    /// The connection under an edit.
    pub fn joined(&self, joint: Connection, steps: SublayerSteps) -> Joined<'_, B> {
        let side = joint.side(self.placement);
        let after = self.after.as_ref();
        Joined { norm: &self.norm, side, residual: joint.residual, after, steps }
    }
}

impl<B: Backend> Joined<'_, B> {
    /// The sublayer's input: the residual stream `x`, normed if the norm stands before the
    /// sublayer.
    pub fn enter(&self, backend: &B, x: &B::Tensor, watch: SublayerHook<'_, B>) -> B::Tensor {
        if self.side != NormPlace::Pre {
            return x.clone();
        }
        let mut entered = self.norm.forward(backend, x);
        if let Some(watch) = watch {
            watch(self.steps.entered, &mut entered);
        }
        entered
    }

    /// The residual stream after the sublayer: `x + F(x)`, then the norm if it stands after the
    /// sum. With a hook the residual is added separately, so that the hook receives `F(x)`.
    pub fn leave(
        &self,
        backend: &B,
        x: &B::Tensor,
        sublayer: impl FnOnce(Option<&B::Tensor>) -> B::Tensor,
        watch: SublayerHook<'_, B>,
    ) -> B::Tensor {
        let norm = |stream: B::Tensor| match self.side {
            NormPlace::Post => self.norm.forward(backend, &stream),
            _ => stream,
        };
        let Some(watch) = watch else {
            let found = |plus: Option<&B::Tensor>| match (self.after, plus) {
                (None, plus) => sublayer(plus),
                (Some(after), None) => after.forward(backend, &sublayer(None)),
                (Some(after), Some(x)) => backend.add(x, &after.forward(backend, &sublayer(None))),
            };
            // The sum is fused with the operation that reads it next: the norm that follows, or
            // else the sublayer's last map.
            if self.residual && self.side == NormPlace::Post {
                return self.norm.forward_sum(backend, x, &found(None));
            }
            return norm(found(self.residual.then_some(x)));
        };
        let mut stream = sublayer(None);
        watch(self.steps.found, &mut stream);
        if let Some(after) = self.after {
            stream = after.forward(backend, &stream);
            watch(self.steps.found_normed, &mut stream);
        }
        if self.residual {
            stream = backend.add(x, &stream);
            watch(self.steps.sum, &mut stream);
        }
        let mut stream = norm(stream);
        if self.side == NormPlace::Post {
            watch(self.steps.normed, &mut stream);
        }
        stream
    }

    /// The last step of the sublayer, whose tensor is the residual stream after it.
    pub fn last(&self) -> Step {
        match (self.side, self.residual) {
            (NormPlace::Post, _) => self.steps.normed,
            (_, true) => self.steps.sum,
            (_, false) if self.after.is_some() => self.steps.found_normed,
            (_, false) => self.steps.found,
        }
    }
}
