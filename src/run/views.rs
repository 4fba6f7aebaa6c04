//! The readings of a run: patterns and thumbnails derived from the records of its attention sites,
//! and the residual stream. Every answer is a future that owns what it needs; the run can go on
//! meanwhile. Predictions over the vocabulary are in `predictions`.
//!
//! Rows that have not gone through all blocks of a stack are not returned, so that every answer has
//! as many rows as there are tokens in `ids` and `target_ids`.

use std::ops::Range;
use std::rc::Rc;

use serde::Deserialize;

use super::checks::{check_size, not_ready};
use super::key_shares::norms_of;
use super::{Reading, Run, StackRun, ThumbnailStage};
use crate::analysis::thumbnail;
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Stage, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::model::StackWeights;
use crate::question::{At, Head, Layer, Positions, Rows, Size};

/// The largest side of a thumbnail, in cells.
const LARGEST_THUMBNAIL: usize = 256;

/// The fields of the question `attention`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct AttentionAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The stage of the pattern, by default the weights.
    pub stage: Option<Stage>,
    /// The query rows that are computed, by default all.
    pub rows: Option<Rows>,
}

impl AttentionAsked {
    pub(super) fn place(&self) -> (Stack, usize, usize) {
        (self.stack, self.layer.0, self.head.0)
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage.unwrap_or(Stage::Weights)
    }

    pub(super) fn rows(&self) -> Option<Range<usize>> {
        self.rows.as_ref().map(|&Rows([first, end])| first..end)
    }
}

/// The fields of the question `hidden`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct HiddenAsked {
    /// The stack of the residual stream.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
    /// The block that the stream enters; the number of blocks for the stream that leaves the last.
    pub layer: Layer,
}

/// The fields of the question `thumbnails`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct ThumbnailsAsked {
    /// The stack in which the heads attend.
    pub stack: Stack,
    /// The cells of a thumbnail's side.
    pub size: Size,
    /// The numbers of the thumbnails, by default the weights.
    pub stage: Option<ThumbnailStage>,
}

impl ThumbnailsAsked {
    pub(super) fn stage(&self) -> ThumbnailStage {
        self.stage.unwrap_or(ThumbnailStage::Weights)
    }
}

impl<B: Backend> Run<B> {
    /// One head's pattern at a stage, `[query, key]`; with `queries` only their rows, and no others
    /// are computed.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for what is not computed.
    pub fn attention(
        &self,
        (stack, layer, head): (Stack, usize, usize),
        stage: Stage,
        queries: Option<Range<usize>>,
    ) -> Result<Reading<Tensor>> {
        let mut at = At::of(stack, layer, stage.step()).of_head(head);
        if let Some(queries) = queries {
            let [n_queries, _] = self.pattern_shape(&self.readable_site(stack, layer)?);
            check_part("the rows", &queries, n_queries)?;
            at.positions = Some(Positions(queries.collect()));
        }
        self.read_at(&at)
    }

