//! The fixed positional encoding: each pair of dimensions is a wave, the wavelengths
//! a geometric progression from 2π to 10000·2π. It needs no training and has no length.
//!
//! `PE(p, 2i) = sin(p / 10000^(2i/d))`, `PE(p, 2i+1) = cos(p / 10000^(2i/d))`
//!
//! Source: Vaswani et al. 2017, section 3.5. Marian stores the same numbers in another
//! order, all sines before all cosines.
//!
//! Shape: `[n, d]`, row-major. It does not scale the embeddings it is added to.

use ndarray::Array2;

/// The base of the wavelengths (Vaswani et al. 2017, section 3.5).
pub const BASE: f64 = 10_000.0;

/// Where the sine and cosine of a pair stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Side by side, as in the paper.
    Interleaved,
    /// All sines, then all cosines, as in Marian.
    SplitHalves,
}

impl Layout {
    /// Which pair a dimension of `d` belongs to, and whether it is its sine.
    pub fn place(self, dimension: usize, d: usize) -> (usize, bool) {
        let sines = d.div_ceil(2);
        match self {
            Self::Interleaved => (dimension / 2, dimension.is_multiple_of(2)),
            Self::SplitHalves => (dimension % sines, dimension < sines),
        }
    }
}

/// The table for positions `0..n` in `d` dimensions; of an odd `d` the last cosine is
/// missing. Computed in f64 and rounded once.
pub fn sinusoidal(n: usize, d: usize, layout: Layout) -> Array2<f32> {
    sinusoidal_of_base(n, d, layout, BASE)
}

/// [`sinusoidal`] with wavelengths of another base.
pub fn sinusoidal_of_base(n: usize, d: usize, layout: Layout, base: f64) -> Array2<f32> {
    Array2::from_shape_fn((n, d), |(position, dimension)| {
        let (pair, is_sine) = layout.place(dimension, d);
        wave(position, pair, is_sine, d, base) as f32
    })
}

/// One number of a table in `d` dimensions: the sine or the cosine of a pair.
pub fn wave(position: usize, pair: usize, is_sine: bool, d: usize, base: f64) -> f64 {
    let angle = position as f64 / base.powf(2.0 * pair as f64 / d as f64);
    if is_sine { angle.sin() } else { angle.cos() }
}
