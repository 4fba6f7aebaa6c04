//! How the sublayers of a block are joined to the residual stream: with or without the residual,
//! and with the norm before the sublayer, after the sum, or left out.
//!
//! Sources: residual and norm, Vaswani et al. 2017, section 3.1; the side of the norm, Xiong et al.
//! 2020, section 3. A norm that changes sides keeps its `γ` and `β`. An edit leaves the norms that
//! belong to no sublayer: after the embedding and at the end.

use super::Edits;
use super::scope::{Extent, Scope};
use super::wire::{BlockEdit, NormPlace};
use crate::axes::{Stack, Sublayer};
use crate::error::{Code, Error, Result};

/// How one sublayer is joined to the residual stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// Whether the input of the sublayer is added to its output.
    pub residual: bool,
    /// The place of the norm.
    pub norm: NormPlace,
}

impl Connection {
    /// The place of the norm, with `Model` replaced by the place in the model.
    pub fn side(self, model: NormPlace) -> NormPlace {
        if self.norm == NormPlace::Model { model } else { self.norm }
    }
}

impl Default for Connection {
    fn default() -> Self {
        Self { residual: true, norm: NormPlace::Model }
    }
}

/// How the sublayers of one block are joined to the residual stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wiring {
    /// The connection of self-attention.
    pub own: Connection,
    /// The connection of cross-attention.
    pub cross: Connection,
    /// The connection of the feed-forward network.
    pub feed_forward: Connection,
}

impl Wiring {
    fn connection_mut(&mut self, sublayer: Sublayer) -> &mut Connection {
        match sublayer {
            Sublayer::Own => &mut self.own,
            Sublayer::Cross => &mut self.cross,
            Sublayer::FeedForward => &mut self.feed_forward,
        }
    }

    /// The wiring with each norm that is named at the model's own place set to `Model`, because
    /// such an edit changes nothing.
    pub(super) fn settled(mut self, model: NormPlace) -> Self {
        for joint in [&mut self.own, &mut self.cross, &mut self.feed_forward] {
            if joint.norm == model {
                joint.norm = NormPlace::Model;
            }
        }
        self
    }
}

/// Checks an edit of blocks and applies it to the blocks that it names.
///
/// # Errors
/// `selection/bad-stack`, also for `cross`, which has no blocks of its own; `edit/out-of-range` for
/// a layer or sublayer that does not exist.
pub(super) fn apply(edit: &BlockEdit, extents: &[Extent], edits: &mut Edits) -> Result<()> {
    let blocks: Vec<Extent> =
        extents.iter().filter(|extent| extent.stack != Stack::Cross).copied().collect();
    let has_cross = extents.iter().any(|extent| extent.stack == Stack::Cross);
    let scope = Scope::of(edit.stack, edit.layers.as_deref(), None)?;
    let named = edit.sublayers.as_deref();
    let is_there = |extent: &Extent, sublayer: Sublayer| {
        sublayer != Sublayer::Cross || (extent.stack == Stack::Decoder && has_cross)
    };
    let chosen = scope.chosen(&blocks)?;
    for &sublayer in named.into_iter().flatten() {
        if !chosen.iter().any(|extent| is_there(extent, sublayer)) {
            let there = if has_cross { "in the blocks of the decoder" } else { "in no block" };
            return Err(Error::new(
                Code::EditOutOfRange,
                "the sublayers of an edit",
                format!("sublayers that the blocks have; {} is {there}", sublayer.name()),
                sublayer.name(),
            ));
        }
    }
    for extent in chosen {
        for layer in scope.layers(extent) {
            let wiring = &mut edits.stack_mut(extent.stack).blocks[layer];
            let all = named.unwrap_or(&Sublayer::ALL);
            for &sublayer in all.iter().filter(|&&sublayer| is_there(extent, sublayer)) {
                let joint = wiring.connection_mut(sublayer);
                joint.residual = edit.residual.unwrap_or(joint.residual);
                joint.norm = edit.norm.unwrap_or(joint.norm);
            }
        }
    }
    Ok(())
}
