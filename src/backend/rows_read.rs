//! Queries, keys and values of a site that were read back, from which the `cpu` backend computes
//! what another backend does not implement.

use super::cpu::CpuTensor;

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

    /// The numbers of rows of queries, keys and values.
    pub(super) fn counts(&self) -> [usize; 3] {
        self.0.each_ref().map(CpuTensor::rows)
    }

    /// Stores more rows of each tensor, except rows that another reader has stored meanwhile. The
    /// new rows begin at most at the first row that is not stored.
    pub(super) fn store(known: &mut Option<Self>, rows: [ReadRows; 3]) {
        let counts = known.as_ref().map_or([0; 3], Self::counts);
        let mut at = 0;
        let more = rows.map(|ReadRows { mut numbers, first, count }| {
            let columns = numbers.len() / count.max(1);
            debug_assert!(first <= counts[at], "no row between them is missing");
            numbers.drain(..columns * counts[at].saturating_sub(first).min(count));
            at += 1;
            (numbers, columns)
        });
        let Some(Self(known)) = known else {
            *known = Some(Self(more.map(|(numbers, columns)| CpuTensor::new(numbers, columns))));
            return;
        };
        for (known, (numbers, columns)) in known.iter_mut().zip(more) {
            if !numbers.is_empty() {
                known.append(&CpuTensor::new(numbers, columns));
            }
        }
    }

    /// The first rows of queries, keys and values.
    pub(super) fn first(&self, rows: [usize; 3]) -> Self {
        let first = |at: usize| {
            let x = &self.0[at];
            x.select(0..rows[at].min(x.rows()))
        };
        Self([0, 1, 2].map(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_that_two_read_at_once_are_there_once() {
        let mut known = None;
        let rows = |first: usize, count: usize| {
            [3, 2, 2].map(|columns| {
                let numbers = (first * columns..(first + count) * columns).map(|x| x as f32);
                ReadRows { numbers: numbers.collect(), first, count }
            })
        };
        RowsRead::store(&mut known, rows(0, 2));
        RowsRead::store(&mut known, rows(0, 2));
        assert_eq!(known.as_ref().unwrap().counts(), [2; 3]);
        RowsRead::store(&mut known, rows(2, 1));
        RowsRead::store(&mut known, rows(1, 3));
        assert_eq!(known.as_ref().unwrap().counts(), [4; 3]);
        let RowsRead([queries, ..]) = known.unwrap();
        let numbers: Vec<f32> = (0..12).map(|x| x as f32).collect();
        assert_eq!(queries.into_numbers(), numbers);
    }
}
