//! Direct logit attribution: the logit of an entry of the vocabulary at a position, or the
//! difference of two, as the sum of what each part of the model adds to it.
//!
//! `logit = u · x + c`, `x = Σ parts`, so `logit = Σ (u · part) + c`
//!
//! The residual stream is a sum, and the way from it to a logit is linear once the scale of each
//! norm on the way is held as it is: `N(x) = (x − μ) / σ · γ + β` with `σ` of this run. So a
//! direction `u` is carried from the logit down the stream of one position, through the output head,
//! the final norm, and the norms that stand on the stream itself where they do, to the embedding.
//! Each part is multiplied with the direction where it joins the stream. Nothing is left out: the
//! sum is exact but for rounding.
//!
//! Sources: N. Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021), section on
//! the residual stream; K. Wang et al., "Interpretability in the Wild" (2022), section 3.1. The
//! activation of a masked-token head is held too, as the factor `f(x) / x`.
//!
//! A head's part goes through its own values and its own rows of `W_O`, so it has its share of the
//! value bias. What a head moves from other positions is counted as the head's; what made these
//! values there is not followed further. Of a soft cap the logit before it is a sum, not the logit.

use std::cell::RefCell;
use std::mem::take;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::direction::{Direction, dot};
use super::unwatched;
use super::view::View;
use crate::attention::MultiHeadAttention;
use crate::axes::{Stack, Stage, Step, Sublayer, named};
use crate::backend::Backend;
use crate::blocks::{ATTENTION, Block, Embedding, FEED_FORWARD, Joined, Transform};
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::model::Model;
use crate::question::{HeadRef, Id, Position, Reading, Work};
use crate::run::Run;
use crate::run::activation_patches::Spot;
use crate::run::finite::not_finite;
use crate::run::predictions::{check_ids, no_head};
use crate::run::views::checked_position;

named! {
    /// What a part of a logit comes from.
    LogitPartKind, Internal, "the part" {
        /// The embedding of the token at the position, of an image the class token.
        Token = "token",
        /// The positional encoding that is added to it.
        Position = "position",
        /// The embedding of the token's type.
        TokenType = "token-type",
        /// The bias of the norm and of the projection of the embeddings.
        EmbeddingBias = "embedding-bias",
        /// One head, through its values and its rows of `W_O`.
        Head = "head",
        /// The bias of an attention's output projection.
        AttentionBias = "attention-bias",
        /// The biases of the norms at the end of an attention.
        AttentionNormBias = "attention-norm-bias",
        /// A feed-forward network, without the bias of its second map.
        FeedForward = "feed-forward",
        /// The bias of a feed-forward network's second map.
        FeedForwardBias = "feed-forward-bias",
        /// The biases of the norms at the end of a feed-forward network.
        FeedForwardNormBias = "feed-forward-norm-bias",
        /// The convolution beside a block.
        Convolution = "convolution",
        /// The bias of the norm after a convolution.
        ConvolutionNormBias = "convolution-norm-bias",
        /// What the patches of a block put there beyond what its parts give.
        Patch = "patch",
        /// The bias of the final norm.
        FinalNormBias = "final-norm-bias",
        /// The biases of the output head.
        UnembeddingBias = "unembedding-bias",
    }
}

named! {
    /// A scale that an attribution holds as this run has it.
    FrozenScale, Internal, "the scale" {
        /// The final norm's.
        FinalNorm = "final-norm",
        /// Those of norms on the residual stream, or of a sublayer's output.
        BlockNorms = "block-norms",
        /// The embedding norm's.
        EmbeddingNorm = "embedding-norm",
        /// The norm's inside of the output head.
        HeadNorm = "head-norm",
        /// The factor `f(x) / x` of the activation inside of the output head.
        HeadActivation = "head-activation",
    }
}

