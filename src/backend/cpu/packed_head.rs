//! One key/value head, packed, and the results of the query heads that share it: their patterns at
//! every stage, and their outputs.

use std::ops::Range;

use super::CpuTensor;
use super::head::Head;
use crate::axes::Stage;
use crate::backend::Attention;
use crate::kernels::counting::count;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul_first};
use crate::kernels::{elementwise, softmax};
use crate::positions::Relative;
use crate::variants::{Found, HeadView, QUERY_ROWS};

/// The keys and values of one head, packed once for the two products of every query head that
/// shares them; rows are appended as the text grows.
pub(in super::super) struct PackedHead {
    keys: PackedMatrix,
    values: PackedMatrix,
}

impl PackedHead {
    pub(super) fn new(site: &Attention<'_, CpuTensor>, head: usize) -> Self {
        let mut packed = Self::of_keys(site, head);
        packed.learn(site, head);
        packed
    }

    /// A head without values, for patterns alone.
    pub(super) fn of_keys(site: &Attention<'_, CpuTensor>, head: usize) -> Self {
        let [width, value_width] = [site.key, site.value].map(|x| x.columns / site.n_kv_heads);
        let [keys, values] = [PackedMatrix::empty(width, 0), PackedMatrix::empty(0, value_width)];
        let mut packed = Self { keys, values };
        packed.learn_keys(site, head);
        packed
    }

    /// Packs the keys and values that were added since the last call.
    pub(super) fn learn(&mut self, site: &Attention<'_, CpuTensor>, head: usize) {
        self.learn_keys(site, head);
        let values = site.value;
        let known = self.values.inner();
        let rest = values.from(known, head * self.values.outer());
        self.values.push_rows(values.rows() - known, rest, values.columns);
    }

    fn learn_keys(&mut self, site: &Attention<'_, CpuTensor>, head: usize) {
        let keys = site.key;
        let known = self.keys.outer();
        let rest = keys.from(known, head * self.keys.inner());
        self.keys.push_columns(keys.rows() - known, rest, keys.columns);
    }

    /// Writes rows `queries` of a head's pattern at `stage` into `out` (`[queries.len(), n_k]`).
    pub(super) fn pattern(
        &self,
        head: &Head<'_>,
        queries: Range<usize>,
        stage: Stage,
        out: &mut [f32],
    ) {
        let n_keys = self.keys.outer();
        if n_keys == 0 {
            return;
        }
        if stage != Stage::Weights {
            return self.softmax(head, queries, stage, out);
        }
        let variant = head.own().variant;
        let all = 0..head.view.queries.count();
        let softmax = |out: &mut [f32]| self.softmax(head, all.clone(), Stage::Weights, out);
        for (rows, is_given) in head.runs(queries.clone()) {
            let first = (rows.start - queries.start) * n_keys;
            let cells = &mut out[first..first + rows.len() * n_keys];
            if is_given {
                write_given(head, rows, cells);
            } else if !variant.weights(&head.view, &softmax, rows.clone(), cells) {
                self.softmax(head, rows, stage, cells);
            }
        }
    }

    /// Writes the rows before a fixed pattern replaces them, and before a variant changes the
    /// weights.
    pub(super) fn softmax(
        &self,
        head: &Head<'_>,
        queries: Range<usize>,
        stage: Stage,
        out: &mut [f32],
    ) {
        let view = &head.view;
        let variant = view.own.variant;
        // Logarithms are taken of the f64 sums, not of their f32 roundings.
        let is_skipped = stage != Stage::Raw && variant.facts().is_logarithm();
        if !is_skipped && !variant.raw(view, queries.clone(), out) {
            self.products(head, queries.clone(), stage, out);
        }
        if stage == Stage::Raw {
            return;
        }
        variant.scores(view, queries.clone(), out);
        count(out.len());
        if let Some(cap) = view.cap {
            elementwise::cap(out, cap);
            count(2 * out.len());
        }
        if let Some(relative) = view.relative {
            join(relative, view, queries.clone(), out);
        }
        if stage == Stage::Scores {
            return;
        }
        for (query, row) in queries.zip(out.chunks_exact_mut(view.n_keys())) {
            view.mask.forbid(view.head, query, row);
            variant.leave_out(query, || view.visible(query), row);
            if stage == Stage::Weights {
                let (open, closed) = row.split_at_mut(view.end(query));
                softmax::softmax_row(open);
                closed.fill(0.0);
                count(3 * open.len());
                if let Some(dropout) = view.own.dropout {
                    dropout.apply(query, 0, row);
                }
            }
        }
    }

