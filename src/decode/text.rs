//! The text that is being written: its tokens, their candidates, and whether it is complete.

use serde::Serialize;

use super::scores::{N_CANDIDATES, NextScores, ScoreStage, Scores, process};
use super::strategy::{Choice, Draw, Strategy};
use crate::kernels::top_k::top_k;
use crate::run::{Candidate, Written};

/// One step of generation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GeneratedToken {
    /// The index of the step, from 0.
    pub step: usize,
    /// The id of the written token.
    pub chosen: u32,
    /// The model's probability of the written token.
    pub probability: f32,
    /// The natural logarithm of the token's probability.
    pub log_probability: f32,
    /// The best tokens that may be written, by the scores after all changes of the settings; the
    /// written token is the first. Their numbers are the model's own, before any change.
    pub candidates: Vec<Candidate>,
    /// The best tokens by the model alone, and after each setting that changed a score; none where
    /// no score was changed.
    pub stages: Vec<ScoreStage>,
    /// The drawn number, if the token was drawn by its probability.
    pub draw: Option<Draw>,
}

/// The state of a text that is being written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    /// The most new tokens.
    max_new: usize,
    /// The written tokens, the end token included.
    pub written: Vec<GeneratedToken>,
    /// Whether the text is complete.
    pub finished: bool,
}

impl Text {
    /// The state before the first new token.
    pub fn begin(max_new: usize) -> Self {
        Self { max_new, written: Vec::new(), finished: max_new == 0 }
    }

    /// Writes a token after those of `text`; returns it unless it ends the text: an end token is
    /// chosen, not read.
    pub fn write(
        &mut self,
        next: &NextScores,
        strategy: &mut dyn Strategy,
        text: &Written<'_>,
    ) -> Option<u32> {
        let step = self.written.len();
        let mut scores = Scores::of(next.logits.clone());
        process(&mut scores, text, [step, self.max_new]);
        let Choice { entry: at, draw } = strategy.choose(step, &mut scores)?;
        // If every token is forbidden, Hugging Face writes the first token.
        let others = top_k(scores.values(), N_CANDIDATES)
            .into_iter()
            .filter(|&(index, score)| index != at && score > f32::NEG_INFINITY)
            .map(|(index, _)| index);
        let chosen = next.candidate(at);
        self.written.push(GeneratedToken {
            step,
            chosen: chosen.id,
            probability: chosen.probability,
            log_probability: next.log_probabilities[at],
            candidates: std::iter::once(at)
                .chain(others)
                .take(N_CANDIDATES)
                .map(|index| next.candidate(index))
                .collect(),
            stages: scores.into_stages(),
            draw,
        });
        let n = text.ids.len();
        let ends = text.settings.end_tokens.contains(&chosen.id) || n + 1 > text.most_tokens;
        self.finished = ends || self.written.len() >= self.max_new;
        if ends { None } else { Some(chosen.id) }
    }
}