/// The fields of the question `attribution`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct AttributionAsked {
    /// The position that predicts.
    pub position: Position,
    /// The entry of the vocabulary whose logit is a sum of parts.
    pub id: Id,
    /// The entry whose logit is subtracted; none by default.
    pub against: Option<Id>,
    /// The head whose part is told apart by the tokens that it looks at.
    pub head: Option<HeadRef>,
}

/// One part of a logit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogitPart {
    /// What it comes from.
    pub kind: LogitPartKind,
    /// The stack of a part of a block; `cross` for cross-attention.
    pub stack: Option<Stack>,
    /// The index of the block.
    pub layer: Option<usize>,
    /// The index of the head.
    pub head: Option<usize>,
    /// What it adds to the logit.
    pub value: f64,
}

/// A logit, or the difference of two, as a sum of parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
#[serde(rename_all = "camelCase")]
pub struct Attribution {
    /// The logit that the model gives, or the difference of two.
    pub logit: f64,
    /// The same before the model's soft cap, of which the parts are a sum; without a cap, `logit`.
    pub uncapped: f64,
    /// The sum of the parts.
    pub sum: f64,
    /// The scales that are held as this run has them.
    pub frozen: Vec<FrozenScale>,
    /// The parts, from the embedding upwards.
    pub parts: Vec<LogitPart>,
    /// The share of each key in the part of the head that was named, and its weight; null if none was
    /// named, if a patch replaces the head's output, or if the output head reads two tokens.
    pub keys: Option<Vec<KeyPart>>,
}

/// What one key adds to a logit through one head.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeyPart {
    /// The head's weight of the key.
    pub weight: f64,
    /// What it adds to the logit.
    pub value: f64,
}

/// The place of a block's part: stack and layer.
type Place = Option<(Stack, usize)>;

/// The parts found so far, from the logit downwards.
#[derive(Default)]
struct Found {
    parts: Vec<LogitPart>,
    frozen: Vec<FrozenScale>,
    keys: Option<Vec<KeyPart>>,
}

/// The way down from a logit.
struct Descent<B: Backend> {
    model: Rc<Model<B>>,
    asked: AttributionAsked,
    /// The blocks that are left, the next one last.
    views: Vec<View<B>>,
    logits: Option<Reading<Vec<f32>>>,
    /// The positions that the head reads, each with the direction in its stream.
    rows: Vec<(usize, Direction)>,
    found: Found,
    logit: f64,
    uncapped: f64,
}

/// One block at one position, with the rows that its code computes there.
struct Descended<'a, B: Backend> {
    backend: &'a B,
    view: &'a View<B>,
    at: usize,
    watched: Vec<(Sublayer, Step, B::Tensor)>,
    found: &'a mut Found,
    head: Option<&'a HeadRef>,
}

impl<B: Backend> Run<B> {
    /// The logit of an entry of the vocabulary at a position, or the difference of two logits, as
    /// the sum of what the parts of the model add to it, in steps, block by block from the last.
    ///
    /// # Errors
    /// `output/unavailable` for a model without a head, `selection/…` for a position or a head that
    /// does not exist, `input/bad-id` for an entry outside the vocabulary, `run/not-ready`. The work
    /// fails with `run/not-finite` where a part is no number.
    pub fn attribution(&self, asked: AttributionAsked) -> Result<Work<Attribution>> {
        let at = checked_position(asked.position.0, self.predicting_rows()?)?;
        let ids = std::iter::once(asked.id.0).chain(asked.against.as_ref().map(|id| id.0));
        for id in ids {
            check_ids(&[at.start], &[id], self.model.config.n_vocabulary)?;
        }
        let logits = self.head_output(at)?;
        let stack = if self.decoder.is_some() { Stack::Decoder } else { Stack::Encoder };
        if let Some(head) = &asked.head {
            if stack == Stack::Decoder && head.stack == Stack::Encoder {
                let expected = "the stack that predicts, or its cross-attention";
                return Err(Error::new(Code::SelectionBadStack, "the head", expected, "encoder"));
            }
            View::of(self, head.stack, head.layer.0, head.head.0)?;
        }
        let layers = self.layers(stack, None)?;
        let going = Descent {
            views: layers.map(|layer| View::of(self, stack, layer, 0)).collect::<Result<_>>()?,
            logits: Some(self.read(&logits)),
            model: Rc::clone(&self.model),
            asked,
            rows: Vec::new(),
            found: Found::default(),
            logit: 0.0,
            uncapped: 0.0,
        };
        let held = Rc::new(RefCell::new(Some(going)));
        Ok(Work::new(move || {
            let held = Rc::clone(&held);
            Box::pin(async move {
                let Some(mut going) = held.take() else { return Ok(None) };
                let answer = going.step().await?;
                held.replace(Some(going));
                Ok(answer)
            })
        }))
    }
}

