//! Linear attention, with `elu + 1` as features.
//!
//! `raw = φ(q)·φ(k)`, `φ = elu + 1`, `scores = ln raw`
//!
//! Source: Katharopoulos et al. 2020, "Transformers are RNNs", eq. 7. Without an exponential it has
//! no scale and no temperature. How the sums are computed: `features.rs`.

use std::ops::Range;

use super::cost::{Cost, doubles};
use super::features::{self, FeatureMap};
use super::view::{Found, HeadView};
use super::{
    AttentionVariant, Facts, GpuScore, Held, MadePart, ModelScale, Named, RawScores, SoftmaxRows,
    WeightRule,
};
use crate::kernels::features::ln;

/// Attention with `elu + 1` as features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linear;

impl Named for Linear {
    fn of(_: [usize; 2]) -> Self {
        Self
    }
}

fn map(view: &HeadView<'_>) -> FeatureMap {
    FeatureMap::Elu { width: view.width() }
}

impl AttentionVariant for Linear {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                raw: RawScores::Other,
                scale: ModelScale::Never,
                weights: WeightRule::Features,
                held: Held::Nothing,
                made: [Some(MadePart::QueryFeature), Some(MadePart::KeyFeature)],
                // The CPU computes features in f64, the shaders their logarithms in f32.
                gpu: Some(GpuScore::Features),
                is_cheap: true,
                ..Facts::SOFTMAX
            }
        }
    }

    fn raw(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) -> bool {
        features::products(view, || map(view), queries, out, |x| x as f32);
        true
    }

    fn scores(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) {
        features::products(view, || map(view), queries, out, |x| ln(x) as f32);
    }

    fn context(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut Found<'_>) -> bool {
        features::context(view, || map(view), queries, out);
        true
    }

    fn factors(
        &self,
        view: &HeadView<'_>,
        _: SoftmaxRows<'_>,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        Some(features::factors(view, || map(view), query, key))
    }

    fn sum(&self, view: &HeadView<'_>, query: usize, key: usize) -> Option<f64> {
        Some(features::sum(view, || map(view), query, key))
    }

    fn kept_per_key(&self, head_dim: usize, _: usize) -> u64 {
        doubles(head_dim)
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        features::cost(view, view.width(), 1, rows)
    }
}
