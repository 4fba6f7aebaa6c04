//! One block of a stack. An encoder block is self-attention and feed-forward network; a decoder
//! block has cross-attention between them (and a causal mask, which is data); GPT-2's block is a
//! decoder block without cross-attention. Every sublayer has its residual and norm.
//!
//! `x ← R₁(x, SelfAttention)`, `x ← R₂(x, CrossAttention)`, `x ← R₃(x, FFN)`
//!
//! Source: Vaswani et al. 2017, section 3.1, figure 1.
//!
//! Attention needs the keys of all tokens, everything else is computed token by token. Rows of
//! several texts pass together, in one product each, and attend to their own text alone. So a block
//! has three operations over any rows: `project` (self-attention's Q, K, V), `remember`
//! (cross-attention's K, V), `complete` (all the rest). A whole pass, one more token of a growing
//! text and a rerun of the rows that changed use the same three.

use std::ops::Range;

use super::hook::HookOf;
use super::{ATTENTION, Convolution, FEED_FORWARD, FeedForward, Hook, Residual};
use crate::attention::{MultiHeadAttention, PatternSpec};
use crate::axes::{Step, Sublayer};
use crate::backend::{Backend, Epilogue};
use crate::edits::Wiring;

/// The weights of one block.
pub struct Block<B: Backend> {
    /// Self-attention.
    pub self_attention: MultiHeadAttention<B>,
    /// The residual and norm of self-attention.
    pub self_residual: Residual<B>,
    /// Cross-attention to another stack's output, in a decoder of an encoder–decoder.
    pub cross: Option<CrossAttention<B>>,
    /// The feed-forward network.
    pub feed_forward: FeedForward<B>,
    /// The residual and norm of the feed-forward network.
    pub feed_forward_residual: Residual<B>,
    /// Whether the feed-forward network reads the block's input, in parallel with self-attention
    /// (Wang & Komatsuzaki 2021, GPT-J).
    pub is_parallel: bool,
    /// The convolution of the block's input, in the first block of some encoders.
    pub convolution: Option<Convolution<B>>,
}

/// Cross-attention with its residual.
pub struct CrossAttention<B: Backend> {
    /// The attention: queries from this stack, keys and values from the other.
    pub attention: MultiHeadAttention<B>,
    /// The residual and norm of the attention.
    pub residual: Residual<B>,
}

/// The cached tensors of a block's attention sites in one run, and the block's wiring in that run.
pub struct Sites<B: Backend> {
    /// The site of self-attention.
    pub own: PatternSpec<B>,
    /// The site of cross-attention, in a block that has one.
    pub cross: Option<PatternSpec<B>>,
    /// The residuals and norms of this run.
    pub wiring: Wiring,
    /// The tokens on each side that a convolution reads; 0 without a convolution.
    pub reach: usize,
    /// Whether each token is real in the attention mask, for a convolution; empty if all are.
    pub real: Vec<bool>,
}

/// One of the texts whose rows pass a block together.
pub struct BatchText<'a, B: Backend> {
    /// The attention sites of the text.
    pub sites: &'a mut Sites<B>,
    /// The rows that enter the block, `[n, d]`.
    pub input: &'a B::Tensor,
}

impl<B: Backend> Sites<B> {
    /// A second record in the state of this one: both share the rows, and each can get others.
    #[must_use]
    pub fn fork(&self, backend: &B) -> Self {
        Self {
            own: self.own.fork(backend),
            cross: self.cross.as_ref().map(|cross| cross.fork(backend)),
            wiring: self.wiring,
            reach: self.reach,
            real: self.real.clone(),
        }
    }

    /// Drops what the sites derived from their keys for rows to come, once no row will come.
    /// Singular directions of a whole pattern stay.
    pub fn forget(&self) {
        self.own.memo.forget();
        if let Some(cross) = &self.cross {
            cross.memo.forget();
        }
    }
}

impl<B: Backend> Block<B> {
    /// The step whose tensor is the output of the block.
    pub fn last_step(&self, wiring: Wiring) -> Step {
        if self.convolution.is_some() {
            return Step::ConvolvedNormed;
        }
        self.feed_forward_residual.joined(wiring.feed_forward, FEED_FORWARD).last()
    }

