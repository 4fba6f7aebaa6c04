//! The results of one head on the CPU: its pattern at every stage, its output, its cost, and the
//! data that its variant derives from all rows.

use std::ops::Range;

use super::head::Head;
use super::packed_head::PackedHead;
use crate::axes::Stage;
use crate::kernels::counting::count;
use crate::kernels::matmul::{Rows, matmul_first};
use crate::kernels::{elementwise, softmax};
use crate::positions::Relative;
use crate::variants::{Cost, Found, HeadView, QUERY_ROWS};

/// The multiplications of f64 in one step of preparation: some milliseconds.
const PREPARED_AT_ONCE: usize = 5_000_000;

impl Head<'_> {
    /// Writes rows `queries` of a head's pattern at `stage` into `out` (`[queries.len(), n_k]`).
    pub fn pattern(
        &self,
        packed: &PackedHead,
        queries: Range<usize>,
        stage: Stage,
        out: &mut [f32],
    ) {
        let n_keys = packed.keys().outer();
        if n_keys == 0 {
            return;
        }
        if stage != Stage::Weights {
            return self.softmax(packed, queries, stage, out);
        }
        let variant = self.own().variant;
        let all = 0..self.view.queries.count();
        let softmax = |out: &mut [f32]| self.softmax(packed, all.clone(), Stage::Weights, out);
        for (rows, is_given) in self.runs(queries.clone()) {
            let first = (rows.start - queries.start) * n_keys;
            let cells = &mut out[first..first + rows.len() * n_keys];
            if is_given {
                self.write_given(rows, cells);
            } else if !variant.weights(&self.view, &softmax, rows.clone(), cells) {
                self.softmax(packed, rows, stage, cells);
            }
        }
    }

    /// Writes the rows before a fixed pattern replaces them, and before a variant changes the
    /// weights.
    pub fn softmax(
        &self,
        packed: &PackedHead,
        queries: Range<usize>,
        stage: Stage,
        out: &mut [f32],
    ) {
        let view = &self.view;
        let variant = view.own.variant;
        // Logarithms are taken of the f64 sums, not of their f32 roundings.
        let is_skipped = stage != Stage::Raw && variant.facts().is_logarithm();
        if !is_skipped && !variant.raw(view, queries.clone(), out) {
            self.products(packed, queries.clone(), stage, out);
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
    fn products(&self, packed: &PackedHead, queries: Range<usize>, stage: Stage, out: &mut [f32]) {
        let n_keys = packed.keys().outer();
        let inner = packed.keys().inner();
        for start in queries.clone().step_by(QUERY_ROWS) {
            let some = start..queries.end.min(start + QUERY_ROWS);
            let x = Rows { count: some.len(), ..self.view.queries.from(start) };
            // A masked score is not computed.
            let is_masked = matches!(stage, Stage::Masked | Stage::Weights);
            let end = if is_masked { self.view.end(some.end - 1) } else { n_keys };
            let cells = &mut out[(start - queries.start) * n_keys..];
            matmul_first(x, packed.keys(), [inner, end], None, cells, n_keys);
            count(some.len() * end * inner);
        }
    }

    /// The output of a head, `[queries.len(), d_v]`, in rows of `columns`, with at most `at_once`
    /// rows of weights in memory.
    pub fn attend(
        &self,
        packed: &PackedHead,
        queries: Range<usize>,
        (at_once, columns): (usize, usize),
        out: &mut [f32],
    ) {
        debug_assert_eq!(packed.values().inner(), packed.keys().outer(), "as many keys as values");
        let n_keys = packed.keys().outer();
        let view = &self.view;
        let variant = view.own.variant;
        for (rows, is_given) in self.runs(queries.clone()) {
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
                self.pattern(packed, some.clone(), Stage::Weights, held);
                let held = Rows { data: held, stride: n_keys, count: some.len() };
                // Weights behind `end` are 0, unless they are given or derived from other rows.
                let is_cut = !is_given && !variant.facts().is_of_all_rows();
                let end = if is_cut { view.end(some.end - 1) } else { n_keys };
                let part = [end, packed.values().outer()];
                let cells = (start - rows.start) * columns;
                matmul_first(held, packed.values(), part, None, &mut found.cells[cells..], columns);
                count(some.len() * end * packed.values().outer());
            }
        }
    }

    /// Writes the given rows of a fixed pattern.
    fn write_given(&self, rows: Range<usize>, cells: &mut [f32]) {
        let n_keys = self.view.n_keys();
        cells.fill(0.0);
        for (query, row) in rows.zip(cells.chunks_exact_mut(n_keys)) {
            self.view.mask.forbid(self.view.head, query, row);
            self.site.fixed_patterns.write(self.view.head, query, row);
        }
    }

    /// Computes more of the data of all rows, for some milliseconds.
    pub fn prepare(&self) {
        self.prepare_for(PREPARED_AT_ONCE);
    }

    fn prepare_for(&self, multiplications: usize) {
        let softmax = |out: &mut [f32]| self.write_softmax(out);
        self.own().variant.prepare(&self.view, &softmax, multiplications);
    }

    /// The numbers whose products make a cell: see `AttentionVariant::factors`.
    pub fn factors(&self, query: usize, key: usize) -> Option<[Vec<f32>; 2]> {
        let softmax = |out: &mut [f32]| self.write_softmax(out);
        self.own().variant.factors(&self.view, &softmax, query, key)
    }

    fn write_softmax(&self, out: &mut [f32]) {
        let queries = 0..self.view.queries.count();
        self.softmax(&self.packed_keys(), queries, Stage::Weights, out);
    }

    /// The cost of the head's attention.
    pub fn cost(&self) -> Cost {
        if self.needs_whole() {
            self.prepare_for(usize::MAX);
        }
        let n_given = (0..self.view.queries.count()).filter(|&query| self.is_given(query)).count();
        self.own().variant.cost_beside(&self.view, n_given)
    }
}

/// Adds relative positions to the scores of some queries.
fn join(relative: &Relative, view: &HeadView<'_>, queries: Range<usize>, scores: &mut [f32]) {
    count(scores.len() * relative.work_per_pair());
    for (at, row) in queries.zip(scores.chunks_exact_mut(view.n_keys())) {
        relative.join(view.head, (at, view.query(at)), |key| view.key(key), row);
    }
}
