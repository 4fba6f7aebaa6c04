//! Attention of numbers that the user supplies, in f64 and with every intermediate: words `X`,
//! their projections, and for each head its scores, mask, weights and output.
//!
//! `softmax(QKᵀ / √d_h + M) V`, `Q = X W_Q`, `K = X W_K`, `V = X W_V`; the outputs of all heads
//! side by side, times `W_O` if there is one.
//!
//! Source: A. Vaswani et al., "Attention Is All You Need" (2017), sections 3.2.1 and 3.2.2.
//! Shapes: `X` `[n, d]`, `W_Q` and `W_K` `[d, h·d_h]`, `W_V` `[d, h·d_v]`, `M` `[n, n]`,
//! `W_O` `[h·d_v, any]`.
//!
//! A fully masked row has weights 0. Numbers so large that their products overflow f64 are not
//! refused: they give ∞ and NaN, as in any f64 computation.

pub mod operations;
pub mod overflow;
pub mod table;

use serde::{Deserialize, Serialize};

use self::operations::{Meter, Operations};
use self::overflow::shifted;
use self::table::{Holds, LARGEST_SIDE, Rows, Table, product, product_transposed};
use super::{refused, whole};
use crate::error::{Result, shown};

/// The most pairs of words in all heads: each head has a handful of matrices of pairs.
const MOST_CELLS: usize = 1 << 18;

/// The question of the attention calculator: the user's matrices.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CalculationAsked {
    /// The words `X`, `[word, dimension]`.
    pub x: Rows,
    /// The query projection `W_Q`.
    pub query: Rows,
    /// The key projection `W_K`.
    pub key: Rows,
    /// The value projection `W_V`.
    pub value: Rows,
    /// The output projection `W_O`; without it the head outputs side by side are the output.
    pub output: Option<Rows>,
    /// The mask that is added to the scores, `[query, key]`; -∞ masks a cell.
    pub mask: Rows,
    /// The number of heads that share the columns.
    pub n_heads: f64,
    /// The divisor of the scores; none for `√d_h`.
    pub divisor: Option<f64>,
}

/// The answer of the attention calculator: all intermediate matrices.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Calculation {
    /// The divisor of the scores.
    pub divisor: f64,
    /// The queries `X W_Q` of all heads.
    pub query: Rows,
    /// The keys `X W_K` of all heads.
    pub key: Rows,
    /// The values `X W_V` of all heads.
    pub value: Rows,
    /// The matrices of each head.
    pub heads: Vec<CalculationHead>,
    /// The outputs of all heads side by side.
    pub joined: Rows,
    /// The output `joined · W_O`; none without a `W_O`.
    pub output: Option<Rows>,
    /// The operations from `Q` and `K` to the head outputs, of all heads.
    pub attention: Operations,
}

/// The matrices of one head, `[query, key]` unless otherwise stated.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CalculationHead {
    /// Raw scores, `QKᵀ`.
    pub raw: Rows,
    /// Raw scores divided by the divisor.
    pub scores: Rows,
    /// Scores plus the mask.
    pub masked: Rows,
    /// The maximum of each row of masked scores; -∞ for a fully masked row.
    pub tops: Vec<f64>,
    /// The exponentials `exp(masked - top)`.
    pub exponentials: Rows,
    /// The sum of each row of exponentials.
    pub totals: Vec<f64>,
    /// Attention weights, `exponentials / total`.
    pub weights: Rows,
    /// The head's output, `[query, dimension]`.
    pub context: Rows,
}

/// The question after its checks.
struct CheckedInput {
    x: Table,
    maps: [Table; 3],
    output: Option<Table>,
    mask: Table,
    n_heads: usize,
    divisor: f64,
}

/// Answers the attention calculator.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn calculate(asked: &CalculationAsked) -> Result<Calculation> {
    let CheckedInput { x, maps, output, mask, n_heads, divisor } = checked(asked)?;
    let [query, key, value] = maps.map(|weights| {
        let all = product(&x, &weights, &mut ());
        let heads = dealt(&all, n_heads);
        (all, heads)
    });
    let mut attention = Operations::default();
    let mut worked = Vec::new();
    let mut contexts = Vec::new();
    for ((query, key), value) in query.1.iter().zip(&key.1).zip(&value.1) {
        let (head, context) = attend([query, key, value], &mask, divisor, &mut attention);
        worked.push(head);
        contexts.push(context);
    }
    let joined = Table::beside(&contexts);
    Ok(Calculation {
        divisor,
        query: query.0.to_rows(),
        key: key.0.to_rows(),
        value: value.0.to_rows(),
        heads: worked,
        output: output.map(|weights| product(&joined, &weights, &mut ()).to_rows()),
        joined: joined.to_rows(),
        attention,
    })
}

