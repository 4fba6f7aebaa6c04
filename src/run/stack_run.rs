//! One stack of a run: its tokens, the residual stream between its blocks and the records of its
//! attention sites. The remaining work follows from the number of rows of each, so that a run
//! begins, continues after a new token, and resumes on rows of an earlier run (`reuse`) in the same
//! way.

use std::ops::Range;

use crate::attention::PatternSpec;
use crate::axes::{Stack, Step, Sublayer};
use crate::backend::{Backend, part};
use crate::blocks::{BatchText, Sites};
use crate::edits::SiteEdits;
use crate::masks::{Heads, Mask, Rule};
use crate::model::{Model, Sight, StackWeights};

use super::activation_patches::{ActivationPatch, ActivationPatches, attend, finish};
use super::kept_steps::{KeptSteps, hook};
use super::places::Places;
use super::request::Request;
use super::stream_dropout::StackDropout;

/// The work of a unit, in multiplications: about 10 ms on one core. Work is counted, not timed, so
/// that runs are cut the same way on every machine.
const UNIT_WORK: usize = 200_000_000;

/// The divisor of the rows of every unit: a multiple of the rows of the matmul kernel's tile.
pub(super) const ROW_TILE: usize = 4;

/// The number of rows of the next unit, when `left` rows remain: units are of about one size.
fn rows_at_once(left: usize, pace: usize, work_per_row: usize) -> usize {
    let most = (UNIT_WORK.saturating_mul(pace) / work_per_row.max(1)).max(ROW_TILE);
    left.div_ceil(left.div_ceil(most)).next_multiple_of(ROW_TILE)
}

/// The work of some rows, in multiplications. Fewer rows than a tile take as long as a tile,
/// because the time is spent on reading the weights.
pub(super) fn work_of(rows: usize, work_per_row: usize) -> usize {
    rows.max(ROW_TILE) * work_per_row
}

/// One stack, as far as it is computed.
pub(super) struct StackRun<B: Backend> {
    /// The tokens so far.
    pub ids: Vec<u32>,
    /// The patches of an image, `[n, numbers of a patch]`.
    pub patches: Option<B::Tensor>,
    /// The positions of the tokens and how they join the computation.
    pub places: Places<B>,
    /// The segment type of each token.
    pub types: Vec<u32>,
    /// The residual stream, `[n, d]` each: `hidden[l]` enters block `l`, the last one leaves the
    /// stack.
    pub hidden: Vec<B::Tensor>,
    /// The records of the attention sites of each block.
    pub sites: Vec<Sites<B>>,
    /// The stream after the final norm, if the model has one.
    pub normed: Option<B::Tensor>,
    /// The patches of activations.
    pub activation_patches: ActivationPatches,
    /// The steps that the blocks reported, for a backend that keeps them.
    pub kept_steps: KeptSteps<B>,
    /// The dropout of the residual stream, while a model is trained.
    dropout: Option<StackDropout>,
    /// The one row that is computed of the last block, whose other rows are left; none if all are.
    pub row_alone: Option<usize>,
    /// The stream in the middle of a block whose cross-attention waits for numbers.
    halfway: Option<B::Tensor>,
    /// The number of rows that this run computed itself, by block.
    pub computed_rows: Vec<usize>,
    /// The number of rows taken over from an earlier run.
    pub reused_rows: usize,
    /// Whether more tokens may follow.
    grows: bool,
    /// The most tokens that the stack may have.
    pub most: usize,
}

/// The next piece of work on a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unit {
    /// The embedding of some tokens.
    Embed(Range<usize>),
    /// The queries, keys and values of a block's self-attention.
    Project(usize, Range<usize>),
    /// The keys and values of a block's cross-attention.
    Remember(usize, Range<usize>),
    /// The data of all rows that heads of a block's self-attention need before the first output
    /// row.
    Prepare(usize),
    /// The self-attention of a block whose cross-attention is left to the `cpu` backend.
    Attend(usize, Range<usize>),
    /// The rest of a block.
    Complete(usize, Range<usize>),
    /// The final norm of some rows.
    Norm(Range<usize>),
}

