//! The rows of a stack that remain valid when its text grows, and the rows that a run takes over
//! from an earlier run: rows that attend to nothing that changed, and so have the same bits. Data
//! derived from other rows is dropped.

use super::stack_run::StackRun;
use crate::attention::PatternSpec;
use crate::axes::Stack;
use crate::backend::Backend;
use crate::blocks::UnplacedTokens;
use crate::edits::{NormPlace, Wiring};
use crate::model::{Model, StackWeights};

/// What a run has in common with an earlier run of the same model.
pub(super) struct Same {
    /// The number of first rows that enter the first block unchanged.
    pub rows: usize,
    /// The number of first blocks that compute the same of the same rows.
    pub blocks: usize,
    /// The number of first rows of which the blocks behind these compute the same too.
    pub rows_after: usize,
    /// The number of rows of the other stack that cross-attention reads unchanged.
    pub memory: usize,
}

impl Same {
    /// The first rows of a text, in all blocks.
    pub fn rows(rows: usize) -> Self {
        Self { rows, blocks: usize::MAX, rows_after: rows, memory: 0 }
    }
}

impl<B: Backend> StackRun<B> {
    /// Takes over from an earlier run of the same model the rows that are certain to be the same,
    /// as far as they attend to no other rows, and the projections of the block after them, whose
    /// input is the same too unless its norm changed sides. `norm` is the side of the model's
    /// norms.
    pub fn take_over(&mut self, backend: &B, earlier: &Self, same: &Same, norm: NormPlace) {
        let settled = self.settled_rows(earlier, earlier.ids.len(), same);
        self.hidden[0] = first_rows(backend, &earlier.hidden[0], same.rows);
        for (block, (sites, old)) in self.sites.iter_mut().zip(&earlier.sites).enumerate() {
            let is_same = block < same.blocks;
            self.hidden[block + 1] =
                first_rows(backend, &earlier.hidden[block + 1], settled[block + 1]);
            let completed = backend.rows(&self.hidden[block + 1]);
            // A change of whether the norm comes before self-attention changes the input of its
            // projections.
            let enters = |wiring: Wiring| wiring.own.side(norm) == NormPlace::Pre;
            let enters_alike = is_same || enters(sites.wiring) == enters(old.wiring);
            let projects_alike =
                self.activation_patches.project_alike(&earlier.activation_patches, block);
            let n_projected = match (enters_alike, projects_alike) {
                (false, _) => 0,
                (true, false) => settled[block].min(same.rows_after),
                (true, true) => settled[block],
            };
            let n_memory = if projects_alike { same.memory } else { 0 };
            sites.own = renewed(backend, &sites.own, &old.own, n_projected, n_projected);
            if is_same && completed == earlier.ids.len() && completed == self.ids.len() {
                sites.own.share_whole(&old.own);
            }
            if let (Some(cross), Some(old)) = (&mut sites.cross, &old.cross) {
                *cross = renewed(backend, cross, old, completed, n_memory);
            }
        }
        if let (Some(normed), Some(&n_completed)) = (&earlier.normed, settled.last()) {
            self.normed = Some(first_rows(backend, normed, n_completed));
        }
        self.reused_rows = self.hidden.get(1).map_or(0, |x| backend.rows(x));
    }

