//! The questions to a run whose operations are recorded: what follows from gradients. They have a
//! list of their own, since the wasm file that answers them computes with [`Autodiff`] and answers
//! none of the others.

use super::question::Context;
use super::{GradientAsked, Gradients};
use crate::backend::{Autodiff, Derivatives};
use crate::question::{Work, questions};

questions! {
    /// A question to a run whose operations are recorded.
    GradientQuestion, answer [B: Derivatives] (&Context<'_, Autodiff<B>>) -> Work<Out>, through Work::leave:

    /// The derivative of a target by every number of some activations, each tensor in the shape of
    /// its activation: see `activation` for shapes and addresses. The target is the logit of `id` at
    /// `position` or its log-probability, or with `against` the difference from that of another entry.
    /// One reverse pass gives all addresses (Griewank & Walther 2008, section 3.2); an activation on
    /// which the target does not depend has zeros. @throws selection/bad-stage for a step that the run
    /// does not keep; edit/unsupported under an attention variant other than the softmax of products;
    /// output/unavailable for a model without a head
    Gradient(GradientAsked) -> Gradients = |context, asked| {
        context.run().gradients(&asked).map(Work::once)
    };
}
