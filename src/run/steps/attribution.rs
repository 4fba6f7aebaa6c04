//! Direct logit attribution: the logit of an entry of the vocabulary at a position, or the
//! difference of two, as the sum of what each part of the model adds to it.
//!
//! `logit = u · x + c`, `x = Σ parts`, so `logit = Σ (u · part) + c`
//!
//! The residual stream is a sum, and the way from it to a logit is linear once the scale of each
//! norm on the way is held as it is: `N(x) = (x − μ) / σ · γ + β` with `σ` of this run. So a
//! direction `u` is carried from the logit down the stream of one position, through the output
//! head, the final norm, and the norms that stand on the stream itself where they do, to the
//! embedding. Each part is multiplied with the direction where it joins the stream. Nothing is left
//! out: the sum is exact but for rounding.
//!
//! Sources: N. Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021), section
//! on the residual stream; K. Wang et al., "Interpretability in the Wild" (2022), section 3.1. The
//! activation of a masked-token head is held too, as the factor `f(x) / x`.
//!
//! A head's part goes through its own values and its own rows of `W_O`, so it has its share of the
//! value bias. What a head moves from other positions is counted as the head's; what made these
//! values there is not followed further. Of a soft cap the logit before it is a sum, not the logit.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::direction::{Asking, At, Direction, MapRead, NormRead, dot, read_all};
use super::unwatched;
use super::view::View;
use crate::attention::MultiHeadAttention;
use crate::axes::{Stack, Stage, Step, Sublayer, named};
use crate::backend::{Backend, Linear};
use crate::blocks::{ATTENTION, Embedding, FEED_FORWARD, Joined};
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::model::Model;
use crate::question::{HeadRef, Id, Position, Reading, Work};
use crate::run::Run;
use crate::run::activation_patches::Spot;
use crate::run::checks::checked_position;
use crate::run::finite::not_finite;
use crate::run::predictions::{check_ids, no_head};

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
        /// The scales of norms on the residual stream, or of a sublayer's output.
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
    /// The head whose part is also given as a sum over the keys it attends to.
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
    /// The logit before the model's soft cap, the sum of the parts; without a cap, `logit`.
    pub uncapped: f64,
    /// The sum of the parts.
    pub sum: f64,
    /// The scales that are held as this run has them.
    pub frozen: Vec<FrozenScale>,
    /// The parts, from the embedding upwards.
    pub parts: Vec<LogitPart>,
    /// The share of each key in the part of the head that was named, and its weight; null if none
    /// was named, if a patch replaces the head's output, or if the output head reads two tokens.
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

/// Heads whose parts are also sums over keys.
#[derive(Debug, Clone)]
pub(in crate::run) struct KeysOf {
    pub stack: Stack,
    pub layers: Range<usize>,
    pub heads: Range<usize>,
}

/// What each key adds through a head.
pub(in crate::run) struct HeadKeys {
    pub layer: usize,
    pub head: usize,
    /// The keys; `None` where a patch replaces the head's output.
    pub keys: Option<Vec<KeyPart>>,
}

/// The place of a block's part: stack and layer.
type Place = Option<(Stack, usize)>;

/// The parts found so far, from the logit downwards.
#[derive(Default)]
struct Found {
    parts: Vec<LogitPart>,
    frozen: Vec<FrozenScale>,
    keys: Vec<HeadKeys>,
}

/// The way down from a logit.
struct Descent<B: Backend> {
    model: Rc<Model<B>>,
    asked: AttributionAsked,
    /// The heads whose keys are wanted.
    keys: Option<KeysOf>,
    /// The blocks that are left, the next one last.
    views: Vec<View<B>>,
    /// The logits at the position, until the head is taken.
    logits: Option<B::Tensor>,
    /// The positions that the output head reads.
    rows: Vec<usize>,
    way: Rc<RefCell<Way>>,
}

/// What is known on the way.
#[derive(Default)]
struct Way {
    /// The direction in the stream of each position that the head reads.
    directions: Vec<Direction>,
    found: Found,
    logit: f64,
    uncapped: f64,
}

