//! Mask rule of three parts: a window around every query, global tokens, which attend to all keys
//! and are visible to all queries, and random keys, drawn by seed among the other keys of a query.
//!
//! Sources: window and global tokens, Beltagy et al. 2020, section 3.1; with random keys, Zaheer et
//! al. 2020, section 2 (there in blocks of tokens, here token by token). The draw is in
//! `random.rs`. All heads and layers of a rule have the same keys.

use super::{Random, Window};

/// Any of window, global tokens and random keys; without all three, every row is fully masked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Links {
    /// The window around each query.
    pub window: Option<Window>,
    /// Global tokens, in ascending order.
    pub tokens: Vec<usize>,
    /// Random keys of each query that is not global.
    pub random: Option<Random>,
}

impl Links {
    /// Whether no query attends to a later key, in a text of any length.
    pub(super) fn looks_back(&self) -> bool {
        self.window.is_none_or(|window| window.one_sided)
            && self.tokens.is_empty()
            && self.random.is_none()
    }

    /// Writes whether each of some keys is visible to `query`; cell 0 is key `first`. Random keys
    /// are drawn among all `n_keys` keys.
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

    /// The number of visible keys of `query` before `end ≤ n_keys`.
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
        // The random keys before `end`, as places among the keys that are neither near nor global.
        let before = end - lasting;
        lasting + random.draw(query, others).into_iter().take_while(|&at| at < before).count()
    }

    fn is_global(&self, query: usize) -> bool {
        self.tokens.binary_search(&query).is_ok()
    }

    /// The number of keys before `end` that are in the window or global.
    fn lasting(&self, query: usize, end: usize) -> usize {
        let Some(window) = &self.window else {
            return self.tokens.partition_point(|&key| key < end);
        };
        let far = |key: &&usize| !window.contains(query, **key);
        let tokens = self.tokens.iter().take_while(|&&key| key < end);
        window.count(query, end) + tokens.filter(far).count()
    }
}
