//! The measures of a head: entropy, attention distance and its score for each role. A tally holds
//! sums over the queries for which a measure is defined, and their number. Tallies of many texts
//! are merged, never their means.
//!
//! `score = Σ_q s(q) / |eligible q|`, for `A` one head's weights:
//!
//! | role | eligible queries | `s(q)` |
//! |---|---|---|
//! | previous | `q ≥ 1` | `A[q, q−1]` |
//! | next | `q + 1 < n`, not in a causal stack | `A[q, q+1]`; across: 1 if the strongest key is `source(q+1)` |
//! | self | all | `A[q, q]` |
//! | first | `q ≥ 1`; across: all | `A[q, 0]` |
//! | separator | of texts with special tokens behind the first position, all but those | `Σ A[q, k]` over them |
//! | aligned | across: with a source | 1 if the strongest key is `source(q)` |
//! | duplicate | ordinary, with the same id at a visible `k ≠ q` | `Σ A[q, k]` over those `k` |
//! | induction | ordinary, with the same id at a `j < q − 1` | `Σ A[q, j+1]` over those `j` |
//! | rare | with two visible ordinary keys or more | 1 if the strongest key is the rarest of these |
//! | near | across: `q + 1` with a source, of nine keys or more | 1 if the strongest key is within one of `source(q+1)` |
//! | positional | those that see `q + δ` | 1 if the strongest key is `q + δ`; the best `δ` of −3…3 |
//! | broad | with two visible keys or more | entropy / ln(visible keys) |
//!
//! Sources: `roles.rs`. In cross-attention, previous, self, duplicate and induction, which compare
//! positions of one text, are undefined. The query of a fully masked row is eligible for no role.

use serde::Serialize;

use super::mean::Mean;
use super::pattern::{Pattern, Row};
use super::roles::Role;
use super::text::Text;
use crate::axes::Stack;

/// The relative positions `δ` that compete for the role `Positional` (Voita et al. 2019:
/// neighbours).
const OFFSETS: [isize; 7] = [-3, -2, -1, 0, 1, 2, 3];

/// The least number of keys for the role `Near`: three of them are a third at most.
const FEWEST_TO_BE_NEAR: usize = 9;

/// The sums of a head's measures on some texts.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// The mean score of each role, the most specific role first; empty for `positional`, which has
    /// `offsets`.
    #[cfg_attr(test, ts(as = "Vec<Mean>"))]
    means: [Mean; Role::ALL.len()],
    /// The share of queries whose strongest key is at each offset from −3 to 3, among the queries
    /// that see that offset. The role `positional` is the largest share of an offset that at least
    /// half of the queries see.
    #[cfg_attr(test, ts(as = "Vec<Mean>"))]
    offsets: [Mean; OFFSETS.len()],
    /// The mean entropy of the rows, in nats.
    entropy: Mean,
    /// The mean attention distance of the rows, in tokens; empty for cross-attention.
    distance: Mean,
    /// The number of queries.
    n_queries: usize,
}

impl Tally {
    /// Adds one text: the head's pattern and the tokens on both axes.
    pub fn add(&mut self, pattern: &Pattern<'_>, text: &Text<'_>) {
        for row in pattern.rows() {
            let within = text.stack != Stack::Cross;
            let entropy = row.entropy();
            self.n_queries += 1;
            self.entropy.add(entropy);
            if within {
                self.distance.add(row.distance());
            }
            self.count(Role::Previous, previous(&row).filter(|_| within));
            self.count(Role::Next, next(&row, text));
            self.count(Role::Aligned, on_source(&row, text, row.query));
            self.count(Role::Itself, row.weight(row.query).filter(|_| within));
            self.count(Role::First, row.weight(0).filter(|_| row.query > 0 || !within));
            self.count(Role::Separator, separator(&row, text));
            self.count(Role::Duplicate, duplicate(&row, text).filter(|_| within));
            self.count(Role::Induction, induction(&row, text).filter(|_| within));
            self.count(Role::Rare, rare(&row, text));
            self.count(Role::Near, near(&row, text));
            self.count(Role::Broad, broad(&row, entropy));
            self.place(&row);
        }
    }

    /// Adds the tally of the same head on other texts.
    pub fn merge(&mut self, other: &Self) {
        self.means.iter_mut().zip(other.means).for_each(|(mean, other)| mean.merge(other));
        self.offsets.iter_mut().zip(other.offsets).for_each(|(mean, other)| mean.merge(other));
        self.entropy.merge(other.entropy);
        self.distance.merge(other.distance);
        self.n_queries += other.n_queries;
    }

    /// The mean entropy of the rows, in nats; `None` if all rows are fully masked.
    pub fn entropy(&self) -> Option<f64> {
        self.entropy.value()
    }

