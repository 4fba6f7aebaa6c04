//! Pure functions on patterns: what can be said about a head once its numbers are there.

pub mod cosine;
mod mean;
mod pattern;
pub mod probability;
pub mod roles;
pub mod similarity;
pub mod spectrum;
pub mod stream;
mod tally;
mod text;
pub mod thumbnail;

pub use pattern::Pattern;
pub use roles::Role;
pub use spectrum::SingularValues;
pub use tally::Tally;
pub use text::{Lexicon, Sight, Text};
