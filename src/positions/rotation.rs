//! The angles of rotary position embedding: each pair of a head's dimensions has its own frequency,
//! the frequencies a geometric progression from one radian per token downwards. A model for longer
//! texts lowers some of them (`model/rope.rs`).
//!
//! `θ(p, i) = p / base^(2i/d_r)`, `i` from 0 to `d_r/2 − 1`, of the first `d_r` dimensions
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021),
//! sections 3.2.2 and 3.3; the base is 10 000 there and a field of the config here.
//! `kernels::rotate` applies the angles.

/// The rotation of the queries and keys of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// The base of the geometric progression of frequencies.
    pub base: f64,
    /// The tokens per radian of each pair.
    pub periods: Vec<f64>,
    /// The factor of sines and cosines.
    pub amplitude: f64,
    /// What changes in longer texts.
    pub longer: Longer,
}

/// The change of a rotation in texts longer than the model's original length.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Longer {
    /// The rotation is the same for every length.
    #[default]
    Nothing,
    /// The base grows with the text (bloc97 2023, "Dynamically Scaled `RoPE`").
    Base {
        /// The rate at which the base grows.
        factor: f64,
        /// The longest text, in tokens, with the unchanged base.
        beyond: usize,
    },
    /// Longer texts have other periods (Ding et al. 2024).
    Periods {
        /// The periods of longer texts.
        periods: Vec<f64>,
        /// The longest text, in tokens, with the unchanged periods.
        beyond: usize,
    },
}

impl Rotation {
    /// The plain progression for `width` dimensions; an odd width counts as the next even one.
    /// Exponents and periods are rounded to f32, as Hugging Face rounds them.
    pub fn new(base: f64, width: usize) -> Self {
        let period = |pair: usize| {
            let exponent = (2 * pair) as f32 / width as f32;
            f64::from(f64::from(base as f32).powf(f64::from(exponent)) as f32)
        };
        let periods = (0..width.div_ceil(2)).map(period).collect();
        Self { base, periods, amplitude: 1.0, longer: Longer::Nothing }
    }

    /// The longest text, in tokens, that the unchanged rotation serves.
    pub fn usual_length(&self) -> usize {
        match self.longer {
            Longer::Nothing => usize::MAX,
            Longer::Base { beyond, .. } | Longer::Periods { beyond, .. } => beyond,
        }
    }

    /// A number that is equal for lengths with the same rotation: 0 for the unchanged one.
    pub fn stretch(&self, n_tokens: usize) -> usize {
        match self.longer {
            _ if n_tokens <= self.usual_length() => 0,
            Longer::Periods { .. } => 1,
            _ => n_tokens,
        }
    }

    /// Whether a text that grows from `before` to `now` tokens gets another rotation from its first
    /// token on, so that cached keys are no longer valid.
    pub fn turns_anew(&self, [before, now]: [usize; 2]) -> bool {
        matches!(self.longer, Longer::Periods { .. }) && self.stretch(before) != self.stretch(now)
    }

    /// The rotation of a text of `n_tokens` tokens.
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

    /// The table `[most, d_r]` of a text of `n_tokens` tokens that may grow to `most`. A later row
    /// is the last row of the text that ends there, as in Hugging Face's cache; a text for which
    /// [`Self::turns_anew`] holds gets another table.
    pub fn table_of_text(&self, n_tokens: usize, most: usize) -> Vec<f32> {
        let mut table = self.of_text(n_tokens).table(n_tokens.min(most));
        (n_tokens..most).for_each(|row| table.extend(self.of_text(row + 1).row(row)));
        table
    }

    /// The table for positions `0..n`, `[n, d_r]`, row-major: the cosines of all pairs, then their
    /// sines. An angle is a product in f32, as models are trained with it: beyond some thousand
    /// tokens its rounding shows. Sine and cosine are computed in f64 and rounded once.
    pub fn table(&self, n: usize) -> Vec<f32> {
        (0..n).flat_map(|position| self.row(position)).collect()
    }

    /// The row of one position, `[d_r]`.
    fn row(&self, position: usize) -> impl Iterator<Item = f32> {
        let speeds = self.periods.iter().map(|&period| 1.0 / period as f32);
        let angles = move || speeds.clone().map(move |speed| f64::from(position as f32 * speed));
        let numbers = angles().map(f64::cos).chain(angles().map(f64::sin));
        numbers.map(|number| (number * self.amplitude) as f32)
    }
}
