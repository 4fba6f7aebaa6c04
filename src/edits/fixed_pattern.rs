//! Fixed patterns: heads whose weights are given instead of computed by a softmax.
//!
//! `A[q, k] = p[q, k] · open[q, k] / Σ_j p[q, j] · open[q, j]`
//!
//! * uniform: `p[q, k] = 1`
//! * diagonal: `p[q, k] = 1` where `k = min(q, n_k − 1)`, else 0
//! * previous: `p[q, k] = 1` where `k = min(max(q − 1, 0), n_k − 1)`, else 0
//! * drawn: `p` as it was sent, 0 in the columns beyond it; rows beyond it are not given
//!
//! A row depends on its query's position and on the mask alone, never on the length of the text, so
//! that a whole pass and one more step of a growing text give the same row. Masked cells are cut
//! out of a row and the remaining cells are divided by their sum; a row without remaining cells has
//! weights 0. Sums are computed in f64.
//!
//! Source: Raganato et al. 2020, "Fixed Encoder Self-Attention Patterns in Transformer-Based
//! Machine Translation", for heads that attend to neighbours by position.

use std::rc::Rc;

use super::limits::LARGEST_CELL;
use super::scope::Extent;
use super::wire::{HeadPattern, NamedPattern};
use crate::error::{Code, Error, Result, shown};

/// The fixed pattern of one head.
#[derive(Debug, Clone, PartialEq)]
pub enum FixedPattern {
    /// A pattern known by name.
    Named(NamedPattern),
    /// A pattern drawn by the user.
    Drawn(Rc<Drawn>),
    /// Weights of another run, which neither the mask nor a sum changes.
    Patched(Rc<PatchedRows>),
}

/// Rows of weights that are taken as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct PatchedRows {
    /// The queries whose rows are given.
    pub queries: Vec<usize>,
    /// The weights, a row per query; keys beyond them have the weight 0.
    pub weights: Vec<f32>,
    /// The number of weights of a row.
    pub n_keys: usize,
}

impl PatchedRows {
    fn weight(&self, query: usize, key: usize) -> f32 {
        let row = self.queries.iter().rposition(|&given| given == query);
        let at = row.filter(|_| key < self.n_keys).map(|row| row * self.n_keys + key);
        at.and_then(|at| self.weights.get(at)).copied().unwrap_or(0.0)
    }

    /// The first query with a weight other than 0 from key `n` on.
    fn first_beyond(&self, n: usize) -> Option<usize> {
        let rows = self.queries.iter().zip(self.weights.chunks_exact(self.n_keys.max(1)));
        let beyond = rows.filter(|(_, row)| row.iter().skip(n).any(|&weight| weight != 0.0));
        beyond.map(|(&query, _)| query).min()
    }
}

/// A drawn matrix: numbers from 0, all rows of the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    cells: Vec<f64>,
    n_rows: usize,
    n_columns: usize,
}

impl FixedPattern {
    /// The name of the pattern in explanations.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Named(fixed) => fixed.name(),
            Self::Drawn(_) => "drawn",
            Self::Patched(_) => "patched",
        }
    }

    /// The number of first rows that the pattern gives.
    fn reach(&self) -> usize {
        match self {
            Self::Drawn(drawn) => drawn.n_rows,
            Self::Named(_) => usize::MAX,
            Self::Patched(_) => 0,
        }
    }

    /// Whether the pattern gives a row.
    fn gives(&self, query: usize) -> bool {
        match self {
            Self::Patched(rows) => rows.queries.contains(&query),
            _ => query < self.reach(),
        }
    }

    /// The cell `p[query, key]`, before the mask and the division by the sum.
    fn share(&self, query: usize, key: usize, n_keys: usize) -> f64 {
        let one_hot = |at: usize| f64::from(u8::from(key == at.min(n_keys - 1)));
        match self {
            Self::Named(NamedPattern::Uniform) => 1.0,
            Self::Named(NamedPattern::Diagonal) => one_hot(query),
            Self::Named(NamedPattern::Previous) => one_hot(query.saturating_sub(1)),
            Self::Drawn(drawn) if key < drawn.n_columns => {
                drawn.cells[query * drawn.n_columns + key]
            }
            Self::Drawn(_) => 0.0,
            Self::Patched(rows) => f64::from(rows.weight(query, key)),
        }
    }
}

