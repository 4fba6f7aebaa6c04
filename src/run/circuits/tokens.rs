//! The circuits of a head over the vocabulary: each token is read alone, as the block would read it
//! if the stream were its embedding without a position.
//!
//! With `q_t`, `k_t`, `v_t` the query, key and value of token `t` without their biases, and `o_t`
//! what a unit of each of the head's outputs adds to its logit, `W_O C γ u_t` with the gain `γ` of
//! the final norm and its centring `C`, the circuits are `q_s · k_t` and `v_s · o_t`. Their
//! eigenvalues are those of `[d_h, d_h]` matrices, `Σ_t o_t v_tᵀ` among them.
//!
//! Induction is K-composition (Elhage et al. 2021, section on induction heads): the key is what an
//! earlier head moved from the token before, so a query matches it by `Σ_t c_t q_tᵀ`, with `c_t`
//! the earlier head's value, and the earlier head's output through this block's norm and `W_K`.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::factors::transposed;
use super::positions::EmptyText;
use super::{Circuit, Induction, TokenPair, TokenPairsAsked, check_head, share_of_sum, weights_of};
use crate::axes::Stack;
use crate::backend::{Backend, Order};
use crate::blocks::{ATTENTION, Norm, NormKind, Tokens};
use crate::edits::{NormPlace, Wiring};
use crate::error::{Code, Error, Result};
use crate::kernels::eigenvalues::eigenvalues;
use crate::kernels::precise::{Beside, add_multiple, products};
use crate::model::{HeadWeight, Model, StackWeights};
use crate::question::Work;
use crate::run::checks::check_size;

type Place = (Stack, usize, usize);

/// The number of entries of the vocabulary that one step reads.
const ENTRIES_AT_ONCE: usize = 512;

/// The largest vocabulary whose pairs are listed: their number grows with its square.
const LARGEST_VOCABULARY: usize = 8192;

/// The most pairs of a list.
const MOST_PAIRS: usize = 100;

/// The work of one step, in multiplications.
const STEP_WORK: usize = 5_000_000;

/// What the vocabulary says of a head.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokenScores {
    pub copying: Option<f64>,
    pub previous_token: Option<f64>,
    pub induction: Option<Induction>,
}

/// A map of one head from the vocabulary: of embeddings through the norm of a block, or of the rows
/// that predict.
struct FromTokens<B: Backend> {
    matrix: B::Matrix,
    /// The block whose norm embeddings go through; `None` for rows that predict.
    layer: Option<usize>,
}

/// The scores while they are computed.
struct Going<B: Backend> {
    model: Rc<Model<B>>,
    place: Place,
    /// The sum of the embeddings of all entries before `next`.
    sum: Vec<f64>,
    next: usize,
    /// The weights on the token before, block by block.
    before: Vec<Vec<f64>>,
    text: Option<EmptyText<B>>,
    forms: Option<Forms<B>>,
}

/// The sums over the vocabulary of the products of two maps of tokens.
struct Forms<B: Backend> {
    /// The value of a token, and its logit.
    copying: Option<[FromTokens<B>; 2]>,
    copied: Vec<f64>,
    /// The value of a token in the earlier head, and its query.
    matching: Option<[FromTokens<B>; 2]>,
    matched: Vec<f64>,
    /// The earlier head, with its weight on the token before.
    earlier: Option<(usize, usize, f64)>,
}

/// The number of entries of the table of a stack that reads tokens.
fn n_entries<B: Backend>(model: &Model<B>, stack: Stack) -> Option<usize> {
    let weights = weights_of(model, stack).filter(|_| stack != Stack::Cross)?;
    match &weights.embedding.tokens {
        Tokens::Table(_) if stack == Stack::Decoder => Some(model.config.n_vocabulary),
        Tokens::Table(_) => Some(model.config.n_source_vocabulary),
        Tokens::Patches { .. } => None,
    }
}

