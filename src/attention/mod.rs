//! Attention as a mechanism: the trained projections of a site, and the record of its queries, keys
//! and values, from which every picture of the site is derived.

mod multi_head;
mod pattern_spec;

pub use multi_head::{HeadNorm, HeadNormKind, MultiHeadAttention, Turns};
pub use pattern_spec::{PatternSpec, PendingRows};