/// The fixed patterns of the heads of one site.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FixedPatterns {
    /// The patterns of each head, those with more rows first; a row comes from the last pattern
    /// that has it.
    heads: Vec<(usize, Vec<FixedPattern>)>,
}

impl FixedPatterns {
    /// Puts a pattern in place of the weights of a head, in the rows that the pattern gives.
    pub(super) fn fix(&mut self, head: usize, pattern: &FixedPattern) {
        if pattern.reach() == 0 {
            return;
        }
        let patterns = self.of(head);
        patterns.retain(|earlier| earlier.reach() > pattern.reach());
        patterns.push(pattern.clone());
    }

    /// Puts rows of weights in place of those of a head.
    pub fn patch(&mut self, head: usize, rows: PatchedRows) {
        self.of(head).push(FixedPattern::Patched(Rc::new(rows)));
    }

    /// The patterns of a head, sorted by head: the order in which edits name heads has no effect.
    fn of(&mut self, head: usize) -> &mut Vec<FixedPattern> {
        let found = self.heads.binary_search_by_key(&head, |(fixed, _)| *fixed);
        let at = found.unwrap_or_else(|at| {
            self.heads.insert(at, (head, Vec::new()));
            at
        });
        &mut self.heads[at].1
    }

    /// The number of first rows whose patched weights are 0 from key `n` on. The mask limits all
    /// other patterns.
    pub fn rows_within(&self, n: usize) -> usize {
        let patterns = self.heads.iter().flat_map(|(_, patterns)| patterns);
        let rows = patterns.filter_map(|pattern| match pattern {
            FixedPattern::Patched(rows) => rows.first_beyond(n),
            _ => None,
        });
        rows.min().unwrap_or(usize::MAX)
    }

    /// Whether no head has a fixed pattern.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Whether a fixed pattern gives some rows of a head.
    pub fn gives(&self, head: usize) -> bool {
        self.heads.iter().any(|(fixed, _)| *fixed == head)
    }

    /// The pattern that gives a row of a head, if any.
    pub fn pattern(&self, head: usize, query: usize) -> Option<&FixedPattern> {
        let (_, patterns) = self.heads.iter().find(|(fixed, _)| *fixed == head)?;
        patterns.iter().rev().find(|pattern| pattern.gives(query))
    }

    /// The cells of a given row that the mask leaves, before they are divided by their sum.
    /// `additive` is the row of the mask, 0 where the query may attend to the key.
    pub fn shares(&self, head: usize, query: usize, additive: &[f32]) -> Option<Vec<f64>> {
        let pattern = self.pattern(head, query)?;
        let n_keys = additive.len();
        let is_whole = matches!(pattern, FixedPattern::Patched(_));
        let cut = |(key, &mask): (usize, &f32)| {
            if is_whole || mask == 0.0 { pattern.share(query, key, n_keys) } else { 0.0 }
        };
        Some(additive.iter().enumerate().map(cut).collect())
    }

    /// Replaces the row of the mask by the weights of a given row; returns `false` and leaves `row`
    /// unchanged if no pattern gives the row.
    pub fn write(&self, head: usize, query: usize, row: &mut [f32]) -> bool {
        let Some(shares) = self.shares(head, query, row) else { return false };
        let total = match self.pattern(head, query) {
            Some(FixedPattern::Patched(_)) => 1.0,
            _ => shares.iter().sum::<f64>(),
        };
        for (cell, share) in row.iter_mut().zip(shares) {
            *cell = if total > 0.0 { (share / total) as f32 } else { 0.0 };
        }
        true
    }

