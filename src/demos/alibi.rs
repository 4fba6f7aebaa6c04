//! `ALiBi` alone: the slope of each head, the bias by distance, and one head's matrix.
//!
//! `b_h(i, j) = −m_h · |i − j|`
//!
//! Source: O. Press, N. A. Smith and M. Lewis, "Train Short, Test Long: Attention with Linear
//! Biases Enables Input Length Extrapolation" (2022), section 3. Slopes and biases are those of
//! `positions::Relative`, which edits of models use too.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{distance, whole};
use crate::error::Result;
use crate::positions::{Relative, Terms, alibi_slopes};

/// The most heads.
const MOST_SLOPES: usize = 64;
/// The most tokens.
pub(super) const LONGEST: usize = 128;

/// The question of the `ALiBi` demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AlibiAsked {
    /// The number of heads, from 1 to 64.
    pub heads: f64,
    /// The number of tokens, from 1 to 128.
    pub length: f64,
    /// The head whose matrix is computed, from 0.
    pub head: f64,
}

/// The answer of the `ALiBi` demo: slopes and biases.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Alibi {
    /// The slope of each head.
    pub slopes: Vec<f64>,
    /// The bias of each head by distance, `[head, distance]`, distances from 0.
    pub biases: Vec<f64>,
    /// The biases of the requested head, `[query, key]`; both sides count alike.
    pub matrix: Vec<f32>,
}

/// Answers the `ALiBi` demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn alibi(asked: &AlibiAsked) -> Result<Alibi> {
    let heads = whole("the number of heads", asked.heads, 1, MOST_SLOPES)?;
    let length = whole("the number of tokens", asked.length, 1, LONGEST)?;
    let head = whole("the head", asked.head, 0, heads - 1)?;
    let relative = Relative { terms: Rc::new(Terms::alibi(heads)), order: Rc::new([]) };
    Ok(Alibi {
        slopes: alibi_slopes(heads),
        biases: (0..heads)
            .flat_map(|head| (0..length).map(move |away| (head, away)))
            .map(|(head, away)| relative.by_distance(head, distance(away, 0)))
            .collect(),
        matrix: (0..length * length)
            .map(|at| relative.bias(head, (at / length, &[]), (at % length, &[])))
            .collect(),
    })
}