impl<B: Backend> StackRun<B> {
    /// A stack before its first row, with the masks and gates of the request.
    pub fn begin(
        model: &Model<B>,
        weights: &StackWeights<B>,
        stack: Stack,
        request: &Request,
    ) -> Self {
        let backend = &model.backend;
        let d = model.config.d_model;
        let dropout = request.dropout.map(|dropout| {
            let stack = usize::from(stack == Stack::Decoder);
            StackDropout { dropout, stack, width: d }
        });
        let reads_source = stack == Stack::Encoder || model.config.encoder.is_none();
        let (ids, types) = if reads_source {
            (request.ids.clone(), request.types.clone())
        } else {
            (request.target.clone(), vec![0; request.target.len()])
        };
        // A model writes few tokens compared with the number that it may write.
        let n = ids.len();
        let n_most = request.most_tokens(stack, &model.config).max(n);
        let placement = request.edits.placement(stack);
        let mut places = Places::of(model, weights, stack, placement, [n, n_most]);
        let real: &[bool] = if reads_source { &request.real } else { &[] };
        places.count(backend, weights.embedding.unplaced.as_ref(), &ids, real);
        let own_mask = match stack {
            Stack::Encoder => Mask::open(),
            _ if model.config.sight == Sight::Both => Mask::open(),
            _ => Mask::open().with(Heads::All, Rule::Causal),
        };
        let own_mask = if reads_source { own_mask.padded(&request.real) } else { own_mask };
        let cross_mask = Mask::open().padded(&request.real);
        let sites = weights.blocks.iter().enumerate().map(|(layer, block)| {
            let begin = |attention: &crate::attention::MultiHeadAttention<B>,
                         mask: &Mask,
                         n_keys: usize,
                         edits: &SiteEdits| {
                let mask = match attention.window {
                    Some(window) => mask.clone().with(Heads::All, Rule::window(window)),
                    None => mask.clone(),
                };
                let mask = mask.changed(edits.masks());
                let gates = edits.gates(attention.n_heads);
                let mut spec = attention.begin(backend, mask, gates, [n, n_keys]);
                spec.fixed_patterns = edits.fixed_patterns().clone();
                spec.variants = edits.variants().clone();
                spec
            };
            let edits = request.edits.site(stack, layer);
            Sites {
                own: PatternSpec {
                    turns: places.turns.get(layer).cloned().flatten(),
                    relative: places.relative(
                        &model.config,
                        stack,
                        layer,
                        block.self_attention.relative.as_ref(),
                    ),
                    ..begin(&block.self_attention, &own_mask, n, &edits)
                },
                cross: block.cross.as_ref().map(|cross| {
                    let edits = request.edits.site(Stack::Cross, layer);
                    begin(&cross.attention, &cross_mask, request.ids.len(), &edits)
                }),
                wiring: request.edits.wiring(stack, layer),
                reach: block.convolution.as_ref().map_or(0, |convolution| convolution.reach),
                real: if block.convolution.is_some() { real.to_vec() } else { Vec::new() },
            }
        });
        let sites = sites.collect();
        let patch_width = model.config.image.map_or(0, |image| image.patch_width());
        let patches = request.patches.clone();
        Self {
            ids,
            patches: patches.map(|patches| backend.upload(patches, patch_width)),
            places,
            types,
            hidden: (0..=weights.blocks.len()).map(|_| backend.empty(d, n)).collect(),
            sites,
            normed: weights.final_norm.as_ref().map(|_| backend.empty(d, n)),
            activation_patches: ActivationPatches::default(),
            kept_steps: KeptSteps::default(),
            dropout,
            row_alone: None,
            halfway: None,
            computed_rows: vec![0; weights.blocks.len()],
            reused_rows: 0,
            most: n_most,
            grows: stack == Stack::Decoder && request.writes(),
        }
    }

    /// A second stack in the state of this one: both share the computed numbers, and each can get
    /// another text.
    pub fn fork(&self, backend: &B) -> Self {
        Self {
            ids: self.ids.clone(),
            patches: self.patches.clone(),
            places: self.places.fork(),
            types: self.types.clone(),
            hidden: self.hidden.clone(),
            sites: self.sites.iter().map(|sites| sites.fork(backend)).collect(),
            normed: self.normed.clone(),
            activation_patches: self.activation_patches.clone(),
            kept_steps: KeptSteps::default(),
            dropout: self.dropout,
            row_alone: self.row_alone,
            halfway: self.halfway.clone(),
            computed_rows: vec![0; self.computed_rows.len()],
            reused_rows: self.hidden.get(1).map_or(0, |x| backend.rows(x)),
            grows: self.grows,
            most: self.most,
        }
    }

