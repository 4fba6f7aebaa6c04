//! The record of one attention site, in `O(n·d)`: queries, keys and values as they entered the
//! products (rotated if positions are rotary), scale, mask and gates. Scores and weights of a head
//! are derived from it on request, by the operation of the forward pass itself. It is also the
//! key/value cache: rows are appended as a text grows.
//!
//! `weights = softmax(Q Kᵀ · scale (+ relative positions) + mask)`, `context = gate · weights V`
//!
//! Source: Vaswani et al. 2017, section 3.2.1. The record is independent of the projections that
//! made its rows.

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

use crate::axes::Stage;
use crate::backend::{
    Attend, Attention, Autodiff, Backend, Cpu, Derivatives, ReadCache, ReadRows, SiteCache, Slopes,
    on_cpu,
};
use crate::edits::FixedPatterns;
use crate::error::Result;
use crate::masks::Mask;
use crate::positions::Relative;
use crate::variants::{Cost, HeadVariant, Variants};

type Numbers = Pin<Box<dyn Future<Output = Result<Vec<f32>>>>>;

/// Queries, keys and values that are being read for the `cpu` backend.
pub type PendingRows = Pin<Box<dyn Future<Output = Result<[ReadRows; 3]>>>>;

/// The record of one site: `query` has `n_q` rows, `key` and `value` have `n_k`.
pub struct PatternSpec<B: Backend> {
    /// The queries, `[n_q, h·d_h]`.
    pub query: B::Tensor,
    /// The keys, `[n_k, h_kv·d_h]`.
    pub key: B::Tensor,
    /// The values, `[n_k, h_kv·d_h]`.
    pub value: B::Tensor,
    /// The number of query heads, side by side in the columns.
    pub n_heads: usize,
    /// The number of heads of keys and values; neighbouring query heads share one.
    pub n_kv_heads: usize,
    /// The factor of raw scores, usually `1/√d_h`.
    pub scale: f32,
    /// The soft cap of the scaled scores, if any.
    pub cap: Option<f32>,
    /// The site's own mask with the edits of it.
    pub mask: Mask,
    /// The head gates, one factor per head.
    pub gates: Vec<f32>,
    /// The fixed patterns that replace heads' weights.
    pub fixed_patterns: FixedPatterns,
    /// The attention variant of each head.
    pub variants: Variants,
    /// The rotations of queries and keys, `[positions, d_r]`, a row per token.
    pub turns: Option<B::Tensor>,
    /// The relative-position terms of the scores.
    pub relative: Option<Rc<Relative>>,
    /// The backend's cache of data derived from these rows.
    pub memo: SiteCache,
}

impl<B: Backend> PatternSpec<B> {
    /// The context `[queries.len(), h·d_h]` of some queries.
    pub fn attend(&self, backend: &B, queries: Range<usize>) -> B::Tensor {
        let site = self.site();
        if self.is_left(backend)
            && let Some(found) = on_cpu(backend, &site, |site| Cpu.attend(site, queries.clone()))
        {
            return found.moved(backend);
        }
        backend.attend(&site, queries)
    }

    /// The number of heads that need data of all rows before the first context.
    pub fn prepared_first(&self) -> usize {
        self.variants.iter().filter(|(_, own)| own.variant.facts().is_of_all_rows()).count()
    }

    /// The number of first rows, of as many as there are, that read no key from number `n` on in
    /// ways that the mask does not say: by a given pattern, or by a variant that mixes keys.
    pub fn rows_within(&self, n: usize) -> usize {
        if self.variants.iter().any(|(_, own)| own.variant.facts().mixes_tokens()) {
            return 0;
        }
        self.fixed_patterns.rows_within(n)
    }

    /// The number of heads of [`Self::prepared_first`] whose data of all rows is not yet computed.
    pub fn unprepared(&self, backend: &B) -> usize {
        let all = self.prepared_first();
        if all == 0 {
            return 0;
        }
        if !self.is_left(backend) {
            return backend.unprepared(&self.site());
        }
        // Rows that were not read yet have nothing to prepare.
        if self.memo.rows_stored() == [0; 3] {
            return all;
        }
        on_cpu(backend, &self.site(), |site| Cpu.unprepared(site)).unwrap_or(all)
    }

    /// Computes more of the data that a reader needs, for a few milliseconds.
    pub fn prepare(&self, backend: &B) {
        if self.is_left(backend) {
            on_cpu(backend, &self.site(), |site| Cpu.prepare(site));
        } else {
            backend.prepare(&self.site());
        }
    }

    /// Shares the computed data of all rows of an equal site.
    pub fn share_whole(&mut self, of: &Self) {
        self.memo = std::mem::take(&mut self.memo).with_low_rank(&of.memo);
    }

