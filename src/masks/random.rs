//! Drawing some of `n` things by seed, so that the choice changes little when `n` grows:
//! whoever types on does not see all random keys jump with every token.
//!
//! The `i`-th try of a query draws `jump(mix(mix(mix(seed) ⊕ query) ⊕ i), n)`; tries that
//! were drawn before are passed over until there are enough. `jump` is uniform over `n` and
//! from `n` to `n + 1` moves only to the new place, so a set of `r` changes at some `r` of
//! `n` steps.
//!
//! Sources: `mix`, the step of `SplitMix64`, Steele et al. 2014; `jump`, Lamping and Veach
//! 2014, "A fast, minimal memory, consistent hash algorithm". Only whole numbers and exact
//! divisions of f64: every machine draws the same.

use crate::kernels::random::mix;

/// Keys to draw for each query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    /// How many.
    pub keys: usize,
    /// Which draw.
    pub seed: u64,
}

impl Random {
    /// Some of `0..n` for a query, in ascending order: `keys` of them, or all there are.
    pub(super) fn draw(&self, query: usize, n: usize) -> Vec<usize> {
        if n <= self.keys {
            return (0..n).collect();
        }
        let own = mix(mix(self.seed) ^ query as u64);
        let mut drawn = Vec::with_capacity(self.keys);
        let mut tries = (0u64..).map(|i| jump(mix(own ^ i), n));
        while drawn.len() < self.keys {
            if let Some(at) = tries.next()
                && let Err(place) = drawn.binary_search(&at)
            {
                drawn.insert(place, at);
            }
        }
        drawn
    }
}

/// A place below `n`, which is at least 1.
fn jump(mut key: u64, n: usize) -> usize {
    let (mut place, mut next) = (0, 0);
    while next < n {
        place = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        let stretch = f64::from(1u32 << 31) / ((key >> 33) + 1) as f64;
        #[expect(clippy::cast_sign_loss, reason = "a product of positive numbers")]
        let further = ((place + 1) as f64 * stretch) as usize;
        next = further;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn jumps_are_those_of_the_published_algorithm() {
        // Reference values of jump hashing; those of `mix` stand with it.
        assert_eq!([jump(1, 1), jump(42, 57), jump(0xDEAD_10CC, 666)], [0, 43, 361]);
        assert_eq!(jump(256, 1024), 520);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn each_draw_is_a_set_of_the_size_that_was_asked_for() {
        for n in 0..40 {
            for keys in 0..9 {
                let drawn = Random { keys, seed: 7 }.draw(n / 2, n);
                assert_eq!(drawn.len(), keys.min(n));
                assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(drawn.iter().all(|&at| at < n));
            }
        }
    }

    /// Every place equally often, within five standard deviations.
    #[wasm_bindgen_test(unsupported = test)]
    fn no_place_is_preferred() {
        let (n, keys, queries) = (23, 4, 20_000);
        let mut hits = vec![0usize; n];
        for query in 0..queries {
            Random { keys, seed: 3 }.draw(query, n).into_iter().for_each(|at| hits[at] += 1);
        }
        let share = keys as f64 / n as f64;
        let mean = queries as f64 * share;
        let deviation = (mean * (1.0 - share)).sqrt();
        for hit in hits {
            assert!((hit as f64 - mean).abs() < 5.0 * deviation, "{hit} instead of {mean}");
        }
    }
}
