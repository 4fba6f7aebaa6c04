//! A pattern reduced to a small square, for the grid of heads.
//!
//! Every small cell is the largest number among the cells it covers, so that a single
//! strong link stays visible however long the text is. A short text is enlarged: each
//! small cell then lies in one cell of the pattern.

use std::ops::Range;

/// `[n_queries, n_keys]` → `[size, size]`. Masked cells (`-∞`) count only where nothing
/// else is covered; an empty pattern gives zeros.
pub fn reduce(pattern: &[f32], n_queries: usize, n_keys: usize, size: usize) -> Vec<f32> {
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
    fn a_long_pattern_keeps_its_strongest_link() {
        let (n, size) = (37, 5);
        let mut pattern = vec![0.0; n * n];
        pattern[20 * n + 3] = 0.9;
        let small = reduce(&pattern, n, n, size);
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
