//! What a model predicts under one more patch, whose numbers another run has: a cell of a grid of
//! patches (Meng et al. 2022, section 2). The blocks before the patch are those of the run, and of
//! the last block only the row that predicts is computed, where no other row is read.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use serde::Deserialize;

use super::activation_patches::ActivationPatch;
use super::predictions::{check_ids, logits_of};
use super::stack_run::StackRun;
use super::{Run, TokenProbability};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{At, Ids, OtherRun, Position, Work};
use crate::run::checks::checked_position;

/// The fields of the question `patched`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PatchedAsked {
    /// The address of the patched activation.
    pub at: At,
    /// The run whose numbers are put there.
    pub other: OtherRun,
    /// The position that predicts.
    pub position: Position,
    /// The entries of the vocabulary whose probabilities are read.
    pub ids: Ids,
}

/// Probabilities of entries of the vocabulary at a position of `run` if the activation at an
/// address has the numbers that `other` has there.
///
/// # Errors
/// `selection/…` for what does not exist and for texts of other lengths, `input/bad-id`,
/// `edit/unsupported` for a step that cannot be patched, `run/not-ready`, `output/unavailable`.
pub fn patched<B: Backend>(
    run: &Rc<RefCell<Run<B>>>,
    other: &Run<B>,
    asked: PatchedAsked,
) -> Result<Work<Vec<TokenProbability>>> {
    let PatchedAsked { at, position: Position(position), ids: Ids(ids), .. } = asked;
    {
        let run = run.borrow();
        run.check_same_model(other)?;
        run.head_output(checked_position(position, run.predicting_rows()?)?)?;
        check_ids(&vec![position; ids.len()], &ids, run.model.config.n_vocabulary)?;
    }
    let mut sent = Some(other.read_at(&at)?);
    let held = Rc::clone(run);
    let made = Rc::new(OnceCell::<RefCell<Run<B>>>::new());
    let ids: Rc<[usize]> = ids.into();
    Ok(Work::new(move || {
        let (held, made, ids, at) = (Rc::clone(&held), Rc::clone(&made), ids.clone(), at.clone());
        let sent = sent.take();
        Box::pin(async move {
            if let Some(sent) = sent {
                let values = sent.await?;
                let patch = held.borrow().patch_of(&at, values)?;
                let patched = held.borrow().with_patch(at.stack, patch, position);
                let _ = made.set(RefCell::new(patched));
            }
            let Some(run) = made.get() else { return Ok(None) };
            if Run::advance(run).await?.is_some() {
                return Ok(None);
            }
            let logits = run.borrow_mut().logits_of_row(position)?;
            let reading = run.borrow().read(&logits);
            let logits = reading.await?;
            Ok(Some(TokenProbability::of(&logits, &ids)))
        })
    }))
}

impl<B: Backend> Run<B> {
    /// A patch of the activation at an address by all of its numbers.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have, `selection/other-length` for
    /// numbers of a text of another length, `edit/unsupported` for a step that cannot be patched.
    pub(super) fn patch_of(&self, at: &At, values: crate::axes::Tensor) -> Result<ActivationPatch> {
        let place = self.patch_place(at)?;
        let spot = place.patched_spot(at.step, "the step of the patch")?;
        let [rows, width] = [place.rows.len(), place.columns.len()];
        if [rows, width] != *values.shape() {
            let found = values.shape();
            return Err(Error::new(
                Code::SelectionOtherLength,
                "the activation of the other run",
                format!("{rows} × {width} numbers, as the run has"),
                format!("{} × {}", found[0], found[1]),
            ));
        }
        let values = values.into_data();
        let row = |at: usize| values[at * width..(at + 1) * width].to_vec();
        let head = at.head.as_ref().map(|head| head.0);
        Ok(ActivationPatch::of(&place, spot, head, &row))
    }

    /// A run of the same text before its first row, with one more patch.
    pub(super) fn begun_with(&self, stack: Stack, patch: ActivationPatch) -> Self {
        let mut run = self.begun();
        run.has_ended = true;
        let pairs = [(&mut run.encoder, &self.encoder), (&mut run.decoder, &self.decoder)];
        for (new, before) in pairs {
            if let (Some(new), Some(before)) = (new, before) {
                new.take_text(before);
                new.take_patches(before);
            }
        }
        let patched = if stack == Stack::Encoder { &mut run.encoder } else { &mut run.decoder };
        if let Some(patched) = patched {
            patched.patch(patch);
        }
        run
    }

    /// This run with one more patch, with the rows that the patch does not change. It computes what
    /// the logits at a position need.
    fn with_patch(&self, stack: Stack, patch: ActivationPatch, position: usize) -> Self {
        let mut run = self.begun_with(stack, patch);
        run.take_over(self);
        let reads_one = run.model.head.as_ref().is_some_and(|head| head.distilled.is_none());
        let model = Rc::clone(&run.model);
        let predicts = run.decoder.as_mut().or(run.encoder.as_mut());
        if let Some(predicts) = predicts.filter(|_| reads_one) {
            predicts.leave_last_block(&model.backend, position);
        }
        run
    }

    /// The logits at a position, once all that they need is computed.
    fn logits_of_row(&mut self, position: usize) -> Result<B::Tensor> {
        let model = Rc::clone(&self.model);
        let weights = model.decoder.as_ref().or(model.encoder.as_ref());
        let predicts = self.decoder.as_mut().or(self.encoder.as_mut());
        let last = match (predicts, weights) {
            (Some(predicts), Some(weights)) => predicts.last_row(&model.backend, weights),
            _ => None,
        };
        match last {
            Some(row) => logits_of(&model, &row, 0..1),
            None => self.head_output(position..position + 1),
        }
    }
}

impl<B: Backend> StackRun<B> {
    /// Leaves the last block but one of its rows, where no other row of it is needed.
    fn leave_last_block(&mut self, backend: &B, row: usize) {
        let is_alone = self.sites.last().is_some_and(|sites| {
            sites.cross.is_none() && sites.reach == 0 && !sites.own.is_left(backend)
        });
        let is_begun = self.hidden.last().is_none_or(|last| backend.rows(last) > 0);
        self.row_alone = Some(row).filter(|_| is_alone && !is_begun);
    }
}
