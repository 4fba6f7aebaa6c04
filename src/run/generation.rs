//! Greedy decoding: the token with the best score is written, read again, and so on until the model
//! ends the text. The rows computed on the way are the run's own rows: writing is one more row
//! through the same blocks with everything before it cached.
//!
//! `t_{i+1} = argmax f(logits_i)`, where `f` forbids and lowers scores as the model's files say.
//!
//! Sources: Vaswani et al. 2017, section 3.1 (auto-regressive). Scores, their order and the stop
//! rule are those of Hugging Face's `generate(do_sample=False, num_beams=1)`, Transformers 5.24
//! (`generation/logits_process.py`): an end token is chosen, not read. Repetition penalty: Keskar
//! et al. 2019, section 4.1.

use serde::Serialize;

use super::finite::not_finite;
use super::predictions::Candidate;
use crate::error::Result;
use crate::kernels::softmax::log_softmax_row;
use crate::kernels::top_k::top_k;
use crate::model::GenerationSettings;

/// Candidates that are reported for each written token.
const N_CANDIDATES: usize = 5;

/// One step of writing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GeneratedToken {
    /// From 0.
    pub step: usize,
    /// The token written.
    pub chosen: u32,
    /// The probability of the token.
    pub probability: f32,
    /// The natural logarithm of that probability.
    pub log_probability: f32,
    /// The best tokens that may be written, by the scores that the model's files change; the chosen
    /// one leads them. Their numbers are the model's own, before any change.
    pub candidates: Vec<Candidate>,
}

/// The scores of the next token, over the whole vocabulary.
pub(super) struct NextScores {
    logits: Vec<f32>,
    log_probabilities: Vec<f32>,
}

impl NextScores {
    /// Of the logits.
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

    fn candidate(&self, index: usize) -> Candidate {
        Candidate {
            id: index as u32,
            logit: self.logits[index],
            probability: self.log_probabilities[index].exp(),
        }
    }
}

/// What a text is written with, beside its tokens.
#[derive(Clone, Copy)]
pub(super) struct Writing<'a> {
    /// Of the model's files.
    pub settings: &'a GenerationSettings,
    /// The most tokens that a text may come to have, as far as they are read.
    pub most_tokens: usize,
    /// How many tokens of padding it begins with; the penalty of repetition leaves them out.
    pub n_padding: usize,
}

/// A text that is being written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Generation {
    /// New tokens at most.
    pub max_new: usize,
    /// What was written, the end token included.
    pub written: Vec<GeneratedToken>,
    /// No more will come.
    pub finished: bool,
}

impl Generation {
    /// A text before its first new token.
    pub fn begin(max_new: usize) -> Self {
        Self { max_new, written: Vec::new(), finished: max_new == 0 }
    }

    /// Writes the best token after `ids`; returns it unless it ends the text.
    pub fn accept(&mut self, next: &NextScores, ids: &[u32], with: Writing<'_>) -> Option<u32> {
        let mut scores = next.logits.clone();
        self.process(&mut scores, ids, with);
        let best = top_k(&scores, N_CANDIDATES);
        let &(at, _) = best.first()?;
        // Where everything is forbidden, Hugging Face writes the first token nevertheless.
        let may_be_written =
            best.iter().filter(|&&(index, score)| index == at || score > f32::NEG_INFINITY);
        let chosen = next.candidate(at);
        self.written.push(GeneratedToken {
            step: self.written.len(),
            chosen: chosen.id,
            probability: chosen.probability,
            log_probability: next.log_probabilities[at],
            candidates: may_be_written.map(|&(index, _)| next.candidate(index)).collect(),
        });
        let ends =
            with.settings.end_tokens.contains(&chosen.id) || ids.len() + 1 > with.most_tokens;
        self.finished = ends || self.written.len() >= self.max_new;
        if ends { None } else { Some(chosen.id) }
    }

    /// Changes scores in Hugging Face's order, so that what forces a token comes after what
    /// forbids it.
    fn process(&self, scores: &mut [f32], ids: &[u32], with: Writing<'_>) {
        let Writing { settings, most_tokens, n_padding } = with;
        let n_given = ids.len() - self.written.len();
        let penalty = settings.repetition_penalty;
        if penalty.to_bits() != 1f32.to_bits() {
            penalize(scores, ids.get(n_padding..).unwrap_or_default(), penalty);
        }
        forbid(scores, repeating(ids, settings.no_repeat_ngram));
        forbid(scores, completing(ids, &settings.bad_words));
        let shortest =
            settings.min_new_tokens.map_or(settings.min_length, |new| n_given.saturating_add(new));
        if ids.len() < shortest {
            forbid(scores, settings.end_tokens.iter().copied());
        }
        if let Some(first) = settings.forced_first.filter(|_| ids.len() == 1) {
            force(scores, &[first]);
        }
        // The last token is not read, so that a text can have one more than is read.
        let longest = n_given.saturating_add(self.max_new).min(most_tokens.saturating_add(1));
        if !settings.forced_last.is_empty() && ids.len() + 1 == longest {
            force(scores, &settings.forced_last);
        }
        forbid(scores, settings.suppressed.iter().copied());
        let forced = usize::from(n_given == 1 && settings.forced_first.is_some());
        if self.written.len() == forced {
            forbid(scores, settings.suppressed_first.iter().copied());
        }
    }
}

/// Takes tokens out of what can be written.
fn forbid(scores: &mut [f32], ids: impl IntoIterator<Item = u32>) {
    for id in ids {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = f32::NEG_INFINITY;
        }
    }
}

/// Takes all other tokens out of what can be written.
fn force(scores: &mut [f32], ids: &[u32]) {
    scores.fill(f32::NEG_INFINITY);
    for &id in ids {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = 0.0;
        }
    }
}

/// Lowers the scores of tokens that are there, each once: with a penalty below 1 it raises them.
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

/// The tokens that would make the last `size` tokens of a text stand in it twice.
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

/// The tokens that would complete one of the words at the end of a text.
fn completing(ids: &[u32], words: &[Vec<u32>]) -> impl Iterator<Item = u32> {
    words.iter().filter_map(move |word| {
        let (&last, before) = word.split_last()?;
        ids.ends_with(before).then_some(last)
    })
}