    /// Appends queries, keys and values of more rows of the residual stream to the sites of
    /// self-attention, of each text the same rows.
    pub fn project(&self, backend: &B, batch: &mut [BatchText<'_, B>], rows: Range<usize>) {
        let x = entering(backend, batch, &rows);
        let x = self.self_residual.joined(wiring(batch).own, ATTENTION).enter(backend, &x, None);
        let mut specs: Vec<_> = batch.iter_mut().map(|text| &mut text.sites.own).collect();
        self.self_attention.extend(backend, &mut specs, &x);
    }

    /// Appends keys and values of more rows of the encoder's output, `[n, d]`, to the site of
    /// cross-attention.
    pub fn remember(&self, backend: &B, sites: &mut Sites<B>, memory: &B::Tensor) {
        if let (Some(cross), Some(spec)) = (&self.cross, &mut sites.cross) {
            cross.attention.extend_memory(backend, &mut [spec], memory);
        }
    }

    /// The block's output for some rows of its input, of each text the same rows. The rows must
    /// follow the rows completed before, and every key visible to them must be projected. `watch`
    /// receives each intermediate tensor, and may replace it.
    ///
    /// # Shapes
    /// `input` `[n, d]` each → `[texts · rows, d]`.
    pub fn complete(
        &self,
        backend: &B,
        batch: &mut [BatchText<'_, B>],
        rows: Range<usize>,
        mut watch: Hook<'_, B>,
    ) -> B::Tensor {
        let first = watch.as_mut().map(|watch| &mut **watch as _);
        let stream = self.attend(backend, batch, rows.clone(), first);
        self.finish(backend, batch, stream, rows, watch)
    }

    /// The residual stream after the block's self-attention: the first half of [`Block::complete`].
    /// Queries of cross-attention are appended to its site.
    pub fn attend(
        &self,
        backend: &B,
        batch: &mut [BatchText<'_, B>],
        rows: Range<usize>,
        mut watch: Hook<'_, B>,
    ) -> B::Tensor {
        let x = &entering(backend, batch, &rows);
        let wiring = wiring(batch);
        let is_watched = watch.is_some();
        let mut report = |sublayer: Sublayer, step: Step, x: &mut B::Tensor| {
            if let Some(watch) = &mut watch {
                watch(sublayer, step, x);
            }
        };
        let contexts = batch.iter().map(|text| text.sites.own.attend(backend, rows.clone()));
        let mut context = backend.stacked(contexts.collect());
        let mut own = |step: Step, x: &mut B::Tensor| report(Sublayer::Own, step, x);
        own(Step::Context, &mut context);
        let output = &self.self_attention.output;
        let found = |plus: Option<&B::Tensor>| {
            output.forward_epilogue(backend, &context, &Epilogue::plus(plus))
        };
        let joined = self.self_residual.joined(wiring.own, ATTENTION);
        let stream = joined.leave(backend, x, found, looking(is_watched, &mut own));
        if let Some(cross) = &self.cross {
            let mut own = |step: Step, x: &mut B::Tensor| report(Sublayer::Cross, step, x);
            let joined = cross.residual.joined(wiring.cross, ATTENTION);
            let query = joined.enter(backend, &stream, looking(is_watched, &mut own));
            let specs = batch.iter_mut().filter_map(|text| text.sites.cross.as_mut());
            cross.attention.extend_queries(backend, &mut specs.collect::<Vec<_>>(), &query);
        }
        stream
    }

    /// The second half of [`Block::complete`], from the residual stream that [`Block::attend`]
    /// returned.
    pub fn finish(
        &self,
        backend: &B,
        batch: &[BatchText<'_, B>],
        mut stream: B::Tensor,
        rows: Range<usize>,
        mut watch: Hook<'_, B>,
    ) -> B::Tensor {
        let wiring = wiring(batch);
        let is_watched = watch.is_some();
        let mut report = |sublayer: Sublayer, step: Step, x: &mut B::Tensor| {
            if let Some(watch) = &mut watch {
                watch(sublayer, step, x);
            }
        };
        if let Some(cross) = &self.cross {
            let mut own = |step: Step, x: &mut B::Tensor| report(Sublayer::Cross, step, x);
            let joined = cross.residual.joined(wiring.cross, ATTENTION);
            let specs = batch.iter().filter_map(|text| text.sites.cross.as_ref());
            let contexts = specs.map(|spec| spec.attend(backend, rows.clone()));
            let mut context = backend.stacked(contexts.collect());
            own(Step::Context, &mut context);
            let found = |plus: Option<&B::Tensor>| {
                cross.attention.output.forward_epilogue(backend, &context, &Epilogue::plus(plus))
            };
            stream = joined.leave(backend, &stream, found, looking(is_watched, &mut own));
        }
        let mut own = |step: Step, x: &mut B::Tensor| report(Sublayer::FeedForward, step, x);
        let joined = self.feed_forward_residual.joined(wiring.feed_forward, FEED_FORWARD);
        let beside = self.is_parallel.then(|| entering(backend, batch, &rows));
        let entered = beside.as_ref().unwrap_or(&stream);
        let x = joined.enter(backend, entered, looking(is_watched, &mut own));
        let within = self.feed_forward.within(backend, &x, looking(is_watched, &mut own));
        let found = |plus: Option<&B::Tensor>| {
            self.feed_forward.leave(backend, &within, &Epilogue::plus(plus))
        };
        let stream = joined.leave(backend, &stream, found, looking(is_watched, &mut own));
        let Some(convolution) = &self.convolution else { return stream };
        let around = batch.iter().map(|text| {
            convolution.neighbours(backend, text.input, &text.sites.real, rows.clone())
        });
        let around = backend.stacked(around.collect());
        convolution.forward(backend, around, &stream, looking(is_watched, &mut own))
    }
}

/// The rows of all texts that enter the block.
fn entering<B: Backend>(backend: &B, batch: &[BatchText<'_, B>], rows: &Range<usize>) -> B::Tensor {
    let parts = batch.iter().map(|text| backend.select(text.input, rows.clone()));
    backend.stacked(parts.collect())
}

/// The wiring of the block, which all texts of a run share.
fn wiring<B: Backend>(batch: &[BatchText<'_, B>]) -> Wiring {
    batch.first().map_or_else(Wiring::default, |text| text.sites.wiring)
}

/// The hook of one sublayer, if the block is watched.
fn looking<T>(is_watched: bool, watch: &mut dyn FnMut(Step, &mut T)) -> HookOf<'_, T> {
    is_watched.then_some(watch)
}
