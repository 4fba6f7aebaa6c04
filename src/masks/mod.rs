//! Who may look at whom, as a description: a list of rules, each for some heads.
//! A description is small, compares by value and is turned into numbers row by row,
//! where a row is needed.
//!
//! A cell is open when every rule allows it. A forbidden cell adds `-∞` to its score
//! (Vaswani et al. 2017, section 3.2.3). A row without an open cell gets weights 0.

mod rule;

pub use rule::{Cell, Rule};

/// The mask of one attention site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mask {
    rules: Vec<(Heads, Rule)>,
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

    /// The same mask with one more rule; a rule that forbids nothing is left out, so
    /// that an edit without effect leaves an equal mask.
    #[must_use]
    pub fn with(mut self, heads: Heads, rule: Rule) -> Self {
        if !rule.is_open() && heads != Heads::Only(Vec::new()) {
            self.rules.push((heads, rule));
        }
        self
    }

    /// Writes `-∞` where `query` may not look in `head`; other cells stay as they are.
    /// `row` has one cell per key.
    pub fn forbid(&self, head: usize, query: usize, row: &mut [f32]) {
        for (heads, rule) in &self.rules {
            if heads.contains(head) {
                rule.forbid(query, row);
            }
        }
    }

    /// The additive row of one query: 0 where it may look, `-∞` where not.
    pub fn row(&self, head: usize, query: usize, n_keys: usize) -> Vec<f32> {
        let mut row = vec![0.0; n_keys];
        self.forbid(head, query, &mut row);
        row
    }

    /// Whether `query` may look nowhere at all.
    pub fn is_fully_masked(&self, head: usize, query: usize, n_keys: usize) -> bool {
        self.row(head, query, n_keys).iter().all(|&cell| cell == f32::NEG_INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const NO: f32 = f32::NEG_INFINITY;

    #[wasm_bindgen_test(unsupported = test)]
    fn rules_compose_and_hold_for_their_heads() {
        let mask = Mask::open()
            .with(Heads::All, Rule::Causal)
            .with(Heads::Only(vec![1]), Rule::cells(vec![(2, 0)]));
        assert_eq!(mask.row(0, 2, 4), [0.0, 0.0, 0.0, NO]);
        assert_eq!(mask.row(1, 2, 4), [NO, 0.0, 0.0, NO]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_forbids_nothing_changes_nothing() {
        let mask = Mask::open().with(Heads::All, Rule::Causal);
        let same = mask
            .clone()
            .with(Heads::All, Rule::cells(vec![]))
            .with(Heads::Only(vec![]), Rule::cells(vec![(0, 0)]))
            .with(Heads::All, Rule::padding(&[true, true]));
        assert_eq!(mask, same);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_row_without_an_open_cell_is_found() {
        let mask =
            Mask::open().with(Heads::All, Rule::Causal).with(Heads::All, Rule::cells(vec![(0, 0)]));
        assert!(mask.is_fully_masked(0, 0, 3));
        assert!(!mask.is_fully_masked(0, 1, 3));
    }
}
