//! How far the numbers of edits may go. The page uses the same limits: `bindings.rs` writes
//! them for it.

/// Gates beyond this, and products of gates, are refused: they only overflow what follows.
pub const LARGEST_GATE: f64 = 1000.0;
/// Factors and temperatures beyond this, or below its inverse, only overflow or drown.
pub const LARGEST_FACTOR: f64 = 1000.0;
/// Of a dropout: the survivors are multiplied by a hundred.
pub const LARGEST_RATE: f64 = 0.99;
/// Of a pattern that is given: cells beyond this only lose their smaller neighbours.
pub const LARGEST_CELL: f64 = 1e6;
/// Presets of masks that one request may have: each costs every row of the attention it holds for.
pub const MOST_PRESETS: usize = 256;
/// Random keys of a query; more of them are no sparse pattern, and take long to draw.
pub const MOST_RANDOM_KEYS: usize = 64;
/// Of positions: beyond this a wave does not move within any text.
pub const LARGEST_BASE: f64 = 1e12;
/// Below this angles leave the range of numbers.
pub const SMALLEST_BASE: f64 = 1e-6;
/// Of relative positions.
pub const MOST_BUCKETS: usize = 512;
/// From which on all distances share a bucket.
pub const LARGEST_DISTANCE: usize = 1 << 20;
