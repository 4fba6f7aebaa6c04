//! One head of a site on the CPU: its rows as its variant sees them, and which rows are given.

use std::ops::Range;

use super::packed_head::PackedHead;
use super::tensor::CpuTensor;
use crate::backend::Attention;
use crate::variants::{HeadRows, HeadVariant, HeadView};

/// One head of a site.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub site: &'a Attention<'a, CpuTensor>,
    pub view: HeadView<'a>,
}

impl<'a> Head<'a> {
    pub fn of(site: &'a Attention<'a, CpuTensor>, head: usize) -> Self {
        let [keys, values] = kv_rows(site, site.kv_head(head));
        let view = HeadView {
            queries: rows(site.query, head, site.n_heads),
            keys,
            values,
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

    /// The head's keys, packed for patterns.
    pub fn packed_keys(&self) -> PackedHead {
        PackedHead::of_keys([self.view.keys, self.view.values])
    }

    /// The head's keys and values, packed.
    pub fn packed(&self) -> PackedHead {
        PackedHead::of([self.view.keys, self.view.values])
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

    /// Whether the variant needs data of all rows for a row that no fixed pattern gives.
    pub fn needs_whole(&self) -> bool {
        let [n_queries, n_keys] = self.view.shape();
        self.own().variant.facts().is_of_all_rows()
            && n_keys > 0
            && (0..n_queries).any(|query| !self.is_given(query))
    }
}

/// The keys and values of a key/value head.
pub(super) fn kv_rows<'a>(site: &Attention<'a, CpuTensor>, kv_head: usize) -> [HeadRows<'a>; 2] {
    [site.key, site.value].map(|x| rows(x, kv_head, site.n_kv_heads))
}

fn rows(x: &CpuTensor, head: usize, n_heads: usize) -> HeadRows<'_> {
    HeadRows::new(&x.data, x.columns, head, n_heads)
}
