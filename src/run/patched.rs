//! What a model predicts under one more patch, whose numbers another run has: a cell of a grid of
//! patches (Meng et al. 2022, section 2). The blocks before the patch are those of the run, and so
//! are the rows that see no changed row: under a causal mask, those before the first position at
//! which both runs differ. Of the last block only the row that predicts is computed, where no other
//! row is read. Rows of several cells pass the blocks side by side, in one product each.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use serde::Deserialize;

use super::activation_patches::ActivationPatch;
use super::predictions::{check_ids, logits_of};
use super::stack_run::StackRun;
use super::{Run, TokenProbability};
use crate::axes::{Stack, Stage, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{At, Ids, OtherRun, Position, Work};
use crate::run::checks::{checked_position, not_ready};

/// The most work of a block for cells side by side, in multiplications: about 3 ms on one core.
/// More rows would be no faster, and each cell keeps its rows of all blocks.
const BLOCK_WORK: usize = 50_000_000;

/// The work after which a step ends, in multiplications.
const STEP_WORK: usize = 100_000_000;

/// The fields of the question `patched`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PatchedAsked {
    /// The addresses of the patched activations, one for each cell.
    pub at: Vec<At>,
    /// The run whose numbers are put there.
    pub other: OtherRun,
    /// The position that predicts.
    pub position: Position,
    /// The entries of the vocabulary whose probabilities are read.
    pub ids: Ids,
}

/// For each of the first addresses, as many as are computed side by side, the probabilities of
/// entries of the vocabulary at a position of `run` if the activation at the address has the
/// numbers that `other` has there; one address's after the other's.
///
/// # Errors
/// `selection/…` for what does not exist and for texts of other lengths, `input/bad-id`,
/// `edit/unsupported` for a step that cannot be patched, `run/not-ready`, `output/unavailable`.
pub fn patched<B: Backend>(
    run: &Rc<RefCell<Run<B>>>,
    other: &Run<B>,
    asked: PatchedAsked,
) -> Result<Work<Vec<TokenProbability>>> {
    let PatchedAsked { mut at, position: Position(position), ids: Ids(ids), .. } = asked;
    {
        let run = run.borrow();
        run.check_same_model(other)?;
        run.head_output(checked_position(position, run.predicting_rows()?)?)?;
        check_ids(&vec![position; ids.len()], &ids, run.model.config.n_vocabulary)?;
        at.truncate(run.n_side_by_side(&at));
    }
    // Heads side by side are read once, of both runs.
    let mut sent = Vec::with_capacity(at.len());
    for (index, one) in at.iter().enumerate() {
        let is_read = index > 0 && whole(&at[index - 1]) == whole(one);
        let read = |run: &Run<B>| run.read_at(&whole(one));
        sent.push(if is_read { None } else { Some([read(other)?, read(&run.borrow())?]) });
    }
    let mut sent = Some(sent);
    let held = Rc::clone(run);
    let made = Rc::new(OnceCell::<Vec<RefCell<Run<B>>>>::new());
    let asked: Rc<(Vec<At>, Vec<usize>)> = Rc::new((at, ids));
    Ok(Work::new(move || {
        let (held, made, asked) = (Rc::clone(&held), Rc::clone(&made), Rc::clone(&asked));
        let sent = sent.take();
        Box::pin(async move {
            let (at, ids) = &*asked;
            if let Some(sent) = sent {
                let mut values = None;
                let mut patches = Vec::with_capacity(at.len());
                let mut n_kept = usize::MAX;
                for (at, reading) in at.iter().zip(sent) {
                    if let Some([other, own]) = reading {
                        values = Some([other.await?, own.await?]);
                    }
                    let Some([other, own]) = &values else { continue };
                    let held = held.borrow();
                    let patch = held.patch_of(at, other)?;
                    n_kept = n_kept.min(patch.rows_kept(&held.patch_of(at, own)?));
                    patches.push((at.stack, patch));
                }
                let held = held.borrow();
                // Cells side by side keep as many rows each.
                let runs = patches.into_iter().map(|(stack, patch)| {
                    RefCell::new(held.with_patch(stack, patch, n_kept, position))
                });
                let runs = runs.collect();
                let _ = made.set(runs);
            }
            let Some(runs) = made.get() else { return Ok(None) };
            let mut work = 0;
            while let Some(done) = Run::advance(runs).await? {
                work += done;
                if work >= STEP_WORK {
                    return Ok(None);
                }
            }
            let logits = held.borrow().read(&Run::logits_of_row(runs, position)?);
            let logits = logits.await?;
            let rows = logits.chunks_exact((logits.len() / runs.len().max(1)).max(1));
            Ok(Some(rows.flat_map(|row| TokenProbability::of(row, ids)).collect()))
        })
    }))
}

