//! What is done to a mask, in the order written: rules joined to what stands, each for some
//! heads, and what a forbidden cell adds to its score.
//!
//! | mode | what stands becomes |
//! |---|---|
//! | and | what stood **and** the rule |
//! | or | what stood **or** the rule |
//! | replace | the rule |
//!
//! A list that changes nothing equals an empty one as far as that is known without a text:
//! equal lists compute the same numbers.

use std::ops::Range;

use super::Heads;
use super::rule::Rule;
use crate::axes::named;

named! {
    /// How a preset is joined: `and` leaves open what both allow, `or` what either allows,
    /// `replace` ignores all before it, the model's own mask too.
    #[derive(Default)]
    MaskMode, EditUnsupported, "the mode of a mask" {
        /// What both allow.
        #[default]
        And = "and",
        /// What either allows.
        Or = "or",
        /// The preset alone.
        Replace = "replace",
    }
}

named! {
    /// What a masked cell adds to its score: minus infinity, which leaves a fully masked row with
    /// weights 0, or -1e9, which leaves it with what the arithmetic gives.
    #[derive(Default)]
    MaskFill, EditUnsupported, "the fill of a mask" {
        /// Minus infinity: the weight is 0.
        #[default]
        MinusInfinity = "-inf",
        /// A large negative number: the weight is 0 because `exp` underflows.
        Large = "-1e9",
    }
}

impl MaskFill {
    /// What implementations add that shun infinities. Near it, f32 has steps of 64: in a row
    /// without an open cell all usual scores become this one number, and the weights uniform.
    pub const LARGE: f32 = -1e9;

    /// No score of a model comes near it: what lies below was forbidden, by either fill.
    pub const LEAST_SCORE: f32 = -1e8;

    /// The number added.
    pub fn added(self) -> f32 {
        match self {
            Self::MinusInfinity => f32::NEG_INFINITY,
            Self::Large => Self::LARGE,
        }
    }
}

/// One rule on its way into a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// How it is joined.
    pub mode: MaskMode,
    /// The rule.
    pub rule: Rule,
    /// Yes where the rule says no.
    pub inverted: bool,
}

impl Change {
    /// Closes what the rule forbids.
    pub fn and(rule: Rule) -> Self {
        Self { mode: MaskMode::And, rule, inverted: false }
    }

    /// Opens what the rule forbids.
    pub fn open(rule: Rule) -> Self {
        Self { mode: MaskMode::Or, rule, inverted: true }
    }

    /// Changes a stretch of a row of what stands, in a text of `n_keys`.
    pub(super) fn apply(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        let listed = match (&self.rule, self.mode, self.inverted) {
            (Rule::Cells(_), MaskMode::And, false) => Some(false),
            (Rule::Cells(_), MaskMode::Or, true) => Some(true),
            _ => None,
        };
        if let Some(to) = listed {
            let keys = first..first + open.len();
            self.rule.listed(query, keys).for_each(|key| open[key - first] = to);
            return;
        }
        if self.mode == MaskMode::Replace {
            return self.write(query, first, n_keys, open);
        }
        let mut own = vec![false; open.len()];
        self.write(query, first, n_keys, &mut own);
        for (stands, rule) in open.iter_mut().zip(own) {
            *stands = if self.mode == MaskMode::And { *stands && rule } else { *stands || rule };
        }
    }

    /// The rule's own row, whatever stands.
    fn write(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        self.rule.write(query, first, n_keys, open);
        if self.inverted {
            for cell in open {
                *cell = !*cell;
            }
        }
    }

    /// Whether nothing can change, whatever stands.
    fn is_vain(&self) -> bool {
        let vain_when = match self.mode {
            MaskMode::And => false,
            MaskMode::Or => true,
            MaskMode::Replace => return false,
        };
        self.inverted == vain_when && self.rule.is_open()
    }

    /// Whether no query looks ahead after this change, given whether one did before.
    fn keeps_back(&self, all_heads: bool, before: bool) -> bool {
        let back = if self.inverted {
            match &self.rule {
                Rule::Cells(cells) => cells.iter().all(|(query, key)| key <= query),
                rule => rule.is_open(),
            }
        } else {
            self.rule.looks_back()
        };
        match self.mode {
            MaskMode::And => before || (back && all_heads),
            MaskMode::Or => before && back,
            MaskMode::Replace => back && (before || all_heads),
        }
    }
}

/// All that is done to a mask.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    joined: Vec<(Heads, Change)>,
    large: Vec<usize>,
}

impl Changes {
    /// Joins one more rule, for some heads.
    pub fn join(&mut self, heads: Heads, change: Change) {
        if heads == Heads::Only(Vec::new()) || change.is_vain() {
            return;
        }
        if heads == Heads::All && change.mode == MaskMode::Replace {
            self.joined.clear();
        }
        self.joined.push((heads, change));
    }

    /// Sets what forbidden cells of some heads add; the last word counts.
    pub fn fill(&mut self, heads: &[usize], fill: MaskFill) {
        self.large.retain(|head| !heads.contains(head));
        if fill == MaskFill::Large {
            self.large.extend(heads);
            self.large.sort_unstable();
        }
    }

    /// Does all of that after this.
    pub(super) fn then(&mut self, later: &Self) {
        for (heads, change) in &later.joined {
            self.join(heads.clone(), change.clone());
        }
        self.large.clone_from(&later.large);
    }

