//! What a person changed in the mechanism, as data: checked once against a model and
//! a text, then one small value per attention site that compares with `==`. Two equal
//! values compute the same numbers, so equality decides what an edit makes rerun.
//!
//! Gates follow the head mask of Michel et al. 2019, section 2.2 (there ξ): the factor
//! stands between a head's context and the output projection. Frozen heads: `frozen.rs`.

mod frozen;
mod kind;
mod kind_check;
pub mod limits;
mod mask;
mod placed;
mod scope;
pub mod wire;
mod wiring;

use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown};
use crate::masks::Changes;
use crate::positions::Scheme;
use limits::LARGEST_GATE;
use mask::MaskChange;
use scope::Scope;

pub use frozen::{Frozen, Pattern};
pub use kind::{Band, Dropout, HeadKind, Kind, Kinds, Scale, segments};
pub use placed::{Chosen, Placement, longest_text};
pub use scope::Extent;
pub use wiring::{Joint, NormSide, Wiring};

/// Edits of one attention site: one stack, one block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteEdits {
    gates: Vec<(usize, f32)>,
    masks: Changes,
    frozen: Frozen,
    kinds: Kinds,
}

impl SiteEdits {
    /// The factor of every head, 1 where nothing was changed.
    pub fn gates(&self, n_heads: usize) -> Vec<f32> {
        let mut gates = vec![1.0; n_heads];
        for &(head, gate) in &self.gates {
            gates[head] *= gate;
        }
        gates
    }

    /// What is done to the site's own mask.
    pub fn masks(&self) -> &Changes {
        &self.masks
    }

    /// What stands in place of heads' weights.
    pub fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// What makes weights of queries and keys.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    fn gate(&mut self, head: usize, gate: f32) {
        // Left out when it changes nothing, so that it compares equal to no edit.
        if gate.to_bits() != 1f32.to_bits() {
            self.gates.push((head, gate));
        }
    }
}

/// Checked edits of a whole model: one value per site, and one per block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Edits {
    encoder: Vec<SiteEdits>,
    decoder: Vec<SiteEdits>,
    cross: Vec<SiteEdits>,
    encoder_blocks: Vec<Wiring>,
    decoder_blocks: Vec<Wiring>,
    encoder_places: Placement,
    decoder_places: Placement,
}

impl Edits {
    /// Checks edits against what the model and the text have.
    ///
    /// # Errors
    /// `selection/bad-stack`, `edit/out-of-range` for a layer, head, cell or global token
    /// that does not exist, `edit/bad-value` for numbers that are not usable,
    /// `edit/contradiction` for a mask that says two things, `edit/too-many` for more
    /// presets than are taken, `edit/unsupported` for a pattern, a kind or a scheme of another
    /// name, `edit/contradiction` for a kind where it makes no sense.
    pub fn resolve(sent: &wire::Edits, extents: &[Extent]) -> Result<Self> {
        let mut edits = Self::default();
        for extent in extents {
            *edits.sites_mut(extent.stack) = vec![SiteEdits::default(); extent.n_layers];
            *edits.blocks_mut(extent.stack) = vec![Wiring::default(); extent.n_layers];
        }
        mask::check_number(&sent.masks)?;
        for edit in &sent.masks {
            edits.apply_mask(edit, extents)?;
        }
        for edit in &sent.heads {
            edits.apply_head(edit, extents)?;
        }
        for edit in &sent.blocks {
            wiring::apply(edit, extents, &mut edits)?;
        }
        for edit in &sent.attention {
            edits.apply_kind(edit, extents)?;
        }
        kind_check::check_sites(&edits, extents)?;
        placed::check_number(&sent.positions)?;
        for edit in &sent.positions {
            placed::apply(edit, extents, &mut edits)?;
        }
        for extent in extents {
            for site in edits.sites(extent.stack) {
                for gate in site.gates(extent.n_heads) {
                    checked_gate(f64::from(gate))?;
                }
            }
        }
        Ok(edits)
    }

    /// The edits of one site.
    pub fn site(&self, stack: Stack, layer: usize) -> SiteEdits {
        self.sites(stack).get(layer).cloned().unwrap_or_default()
    }

    /// How a block is joined.
    pub fn wiring(&self, stack: Stack, layer: usize) -> Wiring {
        self.blocks(stack).get(layer).copied().unwrap_or_default()
    }

    /// How the tokens of a stack know where they stand.
    pub fn placement(&self, stack: Stack) -> &Placement {
        match stack {
            Stack::Encoder => &self.encoder_places,
            Stack::Decoder | Stack::Cross => &self.decoder_places,
        }
    }

    fn placement_mut(&mut self, stack: Stack) -> &mut Placement {
        match stack {
            Stack::Encoder => &mut self.encoder_places,
            Stack::Decoder | Stack::Cross => &mut self.decoder_places,
        }
    }