/// The address of an activation with all heads that stand side by side; a pattern has one.
pub(super) fn whole(at: &At) -> At {
    At { head: at.head.clone().filter(|_| Stage::of(at.step).is_some()), ..at.clone() }
}

impl<B: Backend> Run<B> {
    /// The number of the first addresses whose cells are computed side by side, at least one: those
    /// of one step, as far as a block of all of them is little work.
    fn n_side_by_side(&self, at: &[At]) -> usize {
        let Some(first) = at.first() else { return 0 };
        let place = |at: &At| (at.stack, at.layer.0, at.step);
        let alike = at.iter().take_while(|one| place(one) == place(first)).count();
        let n = self.encoder.iter().chain(&self.decoder).map(|run| run.ids.len()).max();
        let work = 12 * n.unwrap_or(1) * self.model.config.d_model.pow(2);
        alike.min((BLOCK_WORK / work.max(1)).max(1))
    }

    /// A patch of the activation at an address by its numbers, of all heads that stand side by
    /// side.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have, `selection/other-length` for
    /// numbers of a text of another length, `edit/unsupported` for a step that cannot be patched.
    pub(super) fn patch_of(&self, at: &At, values: &Tensor) -> Result<ActivationPatch> {
        let place = self.patch_place(at)?;
        let spot = place.patched_spot(at.step, "the step of the patch")?;
        let [rows, width] = [place.rows.len(), place.width];
        if [rows, width] != *values.shape() {
            let found = values.shape();
            return Err(Error::new(
                Code::SelectionOtherLength,
                "the activation of the other run",
                format!("{rows} × {width} numbers, as the run has"),
                format!("{} × {}", found[0], found[1]),
            ));
        }
        let numbers = values.values().as_slice().unwrap_or_default();
        let row = |at: usize| numbers[at * width..][place.columns.clone()].to_vec();
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

    /// This run with one more patch, which leaves the first `n_kept` rows of its stack as they are,
    /// with the rows that the patch does not change. It computes what the logits at a position
    /// need.
    fn with_patch(
        &self,
        stack: Stack,
        patch: ActivationPatch,
        n_kept: usize,
        position: usize,
    ) -> Self {
        let mut run = self.begun_with(stack, patch);
        run.take_over(self, Some(n_kept));
        let reads_one = run.model.head.as_ref().is_some_and(|head| head.distilled.is_none());
        let model = Rc::clone(&run.model);
        let predicts = run.decoder.as_mut().or(run.encoder.as_mut());
        if let Some(predicts) = predicts.filter(|_| reads_one) {
            predicts.leave_last_block(&model.backend, position);
        }
        run
    }

    /// The logits of several runs at a position, `[runs, v]`, once all that they need is computed.
    fn logits_of_row(runs: &[RefCell<Self>], position: usize) -> Result<B::Tensor> {
        let mut runs: Vec<_> = runs.iter().map(RefCell::borrow_mut).collect();
        let Some(model) = runs.first().map(|run| Rc::clone(&run.model)) else {
            return Err(not_ready("the output"));
        };
        let backend = &model.backend;
        let predicting = runs.iter_mut().filter_map(|run| {
            let Self { encoder, decoder, .. } = &mut **run;
            decoder.as_mut().or(encoder.as_mut())
        });
        let mut texts: Vec<_> = predicting.collect();
        let weights = model.decoder.as_ref().or(model.encoder.as_ref());
        let last = weights.and_then(|own| StackRun::last_rows(&mut texts, backend, own));
        if let Some(rows) = last {
            return logits_of(&model, &rows, 0..backend.rows(&rows));
        }
        let logits = runs.iter().map(|run| run.head_output(position..position + 1));
        Ok(backend.stacked(logits.collect::<Result<_>>()?))
    }
}

impl<B: Backend> StackRun<B> {
    /// Leaves the last block but one of its rows, where no other row of it is needed.
    fn leave_last_block(&mut self, backend: &B, row: usize) {
        let is_alone = self.sites.last().is_some_and(|sites| {
            sites.cross.is_none() && sites.reach == 0 && !sites.own.is_left(backend)
        });
        if !is_alone {
            return;
        }
        self.row_alone = Some(row);
        for rows in self.hidden.last_mut().into_iter().chain(&mut self.normed) {
            *rows = backend.select(rows, 0..0);
        }
    }
}
