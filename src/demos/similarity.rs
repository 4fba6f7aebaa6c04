//! The similarity of the rows of a position table: dot products, cosines, and the means of both by
//! the distance of two positions.
//!
//! * `a · b`: what untrained attention compares (Vaswani et al. 2017, section 3.5)
//! * `cos(a, b) = a · b / (‖a‖ ‖b‖)`: the similarity of learned positions (Wang & Chen 2020,
//!   figure 1)

use super::waves::LARGEST_TABLE;
use serde::{Deserialize, Serialize};

use super::refused;
use crate::analysis::cosine;
use crate::error::{self, Result, shown};
use crate::kernels::features::dot;

/// The most positions: every answer has their square.
const MOST_POSITIONS: usize = 512;

/// The question of the similarity demo: a position table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SimilarityAsked {
    /// The table `[position, dimension]`, row-major.
    pub table: Vec<f64>,
    /// The number of dimensions of a row.
    pub dim: f64,
}

/// The answer of the similarity demo.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Similarity {
    /// Dot products of all pairs of rows, `[position, position]`, row-major.
    pub products: Vec<f64>,
    /// Cosines of all pairs of rows, `[position, position]`, row-major; NaN for a row of zeros.
    pub cosines: Vec<f64>,
    /// The mean dot product by the distance of two positions, from 0.
    pub products_apart: Vec<f64>,
    /// The mean cosine by the distance of two positions, without undefined ones.
    pub cosines_apart: Vec<f64>,
}

/// Answers the similarity demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn similarity(asked: &SimilarityAsked) -> Result<Similarity> {
    let SimilarityAsked { table, dim } = asked;
    if table.is_empty() || table.len() > LARGEST_TABLE {
        let expected = format!("1 to {LARGEST_TABLE} numbers");
        return Err(refused("the table", expected, table.len().to_string()));
    }
    if let Some(number) = table.iter().find(|number| !number.is_finite()) {
        return Err(refused("the table", "finite numbers", shown(*number)));
    }
    let width = error::whole(*dim, 1..=table.len());
    let width = width.filter(|&width| table.len().is_multiple_of(width)).ok_or_else(|| {
        let expected = format!("a whole number that divides {} numbers", table.len());
        refused("the number of dimensions", expected, shown(*dim))
    })?;
    let n = table.len() / width;
    if n > MOST_POSITIONS {
        let expected = format!("at most {MOST_POSITIONS}");
        return Err(refused("the number of positions", expected, n.to_string()));
    }
    let rows: Vec<&[f64]> = table.chunks_exact(width).collect();
    let products = of_all(&rows, dot);
    let cosines = of_all(&rows, |one, other| cosine(one, other).unwrap_or(f64::NAN));
    let products_apart = by_distance(&products, n);
    let cosines_apart = by_distance(&cosines, n);
    Ok(Similarity { products, cosines, products_apart, cosines_apart })
}

/// A symmetric measure of every pair of rows, `[row, row]`.
fn of_all(rows: &[&[f64]], measure: impl Fn(&[f64], &[f64]) -> f64) -> Vec<f64> {
    let n = rows.len();
    let mut all = vec![0.0; n * n];
    for (at, one) in rows.iter().enumerate() {
        for (to, other) in rows.iter().enumerate().skip(at) {
            let value = measure(one, other);
            all[at * n + to] = value;
            all[to * n + at] = value;
        }
    }
    all
}

/// The mean of each diagonal without NaN; NaN for a diagonal of NaN.
fn by_distance(matrix: &[f64], n: usize) -> Vec<f64> {
    let mean = |apart: usize| {
        let there = (0..n - apart).map(|at| matrix[at * n + at + apart]).filter(|x| !x.is_nan());
        let (sum, count) = there.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
        sum / count
    };
    (0..n).map(mean).collect()
}
