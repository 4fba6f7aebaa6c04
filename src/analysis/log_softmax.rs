//! Log-probabilities of single entries of a vocabulary, from the logits of all entries,
//!
//! `ln pᵢ = (xᵢ − m) − ln Σⱼ exp(xⱼ − m)`, `m = max x`
//!
//! in f64, so also where `p` is too small for an f32. Source: P. Blanchard, D. Higham and N.
//! Higham, "Accurately computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 41
//! (2021). Shapes: a row of logits `[vocabulary]`.
//!
//! A logit of `-∞` has probability 0. A NaN among the logits makes every result NaN, and so does a
//! row in which every logit is `-∞`.

use crate::kernels::exponentials::sum_below;

/// Maximum and log-sum of a row of logits, from which the log-probability of any entry follows.
pub struct LogSoftmax {
    top: f64,
    /// `ln Σⱼ exp(xⱼ − m)`, kept apart from `m`: added to a huge `m`, the sum would be lost to
    /// rounding.
    log_total: f64,
}

impl LogSoftmax {
    /// Reads all logits of a row, `[vocabulary]`.
    pub fn of(logits: &[f32]) -> Self {
        let top = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        Self { top, log_total: sum_below(logits, top).ln() }
    }

    /// `ln p` of the entry whose logit is `logit`.
    pub fn at(&self, logit: f32) -> f64 {
        f64::from(logit) - self.top - self.log_total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::LN_2;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn all(logits: &[f32]) -> Vec<f64> {
        let softmax = LogSoftmax::of(logits);
        logits.iter().map(|&logit| softmax.at(logit)).collect()
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn huge_scores_neither_overflow_nor_lose_the_sum() {
        let half = -LN_2;
        assert_eq!(all(&[1e30, 1e30, -1e30]), [half, half, -2.0 * f64::from(1e30f32)]);
        assert_eq!(all(&[f32::MAX, f32::MAX]), [half; 2]);
        assert_eq!(all(&[-1e30, -1e30]), [half; 2]);
        // Far beyond what a probability can show.
        assert_eq!(all(&[500.0, -500.0]), [0.0, -1000.0]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_is_no_number_makes_its_row_none() {
        for bad in [f32::NAN, f32::INFINITY] {
            assert!(all(&[0.0, bad, 1.0]).iter().all(|x| x.is_nan()), "{bad}");
        }
        assert!(all(&[f32::NEG_INFINITY; 2]).iter().all(|x| x.is_nan()));
    }
}
