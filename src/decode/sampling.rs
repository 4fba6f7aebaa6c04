//! The draw of a token by its probability: the changes of scores before it, and the drawn number.
//!
//! `p = softmax(truncate(s / temperature))`; the token is the first whose probabilities up to it,
//! in the order of the vocabulary, exceed the drawn number.
//!
//! Sources: temperature, top-k (Fan et al. 2018, section 5.4), top-p (Holtzman et al. 2020, section
//! 3.1) and min-p (Nguyen et al. 2024, section 3) in the order and with the ties of Hugging Face's
//! `generation/logits_process.py`, Transformers 5.24. The numbers are those of
//! [`kernels::random`](crate::kernels::random), one for each step of a seed.

use super::scores::{Processor, Scores};
use super::strategy::{Choice, Draw, Strategy};
use crate::kernels::random::{fraction, mix, seed_of};
use crate::kernels::softmax::softmax_row;
use crate::kernels::top_k::top_k;
use crate::model::Sampling;

/// Sampling: each token is drawn by its probability.
pub struct Sampler {
    settings: Sampling,
    seed: u64,
}

impl Sampler {
    /// Draws by a seed; the number of a step depends on both alone.
    pub fn new(settings: Sampling, seed: u64) -> Self {
        Self { settings, seed }
    }
}

impl Strategy for Sampler {
    fn choose(&mut self, step: usize, scores: &mut Scores) -> Option<Choice> {
        let Sampling { temperature, top_k, top_p, min_p } = self.settings;
        if temperature.to_bits() != 1f64.to_bits() {
            scores.change(Processor::Temperature, |scores| divide(scores, temperature as f32));
        }
        if top_k > 0 {
            scores.change(Processor::TopK, |scores| keep_likeliest(scores, top_k));
        }
        if top_p < 1.0 {
            scores.change(Processor::TopP, |scores| keep_nucleus(scores, top_p));
        }
        if let Some(min_p) = min_p {
            scores.change(Processor::MinP, |scores| keep_shares(scores, min_p as f32));
        }
        let number = fraction(mix(seed_of(self.seed, &[step])));
        drawn(scores.values(), number)
    }
}

/// The token of a drawn number; `None` if there is no token at all.
fn drawn(scores: &[f32], number: f64) -> Option<Choice> {
    let mut weights = scores.to_vec();
    softmax_row(&mut weights);
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let mut from = 0.0;
    let mut last = None;
    for (entry, &weight) in weights.iter().enumerate() {
        if weight <= 0.0 {
            continue;
        }
        let to = from + f64::from(weight) / total;
        last = Some(Choice { entry, draw: Some(Draw { number, from, to }) });
        if to > number {
            break;
        }
        from = to;
    }
    // The sum of the rounded probabilities may be just below the number: then it is the last token.
    // Without a probability every token is forbidden, and Hugging Face writes the first.
    let first = Choice { entry: 0, draw: None };
    last.or_else(|| (!scores.is_empty()).then_some(first))
}

fn divide(scores: &mut [f32], temperature: f32) {
    for score in scores {
        *score /= temperature;
    }
}

/// Keeps the `k` best scores, and those that equal the last of them.
fn keep_likeliest(scores: &mut [f32], k: usize) {
    let best = top_k(scores, k);
    let Some(&(_, least)) = best.last() else { return };
    forbid_where(scores, |score| score < least);
}

/// Keeps the likeliest tokens whose probabilities reach `p` together, at least one.
fn keep_nucleus(scores: &mut [f32], p: f64) {
    let mut weights = scores.to_vec();
    softmax_row(&mut weights);
    let mut order: Vec<usize> = (0..scores.len()).filter(|&at| weights[at] > 0.0).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order.pop();
    let rest = (1.0 - p) as f32;
    let mut sum = 0.0;
    for at in order {
        sum += f64::from(weights[at]);
        if sum as f32 > rest {
            break;
        }
        scores[at] = f32::NEG_INFINITY;
    }
}

/// Keeps the tokens with at least a share of the likeliest one's probability.
fn keep_shares(scores: &mut [f32], share: f32) {
    let mut weights = scores.to_vec();
    softmax_row(&mut weights);
    let most = weights.iter().copied().fold(0.0, f32::max);
    for (score, weight) in scores.iter_mut().zip(weights) {
        if weight < share * most {
            *score = f32::NEG_INFINITY;
        }
    }
}

fn forbid_where(scores: &mut [f32], is_forbidden: impl Fn(f32) -> bool) {
    for score in scores.iter_mut().filter(|score| is_forbidden(**score)) {
        *score = f32::NEG_INFINITY;
    }
}
