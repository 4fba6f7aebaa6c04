//! What the logits of a position say: a distribution over the vocabulary, how spread out it is, how
//! far it is from another one, and where single entries stand in it.
//!
//! `H(p) = −Σᵢ pᵢ ln pᵢ`, `KL(p ‖ q) = Σᵢ pᵢ (ln pᵢ − ln qᵢ)`, in nats
//!
//! Sources: Shannon 1948, section 6; Kullback & Leibler 1951; of the last layer from an earlier
//! one: N. Belrose et al., "Eliciting Latent Predictions from Transformers with the Tuned Lens"
//! (2023), section 3. Shapes: a row of logits `[vocabulary]`.
//!
//! One pass over a row takes both sums of its entropy, with `tᵢ = xᵢ − max x`:
//!
//! `ln Z = max x + ln Σᵢ exp tᵢ`, `H(p) = ln Σᵢ exp tᵢ − Σᵢ exp(tᵢ) tᵢ / Σᵢ exp tᵢ`
//!
//! and one over two rows, `x` and `y`, their divergence, which of equal rows is exactly 0:
//!
//! `KL(p ‖ q) = Σᵢ pᵢ (xᵢ − yᵢ) / Σᵢ pᵢ + ln Z_y − ln Z_x`
//!
//! Sums are f32 within a block of the row and f64 over the blocks. A logit of `-∞` has probability
//! 0 and adds nothing.

use super::lanes::{F32x4, LANES, for_each};
use super::math::Exp;
use super::softmax::{maximum, softmax_row};
use super::top_k::top_k;

/// The entries whose sum is f32.
const BLOCK: usize = 1024;

/// A difference of logits whose exponential is 0, in place of `-∞`, so that no product is `0 · ∞`.
const FAR_BELOW: f32 = -1e3;

/// A distribution over the vocabulary, the softmax of a row of logits.
#[derive(Clone, Copy)]
pub struct Distribution<'a> {
    logits: &'a [f32],
    /// The largest logit, kept apart from the sum, which a huge one would lose to rounding.
    top: f64,
    /// `Σᵢ exp tᵢ`.
    total: f64,
    /// `Σᵢ exp(tᵢ) tᵢ`.
    weighted: f64,
}

/// A distribution with the probability of each entry, from which other distributions over the same
/// vocabulary differ.
pub struct Weighted<'a> {
    distribution: Distribution<'a>,
    /// The probability of each entry.
    weights: Vec<f32>,
}

/// An entry of the vocabulary in a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The index of the entry.
    pub id: usize,
    /// The logit of the entry.
    pub logit: f32,
    /// The probability of the entry.
    pub probability: f64,
}

impl<'a> Distribution<'a> {
    /// The softmax of a row of logits.
    #[inline(never)]
    pub fn of(logits: &'a [f32]) -> Self {
        let top = maximum(logits).unwrap_or(f32::NEG_INFINITY);
        let exp = Exp::load();
        let [tops, far_below] = [top, FAR_BELOW].map(F32x4::splat);
        let [mut total, mut weighted] = [0.0; 2];
        for block in logits.chunks(BLOCK) {
            let mut sums = [F32x4::zero(); 2];
            for_each(block, f32::NEG_INFINITY, |logit| {
                let below = (logit - tops).max(far_below);
                let weight = exp.of(below);
                sums[0] = sums[0] + weight;
                sums[1] = sums[1].add_product(weight, below);
            });
            total += f64::from(sums[0].sum());
            weighted += f64::from(sums[1].sum());
        }
        Self { logits, top: f64::from(top), total, weighted }
    }

    /// Whether the distribution is one: no logit is NaN or `+∞`, and not all are `-∞`.
    pub fn is_finite(&self) -> bool {
        // The largest logit adds 1 to the sum, which is NaN in all other cases.
        self.total.is_finite()
    }

    /// The entropy, in nats.
    pub fn entropy(&self) -> f64 {
        self.total.ln() - self.weighted / self.total
    }

    /// The `k` likeliest entries, likeliest first, the lower index first among equals.
    pub fn best(&self, k: usize) -> impl Iterator<Item = Entry> {
        top_k(self.logits, k).into_iter().map(|(id, _)| self.entry(id))
    }

    /// One entry.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn entry(&self, id: usize) -> Entry {
        let logit = self.logits[id];
        let probability = (f64::from(logit) - self.top - self.total.ln()).exp();
        Entry { id, logit, probability }
    }

    /// The number of entries before this one in the order of `best`.
    pub fn rank(&self, id: usize) -> usize {
        let own = self.logits[id];
        let before = self.logits[..id].iter().filter(|&&logit| logit >= own).count();
        before + self.logits[id..].iter().filter(|&&logit| logit > own).count()
    }
}

