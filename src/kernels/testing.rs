//! What the kernels' tests share: seeded numbers that are the same on every machine,
//! and two ways to compare. Test builds only.

/// Lengths around the lane count, the tile width and their multiples.
pub const AWKWARD_SIZES: [usize; 9] = [0, 1, 3, 5, 7, 8, 9, 31, 33];

/// Seeded numbers: `SplitMix64` (Steele, Lea and Flood 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Evenly spread over `low..high`.
    pub fn value(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits: as many as a fraction of f32 holds.
        let unit = (self.next_u64() >> 40) as f32 / 16_777_216.0;
        low + unit * (high - low)
    }

    pub fn values(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| self.value(low, high)).collect()
    }
}

/// Asserts that two slices hold the same bits, so that 0 and -0 differ.
#[track_caller]
pub fn same_bits(left: &[f32], right: &[f32], what: &str) {
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(left), bits(right), "{what}: {left:?} and {right:?}");
}

/// Asserts `|left - right| <= tolerance · max(1, |right|)` for every pair.
#[track_caller]
pub fn close(left: &[f32], right: &[f32], tolerance: f32, what: &str) {
    assert_eq!(left.len(), right.len(), "{what}: lengths");
    for (index, (a, b)) in left.iter().zip(right).enumerate() {
        let allowed = tolerance * b.abs().max(1.0);
        let same = a.to_bits() == b.to_bits();
        assert!(same || (a - b).abs() <= allowed, "{what} at {index}: {a} and {b}");
    }
}
