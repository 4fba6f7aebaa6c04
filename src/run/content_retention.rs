//! How much of its own token a head's output keeps: the number of positions of the text at which
//! no value of the head is nearer to the output than the value of that position itself. Near is
//! the cosine, since an output is shorter the more values it mixes.
//!
//! Brunner et al. 2020, "On Identifiability in Transformers", section 3.1, asks the same of hidden
//! states by their nearest neighbour among the input tokens. Cross-attention has no own tokens.

use serde::Serialize;

use super::Run;
use crate::axes::{Stack, Step, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{At, Work};

/// The work of one step, in multiplications of f64: some milliseconds.
const STEP_WORK: usize = 5_000_000;

/// How much of its own token a head's output keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContentRetention {
    /// The number of positions whose output is nearest to their own value; of equal cosines none
    /// is nearer.
    pub retained: usize,
    /// The number of positions with an output and a value; those of zeros have no direction.
    pub positions: usize,
}

/// A count on its way: the directions of a head's outputs and of its values, by position.
struct Count {
    outputs: Vec<Vec<f64>>,
    values: Vec<Vec<f64>>,
    /// The next position to be counted.
    next: usize,
    found: ContentRetention,
}

impl Count {
    fn new(outputs: &Tensor, values: &Tensor) -> Self {
        let found = ContentRetention { retained: 0, positions: 0 };
        Self { outputs: directions(outputs), values: directions(values), next: 0, found }
    }

    /// Counts some positions; returns the count once it is complete.
    fn step(&mut self) -> Option<ContentRetention> {
        let width = self.values.first().map_or(0, Vec::len);
        let some = (STEP_WORK / (self.values.len() * width).max(1)).max(1);
        let pairs = self.outputs.iter().zip(&self.values).skip(self.next).take(some);
        for (output, value) in pairs {
            if has_direction(output) && has_direction(value) {
                let own = dot(output, value);
                let is_beaten = self.values.iter().any(|other| dot(output, other) > own);
                self.found.positions += 1;
                self.found.retained += usize::from(!is_beaten);
            }
        }
        self.next += some;
        (self.next >= self.outputs.len()).then_some(self.found)
    }
}

impl<B: Backend> Run<B> {
    /// How much of its own token the output of a head keeps, at the positions of the text.
    ///
    /// # Errors
    /// `selection/bad-stack` for cross-attention, `selection/…` for what does not exist,
    /// `run/not-ready`.
    pub fn content_retention(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
    ) -> Result<Work<ContentRetention>> {
        if stack == Stack::Cross {
            let expected = "encoder or decoder, whose heads attend to the text itself";
            return Err(Error::new(
                Code::SelectionBadStack,
                "content retention",
                expected,
                stack.name(),
            ));
        }
        let read = |step| self.read_at(&At::of(stack, layer, step).of_head(head));
        let (outputs, values) = (read(Step::Context)?, read(Step::Value)?);
        let rows = async move { Ok(Count::new(&outputs.await?, &values.await?)) };
        Ok(Work::after(Box::pin(rows), Count::step))
    }
}

/// The rows of a matrix, each divided by its length.
fn directions(tensor: &Tensor) -> Vec<Vec<f64>> {
    tensor
        .values()
        .outer_iter()
        .map(|row| {
            let row: Vec<f64> = row.iter().map(|&number| f64::from(number)).collect();
            let length = dot(&row, &row).sqrt();
            row.into_iter().map(|number| if length > 0.0 { number / length } else { 0.0 }).collect()
        })
        .collect()
}

fn has_direction(row: &[f64]) -> bool {
    row.iter().any(|&number| number != 0.0)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
