//! Patches of activations: other numbers in place of an activation of the run, put there while the
//! forward pass computes it, so that all that follows is computed from them (Vig et al. 2020, Meng
//! et al. 2022).
//!
//! A patch is placed once: its address becomes a place in one block, which is where the residual
//! stream between two blocks has its rows, a projection its columns, and a block its hook. A
//! pattern is patched as a fixed pattern. Blocks before the first that differs in its patches are
//! taken over from an earlier run, as with any edit.

use std::ops::Range;
use std::rc::Rc;

use super::Run;
use crate::axes::{Stack, Step, Sublayer};
use crate::backend::{Backend, part};
use crate::blocks::{BatchText, Block, Hook, Sites};
use crate::edits::PatchedRows;
use crate::edits::wire::PatchEdit;
use crate::error::{Code, Error, Result, shown};

/// The place of a step in the blocks of a stack. Two addresses of one tensor have the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub layer: usize,
    pub sublayer: Sublayer,
    pub step: Step,
    /// Whether the step is a projection as the run stores it.
    pub is_projected: bool,
}

/// The place of a patch.
pub(super) struct PatchPlace {
    /// The step in its block; `None` for a step that cannot be patched.
    pub spot: Option<Spot>,
    /// The rows that the patch gives.
    pub rows: Vec<usize>,
    /// The columns that the patch gives, of as many as the step has.
    pub columns: Range<usize>,
    pub width: usize,
}

impl PatchPlace {
    /// The step in its block; `what` names the patch's step.
    ///
    /// # Errors
    /// `edit/unsupported` for a step that cannot be patched.
    pub fn patched_spot(&self, step: Step, what: &str) -> Result<Spot> {
        self.spot.ok_or_else(|| {
            let expected =
                "a step from the projections of heads to the output of the block, or `input`";
            Error::new(Code::EditUnsupported, what, expected, step.name())
        })
    }
}

/// A patch at its place in a block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActivationPatch {
    spot: Spot,
    /// The head of a patched pattern; 0 for other steps.
    head: usize,
    /// The patched rows, in ascending order.
    rows: Vec<usize>,
    /// The patched piece of each row, and the number of pieces in a row: one head of several, or
    /// all of the row.
    piece: [usize; 2],
    /// The numbers, a piece for each row.
    values: Rc<Vec<f32>>,
}

/// The patches of one stack, in the order written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ActivationPatches(Vec<ActivationPatch>);

impl ActivationPatches {
    pub fn push(&mut self, patch: ActivationPatch) {
        self.0.push(patch);
    }

    fn of_block(&self, layer: usize) -> impl Iterator<Item = &ActivationPatch> {
        self.0.iter().filter(move |patch| patch.spot.layer == layer)
    }

    fn at(
        &self,
        (layer, sublayer, step): (usize, Sublayer, Step),
    ) -> impl Iterator<Item = &ActivationPatch> {
        self.of_block(layer)
            .filter(move |patch| patch.spot.sublayer == sublayer && patch.spot.step == step)
    }

    /// The patches of one block.
    pub fn in_block(&self, layer: usize) -> Self {
        Self(self.of_block(layer).cloned().collect())
    }

    /// The first block whose patches differ from those of `other`, if any.
    pub fn first_difference(&self, other: &Self) -> Option<usize> {
        let layers = self.0.iter().chain(&other.0).map(|patch| patch.spot.layer);
        layers.filter(|&layer| !self.of_block(layer).eq(other.of_block(layer))).min()
    }

    /// The number of first rows that no patch changes but those that `other` has too.
    pub fn rows_alike(&self, other: &Self) -> usize {
        let n_same = self.0.iter().zip(&other.0).take_while(|(own, other)| own == other).count();
        let differing = self.0[n_same..].iter().chain(&other.0[n_same..]);
        differing.map(|patch| patch.first_row(0)).min().unwrap_or(usize::MAX)
    }

    /// Whether the patches of the embedding are those of `other`.
    pub fn enter_alike(&self, other: &Self) -> bool {
        let entry = |patch: &&ActivationPatch| patch.spot.step == Step::Input;
        self.of_block(0).filter(entry).eq(other.of_block(0).filter(entry))
    }

    /// Whether the patches of the queries, keys and values of a block are those of `other`.
    pub fn project_alike(&self, other: &Self, layer: usize) -> bool {
        let projected = |patch: &&ActivationPatch| patch.spot.is_projected;
        self.of_block(layer).filter(projected).eq(other.of_block(layer).filter(projected))
    }

    /// Whether a row of a step of a block is patched, in a column of a matrix of this width.
    pub fn has(&self, spot: Spot, row: usize, [column, width]: [usize; 2]) -> bool {
        self.0.iter().any(|patch| {
            let [piece, pieces] = patch.piece;
            patch.spot == spot && patch.rows.contains(&row) && column * pieces / width == piece
        })
    }

