//! Measures of every head of a stack on the text of this run: how wide it attends, how far, and how
//! far it plays each role.
//!
//! A row is measured by its weights before dropout, because dropout differs with the seed. A head
//! whose pattern keeps few singular values is not measured: its rows may have negative numbers and
//! sums other than 1. Such a head has null instead of a wrong number.
//!
//! Patterns are derived head by head and dropped again, so that a long text needs memory for one
//! pattern. The formulas are in `analysis`; this module supplies the patterns.

use std::rc::Rc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::views::fetch_all;
use super::{Reading, Run};
use crate::analysis::{Lexicon, Pattern, Role, Tally, Text};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

/// One head's tally, which can be merged with the tallies of the same head on other texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadTally {
    /// The index of the head's block.
    pub layer: usize,
    /// The index of the head in the block.
    pub head: usize,
    /// The head's sums so far.
    pub tally: Tally,
}

/// The measures of one head.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadMeasures {
    /// The index of the head's block.
    pub layer: usize,
    /// The index of the head in the block.
    pub head: usize,
    /// How wide the head attends: the mean entropy of its rows, in nats; null if every row is fully
    /// masked. All measures are null if the head's attention variant has no weights that sum to 1.
    pub entropy: Option<f64>,
    /// How far the head attends: the mean distance from query to key, weighted, in tokens; null in
    /// cross-attention.
    pub distance: Option<f64>,
    /// How far the head plays each role, from 0 to 1; null if the text has no query for which the
    /// role is defined.
    #[cfg_attr(test, ts(type = "Record<Role, number | null>"))]
    pub roles: RoleScores,
}

/// A score for each role, in the order of [`Role::ALL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoleScores([Option<f64>; Role::ALL.len()]);

impl RoleScores {
    /// The score of one role.
    pub fn of(&self, role: Role) -> Option<f64> {
        self.0[role as usize]
    }
}

impl Serialize for RoleScores {
    /// Writes an object with every role by its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("RoleScores", Role::ALL.len())?;
        for role in Role::ALL {
            object.serialize_field(role.name(), &self.of(role))?;
        }
        object.end()
    }
}

impl HeadTally {
    /// Adds the tally of the same head on other texts.
    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
    }

    /// The means over all texts in the tally.
    pub fn measures(&self) -> HeadMeasures {
        HeadMeasures {
            layer: self.layer,
            head: self.head,
            entropy: self.tally.entropy(),
            distance: self.tally.distance(),
            roles: RoleScores(Role::ALL.map(|role| self.tally.score(role))),
        }
    }
}

impl<B: Backend> Run<B> {
    /// The tally of every head of a stack, block by block, or of one block alone.
    ///
    /// # Errors
    /// `selection/bad-stack`, `run/not-ready`; `input/malformed` for counts that are not those of
    /// the vocabulary.
    pub fn tallies(
        &self,
        stack: Stack,
        lexicon: Lexicon,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadTally>>> {
        self.check_counts(&lexicon)?;
        let layers = self.layers(stack, among)?;
        // A cross-attention head is measured with the heads of all blocks, which align the two
        // texts.
        let read = self.layers(stack, among.filter(|_| stack != Stack::Cross))?;
        let specs = self.sites(stack, read.clone())?;
        // The ids of the queries and of the keys, as many as the rows and columns of a pattern.
        let queries = self.readable_ids(stack)?;
        let of_keys = if stack == Stack::Cross { Stack::Encoder } else { stack };
        let keys = self.readable_ids(of_keys)?;
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let mut text = Text::new(stack, &queries, &keys, &lexicon);
            fetch_all(&model.backend, &specs).await?;
            if stack == Stack::Cross {
                let mut sums = vec![0.0; queries.len() * keys.len()];
                let heads = specs.iter().flat_map(|spec| (0..spec.n_heads).map(move |h| (spec, h)));
                for weights in heads.filter_map(|(spec, head)| spec.shares(&model.backend, head)) {
                    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                }
                text.align(&sums);
            }
            let mut tallies = Vec::new();
            for layer in layers {
                let spec = &specs[layer - read.start];
                for head in 0..spec.n_heads {
                    let mut tally = Tally::default();
                    if let Some(weights) = spec.shares(&model.backend, head) {
                        let visible = spec.visible(&model.backend, head);
                        let pattern =
                            Pattern { weights: &weights, visible: &visible, n_keys: keys.len() };
                        tally.add(&pattern, &text);
                    }
                    tallies.push(HeadTally { layer, head, tally });
                }
            }
            Ok(tallies)
        }))
    }

    fn check_counts(&self, lexicon: &Lexicon) -> Result<()> {
        let n = self.model.config.n_vocabulary;
        match &lexicon.unigrams {
            Some(counts) if counts.len() != n => Err(Error::new(
                Code::InputMalformed,
                "the unigram counts",
                format!("{n}, one for each entry of the vocabulary"),
                format!("{} of them", counts.len()),
            )),
            _ => Ok(()),
        }
    }
}