/// The scores of a head over the vocabulary, in steps; `None` for a head that reads no tokens.
pub(super) fn scores<B: Backend>(model: &Rc<Model<B>>, place: Place) -> Option<Work<TokenScores>> {
    n_entries(model, place.0)?;
    let going = Going {
        model: Rc::clone(model),
        place,
        sum: Vec::new(),
        next: 0,
        before: Vec::new(),
        text: None,
        forms: None,
    };
    let held = Rc::new(RefCell::new(Some(going)));
    Some(Work::new(move || {
        let held = Rc::clone(&held);
        Box::pin(async move {
            let Some(mut going) = held.take() else { return Ok(None) };
            let found = going.advance().await?;
            held.replace(Some(going));
            Ok(found)
        })
    }))
}

impl<B: Backend> Going<B> {
    /// One step: some entries for the mean, a block of the empty text, or some entries of the sums.
    async fn advance(&mut self) -> Result<Option<TokenScores>> {
        let (stack, layer, head) = self.place;
        let n = n_entries(&self.model, stack).unwrap_or(0);
        let entries = self.next..n.min(self.next + ENTRIES_AT_ONCE);
        if self.text.is_none() {
            self.add_embeddings(entries.clone()).await?;
            self.next = entries.end;
            if self.next == n {
                let mean: Vec<f32> = self.sum.iter().map(|sum| (sum / n as f64) as f32).collect();
                let width = mean.len();
                let mean = self.model.backend.upload(mean, width);
                self.text = Some(EmptyText::new(&self.model, stack, &mean)?);
                self.next = 0;
            }
            return Ok(None);
        }
        if let Some(text) = &mut self.text
            && self.before.len() <= layer
        {
            let of_block = text.previous_token(&self.model, self.before.len()).await?;
            self.before.push(of_block);
            return Ok(None);
        }
        let Some(forms) = &mut self.forms else {
            self.forms = Some(Forms::of(&self.model, self.place, &self.before).await?);
            return Ok(None);
        };
        if self.next < n {
            forms.add(&self.model, stack, entries.clone()).await?;
            self.next = entries.end;
            return Ok(None);
        }
        let mut found = forms.scores(&self.model, self.place).await?;
        found.previous_token = self.before[layer].get(head).copied();
        Ok(Some(found))
    }

    async fn add_embeddings(&mut self, entries: Range<usize>) -> Result<()> {
        let model = &self.model;
        let Some(weights) = weights_of(model, self.place.0) else { return Ok(()) };
        let embedding = &weights.embedding;
        let rows = embedding.tokens(&model.backend, &ids(&entries), None, embedding.scale);
        let numbers = model.backend.read(&rows).await?;
        let width = numbers.len() / entries.len().max(1);
        self.sum.resize(width, 0.0);
        for row in numbers.chunks_exact(width.max(1)) {
            self.sum.iter_mut().zip(row).for_each(|(sum, &number)| *sum += f64::from(number));
        }
        Ok(())
    }
}

impl<B: Backend> Forms<B> {
    async fn of(model: &Rc<Model<B>>, place: Place, before: &[Vec<f64>]) -> Result<Self> {
        let (stack, layer, _) = place;
        let copying = match FromTokens::logits(model, place).await? {
            Some(logits) => {
                Some([FromTokens::read(model, place, HeadWeight::Value).await?, logits])
            }
            None => None,
        };
        let earlier = before[..layer].iter().enumerate().flat_map(|(layer, heads)| {
            heads.iter().enumerate().map(move |(head, &weight)| (layer, head, weight))
        });
        let earlier = earlier.max_by(|one, other| one.2.total_cmp(&other.2));
        let earlier = earlier.filter(|_| stack == Stack::Decoder);
        let matching = match earlier {
            Some((layer, head, _)) => {
                let value = FromTokens::read(model, (stack, layer, head), HeadWeight::Value);
                Some([value.await?, FromTokens::read(model, place, HeadWeight::Query).await?])
            }
            None => None,
        };
        let width = model.attention(stack, layer)?.head_dim;
        let zeros = || vec![0.0; width * width];
        Ok(Self { copying, copied: zeros(), matching, matched: zeros(), earlier })
    }

