//! How unlike one head is to the others of its stack on this run's text. The measure is
//! that of `analysis::stream`; a run only knows which patterns there are.

use std::ops::Range;
use std::rc::Rc;

use serde::Serialize;

use super::views::{bad, checked_position};
use super::{Reading, Run};
use crate::analysis::Pattern;
use crate::analysis::stream::{self, cosine, distances, mean_row};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

/// How unlike a head is to the one that was asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadLikeness {
    /// The head's block.
    pub layer: usize,
    /// Its place in the block.
    pub head: usize,
    /// The mean over queries of the Jensen-Shannon divergence between the two heads' rows,
    /// in nats: 0 for equal heads, at most ln 2; null if there is no query of which both may
    /// look anywhere, or if a head's kind of attention shares nothing out.
    pub divergence: Option<f64>,
}

/// A pattern that was read, with what may be seen in it.
struct Known {
    weights: Vec<f32>,
    visible: Vec<bool>,
    n_keys: usize,
}

impl Known {
    /// What a head shares out, before dropout; `None` where its kind of attention shares nothing.
    async fn read<B: Backend>(
        backend: &B,
        spec: &PatternSpec<B>,
        head: usize,
    ) -> Result<Option<Self>> {
        spec.fetch(backend).await?;
        let Some(weights) = spec.shares(backend, head) else { return Ok(None) };
        let visible = spec.visible(backend, head);
        Ok(Some(Self { weights, visible, n_keys: backend.rows(&spec.key) }))
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern { weights: &self.weights, visible: &self.visible, n_keys: self.n_keys }
    }

    fn divergence(one: Option<&Self>, other: Option<&Self>) -> Option<f64> {
        stream::divergence(&one?.pattern(), &other?.pattern())
    }
}

impl<B: Backend> Run<B> {
    /// How unlike every head of a stack is to itself in another run of the same model and of as
    /// many tokens: what an edit did to it. Block by block, or one block alone.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, for another model and for other lengths,
    /// `run/not-ready`.
    pub fn divergences(
        &self,
        stack: Stack,
        other: &Self,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadLikeness>>> {
        self.check_same_model(other)?;
        let mut pairs = Vec::new();
        for layer in self.layers(stack, among)? {
            let one = self.readable_site(stack, layer)?;
            let two = other.readable_site(stack, layer)?;
            let shape = self.pattern_shape(&one);
            let there = other.pattern_shape(&two);
            if shape != there {
                return Err(Error::new(
                    Code::SelectionOtherLength,
                    "comparing two runs head by head",
                    format!("a pattern of {} × {}", shape[0], shape[1]),
                    format!("one of {} × {}", there[0], there[1]),
                ));
            }
            pairs.push((layer, one, two));
        }
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let backend = &model.backend;
            let mut found = Vec::new();
            for (layer, one, two) in &pairs {
                for head in 0..one.n_heads {
                    let own = Known::read(backend, one, head).await?;
                    let other = Known::read(backend, two, head).await?;
                    let divergence = Known::divergence(own.as_ref(), other.as_ref());
                    found.push(HeadLikeness { layer: *layer, head, divergence });
                }
            }
            Ok(found)
        }))
    }

    /// How unlike the heads of some layers are to one head of the same stack, block by
    /// block; the head itself is among them where its layer is.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn likeness(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadLikeness>>> {
        let own = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let layers = self.layers(stack, among)?;
        let others = layers
            .map(|layer| Ok((layer, self.readable_site(stack, layer)?)))
            .collect::<Result<Vec<_>>>()?;
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let backend = &model.backend;
            let asked = Known::read(backend, &own, head).await?;
            let mut found = Vec::new();
            for (layer, spec) in &others {
                for head in 0..spec.n_heads {
                    let other = Known::read(backend, spec, head).await?;
                    let divergence = Known::divergence(asked.as_ref(), other.as_ref());
                    found.push(HeadLikeness { layer: *layer, head, divergence });
                }
            }
            Ok(found)
        }))
    }
}

// How far the residual stream of one run is from another's of the same model, token by token
// and layer by layer: what an edit changed, against the original. The measure is that of
// `analysis::stream`.

