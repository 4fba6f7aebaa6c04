//! One head's weights, row by row, with what says how far a row may be trusted: which keys
//! its query may look at. A row that may look nowhere is passed over; its zeros are no
//! distribution.
//!
//! Entropy `H(q) = −Σ_k A[q, k] ln A[q, k]` in nats (Clark et al. 2019, section 3.3),
//! distance `D(q) = Σ_k A[q, k] |q − k|` in tokens (Vig & Belinkov 2019, "Analyzing the
//! Structure of Attention").
//!
//! Sums are taken in f64, key after key. It does not know what stands at a position.

use std::ops::Range;

use crate::kernels::math::ln;

/// One head's weights after softmax, `[n_q, n_k]`, row-major.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// `A[q, k]`.
    pub weights: &'a [f32],
    /// Whether `q` may look at `k`; as many cells as weights.
    pub visible: &'a [bool],
    /// `n_k`.
    pub n_keys: usize,
}

impl<'a> Pattern<'a> {
    /// The rows of queries that may look somewhere.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let width = self.n_keys.max(1);
        let rows = self.weights.chunks_exact(width).zip(self.visible.chunks_exact(width));
        rows.enumerate()
            .map(|(query, (weights, visible))| Row { query, weights, visible })
            .filter(|row| row.visible.contains(&true))
    }

    /// The row of one query, if there is such a query and it may look somewhere.
    pub fn row(&self, query: usize) -> Option<Row<'a>> {
        let cells = query * self.n_keys..(query + 1) * self.n_keys;
        let weights = self.weights.get(cells.clone())?;
        let visible = self.visible.get(cells)?;
        visible.contains(&true).then_some(Row { query, weights, visible })
    }
}

/// What one query looks at.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its position.
    pub query: usize,
    /// `A[q, ·]`.
    pub weights: &'a [f32],
    /// Which keys it may look at.
    pub visible: &'a [bool],
}

impl Row<'_> {
    /// `A[q, key]`, if there is such a key.
    pub fn weight(&self, key: usize) -> Option<f64> {
        self.weights.get(key).copied().map(f64::from)
    }

    /// The weight that some keys have together.
    pub fn together(&self, keys: impl IntoIterator<Item = usize>) -> f64 {
        keys.into_iter().filter_map(|key| self.weight(key)).sum()
    }

    /// Whether the query may look at this key.
    pub fn sees(&self, key: usize) -> bool {
        self.visible.get(key).copied().unwrap_or(false)
    }

    /// How many keys the query may look at.
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

    /// `H(q)` in nats, from 0 to the logarithm of the number of visible keys.
    pub fn entropy(&self) -> f64 {
        let open = self.weights.iter().filter(|&&weight| weight > 0.0);
        open.fold(0.0, |entropy, &weight| entropy - f64::from(weight) * f64::from(ln(weight)))
    }

    /// `D(q)`: how far the query looks, in tokens. Only within one text does it mean anything.
    pub fn distance(&self) -> f64 {
        let distances = (0..self.weights.len()).map(|key| key.abs_diff(self.query) as f64);
        self.weights.iter().zip(distances).map(|(&weight, far)| f64::from(weight) * far).sum()
    }
}

/// A pattern reduced to a small square for the grid of heads, `[n_queries, n_keys]` → `[size,
/// size]`. Every small cell is the largest number among the cells that it covers, so that a strong
/// link stays visible; of a short text it lies in one cell of the pattern. Masked cells (`-∞`)
/// count only where nothing else is covered; an empty pattern gives zeros.
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

/// The cells of `n` that small cell `index` of `size` covers: at least one.
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
