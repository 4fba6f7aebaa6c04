//! How many cells a whole mask leaves open in a text of any length: rules joined one after
//! the other, for one head.
//!
//! One rule, be it joined to a causal mask, is counted row by row without writing `n²` cells
//! (`cost.rs`). More rules than that are joined cell by cell: every row of a text of up to
//! [`FEW_CELLS`] cells; of a longer one the rows that rules name (global tokens, the queries of
//! listed cells) and some others, evenly spread, each of which stands for its neighbours. Such
//! a count is an estimate and says so.

use std::collections::BTreeSet;

use super::Mask;
use super::change::{Change, Mode};
use super::cost::Joined;
use super::rule::Rule;

/// Cells that one count may look at: all of a text of about a thousand tokens.
const FEW_CELLS: usize = 1 << 20;
/// Of the rows that rules name, so many are counted by themselves.
const MOST_NAMED: usize = 64;
/// At least so many of the others.
const LEAST_ROWS: usize = 32;

/// Open cells of one head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub cells: u64,
    /// Whether all rows were counted.
    pub exact: bool,
}

impl Mask {
    /// The open cells of every head of `heads`, for `n` queries and as many keys, without what
    /// is padding in a text. Heads that have the same rules are counted once.
    pub fn count(&self, heads: usize, n: usize) -> Vec<Count> {
        let mut known: Vec<(Vec<&Change>, Count)> = Vec::new();
        (0..heads)
            .map(|head| {
                let changes = self.changes.of_head(head);
                if let Some((_, count)) = known.iter().find(|(same, _)| *same == changes) {
                    return *count;
                }
                let count = self.count_head(head, &changes, n);
                known.push((changes, count));
                count
            })
            .collect()
    }

    fn count_head(&self, head: usize, changes: &[&Change], n: usize) -> Count {
        if let Some(joined) = alone(changes) {
            return Count { cells: joined.cells(n), exact: true };
        }
        let of_row = |query: usize| {
            self.changes.row(head, query, 0..n, n).iter().filter(|&&open| open).count()
        };
        // In 64 bits: a long text has more pairs than 32 can count.
        if (n as u64).pow(2) <= FEW_CELLS as u64 {
            return Count { cells: (0..n).map(|query| of_row(query) as u64).sum(), exact: true };
        }
        let named: BTreeSet<usize> = named_rows(changes, n).take(MOST_NAMED).collect();
        let own: u64 = named.iter().map(|&query| of_row(query) as u64).sum();
        let rows = (FEW_CELLS / n).max(LEAST_ROWS);
        // From the middle of each stretch: where rows grow, as causal ones do, it is their mean.
        let others: Vec<usize> = (0..rows)
            .map(|row| (2 * row + 1) * n / (2 * rows))
            .filter(|query| !named.contains(query))
            .collect();
        let sum: u64 = others.iter().map(|&query| of_row(query) as u64).sum();
        let mean = sum as f64 / others.len().max(1) as f64;
        #[expect(clippy::cast_sign_loss, reason = "a mean of counts")]
        let rest = (mean * (n - named.len()) as f64).round() as u64;
        Count { cells: own + rest, exact: false }
    }
}

/// The one rule that decides, where there is but one beside a causal mask.
fn alone<'a>(changes: &[&'a Change]) -> Option<Joined<'a>> {
    let joined = |causal, change: &'a Change| Joined {
        causal,
        mode: change.mode,
        rule: &change.rule,
        inverted: change.inverted,
    };
    match *changes {
        [] => {
            Some(Joined { causal: false, mode: Mode::Replace, rule: &Rule::Open, inverted: false })
        }
        [only] => Some(joined(false, only)),
        [first, second] if *first == Change::and(Rule::Causal) => Some(joined(true, second)),
        _ => None,
    }
}

/// The rows that rules are different for.
fn named_rows<'a>(changes: &'a [&Change], n: usize) -> impl Iterator<Item = usize> + 'a {
    changes
        .iter()
        .flat_map(|change| match &change.rule {
            Rule::Cells(cells) => cells.iter().map(|(query, _)| *query).collect(),
            Rule::Links(links) => links.tokens.clone(),
            _ => Vec::new(),
        })
        .filter(move |&query| query < n)
}

#[cfg(test)]
mod tests {
    use super::super::{Changes, Heads, Links, Random, Window};
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn window(width: usize) -> Rule {
        links(Some(Window { width, dilation: 1, one_sided: false }), &[], None)
    }

    fn links(window: Option<Window>, tokens: &[usize], random: Option<Random>) -> Rule {
        Rule::Links(Links { window, tokens: tokens.to_vec(), random })
    }

    fn mask(list: &[(Heads, Change)]) -> Mask {
        let mut changes = Changes::default();
        for (heads, change) in list {
            changes.join(heads.clone(), change.clone());
        }
        Mask::open().changed(&changes)
    }

    /// Causal, within a window or to the first tokens, but not one cell: counted cell by cell.
    fn composed() -> Mask {
        mask(&[
            (Heads::All, Change::and(Rule::Causal)),
            (Heads::All, Change::and(window(20))),
            (Heads::All, Change { mode: Mode::Or, rule: Rule::Until(3), inverted: false }),
            (Heads::Only(vec![1]), Change::and(Rule::cells(vec![(40, 1)]))),
        ])
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn short_texts_are_counted_cell_by_cell() {
        let mask = composed();
        for n in [0, 1, 30, 200] {
            let brute = |head| {
                let row = |query| mask.visible(head, query, n).iter().filter(|&&open| open).count();
                Count { cells: (0..n).map(row).sum::<usize>() as u64, exact: true }
            };
            assert_eq!(mask.count(3, n), [brute(0), brute(1), brute(2)], "{n} tokens");
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn long_texts_are_estimated_and_named_rows_counted() {
        let n = 50_000;
        // 20 before, itself, and the first three, which the first rows see anyway.
        let [estimate, _, _] = composed().count(3, n)[..] else { panic!("three heads") };
        let exact = 24.0 * n as f64;
        assert!(!estimate.exact);
        assert!((estimate.cells as f64 / exact - 1.0).abs() < 0.01, "{estimate:?}");
        // A row that sees all is not one of those that stand for others.
        let global = mask(&[
            (
                Heads::All,
                Change::and(links(
                    Some(Window { width: 5, dilation: 1, one_sided: false }),
                    &[0, 25_000],
                    None,
                )),
            ),
            (Heads::All, Change::and(window(50_000))),
        ]);
        let exact = f64::from(11 + 2) * n as f64 + 2.0 * n as f64;
        let [count] = global.count(1, n)[..] else { panic!("one head") };
        assert!((count.cells as f64 / exact - 1.0).abs() < 0.01, "{count:?} {exact}");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn padding_of_a_text_is_not_part_of_it() {
        let padded = Mask::open().padded(&[true, false, false]);
        assert_eq!(padded.count(1, 3), [Count { cells: 9, exact: true }]);
    }
}