    /// Whether a row is given and the mask leaves none of its cells above 0.
    pub fn is_blank(&self, head: usize, query: usize, additive: &[f32]) -> bool {
        let shares = self.shares(head, query, additive);
        shares.is_some_and(|shares| shares.iter().all(|&share| share == 0.0))
    }
}

/// Checks a pattern as it was sent: its name, or cells that are numbers in rows of one length.
///
/// # Errors
/// `edit/bad-value` for cells that are not weights and for rows of several lengths.
pub(super) fn pattern(sent: &HeadPattern) -> Result<FixedPattern> {
    match sent {
        HeadPattern::Named(fixed) => Ok(FixedPattern::Named(*fixed)),
        HeadPattern::Drawn(rows) => drawn(rows).map(|drawn| FixedPattern::Drawn(Rc::new(drawn))),
    }
}

fn drawn(rows: &[Vec<f64>]) -> Result<Drawn> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let refused = |expected: String, got: String| {
        Error::new(Code::EditBadValue, "the drawn pattern of a head", expected, got)
    };
    if let Some(row) = rows.iter().position(|row| row.len() != n_columns) {
        return Err(refused(
            format!("rows of one length, {n_columns} as the first one has"),
            format!("{} cells in row {row}", rows[row].len()),
        ));
    }
    let cells = rows.concat();
    match cells.iter().find(|cell| !(0.0..=LARGEST_CELL).contains(*cell)) {
        Some(&cell) => Err(refused(format!("numbers from 0 to {LARGEST_CELL}"), shown(cell))),
        None => Ok(Drawn { cells, n_rows: rows.len(), n_columns }),
    }
}

/// Checks that a drawn pattern is no larger than the pattern that it replaces.
///
/// # Errors
/// `edit/out-of-range` for a drawn pattern that is larger than the pattern of the site.
pub(super) fn check_fit(drawn: &Drawn, extent: &Extent) -> Result<()> {
    let &Drawn { n_rows, n_columns, .. } = drawn;
    if n_rows <= extent.n_queries && n_columns <= extent.n_keys {
        return Ok(());
    }
    Err(Error::new(
        Code::EditOutOfRange,
        format!("a drawn pattern of the {} stack", extent.stack.name()),
        format!("at most {} rows and {} columns", extent.n_queries, extent.n_keys),
        format!("{n_rows} rows and {n_columns} columns"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const NO: f32 = f32::NEG_INFINITY;

    fn fixed(patterns: &[FixedPattern]) -> FixedPatterns {
        let mut fixed = FixedPatterns::default();
        for pattern in patterns {
            fixed.fix(1, pattern);
        }
        fixed
    }

    fn drawn(cells: &[f64], n_rows: usize) -> FixedPattern {
        let (cells, n_columns) = (cells.to_vec(), cells.len() / n_rows);
        FixedPattern::Drawn(Rc::new(Drawn { cells, n_rows, n_columns }))
    }

    fn row(fixed: &FixedPatterns, query: usize, mask: &[f32]) -> Vec<f32> {
        let mut row = mask.to_vec();
        assert!(fixed.write(1, query, &mut row));
        row
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_row_is_given_by_the_last_pattern_that_reaches_it() {
        let both =
            fixed(&[FixedPattern::Named(NamedPattern::Uniform), drawn(&[0.0, 1.0, 1.0, 0.0], 2)]);
        assert_eq!(row(&both, 1, &[0.0; 2]), [1.0, 0.0]);
        assert_eq!(row(&both, 2, &[0.0; 2]), [0.5, 0.5]);
        let covered = fixed(&[drawn(&[1.0], 1), FixedPattern::Named(NamedPattern::Previous)]);
        assert_eq!(covered, fixed(&[FixedPattern::Named(NamedPattern::Previous)]));
        let mut untouched = [0.0, NO];
        assert!(!fixed(&[drawn(&[1.0], 1)]).write(1, 1, &mut untouched));
        assert_eq!(untouched, [0.0, NO]);
    }
}