    /// Whether any activation of a row is patched.
    pub fn touch(&self, row: usize) -> bool {
        self.0.iter().any(|patch| patch.rows.contains(&row))
    }

    /// Puts the numbers of patches in place of rows of an activation. `first` is the position of
    /// the first row of `x`.
    pub fn apply<B: Backend>(
        &self,
        backend: &B,
        place: (usize, Sublayer, Step),
        x: &mut B::Tensor,
        first: usize,
    ) {
        for patch in self.at(place) {
            patch.apply(backend, x, first);
        }
    }

    /// Puts the numbers of patches in place of queries, keys and values of a site, all rows of
    /// which are given.
    pub fn apply_projected<B: Backend>(
        &self,
        backend: &B,
        layer: usize,
        sublayer: Sublayer,
        sites: &mut Sites<B>,
    ) {
        let here =
            |patch: &&ActivationPatch| patch.spot.sublayer == sublayer && patch.spot.is_projected;
        let site =
            if sublayer == Sublayer::Cross { sites.cross.as_mut() } else { Some(&mut sites.own) };
        let Some(site) = site else { return };
        for patch in self.of_block(layer).filter(here) {
            let x = match patch.spot.step {
                Step::Query | Step::QueryNormed | Step::QueryRotated => &mut site.query,
                Step::Value => &mut site.value,
                _ => &mut site.key,
            };
            patch.apply(backend, x, 0);
        }
    }
}

