//! The place of a step among the activations that the blocks of a stack report while they are
//! computed: where a patch of the step is put.

use super::view::View;
use crate::axes::{Stack, Step, Sublayer};
use crate::backend::Backend;
use crate::blocks::ATTENTION;
use crate::model::Model;
use crate::run::activation_patches::Spot;

impl<B: Backend> View<B> {
    /// The place of a step; `None` for a step that is not computed on the way, or of which the run
    /// stores only what becomes of it.
    pub fn spot(&self, model: &Model<B>, step: Step) -> Option<Spot> {
        let blocks = &self.weights(model)?.blocks;
        let layer = self.layer;
        let own = if self.stack == Stack::Cross { Sublayer::Cross } else { Sublayer::Own };
        let is_projected = step == Step::Value || self.compared().contains(&step);
        let at = |sublayer, step| Some(Spot { layer, sublayer, step, is_projected });
        match step {
            _ if is_projected => at(own, step),
            Step::Input if self.stack == Stack::Cross => at(
                Sublayer::Own,
                blocks[layer].self_residual.joined(self.wiring.own, ATTENTION).last(),
            ),
            Step::Input => match layer.checked_sub(1) {
                None => at(Sublayer::Own, Step::Input),
                Some(layer) => {
                    let step = blocks[layer].last_step(self.below);
                    Some(Spot { layer, sublayer: Sublayer::FeedForward, step, is_projected })
                }
            },
            Step::Entered if self.stack == Stack::Cross => at(own, step),
            Step::Weights
            | Step::Context
            | Step::Attended
            | Step::AttendedNormed
            | Step::Sum
            | Step::Normed => at(own, step),
            Step::CrossAttended => at(Sublayer::Cross, Step::Attended),
            Step::CrossSum => at(Sublayer::Cross, Step::Sum),
            Step::CrossNormed => at(Sublayer::Cross, Step::Normed),
            Step::FfEntered
            | Step::FfHidden
            | Step::FfActivated
            | Step::FfLinear
            | Step::FfGated
            | Step::FfOutput
            | Step::FfOutputNormed
            | Step::FfSum
            | Step::FfNormed
            | Step::Neighbours
            | Step::Convolved
            | Step::ConvolvedActivated
            | Step::ConvolvedSum
            | Step::ConvolvedNormed => at(Sublayer::FeedForward, step),
            _ => None,
        }
    }
}
