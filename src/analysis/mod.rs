//! Pure functions on patterns: what can be said about a head once its numbers are there.

mod pattern;
pub mod roles;
pub mod spectrum;
pub mod stream;
pub mod thumbnail;

pub use pattern::Pattern;
pub use roles::{Directionality, Lexicon, Role, Tally, Text};
pub use spectrum::SingularValues;