    /// The same edits of a model whose norms stand on this side and whose tokens know their
    /// places by this scheme: an edit that names the very same equals no edit.
    #[must_use]
    pub fn settled(mut self, model: NormSide, scheme: Scheme) -> Self {
        for wiring in self.encoder_blocks.iter_mut().chain(&mut self.decoder_blocks) {
            *wiring = wiring.settled(model);
        }
        for placement in [&mut self.encoder_places, &mut self.decoder_places] {
            placement.settle(scheme);
        }
        self
    }

    /// The first block of `stack` whose edits differ from `other`'s, if any. For the
    /// decoder its cross-attention counts too: both stand in the same block.
    pub fn first_difference(&self, other: &Self, stack: Stack) -> Option<usize> {
        let first = |stack: Stack| {
            let (a, b) = (self.sites(stack), other.sites(stack));
            (0..a.len().max(b.len())).find(|&layer| a.get(layer) != b.get(layer))
        };
        let (a, b) = (self.blocks(stack), other.blocks(stack));
        let joined = (0..a.len().max(b.len())).find(|&layer| a.get(layer) != b.get(layer));
        let of_sites = match stack {
            Stack::Encoder => first(Stack::Encoder),
            Stack::Decoder | Stack::Cross => {
                first(Stack::Decoder).into_iter().chain(first(Stack::Cross)).min()
            }
        };
        let moved = (self.placement(stack) != other.placement(stack)).then_some(0);
        of_sites.into_iter().chain(joined).chain(moved).min()
    }

    /// By block; cross-attention stands in the decoder's.
    fn blocks(&self, stack: Stack) -> &[Wiring] {
        match stack {
            Stack::Encoder => &self.encoder_blocks,
            Stack::Decoder | Stack::Cross => &self.decoder_blocks,
        }
    }

    fn blocks_mut(&mut self, stack: Stack) -> &mut Vec<Wiring> {
        match stack {
            Stack::Encoder => &mut self.encoder_blocks,
            Stack::Decoder | Stack::Cross => &mut self.decoder_blocks,
        }
    }

    fn sites(&self, stack: Stack) -> &[SiteEdits] {
        match stack {
            Stack::Encoder => &self.encoder,
            Stack::Decoder => &self.decoder,
            Stack::Cross => &self.cross,
        }
    }

    fn sites_mut(&mut self, stack: Stack) -> &mut Vec<SiteEdits> {
        match stack {
            Stack::Encoder => &mut self.encoder,
            Stack::Decoder => &mut self.decoder,
            Stack::Cross => &mut self.cross,
        }
    }

    fn apply_mask(&mut self, edit: &wire::MaskEdit, extents: &[Extent]) -> Result<()> {
        let scope =
            Scope::of(edit.stack.as_deref(), edit.layers.as_deref(), edit.heads.as_deref())?;
        let change = MaskChange::of(edit)?;
        for extent in scope.chosen(extents)? {
            change.check(extent)?;
            for layer in scope.layers(extent) {
                let masks = &mut self.sites_mut(extent.stack)[layer].masks;
                change.join(masks, &scope, extent);
            }
        }
        Ok(())
    }

    fn apply_kind(&mut self, edit: &wire::AttentionEdit, extents: &[Extent]) -> Result<()> {
        let scope =
            Scope::of(edit.stack.as_deref(), edit.layers.as_deref(), edit.heads.as_deref())?;
        let change = kind_check::change(edit)?;
        for extent in scope.chosen(extents)? {
            for layer in scope.layers(extent) {
                for head in scope.heads(extent) {
                    let place = [extent.stack as usize, layer, head];
                    self.sites_mut(extent.stack)[layer].kinds.change(head, |own| {
                        change.apply(own, &place);
                    });
                }
            }
        }
        Ok(())
    }

    fn apply_head(&mut self, edit: &wire::HeadEdit, extents: &[Extent]) -> Result<()> {
        let scope =
            Scope::of(edit.stack.as_deref(), edit.layers.as_deref(), edit.heads.as_deref())?;
        let gate = checked_gate(edit.gate.unwrap_or(1.0))?;
        let pattern = edit.pattern.as_ref().map(frozen::pattern).transpose()?;
        for extent in scope.chosen(extents)? {
            if let Some(Pattern::Drawn(drawn)) = &pattern {
                frozen::check_fit(drawn, extent)?;
            }
            for layer in scope.layers(extent) {
                for head in scope.heads(extent) {
                    let site = &mut self.sites_mut(extent.stack)[layer];
                    site.gate(head, gate as f32);
                    if let Some(pattern) = &pattern {
                        site.frozen.freeze(head, pattern);
                    }
                }
            }
        }
        Ok(())
    }
}

/// One gate, or the product of all that were set on one head.
fn checked_gate(gate: f64) -> Result<f64> {
    if gate.abs() <= LARGEST_GATE {
        return Ok(gate);
    }
    let expected =
        format!("a number from −{LARGEST_GATE} to {LARGEST_GATE}, all its edits multiplied");
    Err(Error::new(Code::EditBadValue, "the gate of a head", expected, shown(gate)))
}

#[cfg(test)]
mod tests;
