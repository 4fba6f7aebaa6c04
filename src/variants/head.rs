//! How one head computes its weights: the variant with the scale and the temperature of its scores
//! and the dropout of its weights, and the heads of a site for which an edit changes them.
//!
//! Dropout is applied after the softmax (Srivastava et al. 2014, section 10): whether a cell is
//! dropped or divided by `1 − rate` depends on its head, query and key alone, not on the text's
//! length.

use super::{ModelScale, Variant};
use crate::kernels::random::{fraction, mix, seed_of};

/// The factor of scores.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Scale {
    /// The factor of the model and the variant.
    #[default]
    Model,
    /// The factor 1.
    None,
    /// The given factor.
    By(f32),
}

/// Random dropout of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// The share of weights that is dropped.
    pub rate: f64,
    /// The number of the draw, as it was sent.
    pub draw: u64,
    /// The seed of the draw, mixed with the head's place.
    pub seed: u64,
}

impl Dropout {
    /// The factor of a weight: 0, or `1 / (1 − rate)`.
    pub fn factor(&self, query: usize, key: usize) -> f32 {
        let drawn = fraction(mix(mix(self.seed ^ query as u64) ^ key as u64));
        if drawn < self.rate { 0.0 } else { (1.0 / (1.0 - self.rate)) as f32 }
    }

    /// The dropout with another draw, for one head: `place` is `[stack, layer, head]`.
    #[must_use]
    pub fn redrawn(&self, draw: u64, place: &[usize]) -> Self {
        Self { rate: self.rate, draw, seed: seed_of(draw, place) }
    }

    /// Applies dropout to a row of weights, whose first cell belongs to the key `first`.
    pub fn apply(&self, query: usize, first: usize, row: &mut [f32]) {
        for (key, weight) in (first..).zip(row) {
            *weight *= self.factor(query, key);
        }
    }
}

/// The settings by which one head computes its weights, all of which an edit can change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadVariant {
    /// The attention variant.
    pub variant: Variant,
    /// The factor of scores.
    pub scale: Scale,
    /// The divisor of scores.
    pub temperature: f32,
    /// The dropout after the softmax, if any.
    pub dropout: Option<Dropout>,
}

impl Default for HeadVariant {
    fn default() -> Self {
        Self { variant: Variant::default(), scale: Scale::Model, temperature: 1.0, dropout: None }
    }
}

impl HeadVariant {
    /// The factor of raw scores; `model` is `1/√d_h`.
    pub fn factor(&self, model: f32) -> f32 {
        let scale = match self.scale {
            Scale::Model if self.variant.facts().scale != ModelScale::One => model,
            Scale::Model | Scale::None => 1.0,
            Scale::By(factor) => factor,
        };
        // A quotient by 1 is exact: without an edit the factor is the model's own.
        scale / self.temperature
    }
}

/// The heads of a site whose settings differ from the model's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variants {
    heads: Vec<(usize, HeadVariant)>,
}

impl Variants {
    /// The settings of a head.
    pub fn of(&self, head: usize) -> HeadVariant {
        let found = self.heads.iter().find(|(edited, _)| *edited == head);
        found.map(|(_, variant)| *variant).unwrap_or_default()
    }

    /// Whether all heads have the model's own settings.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The heads with other settings than the model's.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, HeadVariant)> {
        self.heads.iter()
    }

    /// The variants with one head reset to the model's settings.
    #[must_use]
    pub fn without(&self, head: usize) -> Self {
        Self { heads: self.heads.iter().filter(|(own, _)| *own != head).copied().collect() }
    }

    /// The variants with one head set to `variant`; the model's own settings are not stored.
    #[must_use]
    pub fn with(&self, head: usize, variant: HeadVariant) -> Self {
        let mut other = self.without(head);
        if variant != HeadVariant::default() {
            let at = other.heads.partition_point(|(own, _)| *own < head);
            other.heads.insert(at, (head, variant));
        }
        other
    }

    /// Changes the settings of a head.
    pub fn change(&mut self, head: usize, change: impl FnOnce(&mut HeadVariant)) {
        let mut variant = self.of(head);
        change(&mut variant);
        *self = self.with(head, variant);
    }
}
