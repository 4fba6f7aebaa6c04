//! The tokens on both axes of a pattern: their ids, which of them are special, the positions of
//! each id, and its frequency in the training text. Made once for a stack and read for all its
//! heads.

use std::collections::BTreeMap;

use super::pattern::Row;
use crate::axes::Stack;

/// Facts about a model's vocabulary that its weights do not hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lexicon {
    /// Ids of special tokens, which stand for no piece of a text, in ascending order.
    pub special: Vec<u32>,
    /// The frequency of each id in the training text, `[v]`; `None` for a model whose counts are
    /// unknown.
    pub unigrams: Option<Vec<f64>>,
}

impl Lexicon {
    /// With the ids of special tokens in any order.
    pub fn new(special: &[u32], unigrams: Option<Vec<f64>>) -> Self {
        let mut lexicon = Self { unigrams, ..Self::default() };
        // A set, or a sort of its own, would be code that nothing else needs.
        for &id in special {
            if let Err(place) = lexicon.special.binary_search(&id) {
                lexicon.special.insert(place, id);
            }
        }
        lexicon
    }

    fn is_special(&self, id: u32) -> bool {
        self.special.binary_search(&id).is_ok()
    }
}

/// The tokens on both axes of a pattern.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    pub(super) stack: Stack,
    queries: &'a [u32],
    keys: &'a [u32],
    lexicon: &'a Lexicon,
    /// The positions of each ordinary id among the keys, ascending.
    places: BTreeMap<u32, Vec<usize>>,
    /// The positions of special tokens among the keys, without the first position.
    separators: Vec<usize>,
    /// For each target token, the key with the most weight in the row before it; empty before
    /// `align`.
    sources: Vec<Option<usize>>,
}

impl<'a> Text<'a> {
    /// Takes the ids of both axes, `[n_q]` and `[n_k]`: the same ones unless the site is
    /// cross-attention.
    pub fn new(stack: Stack, queries: &'a [u32], keys: &'a [u32], lexicon: &'a Lexicon) -> Self {
        let mut places = BTreeMap::<u32, Vec<usize>>::new();
        let mut separators = Vec::new();
        for (at, id) in keys.iter().enumerate() {
            if !lexicon.is_special(*id) {
                places.entry(*id).or_default().push(at);
            } else if at > 0 {
                separators.push(at);
            }
        }
        Self { stack, queries, keys, lexicon, places, separators, sources: Vec::new() }
    }

    /// Finds the source of each target token from `sums`, the sum of the weights of all heads of a
    /// stack, `[n_q, n_k]`.
    pub fn align(&mut self, sums: &[f32]) {
        let rows = sums.chunks_exact(self.keys.len().max(1)).enumerate();
        let found = rows.map(|(query, weights)| {
            let key = Row { query, weights, visible: &[] }.strongest();
            (weights[key] > 0.0 && self.is_ordinary(key)).then_some(key)
        });
        self.sources = std::iter::once(None).chain(found).collect();
    }

    /// The ordinary key that is the source of an ordinary target token.
    pub(super) fn source(&self, token: usize) -> Option<usize> {
        let id = self.queries.get(token)?;
        (*self.sources.get(token)?).filter(|_| !self.lexicon.is_special(*id))
    }

    /// The positions of special tokens among the keys, without the first position.
    pub fn separators(&self) -> &[usize] {
        &self.separators
    }

    /// Whether the token of a query is special and not the first one.
    pub fn is_separator(&self, query: usize) -> bool {
        query > 0 && self.queries.get(query).is_some_and(|id| self.lexicon.is_special(*id))
    }

    /// The keys with the id of the query's token, ascending; none if the token is special.
    pub fn same(&self, query: usize) -> &[usize] {
        let id = self.queries.get(query);
        id.and_then(|id| self.places.get(id)).map_or(&[], Vec::as_slice)
    }

    /// Whether a key is an ordinary token.
    pub fn is_ordinary(&self, key: usize) -> bool {
        self.keys.get(key).is_some_and(|id| !self.lexicon.is_special(*id))
    }

    /// The frequency of a key's token in the training text; `None` without counts.
    pub fn frequency(&self, key: usize) -> Option<f64> {
        let id = *self.keys.get(key)?;
        self.lexicon.unigrams.as_ref()?.get(id as usize).copied()
    }
}