    /// Adds some entries of the vocabulary.
    async fn add(&mut self, model: &Model<B>, stack: Stack, entries: Range<usize>) -> Result<()> {
        // Rows of the sum are those of the second map.
        if let Some([value, logit]) = &self.copying {
            let values = value.of(model, stack, &entries).await?;
            add_products(&mut self.copied, &logit.of(model, stack, &entries).await?, &values);
        }
        if let Some([value, query]) = &self.matching {
            let values = value.of(model, stack, &entries).await?;
            add_products(&mut self.matched, &values, &query.of(model, stack, &entries).await?);
        }
        Ok(())
    }

    async fn scores(&self, model: &Rc<Model<B>>, place: Place) -> Result<TokenScores> {
        let (stack, layer, _) = place;
        let width = model.attention(stack, layer)?.head_dim;
        let copying = self.copying.as_ref().map(|_| eigenvalues(&self.copied, width));
        let mut found = TokenScores {
            copying: copying.and_then(|all| share_of_sum(&all)),
            ..TokenScores::default()
        };
        let Some((earlier_layer, earlier_head, previous_token)) = self.earlier else {
            return Ok(found);
        };
        let norm = weights_of(model, stack).and_then(|weights| entry_norm(weights, layer));
        let earlier = (stack, earlier_layer, earlier_head);
        let output = output_through(model, earlier, norm).await?;
        let key = model.head_weights(place, HeadWeight::Key)?.await?.into_data();
        let d = model.config.d_model;
        // `[d_h, d_h]`: from the key's dimensions to the earlier head's.
        let moved = products(&transposed(&key, d), &output, d);
        let form = multiplied(&moved, &self.matched, width);
        found.induction = share_of_sum(&eigenvalues(&form, width)).map(|matching| Induction {
            layer: earlier_layer,
            head: earlier_head,
            previous_token,
            matching,
        });
        Ok(found)
    }
}

impl<B: Backend> FromTokens<B> {
    /// The queries, keys or values of tokens.
    async fn read(model: &Rc<Model<B>>, place: Place, part: HeadWeight) -> Result<Self> {
        let numbers = model.head_weights(place, part)?.await?;
        let width = numbers.shape()[1];
        let d = model.config.d_model;
        let matrix = model.backend.matrix(&numbers.into_data(), d, width, Order::InnerOuter);
        Ok(Self { matrix, layer: Some(place.1) })
    }

    /// What a unit of each of the head's outputs adds to the logits; `None` where the stack does
    /// not predict, or not by a linear map.
    async fn logits(model: &Rc<Model<B>>, place: Place) -> Result<Option<Self>> {
        let predicts = place.0 == Stack::Decoder || model.decoder.is_none();
        let head = model.head.as_ref().filter(|head| predicts && head.transform.is_none());
        let d = model.config.d_model;
        if head.is_none_or(|head| head.widths[0] != d || head.distilled.is_some()) {
            return Ok(None);
        }
        let norm = weights_of(model, place.0).and_then(|weights| weights.final_norm.as_ref());
        let output = output_through(model, place, norm).await?;
        let width = output.len() / d.max(1);
        let matrix = model.backend.matrix(&output, d, width, Order::OuterInner);
        Ok(Some(Self { matrix, layer: None }))
    }

    /// The rows of some entries of the vocabulary, `[entries, d_h]`.
    async fn of(&self, model: &Model<B>, stack: Stack, entries: &Range<usize>) -> Result<Vec<f32>> {
        let backend = &model.backend;
        let rows = match (self.layer, &model.head, weights_of(model, stack)) {
            (Some(layer), _, Some(weights)) => {
                let types = vec![0; entries.len()];
                let x = weights.embedding.forward(backend, &ids(entries), None, &types, None);
                let residual = &weights.blocks[layer].self_residual;
                residual.joined(Wiring::default().own, ATTENTION).enter(backend, &x, None)
            }
            (None, Some(head), _) => head.projection.columns(backend, entries.clone()),
            _ => return Ok(Vec::new()),
        };
        backend.read(&backend.linear(&rows, &self.matrix, None)).await
    }
}

