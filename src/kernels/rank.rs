//! The largest entries of a row, for candidates of the next token.
//!
//! `top_k(x, k)`: indices `i₁, i₂, …` with `x[i₁] >= x[i₂] >= …`
//!
//! Shapes: a row `[n]` in, at most `k` pairs of index and value out.
//! Equal values go to the lowest index first, so that the choice is the same on every
//! machine; NaN comes after `-∞`. It does not turn logits into probabilities.

/// The `k` largest entries, largest first; all of them when there are fewer.
pub fn top_k(row: &[f32], k: usize) -> Vec<(usize, f32)> {
    let mut best: Vec<(usize, f32)> = Vec::with_capacity(k.min(row.len()) + 1);
    // The value to beat, once there are `k`.
    let mut last = None;
    for (index, &value) in row.iter().enumerate() {
        if last.is_some_and(|last| !outranks(value, last)) {
            continue;
        }
        // Behind its equals, which came earlier and have lower indices.
        let place = best.partition_point(|&(_, other)| !outranks(value, other));
        best.insert(place, (index, value));
        best.truncate(k);
        last = k.checked_sub(1).and_then(|last| best.get(last)).map(|&(_, value)| value);
    }
    best
}

/// Whether `a` belongs strictly before `b`.
fn outranks(a: f32, b: f32) -> bool {
    a > b || (b.is_nan() && !a.is_nan())
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::scalar;
    use super::super::testing::{AWKWARD_SIZES, Random};
    use super::*;

    #[test]
    fn by_hand() {
        let row = [1.0, 5.0, -2.0, 5.0, 3.0];
        assert_eq!(top_k(&row, 3), [(1, 5.0), (3, 5.0), (4, 3.0)]);
        assert_eq!(top_k(&row, 0), []);
        assert_eq!(top_k(&[], 3), []);
    }

    #[test]
    fn not_a_number_comes_last() {
        let row = [f32::NAN, f32::NEG_INFINITY, f32::NAN, 0.0];
        let order: Vec<usize> = top_k(&row, 9).into_iter().map(|(index, _)| index).collect();
        assert_eq!(order, [3, 1, 0, 2]);
    }

    #[test]
    fn every_size_agrees_with_sorting_everything() {
        let mut random = Random::new(51);
        for size in AWKWARD_SIZES {
            for k in [0, 1, 2, 5, 40] {
                // Few different values, so that there are ties.
                let row: Vec<f32> =
                    random.values(size, -3.0, 3.0).into_iter().map(f32::round).collect();
                assert_eq!(top_k(&row, k), scalar::top_k(&row, k), "{k} of {row:?}");
            }
        }
    }
}
