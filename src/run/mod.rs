//! What a model computes for one text under some edits: a state machine that begins, does one piece
//! of work after the other and is done, can be left at any piece, and takes over whatever an
//! earlier run has already computed. `decode` drives it.

mod activation_patches;
mod aggregate;
mod beams;
mod checks;
mod circuits;
mod content_retention;
mod continuation;
mod cost;
mod finite;
mod gradient_norms;
pub mod gradient_question;
mod head_cost;
mod head_divergence;
mod integrated_gradients;
mod kept_steps;
mod key_shares;
mod lens;
mod measures;
pub mod model_question;
mod patch_estimates;
mod patched;
mod places;
mod predictions;
mod projections;
pub mod question;
mod relevance;
mod request;
mod reuse;
mod size;
mod spectrum;
mod stack_run;
mod steps;
mod stream_distance;
mod stream_dropout;
mod views;
mod word_similarity;

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;

use crate::attention::PendingRows;
use crate::axes::Stack;
use crate::backend::{Backend, ReadCache, ReadRows};
use crate::edits::EditFit;
use crate::error::{Code, Error, Result};
use crate::model::{GenerationSettings, Model, StackWeights};
use crate::question::Reading;
use request::Request;
use reuse::Same;
use stack_run::{ROW_TILE, StackRun};

pub use aggregate::{AggregateAsked, Aggregation};
pub use circuits::{
    Circuit, Circuits, Induction, SharedRank, TokenPair, TokenPairsAsked, circuits, token_pairs,
};
pub use content_retention::ContentRetention;
pub use continuation::GenerateRequest;
pub(crate) use continuation::{BeamSettings, Continuation, Method};
pub use cost::{AttentionCost, CostAsked, SiteCost};
pub(crate) use finite::not_finite;
pub use gradient_norms::GradientNormsAsked;
pub use head_cost::{Departure, DropoutMean, DropoutMeanAsked, HeadCost};
pub use head_divergence::{HeadDivergence, RunDivergencesAsked};
pub use integrated_gradients::{
    IntegratedGradients, IntegratedGradientsAsked, integrated_gradients,
};
pub use key_shares::{EffectsAsked, ThumbnailStage, effects};
pub use lens::{Lens, LensAsked, LensChosen};
pub use measures::{HeadMeasures, HeadTally, RoleScores};
pub use patch_estimates::{PatchEstimatesAsked, patch_estimates};
pub use patched::{PatchedAsked, patched};
pub use predictions::{
    Candidate, LogitsAsked, PredictionsAsked, ProbabilitiesAsked, TokenProbability,
};
pub use projections::QkvAsked;
pub use relevance::{RelevanceAsked, WeightedGradientAsked};
pub use request::RunRequest;
pub use spectrum::{Spectrum, SpectrumWork};
pub use steps::{
    Along, Attribution, AttributionAsked, Depth, DirectAsked, ExplainAsked, Explanation,
    FrozenScale, GradientAsked, GradientOf, GradientTarget, Gradients, KeyPart, Line, LogitPart,
    LogitPartKind, Operation, Source, StepTensor, Steps, StepsWork, direct,
};
pub use stream_distance::DistancesAsked;
pub use stream_dropout::StreamDropout;
pub use views::{AttentionAsked, HiddenAsked, ThumbnailsAsked};
pub use word_similarity::CosinesAsked;

/// A run. It borrows nothing: the model is shared with its other runs.
pub struct Run<B: Backend> {
    model: Rc<Model<B>>,
    request: Request,
    encoder: Option<StackRun<B>>,
    decoder: Option<StackRun<B>>,
    /// The decoders of the other texts that are written beside that of `decoder`, in the same
    /// state.
    beams: Vec<StackRun<B>>,
    /// Whether the text has ended, so that no token will be added.
    has_ended: bool,
    read_cache: ReadCache,
}

/// One block of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockRef {
    /// The stack: `encoder` or `decoder`.
    pub stack: Stack,
    /// The index of the block, from 0.
    pub layer: usize,
}