    /// A second record in the state of this one: both share the rows, and each can get others.
    #[must_use]
    pub fn fork(&self, backend: &B) -> Self {
        let mut fork = self.all_rows(backend);
        fork.memo = std::mem::take(&mut fork.memo).forked_from(&self.memo);
        fork
    }

    /// The site with its first rows alone, for a reader that calls it row by row.
    #[must_use]
    pub fn readable(
        &self,
        backend: &B,
        n_queries: usize,
        n_keys: usize,
        read_cache: &ReadCache,
    ) -> Self {
        let mask = self.mask.clone();
        let gates = self.gates.clone();
        let mut first = self.truncated(backend, n_queries, n_keys, mask, gates);
        first.memo = std::mem::take(&mut first.memo).for_reader(&self.memo, read_cache);
        first
    }

    /// One head's pattern `[n_q, n_k]` at a stage; requires [`Self::fetch`].
    pub fn pattern(&self, backend: &B, head: usize, stage: Stage) -> Vec<f32> {
        self.pattern_rows(backend, head, 0..backend.rows(&self.query), stage)
    }

    /// A head's context of all queries, without its gate; requires [`Self::fetch`].
    pub fn head_context(&self, backend: &B, head: usize) -> Option<Vec<f32>> {
        backend.head_context(&self.site(), head)
    }

    /// The cost of a head's attention; requires [`Self::fetch`].
    pub fn head_cost(&self, backend: &B, head: usize) -> Option<Cost> {
        backend.head_cost(&self.site(), head)
    }

    /// The site with the exact model formula in one head, under the same mask and without fixed
    /// patterns.
    #[must_use]
    pub fn exact(&self, backend: &B, head: usize) -> Self {
        let mut exact = self.all_rows(backend);
        exact.variants = self.variants.without(head);
        exact.fixed_patterns = FixedPatterns::default();
        exact
    }

    /// The site with another attention variant in one head.
    #[must_use]
    pub fn with_variant(&self, backend: &B, head: usize, variant: HeadVariant) -> Self {
        let mut other = self.all_rows(backend);
        other.variants = self.variants.with(head, variant);
        other
    }

    fn all_rows(&self, backend: &B) -> Self {
        self.truncated(backend, usize::MAX, usize::MAX, self.mask.clone(), self.gates.clone())
    }

    /// Some rows of one head's pattern at a stage, `[queries.len(), n_k]`.
    pub fn pattern_rows(
        &self,
        backend: &B,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        backend.pattern(&self.site(), head, queries, stage)
    }

    /// One head's weights before dropout, whose rows sum to 1. `None` for a variant with other
    /// sums, unless every row is given.
    pub fn shares(&self, backend: &B, head: usize) -> Option<Vec<f32>> {
        let own = self.variants.of(head);
        let is_given = |query| self.fixed_patterns.pattern(head, query).is_some();
        if !own.variant.facts().shares_out() && !(0..backend.rows(&self.query)).all(is_given) {
            return None;
        }
        if own.dropout.is_none() {
            return Some(self.pattern(backend, head, Stage::Weights));
        }
        let plain = self.with_variant(backend, head, HeadVariant { dropout: None, ..own });
        Some(plain.pattern(backend, head, Stage::Weights))
    }

    /// The numbers whose products make a cell of one head: see `Inspect::factors`.
    pub fn factors(
        &self,
        backend: &B,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        backend.factors(&self.site(), head, query, key)
    }

    /// The sum whose logarithm is a score: see `Inspect::alike`.
    pub fn alike(&self, backend: &B, head: usize, query: usize, key: usize) -> Option<f64> {
        backend.alike(&self.site(), head, query, key)
    }

    /// Whether all of the site is left to the `cpu` backend.
    pub fn is_left(&self, backend: &B) -> bool {
        backend.declines(&self.site())
    }

    /// The read of the rows that the `cpu` backend still needs; `None` if it has all of them.
    pub fn pending_rows(&self, backend: &B) -> Option<PendingRows> {
        if !B::READS_BACK {
            return None;
        }
        let rows = [&self.query, &self.key, &self.value];
        let all = rows.map(|x| backend.rows(x));
        let known = self.memo.rows_stored();
        if all.contains(&0) || all.iter().zip(known).all(|(all, known)| *all <= known) {
            return None;
        }
        let [query, key, value] = [0, 1, 2].map(|at| {
            let first = known[at].min(all[at]);
            let count = all[at].saturating_sub(known[at]);
            let some = backend.select(rows[at], first..first + count);
            let numbers: Numbers = Box::pin(backend.read(&some));
            async move { Ok(ReadRows { numbers: numbers.await?, first, count }) }
        });
        Some(Box::pin(async move { Ok([query.await?, key.await?, value.await?]) }))
    }