    /// The mean attention distance of the rows, in tokens; `None` also for cross-attention.
    pub fn distance(&self) -> Option<f64> {
        self.distance.value()
    }

    /// The head's score for a role, from 0 to 1; `None` if no query was eligible.
    pub fn score(&self, role: Role) -> Option<f64> {
        match role {
            Role::Positional => self.positional(),
            other => self.means[other as usize].value(),
        }
    }

    fn count(&mut self, role: Role, value: Option<f64>) {
        if let Some(value) = value {
            self.means[role as usize].add(value);
        }
    }

    fn place(&mut self, row: &Row<'_>) {
        let strongest = row.strongest();
        for (mean, offset) in self.offsets.iter_mut().zip(OFFSETS) {
            let key = row.query.checked_add_signed(offset);
            if let Some(key) = key.filter(|&key| row.sees(key)) {
                mean.add(f64::from(u8::from(strongest == key)));
            }
        }
    }

    /// The score of `Positional`: the share of the best offset among those that half of the queries
    /// see.
    fn positional(&self) -> Option<f64> {
        let competes = |mean: &&Mean| 2 * mean.count() >= self.n_queries;
        let shares = self.offsets.iter().filter(competes).filter_map(|mean| mean.value());
        shares.reduce(f64::max)
    }
}

fn previous(row: &Row<'_>) -> Option<f64> {
    row.weight(row.query.checked_sub(1)?)
}

fn next(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let after = row.query + 1;
    match text.stack {
        Stack::Encoder => row.weight(after),
        Stack::Decoder => None,
        Stack::Cross => on_source(row, text, after),
    }
}

/// Whether the strongest key is the source of a token that has one.
fn on_source(row: &Row<'_>, text: &Text<'_>, token: usize) -> Option<f64> {
    let source = text.source(token)?;
    Some(f64::from(u8::from(row.strongest() == source)))
}

fn separator(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let eligible = !text.separators().is_empty() && !text.is_separator(row.query);
    eligible.then(|| row.together(text.separators().iter().copied()))
}

fn duplicate(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let same = text.same(row.query).iter().copied();
    let mut others = same.filter(|&key| key != row.query && row.sees(key)).peekable();
    others.peek()?;
    Some(row.together(others))
}

fn induction(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let same = text.same(row.query).iter().copied();
    let mut followers =
        same.map(|earlier| earlier + 1).take_while(|&key| key < row.query).peekable();
    followers.peek()?;
    Some(row.together(followers))
}

fn rare(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let competes = |&key: &usize| row.sees(key) && text.is_ordinary(key);
    let frequencies = (0..row.weights.len()).filter(competes).map(|key| text.frequency(key));
    let frequencies = frequencies.collect::<Option<Vec<f64>>>()?;
    if frequencies.len() < 2 {
        return None;
    }
    let rarest = frequencies.into_iter().reduce(f64::min)?;
    let strongest = row.strongest();
    let found = competes(&strongest) && text.frequency(strongest) == Some(rarest);
    Some(f64::from(u8::from(found)))
}

fn near(row: &Row<'_>, text: &Text<'_>) -> Option<f64> {
    let source = text.source(row.query + 1)?;
    let eligible = row.weights.len() >= FEWEST_TO_BE_NEAR;
    eligible.then(|| f64::from(u8::from(row.strongest().abs_diff(source) <= 1)))
}

fn broad(row: &Row<'_>, entropy: f64) -> Option<f64> {
    let n = row.n_visible();
    (n >= 2).then(|| entropy / (n as f64).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Lexicon;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_token_right_behind_its_like_has_no_follower_yet() {
        let ids = [2; 3];
        let lexicon = Lexicon::default();
        let text = Text::new(Stack::Decoder, &ids, &ids, &lexicon);
        let row = |query| Row { query, weights: &[0.0, 1.0, 0.0], visible: &[true; 3] };
        // What followed the first is the query itself; the third has one follower, the second.
        let found = [0, 1, 2].map(|query| induction(&row(query), &text));
        assert_eq!(found, [None, None, Some(1.0)]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn positional_is_the_best_offset_that_half_the_queries_have() {
        let ids = [2, 3, 4, 5];
        let lexicon = Lexicon::default();
        let cells = || (0..16).map(|at| (at / 4, at % 4));
        // Three back is always hit, but one query of four has it; the others are at 0 and −1.
        let weights: Vec<f32> =
            cells().map(|(query, key)| f32::from(u8::from([0, 0, 2, 0][query] == key))).collect();
        let visible: Vec<bool> = cells().map(|(query, key)| key <= query).collect();
        let pattern = Pattern { weights: &weights, visible: &visible, n_keys: 4 };
        let mut tally = Tally::default();
        tally.add(&pattern, &Text::new(Stack::Decoder, &ids, &ids, &lexicon));
        assert_eq!(tally.score(Role::Positional), Some(0.5));
    }
}
