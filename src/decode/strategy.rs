//! The choice of the next token, after the settings of generation have changed the scores.

use serde::Serialize;

use super::scores::Scores;
use crate::kernels::top_k::top_k;

/// The number that was drawn for a token, and where it fell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    /// The drawn number, from 0 to below 1.
    pub number: f64,
    /// The probability of all tokens before the drawn one, in the order of the vocabulary.
    pub from: f64,
    /// The probability of all tokens up to the drawn one, itself included.
    pub to: f64,
}

/// A chosen token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The entry of the vocabulary.
    pub entry: usize,
    /// The drawn number, if the token was drawn.
    pub draw: Option<Draw>,
}

/// A way to choose the next token.
pub trait Strategy {
    /// The entry of the vocabulary to write at a step, the first of which is 0. A score of −∞
    /// forbids an entry; the strategy may change the scores further. `None` if there is no entry at
    /// all.
    fn choose(&mut self, step: usize, scores: &mut Scores) -> Option<Choice>;
}

/// Greedy decoding: the entry with the best score, the first of equal ones, as in Hugging Face's
/// `generate(do_sample=False, num_beams=1)`.
pub struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, _step: usize, scores: &mut Scores) -> Option<Choice> {
        let best = top_k(scores.values(), 1);
        best.first().map(|&(entry, _)| Choice { entry, draw: None })
    }
}
