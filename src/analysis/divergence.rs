//! Head divergence: the Jensen-Shannon divergence of the attention weights of two heads,
//!
//! `JS(q) = ½ Σ_k A[q, k] ln (A[q, k] / M[q, k]) + ½ Σ_k B[q, k] ln (B[q, k] / M[q, k])`,
//! `M = ½ (A + B)`,
//!
//! in nats (the logarithm is the natural one), the mean over the queries that have a visible key in
//! both heads. Two equal rows have 0, two rows that share no key `ln 2`. Lin 1991, "Divergence
//! Measures Based on the Shannon Entropy"; between heads: Clark et al. 2019, section 6.
//!
//! Sums are f64. No cell's share of the sum is negative, so nothing cancels. The two heads must be
//! of one text: the same queries, the same keys.

use super::mean::Mean;
use super::pattern::{Pattern, Row};

/// The mean divergence of the rows of two patterns of one shape, from 0 to `ln 2`; `None` if no
/// query has a visible key in both.
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

/// The share of one key in `2 JS`: `a ln (a / m) + b ln (b / m)` with `m` the mean of `a` and `b`.
fn of_cells(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    let mean = 0.5 * (a + b);
    let part = |weight: f64| if weight > 0.0 { weight * (weight / mean).ln() } else { 0.0 };
    part(a) + part(b)
}