/// What is read of the output head for one position.
struct OutputRead {
    entry: At,
    against: Option<At>,
    bias: Option<At>,
    /// The factor of the logits, and that of the projection's input.
    factor: f64,
    /// The norm inside of the head, its activation with input and output, and its map.
    transform: Option<(Option<NormRead>, Activation, [At; 2], MapRead)>,
    output: At,
    final_norm: Option<NormRead>,
}

/// What is read of a sublayer's end.
struct EndRead {
    after_sum: Option<NormRead>,
    has_residual: bool,
    after: Option<NormRead>,
}

/// What is read of an attention sublayer.
struct AttentionRead {
    stack: Stack,
    end: EndRead,
    output: MapRead,
    context: At,
    head_dim: usize,
    keys: Option<KeysRead>,
}

/// What is read of the keys of some heads of a block.
struct KeysRead {
    layer: usize,
    values: At,
    heads: Vec<(usize, Option<HeadRead>)>,
}

/// What is read of one head.
struct HeadRead {
    weights: Vec<f32>,
    /// The first column of the head's values.
    first: usize,
    gate: f32,
}

/// What is read of the embedding.
struct EmbeddingRead {
    /// The projection of the normed sum, or of the tokens.
    after: Option<MapRead>,
    before: Option<MapRead>,
    norm: Option<NormRead>,
    token_type: Option<At>,
    position: Option<At>,
    tokens: At,
}

/// What is read of a block at one position.
struct BlockRead {
    stack: Stack,
    layer: usize,
    leaving: At,
    entering: At,
    /// The norm after a convolution, and the convolution's output.
    convolution: Option<(NormRead, At)>,
    network: (EndRead, Option<At>, At),
    cross: Option<AttentionRead>,
    own: AttentionRead,
    embedding: Option<EmbeddingRead>,
    is_patched: bool,
}

impl<B: Backend> Run<B> {
    /// The logit of an entry of the vocabulary at a position, or the difference of two logits, as
    /// the sum of what the parts of the model add to it, in steps, block by block from the last.
    ///
    /// # Errors
    /// `output/unavailable` for a model without a head, `selection/…` for a position or a head that
    /// does not exist, `input/bad-id` for an entry outside the vocabulary, `run/not-ready`. The
    /// work fails with `run/not-finite` where a part is no number.
    pub fn attribution(&self, asked: AttributionAsked) -> Result<Work<Attribution>> {
        let keys = asked.head.as_ref().map(|head| {
            let [layer, of] = [head.layer.0, head.head.0];
            KeysOf { stack: head.stack, layers: layer..layer + 1, heads: of..of + 1 }
        });
        let is_capped = self.model.head.as_ref().is_some_and(|head| head.cap.is_some());
        let mut going = self.descent(asked, keys)?;
        Ok(Work::new(move || {
            let step = going.step();
            Box::pin(async move { step.await?.map(|way| way.answer(is_capped)).transpose() })
        }))
    }

    /// What each key adds through each of some heads: what [`Self::attribution`] says of them,
    /// without the parts below, the last block first.
    ///
    /// # Errors
    /// The errors of [`Self::attribution`].
    pub(in crate::run) fn keys_of(
        &self,
        asked: AttributionAsked,
        keys: KeysOf,
    ) -> Result<Reading<Vec<HeadKeys>>> {
        let lowest = keys.layers.start;
        let mut going = self.descent(asked, Some(keys))?;
        going.views.drain(..lowest);
        Ok(Box::pin(async move {
            loop {
                if let Some(way) = going.step().await? {
                    return Ok(way.found.keys);
                }
            }
        }))
    }

