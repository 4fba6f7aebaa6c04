//! Queries, keys and values of a site that were read back, so that the `cpu` backend's own code
//! can compute what another backend leaves to it: there is no second copy of that mathematics.

use super::cpu::{Cpu, CpuTensor};
use super::{Attention, Backend, Memo};

/// Rows that were read.
pub struct ReadRows {
    /// Row after row.
    pub numbers: Vec<f32>,
    /// The row of the site that they begin with.
    pub first: usize,
    /// How many they are.
    pub count: usize,
}

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

    /// Takes more rows of each. Those that somebody else read meanwhile are there already. The
    /// first are of some token.
    pub fn mirror(&self, rows: [ReadRows; 3]) {
        let known = self.mirrored();
        let mut at = 0;
        let more = rows.map(|ReadRows { mut numbers, first, count }| {
            let columns = numbers.len() / count.max(1);
            debug_assert!(first <= known[at], "no row between them is missing");
            numbers.drain(..columns * known[at].saturating_sub(first).min(count));
            at += 1;
            (numbers, columns)
        });
        let mut mirror = self.mirror.borrow_mut();
        let Some(Mirror(known)) = mirror.as_mut() else {
            *mirror = Some(Mirror(more.map(|(numbers, columns)| Cpu.upload(numbers, columns))));
            return;
        };
        for (known, (numbers, columns)) in known.iter_mut().zip(more) {
            if !numbers.is_empty() {
                Cpu.append(known, &Cpu.upload(numbers, columns));
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_that_two_read_at_once_are_there_once() {
        let memo = Memo::default();
        let rows = |first: usize, count: usize| {
            [3, 2, 2].map(|columns| {
                let numbers = (first * columns..(first + count) * columns).map(|x| x as f32);
                ReadRows { numbers: numbers.collect(), first, count }
            })
        };
        memo.mirror(rows(0, 2));
        memo.mirror(rows(0, 2));
        assert_eq!(memo.mirrored(), [2; 3]);
        memo.mirror(rows(2, 1));
        memo.mirror(rows(1, 3));
        assert_eq!(memo.mirrored(), [4; 3]);
        let Mirror([queries, ..]) = memo.mirror.borrow().clone().unwrap();
        let numbers: Vec<f32> = (0..12).map(|x| x as f32).collect();
        assert_eq!(pollster::block_on(Cpu.read(&queries)).unwrap(), numbers);
    }
}
