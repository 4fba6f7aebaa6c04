//! The questions to a run: the list of all, each with its fields, its answer and the function that
//! computes it. The comment of an entry is that of the method in TypeScript.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use super::predictions::at_once;
use super::{
    AggregateAsked, AttentionAsked, AttentionCost, Attribution, AttributionAsked, Candidate,
    ContentRetention, CosinesAsked, CostAsked, Depth, DirectAsked, DistancesAsked, DropoutMean,
    DropoutMeanAsked, EffectsAsked, ExplainAsked, Explanation, HeadCost, HeadDivergence,
    HeadMeasures, HeadTally, HiddenAsked, Lens, LensAsked, LogitsAsked, PatchedAsked,
    PredictionsAsked, ProbabilitiesAsked, QkvAsked, Run, RunDivergencesAsked, Spectrum,
    SpectrumWork, Steps, ThumbnailsAsked, TokenProbability, direct, effects, patched,
};
use crate::analysis::Lexicon;
use crate::axes::{Stack, Tensor};
use crate::backend::Backend;
use crate::error::Result;
use crate::question::{At, HeadRef, Reading, StackRef, StreamRef, Work, questions};

/// The context of a question.
pub struct Context<'a, B: Backend> {
    /// The run that is asked.
    pub run: &'a Rc<RefCell<Run<B>>>,
    /// The run that the question's field `other` names; any run if it has no such field.
    pub other: &'a Rc<RefCell<Run<B>>>,
    /// The model's counts of the vocabulary, from the tokenizer and the model's notes.
    pub lexicon: &'a Lexicon,
}

impl<B: Backend> Context<'_, B> {
    pub(super) fn run(&self) -> Ref<'_, Run<B>> {
        self.run.borrow()
    }

    pub(super) fn other(&self) -> Ref<'_, Run<B>> {
        self.other.borrow()
    }

    /// A list of which each step computes what belongs to one layer.
    fn by_layer<T: 'static>(
        &self,
        stack: Stack,
        mut compute: impl FnMut(&Run<B>, usize) -> Result<Reading<Vec<T>>> + 'static,
    ) -> Result<Work<Vec<T>>> {
        let layers = self.run().layers(stack, None)?;
        let held = Rc::clone(self.run);
        Ok(Work::in_parts(layers, move |layer| compute(&held.borrow(), layer)))
    }
}

