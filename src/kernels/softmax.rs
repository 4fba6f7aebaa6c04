//! Softmax and log-softmax of one row, with the maximum subtracted first so
//! that nothing overflows.
//!
//! `softmax(x)ᵢ = exp(xᵢ - m) / Σⱼ exp(xⱼ - m)`, `m = max x`
//!
//! Source: A. Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1; the
//! shifted form: P. Blanchard, D. Higham and N. Higham, "Accurately computing the
//! log-sum-exp and softmax functions", IMA J. Numer. Anal. 41 (2021).
//! Shapes: a row `[n]`, in place.
//!
//! A masked entry is `-∞` and its weight exactly 0. A fully masked row gets weights 0 and is
//! reported, never NaN. Entry `i` is summed in lane `i mod 4`, and a padded lane is `-∞`: appending
//! masked entries changes no bit of the others. A NaN or `+∞` makes the whole row NaN. Scaling and
//! masking come before.

use super::lanes::{F32x4, for_each, map};
use super::math::{Exp, ln};

/// Turns masked scores into weights, in place. `false` for a fully masked row, whose weights are 0.
pub fn softmax_row(row: &mut [f32]) -> bool {
    let Some(top) = maximum(row) else {
        row.fill(0.0);
        return false;
    };
    let exp = Exp::load();
    let top = F32x4::splat(top);
    let mut sums = F32x4::zero();
    map(row, f32::NEG_INFINITY, |score| {
        let weight = exp.of(score - top);
        sums = sums + weight;
        weight
    });
    let total = F32x4::splat(sums.sum());
    map(row, 0.0, |weight| weight / total);
    true
}

/// Turns logits into log-probabilities, in place. A row of `-∞` stays `-∞`.
pub fn log_softmax_row(row: &mut [f32]) {
    let Some(top) = maximum(row) else { return };
    let exp = Exp::load();
    let top = F32x4::splat(top);
    let mut sums = F32x4::zero();
    for_each(row, f32::NEG_INFINITY, |value| sums = sums + exp.of(value - top));
    let log_total = F32x4::splat(ln(sums.sum()));
    map(row, 0.0, |logit| (logit - top) - log_total);
}

/// The entropy of a row of weights in nats, `−Σᵢ wᵢ ln wᵢ`, summed in f64.
pub fn entropy(row: &[f32]) -> f64 {
    let open = row.iter().filter(|&&weight| weight > 0.0);
    open.fold(0.0, |entropy, &weight| entropy - f64::from(weight) * f64::from(ln(weight)))
}

/// The largest entry of a row; `None` if all are `-∞`. A NaN counts as an entry.
pub fn maximum(row: &[f32]) -> Option<f32> {
    let lowest = f32::NEG_INFINITY;
    let mut tops = F32x4::splat(lowest);
    for_each(row, lowest, |value| tops = tops.max(value));
    let top = tops.maximum();
    if top > lowest {
        return Some(top);
    }
    row.iter().copied().find(|value| value.is_nan())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const FORBIDDEN: f32 = f32::NEG_INFINITY;

    #[test]
    fn a_fully_masked_row_is_zero_and_flagged() {
        for size in AWKWARD_SIZES {
            let mut row = vec![FORBIDDEN; size];
            assert!(!softmax_row(&mut row));
            same_bits(&row, &vec![0.0; size], "weights");
            let mut row = vec![FORBIDDEN; size];
            log_softmax_row(&mut row);
            same_bits(&row, &vec![FORBIDDEN; size], "log-probabilities");
        }
    }

    #[test]
    fn appending_forbidden_entries_changes_no_bit() {
        let mut random = Random::new(12);
        for size in 1..=33 {
            let scores = random.values(size, -8.0, 8.0);
            let mut short = scores.clone();
            softmax_row(&mut short);
            let mut short_log = scores.clone();
            log_softmax_row(&mut short_log);
            for more in 1..=9 {
                let mut long = scores.clone();
                long.resize(size + more, FORBIDDEN);
                let mut long_log = long.clone();
                assert!(softmax_row(&mut long));
                same_bits(&long[..size], &short, "weights");
                same_bits(&long[size..], &vec![0.0; more], "forbidden");
                log_softmax_row(&mut long_log);
                same_bits(&long_log[..size], &short_log, "log-probabilities");
            }
        }
    }

    #[test]
    fn large_scores_do_not_overflow_and_one_entry_is_exactly_one() {
        let mut row = [3e38, -3e38, 3e38];
        assert!(softmax_row(&mut row));
        same_bits(&row, &[0.5, 0.0, 0.5], "large");
        let mut row = [FORBIDDEN, -123.456, FORBIDDEN, FORBIDDEN, FORBIDDEN];
        assert!(softmax_row(&mut row));
        same_bits(&row, &[0.0, 1.0, 0.0, 0.0, 0.0], "one entry");
    }

    #[test]
    fn not_a_number_is_never_hidden() {
        for rest in [FORBIDDEN, 1.0] {
            let mut row = [rest, f32::NAN, rest, rest, rest];
            assert!(softmax_row(&mut row));
            assert!(row.iter().all(|weight| weight.is_nan()), "{row:?}");
        }
    }
}
