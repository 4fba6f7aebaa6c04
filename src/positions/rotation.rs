//! The angles of rotary positions: each pair of a head's dimensions turns at a speed of its
//! own, the speeds a geometric progression from one radian per token downwards. A model made for
//! longer texts slows some of them down (`model/rope.rs`).
//!
//! `θ(p, i) = p / base^(2i/d_r)`, `i` from 0 to `d_r/2 − 1`, of the first `d_r` dimensions
//!
//! Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding"
//! (2021), sections 3.2.2 and 3.3; the base is 10 000 there and a field of the config here.
//! It turns nothing (`kernels::rotate` does).

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
    /// later is that of a text which ends with it, as Hugging Face's cache has it; where the text
    /// is then turned anew, it has another table.
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