    /// Writes the products of some queries and all keys.
    fn products(&self, head: &Head<'_>, queries: Range<usize>, stage: Stage, out: &mut [f32]) {
        let query = head.site.query;
        let n_keys = self.keys.outer();
        let inner = self.keys.inner();
        let first = head.view.head * inner;
        for start in queries.clone().step_by(QUERY_ROWS) {
            let some = start..queries.end.min(start + QUERY_ROWS);
            let numbers = &query.data[start * query.columns + first..];
            let x = Rows { data: numbers, stride: query.columns, count: some.len() };
            // A masked score is not computed.
            let is_masked = matches!(stage, Stage::Masked | Stage::Weights);
            let end = if is_masked { head.view.end(some.end - 1) } else { n_keys };
            let cells = &mut out[(start - queries.start) * n_keys..];
            matmul_first(x, &self.keys, [inner, end], None, cells, n_keys);
            count(some.len() * end * inner);
        }
    }

    /// The output of a head, `[queries.len(), d_v]`, in rows of `columns`, with at most `at_once`
    /// rows of weights in memory.
    pub(super) fn attend(
        &self,
        head: &Head<'_>,
        queries: Range<usize>,
        (at_once, columns): (usize, usize),
        out: &mut [f32],
    ) {
        debug_assert_eq!(self.values.inner(), self.keys.outer(), "as many keys as values");
        let n_keys = self.keys.outer();
        let view = &head.view;
        let variant = view.own.variant;
        for (rows, is_given) in head.runs(queries.clone()) {
            let cells = &mut out[(rows.start - queries.start) * columns..];
            let end = cells.len().min(rows.len() * columns);
            let mut found = Found { cells: &mut cells[..end], columns };
            if !is_given && variant.context(view, rows.clone(), &mut found) {
                continue;
            }
            let at_once = at_once.min(rows.len()).max(1);
            let mut weights = vec![0.0; at_once * n_keys];
            for start in rows.clone().step_by(at_once) {
                let some = start..rows.end.min(start + at_once);
                let held = &mut weights[..some.len() * n_keys];
                self.pattern(head, some.clone(), Stage::Weights, held);
                let held = Rows { data: held, stride: n_keys, count: some.len() };
                // Weights behind `end` are 0, unless they are given or derived from other rows.
                let is_cut = !is_given && !variant.facts().is_of_all_rows();
                let end = if is_cut { view.end(some.end - 1) } else { n_keys };
                let part = [end, self.values.outer()];
                let cells = (start - rows.start) * columns;
                matmul_first(held, &self.values, part, None, &mut found.cells[cells..], columns);
                count(some.len() * end * self.values.outer());
            }
        }
    }
}

/// Writes the given rows of a fixed pattern.
fn write_given(head: &Head<'_>, rows: Range<usize>, cells: &mut [f32]) {
    let n_keys = head.view.n_keys();
    cells.fill(0.0);
    for (query, row) in rows.zip(cells.chunks_exact_mut(n_keys)) {
        head.view.mask.forbid(head.view.head, query, row);
        head.site.fixed_patterns.write(head.view.head, query, row);
    }
}

/// Adds relative positions to the scores of some queries.
fn join(relative: &Relative, view: &HeadView<'_>, queries: Range<usize>, scores: &mut [f32]) {
    count(scores.len() * relative.work_per_pair());
    for (at, row) in queries.zip(scores.chunks_exact_mut(view.n_keys())) {
        relative.join(view.head, (at, view.query(at)), |key| view.key(key), row);
    }
}
