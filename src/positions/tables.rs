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

use crate::kernels::random::{fraction, seed_of};

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

/// The same with wavelengths of another base.
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

// The angles of rotary positions: each pair of a head's dimensions turns at a speed of its
// own, the speeds a geometric progression from one radian per token downwards. A model made for
// longer texts slows some of them down (`model/rope.rs`).
//
// `θ(p, i) = p / base^(2i/d_r)`, `i` from 0 to `d_r/2 − 1`, of the first `d_r` dimensions
//
// Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
// (2021), sections 3.2.2 and 3.3; the base is 10 000 there and a field of the config here.
// It turns nothing (`kernels::rows` does).

/// How queries and keys of a site are turned.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// Of the progression of speeds.
    pub base: f64,
    /// Tokens per radian of each pair.
    pub periods: Vec<f64>,
    /// Factor on sines and cosines.
    pub amplitude: f64,
    /// What is other in longer texts.
    pub longer: Longer,
}

/// What is other in texts that are longer than a model was made for at first.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Longer {
    /// Nothing.
    #[default]
    Nothing,
    /// The base, which grows with the text (bloc97 2023, "Dynamically Scaled `RoPE`").
    Base {
        /// How fast it grows.
        factor: f64,
        /// The longest text with the base itself.
        beyond: usize,
    },
    /// The periods (Ding et al. 2024).
    Periods {
        /// Periods of longer texts.
        periods: Vec<f64>,
        /// The longest text without them.
        beyond: usize,
    },
}

impl Rotation {
    /// The progression itself, for `width` dimensions. Of an odd width the last pair has one more.
    /// Exponents and periods are rounded to f32, as Hugging Face rounds them.
    pub fn new(base: f64, width: usize) -> Self {
        let period = |pair: usize| {
            let exponent = (2 * pair) as f32 / width as f32;
            f64::from(f64::from(base as f32).powf(f64::from(exponent)) as f32)
        };
        let periods = (0..width.div_ceil(2)).map(period).collect();
        Self { base, periods, amplitude: 1.0, longer: Longer::Nothing }
    }

    /// The longest text that is turned by the rotation as it is.
    pub fn usual_length(&self) -> usize {
        match self.longer {
            Longer::Nothing => usize::MAX,
            Longer::Base { beyond, .. } | Longer::Periods { beyond, .. } => beyond,
        }
    }

    /// Texts that are turned alike have the same number: 0 for the rotation as it is.
    pub fn stretch(&self, n_tokens: usize) -> usize {
        match self.longer {
            _ if n_tokens <= self.usual_length() => 0,
            Longer::Periods { .. } => 1,
            _ => n_tokens,
        }
    }

    /// Whether a text that grows is turned anew from its first token on, so that what was computed
    /// of it does not hold.
    pub fn turns_anew(&self, [before, now]: [usize; 2]) -> bool {
        matches!(self.longer, Longer::Periods { .. }) && self.stretch(before) != self.stretch(now)
    }

    /// The rotation of a text of so many tokens.
    fn of_text(&self, n_tokens: usize) -> Self {
        match &self.longer {
            Longer::Base { factor, beyond } if n_tokens > *beyond => {
                let width = 2.0 * self.periods.len() as f64;
                let stretch = factor * n_tokens as f64 / *beyond as f64 - (factor - 1.0);
                let base = self.base * stretch.powf(width / (width - 2.0));
                Self::new(base, 2 * self.periods.len())
            }
            Longer::Periods { periods, beyond } if n_tokens > *beyond => {
                Self { periods: periods.clone(), ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    /// The table of a text of `n_tokens` that may grow to `most`, `[most, d_r]`. A row that joins
    /// later is that of a text which ends with it, as Hugging Face's cache has it; where the text is
    /// then turned anew, it has another table.
    pub fn table_of_text(&self, n_tokens: usize, most: usize) -> Vec<f32> {
        let mut table = self.of_text(n_tokens).table(n_tokens.min(most));
        (n_tokens..most).for_each(|row| table.extend(self.of_text(row + 1).row(row)));
        table
    }

    /// The table for positions `0..n`, `[n, d_r]`, row-major: the cosines of all pairs and then
    /// their sines. An angle is a product in f32, as models are trained with it: beyond some
    /// thousand tokens its rounding shows. What follows is computed in f64 and rounded once.
    pub fn table(&self, n: usize) -> Vec<f32> {
        (0..n).flat_map(|position| self.row(position)).collect()
    }

    /// One row of it.
    fn row(&self, position: usize) -> impl Iterator<Item = f32> {
        let speeds = self.periods.iter().map(|&period| 1.0 / period as f32);
        let angles = move || speeds.clone().map(move |speed| f64::from(position as f32 * speed));
        let numbers = angles().map(f64::cos).chain(angles().map(f64::sin));
        numbers.map(|number| (number * self.amplitude) as f32)
    }
}

// Numbers that stand for untrained weights, drawn by seed: evenly, with mean 0
// and a given standard deviation σ, each a function of its place alone.
//
// `w(place) = (2u − 1)·√3·σ`, `u` the fraction of `mix(… mix(seed) ⊕ place …)`
//
// Source: `kernels::random`. No logarithm and no cosine is taken, so that every machine
// draws the same.

/// One number.
pub(super) fn drawn(seed: u64, place: &[usize], deviation: f64) -> f64 {
    (2.0 * fraction(seed_of(seed, place)) - 1.0) * 3f64.sqrt() * deviation
}

/// A table of positions `[n, d]`, row-major; its first rows do not depend on `n`.
pub fn drawn_table(n: usize, d: usize, seed: u64, deviation: f64) -> Vec<f32> {
    (0..n * d).map(|at| drawn(seed, &[at / d, at % d], deviation) as f32).collect()
}
