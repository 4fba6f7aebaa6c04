//! What stands where a head looks: the ids on both sides of a pattern, which of them are
//! special, where each id stands, and how often training saw it. Made once for a stack and
//! read for all its heads.

use std::collections::BTreeMap;

use super::pattern::Row;
use crate::axes::Stack;

/// What is known of a vocabulary beside the weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lexicon {
    /// Ids of special tokens, which stand for no piece of a text, in ascending order.
    pub special: Vec<u32>,
    /// How often each id stood in the training text, `[v]`; of a foreign model not known.
    pub unigrams: Option<Vec<f64>>,
}

impl Lexicon {
    fn is_special(&self, id: u32) -> bool {
        self.special.binary_search(&id).is_ok()
    }
}

/// The tokens of a pattern.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    pub(super) stack: Stack,
    queries: &'a [u32],
    keys: &'a [u32],
    lexicon: &'a Lexicon,
    /// Where each ordinary id stands among the keys, ascending.
    places: BTreeMap<u32, Vec<usize>>,
    /// Special tokens among the keys, the first position left out.
    separators: Vec<usize>,
    /// By target token the key that the row before it attends to; empty before `align`.
    sources: Vec<Option<usize>>,
}

impl<'a> Text<'a> {
    /// The ids on both sides: `[n_q]` and `[n_k]`, the same ones unless the site looks across.
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

    /// Finds the source of each target token in the weights of all heads of a stack, added up.
    pub fn align(&mut self, sums: &[f32]) {
        let rows = sums.chunks_exact(self.keys.len().max(1)).enumerate();
        let found = rows.map(|(query, weights)| {
            let key = Row { query, weights, visible: &[] }.strongest();
            (weights[key] > 0.0 && self.is_ordinary(key)).then_some(key)
        });
        self.sources = std::iter::once(None).chain(found).collect();
    }

    /// The ordinary key that an ordinary target token comes from.
    pub(super) fn source(&self, token: usize) -> Option<usize> {
        let id = self.queries.get(token)?;
        (*self.sources.get(token)?).filter(|_| !self.lexicon.is_special(*id))
    }

    /// Special tokens among the keys, the first position left out.
    pub fn separators(&self) -> &[usize] {
        &self.separators
    }

    /// Whether a query stands on a special token that is not the first one.
    pub fn is_separator(&self, query: usize) -> bool {
        query > 0 && self.queries.get(query).is_some_and(|id| self.lexicon.is_special(*id))
    }

    /// Where the query's own id stands; nowhere if it is special.
    pub fn same(&self, query: usize) -> &[usize] {
        let id = self.queries.get(query);
        id.and_then(|id| self.places.get(id)).map_or(&[], Vec::as_slice)
    }

    /// Whether a key is an ordinary token.
    pub fn is_ordinary(&self, key: usize) -> bool {
        self.keys.get(key).is_some_and(|id| !self.lexicon.is_special(*id))
    }

    /// How often training saw a key's token; not known without counts.
    pub fn frequency(&self, key: usize) -> Option<f64> {
        let id = *self.keys.get(key)?;
        self.lexicon.unigrams.as_ref()?.get(id as usize).copied()
    }
}
