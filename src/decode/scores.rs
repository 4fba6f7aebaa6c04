//! The scores of the next token: the model's own, and their changes by the model's generation
//! settings.
//!
//! Sources: the scores, their order and the stop rule are those of Hugging Face's `generate`,
//! Transformers 5.24 (`generation/logits_process.py`). Repetition penalty: Keskar et al. 2019,
//! section 4.1.

use serde::Serialize;

use crate::error::Result;
use crate::kernels::softmax::{log_softmax_row, softmax_row};
use crate::kernels::top_k::top_k;
use crate::run::{Candidate, Written, not_finite};

/// The number of candidates that are reported for each written token.
pub(super) const N_CANDIDATES: usize = 5;

/// A change of scores by a setting of Hugging Face's `GenerationConfig`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Processor {
    /// The model itself: scores before any change.
    Model,
    /// `repetition_penalty`.
    RepetitionPenalty,
    /// `no_repeat_ngram_size`.
    NoRepeatNgramSize,
    /// `bad_words_ids`.
    BadWordsIds,
    /// `min_length` or `min_new_tokens`: end tokens are forbidden.
    MinLength,
    /// `forced_bos_token_id`.
    ForcedBosTokenId,
    /// `forced_eos_token_id`.
    ForcedEosTokenId,
    /// `suppress_tokens`.
    SuppressTokens,
    /// `begin_suppress_tokens`.
    BeginSuppressTokens,
    /// `temperature`.
    Temperature,
    /// `top_k`.
    TopK,
    /// `top_p`.
    TopP,
    /// `min_p`.
    MinP,
}

/// The best tokens after a change of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScoreStage {
    /// The change.
    pub processor: Processor,
    /// The number of tokens that may still be written.
    pub n_possible: usize,
    /// The best of them, with their changed scores as logits and the softmax of these.
    pub candidates: Vec<Candidate>,
}

impl ScoreStage {
    fn of(processor: Processor, scores: &[f32]) -> Self {
        let is_possible = |score: f32| score > f32::NEG_INFINITY;
        let mut probabilities = scores.to_vec();
        softmax_row(&mut probabilities);
        let best = top_k(scores, N_CANDIDATES).into_iter().filter(|&(_, score)| is_possible(score));
        Self {
            processor,
            n_possible: scores.iter().filter(|&&score| is_possible(score)).count(),
            candidates: best
                .map(|(at, logit)| Candidate {
                    id: at as u32,
                    logit,
                    probability: probabilities[at],
                })
                .collect(),
        }
    }
}

/// The scores of the next token while settings change them; −∞ forbids a token.
pub struct Scores {
    values: Vec<f32>,
    stages: Vec<ScoreStage>,
}

impl Scores {
    /// The scores before any change.
    pub fn of(values: Vec<f32>) -> Self {
        Self { values, stages: Vec::new() }
    }

    /// The scores, one for each entry of the vocabulary.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The best tokens before and after each change that had an effect, in order.
    pub fn into_stages(self) -> Vec<ScoreStage> {
        self.stages
    }

    /// Changes the scores, and keeps what is best afterwards if any score is another one.
    pub(super) fn change(&mut self, processor: Processor, change: impl FnOnce(&mut [f32])) {
        let before = self.values.clone();
        change(&mut self.values);
        if before == self.values {
            return;
        }
        if self.stages.is_empty() {
            self.stages.push(ScoreStage::of(Processor::Model, &before));
        }
        self.stages.push(ScoreStage::of(processor, &self.values));
    }

    fn forbid(&mut self, processor: Processor, ids: impl IntoIterator<Item = u32>) {
        let mut ids = ids.into_iter().peekable();
        if ids.peek().is_some() {
            self.change(processor, |scores| forbid(scores, ids));
        }
    }
}

/// The scores of the next token, over the whole vocabulary.
pub(super) struct NextScores {
    pub logits: Vec<f32>,
    pub log_probabilities: Vec<f32>,
}