    fn descent(&self, asked: AttributionAsked, keys: Option<KeysOf>) -> Result<Descent<B>> {
        let at = checked_position(asked.position.0, self.predicting_rows()?)?;
        let ids = std::iter::once(asked.id.0).chain(asked.against.as_ref().map(|id| id.0));
        for id in ids {
            check_ids(&[at.start], &[id], self.model.config.n_vocabulary)?;
        }
        let reads_two = self.model.head.as_ref().is_some_and(|head| head.distilled.is_some());
        let rows = if reads_two { vec![0, 1] } else { vec![at.start] };
        let logits = self.head_output(at)?;
        let stack = if self.decoder.is_some() { Stack::Decoder } else { Stack::Encoder };
        if let Some(keys) = &keys {
            if stack == Stack::Decoder && keys.stack == Stack::Encoder {
                let expected = "the stack that predicts, or its cross-attention";
                return Err(Error::new(Code::SelectionBadStack, "the head", expected, "encoder"));
            }
            View::of(self, keys.stack, keys.layers.start, keys.heads.start)?;
        }
        let layers = self.layers(stack, None)?;
        Ok(Descent {
            views: layers.map(|layer| View::of(self, stack, layer, 0)).collect::<Result<_>>()?,
            logits: Some(logits),
            model: Rc::clone(&self.model),
            asked,
            keys,
            rows,
            way: Rc::default(),
        })
    }
}

impl<B: Backend> Descent<B> {
    /// Takes the head, or one block, or reads what the `cpu` backend needs of a block; once no
    /// block is left, what was found.
    fn step(&mut self) -> Reading<Option<Way>> {
        let way = Rc::clone(&self.way);
        let (asked, model) = (self.asked.clone(), Rc::clone(&self.model));
        if let Some(logits) = self.logits.take() {
            let mut asking = Asking::new(&model.backend);
            let logits = asking.tensor(&logits);
            let heads: Result<Vec<OutputRead>> =
                self.rows.iter().map(|&at| self.head(at, &mut asking)).collect();
            let readings = asking.readings;
            return Box::pin(async move {
                let heads = heads?;
                let numbers = read_all(readings).await?;
                way.borrow_mut().enter(&asked, &numbers[logits], &heads, &numbers);
                Ok(None)
            });
        }
        let Some(view) = self.views.last() else {
            return Box::pin(async move { Ok(Some(way.take())) });
        };
        for site in std::iter::once(&view.own).chain(&view.cross) {
            if let Some(pending_rows) = site.pending_rows(&model.backend) {
                let memo = site.memo.of_read();
                return Box::pin(async move {
                    memo.store_rows(pending_rows.await?);
                    Ok(None)
                });
            }
        }
        let mut asking = Asking::new(&model.backend);
        let keys = self.keys.as_ref().filter(|_| self.rows.len() == 1);
        let reads: Result<Vec<BlockRead>> = self
            .rows
            .iter()
            .map(|&at| Watched::of(&model, view, at).block(keys, &mut asking))
            .collect();
        let readings = asking.readings;
        self.views.pop();
        Box::pin(async move {
            let reads = reads?;
            let numbers = read_all(readings).await?;
            way.borrow_mut().descend(&reads, &numbers);
            Ok(None)
        })
    }

    /// What is read of the output head for a position.
    fn head(&self, at: usize, asking: &mut Asking<'_, B>) -> Result<OutputRead> {
        let backend = asking.backend;
        let (Some(head), Some(view)) = (&self.model.head, self.views.last()) else {
            return Err(no_head());
        };
        let distilled = head.distilled.as_ref().filter(|_| at == 1);
        let map = distilled.unwrap_or(&head.projection);
        let share = if head.distilled.is_some() { 0.5 } else { 1.0 };
        let x = backend.select(view.normed.as_ref().unwrap_or(&view.leaving), at..at + 1);
        let transform = head.transform.as_ref().map(|transform| {
            let mapped = transform.dense.forward(backend, &x);
            let activated = backend.activate(&mapped, transform.activation);
            let [mapped, activated] = [mapped, activated].map(|x| asking.tensor(&x));
            let norm = transform.norm.as_ref().map(|norm| asking.norm(norm, activated));
            let dense = asking.map(&transform.dense, head.widths[0]);
            (norm, transform.activation, [mapped, activated], dense)
        });
        let norm = self.model.predicting().and_then(|stack| stack.final_norm.as_ref());
        let final_norm = norm.map(|norm| {
            let input = asking.row(&view.leaving, at);
            asking.norm(norm, input)
        });
        let against = self.asked.against.as_ref();
        Ok(OutputRead {
            entry: asking.tensor(&map.column(backend, self.asked.id.0)),
            against: against.map(|id| asking.tensor(&map.column(backend, id.0))),
            bias: map.bias().map(|bias| asking.tensor(bias)),
            factor: share * f64::from(head.factor.unwrap_or(1.0)),
            transform,
            output: asking.tensor(&x),
            final_norm,
        })
    }
}

