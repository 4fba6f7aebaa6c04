//! Laboratories: what needs no model, only numbers that somebody chose. One question, one
//! answer, in f64; the page asks from a thread of its own, so a model never waits for one.
//!
//! Each laboratory is a file of pure functions with its question and its answer; the two
//! lists here are all that the door knows.

pub mod scores;
pub mod waves;

use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What can be asked.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(tag = "what", rename_all = "camelCase")]
pub enum LabQuestion {
    /// Sinusoidal positions.
    Waves(waves::WavesAsked),
    /// Scores with and without their scale.
    Scores(scores::ScoresAsked),
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LabAnswer {
    /// Of `waves`.
    Waves(waves::Waves),
    /// Of `scores`.
    Scores(scores::Scores),
}

/// Answers a question; numbers that cannot be used are refused with a code.
pub fn answer(question: &LabQuestion) -> Result<LabAnswer> {
    match question {
        LabQuestion::Waves(asked) => waves::waves(asked).map(LabAnswer::Waves),
        LabQuestion::Scores(asked) => scores::scores(asked).map(LabAnswer::Scores),
    }
}