impl NextScores {
    /// The scores of the next token, from its logits.
    ///
    /// # Errors
    /// `run/not-finite`.
    pub fn of(logits: Vec<f32>) -> Result<Self> {
        let mut log_probabilities = logits.clone();
        log_softmax_row(&mut log_probabilities);
        let best = top_k(&log_probabilities, 1);
        if best.first().is_some_and(|(_, best)| !best.is_finite()) {
            return Err(not_finite("the logits".to_owned()));
        }
        Ok(Self { logits, log_probabilities })
    }

    /// One entry with the model's own numbers.
    pub fn candidate(&self, index: usize) -> Candidate {
        Candidate {
            id: index as u32,
            logit: self.logits[index],
            probability: self.log_probabilities[index].exp(),
        }
    }
}

/// Changes scores in Hugging Face's order: tokens are forced after others are forbidden. `n_new`
/// tokens of the text were written, of `max_new` at most.
pub(super) fn process(scores: &mut Scores, text: &Written<'_>, [n_new, max_new]: [usize; 2]) {
    let Written { ids, settings, most_tokens, n_padding } = *text;
    let n_given = ids.len() - n_new;
    let penalty = settings.repetition_penalty;
    if penalty.to_bits() != 1f32.to_bits() {
        let given = ids.get(n_padding..).unwrap_or_default();
        scores.change(Processor::RepetitionPenalty, |scores| penalize(scores, given, penalty));
    }
    scores.forbid(Processor::NoRepeatNgramSize, repeating(ids, settings.no_repeat_ngram));
    scores.forbid(Processor::BadWordsIds, completing(ids, &settings.bad_words));
    let shortest =
        settings.min_new_tokens.map_or(settings.min_length, |new| n_given.saturating_add(new));
    if ids.len() < shortest {
        scores.forbid(Processor::MinLength, settings.end_tokens.iter().copied());
    }
    if let Some(first) = settings.forced_first.filter(|_| ids.len() == 1) {
        scores.change(Processor::ForcedBosTokenId, |scores| force(scores, &[first]));
    }
    // The last written token is not read, so a text can have one token more than the model reads.
    let longest = n_given.saturating_add(max_new).min(most_tokens.saturating_add(1));
    if !settings.forced_last.is_empty() && ids.len() + 1 == longest {
        scores.change(Processor::ForcedEosTokenId, |scores| force(scores, &settings.forced_last));
    }
    scores.forbid(Processor::SuppressTokens, settings.suppressed.iter().copied());
    let forced = usize::from(n_given == 1 && settings.forced_first.is_some());
    if n_new == forced {
        scores.forbid(Processor::BeginSuppressTokens, settings.suppressed_first.iter().copied());
    }
}

/// Forbids tokens: sets their scores to −∞.
fn forbid(scores: &mut [f32], ids: impl IntoIterator<Item = u32>) {
    for id in ids {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = f32::NEG_INFINITY;
        }
    }
}

/// Forces one of `ids`: forbids all other tokens.
fn force(scores: &mut [f32], ids: &[u32]) {
    scores.fill(f32::NEG_INFINITY);
    for &id in ids {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = 0.0;
        }
    }
}

/// Lowers the scores of the tokens of a text, each once; a penalty below 1 raises them.
fn penalize(scores: &mut [f32], ids: &[u32], penalty: f32) {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = if *score < 0.0 { *score * penalty } else { *score / penalty };
        }
    }
}

/// The tokens that would repeat the last `size` tokens of a text.
fn repeating(ids: &[u32], size: usize) -> impl Iterator<Item = u32> {
    let before = match size {
        0 => None,
        _ => ids.len().checked_sub(size - 1).map(|start| &ids[start..]),
    };
    before.into_iter().flat_map(move |before| {
        let windows = ids.windows(size);
        windows.filter_map(move |window| window.strip_prefix(before)?.first().copied())
    })
}

/// The tokens that would complete one of the forbidden words at the end of a text.
fn completing(ids: &[u32], words: &[Vec<u32>]) -> impl Iterator<Item = u32> {
    words.iter().filter_map(move |word| {
        let (&last, before) = word.split_last()?;
        ids.ends_with(before).then_some(last)
    })
}
