//! The explanation of a cell as it leaves the core: the operation with its own numbers, the lines
//! of numbers that go into it, and the place of each line.

use serde::Serialize;

use crate::axes::{ScoreTerm, Stack, Step, Weight};
use crate::variants::MadePart;

/// One cell and the operation that made it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Explanation {
    /// The operation that made the cell.
    pub operation: Operation,
    /// The operands of the operation. Lines of one explanation have the same length: the number of
    /// terms.
    pub lines: Vec<Line>,
    /// The number in the cell, as the picture shows it.
    pub value: f32,
}

/// A line of numbers with its place.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TermLine"))]
pub struct Line {
    /// The place of the first number, and the direction of the others.
    pub source: Source,
    /// The numbers, one per term.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub values: Vec<f32>,
}

/// The operation that makes a cell of its lines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CellOperation"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Operation {
    /// `Σ aᵢ·bᵢ · factor + bias`; the factor is a head's gate, 1 if nothing was edited.
    Product {
        /// The factor of the sum.
        factor: f32,
        /// The bias, added after the factor.
        bias: Option<f32>,
    },
    /// `a · factor + bias`.
    Scale {
        /// The factor `1/√d_h`.
        factor: f32,
        /// The sum of the terms of relative positions, if a run has them.
        bias: Option<f32>,
        /// The parts of the bias, if there are several.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<(ScoreTerm, f32)>>"))]
        terms: Vec<(ScoreTerm, f32)>,
    },
    /// `a + added`: 0 for an open cell, or `-∞` for a masked one.
    Mask {
        /// The number that the mask adds.
        added: f32,
    },
    /// `e^(a − largest) / total`; the second line holds every exponential. A fully masked row has
    /// total 0 and weights 0.
    Softmax {
        /// The largest number of the row.
        largest: f32,
        /// The sum of the exponentials.
        total: f32,
        /// The index of the term of this cell.
        term: usize,
        /// The factor of the quotient by dropout: 0 for a dropped weight, `1 / (1 − rate)` for a
        /// kept one, 1 without dropout.
        kept: f32,
    },
    /// `ln a`: the score of an attention variant whose weights are products divided by their sum.
    Logarithm {
        /// The sum `a` in f64, if it has more digits than the cell of the raw score.
        of: Option<f64>,
    },
    /// `cap · tanh(a · factor / cap)`: the score of a model that keeps scores small.
    SoftCap {
        /// The factor of the number.
        factor: f32,
        /// The soft cap, which no score exceeds.
        cap: f32,
    },
    /// `a · factor − ln keys`: the score of the mean of a segment's keys, which each of them has.
    Shared {
        /// The factor of the number.
        factor: f32,
        /// The number of keys in the segment.
        keys: usize,
    },
    /// `a / total`: a row of a fixed pattern, divided by its sum. A row without cells that the mask
    /// leaves has total 0 and weights 0.
    Given {
        /// The name of the pattern: `uniform`, `diagonal`, `previous` or `drawn`.
        #[cfg_attr(test, ts(type = "\"uniform\" | \"diagonal\" | \"previous\" | \"drawn\""))]
        pattern: &'static str,
        /// The sum of the row.
        total: f32,
        /// The index of the term of this cell.
        term: usize,
    },
    /// `a + b`.
    Add,
    /// `(a − mean) / √(variance + epsilon) · gain + bias`, where `a` is one of the row's terms.
    Norm {
        /// The mean `μ` of the row.
        mean: f32,
        /// The variance `σ²` of the row.
        variance: f32,
        /// The constant `ε` of the norm.
        epsilon: f32,
        /// The gain `γ` of the column.
        gain: f32,
        /// The bias `β` of the column.
        bias: f32,
        /// The index of the term of this cell.
        term: usize,
    },
    /// `a / √(meanSquare + epsilon) · gain`, where `a` is one of the row's terms.
    #[serde(rename_all = "camelCase")]
    RmsNorm {
        /// The mean square of the row.
        mean_square: f32,
        /// The constant `ε` of the norm.
        epsilon: f32,
        /// The gain `γ` of the column.
        gain: f32,
        /// The index of the term of this cell.
        term: usize,
    },
    /// `a · cosine + b · sine`: two numbers half a head apart, rotated as a pair.
    Rotation {
        /// The cosine of the pair's angle.
        cosine: f32,
        /// The sine of the pair's angle, negative in the first half of a head.
        sine: f32,
    },
    /// The activation function of `a`.
    Activation {
        /// The common name of the function.
        function: &'static str,
    },
    /// The token's number times the scale, plus the numbers of its position and its segment type if
    /// the model adds them.
    Embedding {
        /// The factor of the token's number.
        scale: f32,
    },
    /// The number of a token nearby; 0 without a line, if there is no token or the attention mask
    /// leaves it out.
    Nearby,
    /// A copy of the number in the line.
    Same,
    /// A number that a patch puts there; no line.
    Patched,
}

/// The direction of a line's terms from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Along {
    /// The terms are in the same row.
    Columns,
    /// The terms are in the same column.
    Rows,
    /// The line has one term.
    Cell,
}

/// The place of a line of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TermSource"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Source {
    /// A place in a step, perhaps of another block.
    Step {
        /// The stack of the block.
        stack: Stack,
        /// The index of the block.
        layer: usize,
        /// The index of the head from which the block is seen.
        head: usize,
        /// The step, which has the matrix.
        step: Step,
        /// The row of the first term.
        row: usize,
        /// The column of the first term.
        column: usize,
        /// The direction from one term to the next.
        along: Along,
    },
    /// A column of a trained matrix of this block, from its first row down.
    Weight {
        /// The trained matrix.
        weight: Weight,
        /// The index of the output, which is the column.
        column: usize,
    },
    /// A place in the table of tokens.
    Token {
        /// The id of the token.
        id: u32,
        /// The dimension.
        column: usize,
    },
    /// A place in the table of positions.
    Position {
        /// The position.
        position: usize,
        /// The dimension.
        column: usize,
    },
    /// A place in the table of segment types.
    TokenType {
        /// The segment type.
        id: u32,
        /// The dimension.
        column: usize,
    },
    /// Numbers that an attention variant computes from a row of a step.
    Made {
        /// The stack of the block.
        stack: Stack,
        /// The index of the block.
        layer: usize,
        /// The index of the head.
        head: usize,
        /// The step, which has the matrix.
        step: Step,
        /// The row of the matrix.
        row: usize,
        /// The column of the first number that they are computed from.
        column: usize,
        /// The kind of computed numbers.
        part: MadePart,
    },
    /// The exponentials of the line before, each minus the largest.
    Exponentials,
    /// A row of a fixed pattern, without the masked cells.
    Pattern,
}

impl Source {
    /// The numbers that an attention variant computes from the row of this line.
    #[must_use]
    pub(super) fn made(self, part: MadePart) -> Self {
        match self {
            Self::Step { stack, layer, head, step, row, column, .. } => {
                Self::Made { stack, layer, head, step, row, column, part }
            }
            other => other,
        }
    }
}