impl<B: Backend> Descent<B> {
    /// Takes the head, or one block.
    async fn step(&mut self) -> Result<Option<Attribution>> {
        if let Some(logits) = self.logits.take() {
            self.enter(&logits.await?).await?;
            return Ok(None);
        }
        let Some(view) = self.views.pop() else { return self.answer().map(Some) };
        view.own.fetch(&self.model.backend).await?;
        if let Some(cross) = &view.cross {
            cross.fetch(&self.model.backend).await?;
        }
        let head = self.asked.head.as_ref().filter(|_| self.rows.len() == 1);
        for (at, direction) in &mut self.rows {
            let mut block = Descended {
                backend: &self.model.backend,
                view: &view,
                at: *at,
                watched: view.watched_sublayers(&self.model, *at),
                found: &mut self.found,
                head,
            };
            block.descend(&self.model, direction).await?;
        }
        Ok(None)
    }

    /// The directions in the output of the stack, and below its final norm.
    async fn enter(&mut self, logits: &[f32]) -> Result<()> {
        let model = Rc::clone(&self.model);
        let backend = &model.backend;
        let (Some(head), Some(view)) = (&model.head, self.views.last()) else {
            return Err(no_head());
        };
        let output = view.normed.as_ref().unwrap_or(&view.leaving);
        let readers = match &head.distilled {
            Some(distilled) => vec![(0, &head.projection, 0.5), (1, distilled, 0.5)],
            None => vec![(self.asked.position.0, &head.projection, 1.0)],
        };
        let id = self.asked.id.0;
        let against = self.asked.against.as_ref().map(|id| id.0);
        let found = &mut self.found;
        self.logit = difference(logits, id, against);
        for (at, map, share) in readers {
            let mut direction = Direction::of_output(backend, map, id, against).await?;
            let mut bias = match map.bias() {
                Some(bias) => share * difference(&backend.read(bias).await?, id, against),
                None => 0.0,
            };
            direction.scale(share * f64::from(head.factor.unwrap_or(1.0)));
            let x = backend.select(output, at..at + 1);
            if let Some(transform) = &head.transform {
                bias += found.transform(backend, transform, &x, &mut direction).await?;
            }
            found.add_bias(LogitPartKind::UnembeddingBias, None, bias);
            self.uncapped += bias + direction.dot(&backend.read(&x).await?);
            let final_norm = model.predicting().and_then(|stack| stack.final_norm.as_ref());
            if let Some(norm) = final_norm {
                let x = backend.read(&backend.select(&view.leaving, at..at + 1)).await?;
                let bias = direction.through_norm(backend, norm, &x).await?;
                found.add_bias(LogitPartKind::FinalNormBias, None, bias);
                found.hold(FrozenScale::FinalNorm);
            }
            self.rows.push((at, direction));
        }
        Ok(())
    }

