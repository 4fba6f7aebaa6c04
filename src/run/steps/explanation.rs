//! What a cell is made of, as it leaves the core: the operation with its own numbers, the
//! lines of numbers that go into it, and where each line comes from.

use serde::Serialize;

use crate::axes::{ScoreTerm, Stack, Step, Weight};
use crate::variants::MadePart;

/// One cell and what made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What was done.
    pub operation: Operation,
    /// What it was done to. Lines of one explanation have the same length: the terms.
    pub lines: Vec<Line>,
    /// The cell, as the picture shows it.
    pub value: f32,
}

/// Numbers with the place where they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Where the first of them stands, and which way they go on.
    pub source: Source,
    /// As many as there are terms.
    pub values: Vec<f32>,
}

/// What makes a cell of its lines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CellOperation"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Operation {
    /// `Σ aᵢ·bᵢ · factor + bias`; the factor is a head's gate, 1 if nothing was edited.
    Product {
        /// On the sum.
        factor: f32,
        /// After it.
        bias: Option<f32>,
    },
    /// `a · factor + bias`.
    Scale {
        /// `1/√d_h`.
        factor: f32,
        /// What relative positions add, where a run has them.
        bias: Option<f32>,
        /// The parts of that, where there are several.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<(ScoreTerm, f32)>>"))]
        terms: Vec<(ScoreTerm, f32)>,
    },
    /// `a + added`: 0, or `-∞` for a forbidden cell.
    Mask {
        /// By the mask.
        added: f32,
    },
    /// `e^(a − largest) / total`; the second line holds every exponential. A row that may look
    /// nowhere has total 0 and weights 0.
    Softmax {
        /// Of the row.
        largest: f32,
        /// Of the exponentials.
        total: f32,
        /// Which of the terms is this cell's.
        term: usize,
        /// On the quotient: 0 where the weight was dropped, `1 / (1 − rate)` where it was not, 1
        /// without dropout.
        kept: f32,
    },
    /// `ln a`: the score of an attention variant whose weights share out sums of products.
    Logarithm {
        /// `a` as it was summed, where that has more digits than the cell of the raw score.
        of: Option<f64>,
    },
    /// `cap · tanh(a · factor / cap)`: the score of a model that keeps scores small.
    SoftCap {
        /// On the number.
        factor: f32,
        /// No score is larger.
        cap: f32,
    },
    /// `a · factor − ln keys`: the score of a mean of so many keys, each of which has it.
    Shared {
        /// On the number.
        factor: f32,
        /// Of a segment.
        keys: usize,
    },
    /// `a / total`: a row that is given in place of the softmax, shared out. A row of which the
    /// mask leaves nothing has total 0 and weights 0.
    Given {
        /// `uniform`, `diagonal`, `previous` or `drawn`.
        #[cfg_attr(test, ts(type = "\"uniform\" | \"diagonal\" | \"previous\" | \"drawn\""))]
        pattern: &'static str,
        /// Of the row.
        total: f32,
        /// Which of the terms is this cell's.
        term: usize,
    },
    /// `a + b`.
    Add,
    /// `(a − mean) / √(variance + epsilon) · gain + bias`, `a` being one of the row's terms.
    Norm {
        /// `μ` of the row.
        mean: f32,
        /// `σ²` of the row.
        variance: f32,
        /// `ε`.
        epsilon: f32,
        /// `γ` of the column.
        gain: f32,
        /// `β` of the column.
        bias: f32,
        /// Which of the terms is this cell's.
        term: usize,
    },
    /// `a / √(meanSquare + epsilon) · gain`, `a` being one of the row's terms.
    #[serde(rename_all = "camelCase")]
    RmsNorm {
        /// Of the row.
        mean_square: f32,
        /// `ε`.
        epsilon: f32,
        /// `γ` of the column.
        gain: f32,
        /// Which of the terms is this cell's.
        term: usize,
    },
    /// `a · cosine + b · sine`: two numbers half a head apart, turned as a pair.
    Rotation {
        /// Of the pair's angle.
        cosine: f32,
        /// Of the pair's angle, negative in the first half of a head.
        sine: f32,
    },
    /// The function of `a`.
    Activation {
        /// Its name as people know it.
        function: &'static str,
    },
    /// The token's number times the scale, plus the position's and the type's where the model
    /// adds them.
    Embedding {
        /// On the token's number.
        scale: f32,
    },
    /// The number of a token nearby; without a line 0, as there is no token or the attention mask
    /// leaves it out.
    Nearby,
    /// The same number as there.
    Same,
}

/// Which way the terms of a line go on from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Along {
    /// In the same row.
    Columns,
    /// In the same column.
    Rows,
    /// There is one term.
    Cell,
}

/// Where a line of numbers stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TermSource"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Source {
    /// In a step, perhaps of another block.
    Step {
        /// Whose block.
        stack: Stack,
        /// Which block.
        layer: usize,
        /// Which head it is seen from.
        head: usize,
        /// Which matrix.
        step: Step,
        /// Of the first term.
        row: usize,
        /// Of the first term.
        column: usize,
        /// To the next.
        along: Along,
    },
    /// In a column of a trained matrix of this block, from its first row down.
    Weight {
        /// Which matrix.
        weight: Weight,
        /// Which output.
        column: usize,
    },
    /// In the table of tokens.
    Token {
        /// Which token.
        id: u32,
        /// Which dimension.
        column: usize,
    },
    /// In the table of positions.
    Position {
        /// Which position.
        position: usize,
        /// Which dimension.
        column: usize,
    },
    /// In the table of token types.
    TokenType {
        /// Which type.
        id: u32,
        /// Which dimension.
        column: usize,
    },
    /// Made by an attention variant of a row of a step.
    Made {
        /// Whose block.
        stack: Stack,
        /// Which block.
        layer: usize,
        /// Which head.
        head: usize,
        /// Of which matrix.
        step: Step,
        /// Of which row of it.
        row: usize,
        /// Of the first number that it is made of.
        column: usize,
        /// What was made.
        part: MadePart,
    },
    /// Exponentials of the line before, each minus the largest.
    Exponentials,
    /// In a pattern that an edit gives, without what the mask forbids.
    Pattern,
}

impl Source {
    /// What is made of the row that this line stands in.
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
