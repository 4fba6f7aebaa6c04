//! The two ways to project for several heads: h small products, one per head, or one wide
//! product whose columns are then dealt out. `Wᵢ` are columns of the wide `W`, so both are
//! sums of the same products in the same order, and the same to the last bit.
//!
//! Source: A. Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::table::{LARGEST_SIDE, Meter, Operations, Table};
use crate::demos::{refused, whole};
use crate::error::Result;

/// Sides of what is timed may be larger than what anybody types.
const LARGEST_TIMED_SIDE: usize = 4 * LARGEST_SIDE;
/// Multiplications of one question at most: about two seconds.
const MOST_MULTIPLICATIONS: usize = 1 << 31;

/// `a · b`: every cell is summed from first to last, a row of them side by side, so that `b`
/// is read as it lies in memory.
pub fn product(a: &Table, b: &Table, meter: &mut impl Meter) -> Table {
    let mut sums = Table::from_cells(a.rows(), b.columns(), |_, _| 0.0);
    for row in 0..a.rows() {
        for (inner, x) in a.row(row).iter().enumerate() {
            for (sum, y) in sums.row_mut(row).iter_mut().zip(b.row(inner)) {
                meter.multiply();
                if inner == 0 {
                    *sum = x * y;
                } else {
                    meter.add();
                    *sum += x * y;
                }
            }
        }
    }
    sums
}

/// `a · bᵀ`.
pub fn product_transposed(a: &Table, b: &Table, meter: &mut impl Meter) -> Table {
    Table::from_cells(a.rows(), b.rows(), |row, column| {
        sum(a.row(row).iter().zip(b.row(column)).map(|(x, y)| x * y), meter)
    })
}

/// The sum of products, from first to last.
fn sum(mut products: impl Iterator<Item = f64>, meter: &mut impl Meter) -> f64 {
    let Some(mut sum) = products.next() else { return 0.0 };
    meter.multiply();
    for product in products {
        sum += product;
        meter.multiply();
        meter.add();
    }
    sum
}

/// One wide product, dealt out: `[words, width / h]` for each head.
pub fn wide(x: &Table, weights: &Table, n_heads: usize, meter: &mut impl Meter) -> Vec<Table> {
    dealt(&product(x, weights, meter), n_heads)
}

/// A small product for each head, by its own matrix.
pub fn split(x: &Table, weights: &[Table], meter: &mut impl Meter) -> Vec<Table> {
    weights.iter().map(|own| product(x, own, meter)).collect()
}

/// The columns of a matrix, the same number for each head.
pub fn dealt(matrix: &Table, n_heads: usize) -> Vec<Table> {
    let own = matrix.columns() / n_heads;
    (0..n_heads).map(|head| matrix.slice(head * own, own)).collect()
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ProjectionWay {
    /// One wide product that is dealt out.
    Wide,
    /// A small product for each head.
    Split,
}

/// A projection of random numbers, repeated in one of the two ways. The caller that
/// asks holds the watch: the time of one is the difference between two such questions.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProjectionAsked {
    /// Words.
    pub words: f64,
    /// Numbers of a word.
    pub model_dim: f64,
    /// What it is projected to, over all heads.
    pub width: f64,
    /// Heads; they divide the width.
    pub n_heads: f64,
    /// Which of the two ways.
    pub way: ProjectionWay,
    /// How often; 0 is the question without the work.
    pub repeats: f64,
}

/// What it took.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Projected {
    /// Of one projection, counted where they are done.
    pub operations: Operations,
    /// The sum of all its numbers: the same for both ways.
    pub check: f64,
}

/// Projects as often as was asked.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn projected(asked: &ProjectionAsked) -> Result<Projected> {
    let words = whole("the number of words", asked.words, 1, LARGEST_TIMED_SIDE)?;
    let inner = whole("the numbers of a word", asked.model_dim, 1, LARGEST_TIMED_SIDE)?;
    let width = whole("the width", asked.width, 1, LARGEST_TIMED_SIDE)?;
    let n_heads = heads("the width", width, asked.n_heads)?;
    let most = MOST_MULTIPLICATIONS / (words * inner * width);
    let repeats =
        if asked.repeats == 0.0 { 0 } else { whole("the repeats", asked.repeats, 1, most.max(1))? };
    let drawn = |row: usize, column: usize| ((row * 31 + column * 17) % 61) as f64 / 61.0 - 0.5;
    let x = Table::from_cells(words, inner, drawn);
    let weights = Table::from_cells(inner, width, drawn);
    let own = dealt(&weights, n_heads);
    let mut operations = Operations::default();
    let once = match asked.way {
        ProjectionWay::Wide => wide(&x, &weights, n_heads, &mut operations),
        ProjectionWay::Split => split(&x, &own, &mut operations),
    };
    for _ in 0..repeats {
        match asked.way {
            ProjectionWay::Wide => {
                black_box(wide(black_box(&x), black_box(&weights), n_heads, &mut ()));
            }
            ProjectionWay::Split => {
                black_box(split(black_box(&x), black_box(&own), &mut ()));
            }
        }
    }
    Ok(Projected { operations, check: Table::beside(&once).numbers().iter().sum() })
}

/// A number of heads that divides a width.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn heads(doing: &str, width: usize, n_heads: f64) -> Result<usize> {
    let n_heads = whole("the number of heads", n_heads, 1, LARGEST_TIMED_SIDE)?;
    if width.is_multiple_of(n_heads) {
        return Ok(n_heads);
    }
    let expected = format!("a number of columns that {n_heads} heads can share evenly");
    Err(refused(doing, expected, width.to_string()))
}