    /// Whether a query may look at each of some keys, as far as these rules go, in a text of
    /// `n_keys`.
    pub(super) fn row(
        &self,
        head: usize,
        query: usize,
        keys: Range<usize>,
        n_keys: usize,
    ) -> Vec<bool> {
        let first = keys.start;
        let mut open = vec![true; keys.len()];
        let mut changes = self.joined.iter().filter(|(heads, _)| heads.contains(head));
        // Most masks have one rule: before it everything is open, and nothing to be joined.
        match changes.next() {
            Some((_, change)) if change.mode == MaskMode::And => {
                change.write(query, first, n_keys, &mut open);
            }
            Some((_, change)) => change.apply(query, first, n_keys, &mut open),
            None => {}
        }
        changes.for_each(|(_, change)| change.apply(query, first, n_keys, &mut open));
        open
    }

    /// The first of the keys that a query may not look at, in the usual masks, which need no list.
    pub(super) fn open_until(&self, head: usize, query: usize) -> Option<usize> {
        match self.of_head(head)[..] {
            [] => Some(usize::MAX),
            [Change { mode: MaskMode::And, rule: Rule::Causal, inverted: false }] => {
                Some(query + 1)
            }
            _ => None,
        }
    }

    /// What is done to the mask of one head.
    pub(super) fn of_head(&self, head: usize) -> Vec<&Change> {
        let for_head = self.joined.iter().filter(|(heads, _)| heads.contains(head));
        for_head.map(|(_, change)| change).collect()
    }

    /// What a forbidden cell of a head adds.
    pub(super) fn fill_of(&self, head: usize) -> MaskFill {
        if self.large.binary_search(&head).is_ok() {
            MaskFill::Large
        } else {
            MaskFill::MinusInfinity
        }
    }

    /// Whether forbidden cells of any head add a finite number.
    pub(super) fn has_large_fill(&self) -> bool {
        !self.large.is_empty()
    }

    /// Whether all heads have one mask.
    pub(super) fn are_for_all_heads(&self) -> bool {
        self.joined.iter().all(|(heads, _)| *heads == Heads::All)
    }

    /// Whether no query of any head looks at a later key, and no cell depends on how long
    /// the text is. No says only that it is not known without looking at the rows.
    pub(super) fn look_back(&self) -> bool {
        self.joined.iter().all(|(_, change)| !change.rule.depends_on_length())
            && self
                .joined
                .iter()
                .fold(false, |back, (heads, change)| change.keeps_back(*heads == Heads::All, back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn changes(list: &[(Heads, Change)]) -> Changes {
        let mut changes = Changes::default();
        for (heads, change) in list {
            changes.join(heads.clone(), change.clone());
        }
        changes
    }

    fn change(mode: MaskMode, rule: Rule, inverted: bool) -> Change {
        Change { mode, rule, inverted }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_changes_nothing_equals_nothing() {
        let nothing = Changes::default();
        let vain = [
            (Heads::All, Change::and(Rule::Open)),
            (Heads::All, change(MaskMode::Or, Rule::Open, true)),
            (Heads::All, Change::and(Rule::cells(vec![]))),
            (Heads::All, Change::open(Rule::cells(vec![]))),
            (Heads::Only(vec![]), change(MaskMode::Replace, Rule::Causal, false)),
        ];
        assert_eq!(changes(&vain), nothing);
        let mut filled = nothing.clone();
        filled.fill(&[0, 2], MaskFill::Large);
        assert_eq!(
            [0, 1, 2].map(|head| filled.fill_of(head) == MaskFill::Large),
            [true, false, true]
        );
        filled.fill(&[0, 1, 2], MaskFill::MinusInfinity);
        assert_eq!(filled, nothing);
        // What is replaced for all heads is forgotten.
        let replaced = change(MaskMode::Replace, Rule::Prefix(2), false);
        let list = [(Heads::Only(vec![1]), Change::and(Rule::Causal)), (Heads::All, replaced)];
        assert_eq!(changes(&list), changes(&list[1..]));
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn looking_back_is_known_of_rules_without_their_rows() {
        let one = Heads::Only(vec![0]);
        let causal = (Heads::All, Change::and(Rule::Causal));
        let with =
            |heads: &Heads, change: Change| changes(&[causal.clone(), (heads.clone(), change)]);
        assert!(changes(std::slice::from_ref(&causal)).look_back());
        assert!(!changes(&[]).look_back());
        assert!(!changes(&[(one.clone(), Change::and(Rule::Causal))]).look_back());
        assert!(with(&one, Change::and(Rule::Until(2))).look_back());
        assert!(!with(&one, change(MaskMode::Or, Rule::Until(2), false)).look_back());
        assert!(!with(&Heads::All, change(MaskMode::Replace, Rule::Open, false)).look_back());
        assert!(with(&Heads::All, change(MaskMode::Replace, Rule::Open, true)).look_back());
        let strided = |one_sided| Rule::Strided { stride: 2, one_sided };
        assert!(with(&one, change(MaskMode::Replace, strided(true), false)).look_back());
        assert!(!with(&one, change(MaskMode::Replace, strided(false), false)).look_back());
        assert!(with(&one, Change::open(Rule::cells(vec![(3, 1)]))).look_back());
        assert!(!with(&one, Change::open(Rule::cells(vec![(1, 3)]))).look_back());
    }
}