/// The progress of a run.
pub(crate) struct Progress {
    /// The number of computed rows of blocks.
    pub done: usize,
    /// The number of rows of blocks that are known to be needed.
    pub total: usize,
    /// The first block that has rows left to compute; `None` if every known token went through.
    pub at: Option<BlockRef>,
    /// Whether every known token went through.
    pub complete: bool,
    /// Whether the first stack is complete.
    pub source_ready: bool,
}

/// The text that a run has read so far, with the settings for its continuation.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    /// The ids of all tokens, the given ones first.
    pub ids: &'a [u32],
    /// The generation settings of the request, and of the model's files in place of absent ones.
    pub settings: &'a GenerationSettings,
    /// The most tokens that the model can read of a text.
    pub most_tokens: usize,
    /// The number of padding tokens at the start; the repetition penalty ignores them.
    pub n_padding: usize,
}

/// The amount of work that a run computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Executed {
    /// The number of blocks of which at least one row was computed.
    pub blocks: usize,
    /// The number of blocks that were taken over completely.
    pub reused_blocks: usize,
    /// The number of tokens whose first block was taken over.
    pub reused_tokens: usize,
}

impl<B: Backend> Run<B> {
    /// Begins a run; nothing is computed yet. `earlier` is any other run: rows that are the same in
    /// it are taken over.
    ///
    /// # Errors
    /// `input/…`, `edit/…`; `output/unavailable` for a model without a head that is to write.
    pub fn begin(model: &Rc<Model<B>>, sent: &RunRequest, earlier: Option<&Self>) -> Result<Self> {
        let request = Request::resolve(sent, &model.config)?;
        if request.dropout.is_some() && !B::KEEPS_STEPS {
            let (what, expected) = ("the dropout", "a backend that records its operations");
            return Err(Error::new(Code::Internal, what, expected, model.backend.name()));
        }
        for stack in [Stack::Encoder, Stack::Decoder] {
            places::check(model, stack, &request.edits)?;
        }
        if request.writes() && model.head.is_none() {
            return Err(predictions::no_head());
        }
        size::check(&model.config, &request)?;
        let stack = |weights: &Option<StackWeights<B>>, stack: Stack| {
            weights.as_ref().map(|weights| StackRun::begin(model, weights, stack, &request))
        };
        let mut run = Self {
            model: Rc::clone(model),
            encoder: stack(&model.encoder, Stack::Encoder),
            decoder: stack(&model.decoder, Stack::Decoder),
            beams: Vec::new(),
            has_ended: !request.writes(),
            request,
            read_cache: ReadCache::default(),
        };
        run.place_patches()?;
        if let Some(earlier) = earlier.filter(|earlier| Rc::ptr_eq(&earlier.model, model)) {
            run.take_over(earlier, None);
        }
        Ok(run)
    }

    /// The ids that the first stack read.
    pub fn ids(&self) -> &[u32] {
        &self.request.ids
    }

    /// The ids whose rows went through the decoder, the start token included.
    pub fn target_ids(&self) -> &[u32] {
        match &self.decoder {
            Some(decoder) => {
                &decoder.ids[..decoder.completed_rows(&self.model.backend).min(decoder.ids.len())]
            }
            None => &[],
        }
    }

    /// The amount of work that this run computed itself, and that it took over.
    pub fn executed(&self) -> Executed {
        let stacks = || self.encoder.iter().chain(&self.decoder);
        let blocks =
            stacks().flat_map(|stack| &stack.computed_rows).filter(|&&rows| rows > 0).count();
        Executed {
            blocks,
            reused_blocks: stacks().map(|stack| stack.sites.len()).sum::<usize>() - blocks,
            reused_tokens: stacks().map(|stack| stack.reused_rows).sum(),
        }
    }

    /// The fit of lenient edits to the texts, as far as these are written; `None` for a strict
    /// request.
    pub fn fit(&self) -> Option<EditFit> {
        let n_target = self.decoder.as_ref().map_or(0, |decoder| decoder.ids.len());
        let n_source = self.encoder.as_ref().map_or(n_target, |encoder| encoder.ids.len());
        self.request.fit(n_source, n_target, &self.model.config)
    }

