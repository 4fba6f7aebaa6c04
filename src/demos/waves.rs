//! Sinusoidal positional encoding with any number of dimensions and any base, and the dot products
//! of positions: with an even width they depend on the distance of two positions alone.
//!
//! Source: Vaswani et al. 2017, section 3.5.

use serde::{Deserialize, Serialize};

use super::{refused, whole};
use crate::error::{Result, shown};
use crate::positions::{Layout, wave};

/// The most numbers in a table.
pub(super) const LARGEST_TABLE: usize = 1 << 19;
/// The smallest base: with a smaller one, angles leave the range of numbers.
const SMALLEST_BASE: f64 = 1e-6;

/// The question of the sinusoidal demo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WavesAsked {
    /// The number of positions, at least 1.
    pub length: f64,
    /// The number of dimensions `d`, at least 1.
    pub dim: f64,
    /// The base of the wavelengths, at least 0.000001; 10000 in the paper.
    pub base: f64,
    /// Whether all sines stand before all cosines, as in Marian; absent: side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub halves: Option<bool>,
}

/// The answer of the sinusoidal demo.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Waves {
    /// The table `[position, dimension]`, row-major.
    pub table: Vec<f64>,
    /// The wavelength of each pair of dimensions, in positions.
    pub wavelengths: Vec<f64>,
    /// The dot product of the first position with each. With an even width it is the dot product of
    /// any two positions at that distance; with an odd width the last pair has no cosine.
    pub products: Vec<f64>,
}

/// Answers the sinusoidal demo.
///
/// # Errors
/// `input/out-of-range` for numbers that cannot be used.
pub fn waves(asked: &WavesAsked) -> Result<Waves> {
    let length = whole("the number of positions", asked.length, 1, LARGEST_TABLE)?;
    let dim = whole("the number of dimensions", asked.dim, 1, LARGEST_TABLE)?;
    if length.saturating_mul(dim) > LARGEST_TABLE {
        let got = format!("{length} × {dim}");
        return Err(refused("the table", format!("at most {LARGEST_TABLE} numbers"), got));
    }
    let base = asked.base;
    if !(base.is_finite() && base >= SMALLEST_BASE) {
        let expected = format!("a finite number from {SMALLEST_BASE}");
        return Err(refused("the base", expected, shown(base)));
    }
    let pairs = dim.div_ceil(2);
    let layout = if asked.halves == Some(true) { Layout::SplitHalves } else { Layout::Interleaved };
    let row = |position: usize| {
        (0..dim).map(move |at| {
            let (pair, is_sine) = layout.place(at, dim);
            wave(position, pair, is_sine, dim, base)
        })
    };
    let first: Vec<f64> = row(0).collect();
    Ok(Waves {
        table: (0..length).flat_map(row).collect(),
        wavelengths: (0..pairs)
            .map(|pair| std::f64::consts::TAU * base.powf(2.0 * pair as f64 / dim as f64))
            .collect(),
        products: (0..length)
            .map(|position| row(position).zip(&first).map(|(one, other)| one * other).sum())
            .collect(),
    })
}
