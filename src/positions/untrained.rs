//! Numbers in place of untrained weights, drawn by seed: uniform, with mean 0 and a given standard
//! deviation σ, each a function of its place alone.
//!
//! `w(place) = (2u − 1)·√3·σ`, `u` the fraction of `mix(… mix(seed) ⊕ place …)`
//!
//! Source: `kernels::random`. Neither logarithm nor cosine is taken, so that every machine draws
//! the same.

use crate::kernels::random::{fraction, seed_of};

/// One number, uniform with mean 0, drawn for a place.
pub(super) fn drawn(seed: u64, place: &[usize], deviation: f64) -> f64 {
    (2.0 * fraction(seed_of(seed, place)) - 1.0) * 3f64.sqrt() * deviation
}

/// A drawn table of positions `[n, d]`, row-major; a row does not depend on `n`.
pub fn drawn_table(n: usize, d: usize, seed: u64, deviation: f64) -> Vec<f32> {
    (0..n * d).map(|at| drawn(seed, &[at / d, at % d], deviation) as f32).collect()
}
