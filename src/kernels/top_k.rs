//! The largest entries of a row, for candidates of the next token.
//!
//! `top_k(x, k)`: indices `i₁, i₂, …` with `x[i₁] >= x[i₂] >= …`
//!
//! Shapes: a row `[n]` in, at most `k` pairs of index and value out. Equal values are ordered by
//! index, so that the choice is the same on every machine; NaN comes after `-∞`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lanes::{F32x4, for_each};

/// The entries that are compared with the value to beat at once.
const CHUNK: usize = 64;

/// The `k` largest entries as index and value, largest first; all entries if there are fewer.
pub fn top_k(row: &[f32], k: usize) -> Vec<(usize, f32)> {
    // The worst of the best `k` is on top of the heap, where a better entry replaces it.
    let mut best = BinaryHeap::with_capacity(k.min(row.len()));
    // The value to beat, once the heap has `k` entries.
    let mut last = None;
    for (chunk, values) in row.chunks(CHUNK).enumerate() {
        if last.is_some_and(|last| !has_better(values, last)) {
            continue;
        }
        for (at, &value) in values.iter().enumerate() {
            if last.is_some_and(|last| !outranks(value, last)) {
                continue;
            }
            let key = Reverse(key(value, chunk * CHUNK + at));
            if best.len() < k {
                best.push(key);
            } else if let Some(mut worst) = best.peek_mut() {
                *worst = key;
            }
            if best.len() == k {
                last = best.peek().map(|worst| row[index_of(worst.0)]);
            }
        }
    }
    let indices = best.into_sorted_vec().into_iter().map(|key| index_of(key.0));
    indices.map(|index| (index, row[index])).collect()
}

/// A sort key that is greater for entries that belong before: by value, then by index.
fn key(value: f32, index: usize) -> u64 {
    let bits = value.to_bits();
    let height = if value.is_nan() {
        0
    } else if value == 0.0 || value.is_sign_positive() {
        // Both zeros have the same height.
        bits | SIGN
    } else {
        !bits
    };
    u64::from(height) << 32 | u64::from(!(index as u32))
}

const SIGN: u32 = 1 << 31;

/// The index that a sort key was made of.
fn index_of(key: u64) -> usize {
    !(key as u32) as usize
}

/// Whether a value of `values` may belong before `last`.
fn has_better(values: &[f32], last: f32) -> bool {
    let mut tops = F32x4::splat(last);
    for_each(values, f32::NEG_INFINITY, |value| tops = tops.max(value));
    last.is_nan() || tops.maximum() > last
}

/// Whether a value `a` belongs strictly before `b`.
fn outranks(a: f32, b: f32) -> bool {
    a > b || (b.is_nan() && !a.is_nan())
}

#[cfg(test)]
mod tests {
    use super::super::testing::Random;
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn zeros_of_both_signs_are_equals() {
        let row = [-1.0, -0.0, 0.0, f32::INFINITY, -0.0, -2.5, 1e-40, -1e-40];
        for k in 0..=row.len() {
            let order: Vec<usize> = top_k(&row, k).into_iter().map(|(index, _)| index).collect();
            assert_eq!(order, [3, 6, 1, 2, 4, 7, 0, 5][..k]);
        }
    }

    /// Rows of several chunks, with values that are equal and some that are no numbers.
    #[test]
    fn every_size_has_the_order_of_a_sort() {
        let mut random = Random::new(8);
        for n in [1, CHUNK, CHUNK + 3, 5 * CHUNK + 1] {
            let mut row = random.values(n, -20.0, 20.0);
            for value in &mut row {
                *value = value.round();
            }
            row[n / 2] = f32::NAN;
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_key(|&index| Reverse(key(row[index], index)));
            for k in [0, 1, 10, n] {
                let found: Vec<usize> = top_k(&row, k).into_iter().map(|(at, _)| at).collect();
                assert_eq!(found, order[..k.min(n)], "{k} of {n}");
            }
        }
    }

    #[test]
    fn not_a_number_comes_last() {
        let row = [f32::NAN, f32::NEG_INFINITY, f32::NAN, 0.0];
        let order: Vec<usize> = top_k(&row, 9).into_iter().map(|(index, _)| index).collect();
        assert_eq!(order, [3, 1, 0, 2]);
    }
}