    fn answer(&mut self) -> Result<Attribution> {
        let Found { mut parts, frozen, keys } = take(&mut self.found);
        parts.reverse();
        let sum: f64 = parts.iter().map(|part| part.value).sum();
        if !sum.is_finite() || !self.logit.is_finite() {
            return Err(not_finite("the parts of a logit".to_owned()));
        }
        let is_capped = self.model.head.as_ref().is_some_and(|head| head.cap.is_some());
        let uncapped = if is_capped { self.uncapped } else { self.logit };
        Ok(Attribution { logit: self.logit, uncapped, sum, frozen, parts, keys })
    }
}

impl<B: Backend> Descended<'_, B> {
    /// Carries the direction from the output of the block to its input, and adds its parts.
    async fn descend(&mut self, model: &Model<B>, u: &mut Direction) -> Result<()> {
        let view = self.view;
        let Some(weights) = view.weights(model) else { return Ok(()) };
        let block = &weights.blocks[view.layer];
        let place = Some((view.stack, view.layer));
        let top = u.dot(&self.read(&view.leaving).await?);
        let before = self.found.sum();
        if let Some(convolution) = &block.convolution {
            let sum = self.row(Sublayer::FeedForward, Step::ConvolvedSum).await?;
            let bias = u.through_norm(self.backend, &convolution.norm, &sum).await?;
            self.found.hold(FrozenScale::BlockNorms);
            self.found.add_bias(LogitPartKind::ConvolutionNormBias, place, bias);
            let found = self.row(Sublayer::FeedForward, Step::ConvolvedActivated).await?;
            self.found.add(LogitPartKind::Convolution, place, None, u.dot(&found));
        }
        self.feed_forward(block, u).await?;
        if let (Some(cross), Some(_)) = (&block.cross, &view.cross) {
            let joined = cross.residual.joined(view.wiring.cross, ATTENTION);
            self.attention(&cross.attention, &joined, Sublayer::Cross, u).await?;
        }
        let joined = block.self_residual.joined(view.wiring.own, ATTENTION);
        self.attention(&block.self_attention, &joined, Sublayer::Own, u).await?;
        let bottom = if view.layer == 0 {
            self.embedding(&weights.embedding, u).await?;
            0.0
        } else {
            u.dot(&self.read(&view.input).await?)
        };
        if view.activation_patches.touch(self.at) {
            let given = self.found.sum() - before;
            self.found.add(LogitPartKind::Patch, place, None, top - given - bottom);
        }
        Ok(())
    }

    async fn feed_forward(&mut self, block: &Block<B>, u: &mut Direction) -> Result<()> {
        let place = Some((self.view.stack, self.view.layer));
        let joined =
            block.feed_forward_residual.joined(self.view.wiring.feed_forward, FEED_FORWARD);
        let kind = LogitPartKind::FeedForwardNormBias;
        let own = self.leave(&joined, (Sublayer::FeedForward, kind), place, u).await?;
        let bias = match block.feed_forward.outer.bias() {
            Some(bias) => own.dot(&self.backend.read(bias).await?),
            None => 0.0,
        };
        self.found.add_bias(LogitPartKind::FeedForwardBias, place, bias);
        let output = self.row(Sublayer::FeedForward, Step::FfOutput).await?;
        self.found.add(LogitPartKind::FeedForward, place, None, own.dot(&output) - bias);
        Ok(())
    }

    async fn attention(
        &mut self,
        attention: &MultiHeadAttention<B>,
        joined: &Joined<'_, B>,
        sublayer: Sublayer,
        u: &mut Direction,
    ) -> Result<()> {
        let is_cross = sublayer == Sublayer::Cross;
        let stack = if is_cross { Stack::Cross } else { self.view.stack };
        let place = Some((stack, self.view.layer));
        let kind = LogitPartKind::AttentionNormBias;
        let mut own = self.leave(joined, (sublayer, kind), place, u).await?;
        let bias = own.through_map(self.backend, &attention.output).await?;
        self.found.add_bias(LogitPartKind::AttentionBias, place, bias);
        let context = self.row(sublayer, Step::Context).await?;
        let width = attention.head_dim;
        let pieces = own.0.chunks_exact(width).zip(context.chunks_exact(width));
        for (head, (direction, context)) in pieces.enumerate().rev() {
            let value = dot(direction, context);
            self.found.add(LogitPartKind::Head, place, Some(head), value);
        }
        let asked = self.head.filter(|head| head.stack == stack && head.layer.0 == self.view.layer);
        if let Some(head) = asked {
            let head = head.head.0;
            self.keys(sublayer, head, &own.0[head * width..(head + 1) * width]).await?;
        }
        Ok(())
    }

    /// Tells a head's part apart by its keys, from the direction of the head's output.
    async fn keys(&mut self, sublayer: Sublayer, head: usize, direction: &[f64]) -> Result<()> {
        let layer = self.view.layer;
        let width = direction.len();
        let cross = self.view.cross.as_ref().filter(|_| sublayer == Sublayer::Cross);
        let site = cross.unwrap_or(&self.view.own);
        let spot = Spot { layer, sublayer, step: Step::Context, is_projected: false };
        let columns = [head * width, site.n_heads * width];
        if self.view.activation_patches.has(spot, self.at, columns) {
            return Ok(());
        }
        let weights = site.pattern_rows(self.backend, head, self.at..self.at + 1, Stage::Weights);
        let values = self.backend.read(&site.value).await?;
        let first = site.kv_head(head) * width;
        let gate = f64::from(site.gates[head]);
        let rows = values.chunks_exact(site.n_kv_heads * width);
        let keys = weights.into_iter().zip(rows).map(|(weight, row)| {
            let weight = f64::from(weight);
            KeyPart { weight, value: gate * weight * dot(direction, &row[first..first + width]) }
        });
        self.found.keys = Some(keys.collect());
        Ok(())
    }

    /// Carries the direction over the end of a sublayer, and returns the direction of its output.
    async fn leave(
        &mut self,
        joined: &Joined<'_, B>,
        (sublayer, kind): (Sublayer, LogitPartKind),
        place: Place,
        u: &mut Direction,
    ) -> Result<Direction> {
        let steps = joined.steps;
        let mut bias = 0.0;
        if joined.side == NormPlace::Post {
            let entering = match (joined.residual, joined.after) {
                (true, _) => steps.sum,
                (false, Some(_)) => steps.found_normed,
                (false, None) => steps.found,
            };
            let x = self.row(sublayer, entering).await?;
            bias += u.through_norm(self.backend, joined.norm, &x).await?;
            self.found.hold(FrozenScale::BlockNorms);
        }
        let mut own = u.clone();
        if !joined.residual {
            u.scale(0.0);
        }
        if let Some(after) = joined.after {
            let x = self.row(sublayer, steps.found).await?;
            bias += own.through_norm(self.backend, after, &x).await?;
            self.found.hold(FrozenScale::BlockNorms);
        }
        self.found.add_bias(kind, place, bias);
        Ok(own)
    }

    /// Adds the parts of the embedding.
    async fn embedding(&mut self, embedding: &Embedding<B>, u: &mut Direction) -> Result<()> {
        let (backend, view, at) = (self.backend, self.view, self.at);
        let before = embedding.projection.as_ref().filter(|_| embedding.projects_tokens);
        let after = embedding.projection.as_ref().filter(|_| !embedding.projects_tokens);
        let ids = &view.ids[at..=at];
        let types = &view.types[at..=at];
        let tokens = embedding.tokens(backend, ids, view.patches.as_ref(), embedding.scale);
        let added = view.added.as_ref().map(|table| backend.select(table, at..at + 1));
        let mut bias = match after {
            Some(projection) => u.through_map(backend, projection).await?,
            None => 0.0,
        };
        if let Some(norm) = &embedding.norm {
            let projected = before.map(|projection| projection.forward(backend, &tokens));
            let projected = projected.unwrap_or_else(|| tokens.clone());
            let sum = embedding.sum(backend, projected, types, added.as_ref());
            bias += u.through_norm(backend, norm, &backend.read(&sum).await?).await?;
            self.found.hold(FrozenScale::EmbeddingNorm);
        }
        if let Some(table) = &embedding.token_types {
            let row = backend.read(&backend.embed(table, types, 1.0)).await?;
            self.found.add(LogitPartKind::TokenType, None, None, u.dot(&row));
        }
        if let Some(added) = added {
            let row = backend.read(&added).await?;
            self.found.add(LogitPartKind::Position, None, None, u.dot(&row));
        }
        if let Some(projection) = before {
            bias += u.through_map(backend, projection).await?;
        }
        self.found.add_bias(LogitPartKind::EmbeddingBias, None, bias);
        let row = backend.read(&tokens).await?;
        self.found.add(LogitPartKind::Token, None, None, u.dot(&row));
        Ok(())
    }

    /// The reading of the row of a tensor of all rows.
    async fn read(&self, x: &B::Tensor) -> Result<Vec<f32>> {
        self.backend.read(&self.backend.select(x, self.at..self.at + 1)).await
    }

    /// The reading of the row of a step of a sublayer.
    async fn row(&self, sublayer: Sublayer, step: Step) -> Result<Vec<f32>> {
        let here = |one: &&(Sublayer, Step, B::Tensor)| one.0 == sublayer && one.1 == step;
        let (.., x) = self.watched.iter().find(here).ok_or_else(|| unwatched(step))?;
        self.backend.read(x).await
    }
}

