//! Numbers drawn by seed, the same on every machine: whole numbers by `SplitMix64`, fractions
//! of 53 bits.
//!
//! * `mix(x)`: a step of `SplitMix64` (Steele, Lea and Flood 2014).
//! * `u = ⌊mix / 2¹¹⌋ · 2⁻⁵³`, from 0 to below 1.
//!
//! It is no source of secrets.

/// Well mixed bits of a number.
pub fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A seed of its own for each of several numbered things: `mix(… mix(mix(seed) ⊕ a) ⊕ b …)`.
pub fn seed_of(seed: u64, path: &[usize]) -> u64 {
    path.iter().fold(mix(seed), |own, &at| mix(own ^ at as u64))
}

/// A number from 0 to below 1 out of mixed bits.
pub fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / 9_007_199_254_740_992.0
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn mix_is_the_published_algorithm() {
        // Reference values of SplitMix64 with state 0.
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn seeds_of_neighbours_are_their_own() {
        let mut seeds: Vec<u64> =
            (0..9).flat_map(|a| (0..9).map(move |b| seed_of(1, &[a, b]))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 81);
    }
}
