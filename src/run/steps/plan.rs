//! The steps of a block, in their order, and how each is computed from those before: the table
//! behind the pictures of a block and the explanations of their cells.

use crate::attention::{HeadNorm, MultiHeadAttention};
use crate::axes::{Stack, Step, Weight};
use crate::backend::{Backend, Linear};
use crate::blocks::{
    ATTENTION, Convolution, Embedding, FEED_FORWARD, FeedForward, Joined, Norm, SublayerSteps,
};
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;
use crate::model::{Model, StackWeights};
use crate::question::At;

use super::view::View;

/// How a step is computed.
pub(super) enum Made<'a, B: Backend> {
    /// The embedding of the ids.
    Embedded(&'a Embedding<B>),
    /// A copy of another block's step.
    Same(At),
    /// The norm of a step.
    Normed(Step, &'a Norm<B>),
    /// The norm of a step, for each head or for all heads together.
    HeadNormed(Step, &'a HeadNorm<B>),
    /// The product of a step with a trained matrix.
    Mapped(Step, Weight, &'a Linear<B>),
    /// A step rotated by the positions; the tensor is the table of rotations.
    Rotated(Step, B::Tensor),
    /// The products of queries and keys, given by two steps.
    Compared(Step, Step),
    /// The raw scores times `1/√d_h`, plus the terms of relative positions.
    Scaled,
    /// The scores after the mask.
    Masked,
    /// The softmax of the masked scores.
    Softmax,
    /// The weights times the values.
    Mixed,
    /// The sum of two steps.
    Added(Step, Step),
    /// The product of two steps, number by number.
    Multiplied(Step, Step),
    /// The activation of a step.
    Activated(Step, Activation),
    /// Rows of the block's input around each row, side by side.
    Gathered(&'a Convolution<B>),
}

/// The steps of a block in their order.
pub(super) type Plan<'a, B> = Vec<(Step, Made<'a, B>)>;

/// The plan of a block, seen from one of its attention sites.
pub(super) fn plan<'a, B: Backend>(
    model: &'a Model<B>,
    weights: &'a StackWeights<B>,
    view: &View<B>,
) -> Plan<'a, B> {
    let View { stack, layer, wiring, .. } = *view;
    let block = &weights.blocks[layer];
    let cross = block.cross.as_ref().filter(|_| stack == Stack::Cross);
    let own = block.self_residual.joined(wiring.own, ATTENTION);
    let mut steps: Plan<'a, B> = Vec::new();
    match cross {
        Some(_) => {
            let step = own.last();
            steps.push((Step::Input, Made::Same(At::of(Stack::Decoder, layer, step))));
            steps.extend(encoder_output(model, view).map(|from| (Step::Memory, Made::Same(from))));
        }
        None => enter_block(weights, view, &mut steps),
    }
    let (attention, joined) = match cross {
        Some(cross) => (&cross.attention, cross.residual.joined(wiring.cross, ATTENTION)),
        None => (&block.self_attention, own),
    };
    let entered = enter(&joined, Step::Input, &mut steps);
    let source = if cross.is_some() { Step::Memory } else { entered };
    attend(attention, view.site().turns.as_ref(), (entered, source), &mut steps);
    let mut stream = leave(&joined, Step::Input, &mut steps);
    if let (None, Some(cross)) = (cross, &block.cross) {
        let from = At::of(Stack::Cross, layer, Step::Attended);
        steps.push((Step::CrossAttended, Made::Same(from)));
        stream = leave(&cross.residual.joined(wiring.cross, CROSS), stream, &mut steps);
    }
    let joined = block.feed_forward_residual.joined(wiring.feed_forward, FEED_FORWARD);
    let entering = if block.is_parallel { Step::Input } else { stream };
    let entered = enter(&joined, entering, &mut steps);
    feed_forward(&block.feed_forward, entered, &mut steps);
    stream = leave(&joined, stream, &mut steps);
    if let Some(convolution) = &block.convolution {
        stream = convolve(convolution, stream, &mut steps);
    }
    if let (true, Some(norm)) = (layer + 1 == weights.blocks.len(), &weights.final_norm) {
        steps.push((Step::Final, Made::Normed(stream, norm)));
    }
    steps
}

/// The steps of cross-attention, as seen from the self-attention of its block.
const CROSS: SublayerSteps = SublayerSteps {
    found: Step::CrossAttended,
    found_normed: Step::CrossAttended,
    sum: Step::CrossSum,
    normed: Step::CrossNormed,
    ..ATTENTION
};

/// Adds the steps by which the stream enters a block.
fn enter_block<'a, B: Backend>(
    weights: &'a StackWeights<B>,
    &View { stack, layer, below: wiring, .. }: &View<B>,
    steps: &mut Plan<'a, B>,
) {
    if let Some(below) = layer.checked_sub(1) {
        let step = weights.blocks[below].last_step(wiring);
        steps.push((Step::Input, Made::Same(At::of(stack, below, step))));
        return;
    }
    let embedding = &weights.embedding;
    match &embedding.norm {
        None => steps.push((Step::Input, Made::Embedded(embedding))),
        Some(norm) => {
            steps.push((Step::Embedded, Made::Embedded(embedding)));
            let normed = Made::Normed(Step::Embedded, norm);
            let Some(projection) = &embedding.projection else {
                return steps.push((Step::Input, normed));
            };
            steps.push((Step::EmbeddedNormed, normed));
            let mapped = Made::Mapped(Step::EmbeddedNormed, Weight::Embedding, projection);
            steps.push((Step::Input, mapped));
        }
    }
}

