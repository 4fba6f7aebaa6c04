//! The steps that the blocks of a stack reported while they were computed, for a backend that
//! computes gradients with respect to them.

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
    /// The function that keeps what a block reports.
    pub fn keep(&mut self, layer: usize) -> impl FnMut(Sublayer, Step, &mut B::Tensor) {
        move |sublayer, step, x| self.0.push(((layer, sublayer, step), x.clone()))
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
