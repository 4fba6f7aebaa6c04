//! The visible cells of a mask, counted without writing all `n²` of them.
//!
//! One rule, alone or joined to a causal mask, is counted row by row. More rules are joined cell by
//! cell: in every row of a text of up to [`FEW_CELLS`] cells; in a longer one, in the rows that
//! rules name (global tokens, the queries of listed cells) and in a sample of the others, evenly
//! spread, each of which counts for its neighbours. Such a count is an estimate and marked as one.

use super::Mask;
use super::change::Change;
use super::rule::Rule;

/// The most cells that one count computes: all of a text of about a thousand tokens.
const FEW_CELLS: usize = 1 << 20;
/// The most rows named by rules that are counted one by one.
const MOST_NAMED: usize = 64;
/// The fewest rows of the sample of all other rows.
const LEAST_ROWS: usize = 32;

/// The visible cells of one head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The number of visible cells.
    pub cells: u64,
    /// Whether all rows were counted; otherwise `cells` is an estimate.
    pub exact: bool,
}

impl Mask {
    /// The visible cells of each of `heads` heads, for `n` queries and as many keys, without regard
    /// to padding. Heads that have the same rules are counted once.
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
        let of_one_rule = match *changes {
            [] => Some((n as u64).pow(2)),
            [only] => Some(only.cells(false, n)),
            [first, second] if *first == Change::and(Rule::Causal) => Some(second.cells(true, n)),
            _ => None,
        };
        if let Some(cells) = of_one_rule {
            return Count { cells, exact: true };
        }
        let of_row = |query: usize| {
            self.changes.row(head, query, 0..n, n).iter().filter(|&&open| open).count()
        };
        // In 64 bits: a long text has more pairs than 32 bits can count.
        if (n as u64).pow(2) <= FEW_CELLS as u64 {
            return Count { cells: (0..n).map(|query| of_row(query) as u64).sum(), exact: true };
        }
        let mut named: Vec<usize> = named_rows(changes, n).take(MOST_NAMED).collect();
        named.sort_unstable();
        named.dedup();
        let own: u64 = named.iter().map(|&query| of_row(query) as u64).sum();
        let rows = (FEW_CELLS / n).max(LEAST_ROWS);
        // The middle row of each stretch: where rows grow, as causal ones do, it has their mean.
        let others: Vec<usize> = (0..rows)
            .map(|row| (2 * row + 1) * n / (2 * rows))
            .filter(|query| named.binary_search(query).is_err())
            .collect();
        let sum: u64 = others.iter().map(|&query| of_row(query) as u64).sum();
        let mean = sum as f64 / others.len().max(1) as f64;
        #[expect(clippy::cast_sign_loss, reason = "a mean of counts")]
        let rest = (mean * (n - named.len()) as f64).round() as u64;
        Count { cells: own + rest, exact: false }
    }
}

/// The rows that rules name one by one, and that may differ from their neighbours.
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
    use crate::masks::{Layer, MaskMode};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn rules() -> Vec<Rule> {
        let window = |width, dilation, one_sided| Some(Window { width, dilation, one_sided });
        vec![
            Rule::Open,
            Rule::Causal,
            Rule::cells(vec![(0, 0), (3, 1), (3, 9), (50, 2)]),
            Rule::Until(0),
            Rule::Until(7),
            Rule::Prefix(5),
            Rule::Blocks(1),
            Rule::Blocks(6),
            Rule::Blocks(usize::MAX),
            Rule::Strided { stride: 1, one_sided: false },
            Rule::Strided { stride: 4, one_sided: false },
            Rule::Strided { stride: 5, one_sided: true },
            links(window(0, 1, false), &[], None),
            links(window(3, 1, true), &[], None),
            links(window(2, 3, false), &[], None),
            links(None, &[1, 8], None),
            links(window(2, 1, false), &[0, 4, 5], None),
            links(window(1, 2, true), &[3], Some(Random { keys: 3, seed: 5 })),
            links(None, &[], Some(Random { keys: 4, seed: 9 })),
        ]
    }

    /// A stretch of a row has the same cells as the whole row, whatever was there before.
    #[wasm_bindgen_test(unsupported = test)]
    fn any_stretch_of_a_row_has_the_same_cells() {
        for (rule, query) in rules().iter().flat_map(|rule| (0..14).map(move |at| (rule, at))) {
            let mut open = [true; 12];
            rule.write(query, 0, 12, &mut open);
            for (first, end) in (0..12).flat_map(|first| (first..=12).map(move |end| (first, end)))
            {
                let mut part: Vec<bool> = open[first..end].iter().map(|open| !open).collect();
                rule.write(query, first, 12, &mut part);
                assert_eq!(part, open[first..end], "{rule:?}, {query}: {first}..{end}");
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn counted_cells_are_those_that_are_open() {
        for (rule, causal, inverted, mode) in rules().iter().flat_map(|rule| {
            [false, true].into_iter().flat_map(move |causal| {
                [false, true].into_iter().flat_map(move |inverted| {
                    [MaskMode::And, MaskMode::Or, MaskMode::Replace]
                        .map(|mode| (rule, causal, inverted, mode))
                })
            })
        }) {
            let mut changes = Changes::default();
            if causal {
                changes.join(Heads::All, Change::and(Rule::Causal));
            }
            let change = Change { mode, rule: rule.clone(), inverted };
            changes.join(Heads::All, change.clone());
            for n in [0, 1, 2, 5, 11, 12, 31] {
                let open =
                    |query| changes.row(0, query, 0..n, n).iter().filter(|&&open| open).count();
                let brute: usize = (0..n).map(open).sum();
                assert_eq!(change.cells(causal, n), brute as u64, "{change:?} at {n}");
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_table_of_the_paper_has_its_numbers() {
        let table = Layer::table(81.0, 512.0, 3.0, 9.0);
        let rows =
            table.map(|Layer { operations, sequential, path, .. }| (operations, sequential, path));
        assert_eq!(
            rows,
            [
                (81.0 * 81.0 * 512.0, 1.0, 1.0),
                (81.0 * 512.0 * 512.0, 81.0, 81.0),
                (3.0 * 81.0 * 512.0 * 512.0, 1.0, 4.0),
                (9.0 * 81.0 * 512.0, 1.0, 9.0),
            ]
        );
        assert!(Layer::table(1.0, 8.0, 3.0, 1.0).iter().all(|layer| layer.path == 1.0));
        let convolutional = |n, k| Layer::table(n, 8.0, k, 1.0)[2].path;
        assert_eq!(
            [(82.0, 3.0), (243.0, 3.0), (125.0, 5.0)].map(|(n, k)| convolutional(n, k)),
            [5.0, 5.0, 3.0]
        );
        assert_eq!(convolutional(2.0, 1.0), f64::INFINITY);
    }

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
            (Heads::All, Change { mode: MaskMode::Or, rule: Rule::Until(3), inverted: false }),
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
        let near = Some(Window { width: 5, dilation: 1, one_sided: false });
        let global = mask(&[
            (Heads::All, Change::and(links(near, &[0, 25_000], None))),
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
