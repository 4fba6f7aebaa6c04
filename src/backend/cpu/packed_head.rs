//! One head of keys and values, and what the heads of queries that look at it make of it: their
//! pattern at every stage, and what they find.

use std::ops::Range;

use super::contexts::{self, Found, context};
use super::key_features::View;
use super::op_counter::Meter;
use super::scores;
use super::{CpuTensor, QUERY_ROWS};
use crate::axes::Stage;
use crate::backend::Attention;
use crate::edits::Variant;
use crate::kernels::matmul::{PackedMatrix, Rows, matmul_first};
use crate::kernels::{elementwise, softmax};
use crate::positions::Relative;

/// One head's keys and values, packed once for the two products of every head of queries
/// that shares them. It grows with the text.
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

    /// Without values, for patterns alone.
    pub(super) fn of_keys(site: &Attention<'_, CpuTensor>, head: usize) -> Self {
        let [width, value_width] = [site.key, site.value].map(|x| x.columns / site.n_kv_heads);
        let [keys, values] = [PackedMatrix::empty(width, 0), PackedMatrix::empty(0, value_width)];
        let mut packed = Self { keys, values };
        packed.learn_keys(site, head);
        packed
    }

    /// Takes in the keys and values that came since.
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

    /// Rows `queries` of a head's pattern at `stage`, into `out` (`[queries.len(), n_k]`).
    pub(super) fn pattern(
        &self,
        view: &View<'_>,
        queries: Range<usize>,
        stage: Stage,
        meter: &Meter,
        out: &mut [f32],
    ) {
        let n_keys = self.keys.outer();
        if n_keys == 0 {
            return;
        }
        if stage != Stage::Weights {
            return self.softmax(view, queries, stage, meter, out);
        }
        for (rows, is_given) in view.runs(queries.clone()) {
            let first = (rows.start - queries.start) * n_keys;
            let cells = &mut out[first..first + rows.len() * n_keys];
            match view.own.variant {
                _ if is_given => {
                    cells.fill(0.0);
                    for (query, row) in rows.zip(cells.chunks_exact_mut(n_keys)) {
                        view.site.mask.forbid(view.head, query, row);
                        view.site.fixed_patterns.write(view.head, query, row);
                    }
                }
                Variant::LowRank { rank } => scores::low_rank(self, view, rows, rank, meter, cells),
                Variant::Banded(band) => {
                    for (query, row) in rows.zip(cells.chunks_exact_mut(n_keys)) {
                        row.fill(0.0);
                        let keys = contexts::band_weights(view, band, query, meter, row);
                        row.copy_within(..keys.len(), keys.start);
                        row[..keys.start.min(keys.len())].fill(0.0);
                    }
                }
                _ => self.softmax(view, rows, stage, meter, cells),
            }
        }
    }

    /// The same before a given pattern takes its place, and before singular values are left out.
    pub(super) fn softmax(
        &self,
        view: &View<'_>,
        queries: Range<usize>,
        stage: Stage,
        meter: &Meter,
        out: &mut [f32],
    ) {
        let site = view.site;
        let n_keys = self.keys.outer();
        // Logarithms of sums are taken of the sums themselves, not of what f32 leaves of them.
        let is_skipped = stage != Stage::Raw && view.own.variant.is_logarithm();
        if !is_skipped && !scores::raw(view, queries.clone(), meter, out) {
            let first = view.head * site.query.columns / site.n_heads;
            let inner = self.keys.inner();
            let stride = site.query.columns;
            for start in queries.clone().step_by(QUERY_ROWS) {
                let count = QUERY_ROWS.min(queries.end - start);
                let x = Rows { data: &site.query.data[start * stride + first..], stride, count };
                // What a mask replaces is not computed.
                let is_masked = matches!(stage, Stage::Masked | Stage::Weights);
                let end = if is_masked { view.end(start + count - 1) } else { n_keys };
                let cells = &mut out[(start - queries.start) * n_keys..];
                matmul_first(x, &self.keys, [inner, end], None, cells, n_keys);
                meter.count_product([count, end, inner]);
            }
        }
        if stage == Stage::Raw {
            return;
        }
        scores::scores(view, queries.clone(), meter, out);
        if let Some(cap) = site.cap {
            elementwise::cap(out, cap);
            meter.count(2 * out.len());
        }
        if let Some(relative) = site.relative {
            join(relative, view, queries.clone(), out);
            meter.count_product([queries.len(), n_keys, relative.work_per_pair()]);
        }
        if stage == Stage::Scores {
            return;
        }
        for (query, row) in queries.zip(out.chunks_exact_mut(n_keys)) {
            site.mask.forbid(view.head, query, row);
            view.own.variant.leave_out(query, || view.visible(query), row);
            if stage == Stage::Weights {
                let (open, closed) = row.split_at_mut(view.end(query));
                softmax::softmax_row(open);
                closed.fill(0.0);
                meter.count(3 * open.len());
                if let Some(dropout) = view.own.dropout {
                    dropout.apply(query, 0, row);
                }
            }
        }
    }

    /// What a head finds, `[queries.len(), d_v]`, in rows of `columns`, with `at_once` rows of
    /// weights held.
    pub(super) fn attend(
        &self,
        view: &View<'_>,
        queries: Range<usize>,
        (at_once, columns): (usize, usize),
        meter: &Meter,
        out: &mut [f32],
    ) {
        debug_assert_eq!(self.values.inner(), self.keys.outer(), "as many keys as values");
        let n_keys = self.keys.outer();
        for (rows, is_given) in view.runs(queries.clone()) {
            let cells = &mut out[(rows.start - queries.start) * columns..];
            let end = cells.len().min(rows.len() * columns);
            let mut found = Found { cells: &mut cells[..end], columns };
            if !is_given && context(view, rows.clone(), meter, &mut found) {
                continue;
            }
            let at_once = at_once.min(rows.len()).max(1);
            let mut weights = vec![0.0; at_once * n_keys];
            for start in rows.clone().step_by(at_once) {
                let some = start..rows.end.min(start + at_once);
                let held = &mut weights[..some.len() * n_keys];
                self.pattern(view, some.clone(), Stage::Weights, meter, held);
                let held = Rows { data: held, stride: n_keys, count: some.len() };
                // Weights behind it are 0, unless they are given or made of other rows.
                let is_cut = !is_given && !matches!(view.own.variant, Variant::LowRank { .. });
                let end = if is_cut { view.end(some.end - 1) } else { n_keys };
                let part = [end, self.values.outer()];
                let cells = (start - rows.start) * columns;
                matmul_first(held, &self.values, part, None, &mut found.cells[cells..], columns);
                meter.count_product([some.len(), end, self.values.outer()]);
            }
        }
    }
}

/// Adds relative positions to the scores of some queries.
fn join(relative: &Relative, view: &View<'_>, queries: Range<usize>, scores: &mut [f32]) {
    for (at, row) in queries.zip(scores.chunks_exact_mut(view.n_keys())) {
        relative.join(view.head, (at, view.query(at)), |key| view.key(key), row);
    }
}
