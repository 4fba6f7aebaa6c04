//! A backend that computes the forward pass alone: it reads queries, keys and values of a site
//! back, and the `cpu` backend computes the readings of its heads from them.

use std::ops::Range;

use super::cpu::{Cpu, CpuTensor};
use super::{Attend, Attention, Inspect};
use crate::axes::Stage;
use crate::variants::Cost;

/// A backend that computes the forward pass alone.
pub trait ForwardOnly: Attend {}

impl<B: ForwardOnly> Inspect for B {
    const READS_BACK: bool = true;

    fn pattern(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        on_cpu(self, site, |site| Cpu.pattern(site, head, queries, stage)).unwrap_or_default()
    }

    fn head_context(&self, site: &Attention<'_, Self::Tensor>, head: usize) -> Option<Vec<f32>> {
        on_cpu(self, site, |site| Cpu.head_context(site, head))?
    }

    fn head_cost(&self, site: &Attention<'_, Self::Tensor>, head: usize) -> Option<Cost> {
        on_cpu(self, site, |site| Cpu.head_cost(site, head))?
    }

    fn factors(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        on_cpu(self, site, |site| Cpu.factors(site, head, query, key))?
    }

    fn alike(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<f64> {
        on_cpu(self, site, |site| Cpu.alike(site, head, query, key))?
    }
}

/// Calls a function with the site in the form of the `cpu` backend, with all rows of the site;
/// `None` if no rows were read, and for a backend without a separate memory.
pub fn on_cpu<B: Inspect, R>(
    backend: &B,
    site: &Attention<'_, B::Tensor>,
    work: impl FnOnce(&Attention<'_, CpuTensor>) -> R,
) -> Option<R> {
    if !B::READS_BACK {
        return None;
    }
    let rows = [site.query, site.key, site.value].map(|x| backend.rows(x));
    let known = site.memo.mirror.borrow().as_ref().map(|mirror| mirror.first(rows));
    let Some(known) = known else {
        debug_assert!(rows.contains(&0), "{rows:?} rows of a site were not read back");
        return None;
    };
    let [query, key, value] = known.tensors();
    Some(work(&Attention {
        query,
        key,
        value,
        n_heads: site.n_heads,
        n_kv_heads: site.n_kv_heads,
        scale: site.scale,
        cap: site.cap,
        mask: site.mask,
        gates: site.gates,
        fixed_patterns: site.fixed_patterns,
        variants: site.variants,
        relative: site.relative,
        memo: site.memo,
    }))
}
