//! The limits of the numbers of edits. The page uses the same limits: `bindings.rs` writes them for
//! it.

/// The largest absolute value of a gate, and of a product of gates; larger ones only overflow.
pub const LARGEST_GATE: f64 = 1000.0;
/// The largest factor and temperature, and the inverse of the smallest; others only overflow or
/// vanish.
pub const LARGEST_FACTOR: f64 = 1000.0;
/// The largest rate of dropout: the remaining weights are multiplied by a hundred.
pub const LARGEST_RATE: f64 = 0.99;
/// The largest cell of a given pattern: beside larger cells, small ones are lost to rounding.
pub const LARGEST_CELL: f64 = 1e6;
/// The most mask presets of one request: each costs time for every row of its attention sites.
pub const MOST_PRESETS: usize = 256;
/// The most random keys of a query; a pattern with more is not sparse, and takes long to draw.
pub const MOST_RANDOM_KEYS: usize = 64;
/// The largest base of positions: with a larger one a wave does not change within any text.
pub const LARGEST_BASE: f64 = 1e12;
/// The smallest base of positions: with a smaller one angles leave the range of numbers.
pub const SMALLEST_BASE: f64 = 1e-6;
/// The most buckets of relative positions.
pub const MOST_BUCKETS: usize = 512;
/// The largest distance from which on all distances share a bucket.
pub const LARGEST_DISTANCE: usize = 1 << 20;
