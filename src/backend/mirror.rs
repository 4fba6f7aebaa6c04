//! Queries, keys and values of a site that were read back, so that the `cpu` backend's own code
//! can compute what another backend leaves to it: there is no second copy of that mathematics.

use super::cpu::{Cpu, CpuTensor};
use super::{Attention, Backend, Memo};

/// `[queries, keys, values]` as far as they were read. A clone shares them.
#[derive(Clone)]
pub(super) struct Mirror([CpuTensor; 3]);

impl Memo {
    /// How many rows of queries, keys and values were read.
    pub fn mirrored(&self) -> [usize; 3] {
        self.mirror
            .borrow()
            .as_ref()
            .map_or([0; 3], |mirror| mirror.0.each_ref().map(|x| Cpu.rows(x)))
    }

    /// Takes more rows of each, with how many they are, which stand behind those there. The
    /// first are of some token.
    pub fn mirror(&self, rows: [(Vec<f32>, usize); 3]) {
        let more = rows.map(|(numbers, n)| {
            let columns = numbers.len() / n.max(1);
            Cpu.upload(numbers, columns)
        });
        let mut mirror = self.mirror.borrow_mut();
        let Some(Mirror(known)) = mirror.as_mut() else {
            *mirror = Some(Mirror(more));
            return;
        };
        known.iter_mut().zip(&more).for_each(|(known, more)| Cpu.append(known, more));
    }

    /// One that keeps nothing but what was read of another.
    #[must_use]
    pub fn of_read(&self) -> Self {
        Self { mirror: self.mirror.clone(), ..Self::default() }
    }

    /// One that keeps nothing but the first of the rows that were read.
    #[must_use]
    pub fn of_first(&self, n_queries: usize, n_keys: usize) -> Self {
        let mirror = self.mirror.borrow().as_ref().map(|Mirror([query, key, value])| {
            let first = |x: &CpuTensor, n: usize| Cpu.select(x, 0..n.min(Cpu.rows(x)));
            Mirror([first(query, n_queries), first(key, n_keys), first(value, n_keys)])
        });
        Self { mirror: mirror.into(), ..Self::default() }
    }
}

impl<T> Attention<'_, T> {
    /// Works on the site as the `cpu` backend knows it; `None` where nothing of it was read.
    pub fn on_cpu<R>(&self, work: impl FnOnce(&Attention<'_, CpuTensor>) -> R) -> Option<R> {
        let Mirror([query, key, value]) = self.memo.mirror.borrow().clone()?;
        Some(work(&Attention {
            query: &query,
            key: &key,
            value: &value,
            n_heads: self.n_heads,
            n_kv_heads: self.n_kv_heads,
            scale: self.scale,
            mask: self.mask,
            gates: self.gates,
            frozen: self.frozen,
            kinds: self.kinds,
            relative: self.relative,
            memo: self.memo,
        }))
    }
}