    /// Waits for a backend that is behind the run; no borrow of the run is held meanwhile.
    ///
    /// # Errors
    /// The errors of the backend.
    pub(crate) async fn catch_up(run: &RefCell<Self>) -> Result<()> {
        let caught_up = run.borrow().model.backend.caught_up();
        match caught_up {
            Some(caught_up) => caught_up.await,
            None => Ok(()),
        }
    }

    /// Computes one unit of work of several runs in the same state, and returns its size; `None` if
    /// all known tokens went through.
    ///
    /// # Errors
    /// The errors of the backend's `read`.
    pub(crate) async fn advance(runs: &[RefCell<Self>]) -> Result<Option<usize>> {
        for run in runs {
            loop {
                let pending_rows = run.borrow().pending_rows();
                let Some((site, pending_rows)) = pending_rows else { break };
                let rows = pending_rows.await?;
                run.borrow().learn(site, rows);
            }
        }
        let mut runs: Vec<_> = runs.iter().map(RefCell::borrow_mut).collect();
        Ok(Self::execute(&mut runs.iter_mut().map(|run| &mut **run).collect::<Vec<_>>()))
    }

    /// The reading of the rows that the `cpu` backend needs before the next unit of work, with
    /// their site: its stack, the text of several, and the block.
    fn pending_rows(&self) -> Option<((Stack, usize, usize), PendingRows)> {
        let model = &self.model;
        if !B::READS_BACK {
            return None;
        }
        let encoder = self.encoder.iter().map(|run| (Stack::Encoder, 0, run));
        let decoders = self.decoders().enumerate();
        let decoders = decoders.map(|(text, run)| (Stack::Decoder, text, run));
        let memory = self.encoder.as_ref().and_then(StackRun::output);
        let n_memory = memory.map_or(0, |memory| model.backend.rows(memory));
        encoder.chain(decoders).find_map(|(stack, text, run)| {
            let n_memory = if stack == Stack::Encoder { 0 } else { n_memory };
            let (unit, _) = run.next(model, stack, n_memory)?;
            let (site, is_cross, layer) = run.left(&model.backend, &unit)?;
            let stack = if is_cross { Stack::Cross } else { stack };
            Some(((stack, text, layer), site.pending_rows(&model.backend)?))
        })
    }

    /// Stores rows of a site that were read for the `cpu` backend.
    fn learn(&self, (stack, text, layer): (Stack, usize, usize), rows: [ReadRows; 3]) {
        let run = match stack {
            Stack::Encoder => self.encoder.as_ref(),
            _ => self.decoders().nth(text),
        };
        let Some(sites) = run.map(|run| &run.sites[layer]) else { return };
        let site = if stack == Stack::Cross { sites.cross.as_ref() } else { Some(&sites.own) };
        if let Some(site) = site {
            site.learn(rows);
        }
    }

    /// The blocks with a site that the backend leaves to the `cpu` backend; the stack of a
    /// cross-attention site is `cross`.
    pub fn on_cpu(&self) -> Vec<BlockRef> {
        let backend = &self.model.backend;
        let stacks = [(Stack::Encoder, &self.encoder), (Stack::Decoder, &self.decoder)];
        let sites = stacks.into_iter().flat_map(|(stack, run)| {
            let sites = run.iter().flat_map(|run| run.sites.iter().enumerate());
            sites.flat_map(move |(layer, sites)| {
                let cross = sites.cross.iter().map(move |site| (Stack::Cross, layer, site));
                std::iter::once((stack, layer, &sites.own)).chain(cross)
            })
        });
        let left = sites.filter(|(_, _, site)| site.is_left(backend));
        left.map(|(stack, layer, _)| BlockRef { stack, layer }).collect()
    }

    /// Whether the first stack is complete.
    pub(crate) fn source_ready(&self) -> bool {
        let first = self.encoder.as_ref().or(self.decoder.as_ref());
        first.is_some_and(|stack| stack.completed_rows(&self.model.backend) == stack.ids.len())
    }

