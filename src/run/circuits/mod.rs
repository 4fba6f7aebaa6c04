//! What a head reads and writes by its weights alone, without any text.
//!
//! A head is two bilinear forms on the residual stream: `W_Q W_Kᵀ` decides where it attends, `W_V
//! W_O` what it moves from there (N. Elhage et al., "A Mathematical Framework for Transformer
//! Circuits", 2021). Both are `[d, d]` of rank `d_h`, and only ever held as their factors
//! (`factors`). Over the vocabulary and the positions they say what the head does to tokens
//! (`tokens`) and to a text without content (`positions`).
//!
//! Scores from eigenvalues are `Σ λ / Σ |λ|`, from −1 to 1: 1 where the form maps each direction to
//! itself with a positive factor, so that a head copies, or attends to what is like the query.
//! Biases are no part of a bilinear form and left out; the gains of norms on the way are part of
//! it.

mod factors;
mod positions;
mod tokens;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::analysis::SingularValues;
use crate::axes::{Stack, named};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::kernels::eigenvalues::{Complex, size};
use crate::model::{Model, StackWeights};
use crate::question::{Head, Layer, Size, Work};
use tokens::TokenScores;

pub use tokens::token_pairs;

named! {
    /// One of the two circuits of a head.
    Circuit, SelectionBadStage, "the circuit" {
        /// `W_Q W_Kᵀ`: from an attending token to an attended one.
        QueryKey = "query-key",
        /// `W_V W_O`: from an attended token to a predicted one.
        ValueOutput = "value-output",
    }
}

/// The fields of the question `tokenPairs`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TokenPairsAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The circuit.
    pub circuit: Circuit,
    /// The number of pairs, at most 100.
    pub top_k: Size,
}

/// Two entries of the vocabulary and their number in a circuit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenPair {
    /// The entry that attends, or the one that is attended to.
    pub from: u32,
    /// The entry that is attended to, or the one whose logit is raised.
    pub to: u32,
    /// The scaled score of the two, or what is added to the logit before the final norm's scale.
    pub value: f64,
}

/// How far a head completes repeated texts by its weights, through a head of an earlier block that
/// attends to the token before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
#[serde(rename_all = "camelCase")]
pub struct Induction {
    /// The block of the earlier head.
    pub layer: usize,
    /// The index of the earlier head.
    pub head: usize,
    /// The earlier head's score of attending to the token before.
    pub previous_token: f64,
    /// How far a query matches a token that the earlier head has moved one position on, as the key:
    /// `Σ λ / Σ |λ|` over the vocabulary.
    pub matching: f64,
}

/// The rank of the sum of `W_Q W_Kᵀ` over the heads of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SharedRank {
    /// The number of singular values that hold 90 % of the sum of their squares.
    pub rank90: usize,
    /// The number of singular values.
    pub of: usize,
}

/// What a head reads and writes by its weights alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
#[serde(rename_all = "camelCase")]
pub struct Circuits {
    /// The singular values of `W_Q W_Kᵀ`, `d_h` of them.
    pub query_key: SingularValues,
    /// The singular values of `W_V W_O`, `d_h` of them.
    pub value_output: SingularValues,
    /// The eigenvalues of `W_V W_O` as real and imaginary parts, `d_h` of them, the largest first.
    pub eigenvalues: Vec<[f64; 2]>,
    /// How far `W_V W_O` keeps directions of the residual stream: `Σ λ / Σ |λ|` of its eigenvalues;
    /// null if all are 0.
    pub copying: Option<f64>,
    /// How far a token that is attended to is predicted: `Σ λ / Σ |λ|` from token to logit; null
    /// for a head that does not read tokens or whose stack does not predict by a linear map.
    pub token_copying: Option<f64>,
    /// The mean weight on the token before, in a text of 64 tokens or fewer without content: each
    /// position has the mean of all token embeddings; null in cross-attention and of images.
    pub previous_token: Option<f64>,
    /// How far the head completes repeated texts; null outside of decoders and in their first
    /// block.
    pub induction: Option<Induction>,
    /// The rank of the block's `W_Q W_Kᵀ`, the sum over all heads; null for blocks with more than
    /// 512 columns of queries.
    pub shared_rank: Option<SharedRank>,
}

/// The circuits of a head, in steps.
///
/// # Errors
/// `selection/…` for what does not exist.
pub fn circuits<B: Backend>(
    model: &Rc<Model<B>>,
    place: (Stack, usize, usize),
) -> Result<Work<Circuits>> {
    check_head(model, place)?;
    let found = Rc::new(RefCell::new(Circuits::default()));
    let mut parts = vec![
        stored(factors::query_key(model, place)?, &found, |found, values| {
            found.query_key = values;
        }),
        stored(factors::value_output(model, place)?, &found, |found, (values, mut own)| {
            found.value_output = values;
            own.sort_by(|one, other| size(*other).total_cmp(&size(*one)));
            found.copying = share_of_sum(&own);
            found.eigenvalues = own;
        }),
    ];
    if let Some(shared) = factors::shared_query_key(model, place)? {
        parts.push(stored(shared, &found, |found, values| {
            found.shared_rank = Some(SharedRank { rank90: values.rank90, of: values.values.len() });
        }));
    }
    if let Some(scores) = tokens::scores(model, place) {
        parts.push(stored(scores, &found, |found, scores: TokenScores| {
            found.token_copying = scores.copying;
            found.previous_token = scores.previous_token;
            found.induction = scores.induction;
        }));
    }
    let n_done = Rc::new(Cell::new(0));
    Ok(Work::new(move || {
        let Some(part) = parts.get_mut(n_done.get()) else {
            let found = found.take();
            return Box::pin(async move { Ok(Some(found)) });
        };
        let step = part.step();
        let n_done = Rc::clone(&n_done);
        Box::pin(async move {
            if step.await?.is_some() {
                n_done.set(n_done.get() + 1);
            }
            Ok(None)
        })
    }))
}

/// Work whose answer is put into the circuits.
fn stored<T: 'static>(
    mut work: Work<T>,
    found: &Rc<RefCell<Circuits>>,
    put: fn(&mut Circuits, T),
) -> Work<()> {
    let found = Rc::clone(found);
    Work::new(move || {
        let step = work.step();
        let found = Rc::clone(&found);
        Box::pin(async move { Ok(step.await?.map(|answer| put(&mut found.borrow_mut(), answer))) })
    })
}

/// `Σ λ / Σ |λ|`; `None` if all are 0. The imaginary parts of a real matrix cancel out.
fn share_of_sum(eigenvalues: &[Complex]) -> Option<f64> {
    let all: f64 = eigenvalues.iter().copied().map(size).sum();
    (all > 0.0).then(|| eigenvalues.iter().map(|[re, _]| re).sum::<f64>() / all)
}

/// The weights of the stack that a head's block is in.
fn weights_of<B: Backend>(model: &Model<B>, stack: Stack) -> Option<&StackWeights<B>> {
    if stack == Stack::Encoder { model.encoder.as_ref() } else { model.decoder.as_ref() }
}

/// Refuses a head that the model does not have.
fn check_head<B: Backend>(
    model: &Model<B>,
    (stack, layer, head): (Stack, usize, usize),
) -> Result<()> {
    let n_heads = model.attention(stack, layer)?.n_heads;
    if head < n_heads {
        return Ok(());
    }
    Err(Error::beyond(Code::SelectionBadHead, "the head", n_heads - 1, head))
}