    /// Adds one token. Rows that attend to it are dropped, and so are rows that attend to those:
    /// none under a causal mask. All rows are dropped where the longer text changes the rotations.
    pub fn push(&mut self, model: &Model<B>, weights: &StackWeights<B>, stack: Stack, id: u32) {
        let (backend, n_before) = (&model.backend, self.ids.len());
        self.ids.push(id);
        self.types.push(0);
        let unplaced = weights.embedding.unplaced.as_ref();
        if unplaced.is_some_and(|unplaced| unplaced.tokens == UnplacedTokens::Padding(id)) {
            self.places.count(backend, unplaced, &self.ids, &[]);
        }
        let lengths = [n_before, n_before + 1, self.most.max(n_before + 1)];
        let settled = if self.places.grow(model, weights, stack, lengths) {
            self.turn();
            vec![0; self.sites.len() + 1]
        } else {
            self.settled_rows(self, n_before, &Same::rows(n_before))
        };
        if settled.last() == Some(&n_before) {
            return;
        }
        for (block, sites) in self.sites.iter_mut().enumerate() {
            let [n_projected, n_completed] = [settled[block], settled[block + 1]];
            let completed = &mut self.hidden[block + 1];
            *completed = first_rows(backend, completed, n_completed);
            sites.own = renewed(backend, &sites.own, &sites.own, n_projected, n_projected);
            if let Some(cross) = &mut sites.cross {
                *cross = renewed(backend, cross, cross, n_completed, usize::MAX);
            }
        }
        if let (Some(normed), Some(&n_completed)) = (&mut self.normed, settled.last()) {
            *normed = first_rows(backend, normed, n_completed);
        }
    }

    /// Takes over the patches of an earlier run of the same request.
    pub fn take_patches(&mut self, earlier: &Self) {
        self.activation_patches.clone_from(&earlier.activation_patches);
        for (sites, before) in self.sites.iter_mut().zip(&earlier.sites) {
            sites.own.fixed_patterns.clone_from(&before.own.fixed_patterns);
            if let (Some(cross), Some(before)) = (&mut sites.cross, &before.cross) {
                cross.fixed_patterns.clone_from(&before.fixed_patterns);
            }
        }
    }

    /// Takes over the text of an earlier run of the same request, as far as it was written.
    pub fn take_text(&mut self, earlier: &Self) {
        self.ids.clone_from(&earlier.ids);
        self.types.clone_from(&earlier.types);
        self.places.added.clone_from(&earlier.places.added);
        self.places.turns.clone_from(&earlier.places.turns);
        self.places.stretch = earlier.places.stretch;
        self.turn();
    }

    /// Gives each site the rotations of its queries and keys.
    fn turn(&mut self) {
        for (sites, turns) in self.sites.iter_mut().zip(&self.places.turns) {
            sites.own.turns.clone_from(turns);
        }
    }

    /// For each block the number of rows that enter it unchanged, and then the number that leave
    /// the last: rows that attend to no other row, in the text of `n_before` tokens that `earlier`
    /// computed or in this one.
    fn settled_rows(&self, earlier: &Self, n_before: usize, same: &Same) -> Vec<usize> {
        let n_now = self.ids.len();
        let mut settled = vec![same.rows];
        let mut entering = same.rows;
        for (block, (now, before)) in self.sites.iter().zip(&earlier.sites).enumerate() {
            if block >= same.blocks {
                entering = entering.min(same.rows_after);
            }
            let [own, old] = [&now.own, &before.own];
            let is_whole = entering == n_before && entering == n_now;
            if !is_whole {
                let seen = own.mask.settled(&old.mask, own.n_heads, entering, n_before, n_now);
                let [own, old] = [own, old].map(|site| site.rows_within(entering));
                // A convolution reads some of the rows that follow.
                entering = seen.min(own).min(old).min(entering.saturating_sub(now.reach));
            }
            settled.push(entering);
        }
        settled
    }
}

/// The first `n` rows of `x`, or all if it has fewer.
fn first_rows<B: Backend>(backend: &B, x: &B::Tensor, n: usize) -> B::Tensor {
    backend.select(x, 0..n.min(backend.rows(x)))
}

/// The rows of an earlier record under the mask, gates, fixed patterns, variants and positions of
/// the new record.
fn renewed<B: Backend>(
    backend: &B,
    new: &PatternSpec<B>,
    old: &PatternSpec<B>,
    n_queries: usize,
    n_keys: usize,
) -> PatternSpec<B> {
    let rows = old.truncated(backend, n_queries, n_keys, new.mask.clone(), new.gates.clone());
    PatternSpec {
        fixed_patterns: new.fixed_patterns.clone(),
        variants: new.variants.clone(),
        turns: new.turns.clone(),
        relative: new.relative.clone(),
        ..rows
    }
}