/// The last step of the encoder, as a step of another block.
fn encoder_output<B: Backend>(model: &Model<B>, view: &View<B>) -> Option<At> {
    let encoder = model.encoder.as_ref()?;
    let layer = encoder.blocks.len().checked_sub(1)?;
    Some(At::of(Stack::Encoder, layer, encoder.last_step(view.encoder_end)))
}

fn enter<'a, B: Backend>(joined: &Joined<'a, B>, stream: Step, steps: &mut Plan<'a, B>) -> Step {
    if joined.side != NormPlace::Pre {
        return stream;
    }
    let entered = joined.steps.entered;
    steps.push((entered, Made::Normed(stream, joined.norm)));
    entered
}

fn leave<'a, B: Backend>(joined: &Joined<'a, B>, stream: Step, steps: &mut Plan<'a, B>) -> Step {
    let SublayerSteps { mut found, found_normed, sum, normed, .. } = joined.steps;
    if let Some(norm) = joined.after {
        steps.push((found_normed, Made::Normed(found, norm)));
        found = found_normed;
    }
    if joined.residual {
        steps.push((sum, Made::Added(stream, found)));
    }
    if joined.side == NormPlace::Post {
        let from = if joined.residual { sum } else { found };
        steps.push((normed, Made::Normed(from, joined.norm)));
    }
    joined.last()
}

fn attend<'a, B: Backend>(
    attention: &'a MultiHeadAttention<B>,
    turns: Option<&B::Tensor>,
    (entered, source): (Step, Step),
    steps: &mut Plan<'a, B>,
) {
    steps.extend([
        (Step::Query, Made::Mapped(entered, Weight::Query, &attention.query)),
        (Step::Key, Made::Mapped(source, Weight::Key, &attention.key)),
        (Step::Value, Made::Mapped(source, Weight::Value, &attention.value)),
    ]);
    let mut compared = [Step::Query, Step::Key];
    if let (Some(query), Some(key)) = (&attention.query_norm, &attention.key_norm) {
        steps.push((Step::QueryNormed, Made::HeadNormed(Step::Query, query)));
        steps.push((Step::KeyNormed, Made::HeadNormed(Step::Key, key)));
        compared = [Step::QueryNormed, Step::KeyNormed];
    }
    if let Some(turns) = turns {
        steps.push((Step::QueryRotated, Made::Rotated(compared[0], turns.clone())));
        steps.push((Step::KeyRotated, Made::Rotated(compared[1], turns.clone())));
        compared = [Step::QueryRotated, Step::KeyRotated];
    }
    steps.extend([
        (Step::Raw, Made::Compared(compared[0], compared[1])),
        (Step::Scores, Made::Scaled),
        (Step::Masked, Made::Masked),
        (Step::Weights, Made::Softmax),
        (Step::Context, Made::Mixed),
        (Step::Attended, Made::Mapped(Step::Context, Weight::Output, &attention.output)),
    ]);
}

fn feed_forward<'a, B: Backend>(
    network: &'a FeedForward<B>,
    entered: Step,
    steps: &mut Plan<'a, B>,
) {
    steps.push((Step::FfHidden, Made::Mapped(entered, Weight::Inner, &network.inner)));
    steps.push((Step::FfActivated, Made::Activated(Step::FfHidden, network.activation)));
    let mut last = Step::FfActivated;
    if let Some(linear) = &network.linear {
        steps.push((Step::FfLinear, Made::Mapped(entered, Weight::Linear, linear)));
        steps.push((Step::FfGated, Made::Multiplied(Step::FfActivated, Step::FfLinear)));
        last = Step::FfGated;
    }
    steps.push((Step::FfOutput, Made::Mapped(last, Weight::Outer, &network.outer)));
}

fn convolve<'a, B: Backend>(
    convolution: &'a Convolution<B>,
    stream: Step,
    steps: &mut Plan<'a, B>,
) -> Step {
    let map = Made::Mapped(Step::Neighbours, Weight::Convolution, &convolution.map);
    let activated = Made::Activated(Step::Convolved, convolution.activation);
    steps.extend([
        (Step::Neighbours, Made::Gathered(convolution)),
        (Step::Convolved, map),
        (Step::ConvolvedActivated, activated),
        (Step::ConvolvedSum, Made::Added(stream, Step::ConvolvedActivated)),
        (Step::ConvolvedNormed, Made::Normed(Step::ConvolvedSum, &convolution.norm)),
    ]);
    Step::ConvolvedNormed
}
