//! What stands where a head looks: the ids on both sides of a pattern, which of them are
//! special, where each id stands, and how often training saw it. Made once for a stack and
//! read for all its heads.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of a vocabulary beside the weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lexicon {
    /// Ids of special tokens, which stand for no piece of a text.
    pub special: BTreeSet<u32>,
    /// How often each id stood in the training text, `[v]`; of a foreign model not known.
    pub unigrams: Option<Vec<f64>>,
}

/// From where to where a site looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Within one text, in both directions.
    Both,
    /// Within one text, back.
    Back,
    /// From one text into another.
    Across,
}

/// The tokens of a pattern.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    sight: Sight,
    queries: &'a [u32],
    keys: &'a [u32],
    lexicon: &'a Lexicon,
    /// Where each ordinary id stands among the keys, ascending.
    places: BTreeMap<u32, Vec<usize>>,
    /// Special tokens among the keys, the first position left out.
    separators: Vec<usize>,
}

impl<'a> Text<'a> {
    /// The ids on both sides: `[n_q]` and `[n_k]`, the same ones unless the site looks across.
    pub fn new(sight: Sight, queries: &'a [u32], keys: &'a [u32], lexicon: &'a Lexicon) -> Self {
        let mut places = BTreeMap::<u32, Vec<usize>>::new();
        let mut separators = Vec::new();
        for (at, id) in keys.iter().enumerate() {
            if !lexicon.special.contains(id) {
                places.entry(*id).or_default().push(at);
            } else if at > 0 {
                separators.push(at);
            }
        }
        Self { sight, queries, keys, lexicon, places, separators }
    }

    /// Where its sites look.
    pub fn sight(&self) -> Sight {
        self.sight
    }

    /// Special tokens among the keys, the first position left out.
    pub fn separators(&self) -> &[usize] {
        &self.separators
    }

    /// Whether a query stands on a special token that is not the first one.
    pub fn is_separator(&self, query: usize) -> bool {
        query > 0 && self.queries.get(query).is_some_and(|id| self.lexicon.special.contains(id))
    }

    /// Where the query's own id stands; nowhere if it is special.
    pub fn same(&self, query: usize) -> &[usize] {
        let id = self.queries.get(query);
        id.and_then(|id| self.places.get(id)).map_or(&[], Vec::as_slice)
    }

    /// Whether a key is an ordinary token.
    pub fn is_ordinary(&self, key: usize) -> bool {
        self.keys.get(key).is_some_and(|id| !self.lexicon.special.contains(id))
    }

    /// How often training saw a key's token; not known without counts.
    pub fn frequency(&self, key: usize) -> Option<f64> {
        let id = *self.keys.get(key)?;
        self.lexicon.unigrams.as_ref()?.get(id as usize).copied()
    }
}
