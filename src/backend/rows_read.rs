//! Queries, keys and values of a site that were read back, from which the `cpu` backend computes
//! what another backend does not implement.

use std::rc::Rc;

use super::SiteCache;
use super::Storage;
use super::cpu::{Cpu, CpuTensor};

/// Rows that were read back.
pub struct ReadRows {
    /// The numbers of the rows, row-major.
    pub numbers: Vec<f32>,
    /// The first of the rows in the site.
    pub first: usize,
    /// The number of rows.
    pub count: usize,
}

/// `[queries, keys, values]` as far as they were read back. A clone shares them.
#[derive(Clone)]
pub(super) struct RowsRead([CpuTensor; 3]);

impl RowsRead {
    /// The tensors of queries, keys and values.
    pub(super) fn tensors(&self) -> [&CpuTensor; 3] {
        self.0.each_ref()
    }

    /// The first rows of queries, keys and values.
    pub(super) fn first(&self, rows: [usize; 3]) -> Self {
        let first = |at: usize| {
            let x = &self.0[at];
            Cpu.select(x, 0..rows[at].min(Cpu.rows(x)))
        };
        Self([0, 1, 2].map(first))
    }
}

impl SiteCache {
    /// The numbers of rows of queries, keys and values that were read back.
    pub fn rows_stored(&self) -> [usize; 3] {
        self.mirror
            .borrow()
            .as_ref()
            .map_or([0; 3], |mirror| mirror.0.each_ref().map(|x| Cpu.rows(x)))
    }

    /// Stores more rows of each tensor, except rows that another reader has stored meanwhile. The
    /// new rows begin at most at the first row that is not stored.
    pub fn store_rows(&self, rows: [ReadRows; 3]) {
        let known = self.rows_stored();
        let mut at = 0;
        let more = rows.map(|ReadRows { mut numbers, first, count }| {
            let columns = numbers.len() / count.max(1);
            debug_assert!(first <= known[at], "no row between them is missing");
            numbers.drain(..columns * known[at].saturating_sub(first).min(count));
            at += 1;
            (numbers, columns)
        });
        let mut mirror = self.mirror.borrow_mut();
        let Some(RowsRead(known)) = mirror.as_mut() else {
            *mirror = Some(RowsRead(more.map(|(numbers, columns)| Cpu.upload(numbers, columns))));
            return;
        };
        for (known, (numbers, columns)) in known.iter_mut().zip(more) {
            if !numbers.is_empty() {
                Cpu.append(known, &Cpu.upload(numbers, columns));
            }
        }
    }

    /// A cache with nothing but the rows that another one has read back.
    #[must_use]
    pub fn of_read(&self) -> Self {
        Self { mirror: Rc::clone(&self.mirror), ..Self::default() }
    }

    /// A cache with nothing but the first rows that were read back.
    #[must_use]
    pub fn of_first(&self, n_queries: usize, n_keys: usize) -> Self {
        let known = self.mirror.borrow();
        let first = known.as_ref().map(|mirror| mirror.first([n_queries, n_keys, n_keys]));
        Self { mirror: Rc::new(first.into()), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_that_two_read_at_once_are_there_once() {
        let memo = SiteCache::default();
        let rows = |first: usize, count: usize| {
            [3, 2, 2].map(|columns| {
                let numbers = (first * columns..(first + count) * columns).map(|x| x as f32);
                ReadRows { numbers: numbers.collect(), first, count }
            })
        };
        memo.store_rows(rows(0, 2));
        memo.store_rows(rows(0, 2));
        assert_eq!(memo.rows_stored(), [2; 3]);
        memo.store_rows(rows(2, 1));
        memo.store_rows(rows(1, 3));
        assert_eq!(memo.rows_stored(), [4; 3]);
        let RowsRead([queries, ..]) = memo.mirror.borrow().clone().unwrap();
        let numbers: Vec<f32> = (0..12).map(|x| x as f32).collect();
        assert_eq!(pollster::block_on(Cpu.read(&queries)).unwrap(), numbers);
    }
}