/// One block at one position, with the rows that its code computes there.
struct Watched<'a, B: Backend> {
    model: &'a Model<B>,
    view: &'a View<B>,
    at: usize,
    rows: Vec<(Sublayer, Step, B::Tensor)>,
}

impl<'a, B: Backend> Watched<'a, B> {
    fn of(model: &'a Model<B>, view: &'a View<B>, at: usize) -> Self {
        Self { model, view, at, rows: view.watched_sublayers(model, at..at + 1) }
    }

    /// What is read of the block.
    fn block(&self, keys: Option<&KeysOf>, asking: &mut Asking<'_, B>) -> Result<BlockRead> {
        let Self { model, view, at, .. } = *self;
        let weights = view.weights(model).ok_or_else(|| model.no_stack(view.stack))?;
        let block = &weights.blocks[view.layer];
        let convolution = match &block.convolution {
            Some(convolution) => {
                let sum = self.row((Sublayer::FeedForward, Step::ConvolvedSum), asking)?;
                let norm = asking.norm(&convolution.norm, sum);
                let found = (Sublayer::FeedForward, Step::ConvolvedActivated);
                Some((norm, self.row(found, asking)?))
            }
            None => None,
        };
        let joined = block.feed_forward_residual.joined(view.wiring.feed_forward, FEED_FORWARD);
        let end = self.end(&joined, Sublayer::FeedForward, asking)?;
        let bias = block.feed_forward.outer.bias().map(|bias| asking.tensor(bias));
        let output = self.row((Sublayer::FeedForward, Step::FfOutput), asking)?;
        let cross = match &block.cross {
            Some(cross) => {
                let joined = cross.residual.joined(view.wiring.cross, ATTENTION);
                let attention = (&cross.attention, Sublayer::Cross);
                Some(self.attention(attention, &joined, keys, asking)?)
            }
            None => None,
        };
        let joined = block.self_residual.joined(view.wiring.own, ATTENTION);
        let attention = (&block.self_attention, Sublayer::Own);
        Ok(BlockRead {
            stack: view.stack,
            layer: view.layer,
            leaving: asking.row(&view.leaving, at),
            entering: asking.row(&view.input, at),
            convolution,
            network: (end, bias, output),
            cross,
            own: self.attention(attention, &joined, keys, asking)?,
            embedding: (view.layer == 0).then(|| self.embedding(&weights.embedding, asking)),
            is_patched: view.activation_patches.touch(at),
        })
    }

    fn attention(
        &self,
        (attention, sublayer): (&MultiHeadAttention<B>, Sublayer),
        joined: &Joined<'_, B>,
        keys: Option<&KeysOf>,
        asking: &mut Asking<'_, B>,
    ) -> Result<AttentionRead> {
        let view = self.view;
        let stack = if sublayer == Sublayer::Cross { Stack::Cross } else { view.stack };
        let own = keys.filter(|keys| keys.stack == stack && keys.layers.contains(&view.layer));
        Ok(AttentionRead {
            stack,
            end: self.end(joined, sublayer, asking)?,
            output: asking.map(&attention.output, self.model.config.d_model),
            context: self.row((sublayer, Step::Context), asking)?,
            head_dim: attention.head_dim,
            keys: own.map(|own| self.keys(sublayer, own, attention.head_dim, asking)),
        })
    }

