//! One head's attention weights, row by row, with the mask: which keys are visible to a query. A
//! fully masked row is skipped; its zeros are no distribution.
//!
//! Entropy `H(q) = −Σ_k A[q, k] ln A[q, k]` in nats (Clark et al. 2019, section 3.3),
//! distance `D(q) = Σ_k A[q, k] |q − k|` in tokens (Vig & Belinkov 2019, "Analyzing the
//! Structure of Attention").
//!
//! Sums are taken in f64, key after key.

use std::ops::Range;

use crate::kernels::softmax;

/// One head's weights after softmax, `[n_q, n_k]`, row-major.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// The attention weights `A[q, k]`, row-major.
    pub weights: &'a [f32],
    /// Whether key `k` is visible to query `q`, in the order of `weights`.
    pub visible: &'a [bool],
    /// The number of keys, `n_k`.
    pub n_keys: usize,
}

impl<'a> Pattern<'a> {
    /// The rows that are not fully masked.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let width = self.n_keys.max(1);
        let rows = self.weights.chunks_exact(width).zip(self.visible.chunks_exact(width));
        rows.enumerate()
            .map(|(query, (weights, visible))| Row { query, weights, visible })
            .filter(|row| row.visible.contains(&true))
    }

    /// The row of one query; `None` if there is no such query or the row is fully masked.
    pub fn row(&self, query: usize) -> Option<Row<'a>> {
        let cells = query * self.n_keys..(query + 1) * self.n_keys;
        let weights = self.weights.get(cells.clone())?;
        let visible = self.visible.get(cells)?;
        visible.contains(&true).then_some(Row { query, weights, visible })
    }
}

/// One query's row of a pattern.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The query's position.
    pub query: usize,
    /// The query's attention weights `A[q, ·]`, `[n_k]`.
    pub weights: &'a [f32],
    /// Whether each key is visible to the query, `[n_k]`.
    pub visible: &'a [bool],
}

impl Row<'_> {
    /// The weight of one key, `A[q, key]`; `None` if there is no such key.
    pub fn weight(&self, key: usize) -> Option<f64> {
        self.weights.get(key).copied().map(f64::from)
    }

    /// The sum of the weights of some keys.
    pub fn together(&self, keys: impl IntoIterator<Item = usize>) -> f64 {
        keys.into_iter().filter_map(|key| self.weight(key)).sum()
    }

    /// Whether a key is visible to the query.
    pub fn sees(&self, key: usize) -> bool {
        self.visible.get(key).copied().unwrap_or(false)
    }

    /// The number of keys that are visible to the query.
    pub fn n_visible(&self) -> usize {
        self.visible.iter().filter(|&&open| open).count()
    }

    /// The key with the largest weight, the first among equals.
    pub fn strongest(&self) -> usize {
        let larger = |best: (usize, f32), (key, &weight)| {
            if weight > best.1 { (key, weight) } else { best }
        };
        self.weights.iter().enumerate().fold((0, f32::NEG_INFINITY), larger).0
    }

    /// Entropy `H(q)` in nats, from 0 to the logarithm of the number of visible keys.
    pub fn entropy(&self) -> f64 {
        softmax::entropy(self.weights)
    }

    /// Attention distance `D(q)` in tokens. It is defined only if queries and keys are of one text.
    pub fn distance(&self) -> f64 {
        let distances = (0..self.weights.len()).map(|key| key.abs_diff(self.query) as f64);
        self.weights.iter().zip(distances).map(|(&weight, far)| f64::from(weight) * far).sum()
    }
}

/// A pattern reduced to a small square for the grid of heads, `[n_queries, n_keys]` → `[size,
/// size]`. A small cell is the maximum of the cells that it covers, so that a strong cell stays
/// visible; in a pattern of fewer rows or columns than `size`, several small cells show one cell.
/// Masked cells (`-∞`) count only where all covered cells are masked; an empty pattern gives zeros.
pub fn thumbnail(pattern: &[f32], n_queries: usize, n_keys: usize, size: usize) -> Vec<f32> {
    if n_queries == 0 || n_keys == 0 {
        return vec![0.0; size * size];
    }
    let mut small = Vec::with_capacity(size * size);
    for row in 0..size {
        let queries = covered(row, size, n_queries);
        for column in 0..size {
            let keys = covered(column, size, n_keys);
            let cells = queries.clone().flat_map(|query| &pattern[query * n_keys..][keys.clone()]);
            small.push(cells.fold(f32::NEG_INFINITY, |largest, &cell| largest.max(cell)));
        }
    }
    small
}

/// The rows (or columns) of `n` that small row `index` of `size` covers: at least one.
fn covered(index: usize, size: usize, n: usize) -> Range<usize> {
    let start = index * n / size;
    start..((index + 1) * n).div_ceil(size).clamp(start + 1, n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_strongest_is_the_first_among_equals() {
        let weights = [0.2, 0.4, 0.4];
        let row = Row { query: 0, weights: &weights, visible: &[true; 3] };
        assert_eq!(row.strongest(), 1);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_long_pattern_keeps_its_strongest_link() {
        let n = 37;
        let size = 5;
        let mut pattern = vec![0.0; n * n];
        pattern[20 * n + 3] = 0.9;
        let small = thumbnail(&pattern, n, n, size);
        assert_eq!(small.iter().filter(|&&cell| cell > 0.0).count(), 1);
        assert_eq!(small[2 * size], 0.9);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn every_cell_is_covered() {
        for n in 1..40 {
            for size in [1, 3, 16] {
                let mut seen = vec![false; n];
                for index in 0..size {
                    for cell in covered(index, size, n) {
                        seen[cell] = true;
                    }
                }
                assert!(seen.iter().all(|&cell| cell), "{n} into {size}");
            }
        }
    }
}
