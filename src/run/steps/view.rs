//! One block of a run as seen from one of its heads: the block's record and its rows of the
//! residual stream, and the steps that the block's own code computes of them through a hook.

use std::ops::Range;

use crate::attention::PatternSpec;
use crate::axes::{Axis, Part, Stack, Stage, Step, Sublayer};
use crate::backend::{Backend, Storage};
use crate::blocks::{ATTENTION, BatchText, Block, Convolution, Sites};
use crate::edits::Wiring;
use crate::error::Result;
use crate::model::{Model, StackWeights};
use crate::run::Run;
use crate::run::activation_patches::{ActivationPatches, attend, finish};

/// Some rows of the tensors of some steps.
pub(super) type Found<B> = Vec<(Step, <B as Storage>::Tensor)>;

/// A block and a head, with everything that their numbers depend on. The view does not use the run.
pub(super) struct View<B: Backend> {
    pub stack: Stack,
    pub layer: usize,
    pub head: usize,
    /// The number of keys of the site.
    pub n_keys: usize,
    /// The patches of the block.
    pub activation_patches: ActivationPatches,
    /// The residual stream that enters the block, `[n, d]`.
    pub input: B::Tensor,
    /// The ids of the tokens of the rows of `input`.
    pub ids: Vec<u32>,
    pub types: Vec<u32>,
    /// The patches of an image.
    pub patches: Option<B::Tensor>,
    /// The position of each token.
    pub positions: Vec<usize>,
    /// The numbers that the positions add to the embeddings, `[n, d]`.
    pub added: Option<B::Tensor>,
    pub own: PatternSpec<B>,
    pub cross: Option<PatternSpec<B>>,
    /// The number of dimensions of a head that are rotated.
    pub turn_width: usize,
    /// Whether each head's queries and keys are normed.
    pub is_head_normed: bool,
    /// How the block's sublayers are joined to the stream.
    pub wiring: Wiring,
    /// The number of tokens on each side that a convolution reads.
    pub reach: usize,
    /// Whether each token is real, so that a convolution reads it.
    pub real: Vec<bool>,
    /// How the sublayers of the block below are joined to the stream.
    pub below: Wiring,
    /// How the sublayers of the encoder's last block are joined to the stream.
    pub encoder_end: Wiring,
    /// The encoder's output, which cross-attention attends to.
    pub memory: Option<B::Tensor>,
    /// The residual stream that leaves the block, `[n, d]`.
    pub leaving: B::Tensor,
    /// The stream after the final norm, if the block is the last one before it.
    pub normed: Option<B::Tensor>,
}

impl<B: Backend> View<B> {
    /// The view of a head.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for what is not computed.
    pub fn of(run: &Run<B>, stack: Stack, layer: usize, head: usize) -> Result<Self> {
        let (found, _) = run.stack_run(stack)?;
        Self::over(run, (stack, layer, head), run.readable_rows(found)?)
    }

    /// The view of a head of a run that need not have computed anything, for addresses and sizes.
    ///
    /// # Errors
    /// `selection/…` for what does not exist.
    pub fn before(run: &Run<B>, stack: Stack, layer: usize, head: usize) -> Result<Self> {
        let (found, _) = run.stack_run(stack)?;
        Self::over(run, (stack, layer, head), found.ids.len())
    }

    fn over(run: &Run<B>, (stack, layer, head): (Stack, usize, usize), n: usize) -> Result<Self> {
        let (found, weights) = run.stack_run(stack)?;
        run.site_of(stack, layer)?;
        run.check_head(stack, head)?;
        let backend = &run.model.backend;
        let first = |x: &B::Tensor| backend.select(x, 0..n.min(backend.rows(x)));
        let encoder = run.encoder.as_ref();
        let n_memory = encoder.map_or(0, |encoder| encoder.ids.len());
        let record = |spec: &PatternSpec<B>, n_keys: usize| {
            spec.readable(backend, n, n_keys, &run.read_cache)
        };
        let last = layer + 1 == found.sites.len();
        Ok(Self {
            stack,
            layer,
            head,
            n_keys: if stack == Stack::Cross { n_memory } else { n },
            activation_patches: found.activation_patches.in_block(layer),
            input: first(&found.hidden[layer]),
            ids: found.ids[..n].to_vec(),
            types: found.types[..n].to_vec(),
            patches: found.patches.clone(),
            positions: (0..n).map(|token| found.places.position(token)).collect(),
            added: found.places.added.clone(),
            own: record(&found.sites[layer].own, n),
            cross: found.sites[layer].cross.as_ref().map(|spec| record(spec, usize::MAX)),
            turn_width: found.places.turn_width,
            is_head_normed: is_head_normed(stack, &weights.blocks[layer]),
            wiring: found.sites[layer].wiring,
            reach: found.sites[layer].reach,
            real: found.sites[layer].real.clone(),
            below: layer.checked_sub(1).map(|below| found.sites[below].wiring).unwrap_or_default(),
            encoder_end: run
                .encoder
                .as_ref()
                .and_then(|encoder| encoder.sites.last())
                .map(|sites| sites.wiring)
                .unwrap_or_default(),
            memory: run
                .encoder
                .as_ref()
                .filter(|_| stack == Stack::Cross)
                .and_then(|encoder| encoder.output().cloned()),
            leaving: first(&found.hidden[layer + 1]),
            normed: found.normed.as_ref().filter(|_| last).map(first),
        })
    }

