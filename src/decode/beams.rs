//! Beam search: the texts with the largest sums of log-probabilities are written side by side, and
//! the best complete ones remain.
//!
//! `s(y) = Σ ln p(y_i | y_<i, x)`, `score(y) = s(y) / |y|^α` with the length penalty `α`.
//!
//! Sources: Graves 2012 and Sutskever et al. 2014, section 3.2, for the search; Wu et al. 2016,
//! section 7, for a length penalty. Which continuations are kept, which texts are complete and when
//! the search ends is as in `_beam_search` of Hugging Face's `generation/utils.py`, Transformers
//! 5.24, and so are sums in f32. Diverse and constrained beams are not part of it.

use serde::Serialize;

use super::scores::{NextScores, Scores, process};
use crate::error::Result;
use crate::kernels::top_k::top_k;
use crate::model::EarlyStopping;
use crate::run::{BeamSettings, Candidate, Written};

/// What becomes of a branch of beam search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum BranchFate {
    /// The next step continues the branch.
    Kept,
    /// The text of the branch is complete, and one of the best.
    Finished,
    /// Other branches have larger sums.
    Dropped,
}

/// One continuation in beam search. The branches of all steps are a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The number of the branch in the search, from 0.
    pub id: usize,
    /// The branch that it continues; null at the first step.
    pub parent: Option<usize>,
    /// The token, with the model's own logit and probability.
    pub token: Candidate,
    /// The natural logarithm of the token's probability, after the settings that change scores.
    pub log_probability: f32,
    /// The sum of the logarithms of all tokens of the branch.
    pub sum: f32,
    /// What becomes of the branch.
    pub fate: BranchFate,
}

/// A complete text of beam search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Hypothesis {
    /// The branch of the last token.
    pub branch: usize,
    /// The written tokens, the end token included.
    pub ids: Vec<u32>,
    /// The sum of the logarithms of the tokens' probabilities.
    pub sum: f32,
    /// The sum divided by a power of the length, which ranks the text.
    pub score: f32,
    /// The place of the text, from 0, in the order of sums.
    pub rank_by_sum: usize,
}

/// The state of a beam search.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Beams {
    settings: BeamSettings,
    /// The most new tokens.
    max_new: usize,
    /// The texts that the next step continues, the largest sum first.
    kept: Vec<Beam>,
    /// The best complete texts, the largest score first.
    pub hypotheses: Vec<Hypothesis>,
    /// The branches of each step.
    pub steps: Vec<Vec<Branch>>,
    /// Whether the search has ended.
    pub finished: bool,
}

/// A text that is being written.
#[derive(Debug, Clone, Default, PartialEq)]
struct Beam {
    branch: Option<usize>,
    written: Vec<u32>,
    sum: f32,
}

/// One continuation of a text.
#[derive(Clone, Copy)]
struct Continued {
    /// The index of the text.
    text: usize,
    token: Candidate,
    log_probability: f32,
    sum: f32,
    is_complete: bool,
}

impl Beams {
    /// The state before the first step.
    pub fn begin(settings: BeamSettings, max_new: usize) -> Self {
        Self {
            settings,
            max_new,
            kept: vec![Beam::default()],
            hypotheses: Vec::new(),
            steps: Vec::new(),
            finished: max_new == 0,
        }
    }

