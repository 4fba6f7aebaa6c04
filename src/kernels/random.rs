//! Numbers drawn by seed, the same on every machine: whole numbers by `SplitMix64`, fractions
//! of 53 bits, and standard normal numbers by the polar method.
//!
//! * `mix(x)`: a step of `SplitMix64` (Steele, Lea and Flood 2014).
//! * `u = ⌊mix / 2¹¹⌋ · 2⁻⁵³`, from 0 to below 1.
//! * polar: `a, b` uniform in −1..1 with `s = a² + b²` in 0..1 give `a·r` and `b·r`,
//!   `r = √(−2 ln s / s)` (G. Marsaglia and T. Bray, SIAM Review 6, 1964). The logarithm is the
//!   kernels' own, in f32, since a platform's differs in its last bit.
//!
//! Not for cryptography.

use super::math::ln;

/// A 64-bit hash of a number: one step of `SplitMix64`.
pub fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A separate seed for each of several numbered things: `mix(… mix(mix(seed) ⊕ a) ⊕ b …)`.
pub fn seed_of(seed: u64, path: &[usize]) -> u64 {
    path.iter().fold(mix(seed), |own, &at| mix(own ^ at as u64))
}

/// A number from 0 to below 1, made of the upper 53 of mixed bits.
pub fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / 9_007_199_254_740_992.0
}

/// A stream of standard normal numbers: uniform draw `i` is the fraction of `mix(seed ⊕ i)`.
pub struct Normal {
    seed: u64,
    drawn: u64,
    spare: Option<f64>,
}

impl Normal {
    /// A stream by `seed`, whose bits should be mixed already.
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0, spare: None }
    }

    fn side(&mut self) -> f64 {
        let drawn = fraction(mix(self.seed ^ self.drawn));
        self.drawn += 1;
        2.0 * drawn - 1.0
    }

    /// The next standard normal number.
    pub fn draw(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let a = self.side();
            let b = self.side();
            let square = a * a + b * b;
            if square > 0.0 && square < 1.0 {
                let length = (-2.0 * f64::from(ln(square as f32)) / square).sqrt();
                self.spare = Some(b * length);
                return a * length;
            }
        }
    }

    /// `count` normal numbers with mean 0 and the given standard deviation.
    pub fn values(&mut self, count: usize, deviation: f64) -> Vec<f32> {
        (0..count).map(|_| (self.draw() * deviation) as f32).collect()
    }
}

/// Weights of additive attention, `W_q` and `W_k` (`[d, width]`, variance `1/d`) and `v`
/// (`[width]`, variance `1/width`), which no model here was trained with.
pub fn additive_weights(d: usize, width: usize, seed: u64) -> [Vec<f32>; 3] {
    let mut normal = Normal::new(seed);
    let [query, key] = [(); 2].map(|()| normal.values(d * width, 1.0 / (d as f64).sqrt()));
    [query, key, normal.values(width, 1.0 / (width as f64).sqrt())]
}
