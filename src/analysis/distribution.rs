//! What the logits of a position say: a distribution over the vocabulary, how spread out it is, how
//! far it is from another one, and where single entries stand in it.
//!
//! `H(p) = −Σᵢ pᵢ ln pᵢ`, `KL(p ‖ q) = Σᵢ pᵢ (ln pᵢ − ln qᵢ)`, in nats
//!
//! Sources: Shannon 1948, section 6; Kullback & Leibler 1951; of the last layer from an earlier
//! one: N. Belrose et al., "Eliciting Latent Predictions from Transformers with the Tuned Lens"
//! (2023), section 3. Shapes: a row of logits `[vocabulary]`.
//!
//! Sums are f64, of `ln p` and `p` in f32. A logit of `-∞` has probability 0 and adds nothing.

use crate::kernels::softmax::{log_softmax_row, softmax_row};
use crate::kernels::top_k::top_k;

/// A distribution over the vocabulary with the logits that it is made of.
#[derive(Default)]
pub struct Distribution {
    logits: Vec<f32>,
    /// The probability `p` of each entry.
    shares: Vec<f32>,
    /// The natural logarithm `ln p` of each.
    logs: Vec<f32>,
}

/// An entry of the vocabulary in a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The index of the entry.
    pub id: usize,
    /// The logit of the entry.
    pub logit: f32,
    /// The natural logarithm of its probability.
    pub log_probability: f32,
}

impl Distribution {
    /// The softmax of a row of logits.
    pub fn of(logits: &[f32]) -> Self {
        let mut shares = logits.to_vec();
        softmax_row(&mut shares);
        let mut logs = logits.to_vec();
        log_softmax_row(&mut logs);
        Self { logits: logits.to_vec(), shares, logs }
    }

    /// Whether the distribution is one: no logit is NaN or `+∞`, and not all are `-∞`.
    pub fn is_finite(&self) -> bool {
        // The largest of `ln p` is NaN or `-∞` in all other cases.
        self.logs.iter().copied().fold(f32::NEG_INFINITY, f32::max).is_finite()
            && !self.logs.iter().any(|log| log.is_nan())
    }

    /// The entropy, in nats.
    pub fn entropy(&self) -> f64 {
        -self.mean_of(|at| f64::from(self.logs[at]))
    }

    /// The Kullback-Leibler divergence of this distribution from `other`, over the same vocabulary,
    /// in nats.
    pub fn divergence_from(&self, other: &Self) -> f64 {
        self.mean_of(|at| f64::from(self.logs[at]) - f64::from(other.logs[at]))
    }

    /// The `k` likeliest entries, likeliest first, the lower index first among equals.
    pub fn best(&self, k: usize) -> impl Iterator<Item = Entry> {
        top_k(&self.logits, k).into_iter().map(|(id, _)| self.entry(id))
    }

    /// One entry.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn entry(&self, id: usize) -> Entry {
        Entry { id, logit: self.logits[id], log_probability: self.logs[id] }
    }

    /// The number of entries before this one in the order of `best`.
    pub fn rank(&self, id: usize) -> usize {
        let own = self.logits[id];
        let before = self.logits[..id].iter().filter(|&&logit| logit >= own).count();
        before + self.logits[id..].iter().filter(|&&logit| logit > own).count()
    }

    /// The mean of a number of each entry, weighted by the probabilities.
    fn mean_of(&self, number: impl Fn(usize) -> f64) -> f64 {
        let shares = self.shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
        shares.map(|(at, &share)| f64::from(share) * number(at)).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const NONE: f32 = f32::NEG_INFINITY;

    #[wasm_bindgen_test(unsupported = test)]
    fn an_entry_without_probability_adds_nothing() {
        let even = Distribution::of(&[1.0, NONE, 1.0]);
        assert!((even.entropy() - LN_2).abs() < 1e-6);
        let one = Distribution::of(&[1.0, NONE, NONE]);
        assert!(one.entropy().abs() < 1e-6);
        assert!((one.divergence_from(&even) - LN_2).abs() < 1e-6);
        assert_eq!(even.divergence_from(&even).to_bits(), 0);
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
