//! Helpers of the kernels' tests: seeded numbers that are the same on every machine, and a
//! comparison of bits. Test builds only.

/// Lengths around the lane count, the tile width and their multiples.
pub const AWKWARD_SIZES: [usize; 9] = [0, 1, 3, 5, 7, 8, 9, 31, 33];

use super::random::mix;

/// A stream of seeded numbers: `SplitMix64` (Steele, Lea and Flood 2014).
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next_u64(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits
    }

    /// A number drawn uniformly from `low..high`.
    pub fn value(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits: as many as a fraction of f32 holds.
        let unit = (self.next_u64() >> 40) as f32 / 16_777_216.0;
        low + unit * (high - low)
    }

    /// Numbers drawn uniformly from `low..high`.
    pub fn values(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| self.value(low, high)).collect()
    }
}

/// Asserts that two slices hold the same bits, so that 0 and -0 differ.
///
/// # Panics
/// If they do not.
#[track_caller]
pub fn same_bits(left: &[f32], right: &[f32], what: &str) {
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(left), bits(right), "{what}: {left:?} and {right:?}");
}
