//! Several texts that one run writes side by side: a decoder for each, all in the same state, so
//! that each unit of work is computed for all of them. The encoder and what cross-attention keeps
//! of it are shared, and so are the rows of a text that two others continue.

use super::predictions::logits_of;
use super::reuse::Same;
use super::stack_run::StackRun;
use super::{Run, Written};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::question::Reading;

impl<B: Backend> Run<B> {
    /// The decoders of all texts.
    pub(super) fn decoders(&self) -> impl Iterator<Item = &StackRun<B>> {
        self.decoder.iter().chain(&self.beams)
    }

    /// The reading of the logits of the token after the last one of each text, one text's after the
    /// other's; `None` for a model that writes none.
    pub(crate) fn next_logits(&self) -> Option<Reading<Vec<f32>>> {
        let backend = &self.model.backend;
        let last = |run: &StackRun<B>| {
            let last = run.ids.len().checked_sub(1)?;
            Some(backend.select(run.output()?, last..last + 1))
        };
        let rows = backend.stacked(self.decoders().map(last).collect::<Option<_>>()?);
        let logits = logits_of(&self.model, &rows, 0..backend.rows(&rows)).ok()?;
        Some(self.read(&logits))
    }

    /// Each text so far.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Written<'_>> {
        self.decoders().map(|decoder| self.written_by(decoder))
    }

    /// Puts continuations in the place of the texts: each is the index of a text and the token that
    /// follows it.
    pub(crate) fn branch(&mut self, continuations: &[(usize, u32)]) {
        let model = &self.model;
        let (Some(first), Some(weights)) = (self.decoder.take(), &model.decoder) else { return };
        let mut before: Vec<_> =
            std::iter::once(first).chain(self.beams.drain(..)).map(Some).collect();
        let mut after = Vec::with_capacity(continuations.len());
        for (index, &(text, id)) in continuations.iter().enumerate() {
            let Some(known) = before.get_mut(text) else { continue };
            let is_needed = continuations[index + 1..].iter().any(|&(later, _)| later == text);
            let taken = match known {
                Some(known) if is_needed => Some(known.fork(&model.backend)),
                _ => known.take(),
            };
            let Some(mut run) = taken else { continue };
            run.push(model, weights, Stack::Decoder, id);
            after.push(run);
        }
        let mut after = after.into_iter();
        self.decoder = after.next();
        self.beams = after.collect();
    }

    /// Leaves one text, the given tokens, and takes over the rows that one of the texts has of it.
    pub(crate) fn adopt(&mut self, ids: &[u32]) {
        let model = &self.model;
        let Some(weights) = &model.decoder else { return };
        let same = |run: &&StackRun<B>| {
            run.ids.iter().zip(ids).take_while(|(one, other)| one == other).count()
        };
        let Some(nearest) = self.decoders().max_by_key(same) else { return };
        let mut run = StackRun::begin(model, weights, Stack::Decoder, &self.request);
        run.take_patches(nearest);
        for &id in ids.get(run.ids.len()..).unwrap_or_default() {
            run.push(model, weights, Stack::Decoder, id);
        }
        // Rotations may differ between texts of different lengths.
        let is_placed_alike = run.places.stretch == nearest.places.stretch;
        let n_rows = if is_placed_alike { same(&nearest) } else { 0 };
        let memory = self.encoder.as_ref().map_or(0, |encoder| encoder.ids.len());
        let same = Same { memory, ..Same::rows(n_rows) };
        run.take_over(&model.backend, nearest, &same, model.config.norm);
        self.decoder = Some(run);
        self.beams.clear();
    }
}
