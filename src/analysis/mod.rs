//! Pure functions on patterns: measures of a head, computed from its attention weights.

mod pattern;
pub mod roles;
pub mod spectrum;
pub mod stream;

pub use pattern::{Pattern, thumbnail};
pub use roles::{Lexicon, Role, Tally, Text};
pub use spectrum::SingularValues;
