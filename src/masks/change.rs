//! Changes of a mask, applied in order: rules joined to the present mask, each for some heads, and
//! the number that a masked cell adds to its score.
//!
//! | mode | mask after the change |
//! |---|---|
//! | and | present mask **and** the rule |
//! | or | present mask **or** the rule |
//! | replace | the rule |
//!
//! A list of changes without effect equals an empty list, as far as that is known without a text:
//! equal lists compute the same numbers.

use std::ops::Range;

use super::Heads;
use super::rule::Rule;
use crate::axes::named;

named! {
    /// How a mask rule joins the rules before it: `and` keeps visible the cells that both keep,
    /// `or` the cells that either keeps, `replace` ignores all rules before, the model's own mask
    /// included.
    #[derive(Default)]
    MaskMode, EditUnsupported, "the mode of a mask" {
        /// Visible are the cells that both the present mask and the rule keep visible.
        #[default]
        And = "and",
        /// Visible are the cells that the present mask or the rule keeps visible.
        Or = "or",
        /// Visible are the cells that the rule keeps visible.
        Replace = "replace",
    }
}

named! {
    /// The number that a masked cell adds to its score: minus infinity, which gives a fully masked
    /// row the weights 0, or -1e9, which leaves such a row to the arithmetic.
    #[derive(Default)]
    MaskFill, EditUnsupported, "the fill of a mask" {
        /// Minus infinity: the weight is 0.
        #[default]
        MinusInfinity = "-inf",
        /// The large negative number -1e9: the weight is 0 because `exp` underflows.
        Large = "-1e9",
    }
}

impl MaskFill {
    /// The number added by implementations that avoid infinities. Near -1e9, f32 has steps of 64:
    /// in a fully masked row all usual scores become this one number, and the weights uniform.
    pub const LARGE: f32 = -1e9;

    /// A bound far below every score of a model: a lower score was masked, by either fill.
    pub const LEAST_SCORE: f32 = -1e8;

    /// The number that a masked cell adds to its score.
    pub fn added(self) -> f32 {
        match self {
            Self::MinusInfinity => f32::NEG_INFINITY,
            Self::Large => Self::LARGE,
        }
    }
}

/// One rule and how it joins a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// How the rule joins the present mask.
    pub mode: MaskMode,
    /// The rule, before a possible inversion.
    pub rule: Rule,
    /// Whether the rule is inverted: visible becomes masked and the reverse.
    pub inverted: bool,
}

impl Change {
    /// A change that masks the cells that `rule` masks.
    pub fn and(rule: Rule) -> Self {
        Self { mode: MaskMode::And, rule, inverted: false }
    }

    /// A change that unmasks the cells that `rule` masks.
    pub fn open(rule: Rule) -> Self {
        Self { mode: MaskMode::Or, rule, inverted: true }
    }

    /// Applies the change to some cells of a row, `open`, whose first key is `first`, in a text of
    /// `n_keys` tokens.
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

    /// Writes the rule's own row, inverted if the change says so, without regard to the present
    /// mask.
    fn write(&self, query: usize, first: usize, n_keys: usize, open: &mut [bool]) {
        self.rule.write(query, first, n_keys, open);
        if self.inverted {
            for cell in open {
                *cell = !*cell;
            }
        }
    }

    /// Whether the change has no effect on any mask.
    fn is_vain(&self) -> bool {
        let vain_when = match self.mode {
            MaskMode::And => false,
            MaskMode::Or => true,
            MaskMode::Replace => return false,
        };
        self.inverted == vain_when && self.rule.is_open()
    }

    /// Whether every query attends to no later key after this change, given whether that held
    /// before.
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

/// All changes of a mask: the rules joined, and the heads with a large fill.
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

    /// Sets the fill of some heads; the last setting of a head counts.
    pub fn fill(&mut self, heads: &[usize], fill: MaskFill) {
        self.large.retain(|head| !heads.contains(head));
        if fill == MaskFill::Large {
            self.large.extend(heads);
            self.large.sort_unstable();
        }
    }

    /// Appends the changes of `later`.
    pub(super) fn then(&mut self, later: &Self) {
        for (heads, change) in &later.joined {
            self.join(heads.clone(), change.clone());
        }
        self.large.clone_from(&later.large);
    }

    /// Whether each of some keys is visible to a query, as far as these rules decide, in a text of
    /// `n_keys` tokens.
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
        // Most masks have one rule: before that rule everything is visible, and nothing needs
        // joining.
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

    /// The first masked key of a query, if all earlier keys are visible and all later ones masked;
    /// `None` if only the row itself shows that.
    pub(super) fn open_until(&self, head: usize, query: usize) -> Option<usize> {
        match self.of_head(head)[..] {
            [] => Some(usize::MAX),
            [Change { mode: MaskMode::And, rule: Rule::Causal, inverted: false }] => {
                Some(query + 1)
            }
            _ => None,
        }
    }

    /// The changes that apply to one head.
    pub(super) fn of_head(&self, head: usize) -> Vec<&Change> {
        let for_head = self.joined.iter().filter(|(heads, _)| heads.contains(head));
        for_head.map(|(_, change)| change).collect()
    }

    /// The fill of a head's masked cells.
    pub(super) fn fill_of(&self, head: usize) -> MaskFill {
        if self.large.binary_search(&head).is_ok() {
            MaskFill::Large
        } else {
            MaskFill::MinusInfinity
        }
    }

    /// Whether any head has a large, finite fill.
    pub(super) fn has_large_fill(&self) -> bool {
        !self.large.is_empty()
    }

    /// Whether all heads have the same rules.
    pub(super) fn are_for_all_heads(&self) -> bool {
        self.joined.iter().all(|(heads, _)| *heads == Heads::All)
    }

    /// Whether no query of any head attends to a later key, and no cell depends on the length of
    /// the text. `false` means that it is not known without computing the rows.
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
