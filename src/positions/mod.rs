//! Where order enters a model: tables that are added to the token embeddings.

mod sinusoidal;

pub use sinusoidal::{Layout, sinusoidal};

/// How a model knows the order of its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Fixed sines and cosines.
    Sinusoidal(Layout),
    /// A trained row per position.
    Learned,
}

impl Scheme {
    /// The scheme's name at the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sinusoidal(Layout::Interleaved) => "sinusoidal (interleaved)",
            Self::Sinusoidal(Layout::SplitHalves) => "sinusoidal (split halves)",
            Self::Learned => "learned",
        }
    }
}
