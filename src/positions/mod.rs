//! Positional encodings: tables that are added to the token embeddings or that rotate queries and
//! keys, and terms that join the scores.

mod disentangled;
mod met;
mod relative;
mod rotation;
mod sinusoidal;
mod transformer_xl;
mod untrained;

pub use disentangled::{Disentangled, DistanceRows};
pub use met::Met;
pub use relative::{Buckets, Relative, Terms, alibi_slopes};
pub use rotation::{Longer, Rotation};
pub use sinusoidal::{BASE, Layout, sinusoidal, sinusoidal_of_base, wave};
pub use transformer_xl::{Sizes, TransformerXl};
pub use untrained::drawn_table;

/// A model's positional encoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Fixed sines and cosines.
    Sinusoidal {
        /// The order of sines and cosines in a row.
        layout: Layout,
        /// The base of the wavelengths.
        base: f64,
    },
    /// A trained row per position.
    Learned,
    /// A trained number per head and bucket of distances.
    Buckets,
    /// Trained keys and queries of distances.
    Disentangled,
    /// No positional encoding: order enters by the mask alone.
    None,
    /// Rotary position embedding: pairs of dimensions of queries and keys are rotated.
    Rotary {
        /// The base of the geometric progression of frequencies.
        base: f64,
    },
}

impl Scheme {
    /// The scheme's name at the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sinusoidal { layout: Layout::Interleaved, .. } => "sinusoidal (interleaved)",
            Self::Sinusoidal { layout: Layout::SplitHalves, .. } => "sinusoidal (split halves)",
            Self::Learned => "learned",
            Self::Buckets => "relative (buckets)",
            Self::Disentangled => "relative (disentangled)",
            Self::None => "none",
            Self::Rotary { .. } => "rotary",
        }
    }
}
