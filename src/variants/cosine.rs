//! Cosine attention: queries and keys are compared by direction alone.
//!
//! `raw = q·k / (‖q‖ ‖k‖)`, 0 if the query or the key is zero
//!
//! Source: Graves et al. 2014, "Neural Turing Machines", eq. 6.

use std::ops::Range;

use super::cost::{self, Cost, product, singles};
use super::memo::KeyMap;
use super::view::HeadView;
use super::{AttentionVariant, Facts, GpuScore, HeadMemo, ModelScale, Named, RawScores};
use crate::kernels::vector::{dot, length};

/// Cosines of queries and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cosine;

impl Named for Cosine {
    fn of(_: [usize; 2]) -> Self {
        Self
    }
}

/// The lengths of all keys, from the memo.
fn lengths<'a>(memo: &'a mut HeadMemo, view: &HeadView<'_>) -> &'a KeyMap<f32> {
    let lengths = memo.of_keys(|| KeyMap::new(1));
    lengths.learn(view.n_keys(), |key, out| out[0] = length(view.key(key)));
    lengths
}

impl AttentionVariant for Cosine {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                raw: RawScores::Other,
                scale: ModelScale::One,
                gpu: Some(GpuScore::Cosine),
                ..Facts::SOFTMAX
            }
        }
    }

    fn raw(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) -> bool {
        view.keeping(|memo| {
            let lengths = lengths(memo, view);
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                let q = view.query(query);
                let own = length(q);
                for (key, cell) in row.iter_mut().enumerate() {
                    let both = own * lengths.row(key)[0];
                    let product = dot(q, view.key(key));
                    // A vector of zeros has no direction; its cosines are 0.
                    *cell = if both == 0.0 { 0.0 } else { product / both };
                }
            }
        });
        true
    }

    fn factor_of_terms(&self, query: &[f32], key: &[f32]) -> f32 {
        let square = |x: &[f32]| x.iter().map(|x| f64::from(x * x)).sum::<f64>();
        let both = (square(query) * square(key)).sqrt();
        if both == 0.0 { 0.0 } else { (1.0 / both) as f32 }
    }

    fn kept_per_key(&self, _: usize, _: usize) -> u64 {
        singles(1)
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let n_keys = view.n_keys();
        let lengths = product([n_keys + rows.len(), view.width()]);
        let compared = lengths + product([rows.len(), n_keys, view.width()]);
        let own = cost::with_weights(view, rows, compared);
        Cost { bytes: own.bytes + singles(n_keys), ..own }
    }
}
