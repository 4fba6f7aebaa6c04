//! User interventions (masks, head gates, fixed patterns, attention variants, positions) as data:
//! checked once against a model and a text, then one small value per attention site that compares
//! with `==`. Two equal values compute the same numbers, so equality decides which blocks an edit
//! recomputes.
//!
//! Gates follow the head mask of Michel et al. 2019, section 2.2 (there ξ): the factor is applied
//! to a head's context before the output projection. Fixed patterns: `fixed_pattern.rs`.

mod connections;
mod fit;
mod fixed_pattern;
pub mod limits;
mod mask;
mod misfit;
mod positions;
mod scope;
mod variant_check;
pub mod wire;

use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown};
use crate::masks::Changes;
use crate::positions::Scheme;
use crate::variants::Variants;
use limits::LARGEST_GATE;
use mask::MaskChange;
use scope::Scope;

pub use connections::{Connection, Wiring};
pub use fit::fit;
pub use fixed_pattern::{FixedPattern, FixedPatterns, PatchedRows};
pub use misfit::{EditFit, EditMisfit, MisfitReason};
pub use positions::{Chosen, Placement, longest_text};
pub use scope::Extent;
pub use wire::NormPlace;

/// The edits of one attention site: one stack, one block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteEdits {
    gates: Vec<(usize, f32)>,
    masks: Changes,
    fixed_patterns: FixedPatterns,
    variants: Variants,
}

impl SiteEdits {
    /// The gate of every head, 1 for unchanged heads.
    pub fn gates(&self, n_heads: usize) -> Vec<f32> {
        let mut gates = vec![1.0; n_heads];
        for &(head, gate) in &self.gates {
            gates[head] *= gate;
        }
        gates
    }

    /// The changes of the site's own mask.
    pub fn masks(&self) -> &Changes {
        &self.masks
    }

    /// The fixed patterns in place of heads' weights.
    pub fn fixed_patterns(&self) -> &FixedPatterns {
        &self.fixed_patterns
    }

    /// The heads' variants, which compute weights from queries and keys.
    pub fn variants(&self) -> &Variants {
        &self.variants
    }

    fn gate(&mut self, head: usize, gate: f32) {
        // A gate of 1 changes nothing and is not stored, so that the edits equal no edits.
        if gate.to_bits() != 1f32.to_bits() {
            self.gates.push((head, gate));
        }
    }
}

/// The checked edits of a whole model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Edits {
    /// The edits of attention sites, by stack and layer.
    sites: [Vec<SiteEdits>; 3],
    /// The edits of encoder and decoder; cross-attention is part of the decoder's blocks.
    stacks: [StackEdits; 2],
}

/// The edits of a whole stack.
#[derive(Debug, Clone, Default, PartialEq)]
struct StackEdits {
    blocks: Vec<Wiring>,
    placement: Placement,
}

