//! Drawing some of `n` keys by seed, so that the choice changes little when `n` grows: random keys
//! stay in place while a user types.
//!
//! Try `i` of a query draws `jump(mix(mix(mix(seed) ⊕ query) ⊕ i), n)`; a key that was drawn before
//! is skipped until there are enough. `jump` is uniform over `n`, and from `n` to `n + 1` its
//! result changes only to the new place, so a set of `r` keys changes at some `r` of `n` steps.
//!
//! Sources: `mix`, the step of `SplitMix64`, Steele et al. 2014; `jump`, Lamping and Veach
//! 2014, "A fast, minimal memory, consistent hash algorithm". Only whole numbers and exact
//! divisions of f64: every machine draws the same.

use crate::kernels::random::mix;

/// The random keys of each query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    /// The number of keys per query.
    pub keys: usize,
    /// The seed of the draw.
    pub seed: u64,
}

impl Random {
    /// Draws `keys` of `0..n` for a query, in ascending order; all of them if there are no more.
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

/// A pseudo-random number below `n ≥ 1` (jump consistent hash).
fn jump(mut key: u64, n: usize) -> usize {
    let mut place = 0;
    let mut next = 0;
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
