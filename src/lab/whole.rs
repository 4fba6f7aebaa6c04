//! Numbers that a person typed, as counts.

use crate::error::{Code, Error, Result, shown};

/// A whole number in a range; any other is refused.
pub(super) fn whole(what: &str, number: f64, least: usize, most: usize) -> Result<usize> {
    if number.fract() == 0.0 && (least as f64..=most as f64).contains(&number) {
        #[expect(clippy::cast_sign_loss, reason = "checked to be at least 0")]
        return Ok(number as usize);
    }
    Err(refused(what, least, most, number))
}

/// An even number in a range.
pub(super) fn even(what: &str, number: f64, least: usize, most: usize) -> Result<usize> {
    let found = whole(what, number, least, most)?;
    if found.is_multiple_of(2) {
        return Ok(found);
    }
    Err(unusable(what, &format!("an even number from {least} to {most}"), found.to_string()))
}

/// Why a number is refused.
pub(super) fn refused(what: &str, least: usize, most: usize, got: f64) -> Error {
    unusable(what, &format!("a whole number from {least} to {most}"), shown(got))
}

/// What a laboratory cannot compute with.
pub(super) fn unusable(what: &str, expected: &str, got: String) -> Error {
    Error::new(Code::InputOutOfRange, what, expected, got)
}

/// A seed as the page has them.
pub(super) fn seed(number: f64) -> Result<u64> {
    whole("the seed", number, 0, u32::MAX as usize).map(|seed| seed as u64)
}

/// How far a key stands before its query; negative where it comes later.
pub(super) fn distance(query: usize, key: usize) -> i64 {
    let signed = |position: usize| i64::try_from(position).unwrap_or(i64::MAX);
    signed(query) - signed(key)
}
