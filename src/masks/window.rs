//! Sliding window: keys in even steps before and after a query, dilated if a step is more than one
//! token.
//!
//! `k = q + j · dilation`, `−width ≤ j ≤ width` (one-sided: `j ≤ 0`)
//!
//! Source: Beltagy et al. 2020, section 3.1, whose window `w` has `w / 2` steps a side.

use std::ops::Range;

/// A window around every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Steps on each side; 0 is the query's own key alone.
    pub width: usize,
    /// Tokens per step; at least 1.
    pub dilation: usize,
    /// Whether later keys are left out.
    pub one_sided: bool,
}

impl Window {
    /// The keys of a query's window within a range of keys.
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

    /// The number of keys of a query's window before `end`.
    pub(super) fn count(&self, query: usize, end: usize) -> usize {
        let back = self.steps_back(query);
        if end <= query {
            return back.saturating_sub((query - end) / self.dilation);
        }
        let forward = (end - query - 1) / self.dilation;
        1 + back + if self.one_sided { 0 } else { forward.min(self.width) }
    }

    /// Whether a key is in a query's window.
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
        // Steps that leave the range of numbers, from a query before the first key that is asked
        // for.
        let far = Window { width: 1, dilation: usize::MAX, one_sided: false };
        assert_eq!(far.keys(5, 6..10).count(), 0);
        // A query beyond the keys, as cross-attention has.
        assert_eq!(keys(3, 1, false, 11), [8, 9]);
    }
}
