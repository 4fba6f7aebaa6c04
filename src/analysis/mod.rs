//! Pure functions on patterns: measures of a head, computed from its attention weights.

mod cosine;
mod divergence;
pub mod flow;
mod log_softmax;
mod mean;
mod pattern;
pub mod relevance;
pub mod roles;
pub mod rollout;
pub mod spectrum;
pub mod stream;
mod tally;
mod text;

pub use cosine::{cosine, mean_row};
pub use divergence::divergence;
pub use log_softmax::LogSoftmax;
pub use mean::Mean;
pub use pattern::{Pattern, thumbnail};
pub use roles::Role;
pub use spectrum::SingularValues;
pub use tally::Tally;
pub use text::{Lexicon, Text};
