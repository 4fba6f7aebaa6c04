//! One head's pattern as it is looked at: whole, some rows of it, or what a picture needs beside
//! its colours: the sums of rows and columns, and between which numbers the cells lie. A backend
//! that reduces a pattern where it is sends the sums alone.
//!
//! `queries[q] = Σ_k A[q, k]`, `keys[k] = Σ_q A[q, k]`
//!
//! It does not know what a picture looks like; colours are in `painted`.

use std::ops::Range;

use serde::Serialize;

use super::Run;
use super::views::{Reading, check_part};
use crate::attention::PatternSpec;
use crate::axes::{Axis, Stack, Stage, Tensor};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::masks::Fill;

/// Numbers behind the sums of rows and columns that a backend reduces: see
/// [`Backend::marginals`].
const EXTENT: usize = 3;

/// What stands at the margins of a pattern. Cells that may not be looked at, and what is no
/// finite number, are in none of the sums.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct Marginals {
    /// The sum of each query's row, `[query]`.
    pub queries: Vec<f64>,
    /// The sum of each key's column, `[key]`.
    pub keys: Vec<f64>,
    /// The smallest number, 0 where there is none.
    pub least: f32,
    /// The largest number, 0 where there is none.
    pub largest: f32,
    /// How many cells may not be looked at.
    pub forbidden: usize,
}

impl Marginals {
    /// Those of `[n_queries, n_keys]` numbers, row-major.
    pub fn of(pattern: &[f32], n_keys: usize) -> Self {
        let (mut queries, mut keys) = (Vec::new(), vec![0.0; n_keys]);
        let (mut least, mut largest, mut forbidden) = (f32::INFINITY, f32::NEG_INFINITY, 0);
        for row in pattern.chunks_exact(n_keys.max(1)) {
            let mut sum = 0.0;
            for (&cell, key) in row.iter().zip(&mut keys) {
                forbidden += usize::from(cell < Fill::LEAST_SCORE);
                if cell.is_finite() && cell >= Fill::LEAST_SCORE {
                    sum += f64::from(cell);
                    *key += f64::from(cell);
                    (least, largest) = (least.min(cell), largest.max(cell));
                }
            }
            queries.push(sum);
        }
        if least > largest {
            (least, largest) = (0.0, 0.0);
        }
        Self { queries, keys, least, largest, forbidden }
    }

    /// What a backend has reduced.
    fn read(numbers: &[f32], n_queries: usize) -> Self {
        let (sums, extent) = numbers.split_at(numbers.len() - EXTENT);
        let wide = |part: &[f32]| part.iter().copied().map(f64::from).collect();
        let (queries, keys) = sums.split_at(n_queries);
        Self {
            queries: wide(queries),
            keys: wide(keys),
            least: extent[0],
            largest: extent[1],
            forbidden: extent[2].to_bits() as usize,
        }
    }
}

impl<B: Backend> Run<B> {
    /// One head's pattern at a stage, `[query, key]`; of `queries`, their rows alone: no others are
    /// computed.
    ///
    /// # Errors
    /// `selection/…` for what does not exist or is larger than the backend can hold,
    /// `run/not-ready` for what is not computed.
    pub fn attention(
        &self,
        (stack, layer, head): (Stack, usize, usize),
        stage: Stage,
        queries: Option<Range<usize>>,
    ) -> Result<Reading<Tensor>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let [n_queries, n_keys] = self.pattern_shape(&spec);
        let queries = queries.unwrap_or(0..n_queries);
        check_part("the rows", &queries, n_queries)?;
        self.check_held(queries.len(), n_keys)?;
        let shape = [queries.len(), n_keys];
        let numbers = self.read(&spec.pattern_rows(&self.model.backend, head, queries, stage));
        Ok(Box::pin(async move { Tensor::new(numbers.await?, &shape, &[Axis::Query, Axis::Key]) }))
    }

    /// The sums of one head's pattern at a stage, and between which numbers its cells lie.
    ///
    /// # Errors
    /// The same.
    pub fn marginals(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        stage: Stage,
    ) -> Result<Reading<Marginals>> {
        let spec = self.whole_site(stack, layer)?;
        self.check_head(stack, head)?;
        let backend = &self.model.backend;
        let pattern = spec.pattern(backend, head, stage);
        if let Some(reduced) = backend.marginals(&pattern) {
            return Ok(self.read_marginals(&reduced, self.pattern_shape(&spec)[0]));
        }
        let (numbers, n_keys) = (self.read(&pattern), self.pattern_shape(&spec)[1]);
        Ok(Box::pin(async move { Ok(Marginals::of(&numbers.await?, n_keys)) }))
    }

    /// Marginals that the backend has reduced, of a pattern with so many rows.
    pub(super) fn read_marginals(&self, reduced: &B::Tensor, n_rows: usize) -> Reading<Marginals> {
        let numbers = self.read(reduced);
        Box::pin(async move { Ok(Marginals::read(&numbers.await?, n_rows)) })
    }

    /// A site whose whole patterns can be read.
    ///
    /// # Errors
    /// `selection/too-large` for a pattern that the backend cannot hold.
    pub(super) fn whole_site(&self, stack: Stack, layer: usize) -> Result<PatternSpec<B>> {
        let spec = self.readable_site(stack, layer)?;
        let [n_queries, n_keys] = self.pattern_shape(&spec);
        self.check_held(n_queries, n_keys)?;
        Ok(spec)
    }

    /// Refuses what the backend cannot hold.
    fn check_held(&self, n_queries: usize, n_keys: usize) -> Result<()> {
        let most = self.model.backend.most_numbers();
        if n_queries.saturating_mul(n_keys) <= most {
            return Ok(());
        }
        let expected = format!("at most {most} cells on this backend; shorten the text");
        let got = format!("{n_queries} × {n_keys}");
        Err(Error::new(Code::SelectionTooLarge, "the pattern", expected, got))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn what_has_no_colour_is_in_no_sum() {
        let pattern = [0.25, 0.75, f32::NEG_INFINITY, -2.0, -1e9, f32::NAN];
        let found = Marginals::of(&pattern, 3);
        assert_eq!(found.queries, [1.0, -2.0]);
        assert_eq!(found.keys, [-1.75, 0.75, 0.0]);
        assert_eq!((found.least, found.largest, found.forbidden), (-2.0, 0.75, 2));
        let none = Marginals::of(&[f32::NEG_INFINITY; 2], 2);
        assert_eq!((none.least, none.largest, none.forbidden), (0.0, 0.0, 2));
    }
}
