//! The predictions of a run over the vocabulary: the scores of all entries, the best of them, and
//! the probabilities of named ones. Positions are rows of the stack that predicts: the decoder if
//! there is one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::checks::{check_size, checked_position, not_ready};
use super::finite::not_finite;
use super::{Reading, Run, StackRun};
use crate::analysis::LogSoftmax;
use crate::axes::{Axis, Tensor};
use crate::backend::{Algebra, Backend, Cpu, Storage};
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::{Ids, Positions, Size};

/// The probability of an entry of the vocabulary at a position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenProbability {
    /// The probability after softmax over the whole vocabulary.
    pub probability: f64,
    /// The natural logarithm of the probability, also if the probability is too small for a number.
    pub log_probability: f64,
}

impl TokenProbability {
    /// The probabilities of some entries, from all logits of a position, `[vocabulary]`.
    pub(super) fn of(logits: &[f32], ids: &[usize]) -> Vec<Self> {
        let softmax = LogSoftmax::of(logits);
        let of_entry = |&id: &usize| {
            let log_probability = softmax.at(logits[id]);
            Self { probability: log_probability.exp(), log_probability }
        };
        ids.iter().map(of_entry).collect()
    }
}

/// The readings of the best entries of one position: `top_k` of scores and log-softmax, in the same
/// order.
pub(super) struct BestReading {
    /// The reading of the best scores.
    pub logits: Reading<Vec<f32>>,
    /// The reading of the best log-probabilities.
    pub log_probabilities: Reading<Vec<f32>>,
}

impl BestReading {
    /// The entries with their log-probabilities, best first.
    ///
    /// # Errors
    /// `run/not-finite`, and the errors of the readings.
    pub async fn arrive(self) -> Result<Vec<(Candidate, f32)>> {
        let best = candidates(&self.logits.await?, &self.log_probabilities.await?);
        if best.first().is_some_and(|(_, log_probability)| !log_probability.is_finite()) {
            return Err(not_finite("the logits".to_owned()));
        }
        Ok(best)
    }
}

/// The number of positions whose probabilities are computed in one step; each takes a pass over the
/// whole vocabulary.
const POSITIONS_AT_ONCE: usize = 16;

/// The most scores of one answer: 1 GiB of f32.
const MOST_LOGITS: usize = 1 << 28;

/// The fields of the question `logits`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct LogitsAsked {
    /// The positions of the scored tokens, by default all.
    pub positions: Option<Positions>,
}

/// The fields of the question `predictions`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PredictionsAsked {
    /// The positions that predict.
    pub positions: Positions,
    /// The number of predictions for each position.
    pub top_k: Size,
}

/// The fields of the question `probabilities`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct ProbabilitiesAsked {
    /// The positions that predict.
    pub positions: Positions,
    /// The entry of the vocabulary for each position.
    pub ids: Ids,
}

