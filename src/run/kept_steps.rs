//! The steps that the blocks of a stack reported while they were computed, for a backend that
//! computes gradients with respect to them; while a model is trained, with dropout.

use super::stream_dropout::StackDropout;
use crate::axes::{Step, Sublayer};
use crate::backend::Backend;
use crate::blocks::Hook;

/// The address of a step in a stack: block, sublayer and step.
type StepKey = (usize, Sublayer, Step);

/// The tensors of the steps of a stack's blocks.
pub(super) struct KeptSteps<B: Backend>(Vec<(StepKey, B::Tensor)>);

impl<B: Backend> Default for KeptSteps<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<B: Backend> KeptSteps<B> {
    /// The function that keeps what a block reports of texts whose rows pass it side by side, with
    /// the dropout of each.
    pub fn keep(
        &mut self,
        backend: &B,
        layer: usize,
        dropouts: Vec<StackDropout>,
    ) -> impl FnMut(Sublayer, Step, &mut B::Tensor) {
        move |sublayer, step, x| {
            let key = (layer, sublayer, step);
            StackDropout::of_step(&dropouts, backend, key, x);
            self.0.push((key, x.clone()));
        }
    }

    /// The tensor of a step.
    pub fn get(&self, key: StepKey) -> Option<&B::Tensor> {
        self.0.iter().find(|(own, _)| *own == key).map(|(_, x)| x)
    }
}

/// The hook of a block: `keep` for a backend that keeps steps.
pub(super) fn hook<'a, B: Backend>(
    keep: &'a mut (dyn FnMut(Sublayer, Step, &mut B::Tensor) + 'a),
) -> Hook<'a, B> {
    B::KEEPS_STEPS.then_some(keep)
}
