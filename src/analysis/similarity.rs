//! How unlike two heads are: the Jensen-Shannon divergence of what their rows look at,
//!
//! `JS(q) = ½ Σ_k A[q, k] ln (A[q, k] / M[q, k]) + ½ Σ_k B[q, k] ln (B[q, k] / M[q, k])`,
//! `M = ½ (A + B)`,
//!
//! in nats (the logarithm is the natural one), the mean over the queries of which both heads
//! may look somewhere. 0 of two equal rows, `ln 2` of two that share no key. Lin 1991,
//! "Divergence Measures Based on the Shannon Entropy"; between heads: Clark et al. 2019,
//! section 6.
//!
//! Sums are f64. No cell's share of the sum is negative, so nothing cancels. It compares two
//! heads of one text: the same queries, the same keys.

use super::mean::Mean;
use super::pattern::{Pattern, Row};

/// The mean divergence of the rows of two patterns of one shape, from 0 to `ln 2`; `None`
/// where there is no query of which both may look somewhere.
pub fn divergence(one: &Pattern<'_>, other: &Pattern<'_>) -> Option<f64> {
    let mut mean = Mean::default();
    for row in one.rows() {
        if let Some(partner) = other.row(row.query) {
            mean.add(of_rows(&row, &partner));
        }
    }
    mean.value()
}

fn of_rows(one: &Row<'_>, other: &Row<'_>) -> f64 {
    let cells = one.weights.iter().zip(other.weights);
    0.5 * cells.map(|(&a, &b)| of_cells(f64::from(a), f64::from(b))).sum::<f64>()
}

/// `a ln (a / m) + b ln (b / m)` with `m` their mean.
fn of_cells(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    let mean = 0.5 * (a + b);
    let part = |weight: f64| if weight > 0.0 { weight * (weight / mean).ln() } else { 0.0 };
    part(a) + part(b)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const OPEN: [bool; 8] = [true; 8];

    fn between(one: &[f32], other: &[f32], n_keys: usize) -> Option<f64> {
        let pattern = |weights| Pattern { weights, visible: &OPEN[..one.len()], n_keys };
        divergence(&pattern(one), &pattern(other))
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn one_row_by_hand_and_the_same_both_ways() {
        let (one, other) = ([1.0, 0.0], [0.5, 0.5]);
        // M = (3/4, 1/4): ½ ln (4/3) + ½ (½ ln (2/3) + ½ ln 2).
        let want = 0.5 * (4f64 / 3.0).ln() + 0.25 * (2f64 / 3.0).ln() + 0.25 * LN_2;
        assert!((between(&one, &other, 2).unwrap() - want).abs() < 1e-15);
        assert_eq!(between(&one, &other, 2), between(&other, &one, 2));
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_in_which_either_may_look_nowhere_are_left_out() {
        let one = Pattern {
            weights: &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0],
            visible: &[false, false, true, true, true, true],
            n_keys: 2,
        };
        let other = Pattern {
            weights: &[0.5, 0.5, 0.0, 0.0, 0.0, 1.0],
            visible: &[true, true, false, false, true, true],
            n_keys: 2,
        };
        assert!((divergence(&one, &other).unwrap() - LN_2).abs() < 1e-15);
        let none = Pattern { weights: &[0.0; 6], visible: &[false; 6], n_keys: 2 };
        assert_eq!(divergence(&one, &none), None);
        let empty = Pattern { weights: &[], visible: &[], n_keys: 0 };
        assert_eq!(divergence(&empty, &empty), None);
    }
}