    /// One head's additive mask, `[query, key]`: 0 where a query may attend to a key, else `-∞` or
    /// `-10⁹`. Keys that the head's attention variant leaves out are masked too.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn mask(&self, stack: Stack, layer: usize, head: usize) -> Result<Tensor> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let [n_queries, n_keys] = self.pattern_shape(&spec);
        let rows: Vec<Vec<f32>> =
            (0..n_queries).map(|query| spec.mask_row(head, query, n_keys)).collect();
        Tensor::new(rows.concat(), &[n_queries, n_keys], &[Axis::Query, Axis::Key])
    }

    /// The fully masked queries of a head, and those of which a fixed pattern leaves no weight.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn fully_masked(&self, stack: Stack, layer: usize, head: usize) -> Result<Vec<usize>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        Ok(spec.fully_masked(&self.model.backend, head))
    }

    /// The residual stream that enters block `layer`, or leaves the stack, `[position, model_dim]`:
    /// Hugging Face's `hidden_states[layer]`, the last of which is after the final norm if there is
    /// one.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn hidden(&self, stack: Stack, layer: usize) -> Result<Reading<Tensor>> {
        self.read_at(&self.stream_at(stack, layer)?)
    }

    /// Small pictures of every head of some layers, `[layer, head, query, key]` with
    /// `size` cells a side; a cell is the largest number it covers.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn thumbnails(
        &self,
        stack: Stack,
        layers: Range<usize>,
        size: usize,
        stage: ThumbnailStage,
    ) -> Result<Reading<Tensor>> {
        check_size("the size of a thumbnail", size, LARGEST_THUMBNAIL)?;
        let axes = [Axis::Layer, Axis::Head, Axis::Query, Axis::Key];
        let specs = self.sites(stack, layers.clone())?;
        let model = Rc::clone(&self.model);
        let n_layers = layers.len();
        Ok(Box::pin(async move {
            let backend = &model.backend;
            fetch_all(backend, &specs).await?;
            let n_heads = specs.first().map_or(0, |spec| spec.n_heads);
            let mut all = Vec::with_capacity(n_layers * n_heads * size * size);
            for (layer, spec) in layers.zip(&specs) {
                let n_queries = backend.rows(&spec.query);
                let n_keys = backend.rows(&spec.key);
                let patterns = match stage.of_pattern() {
                    Some(stage) => {
                        (0..n_heads).map(|head| spec.pattern(backend, head, stage)).collect()
                    }
                    None => norms_of(&model, (stack, layer), spec, 0..n_heads).await?,
                };
                for pattern in patterns {
                    all.extend(thumbnail(&pattern, n_queries, n_keys, size));
                }
            }
            Tensor::new(all, &[n_layers, n_heads, size, size], &axes)
        }))
    }

    /// The sites of some layers.
    pub(super) fn sites(&self, stack: Stack, layers: Range<usize>) -> Result<Vec<PatternSpec<B>>> {
        layers.map(|layer| self.readable_site(stack, layer)).collect()
    }

    /// The range of one layer of a stack, or of all its layers.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn layers(&self, stack: Stack, layer: Option<usize>) -> Result<Range<usize>> {
        let n = self.model.config.stack(stack).ok_or_else(|| self.model.no_stack(stack))?.n_layers;
        match layer {
            None => Ok(0..n),
            Some(layer) if layer < n => Ok(layer..layer + 1),
            Some(layer) => Err(Error::beyond(Code::SelectionBadLayer, "the layer", n - 1, layer)),
        }
    }

    /// The ids whose rows went through the whole stack.
    pub(super) fn readable_ids(&self, stack: Stack) -> Result<Vec<u32>> {
        let (found, _) = self.stack_run(stack)?;
        let n = self.readable_rows(found)?.min(found.ids.len());
        Ok(found.ids[..n].to_vec())
    }

    /// The record of a site, with the rows that went through the whole stack.
    pub(super) fn readable_site(&self, stack: Stack, layer: usize) -> Result<PatternSpec<B>> {
        let (found, _) = self.stack_run(stack)?;
        let n = self.readable_rows(found)?;
        let spec = self.site_of(stack, layer)?;
        let n_keys = if stack == Stack::Cross { usize::MAX } else { n };
        Ok(spec.readable(&self.model.backend, n, n_keys, &self.read_cache))
    }

    /// The record of a site, as far as it is computed.
    pub(super) fn site_of(&self, stack: Stack, layer: usize) -> Result<&PatternSpec<B>> {
        let (found, _) = self.stack_run(stack)?;
        let sites = found.sites.get(layer).ok_or_else(|| {
            Error::beyond(Code::SelectionBadLayer, "the layer", found.sites.len() - 1, layer)
        })?;
        let spec = if stack == Stack::Cross { sites.cross.as_ref() } else { Some(&sites.own) };
        spec.ok_or_else(|| self.model.no_stack(stack))
    }

    pub(super) fn pattern_shape(&self, spec: &PatternSpec<B>) -> [usize; 2] {
        [self.model.backend.rows(&spec.query), self.model.backend.rows(&spec.key)]
    }

    pub(super) fn stack_run(&self, stack: Stack) -> Result<(&StackRun<B>, &StackWeights<B>)> {
        let (run, weights) = match stack {
            Stack::Encoder => (&self.encoder, &self.model.encoder),
            Stack::Decoder => (&self.decoder, &self.model.decoder),
            Stack::Cross if self.encoder.is_some() => (&self.decoder, &self.model.decoder),
            Stack::Cross => (&None, &None),
        };
        run.as_ref().zip(weights.as_ref()).ok_or_else(|| self.model.no_stack(stack))
    }

    /// A stack with a residual stream, which cross-attention does not have.
    pub(super) fn stream(&self, stack: Stack) -> Result<(&StackRun<B>, &StackWeights<B>)> {
        if stack == Stack::Cross {
            let got = "cross, which has no stream of its own";
            return Err(Error::new(
                Code::SelectionBadStack,
                "the stack",
                "encoder or decoder",
                got,
            ));
        }
        self.stack_run(stack)
    }

    pub(super) fn readable_rows(&self, stack: &StackRun<B>) -> Result<usize> {
        match stack.completed_rows(&self.model.backend) {
            0 => Err(not_ready("this stack")),
            n => Ok(n),
        }
    }

    pub(super) fn check_head(&self, stack: Stack, head: usize) -> Result<()> {
        let n_heads = self.model.config.stack(stack).map_or(0, |config| config.n_heads);
        if head < n_heads {
            Ok(())
        } else {
            Err(Error::beyond(Code::SelectionBadHead, "the head", n_heads - 1, head))
        }
    }

    /// The reading of the first `n` rows of a tensor, with the axis of its columns.
    pub(super) fn labelled(
        &self,
        x: &B::Tensor,
        n: usize,
        (axis, columns): (Axis, usize),
    ) -> Reading<Tensor> {
        let numbers = self.read(&self.model.backend.select(x, 0..n));
        Box::pin(async move { Tensor::new(numbers.await?, &[n, columns], &[Axis::Position, axis]) })
    }

    pub(super) fn read(&self, x: &B::Tensor) -> Reading<Vec<f32>> {
        Box::pin(self.model.backend.read(x))
    }
}

/// Reads the missing rows of some sites, all at once.
pub(super) async fn fetch_all<B: Backend>(backend: &B, specs: &[PatternSpec<B>]) -> Result<()> {
    let coming: Vec<_> = specs.iter().map(|spec| spec.pending_rows(backend)).collect();
    for (spec, pending_rows) in specs.iter().zip(coming) {
        if let Some(pending_rows) = pending_rows {
            spec.learn(pending_rows.await?);
        }
    }
    Ok(())
}

/// Refuses a part that is empty or beyond `n` rows or columns.
fn check_part(what: &str, part: &Range<usize>, n: usize) -> Result<()> {
    if part.start < part.end && part.end <= n {
        return Ok(());
    }
    let got = part.end.saturating_sub(1).max(part.start);
    Err(Error::beyond(Code::SelectionBadPosition, what, n - 1, got))
}