    /// Takes one step, from the logits of the token after each text; returns the continuations that
    /// the next step continues, each as the index of its text and the token.
    ///
    /// # Errors
    /// `run/not-finite`.
    pub fn step(&mut self, logits: &[f32], texts: &[Written<'_>]) -> Result<Vec<(usize, u32)>> {
        let Some(first) = texts.first() else { return Ok(Vec::new()) };
        let longest = self.longest(first);
        let most = self.settings.n_beams * (1 + first.settings.end_tokens.len()).max(2);
        let mut best = Vec::new();
        for (index, row) in logits.chunks_exact(logits.len() / texts.len()).enumerate() {
            best.extend(self.continuations(index, row, &texts[index], [most, longest])?);
        }
        // Of equal sums that of the first text and token leads.
        let sums: Vec<f32> = best.iter().map(|continued| continued.sum).collect();
        let best: Vec<_> = top_k(&sums, most).into_iter().map(|(index, _)| best[index]).collect();
        let kept = self.select(&best);
        self.finished = !self.goes_on(longest);
        if self.finished {
            self.rank();
        }
        Ok(kept)
    }

    /// The best continuations of one text.
    fn continuations(
        &self,
        index: usize,
        logits: &[f32],
        text: &Written<'_>,
        [most, longest]: [usize; 2],
    ) -> Result<Vec<Continued>> {
        let next = NextScores::of(logits.to_vec())?;
        let step = self.steps.len();
        let mut scores = Scores::of(next.log_probabilities.clone());
        process(&mut scores, text, [step, self.max_new]);
        let best = top_k(scores.values(), most).into_iter();
        let possible = best.filter(|&(_, score)| score > f32::NEG_INFINITY);
        let continued = possible.map(|(entry, log_probability)| Continued {
            text: index,
            token: next.candidate(entry),
            log_probability,
            sum: self.kept[index].sum + log_probability,
            is_complete: step + 1 >= longest || text.settings.end_tokens.contains(&(entry as u32)),
        });
        Ok(continued.collect())
    }

    /// The most new tokens of a text. The last written token is not read, so a text can have one
    /// token more than the model reads.
    fn longest(&self, text: &Written<'_>) -> usize {
        let n_given = text.ids.len() - self.steps.len();
        self.max_new.min((text.most_tokens + 1).saturating_sub(n_given))
    }

    /// Decides about the continuations, the best of which comes first: keeps the best that are not
    /// complete, and completes texts of the best alone.
    fn select(&mut self, best: &[Continued]) -> Vec<(usize, u32)> {
        let n_beams = self.settings.n_beams;
        let before = std::mem::take(&mut self.kept);
        let divisor = self.divisor(self.steps.len() + 1);
        let first = self.steps.last().and_then(|step| step.last()).map_or(0, |last| last.id + 1);
        let mut branches = Vec::with_capacity(best.len());
        let mut kept = Vec::with_capacity(n_beams);
        for (rank, continued) in best.iter().enumerate() {
            let Continued { text, token, log_probability, sum, is_complete } = *continued;
            let Beam { branch: parent, written, .. } = &before[text];
            let id = first + rank;
            let written = || [written, &[token.id][..]].concat();
            let fate = if is_complete && rank < n_beams {
                let ids = written();
                let score = sum / divisor;
                let place = self.hypotheses.partition_point(|one| one.score >= score);
                let found = Hypothesis { branch: id, ids, sum, score, rank_by_sum: 0 };
                self.hypotheses.insert(place, found);
                BranchFate::Finished
            } else if !is_complete && kept.len() < n_beams {
                self.kept.push(Beam { branch: Some(id), written: written(), sum });
                kept.push((text, token.id));
                BranchFate::Kept
            } else {
                BranchFate::Dropped
            };
            branches.push(Branch { id, parent: *parent, token, log_probability, sum, fate });
        }
        self.steps.push(branches);
        self.hypotheses.truncate(n_beams);
        kept
    }

    /// Whether a kept text may still become one of the best complete ones.
    fn goes_on(&self, longest: usize) -> bool {
        let Some(best) = self.kept.first() else { return false };
        let worst =
            self.hypotheses.last().filter(|_| self.hypotheses.len() == self.settings.n_beams);
        let Some(worst) = worst else { return true };
        let length = match self.settings.early_stopping {
            EarlyStopping::Full => return false,
            EarlyStopping::Never if self.settings.length_penalty > 0.0 => longest,
            _ => self.steps.len(),
        };
        best.sum / self.divisor(length) > worst.score
    }

    /// The divisor of the sum of a text of some tokens.
    fn divisor(&self, length: usize) -> f32 {
        (length as f64).powf(self.settings.length_penalty) as f32
    }

    /// Leaves the complete texts that are wanted, and ranks them by their sums too.
    fn rank(&mut self) {
        self.hypotheses.truncate(self.settings.n_returned);
        let sums: Vec<f32> = self.hypotheses.iter().map(|one| one.sum).collect();
        for (index, one) in self.hypotheses.iter_mut().enumerate() {
            let is_before = |(at, &sum): (usize, &f32)| {
                sum > one.sum || (at < index && sum.to_bits() == one.sum.to_bits())
            };
            one.rank_by_sum = sums.iter().enumerate().filter(|&found| is_before(found)).count();
        }
    }

    /// The best complete text with what stood before it, as far as the model reads it: an end token
    /// is written, not read. `text` is a text before the last step.
    pub fn best(&self, text: &Written<'_>) -> Option<Vec<u32>> {
        let given = &text.ids[..text.ids.len() + 1 - self.steps.len()];
        let written = &self.hypotheses.first()?.ids;
        let ended = written.last().is_some_and(|last| text.settings.end_tokens.contains(last));
        let mut ids = [given, &written[..written.len() - usize::from(ended)]].concat();
        ids.truncate(text.most_tokens);
        Some(ids)
    }
}