impl<B: Backend> Run<B> {
    /// `‖hidden[layer] − other.hidden[layer]‖` of every token, `[layer, position]`, from the
    /// embeddings on. With an order a token `t` is compared with the other's token `order[t]`:
    /// of two texts of the same tokens, what is left beyond their order.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, in either run, `run/not-ready`,
    /// `selection/other-model`, and `selection/other-length` for texts of different length:
    /// their tokens are no counterparts.
    pub fn distances(
        &self,
        stack: Stack,
        other: &Self,
        order: Option<&[usize]>,
    ) -> Result<Reading<Tensor>> {
        self.check_same_model(other)?;
        let layers = self.layers(stack, None)?;
        let states = |run: &Self| -> Result<Vec<Reading<Tensor>>> {
            (0..=layers.end).map(|layer| run.hidden(stack, layer)).collect()
        };
        let one = states(self)?;
        let two = states(other)?;
        let n = self.readable_ids(stack)?.len();
        let n_other = other.readable_ids(stack)?.len();
        if n != n_other {
            return Err(Error::new(
                Code::SelectionOtherLength,
                "comparing two runs token by token",
                format!("a run of {n} tokens"),
                format!("one of {n_other}"),
            ));
        }
        let order: Vec<usize> = order.map_or_else(|| (0..n).collect(), <[usize]>::to_vec);
        if order.len() != n {
            return Err(bad(
                Code::SelectionBadPosition,
                "the last token of the order",
                n - 1,
                order.len(),
            ));
        }
        for &token in &order {
            checked_position(token, n)?;
        }
        let width = self.model.config.d_model;
        Ok(Box::pin(async move {
            let n_layers = one.len();
            let mut all = Vec::with_capacity(n_layers * n);
            for (one, two) in one.into_iter().zip(two) {
                let one = one.await?.into_data();
                let two = two.await?.into_data();
                let row = |&token: &usize| &two[token * width..(token + 1) * width];
                let two = order.iter().map(row).collect::<Vec<_>>().concat();
                all.extend(distances(&one, &two, width).into_iter().map(|x| x as f32));
            }
            Tensor::new(all, &[n_layers, n], &[Axis::Layer, Axis::Position])
        }))
    }
}

// How alike a word of one run is to a word of another of the same model, layer by layer of
// the residual stream. The measure is that of `analysis::stream`.

impl<B: Backend> Run<B> {
    /// The cosine of `hidden[layer]` at some positions, which are one word's, and at a word's
    /// of another run, for every layer from the embeddings on; `None` where a state is zero.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, in either run, `run/not-ready`,
    /// and `selection/other-model`.
    pub fn cosines(
        &self,
        stack: Stack,
        positions: &[usize],
        other: &Self,
        other_positions: &[usize],
    ) -> Result<Reading<Vec<Option<f64>>>> {
        self.check_same_model(other)?;
        let one = self.states(stack, positions)?;
        let two = other.states(stack, other_positions)?;
        let width = self.model.config.d_model;
        Ok(Box::pin(async move {
            let mut all = Vec::with_capacity(one.len());
            for (one, two) in one.into_iter().zip(two) {
                all.push(cosine(&mean_of(one, width).await?, &mean_of(two, width).await?));
            }
            Ok(all)
        }))
    }

    /// The axes of two models differ, even where there are as many.
    pub(super) fn check_same_model(&self, other: &Self) -> Result<()> {
        if Rc::ptr_eq(&self.model, &other.model) {
            return Ok(());
        }
        Err(Error::new(
            Code::SelectionOtherModel,
            "comparing two runs",
            "two runs of one model",
            "runs of two models",
        ))
    }

    /// A word's rows of the residual stream at every layer, the embeddings first.
    fn states(&self, stack: Stack, positions: &[usize]) -> Result<Vec<Rows>> {
        let backend = &self.model.backend;
        let layers = self.layers(stack, None)?;
        let of_layer = |layer| -> Result<Rows> {
            let (stream, n) = self.stream_entering(stack, layer)?;
            let rows = word(positions, n)?.into_iter().map(|row| -> Reading<Vec<f32>> {
                Box::pin(backend.read(&backend.select(stream, row)))
            });
            Ok(rows.collect())
        };
        (0..=layers.end).map(of_layer).collect()
    }
}

/// Rows on their way, one by one.
type Rows = Vec<Reading<Vec<f32>>>;

async fn mean_of(rows: Rows, width: usize) -> Result<Vec<f64>> {
    let mut read = Vec::with_capacity(rows.len() * width);
    let positions: Vec<usize> = (0..rows.len()).collect();
    for row in rows {
        read.extend(row.await?);
    }
    Ok(mean_row(&read, width, &positions))
}

/// One word's rows, of which there is at least one.
fn word(positions: &[usize], n: usize) -> Result<Vec<Range<usize>>> {
    if positions.is_empty() {
        return Err(Error::new(
            Code::SelectionBadPosition,
            "the positions of a word",
            "at least one",
            "none",
        ));
    }
    positions.iter().map(|&position| checked_position(position, n)).collect()
}