    /// What is read of the keys of heads, of those whose output no patch replaces.
    fn keys(
        &self,
        sublayer: Sublayer,
        keys: &KeysOf,
        width: usize,
        asking: &mut Asking<'_, B>,
    ) -> KeysRead {
        let view = self.view;
        let cross = view.cross.as_ref().filter(|_| sublayer == Sublayer::Cross);
        let site = cross.unwrap_or(&view.own);
        let layer = view.layer;
        let spot = Spot { layer, sublayer, step: Step::Context, is_projected: false };
        let rows = self.at..self.at + 1;
        let is_patched = |head: usize| {
            view.activation_patches.has(spot, self.at, [head * width, site.n_heads * width])
        };
        let heads = keys.heads.clone().map(|head| {
            let read = (!is_patched(head)).then(|| HeadRead {
                weights: site.pattern_rows(asking.backend, head, rows.clone(), Stage::Weights),
                first: site.kv_head(head) * width,
                gate: site.gates[head],
            });
            (head, read)
        });
        KeysRead { layer, heads: heads.collect(), values: asking.tensor(&site.value) }
    }

    fn end(
        &self,
        joined: &Joined<'_, B>,
        sublayer: Sublayer,
        asking: &mut Asking<'_, B>,
    ) -> Result<EndRead> {
        let steps = joined.steps;
        let after_sum = if joined.side == NormPlace::Post {
            let entering = match (joined.residual, joined.after) {
                (true, _) => steps.sum,
                (false, Some(_)) => steps.found_normed,
                (false, None) => steps.found,
            };
            let input = self.row((sublayer, entering), asking)?;
            Some(asking.norm(joined.norm, input))
        } else {
            None
        };
        let after = match joined.after {
            Some(after) => {
                let input = self.row((sublayer, steps.found), asking)?;
                Some(asking.norm(after, input))
            }
            None => None,
        };
        Ok(EndRead { after_sum, has_residual: joined.residual, after })
    }

    fn embedding(&self, embedding: &Embedding<B>, asking: &mut Asking<'_, B>) -> EmbeddingRead {
        let Self { view, at, .. } = *self;
        let backend = asking.backend;
        let projection = embedding.projection.as_ref();
        let before = projection.filter(|_| embedding.projects_tokens);
        let after = projection.filter(|_| !embedding.projects_tokens);
        let types = &view.types[at..=at];
        let ids = &view.ids[at..=at];
        let tokens = embedding.tokens(backend, ids, view.patches.as_ref(), embedding.scale);
        let added = view.added.as_ref().map(|table| backend.select(table, at..at + 1));
        let norm = embedding.norm.as_ref().map(|norm| {
            let projected = before.map(|projection| projection.forward(backend, &tokens));
            let projected = projected.unwrap_or_else(|| tokens.clone());
            let sum = embedding.sum(backend, projected, types, added.as_ref());
            let input = asking.tensor(&sum);
            asking.norm(norm, input)
        });
        let token_type = embedding.token_types.as_ref();
        let mut map = |map: &Linear<B>| asking.map(map, self.model.config.d_model);
        EmbeddingRead {
            after: after.map(&mut map),
            before: before.map(&mut map),
            norm,
            token_type: token_type.map(|table| asking.tensor(&backend.embed(table, types, 1.0))),
            position: added.map(|added| asking.tensor(&added)),
            tokens: asking.tensor(&tokens),
        }
    }

    /// The reading of the row of a step of a sublayer.
    fn row(&self, (sublayer, step): (Sublayer, Step), asking: &mut Asking<'_, B>) -> Result<At> {
        let here = |one: &&(Sublayer, Step, B::Tensor)| one.0 == sublayer && one.1 == step;
        let (.., x) = self.rows.iter().find(here).ok_or_else(|| unwatched(step))?;
        Ok(asking.tensor(x))
    }
}

