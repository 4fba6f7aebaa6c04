//! Checks that several questions to a run make of their fields, and the refusal of one that comes
//! too early.

use std::ops::Range;

use crate::error::{Code, Error, Result};

/// The range of one position.
///
/// # Errors
/// `selection/bad-position` if the position is not below `n`.
pub(in crate::run) fn checked_position(position: usize, n: usize) -> Result<Range<usize>> {
    if position < n {
        return Ok(position..position + 1);
    }
    Err(Error::beyond(Code::SelectionBadPosition, "the position", n - 1, position))
}

/// Checks a number that must be from 1 to `largest`.
///
/// # Errors
/// `selection/bad-size`, naming `what`.
pub(in crate::run) fn check_size(what: &str, size: usize, largest: usize) -> Result<()> {
    if (1..=largest).contains(&size) {
        return Ok(());
    }
    let expected = format!("a whole number from 1 to {largest}");
    Err(Error::new(Code::SelectionBadSize, what, expected, size.to_string()))
}

/// The refusal of what the run has not computed yet.
pub(in crate::run) fn not_ready(what: &str) -> Error {
    Error::new(
        Code::RunNotReady,
        what,
        "a run that has computed it; wait for it",
        "one that has not yet",
    )
}
