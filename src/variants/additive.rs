//! Additive attention: a small network on a query and a key. A model with dot-product attention has
//! no weights for it: they are drawn by seed.
//!
//! `raw = vᵀ tanh(W_q q + W_k k)`
//!
//! Source: Bahdanau et al. 2015, appendix A.1.2. Shapes: `W_q, W_k [d, w]`, `v [w]`.

use std::ops::Range;

use super::cost::{self, Cost, product, singles};
use super::memo::KeyMap;
use super::view::HeadView;
use super::{
    AttentionVariant, Facts, GpuScore, HeadMemo, MOST_UNITS, MadePart, ModelScale, Named,
    RawScores, SoftmaxRows, VariantNumber,
};
use crate::kernels::counting::count;
use crate::kernels::math::Tanh;
use crate::kernels::random::{additive_weights, seed_of};
use crate::kernels::vector::{add_multiple, dot};

/// A small network on a query and a key, with drawn weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Additive {
    /// The number of units; 0 is the width of the head.
    pub width: usize,
    /// The seed of the drawn weights, mixed with the head's place.
    pub seed: u64,
}

impl Additive {
    fn units_of(self, head_dim: usize) -> usize {
        if self.width == 0 { head_dim } else { self.width }
    }
}

impl Named for Additive {
    const NUMBERS: &'static [VariantNumber] = &[
        VariantNumber { name: "width", least: 0, most: MOST_UNITS, usual: 0 },
        VariantNumber::SEED,
    ];

    fn of([width, seed]: [usize; 2]) -> Self {
        Self { width, seed: seed as u64 }
    }

    fn at(self, place: &[usize]) -> Self {
        Self { seed: seed_of(self.seed, place), ..self }
    }
}

/// The network of a head, with its output for each key.
struct Network {
    query: Vec<f32>,
    key: Vec<f32>,
    /// The weights from units to a score.
    out: Vec<f32>,
    keys: KeyMap<f32>,
}

impl Network {
    /// The network of a head, with all of its keys mapped.
    fn of<'a>(own: Additive, view: &HeadView<'_>, memo: &'a mut HeadMemo) -> &'a Self {
        let network = memo.of_keys(|| {
            let width = own.units_of(view.width());
            let [query, key, out] = additive_weights(view.width(), width, own.seed);
            Self { query, key, out, keys: KeyMap::new(width) }
        });
        let weight = &network.key;
        network.keys.learn(view.n_keys(), |key, out| apply(weight, view.key(key), out));
        network
    }

    /// Writes the network's term of a query, `W_q q`.
    fn of_query(&self, query: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        apply(&self.query, query, out);
    }

    /// Writes the units of a query's term and a key's, `tanh(a + b)`.
    fn join(tanh: &Tanh, a: &[f32], b: &[f32], out: &mut [f32]) {
        tanh.of_sum(a, b, out);
        count(2 * out.len());
    }
}

/// `out ← out + x W`, `W` with a row for each number of `x`.
fn apply(weight: &[f32], x: &[f32], out: &mut [f32]) {
    for (row, &x) in weight.chunks_exact(out.len()).zip(x) {
        add_multiple(out, x, row);
    }
}

impl AttentionVariant for Additive {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                raw: RawScores::Other,
                scale: ModelScale::One,
                made: [Some(MadePart::Unit), Some(MadePart::Drawn)],
                gpu: Some(GpuScore::Additive),
                is_untrained: true,
                ..Facts::SOFTMAX
            }
        }
    }

    fn raw(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut [f32]) -> bool {
        view.keeping(|memo| {
            let network = Network::of(*self, view, memo);
            let mut own = vec![0.0; network.keys.width()];
            let mut joined = vec![0.0; network.keys.width()];
            let tanh = Tanh::load();
            for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
                network.of_query(view.query(query), &mut own);
                for (cell, key) in row.iter_mut().zip(network.keys.rows()) {
                    Network::join(&tanh, &own, key, &mut joined);
                    *cell = dot(&network.out, &joined);
                }
            }
        });
        true
    }

    fn factors(
        &self,
        view: &HeadView<'_>,
        _: SoftmaxRows<'_>,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        view.keeping(|memo| {
            let network = Network::of(*self, view, memo);
            let mut own = vec![0.0; network.keys.width()];
            let mut units = vec![0.0; network.keys.width()];
            network.of_query(view.query(query), &mut own);
            Network::join(&Tanh::load(), &own, network.keys.row(key), &mut units);
            Some([units, network.out.clone()])
        })
    }

    fn units(&self, head_dim: usize) -> usize {
        self.units_of(head_dim)
    }

    fn own_weights(&self, head_dim: usize) -> Vec<f32> {
        additive_weights(head_dim, self.units_of(head_dim), self.seed).concat()
    }

    fn kept_per_key(&self, head_dim: usize, _: usize) -> u64 {
        singles(self.units_of(head_dim))
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let n_keys = view.n_keys();
        let width = view.width();
        let units = self.units_of(width);
        let mapped = product([n_keys + rows.len(), width, units]);
        // The `tanh` of a sum and a product for every unit.
        let compared = mapped + product([rows.len(), n_keys, 3 * units]);
        let own = cost::with_weights(view, rows, compared);
        let network = singles((2 * width + 1) * units);
        let held = singles(n_keys * units) + singles(2 * units);
        Cost { bytes: own.bytes + network + held, ..own }
    }
}