/// Splits the columns of a matrix evenly among heads.
fn dealt(matrix: &Table, n_heads: usize) -> Vec<Table> {
    let own = matrix.columns() / n_heads;
    (0..n_heads).map(|head| matrix.slice(head * own, own)).collect()
}

/// Computes the attention of one head.
fn attend(
    [query, key, value]: [&Table; 3],
    mask: &Table,
    divisor: f64,
    meter: &mut impl Meter,
) -> (CalculationHead, Table) {
    let n = query.rows();
    let raw = product_transposed(query, key, meter);
    let scores = Table::from_cells(n, n, |row, column| {
        meter.divide();
        raw.row(row)[column] / divisor
    });
    let masked = Table::from_cells(n, n, |row, column| {
        meter.add();
        scores.row(row)[column] + mask.row(row)[column]
    });
    let mut weights = masked.clone();
    let mut exponentials = Rows::new();
    let mut tops = Vec::new();
    let mut totals = Vec::new();
    for row in 0..n {
        let softmax = shifted(masked.row(row));
        if softmax.total > 0.0 {
            // One difference, one exponential and one quotient for each key, and the sum of all.
            for _ in 0..n {
                meter.add();
                meter.exponential();
                meter.divide();
            }
            (1..n).for_each(|_| meter.add());
        }
        weights.row_mut(row).copy_from_slice(&softmax.weights);
        exponentials.push(softmax.exponentials);
        tops.push(softmax.top);
        totals.push(softmax.total);
    }
    let context = product(&weights, value, meter);
    let head = CalculationHead {
        raw: raw.to_rows(),
        scores: scores.to_rows(),
        masked: masked.to_rows(),
        tops,
        exponentials,
        totals,
        weights: weights.to_rows(),
        context: context.to_rows(),
    };
    (head, context)
}

/// Checks that all matrices fit together; an error names both shapes.
fn checked(asked: &CalculationAsked) -> Result<CheckedInput> {
    let x = Table::checked("X", &asked.x, Holds::Finite)?;
    let map = |name: &str, rows: &Rows| {
        let weights = Table::checked(name, rows, Holds::Finite)?;
        if weights.rows() == x.columns() {
            return Ok(weights);
        }
        let expected = format!("{} rows, one for each column of X ({})", x.columns(), x.shape());
        Err(refused(name, expected, weights.shape()))
    };
    let query = map("W_Q", &asked.query)?;
    let key = map("W_K", &asked.key)?;
    let value = map("W_V", &asked.value)?;
    if query.columns() != key.columns() {
        let expected = format!("as many columns as W_Q has ({})", query.shape());
        return Err(refused("W_K", expected, key.shape()));
    }
    let n_heads = heads("the columns of W_Q", query.columns(), asked.n_heads)?;
    heads("the columns of W_V", value.columns(), asked.n_heads)?;
    let cells = n_heads * x.rows() * x.rows();
    if cells > MOST_CELLS {
        let expected = format!("heads of at most {MOST_CELLS} pairs of words in all");
        return Err(refused("the heads", expected, cells.to_string()));
    }
    let output = asked.output.as_ref().map(|rows| Table::checked("W_O", rows, Holds::Finite));
    let output = output.transpose()?;
    if let Some(output) = output.as_ref().filter(|output| output.rows() != value.columns()) {
        let expected =
            format!("{} rows, one for each column of W_V ({})", value.columns(), value.shape());
        return Err(refused("W_O", expected, output.shape()));
    }
    let mask = Table::checked("the mask", &asked.mask, Holds::Forbidden)?;
    if (mask.rows(), mask.columns()) != (x.rows(), x.rows()) {
        let expected = format!("{0} × {0}, for the {0} rows of X ({1})", x.rows(), x.shape());
        return Err(refused("the mask", expected, mask.shape()));
    }
    let head_dim = query.columns() / n_heads;
    let divisor = asked.divisor.unwrap_or_else(|| (head_dim as f64).sqrt());
    if !(divisor.is_finite() && divisor > 0.0) {
        return Err(refused(
            "what scores are divided by",
            "a finite number above 0",
            shown(divisor),
        ));
    }
    Ok(CheckedInput { x, maps: [query, key, value], output, mask, n_heads, divisor })
}

/// Checks that a number of heads divides a width.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
fn heads(doing: &str, width: usize, n_heads: f64) -> Result<usize> {
    let n_heads = whole("the number of heads", n_heads, 1, LARGEST_SIDE)?;
    if width.is_multiple_of(n_heads) {
        return Ok(n_heads);
    }
    let expected = format!("a number of columns that {n_heads} heads can share evenly");
    Err(refused(doing, expected, width.to_string()))
}