impl<B: Backend> Run<B> {
    /// Scores of the whole vocabulary, `[position, vocabulary]`, at some positions of the
    /// stack that predicts; by default at all.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn logits(&self, positions: Option<&[usize]>) -> Result<Reading<Tensor>> {
        let n = self.predicting_rows()?;
        let all: Vec<usize> = (0..n).collect();
        let positions = positions.unwrap_or(&all);
        let vocabulary = self.model.config.n_vocabulary;
        let most = MOST_LOGITS / vocabulary;
        if positions.len() > most {
            return Err(Error::new(
                Code::SelectionBadPosition,
                "the positions",
                format!("at most {most} at once; ask for fewer"),
                positions.len().to_string(),
            ));
        }
        let rows: Vec<Reading<Vec<f32>>> = positions
            .iter()
            .map(|&position| Ok(self.read(&self.head_output(checked_position(position, n)?)?)))
            .collect::<Result<_>>()?;
        Ok(Box::pin(async move {
            let count = rows.len();
            let mut numbers = Vec::with_capacity(count * vocabulary);
            for row in rows {
                numbers.extend(row.await?);
            }
            Tensor::new(numbers, &[count, vocabulary], &[Axis::Position, Axis::Vocabulary])
        }))
    }

    /// The `k` best next tokens at each of some positions.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready`.
    pub fn predictions(
        &self,
        positions: &[usize],
        k: usize,
    ) -> Result<Reading<Vec<Vec<Candidate>>>> {
        let n = self.predicting_rows()?;
        check_size("the number of predictions", k, self.model.config.n_vocabulary)?;
        let rows = positions
            .iter()
            .map(|&position| self.best(checked_position(position, n)?, k))
            .collect::<Result<Vec<_>>>()?;
        Ok(Box::pin(async move {
            let mut all = Vec::with_capacity(rows.len());
            for best in rows {
                let best = best.arrive().await?;
                all.push(best.into_iter().map(|(candidate, _)| candidate).collect());
            }
            Ok(all)
        }))
    }

    /// The probability of an entry of the vocabulary at a position, for each pair of both lists;
    /// neighbouring pairs of one position share its scores.
    ///
    /// # Errors
    /// `selection/bad-size` for lists of different lengths, `selection/bad-position`,
    /// `input/bad-id`, `run/not-ready`, `output/unavailable`.
    pub fn probabilities(
        &self,
        positions: &[usize],
        ids: &[usize],
    ) -> Result<Reading<Vec<TokenProbability>>> {
        let vocabulary = self.model.config.n_vocabulary;
        check_ids(positions, ids, vocabulary)?;
        let mut rows = positions.to_vec();
        rows.dedup();
        let logits = self.logits(Some(&rows))?;
        let pairs: Vec<(usize, usize)> =
            positions.iter().copied().zip(ids.iter().copied()).collect();
        Ok(Box::pin(async move {
            let logits = logits.await?.into_data();
            let rows = logits.chunks_exact(vocabulary);
            let mut all = Vec::with_capacity(pairs.len());
            for (row, pairs) in rows.zip(pairs.chunk_by(|one, next| one.0 == next.0)) {
                let ids: Vec<usize> = pairs.iter().map(|&(_, id)| id).collect();
                all.extend(TokenProbability::of(row, &ids));
            }
            Ok(all)
        }))
    }

    /// `top_k` of the scores and of their log-softmax at one position.
    pub(super) fn best(&self, row: Range<usize>, k: usize) -> Result<BestReading> {
        let backend = &self.model.backend;
        let logits = self.head_output(row)?;
        let log_probabilities = backend.log_softmax(&logits);
        Ok(BestReading {
            logits: self.ranked(&logits, k),
            log_probabilities: self.ranked(&log_probabilities, k),
        })
    }

    /// The reading of `top_k` of one row; of all numbers if the backend does not support so many
    /// ranks.
    fn ranked(&self, row: &B::Tensor, k: usize) -> Reading<Vec<f32>> {
        let backend = &self.model.backend;
        if k <= backend.limits().most_ranks {
            return self.read(&backend.top_k(row, k));
        }
        let numbers = self.read(row);
        Box::pin(async move {
            let numbers = numbers.await?;
            let columns = numbers.len();
            Cpu.read(&Cpu.top_k(&Cpu.upload(numbers, columns), k)).await
        })
    }

    pub(super) fn head_output(&self, rows: Range<usize>) -> Result<B::Tensor> {
        let output = self.predicting()?.output().ok_or_else(|| not_ready("the output"))?;
        logits_of(&self.model, output, rows)
    }

    /// The stack that predicts: the decoder if there is one.
    pub(super) fn predicting(&self) -> Result<&StackRun<B>> {
        let stack = self.decoder.as_ref().or(self.encoder.as_ref());
        stack.ok_or_else(|| not_ready("the output"))
    }

    /// The number of rows of the stack that predicts; for an image only that of the class token.
    pub(super) fn predicting_rows(&self) -> Result<usize> {
        let rows = self.readable_rows(self.predicting()?)?;
        Ok(if self.model.config.image.is_some() { 1 } else { rows })
    }
}

/// Ranges of a list of positions, each with few different neighbours.
pub(super) fn at_once(positions: &[usize]) -> Vec<Range<usize>> {
    let same: Vec<usize> =
        positions.chunk_by(|one, next| one == next).map(<[usize]>::len).collect();
    let ends = same.chunks(POSITIONS_AT_ONCE).scan(0, |end, lengths| {
        let start = *end;
        *end += lengths.iter().sum::<usize>();
        Some(start..*end)
    });
    ends.collect()
}

/// The logits of some rows of a stack's output, by the model's head.
pub(super) fn logits_of<B: Backend>(
    model: &Model<B>,
    output: &B::Tensor,
    rows: Range<usize>,
) -> Result<B::Tensor> {
    let head = model.head.as_ref().ok_or_else(no_head)?;
    Ok(head.forward(&model.backend, output, rows))
}

/// Refuses ids that are not one for each position, or that the vocabulary does not have.
pub(super) fn check_ids(positions: &[usize], ids: &[usize], n_vocabulary: usize) -> Result<()> {
    if positions.len() != ids.len() {
        return Err(Error::new(
            Code::SelectionBadSize,
            "the ids",
            format!("one for each of {} positions", positions.len()),
            ids.len().to_string(),
        ));
    }
    match ids.iter().find(|&&id| id >= n_vocabulary) {
        Some(&id) => Err(Error::beyond(Code::InputBadId, "the id", n_vocabulary - 1, id)),
        None => Ok(()),
    }
}

/// The error for a prediction by a model without a head.
pub(super) fn no_head() -> Error {
    let expected = "a checkpoint with an output head over the vocabulary";
    Error::new(Code::OutputUnavailable, "predictions", expected, "one without")
}

/// One entry of the vocabulary with its score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidate {
    /// The id of the token.
    pub id: u32,
    /// The logit of the token, its score before softmax.
    pub logit: f32,
    /// The probability of the token after softmax over the whole vocabulary.
    pub probability: f32,
}

/// The best entries of one position: `top_k` of the logits and of their log-softmax.
fn candidates(logits: &[f32], log_probabilities: &[f32]) -> Vec<(Candidate, f32)> {
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

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::at_once;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_long_list_of_positions_is_taken_in_parts() {
        assert!(at_once(&[]).is_empty());
        let positions: Vec<usize> = (0..40).map(|at| at / 2).collect();
        assert_eq!(at_once(&positions), [0..32, 32..40]);
    }
}