/// The norm before the attention of a block, where there is one.
fn entry_norm<B: Backend>(weights: &StackWeights<B>, layer: usize) -> Option<&Norm<B>> {
    let residual = &weights.blocks.get(layer)?.self_residual;
    (residual.placement == NormPlace::Pre).then_some(&residual.norm)
}

/// `W_O` of a head, `[d_h, d]`, through a norm without its scale: centred if it is a layer norm,
/// and times the gain.
async fn output_through<B: Backend>(
    model: &Rc<Model<B>>,
    place: Place,
    norm: Option<&Norm<B>>,
) -> Result<Vec<f32>> {
    let mut output = model.head_weights(place, HeadWeight::Output)?.await?.into_data();
    let Some(norm) = norm else { return Ok(output) };
    let gain = model.backend.read(&norm.gain).await?;
    for row in output.chunks_exact_mut(gain.len().max(1)) {
        let mean = match norm.kind {
            NormKind::Layer(_) => row.iter().sum::<f32>() / gain.len() as f32,
            NormKind::RootMeanSquare => 0.0,
        };
        row.iter_mut().zip(&gain).for_each(|(cell, gain)| *cell = (*cell - mean) * gain);
    }
    Ok(output)
}

fn ids(entries: &Range<usize>) -> Vec<u32> {
    entries.clone().map(|id| id as u32).collect()
}

/// Adds the products of the rows of two matrices, `one_tᵀ other_t`, to a square matrix.
fn add_products(sums: &mut [f64], one: &[f32], other: &[f32]) {
    let width = sums.len().isqrt().max(1);
    for (one, other) in one.chunks_exact(width).zip(other.chunks_exact(width)) {
        for (row, &a) in sums.chunks_exact_mut(width).zip(one) {
            add_multiple(row, f64::from(a), other);
        }
    }
}

/// The product of two square matrices.
fn multiplied(one: &[f64], other: &[f64], n: usize) -> Vec<f64> {
    let mut product = vec![0.0; n * n];
    for (out, row) in product.chunks_exact_mut(n.max(1)).zip(one.chunks_exact(n.max(1))) {
        for (&a, below) in row.iter().zip(other.chunks_exact(n.max(1))) {
            out.iter_mut().zip(below).for_each(|(sum, &b)| *sum += a * b);
        }
    }
    product
}

/// The pairs while they are computed: the rows of both sides of all entries so far, and the best.
struct Pairs<B: Backend> {
    model: Rc<Model<B>>,
    asked: TokenPairsAsked,
    n: usize,
    scale: f64,
    maps: Option<[FromTokens<B>; 2]>,
    rows: [Vec<f32>; 2],
    /// The rows of the second side, once all are known.
    beside: Option<Beside>,
    /// The number of entries whose rows are known, and of those whose pairs are.
    next: [usize; 2],
    best: Vec<TokenPair>,
}