    fn execute(runs: &mut [&mut Self]) -> Option<usize> {
        let model = Rc::clone(&runs.first()?.model);
        let backend = &model.backend;
        if let Some(weights) = &model.encoder {
            let mut texts: Vec<_> =
                runs.iter_mut().filter_map(|run| run.encoder.as_mut()).collect();
            if let Some((unit, work)) = texts.first()?.next(&model, Stack::Encoder, 0) {
                StackRun::execute(&mut texts, backend, weights, unit, &[]);
                return Some(work * texts.len());
            }
        }
        let weights = model.decoder.as_ref()?;
        let mut texts = Vec::new();
        let mut memory = Vec::new();
        for run in runs {
            let own = run.encoder.as_ref().and_then(StackRun::output);
            for text in run.decoder.iter_mut().chain(&mut run.beams) {
                texts.push(text);
                memory.push(own);
            }
        }
        let n_memory = memory.first()?.map_or(0, |memory| backend.rows(memory));
        let (unit, work) = texts.first()?.next(&model, Stack::Decoder, n_memory)?;
        StackRun::execute(&mut texts, backend, weights, unit, &memory);
        Some(work * texts.len().div_ceil(ROW_TILE))
    }

    /// The work of the scores of one token.
    pub(crate) fn head_work(&self) -> usize {
        let config = &self.model.config;
        stack_run::work_of(1, config.d_model * config.n_vocabulary)
    }

    /// The continuation that the request wants, if it wants any.
    pub(crate) fn continuation(&self) -> Option<&Continuation> {
        self.request.generate.as_ref()
    }

    /// Whether the text has ended, so that no token will be added.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The text of a decoder.
    fn written_by<'a>(&'a self, decoder: &'a StackRun<B>) -> Written<'a> {
        let config = &self.model.config;
        Written {
            ids: &decoder.ids,
            settings: self
                .request
                .generate
                .as_ref()
                .map_or(&config.generation, |wanted| &wanted.settings),
            most_tokens: self.request.longest.stack(Stack::Decoder),
            n_padding: self.request.n_padding(config),
        }
    }

    /// Adds one token to the text that the decoder reads.
    pub fn extend(&mut self, id: u32) {
        let model = &self.model;
        if let (Some(decoder), Some(weights)) = (&mut self.decoder, &model.decoder) {
            decoder.push(model, weights, Stack::Decoder, id);
        }
    }