impl Way {
    /// Carries the directions through the output head and the final norm.
    fn enter(
        &mut self,
        asked: &AttributionAsked,
        logits: &[f32],
        heads: &[OutputRead],
        numbers: &[Vec<f32>],
    ) {
        let id = asked.id.0;
        let against = asked.against.as_ref().map(|id| id.0);
        self.logit = difference(logits, id, against);
        for head in heads {
            let other = head.against.map(|at| numbers[at].as_slice());
            let mut u = Direction::between(&numbers[head.entry], other);
            let share = if heads.len() == 2 { 0.5 } else { 1.0 };
            let mut bias =
                head.bias.map_or(0.0, |at| share * difference(&numbers[at], id, against));
            u.scale(head.factor);
            if let Some((norm, activation, [mapped, activated], dense)) = &head.transform {
                if let Some(norm) = norm {
                    bias += u.through_norm(norm, numbers);
                    self.found.hold(FrozenScale::HeadNorm);
                }
                if *activation != Activation::Linear {
                    let [x, y] = [&numbers[*mapped], &numbers[*activated]];
                    bias += u.through_activation(*activation, x, y);
                    self.found.hold(FrozenScale::HeadActivation);
                }
                bias += u.through_map(dense, numbers);
            }
            self.found.add_bias(LogitPartKind::UnembeddingBias, None, bias);
            self.uncapped += bias + u.dot(&numbers[head.output]);
            if let Some(norm) = &head.final_norm {
                let bias = u.through_norm(norm, numbers);
                self.found.add_bias(LogitPartKind::FinalNormBias, None, bias);
                self.found.hold(FrozenScale::FinalNorm);
            }
            self.directions.push(u);
        }
    }

    /// Carries the directions from the output of a block to its input, and adds its parts.
    fn descend(&mut self, blocks: &[BlockRead], numbers: &[Vec<f32>]) {
        for (u, block) in self.directions.iter_mut().zip(blocks) {
            self.found.descend(block, u, numbers);
        }
    }

    fn answer(self, is_capped: bool) -> Result<Attribution> {
        let Found { mut parts, frozen, mut keys } = self.found;
        let keys = keys.pop().and_then(|head| head.keys);
        parts.reverse();
        let sum: f64 = parts.iter().map(|part| part.value).sum();
        if !sum.is_finite() || !self.logit.is_finite() {
            return Err(not_finite("the parts of a logit".to_owned()));
        }
        let uncapped = if is_capped { self.uncapped } else { self.logit };
        Ok(Attribution { logit: self.logit, uncapped, sum, frozen, parts, keys })
    }
}

impl Found {
    fn descend(&mut self, block: &BlockRead, u: &mut Direction, numbers: &[Vec<f32>]) {
        let place = Some((block.stack, block.layer));
        let top = u.dot(&numbers[block.leaving]);
        let before = self.sum();
        if let Some((norm, found)) = &block.convolution {
            let bias = u.through_norm(norm, numbers);
            self.hold(FrozenScale::BlockNorms);
            self.add_bias(LogitPartKind::ConvolutionNormBias, place, bias);
            self.add(LogitPartKind::Convolution, place, None, u.dot(&numbers[*found]));
        }
        let (end, bias, output) = &block.network;
        let own = self.leave(end, (LogitPartKind::FeedForwardNormBias, place), u, numbers);
        let bias = own.dot_at(*bias, numbers);
        self.add_bias(LogitPartKind::FeedForwardBias, place, bias);
        let network = own.dot(&numbers[*output]) - bias;
        self.add(LogitPartKind::FeedForward, place, None, network);
        for attention in block.cross.iter().chain([&block.own]) {
            self.attention(attention, block.layer, u, numbers);
        }
        let bottom = match &block.embedding {
            Some(embedding) => {
                self.embedding(embedding, u, numbers);
                0.0
            }
            None => u.dot(&numbers[block.entering]),
        };
        if block.is_patched {
            let given = self.sum() - before;
            self.add(LogitPartKind::Patch, place, None, top - given - bottom);
        }
    }

