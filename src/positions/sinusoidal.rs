//! Sinusoidal positional encoding: each pair of dimensions is a wave, the wavelengths a geometric
//! progression from 2π to 10000·2π. The table is not trained and has no maximal length.
//!
//! `PE(p, 2i) = sin(p / 10000^(2i/d))`, `PE(p, 2i+1) = cos(p / 10000^(2i/d))`
//!
//! Source: Vaswani et al. 2017, section 3.5. Marian stores the same numbers in another
//! order, all sines before all cosines.
//!
//! Shape: `[n, d]`, row-major. Scaling of the token embeddings is done elsewhere.

use ndarray::Array2;

/// The base of the wavelengths (Vaswani et al. 2017, section 3.5).
pub const BASE: f64 = 10_000.0;

/// The order of the sines and cosines of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each sine beside its cosine, as in the paper.
    Interleaved,
    /// All sines, then all cosines, as in Marian.
    SplitHalves,
}

impl Layout {
    /// The pair of a dimension of `d`, and whether the dimension is the pair's sine.
    pub fn place(self, dimension: usize, d: usize) -> (usize, bool) {
        let sines = d.div_ceil(2);
        match self {
            Self::Interleaved => (dimension / 2, dimension.is_multiple_of(2)),
            Self::SplitHalves => (dimension % sines, dimension < sines),
        }
    }
}

/// The table for positions `0..n` in `d` dimensions, `[n, d]`; an odd `d` lacks the last cosine.
/// Computed in f64 and rounded once.
pub fn sinusoidal(n: usize, d: usize, layout: Layout) -> Array2<f32> {
    sinusoidal_of_base(n, d, layout, BASE)
}

/// [`sinusoidal`] with another base of the wavelengths.
pub fn sinusoidal_of_base(n: usize, d: usize, layout: Layout, base: f64) -> Array2<f32> {
    Array2::from_shape_fn((n, d), |(position, dimension)| {
        let (pair, is_sine) = layout.place(dimension, d);
        wave(position, pair, is_sine, d, base) as f32
    })
}

/// One number of a sinusoidal table in `d` dimensions: the sine or the cosine of a pair.
pub fn wave(position: usize, pair: usize, is_sine: bool, d: usize, base: f64) -> f64 {
    let angle = position as f64 / base.powf(2.0 * pair as f64 / d as f64);
    if is_sine { angle.sin() } else { angle.cos() }
}
