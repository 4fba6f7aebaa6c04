//! Masks as descriptions: which keys are visible to which queries, by rules for some heads, joined
//! one after the other. A description is small, compares by value, and is turned into numbers row
//! by row.
//!
//! A model's own rule is the first; edits are joined to it, and may replace it. Padding keys of the
//! text stay masked whatever the rules say. A masked cell adds `-∞` to its score (Vaswani et al.
//! 2017, section 3.2.3), and a fully masked row gets weights 0; or, for heads with a large fill, a
//! masked cell adds `-10⁹`.

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

/// The heads to which a rule applies.
#[derive(Debug, Clone, PartialEq)]
pub enum Heads {
    /// Every head of the site.
    All,
    /// The heads of this list, in ascending order.
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
    /// A mask without rules: every key is visible to every query.
    pub fn open() -> Self {
        Self::default()
    }

    /// The mask joined with one more rule, which masks cells; a rule that masks nothing is left
    /// out, so that an edit without effect leaves an equal mask.
    #[must_use]
    pub fn with(mut self, heads: Heads, rule: Rule) -> Self {
        self.changes.join(heads, Change::and(rule));
        self
    }

    /// The mask after further changes.
    #[must_use]
    pub fn changed(mut self, changes: &Changes) -> Self {
        self.changes.then(changes);
        self
    }

    /// The mask with padding, the keys whose `real` is false; they are masked whatever the rules
    /// say.
    #[must_use]
    pub fn padded(mut self, real: &[bool]) -> Self {
        self.padding = (0..real.len()).filter(|&key| !real[key]).collect();
        self
    }

    /// Whether each key is visible to `query` in `head`, `[n_keys]`.
    pub fn visible(&self, head: usize, query: usize, n_keys: usize) -> Vec<bool> {
        self.visible_among(head, query, 0..n_keys, n_keys)
    }

    /// Whether each key of a range is visible to `query` in `head`, in a text of `n_keys` keys.
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

    /// The number that masked cells of a head add to their scores.
    pub fn fill(&self, head: usize) -> MaskFill {
        self.changes.fill_of(head)
    }

    /// The first masked key of a query, if all earlier keys are visible, all later ones masked, and
    /// masked scores become `-∞`; `None` if only the row itself shows that.
    pub fn open_until(&self, head: usize, query: usize) -> Option<usize> {
        let replaces = self.fill(head) == MaskFill::MinusInfinity && self.padding.is_empty();
        self.changes.open_until(head, query).filter(|_| replaces)
    }

    /// Adds the fill to the masked cells of a row of scores, `[n_keys]`; visible cells stay
    /// unchanged.
    pub fn forbid(&self, head: usize, query: usize, row: &mut [f32]) {
        if let Some(end) = self.open_until(head, query) {
            return row.iter_mut().skip(end).for_each(|score| *score = f32::NEG_INFINITY);
        }
        let added = self.fill(head).added();
        let visible = self.visible(head, query, row.len());
        for (score, open) in row.iter_mut().zip(visible) {
            // `-∞` is assigned, not added: a score of +∞ or NaN is masked like any other.
            if !open {
                *score = if added == f32::NEG_INFINITY { added } else { *score + added };
            }
        }
    }

    /// The additive mask of one query, `[n_keys]`: 0 at visible keys, the fill at masked ones.
    pub fn row(&self, head: usize, query: usize, n_keys: usize) -> Vec<f32> {
        let mut row = vec![0.0; n_keys];
        self.forbid(head, query, &mut row);
        row
    }

    /// How many of the first `same` queries, from the first on, attend to the first `same` keys
    /// alone, and to the same ones of them, before with `n_before` keys and now with `n_now`: their
    /// rows need not be computed again if those keys are the same.
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
        // A finite fill leaves weights that depend on the scores, which are unknown here.
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