    /// Embeds the text as if each of its tokens were `id`, at the tokens' own positions; of a stack
    /// before its first row. Returns the rows that enter the first block.
    pub fn embed_as(&mut self, backend: &B, weights: &StackWeights<B>, id: u32) -> &B::Tensor {
        let n = self.ids.len();
        self.ids = vec![id; n];
        Self::execute(&mut [self], backend, weights, Unit::Embed(0..n), &[]);
        &self.hidden[0]
    }

    /// Adds a patch; a pattern becomes a fixed one.
    pub fn patch(&mut self, patch: ActivationPatch) {
        if let Some((head, rows)) = patch.pattern() {
            let spot = patch.spot();
            let sites = &mut self.sites[spot.layer];
            let site = match &mut sites.cross {
                Some(cross) if spot.sublayer == Sublayer::Cross => cross,
                _ => &mut sites.own,
            };
            site.fixed_patterns.patch(head, rows);
        }
        self.activation_patches.push(patch);
    }

    /// The number of rows that went through all blocks.
    pub fn completed_rows(&self, backend: &B) -> usize {
        let last = self.normed.as_ref().or(self.hidden.last());
        last.map_or(0, |x| backend.rows(x))
    }

    /// The output of the stack, `[n, d]`, as far as it is computed.
    pub fn output(&self) -> Option<&B::Tensor> {
        self.normed.as_ref().or(self.hidden.last())
    }

    /// The rows computed in all blocks, and the total. Each head that needs data of all rows first
    /// counts as much as the rows do.
    pub fn progress(&self, backend: &B) -> (usize, usize) {
        let n = self.ids.len();
        let blocks = self.sites.iter().zip(&self.hidden[1..]).map(|(sites, leaving)| {
            let own = &sites.own;
            let rows = backend.rows(leaving);
            let heads = own.prepared_first();
            let left = if rows == n {
                0
            } else if backend.rows(&own.key) == n {
                own.unprepared(backend)
            } else {
                heads
            };
            (rows + (heads - left) * n, (1 + heads) * n)
        });
        blocks.fold((0, 0), |sum, block| (sum.0 + block.0, sum.1 + block.1))
    }

    /// The first block that has rows left to compute.
    pub fn unfinished_block(&self, backend: &B) -> Option<usize> {
        self.hidden[1..].iter().position(|x| backend.rows(x) < self.ids.len())
    }

    /// The one row of the output of each of several stacks with the same `row_alone`, `[stacks,
    /// d]`.
    pub fn last_rows(
        runs: &mut [&mut Self],
        backend: &B,
        weights: &StackWeights<B>,
    ) -> Option<B::Tensor> {
        let row = runs.first()?.row_alone?;
        let layer = weights.blocks.len().checked_sub(1)?;
        let out = Self::complete(runs, backend, weights, layer, row..row + 1);
        Some(match &weights.final_norm {
            Some(norm) => norm.forward(backend, &out),
            None => out,
        })
    }