    /// The weights of the stack that the block is in.
    pub fn weights<'a>(&self, model: &'a Model<B>) -> Option<&'a StackWeights<B>> {
        match self.stack {
            Stack::Encoder => model.encoder.as_ref(),
            Stack::Decoder | Stack::Cross => model.decoder.as_ref(),
        }
    }

    /// The convolution beside the block, if it has one.
    pub fn convolution<'a>(&self, model: &'a Model<B>) -> Option<&'a Convolution<B>> {
        self.weights(model)?.blocks.get(self.layer)?.convolution.as_ref()
    }

    /// The record of the displayed site.
    pub fn site(&self) -> &PatternSpec<B> {
        self.cross.as_ref().filter(|_| self.stack == Stack::Cross).unwrap_or(&self.own)
    }

    /// The number of rows of the stream.
    pub fn n_rows(&self) -> usize {
        self.ids.len()
    }

    /// The steps of the queries and keys whose products are the scores: rotated, normed, or as
    /// projected.
    pub fn compared(&self) -> [Step; 2] {
        let is_turned = self.site().turns.is_some();
        [Part::Query, Part::Key].map(|part| projected(part, is_turned, self.is_head_normed))
    }

    /// The number of columns of a step.
    pub fn width(&self, model: &Model<B>, step: Step) -> usize {
        self.columns(model, step).1
    }

    /// The axis of the columns of a step, and their number.
    pub fn columns(&self, model: &Model<B>, step: Step) -> (Axis, usize) {
        let stack = model.config.stack(self.stack);
        match step {
            Step::Embedded | Step::EmbeddedNormed => (Axis::ModelDim, model.config.embedding_width),
            Step::Query | Step::QueryNormed | Step::QueryRotated | Step::Context => {
                (Axis::HeadDim, stack.map_or(0, |stack| stack.query_width()))
            }
            Step::Key | Step::KeyNormed | Step::KeyRotated | Step::Value => {
                (Axis::HeadDim, stack.map_or(0, |stack| stack.kv_width()))
            }
            Step::Raw | Step::Scores | Step::Masked | Step::Weights => (Axis::Key, self.n_keys),
            Step::FfHidden | Step::FfActivated | Step::FfLinear | Step::FfGated => {
                (Axis::InnerDim, stack.map_or(0, |stack| stack.d_ff))
            }
            Step::Neighbours => {
                let kernel = self.convolution(model).map_or(0, Convolution::kernel);
                (Axis::ModelDim, kernel * model.config.d_model)
            }
            _ => (Axis::ModelDim, model.config.d_model),
        }
    }

    /// The number of rows of a step.
    pub fn rows(&self, model: &Model<B>, step: Step) -> usize {
        match step {
            Step::Memory => self.memory.as_ref().map_or(0, |memory| model.backend.rows(memory)),
            step if is_of_keys(step) => self.n_keys,
            _ => self.n_rows(),
        }
    }

    /// The tensor of a step that the run stores; `None` for other steps.
    pub fn stored(&self, model: &Model<B>, step: Step) -> Option<B::Tensor> {
        let [query, key] = self.compared();
        let leaves = || Some(self.weights(model)?.blocks[self.layer].last_step(self.wiring));
        match step {
            // The record stores queries and keys as they enter the products.
            step if step == query => Some(self.site().query.clone()),
            step if step == key => Some(self.site().key.clone()),
            Step::Value => Some(self.site().value.clone()),
            Step::Memory => self.memory.clone(),
            Step::Final => self.normed.clone(),
            // The input of cross-attention is what self-attention leaves, which no run stores.
            Step::Input if self.stack != Stack::Cross => Some(self.input.clone()),
            step if leaves() == Some(step) => Some(self.leaving.clone()),
            _ => None,
        }
    }

    /// Some rows of the steps that are not stored, or of one of them, computed by the code of the
    /// forward pass.
    pub fn watched(&self, model: &Model<B>, rows: Range<usize>, wanted: Option<Step>) -> Found<B> {
        let Some(weights) = self.weights(model) else { return Vec::new() };
        if wanted == Some(Step::Context) && self.stack != Stack::Cross {
            return vec![(Step::Context, self.own_context(&model.backend, rows))];
        }
        let mut found = Vec::new();
        if self.stack != Stack::Cross {
            self.watch_entry(&model.backend, weights, rows.clone(), &mut found);
        }
        if wanted.is_some_and(|wanted| found.iter().any(|(step, _)| *step == wanted)) {
            return found;
        }
        self.watch_patterns(&model.backend, rows.clone(), wanted, &mut found);
        if wanted.is_none_or(|wanted| Stage::of(wanted).is_none()) {
            let own = wanted.is_some_and(|wanted| self.is_of_attention(model, wanted));
            self.watch_rest(&model.backend, &weights.blocks[self.layer], rows, own, &mut found);
        }
        found
    }

    /// The outputs of the heads of self-attention at some rows: the first step of the block's own
    /// code behind the projections, without what it makes of them.
    fn own_context(&self, backend: &B, rows: Range<usize>) -> B::Tensor {
        let sites = self.sites_before(backend, rows.start);
        let mut context = sites.own.attend(backend, rows.clone());
        let place = (self.layer, Sublayer::Own, Step::Context);
        self.activation_patches.apply(backend, place, &mut context, rows.start);
        context
    }

    /// The steps before self-attention: of the embedding in the first block, and the projections
    /// before norm and rotation.
    fn watch_entry(
        &self,
        backend: &B,
        weights: &StackWeights<B>,
        rows: Range<usize>,
        found: &mut Found<B>,
    ) {
        let block = &weights.blocks[self.layer];
        if self.layer == 0 && weights.embedding.norm.is_some() {
            let ids = &self.ids[rows.clone()];
            let types = &self.types[rows.clone()];
            let added = self.added.as_ref().map(|table| backend.select(table, rows.clone()));
            let embedding = &weights.embedding;
            let patches = self.patches.as_ref();
            let tokens = embedding.tokens(backend, ids, patches, embedding.scale);
            let sum = embedding.sum(backend, tokens, types, added.as_ref());
            if weights.embedding.projection.is_some() {
                let normed = weights.embedding.normed(backend, &sum);
                found.push((Step::EmbeddedNormed, normed));
            }
            found.push((Step::Embedded, sum));
        }
        let joined = block.self_residual.joined(self.wiring.own, ATTENTION);
        let x = backend.select(&self.input, rows);
        let entered = joined.enter(
            backend,
            &x,
            Some(&mut |_, entered| {
                found.push((Step::Entered, entered.clone()));
            }),
        );
        let attention = &block.self_attention;
        if self.compared()[0] != Step::Query {
            found.push((Step::Query, attention.query.forward(backend, &entered)));
            found.push((Step::Key, attention.key.forward(backend, &entered)));
        }
        if self.is_head_normed && self.compared()[0] != Step::QueryNormed {
            found.push((Step::QueryNormed, attention.query_before(backend, &entered)));
            found.push((Step::KeyNormed, attention.key_before(backend, &entered)));
        }
    }

    /// The patterns of the head, or one of them.
    fn watch_patterns(
        &self,
        backend: &B,
        rows: Range<usize>,
        wanted: Option<Step>,
        found: &mut Found<B>,
    ) {
        let site = self.site();
        for stage in Stage::ALL {
            if wanted.is_none_or(|wanted| wanted == stage.step()) {
                let cells = site.pattern_rows(backend, self.head, rows.clone(), stage);
                found.push((stage.step(), backend.upload(cells, backend.rows(&site.key))));
            }
        }
    }

    /// The steps from the heads' outputs to the output of the block.
    fn watch_rest(
        &self,
        backend: &B,
        block: &Block<B>,
        rows: Range<usize>,
        is_attention_alone: bool,
        found: &mut Found<B>,
    ) {
        let mut sites = self.sites_before(backend, rows.start);
        let mut watch = |sublayer, step, x: &mut B::Tensor| {
            if let Some(step) = self.named(block, sublayer, step) {
                found.push((step, x.clone()));
            }
        };
        if is_attention_alone {
            let block = (block, self.layer);
            let watch = Some(&mut watch as &mut dyn FnMut(Sublayer, Step, &mut B::Tensor));
            let batch = &mut [BatchText { sites: &mut sites, input: &self.input }];
            attend(backend, block, batch, &[&self.activation_patches], rows, watch);
        } else {
            self.complete(backend, block, &mut sites, rows, &mut watch);
        }
    }

    /// Whether the first half of the block, its self-attention, computes a step.
    fn is_of_attention(&self, model: &Model<B>, step: Step) -> bool {
        let spot = self.spot(model, step).filter(|_| self.stack != Stack::Cross);
        spot.is_some_and(|spot| spot.sublayer == Sublayer::Own && step != Step::Input)
    }

    /// The activations of the block's sublayers at some rows, under the names that their hooks
    /// have.
    pub fn watched_sublayers(
        &self,
        model: &Model<B>,
        rows: Range<usize>,
    ) -> Vec<(Sublayer, Step, B::Tensor)> {
        let Some(weights) = self.weights(model) else { return Vec::new() };
        let mut sites = self.sites_before(&model.backend, rows.start);
        let block = &weights.blocks[self.layer];
        let mut found = Vec::new();
        let mut watch = |sublayer, step, x: &mut B::Tensor| found.push((sublayer, step, x.clone()));
        self.complete(&model.backend, block, &mut sites, rows, &mut watch);
        found
    }

    /// Passes all rows through the block again, with a hook that gets the steps as the view names
    /// them.
    pub fn pass(&self, model: &Model<B>, mut watch: impl FnMut(Step, &B::Tensor)) {
        let Some(weights) = self.weights(model) else { return };
        let mut sites = self.sites_before(&model.backend, 0);
        let block = &weights.blocks[self.layer];
        let mut named = |sublayer, step, x: &mut B::Tensor| {
            if let Some(step) = self.named(block, sublayer, step) {
                watch(step, x);
            }
        };
        let rows = 0..self.n_rows();
        self.complete(&model.backend, block, &mut sites, rows, &mut named);
    }

    /// [`Block::complete`] under the patches of the run.
    fn complete(
        &self,
        backend: &B,
        block: &Block<B>,
        sites: &mut Sites<B>,
        rows: Range<usize>,
        watch: &mut dyn FnMut(Sublayer, Step, &mut B::Tensor),
    ) {
        let block = (block, self.layer);
        let batch = &mut [BatchText { sites, input: &self.input }];
        let patches = &[&self.activation_patches];
        let stream = attend(backend, block, batch, patches, rows.clone(), Some(&mut *watch));
        finish(backend, block, batch, patches, &stream, rows, Some(watch));
    }

    /// The records before row `start` went through the block.
    pub fn sites_before(&self, backend: &B, start: usize) -> Sites<B> {
        let before = |spec: &PatternSpec<B>, n_queries: usize| {
            let mask = spec.mask.clone();
            let gates = spec.gates.clone();
            let memo = spec.memo.of_read().with_low_rank(&spec.memo);
            PatternSpec { memo, ..spec.truncated(backend, n_queries, usize::MAX, mask, gates) }
        };
        Sites {
            own: before(&self.own, usize::MAX),
            cross: self.cross.as_ref().map(|spec| before(spec, start)),
            wiring: self.wiring,
            reach: self.reach,
            real: self.real.clone(),
        }
    }

    /// What the picture calls a step of a sublayer. Seen from cross-attention, the stream that
    /// self-attention leaves is the input; seen from self-attention, cross-attention is one of
    /// the steps that follow.
    fn named(&self, block: &Block<B>, sublayer: Sublayer, step: Step) -> Option<Step> {
        match (sublayer, self.stack == Stack::Cross) {
            (Sublayer::Own, true) => {
                let joined = block.self_residual.joined(self.wiring.own, ATTENTION);
                (step == joined.last()).then_some(Step::Input)
            }
            (Sublayer::Cross, false) => match step {
                Step::Attended => Some(Step::CrossAttended),
                Step::Sum => Some(Step::CrossSum),
                Step::Normed => Some(Step::CrossNormed),
                _ => None,
            },
            _ => Some(step),
        }
    }
}

/// Whether queries and keys of a site are normed before they are compared.
pub(super) fn is_head_normed<B: Backend>(stack: Stack, block: &Block<B>) -> bool {
    stack != Stack::Cross && block.self_attention.query_norm.is_some()
}

/// The last step of a projection: rotated, normed, or as projected.
pub(super) fn projected(part: Part, is_turned: bool, is_normed: bool) -> Step {
    match (part, is_turned, is_normed) {
        (Part::Query, true, _) => Step::QueryRotated,
        (Part::Query, _, true) => Step::QueryNormed,
        (Part::Key, true, _) => Step::KeyRotated,
        (Part::Key, _, true) => Step::KeyNormed,
        (part, ..) => part.step(),
    }
}

/// Whether the rows of a step belong to keys: those of the text that a head attends to.
pub(super) fn is_of_keys(step: Step) -> bool {
    matches!(step, Step::Key | Step::KeyNormed | Step::KeyRotated | Step::Value)
}