/// [`Block::attend`] of texts under the patches of each.
pub(super) fn attend<B: Backend>(
    backend: &B,
    (block, layer): (&Block<B>, usize),
    batch: &mut [BatchText<'_, B>],
    patches: &[&ActivationPatches],
    rows: Range<usize>,
    watch: Hook<'_, B>,
) -> B::Tensor {
    let place = (layer, rows.start);
    let stream = under(backend, patches, place, watch, &mut |watch| {
        block.attend(backend, batch, rows.clone(), watch)
    });
    // The queries of cross-attention are appended on the way.
    for (text, own) in batch.iter_mut().zip(patches) {
        own.apply_projected(backend, layer, Sublayer::Cross, text.sites);
    }
    stream
}

/// [`Block::finish`] of texts under the patches of each.
pub(super) fn finish<B: Backend>(
    backend: &B,
    (block, layer): (&Block<B>, usize),
    batch: &[BatchText<'_, B>],
    patches: &[&ActivationPatches],
    stream: &B::Tensor,
    rows: Range<usize>,
    watch: Hook<'_, B>,
) -> B::Tensor {
    let place = (layer, rows.start);
    under(backend, patches, place, watch, &mut |watch| {
        block.finish(backend, batch, stream.clone(), rows.clone(), watch)
    })
}

/// What `compute` gives of a block with a hook that puts in the patches of each text. `first` is
/// the position of the first row.
fn under<B: Backend>(
    backend: &B,
    patches: &[&ActivationPatches],
    (layer, first): (usize, usize),
    mut watch: Hook<'_, B>,
    compute: &mut dyn FnMut(Hook<'_, B>) -> B::Tensor,
) -> B::Tensor {
    if patches.iter().all(|own| own.of_block(layer).next().is_none()) {
        return compute(watch);
    }
    let mut patched = |sublayer, step, x: &mut B::Tensor| {
        let place = (layer, sublayer, step);
        if patches.iter().any(|own| own.at(place).next().is_some()) {
            let texts = patches.iter().enumerate().map(|(index, own)| {
                let mut text = part(backend, x, index, patches.len());
                own.apply(backend, place, &mut text, first);
                text
            });
            *x = backend.stacked(texts.collect());
        }
        if let Some(watch) = &mut watch {
            watch(sublayer, step, x);
        }
    };
    compute(Some(&mut patched))
}

impl ActivationPatch {
    /// A patch of a place in the activation of a step; `row` has the numbers of a row of the place.
    /// Of a position that is named twice the first row counts.
    pub fn of(
        place: &PatchPlace,
        spot: Spot,
        head: Option<usize>,
        row: &dyn Fn(usize) -> Vec<f32>,
    ) -> Self {
        let end = place.rows.iter().max().map_or(0, |last| last + 1);
        let order: Vec<usize> =
            (0..end).filter_map(|row| place.rows.iter().position(|&one| one == row)).collect();
        let width = place.columns.len().max(1);
        let piece = [place.columns.start / width, place.width / width];
        let rows = order.iter().map(|&at| place.rows[at]).collect();
        let values = order.iter().flat_map(|&at| row(at)).collect();
        let head = head.filter(|_| spot.step == Step::Weights).unwrap_or(0);
        Self { spot, head, rows, piece, values: Rc::new(values) }
    }

    /// The place of the patch.
    pub fn spot(&self) -> Spot {
        self.spot
    }

    /// The first row of its stack that the patched rows from number `at` on can change.
    fn first_row(&self, at: usize) -> usize {
        let is_query =
            matches!(self.spot.step, Step::Query | Step::QueryNormed | Step::QueryRotated);
        // All rows read keys and values of the other stack.
        let is_of_memory =
            self.spot.is_projected && self.spot.sublayer == Sublayer::Cross && !is_query;
        let first = self.rows.get(at).copied();
        first.map_or(usize::MAX, |row| if is_of_memory { 0 } else { row })
    }

    /// The number of first rows of its stack that the patch leaves as they are; `own` has what
    /// stands at its place without it.
    pub fn rows_kept(&self, own: &Self) -> usize {
        let width = self.values.len() / self.rows.len().max(1);
        let pieces = |patch: &Self| -> Vec<Vec<u32>> {
            let bits = |piece: &[f32]| piece.iter().map(|value| value.to_bits()).collect();
            patch.values.chunks_exact(width.max(1)).map(bits).collect()
        };
        let (new, old) = (pieces(self), pieces(own));
        self.first_row(new.iter().zip(&old).take_while(|(new, old)| new == old).count())
    }

    /// The head of a patched pattern and the rows; `None` for a patch of another step.
    pub fn pattern(&self) -> Option<(usize, PatchedRows)> {
        if self.spot.step != Step::Weights {
            return None;
        }
        let n_keys = self.values.len() / self.rows.len().max(1);
        let weights = self.values.to_vec();
        Some((self.head, PatchedRows { queries: self.rows.clone(), weights, n_keys }))
    }

    /// Puts the numbers in place of rows of an activation. `first` is the position of the first row
    /// of `x`.
    pub fn apply<B: Backend>(&self, backend: &B, x: &mut B::Tensor, first: usize) {
        let [piece, pieces] = self.piece;
        let width = self.values.len() / self.rows.len().max(1);
        let end = backend.rows(x) * pieces;
        // A row of heads side by side is as many rows of one head.
        let pieced = backend.reshape(x, width);
        let mut patched = backend.empty(width, end);
        let mut done = 0;
        for (row, values) in self.rows.iter().zip(self.values.chunks_exact(width.max(1))) {
            let at = row.checked_sub(first).map(|row| row * pieces + piece);
            let Some(at) = at.filter(|&at| at < end) else { continue };
            if at > done {
                backend.append(&mut patched, &backend.select(&pieced, done..at));
            }
            backend.append(&mut patched, &backend.upload(values.to_vec(), width));
            done = at + 1;
        }
        if done == 0 {
            return;
        }
        if done < end {
            backend.append(&mut patched, &backend.select(&pieced, done..end));
        }
        *x = backend.reshape(&patched, width * pieces);
    }
}

impl<B: Backend> Run<B> {
    /// Checks the patches of the request and gives each stack its own.
    ///
    /// # Errors
    /// `selection/…` for an address that the run does not have, `edit/unsupported` for a step that
    /// cannot be patched, `edit/out-of-range` for another number of rows than there are positions,
    /// `edit/bad-value` for rows of another width and numbers that are not finite.
    pub(super) fn place_patches(&mut self) -> Result<()> {
        for index in 0..self.request.activation_patches.len() {
            let edit = self.request.activation_patches[index].clone();
            let patch = self.placed(&edit, index)?;
            let run =
                if edit.at.stack == Stack::Encoder { &mut self.encoder } else { &mut self.decoder };
            // A patch of no position changes nothing.
            if let Some(run) = run
                && !patch.rows.is_empty()
            {
                run.patch(patch);
            }
        }
        Ok(())
    }

    /// A patch at its place.
    fn placed(&self, edit: &PatchEdit, index: usize) -> Result<ActivationPatch> {
        let what = |part: &str| format!("{part} of patch {index}");
        if edit.to.is_some() {
            let expected = "none, as the core has the numbers that arrive at a receiver";
            let got = "a receiver";
            return Err(Error::new(Code::EditUnsupported, what("the receiver"), expected, got));
        }
        let place = self.patch_place(&edit.at)?;
        let spot = place.patched_spot(edit.at.step, &what("the step"))?;
        let sent = &edit.from.values;
        if sent.len() != place.rows.len() {
            let expected = format!("{}, one for each position of its address", place.rows.len());
            let got = format!("{} rows", sent.len());
            return Err(Error::new(Code::EditOutOfRange, what("the rows"), expected, got));
        }
        let width = place.columns.len();
        if let Some(row) = sent.iter().find(|row| row.len() != width) {
            let expected = format!("{width} numbers");
            let got = format!("{} of them", row.len());
            return Err(Error::new(Code::EditBadValue, what("a row"), expected, got));
        }
        let row = |at: usize| sent[at].iter().map(|&value| value as f32).collect();
        let head = edit.at.head.as_ref().map(|head| head.0);
        let patch = ActivationPatch::of(&place, spot, head, &row);
        if let Some(&value) = patch.values.iter().find(|value| !value.is_finite()) {
            let got = shown(f64::from(value));
            return Err(Error::new(Code::EditBadValue, what("a number"), "a finite number", got));
        }
        Ok(patch)
    }
}