questions! {
    /// A question to a run.
    Question, answer [B: Backend] (&Context<'_, B>) -> Work<Out>, through Work::leave:

    /// The activation at an address: `[position, …]` with all heads side by side, or the part of
    /// one head; a pattern is `[query, key]`. Every matrix of `steps` has an address.
    Activation(At) -> Tensor = |context, at| context.run().activation(&at);
    /// `[query, key]`. Default stage `"weights"`; a forbidden cell is -Infinity in `"masked"`,
    /// exactly 0 in `"weights"`. With `rows`, a first query and the one behind the last, of those
    /// alone: no other row is computed.
    Attention(AttentionAsked) -> Tensor = |context, which| {
        context.run().attention(which.place(), which.stage(), which.rows()).map(Work::once)
    };
    /// `[query, key]`: the length of what each key adds to the residual stream through the head,
    /// `‖g · α · v W_O‖` with the head's gate `g` (Kobayashi et al. 2020), before any norm that
    /// follows and any patch of the head's output; of values with their bias.
    Norms(HeadRef) -> Tensor = |context, which| {
        let (stack, layer, head) = which.place();
        context.run().norms(stack, layer, head).map(Work::once)
    };
    /// `[query, key]`: how far each key moves a logit of its query's position through the head,
    /// along the direction and with the frozen scales of `attribution`: of `id`, or by default of
    /// what each position predicts; `[layer, head, query, key]` of all heads, without the axis of
    /// what is named. Rows of positions that predict nothing are 0. @throws output/unavailable for
    /// a model without a head; selection/bad-stack for a stack that does not predict;
    /// selection/bad-head where a patch replaces the only head's output, or the output head reads
    /// two tokens; selection/too-large
    Effects(EffectsAsked) -> Tensor = |context, which| effects(context.run, which);
    /// `[query, key]`: 0 where a query may attend to a key, -Infinity where not.
    Mask(HeadRef) -> Tensor = |context, which| {
        let (stack, layer, head) = which.place();
        context.run().mask(stack, layer, head).map(Work::known)
    };
    /// `[query, key]`: the patterns of several heads joined, in f64. A mean and a maximum take the
    /// heads of `layer` (by default of all), of them `head` alone if it is given; rollout and flow
    /// (Abnar & Zuidema 2020) say what reaches the output of `layer` (by default the last) from
    /// each input token. Weights before dropout; gates do not enter. @throws selection/bad-head
    /// where a variant has no weights that sum to 1; selection/bad-stack for rollout or flow of
    /// cross-attention; selection/too-large for the flow of more than 64 tokens
    Aggregate(AggregateAsked) -> Tensor = |context, which| context.run().aggregate(&which);
    /// Query rows whose every key is masked; their weights are 0.
    FullyMasked(HeadRef) -> Vec<usize> = |context, which| {
        let (stack, layer, head) = which.place();
        context.run().fully_masked(stack, layer, head).map(Work::known)
    };
    /// What a layer's attention costs under the active masks, for texts of so many tokens (at most
    /// 100,000), beside other kinds of layers.
    Cost(CostAsked) -> Vec<AttentionCost> = |context, which| {
        context.run().cost(which.stack, which.layer.0, &which.lengths.0).map(Work::known)
    };
    /// `[position, head_dim]`. In models with rotary positions as they are compared, or, with
    /// `rotated: false`, as they were projected.
    Qkv(QkvAsked) -> Tensor = |context, which| {
        let rotated = which.rotated.as_ref().is_none_or(|rotated| rotated.0);
        context.run().projection(which.place(), which.part, rotated)
    };
    /// The same numbers as Hugging Face's `hidden_states[layer]`; of an image the last are its
    /// `last_hidden_state`.
    Hidden(HiddenAsked) -> Tensor = |context, which| {
        context.run().hidden(which.stack, which.layer.0).map(Work::once)
    };
    /// `[position, vocabulary]`, for all positions by default; of an image for the class token,
    /// position 0, alone.
    Logits(LogitsAsked) -> Tensor = |context, which| {
        let positions = which.positions.as_ref().map(|positions| positions.0.as_slice());
        context.run().logits(positions).map(Work::once)
    };
    /// What each depth predicts at each position (the logit lens): its hidden state through the
    /// final norm, if the stack has one, and the model's output head, so that the last depth has
    /// the numbers of `logits`. Layers count as in `hidden`. @throws output/unavailable for a model
    /// without a head
    Lens(LensAsked) -> Lens = |context, which| context.run().lens(&which);
    /// The logit of `id` at `position`, or its difference from that of `against`, as the sum of
    /// what embedding, heads, feed-forward networks and biases add to it, with the scales of norms
    /// held as they are; with `head`, its part by keys. @throws output/unavailable for a model
    /// without a head
    Attribution(AttributionAsked) -> Attribution = |context, which| context.run().attribution(which);
    /// The activation at `to` if the head at `from` had its output of the other run and that
    /// reached `to` through the residual stream alone, all other components keeping their outputs:
    /// what a path patch puts there (Wang et al. 2022; Goldowsky-Dill et al. 2023). @throws
    /// selection/bad-layer where no direct path leads to the receiver; selection/bad-stage for a
    /// step that neither sends nor receives
    Direct(DirectAsked) -> Tensor = |context, which| direct(context.run, &context.other(), which);
    /// For each of the first addresses `at`, as many as are computed side by side and at least one,
    /// probabilities of entries of the vocabulary at `position`, in f64, if the activation there
    /// had its numbers of the other run, as a patch of this run: cells of `patchGrid`, side by
    /// side. @throws selection/other-length for a run of another length; edit/unsupported for a
    /// step that cannot be patched; output/unavailable for a model without a head
    Patched(PatchedAsked) -> Vec<TokenProbability> = |context, which| {
        patched(context.run, &context.other(), which)
    };
    /// For each position the most probable next tokens, best first.
    Predictions(PredictionsAsked) -> Vec<Vec<Candidate>> = |context, which| {
        context.run().predictions(&which.positions.0, which.top_k.0).map(Work::once)
    };
    /// Probabilities of entries of the vocabulary, `ids[i]` at `positions[i]`, in f64, after
    /// softmax over the whole vocabulary.
    Probabilities(ProbabilitiesAsked) -> Vec<TokenProbability> = |context, which| {
        let positions = which.positions.0;
        let ids = which.ids.0;
        let run = context.run();
        if positions.len() != ids.len() {
            return run.probabilities(&positions, &ids).map(Work::once);
        }
        let held = Rc::clone(context.run);
        Ok(Work::in_parts(at_once(&positions), move |some| {
            held.borrow().probabilities(&positions[some.clone()], &ids[some])
        }))
    };
    /// `[position, model_dim]`: the positional encoding that was added; with rotary positions
    /// `[position, head_dim]`, the cosines and sines; with relative ones `[distance, head]`, what
    /// joins the scores, or `[distance, model_dim]`, the keys of distances.
    Positions(StackRef) -> Tensor = |context, which| {
        context.run().positions(which.stack).map(Work::once)
    };
    /// `[layer, head, size, size]`, reduced in the engine: of a stage, or of `norms`.
    Thumbnails(ThumbnailsAsked) -> Tensor = |context, which| {
        let run = context.run();
        let layers = run.layers(which.stack, None)?;
        run.thumbnails(which.stack, layers, which.size.0, which.stage()).map(Work::once)
    };
    /// Of every head, block by block: entropy in nats, mean distance in tokens, role scores from 0
    /// to 1; `rare` needs the model's notes.
    Measures(StackRef) -> Vec<HeadMeasures> = |context, which| {
        let lexicon = context.lexicon.clone();
        context.by_layer(which.stack, move |run, layer| {
            let tallies = run.tallies(which.stack, lexicon.clone(), Some(layer))?;
            Ok(Box::pin(async move {
                Ok(tallies.await?.iter().map(HeadTally::measures).collect())
            }))
        })
    };
    /// The sums that the measures of every head are made of, block by block, to be added to those
    /// of other texts.
    Tallies(StackRef) -> Vec<HeadTally> = |context, which| {
        context.run().tallies(which.stack, context.lexicon.clone(), None).map(Work::once)
    };
    /// The Jensen-Shannon divergence, in nats, of every head of the stack from this one, block by
    /// block, itself included.
    HeadDivergences(HeadRef) -> Vec<HeadDivergence> = |context, which| {
        let (stack, layer, head) = which.place();
        context.by_layer(stack, move |run, among| {
            run.head_divergences(stack, layer, head, Some(among))
        })
    };
    /// Singular values of scores before the mask and of weights. @throws selection/too-large beyond
    /// 512 queries and keys
    Spectrum(HeadRef) -> Spectrum = |context, which| {
        let (stack, layer, head) = which.place();
        let patterns = context.run().spectrum(stack, layer, head)?;
        Ok(Work::after(patterns, SpectrumWork::step))
    };
    /// The number of positions at which a head's output is nearest to the value of its own token,
    /// by the cosine, among the values of the text. @throws selection/bad-stack in cross-attention
    ContentRetention(HeadRef) -> ContentRetention = |context, which| {
        let (stack, layer, head) = which.place();
        context.run().content_retention(stack, layer, head)
    };
    /// Multiply-adds and bytes of a head, by the formula of its attention variant, and its error
    /// against exact attention under the same mask.
    HeadCost(HeadRef) -> HeadCost = |context, which| {
        let (stack, layer, head) = which.place();
        context.run().head_cost(stack, layer, head).map(Work::once)
    };
    /// `[query, key]`, row after row: the mean of a head's weights over `draws` dropout masks, and
    /// the weights without dropout.
    DropoutMean(DropoutMeanAsked) -> DropoutMean = |context, which| {
        let run = context.run();
        run.dropout_mean(which.stack, which.layer.0, which.head.0, which.draws.0).map(Work::once)
    };
    /// Every matrix between a block's input and its output, in the order of the computation, as one
    /// head sees it.
    Steps(HeadRef) -> Steps = |context, which| {
        let (stack, layer, head) = which.place();
        let mut work = context.run().steps(stack, layer, head)?;
        Ok(Work::new(move || {
            let step = work.step();
            Box::pin(async move { Ok(step.await?.map(Steps)) })
        }))
    };
    /// How one cell of `steps` was computed: the operation, its terms, and where each of them
    /// stands.
    Explain(ExplainAsked) -> Explanation = |context, which| {
        let run = context.run();
        run.explain(which.place(), which.step, which.row.0, which.column.0).map(Work::once)
    };
    /// Cosines of a word's hidden states (the mean of its tokens') with those of another run's
    /// word, layer by layer; null where a state is zero.
    Cosines(CosinesAsked) -> Vec<Option<f64>> = |context, which| {
        let run = context.run();
        let other = context.other();
        let other_positions = &which.other_positions.0;
        run.cosines(which.stack, &which.positions.0, &other, other_positions).map(Work::once)
    };
    /// Statistics of the residual stream, a number per token: after the embedding, each sublayer,
    /// and the last norm.
    Residuals(StreamRef) -> Vec<Depth> = |context, which| {
        context.by_layer(which.stack, move |run, layer| run.residuals(which.stack, layer))
    };
    /// `[layer, position]`: ‖Δ‖ of each token's `hidden[layer]` from that of the other run's token,
    /// or its token `order[t]`.
    Distances(DistancesAsked) -> Tensor = |context, which| {
        let order = which.order.as_ref().map(|order| order.0.as_slice());
        context.run().distances(which.stack, &context.other(), order).map(Work::once)
    };
    /// The Jensen-Shannon divergence, in nats, of every head from itself in another run of the same
    /// model and of texts as long.
    RunDivergences(RunDivergencesAsked) -> Vec<HeadDivergence> = |context, which| {
        let other = Rc::clone(context.other);
        context.by_layer(which.stack, move |run, among| {
            run.run_divergences(which.stack, &other.borrow(), Some(among))
        })
    };
}
