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

/// The part of a pattern that a picture shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Which rows.
    pub queries: Range<usize>,
    /// Which columns.
    pub keys: Range<usize>,
    /// Pixels down and across, no more than it has rows and columns. A pixel has the colour of the
    /// number that is farthest from 0 among the cells that it covers.
    pub pixels: [usize; 2],
}
