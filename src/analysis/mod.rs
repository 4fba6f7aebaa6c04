//! Pure functions on patterns: what can be said about a head once its numbers are there.

pub mod thumbnail;