    /// The next unit of work, with its size in multiplications; `None` when all tokens went
    /// through.
    pub fn next(&self, model: &Model<B>, stack: Stack, n_memory: usize) -> Option<(Unit, usize)> {
        let backend = &model.backend;
        let d = model.config.d_model;
        let n = self.ids.len();
        let size = model.config.stack(stack)?;
        let queries = size.query_width();
        let keys = size.kv_width();
        let network = size.d_ff * if model.config.is_gated { 3 } else { 2 };
        let at_pace = |pace: usize,
                       range: Range<usize>,
                       work_per_row: usize,
                       unit: &dyn Fn(Range<usize>) -> Unit| {
            let end = range.end.min(range.start + rows_at_once(range.len(), pace, work_per_row));
            let range = range.start..end;
            let work = work_of(range.len(), work_per_row);
            Some((unit(range), work))
        };
        let unit = |done: usize, end: usize, work: usize, unit: &dyn Fn(Range<usize>) -> Unit| {
            at_pace(backend.limits().pace, done..end, work, unit)
        };
        let embedded = backend.rows(&self.hidden[0]);
        if embedded < n {
            let inner = model.config.image.map_or(1, |image| image.patch_width());
            return unit(embedded, n, d * inner, &Unit::Embed);
        }
        for (block, sites) in self.sites.iter().enumerate() {
            let projected = backend.rows(&sites.own.key);
            if projected < n {
                let met = sites.own.relative.as_ref().map_or(0, |terms| terms.work_per_token());
                let work = d * (queries + 2 * keys) + met;
                return unit(projected, n, work, &|rows| Unit::Project(block, rows));
            }
            let remembered =
                sites.cross.as_ref().map_or(n_memory, |cross| backend.rows(&cross.key));
            if remembered < n_memory {
                return unit(remembered, n_memory, 2 * d * d, &|rows| Unit::Remember(block, rows));
            }
            if self.row_alone.is_some() && block + 1 == self.sites.len() {
                return None;
            }
            let completed = backend.rows(&self.hidden[block + 1]);
            if completed < n && sites.own.unprepared(backend) > 0 {
                return Some((Unit::Prepare(block), UNIT_WORK));
            }
            if completed < n {
                let joined = sites.own.relative.as_ref().map_or(0, |terms| terms.work_per_pair());
                let directions =
                    sites.own.variants.iter().map(|(_, own)| own.variant.directions(n));
                let per_key = 2 * queries + size.n_heads * joined + directions.sum::<usize>();
                let around = if sites.reach > 0 { (2 * sites.reach + 1) * d * d } else { 0 };
                let work = d * queries + d * network + around + n * per_key;
                let cross = if sites.cross.is_some() { 2 * d * d + 2 * n_memory * d } else { 0 };
                let waits = sites.cross.as_ref().is_some_and(|spec| spec.is_left(backend));
                // Work that is left to one core is cut by the pace of one core, in both halves of a
                // block.
                let is_left = waits || sites.own.is_left(backend);
                let pace = if is_left { 1 } else { backend.limits().pace };
                let rows = completed..n;
                return if waits && self.halfway.is_none() {
                    at_pace(pace, rows, work + cross, &|rows| Unit::Attend(block, rows))
                } else {
                    at_pace(pace, rows, work + cross, &|rows| Unit::Complete(block, rows))
                };
            }
        }
        let normed = self.normed.as_ref().map_or(n, |x| backend.rows(x));
        if normed < n { unit(normed, n, d, &Unit::Norm) } else { None }
    }

    /// The site whose attention a unit computes first, if it is left to the `cpu` backend, with
    /// whether it is cross-attention, and the block.
    pub fn left(&self, backend: &B, unit: &Unit) -> Option<(&PatternSpec<B>, bool, usize)> {
        let (Unit::Prepare(block) | Unit::Attend(block, _) | Unit::Complete(block, _)) = unit
        else {
            return None;
        };
        let sites = &self.sites[*block];
        let site = if self.halfway.is_some() { sites.cross.as_ref()? } else { &sites.own };
        site.is_left(backend).then_some((site, self.halfway.is_some(), *block))
    }

    /// Ends the text: no token follows, and the cached data of its rows is dropped.
    pub fn ends(&mut self) {
        self.grows = false;
        self.sites.iter().for_each(Sites::forget);
    }

