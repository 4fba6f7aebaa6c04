//! What a backend is told that makes a picture of a pattern where it is.

use std::ops::Range;

/// Entries of a ramp.
pub const RAMP_STEPS: usize = 256;

/// How numbers become colours: the ramp's entry at `(x − low) / (high − low)`, rounded. From 0 to
/// the pattern's largest number, or, where signs are told, as far on both sides of 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours {
    /// [`RAMP_STEPS`] colours, each its bytes red, green, blue and alpha.
    pub ramp: Vec<u8>,
    /// Whether 0 is the ramp's middle.
    pub signed: bool,
}

/// The rows and columns that a picture has in the place of a pattern's: each stands for a group of
/// queries or keys, in that order, and who is in no group is not shown.
///
/// A cell is the mean over its row's queries of the sum over its column's keys. Without one key,
/// the sum over both is divided by what those queries give to all other keys, shown or not; a row
/// that has nothing left is 0. A cell of one query and one key is that number to the bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joining {
    /// The queries of each row.
    pub rows: Vec<Vec<usize>>,
    /// The keys of each column.
    pub columns: Vec<Vec<usize>>,
    /// The key without which the weights are taken.
    pub without: Option<usize>,
}

/// The part of a pattern that a picture shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// What is joined before all else; with it the rows and columns below are groups.
    pub joining: Option<Joining>,
    /// Which rows.
    pub queries: Range<usize>,
    /// Which columns.
    pub keys: Range<usize>,
    /// Pixels down and across, no more than it has rows and columns. A pixel has the colour of the
    /// number that is farthest from 0 among the cells that it covers.
    pub pixels: [usize; 2],
}
