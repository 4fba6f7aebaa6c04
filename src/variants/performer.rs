//! Performer attention: random features, whose products have the mean `exp(f · q·k)`.
//!
//! `raw = φ(q)·φ(k)`, `φ(x)ᵢ = exp(ωᵢ·√f x − f |x|² / 2) / √m`, `scores = ln raw`
//!
//! Source: Choromanski et al. 2021, "Rethinking Attention with Performers", sections 2.3 and 2.4.
//! How features are drawn: `kernels::features`; how the sums are computed: `features.rs`.

use std::ops::Range;

use super::cost::{Cost, doubles};
use super::features::{self, FeatureMap};
use super::view::{Found, HeadView};
use super::{
    AttentionVariant, Facts, Held, MOST_UNITS, MadePart, Named, RawScores, SoftmaxRows,
    VariantNumber, WeightRule,
};
use crate::kernels::features::{Directions, ln};
use crate::kernels::random::seed_of;

/// Attention with random features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Performer {
    /// The number of features.
    pub features: usize,
    /// The seed of the features, mixed with the head's place.
    pub seed: u64,
}

impl Named for Performer {
    const NUMBERS: &'static [VariantNumber] = &[
        VariantNumber { name: "features", least: 1, most: MOST_UNITS, usual: 64 },
        VariantNumber::SEED,
    ];

    fn of([features, seed]: [usize; 2]) -> Self {
        Self { features, seed: seed as u64 }
    }

    fn at(self, place: &[usize]) -> Self {
        Self { seed: seed_of(self.seed, place), ..self }
    }
}

impl Performer {
    fn map(self, view: &HeadView<'_>) -> FeatureMap {
        FeatureMap::Random {
            directions: Directions::draw(self.seed, self.features, view.width()),
            count: self.features,
            factor: f64::from(view.factor()).sqrt(),
        }
    }
}

impl AttentionVariant for Performer {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                raw: RawScores::Other,
                weights: WeightRule::Features,
                held: Held::Nothing,
                made: [Some(MadePart::QueryFeature), Some(MadePart::KeyFeature)],
                // The sums need more precision than f32.
                gpu: None,
                is_cheap: true,
                ..Facts::SOFTMAX
            }
        }
    }

    fn raw(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) -> bool {
        features::products(view, || self.map(view), queries, out, |x| x as f32);
        true
    }

    fn scores(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) {
        features::products(view, || self.map(view), queries, out, |x| ln(x) as f32);
    }

    fn context(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut Found<'_>) -> bool {
        features::context(view, || self.map(view), queries, out);
        true
    }

    fn factors(
        &self,
        view: &HeadView<'_>,
        _: SoftmaxRows<'_>,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        Some(features::factors(view, || self.map(view), query, key))
    }

    fn sum(&self, view: &HeadView<'_>, query: usize, key: usize) -> Option<f64> {
        Some(features::sum(view, || self.map(view), query, key))
    }

    fn kept_per_key(&self, _: usize, _: usize) -> u64 {
        doubles(self.features)
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let width = view.width();
        let own = features::cost(view, self.features, width + 1, rows);
        Cost { bytes: own.bytes + doubles(self.features * width), ..own }
    }
}