impl Found {
    /// Adds to a part; the second token that a head reads adds to the parts of the first.
    fn add(&mut self, kind: LogitPartKind, place: Place, head: Option<usize>, value: f64) {
        let (stack, layer) = place.unzip();
        let same = |part: &&mut LogitPart| {
            (part.kind, part.stack, part.layer, part.head) == (kind, stack, layer, head)
        };
        match self.parts.iter_mut().find(same) {
            Some(part) => part.value += value,
            None => self.parts.push(LogitPart { kind, stack, layer, head, value }),
        }
    }

    /// Adds the share of biases, unless there are none.
    fn add_bias(&mut self, kind: LogitPartKind, place: Place, value: f64) {
        if value != 0.0 {
            self.add(kind, place, None, value);
        }
    }

    fn hold(&mut self, scale: FrozenScale) {
        if !self.frozen.contains(&scale) {
            self.frozen.push(scale);
        }
    }

    fn sum(&self) -> f64 {
        self.parts.iter().map(|part| part.value).sum()
    }

    /// Carries a direction through the transform of an output head at its input `x`, and returns
    /// the share of its biases.
    async fn transform<B: Backend>(
        &mut self,
        backend: &B,
        transform: &Transform<B>,
        x: &B::Tensor,
        u: &mut Direction,
    ) -> Result<f64> {
        let mut bias = 0.0;
        let mapped = transform.dense.forward(backend, x);
        let activated = backend.read(&backend.activate(&mapped, transform.activation)).await?;
        if let Some(norm) = &transform.norm {
            bias += u.through_norm(backend, norm, &activated).await?;
            self.hold(FrozenScale::HeadNorm);
        }
        if transform.activation != Activation::Linear {
            let mapped = backend.read(&mapped).await?;
            bias += u.through_activation(transform.activation, &mapped, &activated);
            self.hold(FrozenScale::HeadActivation);
        }
        bias += u.through_map(backend, &transform.dense).await?;
        Ok(bias)
    }
}

/// The number of an entry, less that of another.
fn difference(numbers: &[f32], id: usize, against: Option<usize>) -> f64 {
    f64::from(numbers[id]) - against.map_or(0.0, |id| f64::from(numbers[id]))
}