    /// Computes one unit of work of several stacks, at least one, which are in the same state and
    /// have the same weights. `memory` has for each the encoder's output, which cross-attention
    /// attends to.
    pub fn execute(
        runs: &mut [&mut Self],
        backend: &B,
        weights: &StackWeights<B>,
        unit: Unit,
        memory: &[Option<&B::Tensor>],
    ) {
        let n_runs = runs.len();
        match unit {
            Unit::Embed(rows) => {
                let first = rows.start;
                let of_all = |of: &dyn Fn(&Self) -> &[u32]| {
                    runs.iter().flat_map(|run| of(run)[rows.clone()].to_vec()).collect::<Vec<_>>()
                };
                let ids = of_all(&|run| &run.ids);
                let types = of_all(&|run| &run.types);
                let added = runs.iter().map(|run| {
                    let table = run.places.added.as_ref()?;
                    Some(backend.select(table, rows.clone()))
                });
                let added = added.collect::<Option<_>>().map(|parts| backend.stacked(parts));
                let patches = runs.first().and_then(|run| run.patches.as_ref());
                let x = weights.embedding.forward(backend, &ids, patches, &types, added.as_ref());
                for (index, run) in runs.iter_mut().enumerate() {
                    let mut x = part(backend, &x, index, n_runs);
                    if let Some(dropout) = run.dropout.filter(|_| B::KEEPS_STEPS) {
                        x = dropout.of_embeddings(backend, &x);
                    }
                    let place = (0, Sublayer::Own, Step::Input);
                    run.activation_patches.apply(backend, place, &mut x, first);
                    backend.append(&mut run.hidden[0], &x);
                }
            }
            Unit::Project(block, rows) => {
                let (mut batch, _) = Self::batch(runs, block);
                weights.blocks[block].project(backend, &mut batch, rows.clone());
                for run in runs {
                    let sites = &mut run.sites[block];
                    run.activation_patches.apply_projected(backend, block, Sublayer::Own, sites);
                    if let Some(relative) = &run.sites[block].own.relative {
                        relative.meet(rows.end);
                    }
                }
            }
            Unit::Remember(block, rows) => {
                for (run, memory) in runs.iter_mut().zip(memory) {
                    let Some(memory) = memory else { return };
                    let memory = backend.select(memory, rows.clone());
                    let sites = &mut run.sites[block];
                    weights.blocks[block].remember(backend, sites, &memory);
                    run.activation_patches.apply_projected(backend, block, Sublayer::Cross, sites);
                }
            }
            Unit::Prepare(block) => {
                for run in runs {
                    run.sites[block].own.prepare(backend);
                }
            }
            Unit::Attend(block, rows) => {
                let stream = Self::attend(runs, backend, weights, block, rows);
                for (index, run) in runs.iter_mut().enumerate() {
                    run.halfway = Some(part(backend, &stream, index, n_runs));
                }
            }
            Unit::Complete(block, rows) => {
                let out = Self::complete(runs, backend, weights, block, rows.clone());
                for (index, run) in runs.iter_mut().enumerate() {
                    run.computed_rows[block] += rows.len();
                    let leaving = &mut run.hidden[block + 1];
                    backend.append(leaving, &part(backend, &out, index, n_runs));
                    if !run.grows && backend.rows(leaving) == run.ids.len() {
                        run.sites[block].forget();
                    }
                }
            }
            Unit::Norm(rows) => {
                let Some(norm) = &weights.final_norm else { return };
                let last = runs.iter().filter_map(|run| run.hidden.last());
                let parts = last.map(|last| backend.select(last, rows.clone())).collect();
                let x = norm.forward(backend, &backend.stacked(parts));
                for (index, run) in runs.iter_mut().enumerate() {
                    if let Some(normed) = &mut run.normed {
                        backend.append(normed, &part(backend, &x, index, n_runs));
                    }
                }
            }
        }
    }

    /// The first half of a block: see [`Block::attend`](crate::blocks::Block::attend).
    fn attend(
        runs: &mut [&mut Self],
        backend: &B,
        weights: &StackWeights<B>,
        block: usize,
        rows: Range<usize>,
    ) -> B::Tensor {
        let mut kept = std::mem::take(&mut runs[0].kept_steps);
        let mut keep = kept.keep(backend, block, Self::dropouts(runs));
        let watch = hook::<B>(&mut keep);
        let (mut batch, patches) = Self::batch(runs, block);
        let weights = (&weights.blocks[block], block);
        let stream = attend(backend, weights, &mut batch, &patches, rows, watch);
        drop(keep);
        runs[0].kept_steps = kept;
        stream
    }

    /// All of a block: see [`Block::complete`](crate::blocks::Block::complete).
    fn complete(
        runs: &mut [&mut Self],
        backend: &B,
        weights: &StackWeights<B>,
        block: usize,
        rows: Range<usize>,
    ) -> B::Tensor {
        let halfway = runs.iter_mut().map(|run| run.halfway.take()).collect();
        let stream = match halfway {
            Some(parts) => backend.stacked(parts),
            None => Self::attend(runs, backend, weights, block, rows.clone()),
        };
        let mut kept = std::mem::take(&mut runs[0].kept_steps);
        let mut keep = kept.keep(backend, block, Self::dropouts(runs));
        let watch = hook::<B>(&mut keep);
        let (batch, patches) = Self::batch(runs, block);
        let weights = (&weights.blocks[block], block);
        let out = finish(backend, weights, &batch, &patches, &stream, rows, watch);
        drop(keep);
        runs[0].kept_steps = kept;
        out
    }

    /// The dropouts of all texts; none where operations are not recorded.
    fn dropouts(runs: &[&mut Self]) -> Vec<StackDropout> {
        runs.iter().filter_map(|run| run.dropout.filter(|_| B::KEEPS_STEPS)).collect()
    }

    /// The stacks' texts as they enter a block, and the patches of each.
    fn batch<'a>(
        runs: &'a mut [&mut Self],
        block: usize,
    ) -> (Vec<BatchText<'a, B>>, Vec<&'a ActivationPatches>) {
        let texts = runs.iter_mut().map(|run| {
            let Self { sites, hidden, activation_patches, .. } = &mut **run;
            (BatchText { sites: &mut sites[block], input: &hidden[block] }, &*activation_patches)
        });
        texts.unzip()
    }
}
