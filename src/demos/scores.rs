//! Why scores are divided by `√d_k`: products of queries and keys whose numbers are drawn with mean
//! 0 and variance 1 have the variance `d_k`, and a softmax of scores with a large variance is
//! nearly one-hot, so that its gradient is close to 0.
//!
//! * `Var(q·k) = d_k` (Vaswani et al. 2017, section 3.2.1, footnote 4)
//! * entropy of a row, `−Σ p ln p`, in nats
//! * `∂p/∂s = diag(p) − p pᵀ`, and its Frobenius norm, whose square is
//!   `Σ p² − 2 Σ p³ + (Σ p²)²`
//!
//! Queries and keys of fewer dimensions are the first numbers of those of more, so that a slider
//! moves one picture and does not draw a new one with every step.

use serde::{Deserialize, Serialize};

use super::calculator::overflow::shifted;
use super::{refused, seed, whole};
use crate::error::{Result, shown};
use crate::kernels::random::{Normal, mix};

/// The number of queries that are drawn, each a row of scores.
const QUERIES: usize = 64;
/// The number of keys that are drawn: the length of a row.
const KEYS: usize = 32;
/// The most dimensions of a head.
const WIDEST: usize = 512;

/// The question of the scores demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoresAsked {
    /// The width of the head `d_k`, from 1 to 512.
    pub dim: f64,
    /// The seed of the draw, a whole number from 0.
    pub seed: f64,
}

/// Measures of all rows of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoreRows {
    /// The variance of the scores, over all pairs.
    pub variance: f64,
    /// The entropy of a row's weights, in nats, averaged over the rows.
    pub entropy: f64,
    /// The norm of the softmax's derivative, `‖diag(p) − p pᵀ‖`, averaged over the rows.
    pub jacobian: f64,
    /// The weights of the first query, largest first.
    pub weights: Vec<f64>,
}

/// The measures of scores of one width, unscaled and divided by `√d_k`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoresAt {
    /// The width of the head `d_k`.
    pub dim: usize,
    /// The measures of `q·k`.
    pub plain: ScoreRows,
    /// The measures of `q·k / √d_k`.
    pub scaled: ScoreRows,
}

/// The answer of the scores demo: the measures at the requested width and along all widths.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scores {
    /// The measures at the requested width.
    pub here: ScoresAt,
    /// The measures by width, from 1 to 512: every width to 32, then sixteen per doubling.
    pub along: Vec<ScoresAt>,
    /// The entropy of a uniform row, `ln n`, in nats.
    pub widest: f64,
}

/// Answers the scores demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn scores(asked: &ScoresAsked) -> Result<Scores> {
    let dim = whole("the dimensions of a head", asked.dim, 1, WIDEST)?;
    let mut normal = Normal::new(mix(seed(asked.seed)?));
    let mut draw =
        |rows: usize| -> Vec<f64> { (0..rows * WIDEST).map(|_| normal.draw()).collect() };
    let queries = draw(QUERIES);
    let keys = draw(KEYS);
    let mut products = vec![0.0; QUERIES * KEYS];
    let mut here = None;
    let mut along = Vec::new();
    for d in 1..=WIDEST {
        for (query, row) in products.chunks_exact_mut(KEYS).enumerate() {
            let q = queries[query * WIDEST + d - 1];
            let column = keys.iter().skip(d - 1).step_by(WIDEST);
            row.iter_mut().zip(column).for_each(|(sum, k)| *sum += q * k);
        }
        let at = || ScoresAt {
            dim: d,
            plain: rows_of(&products, 1.0),
            scaled: rows_of(&products, 1.0 / (d as f64).sqrt()),
        };
        if d == dim {
            here = Some(at());
        }
        if is_drawn(d) {
            along.push(at());
        }
    }
    let here = here.ok_or_else(|| refused("the dimensions", "one of a curve", shown(asked.dim)))?;
    Ok(Scores { here, along, widest: (KEYS as f64).ln() })
}

/// Whether the curves over `log d` have a point at width `d`: as dense as a screen can show. All
/// 512 widths would take five times as long.
fn is_drawn(d: usize) -> bool {
    let below = d.saturating_sub(1).checked_ilog2().map_or(0, |octave| 1 << octave);
    d.is_multiple_of((below / 16).max(1))
}

fn rows_of(products: &[f64], factor: f64) -> ScoreRows {
    let scores: Vec<f64> = products.iter().map(|x| x * factor).collect();
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
    let mut entropy = 0.0;
    let mut jacobian = 0.0;
    let mut weights = Vec::new();
    for row in scores.chunks_exact(KEYS) {
        let p = shifted(row).weights;
        entropy += p.iter().filter(|&&x| x > 0.0).map(|x| -x * x.ln()).sum::<f64>();
        jacobian += jacobian_norm(&p);
        if weights.is_empty() {
            weights = p;
        }
    }
    weights.sort_by(|a, b| b.total_cmp(a));
    let rows = n / KEYS as f64;
    ScoreRows { variance, entropy: entropy / rows, jacobian: jacobian / rows, weights }
}

/// The Frobenius norm `‖diag(p) − p pᵀ‖`.
fn jacobian_norm(p: &[f64]) -> f64 {
    let squares: f64 = p.iter().map(|x| x * x).sum();
    let cubes: f64 = p.iter().map(|x| x * x * x).sum();
    (squares - 2.0 * cubes + squares * squares).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn asked(dim: f64, seed: f64) -> Result<Scores> {
        scores(&ScoresAsked { dim, seed })
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_variance_is_the_width_and_one_when_scaled() {
        for seed in 0..5 {
            let found = asked(64.0, f64::from(seed)).unwrap();
            let widths: Vec<usize> = found.along.iter().map(|at| at.dim).collect();
            assert_eq!((widths.len(), widths[31], widths[32], widths[95]), (96, 32, 34, 512));
            assert!((0..10).all(|octave| widths.contains(&(1 << octave))), "{widths:?}");
            for at in &found.along {
                let d = at.dim as f64;
                // Pairs share queries and keys: the error is that of the fewer of them.
                let error = 5.0 * d * (2.0 / KEYS as f64).sqrt();
                assert!((at.plain.variance - d).abs() < error, "{at:?}");
                assert!((at.scaled.variance * d - at.plain.variance).abs() < 1e-9 * d);
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn wide_scores_choose_one_key_and_let_no_gradient_through() {
        let found = asked(512.0, 1.0).unwrap().here;
        assert!(found.plain.entropy < 0.5 && found.scaled.entropy > 2.0, "{found:?}");
        assert!(found.plain.weights[0] > 0.5 && found.plain.jacobian < 0.2, "{found:?}");
        let sum: f64 = found.scaled.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12 && found.scaled.weights.is_sorted_by(|a, b| a >= b));
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_norm_is_that_of_the_matrix() {
        let p = shifted(&[0.3, -1.0, 2.0, 0.0]).weights;
        let mut square = 0.0;
        for (i, a) in p.iter().enumerate() {
            for (j, b) in p.iter().enumerate() {
                square += (f64::from(u8::from(i == j)) * a - a * b).powi(2);
            }
        }
        assert!((jacobian_norm(&p) - square.sqrt()).abs() < 1e-15);
        assert_eq!(jacobian_norm(&[1.0, 0.0]), 0.0);
    }
}
