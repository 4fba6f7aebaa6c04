//! Greedy decoding: the most probable token is written, read again, and so on until the
//! model ends the text. The rows computed on the way are the run's own rows: writing is
//! one more row through the same blocks with everything before it kept.
//!
//! `t_{i+1} = argmax softmax(logits_i)`
//!
//! Sources: Vaswani et al. 2017, section 3.1 (auto-regressive); stop rule after Hugging
//! Face's `generate(num_beams=1, do_sample=False)`: the end token is chosen, not read.

use serde::Serialize;

use crate::model::ModelConfig;

/// Candidates that are reported for each written token.
pub(super) const N_CANDIDATES: usize = 5;

/// One entry of the vocabulary with its score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct Candidate {
    /// The token.
    pub id: u32,
    /// Its score before softmax.
    pub logit: f32,
    /// Its share after softmax over the whole vocabulary.
    pub probability: f32,
}

/// One step of writing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GeneratedToken {
    /// From 0.
    pub step: usize,
    /// The token written.
    pub chosen: u32,
    /// Its probability.
    pub probability: f32,
    /// Its natural logarithm.
    pub log_probability: f32,
    /// The most probable tokens that may be written, most probable first; the chosen one
    /// leads them.
    pub candidates: Vec<Candidate>,
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

/// The best entries of one position: `top_k` of the logits and of their log-softmax.
pub(super) fn candidates(logits: &[f32], log_probabilities: &[f32]) -> Vec<(Candidate, f32)> {
    let k = logits.len() / 2;
    (0..k)
        .map(|rank| {
            #[expect(clippy::cast_sign_loss, reason = "indices are not negative")]
            let id = logits[rank] as u32;
            let log_probability = log_probabilities[k + rank];
            (
                Candidate { id, logit: logits[k + rank], probability: log_probability.exp() },
                log_probability,
            )
        })
        .collect()
}

impl Generation {
    /// A text before its first new token.
    pub fn begin(max_new: usize) -> Self {
        Self { max_new, written: Vec::new(), finished: max_new == 0 }
    }

    /// Writes the best token that may be written; returns it unless it ends the text.
    /// `n_tokens` are there already, of `most_tokens` that there may be.
    pub fn accept(
        &mut self,
        best: &[(Candidate, f32)],
        n_tokens: usize,
        config: &ModelConfig,
        most_tokens: usize,
    ) -> Option<u32> {
        let allowed =
            |(candidate, _): &&(Candidate, f32)| !config.suppressed_tokens.contains(&candidate.id);
        let allowed = || best.iter().filter(allowed);
        let Some(&(chosen, log_probability)) = allowed().next() else {
            self.finished = true;
            return None;
        };
        self.written.push(GeneratedToken {
            step: self.written.len(),
            chosen: chosen.id,
            probability: chosen.probability,
            log_probability,
            candidates: allowed().take(N_CANDIDATES).map(|&(candidate, _)| candidate).collect(),
        });
        let ends = config.end_token == Some(chosen.id);
        self.finished = ends || self.written.len() >= self.max_new || n_tokens + 1 > most_tokens;
        if ends || n_tokens + 1 > most_tokens { None } else { Some(chosen.id) }
    }
}