/// The pairs of entries with the largest numbers in a circuit, in steps.
///
/// # Errors
/// `selection/…` for what does not exist; `selection/too-large` for a large vocabulary;
/// `selection/bad-stack` for a head that does not read or write tokens.
pub fn token_pairs<B: Backend>(
    model: &Rc<Model<B>>,
    asked: &TokenPairsAsked,
) -> Result<Work<Vec<TokenPair>>> {
    check_head(model, (asked.stack, asked.layer.0, asked.head.0))?;
    check_size("the number of pairs", asked.top_k.0, MOST_PAIRS)?;
    let n = n_entries(model, asked.stack).ok_or_else(|| no_tokens(asked.stack))?;
    if n > LARGEST_VOCABULARY {
        let expected = format!("a vocabulary of at most {LARGEST_VOCABULARY} entries");
        let found = format!("{n} entries");
        return Err(Error::new(Code::SelectionTooLarge, "the pairs of tokens", expected, found));
    }
    let pairs = Pairs {
        model: Rc::clone(model),
        asked: asked.clone(),
        n,
        scale: 1.0,
        maps: None,
        rows: [Vec::new(), Vec::new()],
        beside: None,
        next: [0; 2],
        best: Vec::new(),
    };
    let held = Rc::new(RefCell::new(Some(pairs)));
    Ok(Work::new(move || {
        let held = Rc::clone(&held);
        Box::pin(async move {
            let Some(mut pairs) = held.take() else { return Ok(None) };
            let found = pairs.advance().await?;
            held.replace(Some(pairs));
            Ok(found)
        })
    }))
}

impl<B: Backend> Pairs<B> {
    async fn advance(&mut self) -> Result<Option<Vec<TokenPair>>> {
        let Some(maps) = &self.maps else {
            self.open().await?;
            return Ok(None);
        };
        let [read, _] = self.next;
        if read < self.n {
            let entries = read..self.n.min(read + ENTRIES_AT_ONCE);
            for (rows, map) in self.rows.iter_mut().zip(maps) {
                rows.extend(map.of(&self.model, self.asked.stack, &entries).await?);
            }
            self.next[0] = entries.end;
            return Ok(None);
        }
        Ok(self.compare().then(|| std::mem::take(&mut self.best)))
    }

    async fn open(&mut self) -> Result<()> {
        let (model, stack) = (&self.model, self.asked.stack);
        let place = (stack, self.asked.layer.0, self.asked.head.0);
        let read = |part| FromTokens::read(model, place, part);
        self.maps = Some(match self.asked.circuit {
            Circuit::QueryKey => {
                self.scale = f64::from(model.attention(stack, place.1)?.scale);
                [read(HeadWeight::Query).await?, read(HeadWeight::Key).await?]
            }
            Circuit::ValueOutput => {
                let logits = FromTokens::logits(model, place).await?;
                let factor = model.head.as_ref().and_then(|head| head.factor);
                self.scale = f64::from(factor.unwrap_or(1.0));
                [read(HeadWeight::Value).await?, logits.ok_or_else(|| no_tokens(stack))?]
            }
        });
        Ok(())
    }

    /// Compares some entries with all; returns whether all pairs are known.
    fn compare(&mut self) -> bool {
        let [from, to] = &mut self.rows;
        let width = from.len() / self.n.max(1);
        let beside = self.beside.get_or_insert_with(|| Beside::of(&std::mem::take(to), width));
        let some = (STEP_WORK / (self.n * width).max(1)).max(1);
        let first = self.next[1];
        let end = self.n.min(first + some);
        let mut found = vec![0.0; self.n];
        for row in first..end {
            beside.products(&from[row * width..(row + 1) * width], &mut found);
            for (column, product) in found.iter().enumerate() {
                let value = self.scale * product;
                let pair = TokenPair { from: row as u32, to: column as u32, value };
                add_pair(&mut self.best, pair, self.asked.top_k.0);
            }
        }
        self.next[1] = end;
        end == self.n
    }
}

/// Adds a pair to the best, which are sorted, if it is one of them.
fn add_pair(best: &mut Vec<TokenPair>, pair: TokenPair, most: usize) {
    if best.len() == most && best.last().is_some_and(|last| last.value >= pair.value) {
        return;
    }
    let place = best.partition_point(|other| other.value >= pair.value);
    best.insert(place, pair);
    best.truncate(most);
}

fn no_tokens(stack: Stack) -> Error {
    Error::new(
        Code::SelectionBadStack,
        "the circuits over the vocabulary",
        "a stack that reads tokens, and predicts them by one linear map for \"value-output\"",
        stack.name(),
    )
}