    /// Ends the text: no token will be added.
    pub(crate) fn end(&mut self) {
        self.has_ended = true;
        if let Some(decoder) = &mut self.decoder {
            decoder.ends();
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        let backend = &self.model.backend;
        let stacks = || self.encoder.iter().chain(&self.decoder);
        let (done, total) = stacks()
            .map(|stack| stack.progress(backend))
            .fold((0, 0), |sum, stack| (sum.0 + stack.0, sum.1 + stack.1));
        let encoder = self.encoder.iter().map(|run| (Stack::Encoder, run));
        let decoder = self.decoder.iter().map(|run| (Stack::Decoder, run));
        let at = encoder.chain(decoder).find_map(|(stack, run)| {
            Some(BlockRef { stack, layer: run.unfinished_block(backend)? })
        });
        let complete = stacks().all(|stack| stack.completed_rows(backend) == stack.ids.len());
        Progress { done, total, at, complete, source_ready: self.source_ready() }
    }

    /// A second run in the state of this one, which can be continued independently: both share the
    /// computed numbers, and neither changes those of the other.
    #[must_use]
    pub fn fork(&self) -> Self {
        let backend = &self.model.backend;
        let fork = |run: &StackRun<B>| run.fork(backend);
        Self {
            encoder: self.encoder.as_ref().map(fork),
            decoder: self.decoder.as_ref().map(fork),
            beams: self.beams.iter().map(fork).collect(),
            has_ended: self.has_ended,
            request: self.request.clone(),
            read_cache: ReadCache::default(),
            model: Rc::clone(&self.model),
        }
    }

    /// A run of the same request before its first row.
    fn begun(&self) -> Self {
        let model = Rc::clone(&self.model);
        let stack = |weights: &Option<StackWeights<B>>, stack: Stack| {
            weights.as_ref().map(|weights| StackRun::begin(&model, weights, stack, &self.request))
        };
        Self {
            encoder: stack(&model.encoder, Stack::Encoder),
            decoder: stack(&model.decoder, Stack::Decoder),
            beams: Vec::new(),
            has_ended: self.has_ended,
            request: self.request.clone(),
            read_cache: ReadCache::default(),
            model: Rc::clone(&self.model),
        }
    }

    /// Takes over the rows that are the same in an earlier run of the same model. `n_kept` is the
    /// number of first rows that patches leave as they are, where it is known.
    fn take_over(&mut self, earlier: &Self, n_kept: Option<usize>) {
        let backend = &self.model.backend;
        let new = &self.request;
        let old = &earlier.request;
        let norm = self.model.config.norm;
        let same_source = new.ids == old.ids
            && new.patches == old.patches
            && new.types == old.types
            && new.real == old.real;
        let same_places = |stack: Stack, run: &StackRun<B>, before: &StackRun<B>| {
            new.edits.placement(stack) == old.edits.placement(stack)
                && run.places.stretch == before.places.stretch
        };
        // The rows of a stack that enter it unchanged, of `n` that are the same, and the changes of
        // its blocks.
        let same = |stack: Stack, run: &StackRun<B>, before: &StackRun<B>, n: usize| {
            let [patches, old_patches] = [&run.activation_patches, &before.activation_patches];
            let n_kept = n_kept.unwrap_or_else(|| patches.rows_alike(old_patches));
            let n = if same_places(stack, run, before) { n } else { 0 };
            let edited = new.edits.first_difference(&old.edits, stack);
            let changed = first_of([edited, patches.first_difference(old_patches)]);
            Same {
                rows: if patches.enter_alike(old_patches) { n } else { n.min(n_kept) },
                blocks: changed.unwrap_or(before.sites.len()),
                rows_after: if edited.is_some() { 0 } else { n_kept },
                memory: 0,
            }
        };
        let mut same_memory = self.encoder.is_none();
        if let (Some(encoder), Some(before)) = (&mut self.encoder, &earlier.encoder)
            && same_source
        {
            let same = same(Stack::Encoder, encoder, before, before.ids.len());
            encoder.take_over(backend, before, &same, norm);
            same_memory = same.blocks == before.sites.len();
        }
        let (Some(decoder), Some(before)) = (&mut self.decoder, &earlier.decoder) else { return };
        if !same_memory {
            return;
        }
        let is_changed = same(Stack::Decoder, decoder, before, 0).blocks < before.sites.len();
        // The same request for the same text has the same answer.
        if !is_changed
            && same_source
            && new.target == old.target
            && new.generate == old.generate
            // The named scheme may be the model's own, but with another limit of the text.
            && new.longest == old.longest
            && new.generate.is_some()
            && earlier.has_ended
        {
            self.has_ended = true;
            decoder.take_text(before);
        }
        let alone = self.encoder.is_none();
        let is_alike = |at: &usize| {
            let real = |request: &Request| request.real.get(*at).copied().unwrap_or(true);
            decoder.ids.get(*at) == before.ids.get(*at)
                && decoder.types.get(*at) == before.types.get(*at)
                && (!alone || real(new) == real(old))
        };
        let n_rows = (0..decoder.ids.len().min(before.ids.len())).take_while(is_alike).count();
        let n_memory = self.encoder.as_ref().map_or(0, |encoder| encoder.ids.len());
        let same = Same { memory: n_memory, ..same(Stack::Decoder, decoder, before, n_rows) };
        decoder.take_over(backend, before, &same, norm);
    }
}

/// The first of some blocks that are not the same.
fn first_of(blocks: [Option<usize>; 2]) -> Option<usize> {
    blocks.into_iter().flatten().min()
}
