//! Laboratories: what needs no model, only numbers that somebody chose. One question, one
//! answer, in f64 but where a model's own f32 kernels compute it (rotary, the four terms); the
//! page asks from a thread of its own, so a model never waits for one.
//!
//! Each laboratory is a file of pure functions with its question and its answer; the two
//! lists here are all that the door knows.

pub mod alibi;
pub mod buckets;
pub mod four_terms;
pub mod likeness;
pub mod rotary;
pub mod scores;
pub mod waves;
mod whole;
pub mod workbench;

use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What can be asked.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(tag = "what", rename_all = "camelCase")]
pub enum LabQuestion {
    /// Sinusoidal positions.
    Waves(waves::WavesAsked),
    /// How alike the rows of a table of positions are.
    Likeness(likeness::LikenessAsked),
    /// Attention of brought numbers.
    Workbench(workbench::WorkbenchAsked),
    /// One of two ways to project, again and again.
    Projection(workbench::projection::ProjectionAsked),
    /// Softmax with the maximum subtracted and without.
    Overflow(workbench::overflow::OverflowAsked),
    /// Scores with and without their scale.
    Scores(scores::ScoresAsked),
    /// Rotary positions.
    Rotary(rotary::RotaryAsked),
    /// `ALiBi`.
    Alibi(alibi::AlibiAsked),
    /// T5's buckets.
    Buckets(buckets::BucketsAsked),
    /// Transformer-XL's terms.
    FourTerms(four_terms::FourTermsAsked),
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LabAnswer {
    /// Of `waves`.
    Waves(waves::Waves),
    /// Of `likeness`.
    Likeness(likeness::Likeness),
    /// Of `workbench`.
    Workbench(workbench::Workbench),
    /// Of `projection`.
    Projection(workbench::projection::Projected),
    /// Of `overflow`.
    Overflow(workbench::overflow::Overflow),
    /// Of `scores`.
    Scores(scores::Scores),
    /// Of `rotary`.
    Rotary(rotary::Rotary),
    /// Of `alibi`.
    Alibi(alibi::Alibi),
    /// Of `buckets`.
    Buckets(buckets::Bucketed),
    /// Of `fourTerms`.
    FourTerms(four_terms::FourTerms),
}

/// Answers a question; numbers that cannot be used are refused with a code.
pub fn answer(question: &LabQuestion) -> Result<LabAnswer> {
    match question {
        LabQuestion::Waves(asked) => waves::waves(asked).map(LabAnswer::Waves),
        LabQuestion::Likeness(asked) => likeness::likeness(asked).map(LabAnswer::Likeness),
        LabQuestion::Workbench(asked) => workbench::workbench(asked).map(LabAnswer::Workbench),
        LabQuestion::Projection(asked) => {
            workbench::projection::projected(asked).map(LabAnswer::Projection)
        }
        LabQuestion::Overflow(asked) => {
            workbench::overflow::overflow(asked).map(LabAnswer::Overflow)
        }
        LabQuestion::Scores(asked) => scores::scores(asked).map(LabAnswer::Scores),
        LabQuestion::Rotary(asked) => rotary::rotary(asked).map(LabAnswer::Rotary),
        LabQuestion::Alibi(asked) => alibi::alibi(asked).map(LabAnswer::Alibi),
        LabQuestion::Buckets(asked) => buckets::buckets(asked).map(LabAnswer::Buckets),
        LabQuestion::FourTerms(asked) => four_terms::four_terms(asked).map(LabAnswer::FourTerms),
    }
}
