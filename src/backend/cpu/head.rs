//! One head of a site on the CPU: its view for the variant, and its given rows.

use std::ops::Range;

use super::{CpuTensor, PackedHead};
use crate::axes::Stage;
use crate::backend::Attention;
use crate::variants::{Cost, HeadRows, HeadVariant, HeadView};

/// The multiplications of f64 in one step of preparation: some milliseconds.
const PREPARED_AT_ONCE: usize = 5_000_000;

/// One head of a site.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub site: &'a Attention<'a, CpuTensor>,
    pub view: HeadView<'a>,
}

impl<'a> Head<'a> {
    pub fn of(site: &'a Attention<'a, CpuTensor>, head: usize) -> Self {
        let kv_head = site.kv_head(head);
        let rows = |x: &'a CpuTensor, head: usize, n_heads: usize| {
            HeadRows::new(&x.data, x.columns, head, n_heads)
        };
        let view = HeadView {
            queries: rows(site.query, head, site.n_heads),
            keys: rows(site.key, kv_head, site.n_kv_heads),
            values: rows(site.value, kv_head, site.n_kv_heads),
            head,
            own: site.variants.of(head),
            scale: site.scale,
            cap: site.cap,
            relative: site.relative,
            mask: site.mask,
            memo: site.memo,
        };
        Self { site, view }
    }

    /// The head's variant, scale, temperature and dropout.
    pub fn own(&self) -> HeadVariant {
        self.view.own
    }

    /// The head's keys, packed for products.
    pub fn packed_keys(&self) -> PackedHead {
        PackedHead::of_keys(self.site, self.site.kv_head(self.view.head))
    }

    /// Whether a fixed pattern gives a row.
    pub fn is_given(&self, query: usize) -> bool {
        self.site.fixed_patterns.pattern(self.view.head, query).is_some()
    }

    /// Ranges of neighbouring queries whose rows are all given, or all not given.
    pub fn runs(&self, queries: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let mut rest = queries;
        std::iter::from_fn(move || {
            let first = rest.next()?;
            let is_given = self.is_given(first);
            let end = rest.clone().find(|&query| self.is_given(query) != is_given);
            let end = end.unwrap_or(rest.end);
            rest.start = end;
            Some((first..end, is_given))
        })
    }

    /// Whether the head needs data of all rows before the first row, and it is not yet computed.
    pub fn is_unprepared(&self) -> bool {
        self.needs_whole() && !self.view.keeping(|memo| memo.knows_whole(self.view.shape()))
    }

    fn needs_whole(&self) -> bool {
        let [n_queries, n_keys] = self.view.shape();
        self.own().variant.facts().is_of_all_rows()
            && n_keys > 0
            && (0..n_queries).any(|query| !self.is_given(query))
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
        self.packed_keys().softmax(self, queries, Stage::Weights, out);
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
