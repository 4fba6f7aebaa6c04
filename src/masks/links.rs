//! A window around every query, tokens that look everywhere and are seen by all, and some
//! more keys for every other query, drawn by seed among those it has not.
//!
//! Sources: window and global tokens, Beltagy et al. 2020, section 3.1; with random keys,
//! Zaheer et al. 2020, section 2 (there in blocks of tokens, here token by token). The draw
//! is `random.rs`. All heads and layers that a rule holds for have the same keys.

use std::ops::Range;

use crate::kernels::random::mix;

/// Any of the three; without any, every row is fully masked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Links {
    /// The neighbours.
    pub window: Option<Window>,
    /// Global tokens, in ascending order.
    pub tokens: Vec<usize>,
    /// Keys drawn for each query that is not global.
    pub random: Option<Random>,
}

impl Links {
    /// Whether no query may look at a later key, however long the text is.
    pub(super) fn looks_back(&self) -> bool {
        self.window.is_none_or(|window| window.one_sided)
            && self.tokens.is_empty()
            && self.random.is_none()
    }

    /// Writes for some keys whether `query` may look at each, the first cell for `first`. Where
    /// keys are drawn, they are drawn for the whole text.
    pub(super) fn write(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        let global = self.is_global(query);
        open.fill(global);
        if global {
            return;
        }
        if self.random.is_some() && open.len() < n_keys {
            let mut whole = vec![false; n_keys];
            self.write(query, 0, n_keys, &mut whole);
            open.copy_from_slice(&whole[first..first + open.len()]);
            return;
        }
        let keys = first..first + open.len();
        if let Some(window) = &self.window {
            window.keys(query, keys.clone()).for_each(|key| open[key - first] = true);
        }
        let begin = self.tokens.partition_point(|&key| key < first);
        let tokens = self.tokens[begin..].iter().take_while(|&&key| key < keys.end);
        tokens.for_each(|&key| open[key - first] = true);
        if let Some(random) = &self.random {
            let others: Vec<usize> = (0..n_keys).filter(|&key| !open[key]).collect();
            for at in random.draw(query, others.len()) {
                open[others[at]] = true;
            }
        }
    }

    /// How many of the keys before `end ≤ n_keys` `query` may look at.
    pub(super) fn count(&self, query: usize, n_keys: usize, end: usize) -> usize {
        if self.is_global(query) {
            return end;
        }
        let lasting = self.lasting(query, end);
        let Some(random) = &self.random else { return lasting };
        let others = n_keys - self.lasting(query, n_keys);
        if end == n_keys {
            return lasting + others.min(random.keys);
        }
        // Those drawn that stand before `end`: as many of the others do.
        let before = end - lasting;
        lasting + random.draw(query, others).into_iter().take_while(|&at| at < before).count()
    }

    fn is_global(&self, query: usize) -> bool {
        self.tokens.binary_search(&query).is_ok()
    }

    /// Keys before `end` that are in the window or global.
    fn lasting(&self, query: usize, end: usize) -> usize {
        let Some(window) = &self.window else {
            return self.tokens.partition_point(|&key| key < end);
        };
        let far = |key: &&usize| !window.contains(query, **key);
        let tokens = self.tokens.iter().take_while(|&&key| key < end);
        window.count(query, end) + tokens.filter(far).count()
    }
}

// Keys in even steps before and after a query: a sliding window, and with steps of more
// than one a dilated one.
//
// `k = q + j · dilation`, `−width ≤ j ≤ width` (one-sided: `j ≤ 0`)
//
// Source: Beltagy et al. 2020, section 3.1, whose window `w` has `w / 2` steps a side.

/// A window around every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Steps on each side; 0 is the query's own key alone.
    pub width: usize,
    /// Tokens per step; at least 1.
    pub dilation: usize,
    /// At no later key.
    pub one_sided: bool,
}

impl Window {
    /// The keys of a query among some keys.
    pub(super) fn keys(&self, query: usize, among: Range<usize>) -> impl Iterator<Item = usize> {
        let first = query - self.steps_back(query) * self.dilation;
        let before = among.start.saturating_sub(first).div_ceil(self.dilation);
        let first = first.saturating_add(before.saturating_mul(self.dilation));
        let last = if self.one_sided {
            query
        } else {
            query.saturating_add(self.width.saturating_mul(self.dilation))
        };
        (first..among.end.min(last.saturating_add(1))).step_by(self.dilation)
    }

    /// How many of its keys stand before `end`.
    pub(super) fn count(&self, query: usize, end: usize) -> usize {
        let back = self.steps_back(query);
        if end <= query {
            return back.saturating_sub((query - end) / self.dilation);
        }
        let forward = (end - query - 1) / self.dilation;
        1 + back + if self.one_sided { 0 } else { forward.min(self.width) }
    }

    /// Whether a key is one of its keys.
    pub(super) fn contains(&self, query: usize, key: usize) -> bool {
        let distance = query.abs_diff(key);
        distance.is_multiple_of(self.dilation)
            && distance / self.dilation <= self.width
            && !(self.one_sided && key > query)
    }

    fn steps_back(&self, query: usize) -> usize {
        self.width.min(query / self.dilation)
    }
}

// Drawing some of `n` things by seed, so that the choice changes little when `n` grows:
// a user who types on does not see all random keys jump with every token.
//
// The `i`-th try of a query draws `jump(mix(mix(mix(seed) ⊕ query) ⊕ i), n)`; tries that
// were drawn before are passed over until there are enough. `jump` is uniform over `n` and
// from `n` to `n + 1` moves only to the new place, so a set of `r` changes at some `r` of
// `n` steps.
//
// Sources: `mix`, the step of `SplitMix64`, Steele et al. 2014; `jump`, Lamping and Veach
// 2014, "A fast, minimal memory, consistent hash algorithm". Only whole numbers and exact
// divisions of f64: every machine draws the same.

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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_window_has_the_keys_that_it_says() {
        let keys = |width, dilation, one_sided, query| -> Vec<usize> {
            Window { width, dilation, one_sided }.keys(query, 0..10).collect()
        };
        assert_eq!(keys(0, 1, false, 4), [4]);
        assert_eq!(keys(2, 1, false, 4), [2, 3, 4, 5, 6]);
        assert_eq!(keys(2, 1, true, 4), [2, 3, 4]);
        assert_eq!(keys(2, 3, false, 4), [1, 4, 7]);
        assert_eq!(keys(2, 3, true, 9), [3, 6, 9]);
        assert_eq!(keys(usize::MAX, 4, false, 5), [1, 5, 9]);
        // Steps that leave the range of numbers, from a query before the first key that is asked for.
        let far = Window { width: 1, dilation: usize::MAX, one_sided: false };
        assert_eq!(far.keys(5, 6..10).count(), 0);
        // A query beyond the keys, as cross-attention has.
        assert_eq!(keys(3, 1, false, 11), [8, 9]);
    }
}
