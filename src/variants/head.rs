//! How one head comes to its weights: a variant with the scale and the temperature of its scores
//! and the dropout of its weights, and the heads of a site for which an edit says so.
//!
//! Dropout comes after the softmax (Srivastava et al. 2014, section 10): a cell is dropped or
//! divided by `1 − rate` by its head, query and key alone, however long the text becomes.

use super::{ModelScale, Variant};
use crate::kernels::random::{fraction, mix, seed_of};

/// What scores are multiplied by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Scale {
    /// As the model and the variant have it.
    #[default]
    Model,
    /// 1.
    None,
    /// This.
    By(f32),
}

/// Weights dropped by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// The share that is dropped.
    pub rate: f64,
    /// As it was sent.
    pub draw: u64,
    /// Mixed, with the head's place.
    pub seed: u64,
}

impl Dropout {
    /// What a weight is multiplied by: 0, or `1 / (1 − rate)`.
    pub fn factor(&self, query: usize, key: usize) -> f32 {
        let drawn = fraction(mix(mix(self.seed ^ query as u64) ^ key as u64));
        if drawn < self.rate { 0.0 } else { (1.0 / (1.0 - self.rate)) as f32 }
    }

    /// The same of another draw, for one head: `place` is `[stack, layer, head]`.
    #[must_use]
    pub fn redrawn(&self, draw: u64, place: &[usize]) -> Self {
        Self { rate: self.rate, draw, seed: seed_of(draw, place) }
    }

    /// Drops some of a row of weights, of which the first is `first`'s.
    pub fn apply(&self, query: usize, first: usize, row: &mut [f32]) {
        for (key, weight) in (first..).zip(row) {
            *weight *= self.factor(query, key);
        }
    }
}

/// Everything that an edit can say of how one head comes to its weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadVariant {
    /// Which variant.
    pub variant: Variant,
    /// On scores.
    pub scale: Scale,
    /// Under scores.
    pub temperature: f32,
    /// After the softmax.
    pub dropout: Option<Dropout>,
}

impl Default for HeadVariant {
    fn default() -> Self {
        Self { variant: Variant::default(), scale: Scale::Model, temperature: 1.0, dropout: None }
    }
}

impl HeadVariant {
    /// What raw scores are multiplied by; `model` is `1/√d_h`.
    pub fn factor(&self, model: f32) -> f32 {
        let scale = match self.scale {
            Scale::Model if self.variant.facts().scale != ModelScale::One => model,
            Scale::Model | Scale::None => 1.0,
            Scale::By(factor) => factor,
        };
        // A quotient by 1 is exact: without an edit it is the model's own factor.
        scale / self.temperature
    }
}

/// The heads of a site whose way to their weights is another than the model's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variants {
    heads: Vec<(usize, HeadVariant)>,
}

impl Variants {
    /// What holds for a head.
    pub fn of(&self, head: usize) -> HeadVariant {
        let found = self.heads.iter().find(|(edited, _)| *edited == head);
        found.map(|(_, variant)| *variant).unwrap_or_default()
    }

    /// Whether all heads are the model's own.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The heads with another variant, and what holds for them.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, HeadVariant)> {
        self.heads.iter()
    }

    /// The same but for one head, which is as the model has it.
    #[must_use]
    pub fn without(&self, head: usize) -> Self {
        Self { heads: self.heads.iter().filter(|(own, _)| *own != head).copied().collect() }
    }

    /// The same with one head of this variant; the model's own leaves no trace.
    #[must_use]
    pub fn with(&self, head: usize, variant: HeadVariant) -> Self {
        let mut other = self.without(head);
        if variant != HeadVariant::default() {
            let at = other.heads.partition_point(|(own, _)| *own < head);
            other.heads.insert(at, (head, variant));
        }
        other
    }

    /// Changes what holds for a head.
    pub fn change(&mut self, head: usize, change: impl FnOnce(&mut HeadVariant)) {
        let mut variant = self.of(head);
        change(&mut variant);
        *self = self.with(head, variant);
    }
}
