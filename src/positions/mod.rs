//! Where order enters a model: tables that are added to the token embeddings or by which
//! queries and keys are turned, and terms that join the scores.

mod relative;
mod tables;
mod transformer_xl;

pub use relative::{Buckets, Relative, Terms, alibi_slopes};
pub use tables::{BASE, Layout, drawn_table, rotary, sinusoidal, sinusoidal_of_base, wave};
pub use transformer_xl::{Sizes, TransformerXl};

/// How a model knows the order of its tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Fixed sines and cosines.
    Sinusoidal(Layout),
    /// A trained row per position.
    Learned,
    /// Queries and keys are turned, pair by pair.
    Rotary {
        /// Of the progression of speeds.
        base: f64,
    },
}

impl Scheme {
    /// The scheme's name at the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sinusoidal(Layout::Interleaved) => "sinusoidal (interleaved)",
            Self::Sinusoidal(Layout::SplitHalves) => "sinusoidal (split halves)",
            Self::Learned => "learned",
            Self::Rotary { .. } => "rotary",
        }
    }
}
