//! The readings that an explanation needs, and its conclusion from them.

use super::explanation::{Line, Operation, Source};
use crate::error::{Code, Error, Result};
use crate::run::Reading;

/// Some numbers of a tensor that is being read.
pub(super) struct Pick {
    pub numbers: Reading<Vec<f32>>,
    pub first: usize,
    pub stride: usize,
    pub count: usize,
}

impl Pick {
    /// Numbers that are known already.
    pub fn known(numbers: Vec<f32>) -> Self {
        let count = numbers.len();
        Self { numbers: Box::pin(async { Ok(numbers) }), first: 0, stride: 1, count }
    }

    pub async fn arrive(self) -> Result<Vec<f32>> {
        let numbers = self.numbers.await?;
        let picked = (0..self.count).map(|at| numbers.get(self.first + at * self.stride).copied());
        let missing = || {
            let got = format!("{} numbers", numbers.len());
            Error::new(Code::Internal, "the terms of a cell", "a longer row", got)
        };
        picked.collect::<Option<_>>().ok_or_else(missing)
    }
}

/// A function that makes the operation from its lines and its own numbers.
pub(super) type Conclude = Box<dyn FnOnce(&mut Vec<Line>, &[f32]) -> Operation>;

/// The readings that an explanation needs.
pub(super) struct Asked {
    pub lines: Vec<(Source, Pick)>,
    pub numbers: Vec<Pick>,
    pub conclude: Conclude,
}

impl Asked {
    /// The readings for an operation that is known before its lines.
    pub fn of(lines: Vec<(Source, Pick)>, operation: Operation) -> Self {
        Self { lines, numbers: vec![], conclude: Box::new(|_, _| operation) }
    }

    /// An explanation without readings, from a known line.
    pub fn known(line: Line, operation: Operation) -> Self {
        let conclude: Conclude = Box::new(move |lines, _| {
            lines.push(line);
            operation
        });
        Self { lines: vec![], numbers: vec![], conclude }
    }
}
