//! A head's pattern as a picture whose colours a backend makes where the pattern is, so that
//! pixels are read back and no numbers. Which colours there are is for whoever asks.
//!
//! It is not for a backend whose numbers are at hand: there a picture costs no more than to read
//! them.

use std::ops::Range;

use super::Run;
use super::patterns::Marginals;
use super::views::{Reading, check_part, check_size};
use crate::axes::{Stack, Stage};
use crate::backend::{Backend, Colours, Joining, RAMP_STEPS, View};
use crate::error::{Code, Error, Result};

/// Pixels on a side that no screen has.
const MOST_PIXELS: usize = 8192;
/// Bytes of a pixel: red, green, blue, alpha.
const CHANNELS: usize = 4;

/// A picture of one head's pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Painted {
    /// Pixels down and across.
    pub shape: [usize; 2],
    /// Red, green, blue and alpha of each, row after row. What has no colour is transparent.
    pub pixels: Vec<u8>,
    /// Of the whole pattern, joined if it was: its colours go up to the numbers between which all
    /// cells lie.
    pub marginals: Marginals,
}

/// What of a pattern is to be painted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureAsked {
    /// The colours.
    pub colours: Colours,
    /// Rows and columns that stand for several queries and keys, or leave some out.
    pub joining: Option<Joining>,
    /// The rows and columns that are shown; all of them by default.
    pub part: Option<[Range<usize>; 2]>,
    /// The most pixels on a side: a larger part is reduced to as many.
    pub most: usize,
}

impl<B: Backend> Run<B> {
    /// Paints one head's pattern at a stage; `None` where the backend leaves that to whoever has
    /// read the numbers.
    ///
    /// # Errors
    /// `selection/…` for what does not exist and a ramp of another length, `run/not-ready`.
    pub fn painted(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        stage: Stage,
        asked: PictureAsked,
    ) -> Result<Option<Reading<Painted>>> {
        let spec = self.whole_site(stack, layer)?;
        self.check_head(stack, head)?;
        let PictureAsked { colours, joining, part, most } = asked;
        check_size("the pixels on a side", most, MOST_PIXELS)?;
        if colours.ramp.len() != RAMP_STEPS * CHANNELS {
            let expected = format!("{} bytes, four for each of its colours", RAMP_STEPS * CHANNELS);
            let got = colours.ramp.len().to_string();
            return Err(Error::new(Code::SelectionBadSize, "the ramp", expected, got));
        }
        let whole = self.pattern_shape(&spec);
        let sides = match &joining {
            Some(joining) => joined_sides(joining, whole)?,
            None => whole,
        };
        let [queries, keys] = part.unwrap_or(sides.map(|n| 0..n));
        check_part("the rows", &queries, sides[0])?;
        check_part("the columns", &keys, sides[1])?;
        let shape = [queries.len().min(most), keys.len().min(most)];
        let view = View { joining, queries, keys, pixels: shape };
        let backend = &self.model.backend;
        let pattern = || spec.pattern(backend, head, stage);
        let Some([marginals, painted]) = backend.painted(pattern, &colours, &view) else {
            return Ok(None);
        };
        let (marginals, words) = (self.read_marginals(&marginals, sides[0]), self.read(&painted));
        Ok(Some(Box::pin(async move {
            let pixels = words.await?.into_iter().flat_map(|word| word.to_bits().to_le_bytes());
            Ok(Painted { shape, pixels: pixels.collect(), marginals: marginals.await? })
        })))
    }
}

/// How many rows and columns a pattern has once it is joined.
///
/// # Errors
/// `selection/bad-position` for what it does not have, for who stands in two groups or twice in one
/// and for a key that is left out and shown, `selection/bad-size` for a group of nobody and for none.
fn joined_sides(joining: &Joining, [n_queries, n_keys]: [usize; 2]) -> Result<[usize; 2]> {
    let Joining { rows, columns, without } = joining;
    check_groups("the queries of a row", rows, n_queries, None)?;
    if let Some(key) = *without {
        check_part("the key that is left out", &(key..key.saturating_add(1)), n_keys)?;
    }
    check_groups("the keys of a column", columns, n_keys, *without)?;
    Ok([rows.len(), columns.len()])
}

fn check_groups(what: &str, groups: &[Vec<usize>], n: usize, without: Option<usize>) -> Result<()> {
    check_size("the number of groups", groups.len(), n)?;
    let mut is_taken = vec![false; n];
    for group in groups {
        check_size("the tokens of a group", group.len(), n)?;
        for &member in group {
            check_part(what, &(member..member.saturating_add(1)), n)?;
            if std::mem::replace(&mut is_taken[member], true) || without == Some(member) {
                let expected = "positions that stand in one group, once, and are not left out";
                return Err(Error::new(
                    Code::SelectionBadPosition,
                    what,
                    expected,
                    member.to_string(),
                ));
            }
        }
    }
    Ok(())
}