    /// Stores rows that were read for the `cpu` backend.
    pub fn learn(&self, rows: [ReadRows; 3]) {
        self.memo.store_rows(rows);
    }

    /// Reads back the rows from which the `cpu` backend derives patterns, unless they were read.
    ///
    /// # Errors
    /// The errors of the backend's `read`.
    pub async fn fetch(&self, backend: &B) -> Result<()> {
        if let Some(pending_rows) = self.pending_rows(backend) {
            self.learn(pending_rows.await?);
        }
        Ok(())
    }

    /// The additive mask of one row of a head's scores: from the mask, and from a variant that
    /// leaves keys out whatever the mask says.
    pub fn mask_row(&self, head: usize, query: usize, n_keys: usize) -> Vec<f32> {
        let mut row = self.mask.row(head, query, n_keys);
        let visible = || self.mask.visible(head, query, n_keys);
        self.variants.of(head).variant.leave_out(query, visible, &mut row);
        row
    }

    /// Whether each key is visible to each query, `[n_q, n_k]`, row-major.
    pub fn visible(&self, backend: &B, head: usize) -> Vec<bool> {
        let [n_queries, n_keys] = [&self.query, &self.key].map(|x| backend.rows(x));
        let mut visible = Vec::with_capacity(n_queries * n_keys);
        (0..n_queries).for_each(|query| visible.extend(self.open(head, query, n_keys)));
        visible
    }

    /// The queries of a head whose rows are fully masked.
    pub fn fully_masked(&self, backend: &B, head: usize) -> Vec<usize> {
        let n_keys = backend.rows(&self.key);
        let is_open = |query: &usize| self.open(head, *query, n_keys).contains(&true);
        (0..backend.rows(&self.query)).filter(|query| !is_open(query)).collect()
    }

    /// Whether each key is visible to a query under mask and variant; none if a given row is all
    /// zeros. A given row is independent of the variant.
    fn open(&self, head: usize, query: usize, n_keys: usize) -> Vec<bool> {
        let mut open = self.mask.visible(head, query, n_keys);
        if self.fixed_patterns.pattern(head, query).is_some() {
            if self.fixed_patterns.is_blank(head, query, &self.mask.row(head, query, n_keys)) {
                open.fill(false);
            }
        } else if let Some(keys) = self.variants.of(head).variant.band(query, n_keys) {
            open[..keys.start].fill(false);
            open[keys.end..].fill(false);
        }
        open
    }

    /// The first rows of the site under another mask and other gates, for reuse by the next run.
    /// Fixed patterns, variants and positions stay.
    #[must_use]
    pub fn truncated(
        &self,
        backend: &B,
        n_queries: usize,
        n_keys: usize,
        mask: Mask,
        gates: Vec<f32>,
    ) -> Self {
        let first = |x: &B::Tensor, n: usize| backend.select(x, 0..n.min(backend.rows(x)));
        Self {
            query: first(&self.query, n_queries),
            key: first(&self.key, n_keys),
            value: first(&self.value, n_keys),
            n_heads: self.n_heads,
            n_kv_heads: self.n_kv_heads,
            scale: self.scale,
            cap: self.cap,
            mask,
            gates,
            fixed_patterns: self.fixed_patterns.clone(),
            variants: self.variants.clone(),
            turns: self.turns.clone(),
            relative: self.relative.clone(),
            memo: self.memo.of_first(n_queries, n_keys),
        }
    }

    /// The key/value head of a query head.
    pub fn kv_head(&self, head: usize) -> usize {
        self.site().kv_head(head)
    }

    fn site(&self) -> Attention<'_, B::Tensor> {
        Attention {
            query: &self.query,
            key: &self.key,
            value: &self.value,
            n_heads: self.n_heads,
            n_kv_heads: self.n_kv_heads,
            scale: self.scale,
            cap: self.cap,
            mask: &self.mask,
            gates: &self.gates,
            fixed_patterns: &self.fixed_patterns,
            variants: &self.variants,
            relative: self.relative.as_deref(),
            memo: &self.memo,
        }
    }
}

impl<B: Derivatives> PatternSpec<Autodiff<B>> {
    /// The gradients with respect to some rows of one head's pattern, from that of the context of
    /// these rows, `[queries.len(), h·d_v]`.
    pub fn slopes(
        &self,
        backend: &Autodiff<B>,
        head: usize,
        queries: Range<usize>,
        dy: &B::Tensor,
    ) -> Slopes {
        backend.slopes(&self.site(), head, queries, dy)
    }
}
