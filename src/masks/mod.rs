//! Who may look at whom, as a description: rules, each for some heads, joined one after the
//! other. A description is small, compares by value and is turned into numbers row by row,
//! where a row is needed.
//!
//! A model's own rule is the first; edits are joined to it, and may replace it. Keys that
//! are padding in the text itself stay closed whatever the rules say. A forbidden cell adds
//! `-∞` to its score (Vaswani et al. 2017, section 3.2.3) and a row without an open cell gets
//! weights 0; or, for heads where that is wished, `-10⁹`.

mod change;
mod cost;
mod count;
mod links;
mod random;
mod rule;
mod window;

use std::ops::Range;

pub use change::{Change, Changes, MaskFill, MaskMode};
pub use cost::{Layer, LayerKind};
pub use count::Count;
pub use links::Links;
pub use random::Random;
pub use rule::{Cell, Rule, ordered};
pub use window::Window;

/// The mask of one attention site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mask {
    changes: Changes,
    padding: Vec<usize>,
}

/// The heads that a rule holds for.
#[derive(Debug, Clone, PartialEq)]
pub enum Heads {
    /// Every head of the site.
    All,
    /// These, in ascending order.
    Only(Vec<usize>),
}

impl Heads {
    fn contains(&self, head: usize) -> bool {
        match self {
            Self::All => true,
            Self::Only(heads) => heads.binary_search(&head).is_ok(),
        }
    }
}

impl Mask {
    /// Everybody may look at everybody.
    pub fn open() -> Self {
        Self::default()
    }

    /// The same mask with one more rule, which closes what it forbids; a rule that forbids
    /// nothing is left out, so that an edit without effect leaves an equal mask.
    #[must_use]
    pub fn with(mut self, heads: Heads, rule: Rule) -> Self {
        self.changes.join(heads, Change::and(rule));
        self
    }

    /// The same mask after some changes.
    #[must_use]
    pub fn changed(mut self, changes: &Changes) -> Self {
        self.changes.then(changes);
        self
    }

    /// The same mask with the keys that are not real closed, before and after all changes.
    #[must_use]
    pub fn padded(mut self, real: &[bool]) -> Self {
        self.padding = (0..real.len()).filter(|&key| !real[key]).collect();
        self
    }

    /// For every key, whether `query` may look at it in `head`.
    pub fn visible(&self, head: usize, query: usize, n_keys: usize) -> Vec<bool> {
        self.visible_among(head, query, 0..n_keys, n_keys)
    }

    /// The same for some of `n_keys` keys, without the others.
    pub fn visible_among(
        &self,
        head: usize,
        query: usize,
        keys: Range<usize>,
        n_keys: usize,
    ) -> Vec<bool> {
        let mut open = self.changes.row(head, query, keys.clone(), n_keys);
        let begin = self.padding.partition_point(|&key| key < keys.start);
        let padding = self.padding[begin..].iter().take_while(|&&key| key < keys.end);
        padding.for_each(|&key| open[key - keys.start] = false);
        open
    }

    /// Whether every head has the same cells and the same fill.
    pub fn is_same_for_all_heads(&self) -> bool {
        self.changes.are_for_all_heads() && !self.changes.has_large_fill()
    }

    /// What forbidden cells of a head add to their scores.
    pub fn fill(&self, head: usize) -> MaskFill {
        self.changes.fill_of(head)
    }

    /// The first of the keys that no query up to this one may look at, if forbidden scores are
    /// replaced and no cell before it is forbidden to this one; none where only a list tells.
    pub fn open_until(&self, head: usize, query: usize) -> Option<usize> {
        let replaces = self.fill(head) == MaskFill::MinusInfinity && self.padding.is_empty();
        self.changes.open_until(head, query).filter(|_| replaces)
    }

    /// Adds to each score of a row what its cell adds where it is forbidden; other cells
    /// stay as they are. `row` has one cell per key.
    pub fn forbid(&self, head: usize, query: usize, row: &mut [f32]) {
        if let Some(end) = self.open_until(head, query) {
            return row.iter_mut().skip(end).for_each(|score| *score = f32::NEG_INFINITY);
        }
        let added = self.fill(head).added();
        let visible = self.visible(head, query, row.len());
        for (score, open) in row.iter_mut().zip(visible) {
            // Not a sum with −∞ for all: a score of +∞ or NaN is forbidden like any other.
            if !open {
                *score = if added == f32::NEG_INFINITY { added } else { *score + added };
            }
        }
    }

    /// The additive row of one query: 0 where it may look, the fill where not.
    pub fn row(&self, head: usize, query: usize, n_keys: usize) -> Vec<f32> {
        let mut row = vec![0.0; n_keys];
        self.forbid(head, query, &mut row);
        row
    }

    /// Of the first `same` queries, how many (from the first on) compute from the first
    /// `same` keys alone, and from the same of them, before with `n_before` keys and now
    /// with `n_now`: their rows need not be computed again if those keys are the same.
    pub fn settled(
        &self,
        before: &Self,
        n_heads: usize,
        same: usize,
        n_before: usize,
        n_now: usize,
    ) -> usize {
        if same == n_before && same == n_now || self.looks_back() && before.looks_back() {
            return same;
        }
        // A finite number is added, and the size of the scores is not known.
        if self.changes.has_large_fill() || before.changes.has_large_fill() {
            return 0;
        }
        let one_mask = self.changes.are_for_all_heads() && before.changes.are_for_all_heads();
        let heads = if one_mask { n_heads.min(1) } else { n_heads };
        let settled = |query: &usize| {
            (0..heads).all(|head| {
                let old = before.visible(head, *query, n_before);
                let new = self.visible(head, *query, n_now);
                old[..same] == new[..same]
                    && !old[same..].contains(&true)
                    && !new[same..].contains(&true)
            })
        };
        (0..same).take_while(settled).count()
    }

    fn looks_back(&self) -> bool {
        self.changes.look_back() && !self.changes.has_large_fill()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const NO: f32 = f32::NEG_INFINITY;

    #[wasm_bindgen_test(unsupported = test)]
    fn padding_stays_closed_whatever_replaces_the_rules() {
        let mut changes = Changes::default();
        let replace = Change { mode: MaskMode::Replace, rule: Rule::Open, inverted: false };
        changes.join(Heads::All, replace);
        changes.join(Heads::All, Change::open(Rule::cells(vec![(0, 1)])));
        let mask = Mask::open().with(Heads::All, Rule::Causal).padded(&[true, false, true, false]);
        assert_eq!(mask.clone().changed(&changes).row(0, 0, 4), [0.0, NO, 0.0, NO]);
        assert_eq!(mask.changed(&changes).row(0, 0, 2), [0.0, NO]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_large_fill_is_added_and_infinity_put_in_place() {
        let mut changes = Changes::default();
        changes.fill(&[1], MaskFill::Large);
        let mask = Mask::open().with(Heads::All, Rule::Until(1)).changed(&changes);
        let scores = [1.0, 2.0, f32::INFINITY];
        let forbidden = |head| {
            let mut row = scores;
            mask.forbid(head, 0, &mut row);
            row
        };
        assert_eq!(forbidden(0), [1.0, NO, NO]);
        assert_eq!(forbidden(1), [1.0, 2.0 - 1e9, f32::INFINITY]);
        assert_eq!(mask.row(1, 0, 2), [0.0, -1e9]);
    }
}