    fn attention(
        &mut self,
        read: &AttentionRead,
        layer: usize,
        u: &mut Direction,
        numbers: &[Vec<f32>],
    ) {
        let place = Some((read.stack, layer));
        let kind = LogitPartKind::AttentionNormBias;
        let mut own = self.leave(&read.end, (kind, place), u, numbers);
        let bias = own.through_map(&read.output, numbers);
        self.add_bias(LogitPartKind::AttentionBias, place, bias);
        let width = read.head_dim;
        let context = numbers[read.context].chunks_exact(width);
        let pieces = own.0.chunks_exact(width).zip(context);
        for (head, (direction, context)) in pieces.enumerate().rev() {
            self.add(LogitPartKind::Head, place, Some(head), dot(direction, context));
        }
        if let Some(keys) = &read.keys {
            self.keys.extend(keys.parts(&own.0, width, numbers));
        }
    }

    /// Carries the direction over the end of a sublayer, and returns the direction of its output.
    fn leave(
        &mut self,
        end: &EndRead,
        (kind, place): (LogitPartKind, Place),
        u: &mut Direction,
        numbers: &[Vec<f32>],
    ) -> Direction {
        let mut bias = 0.0;
        if let Some(norm) = &end.after_sum {
            bias += u.through_norm(norm, numbers);
            self.hold(FrozenScale::BlockNorms);
        }
        let mut own = u.clone();
        if !end.has_residual {
            u.scale(0.0);
        }
        if let Some(norm) = &end.after {
            bias += own.through_norm(norm, numbers);
            self.hold(FrozenScale::BlockNorms);
        }
        self.add_bias(kind, place, bias);
        own
    }

    fn embedding(&mut self, read: &EmbeddingRead, u: &mut Direction, numbers: &[Vec<f32>]) {
        let mut bias = read.after.as_ref().map_or(0.0, |map| u.through_map(map, numbers));
        if let Some(norm) = &read.norm {
            bias += u.through_norm(norm, numbers);
            self.hold(FrozenScale::EmbeddingNorm);
        }
        let rows =
            [(LogitPartKind::TokenType, read.token_type), (LogitPartKind::Position, read.position)];
        for (kind, at) in rows {
            if let Some(at) = at {
                self.add(kind, None, None, u.dot(&numbers[at]));
            }
        }
        if let Some(map) = &read.before {
            bias += u.through_map(map, numbers);
        }
        self.add_bias(LogitPartKind::EmbeddingBias, None, bias);
        self.add(LogitPartKind::Token, None, None, u.dot(&numbers[read.tokens]));
    }

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
}

impl KeysRead {
    /// What each key adds through each head, from the direction of the heads' outputs.
    fn parts(
        &self,
        direction: &[f64],
        width: usize,
        numbers: &[Vec<f32>],
    ) -> impl Iterator<Item = HeadKeys> {
        let values = &numbers[self.values];
        self.heads.iter().map(move |(head, read)| {
            let direction = &direction[head * width..(head + 1) * width];
            let keys = read.as_ref().map(|read| read.parts(direction, values));
            HeadKeys { layer: self.layer, head: *head, keys }
        })
    }
}

impl HeadRead {
    fn parts(&self, direction: &[f64], values: &[f32]) -> Vec<KeyPart> {
        let columns = values.len() / self.weights.len().max(1);
        let rows = values.chunks_exact(columns.max(1));
        let gate = f64::from(self.gate);
        let keys = self.weights.iter().zip(rows).map(|(&weight, row)| {
            let weight = f64::from(weight);
            let value = &row[self.first..self.first + direction.len()];
            KeyPart { weight, value: gate * weight * dot(direction, value) }
        });
        keys.collect()
    }
}

/// The number of an entry, less that of another.
fn difference(numbers: &[f32], id: usize, against: Option<usize>) -> f64 {
    f64::from(numbers[id]) - against.map_or(0.0, |id| f64::from(numbers[id]))
}
