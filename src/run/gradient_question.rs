//! The questions to a run whose operations are recorded: what follows from gradients. They have a
//! list of their own, since the wasm file that answers them computes with [`Autodiff`] and answers
//! none of the others.

use super::question::Context;
use super::{
    GradientAsked, GradientNormsAsked, Gradients, IntegratedGradients, IntegratedGradientsAsked,
    PatchEstimatesAsked, RelevanceAsked, WeightedGradientAsked, integrated_gradients,
    patch_estimates,
};
use crate::axes::Tensor;
use crate::backend::{Autodiff, Derivatives};
use crate::question::{Work, questions};

questions! {
    /// A question to a run whose operations are recorded.
    GradientQuestion, answer [B: Derivatives] (&Context<'_, Autodiff<B>>) -> Work<Out>, through Work::leave:

    /// The derivative of a target by every number of some activations, each tensor in the shape of
    /// its activation: see `activation` for shapes and addresses. The target is the logit of `id`
    /// at `position` or its log-probability, or with `against` the difference from that of another
    /// entry. One reverse pass gives all addresses (Griewank & Walther 2008, section 3.2); an
    /// activation on which the target does not depend has zeros. @throws selection/bad-stage for a
    /// step that the run does not keep; edit/unsupported under an attention variant other than the
    /// softmax of products; output/unavailable for a model without a head
    Gradient(GradientAsked) -> Gradients = |context, asked| {
        context.run().gradients(&asked).map(Work::once)
    };
    /// `[query, key]`: the weights of a head times the derivative of the target by each of them,
    /// cell by cell. @throws the codes of `gradient`
    WeightedGradient(WeightedGradientAsked) -> Tensor = |context, asked| {
        context.run().weighted_gradient(&asked).map(Work::once)
    };
    /// `[query, key]`: the relevance of each token in each position for the target, by the positive
    /// parts of weights times gradients, propagated through all blocks (Chefer, Gur & Wolf 2021).
    /// The row of the position that predicts explains the target; `cross` is of the source's tokens
    /// in those of the target text. @throws the codes of `gradient`
    Relevance(RelevanceAsked) -> Tensor = |context, asked| context.run().relevance(&asked);
    /// How much each token moves the target on the straight way from a baseline to the text
    /// (Sundararajan et al. 2017): a number per token, and the target for the text and for the
    /// baseline, whose difference is the sum of all tokens as far as the steps suffice. @throws
    /// selection/bad-size for no step or more than 1,000; input/wrong-kind for an entry of the
    /// vocabulary as the baseline of an image; the codes of `gradient`
    IntegratedGradients(IntegratedGradientsAsked) -> IntegratedGradients = |context, asked| {
        integrated_gradients(context.run, asked)
    };
    /// What the target would change by under each patch with the numbers of the other run, to first
    /// order: the sum over the activation of the difference times the gradient (Nanda 2023).
    /// @throws selection/other-length for a run of another length; the codes of `gradient`
    PatchEstimates(PatchEstimatesAsked) -> Vec<f64> = |context, asked| {
        patch_estimates(&context.run(), &context.other(), &asked)
    };
    /// `[layer, position]`: the length of the derivative of the target by the residual stream of
    /// each position, as it enters each block and as it leaves the last one, before the final norm.
    /// @throws the codes of `gradient`
    GradientNorms(GradientNormsAsked) -> Tensor = |context, asked| {
        context.run().gradient_norms(&asked).map(Work::once)
    };
}