impl<'a> Weighted<'a> {
    /// The softmax of a row of logits.
    pub fn of(logits: &'a [f32]) -> Self {
        let mut weights = logits.to_vec();
        softmax_row(&mut weights);
        Self { distribution: Distribution::of(logits), weights }
    }

    /// The distribution alone.
    pub fn distribution(&self) -> Distribution<'a> {
        self.distribution
    }

    /// The Kullback-Leibler divergence of this distribution from `other`, in nats.
    pub fn divergence_from(&self, other: &Distribution<'_>) -> f64 {
        let own = &self.distribution;
        let zero = F32x4::zero();
        let [mut total, mut weighted] = [0.0; 2];
        let rows = own.logits.chunks(BLOCK).zip(other.logits.chunks(BLOCK));
        for ((own, other), weights) in rows.zip(self.weights.chunks(BLOCK)) {
            let mut sums = [zero; 2];
            let pairs = own.chunks(LANES).zip(other.chunks(LANES));
            for ((own, other), weights) in pairs.zip(weights.chunks(LANES)) {
                let [own, other, weight] =
                    [own, other, weights].map(|numbers| F32x4::load_partial(numbers, 0.0));
                let product = weight * (own - other);
                sums[0] = sums[0] + weight;
                sums[1] = sums[1] + zero.less(weight).select(product, zero);
            }
            total += f64::from(sums[0].sum());
            weighted += f64::from(sums[1].sum());
        }
        weighted / total + (other.top - own.top) + (other.total.ln() - own.total.ln())
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use wasm_bindgen_test::wasm_bindgen_test;

    use super::super::testing::Random;
    use super::*;

    const NONE: f32 = f32::NEG_INFINITY;

    #[wasm_bindgen_test(unsupported = test)]
    fn an_entry_without_probability_adds_nothing() {
        let even = Distribution::of(&[1.0, NONE, 1.0]);
        assert!((even.entropy() - LN_2).abs() < 1e-6);
        let one = Weighted::of(&[1.0, NONE, NONE]);
        assert!(Distribution::of(&[1.0, NONE, NONE]).entropy().abs() < 1e-6);
        assert!((one.divergence_from(&even) - LN_2).abs() < 1e-6);
        let none = Weighted::of(&[NONE, 1.0, NONE]).divergence_from(&even);
        assert!(none.is_infinite() && none.is_sign_positive());
    }

    /// Rows longer than a block and not a multiple of the lanes.
    #[wasm_bindgen_test(unsupported = test)]
    fn sums_are_those_of_the_formulas_in_f64() {
        let mut random = Random::new(5);
        for n in [1, 7, BLOCK, 3 * BLOCK + 5] {
            let [x, y] = [(); 2].map(|()| random.values(n, -9.0, 9.0));
            let logs = |row: &[f32]| {
                let total: f64 = row.iter().map(|&logit| f64::from(logit).exp()).sum();
                row.iter().map(|&logit| f64::from(logit) - total.ln()).collect::<Vec<f64>>()
            };
            let [p, q] = [&x, &y].map(|row| logs(row));
            let entropy: f64 = p.iter().map(|log| -log.exp() * log).sum();
            let divergence: f64 = p.iter().zip(&q).map(|(p, q)| p.exp() * (p - q)).sum();
            let [own, other] = [Distribution::of(&x), Distribution::of(&y)];
            assert!((own.entropy() - entropy).abs() < 1e-5, "{n}");
            let last = Weighted::of(&x);
            let found = last.divergence_from(&other);
            assert!((found - divergence).abs() < 1e-5, "{n}: {found}, not {divergence}");
            assert_eq!(last.divergence_from(&own).to_bits(), 0, "{n}");
            let entry = own.entry(n - 1);
            assert!((entry.probability - p[n - 1].exp()).abs() < 1e-6, "{n}");
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn ranks_follow_the_order_of_the_best() {
        let all = Distribution::of(&[0.5, 2.0, 0.5, -1.0, 2.0, NONE]);
        let best: Vec<usize> = all.best(6).map(|entry| entry.id).collect();
        assert_eq!(best, [1, 4, 0, 2, 3, 5]);
        let ranks: Vec<usize> = best.iter().map(|&id| all.rank(id)).collect();
        assert_eq!(ranks, [0, 1, 2, 3, 4, 5]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_is_no_distribution_is_known() {
        for bad in [[0.0, f32::NAN], [0.0, f32::INFINITY], [NONE, NONE]] {
            assert!(!Distribution::of(&bad).is_finite(), "{bad:?}");
        }
        assert!(Distribution::of(&[0.0, NONE]).is_finite());
    }
}
