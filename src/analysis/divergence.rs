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