impl Edits {
    /// Checks edits against the model and the text.
    ///
    /// # Errors
    /// `selection/bad-stack`, `edit/out-of-range` for a layer, head, cell or global token that does
    /// not exist, `edit/bad-value` for numbers that are not usable, `edit/contradiction` for a mask
    /// that contradicts itself, `edit/too-many` for too many presets, `edit/unsupported` for a
    /// pattern, a variant or a scheme of another name, `edit/contradiction` for a variant where it
    /// makes no sense.
    pub fn resolve(sent: &wire::Edits, extents: &[Extent]) -> Result<Self> {
        let mut edits = Self::default();
        for extent in extents {
            *edits.sites_mut(extent.stack) = vec![SiteEdits::default(); extent.n_layers];
            edits.stack_mut(extent.stack).blocks = vec![Wiring::default(); extent.n_layers];
        }
        mask::check_number(&sent.masks)?;
        for edit in &sent.masks {
            edits.apply_mask(edit, extents)?;
        }
        for edit in &sent.heads {
            edits.apply_head(edit, extents)?;
        }
        for edit in &sent.blocks {
            connections::apply(edit, extents, &mut edits)?;
        }
        for edit in &sent.attention {
            edits.apply_variant(edit, extents)?;
        }
        variant_check::check_sites(&edits, extents)?;
        positions::check_number(&sent.positions)?;
        for edit in &sent.positions {
            positions::apply(edit, extents, &mut edits)?;
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

    /// How the sublayers of a block are joined to the stream.
    pub fn wiring(&self, stack: Stack, layer: usize) -> Wiring {
        self.stack(stack).blocks.get(layer).copied().unwrap_or_default()
    }

    /// The changes to the positions of a stack.
    pub fn placement(&self, stack: Stack) -> &Placement {
        &self.stack(stack).placement
    }

    /// The edits in a model with norms on this side and this scheme of positions: an edit that
    /// names the model's own setting equals no edit.
    #[must_use]
    pub fn settled(mut self, model: NormPlace, scheme: Scheme) -> Self {
        for stack in &mut self.stacks {
            for wiring in &mut stack.blocks {
                *wiring = wiring.settled(model);
            }
            stack.placement.settle(scheme);
        }
        self
    }

    /// The first block of `stack` whose edits differ from those of `other`, if any. For the decoder
    /// the edits of cross-attention count too, because it is part of the same block.
    pub fn first_difference(&self, other: &Self, stack: Stack) -> Option<usize> {
        fn first<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
            (0..a.len().max(b.len())).find(|&layer| a.get(layer) != b.get(layer))
        }
        let sites: &[Stack] = match stack {
            Stack::Encoder => &[Stack::Encoder],
            Stack::Decoder | Stack::Cross => &[Stack::Decoder, Stack::Cross],
        };
        let of_sites = sites.iter().filter_map(|&one| first(self.sites(one), other.sites(one)));
        let joined = first(&self.stack(stack).blocks, &other.stack(stack).blocks);
        let moved = (self.placement(stack) != other.placement(stack)).then_some(0);
        of_sites.chain(joined).chain(moved).min()
    }

    fn stack(&self, stack: Stack) -> &StackEdits {
        &self.stacks[usize::from(stack != Stack::Encoder)]
    }

    fn stack_mut(&mut self, stack: Stack) -> &mut StackEdits {
        &mut self.stacks[usize::from(stack != Stack::Encoder)]
    }

    fn sites(&self, stack: Stack) -> &[SiteEdits] {
        &self.sites[stack as usize]
    }

    fn sites_mut(&mut self, stack: Stack) -> &mut Vec<SiteEdits> {
        &mut self.sites[stack as usize]
    }

    fn apply_mask(&mut self, edit: &wire::MaskEdit, extents: &[Extent]) -> Result<()> {
        let scope = Scope::of(edit.stack, edit.layers.as_deref(), edit.heads.as_deref())?;
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

    fn apply_variant(&mut self, edit: &wire::AttentionEdit, extents: &[Extent]) -> Result<()> {
        let scope = Scope::of(edit.stack, edit.layers.as_deref(), edit.heads.as_deref())?;
        let change = variant_check::change(edit)?;
        for extent in scope.chosen(extents)? {
            for layer in scope.layers(extent) {
                for head in scope.heads(extent) {
                    let place = [extent.stack as usize, layer, head];
                    self.sites_mut(extent.stack)[layer].variants.change(head, |own| {
                        change.apply(own, &place);
                    });
                }
            }
        }
        Ok(())
    }

    fn apply_head(&mut self, edit: &wire::HeadEdit, extents: &[Extent]) -> Result<()> {
        let scope = Scope::of(edit.stack, edit.layers.as_deref(), edit.heads.as_deref())?;
        let gate = checked_gate(edit.gate.unwrap_or(1.0))?;
        let pattern = edit.pattern.as_ref().map(fixed_pattern::pattern).transpose()?;
        for extent in scope.chosen(extents)? {
            if let Some(FixedPattern::Drawn(drawn)) = &pattern {
                fixed_pattern::check_fit(drawn, extent)?;
            }
            for layer in scope.layers(extent) {
                for head in scope.heads(extent) {
                    let site = &mut self.sites_mut(extent.stack)[layer];
                    site.gate(head, gate as f32);
                    if let Some(pattern) = &pattern {
                        site.fixed_patterns.fix(head, pattern);
                    }
                }
            }
        }
        Ok(())
    }
}

/// A checked gate, or product of all gates of one head.
fn checked_gate(gate: f64) -> Result<f64> {
    if gate.abs() <= LARGEST_GATE {
        return Ok(gate);
    }
    let expected =
        format!("a number from −{LARGEST_GATE} to {LARGEST_GATE}, all its edits multiplied");
    Err(Error::new(Code::EditBadValue, "the gate of a head", expected, shown(gate)))
}
