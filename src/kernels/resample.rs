//! Resampling of images of 8 bits along one side, as Pillow and torchvision do it: each number is a
//! weighted mean of its neighbours, `round(Σ w[i]·x[i])`, with weights in fixed point. When a side
//! shrinks, the filter is wider by the same factor (antialiasing).
//!
//! Sources: Pillow, `Resample.c`; `PyTorch`, `UpSampleKernel.cpp`, which takes the same weights at
//! a lower precision. Both resample rows first, then columns, and round in between.
//!
//! A pixel is four bytes of any meaning; the caller chooses sizes, crops and reads colours.

use std::f64::consts::PI;

/// The bytes of a pixel.
pub const PIXEL: usize = 4;

/// The binary places of Pillow's weights.
const PLACES: u32 = 22;

/// The weighting of the neighbours of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// The nearest neighbour alone.
    Nearest,
    /// Equal weights within half a step.
    Box,
    /// A triangle of one step to each side.
    Bilinear,
    /// A sinc with a Hamming window, one step to each side.
    Hamming,
    /// A cubic spline with a = -1/2, two steps to each side.
    Bicubic,
    /// A sinc with the middle lobe of a wider sinc as window, three steps to each side.
    Lanczos,
}

impl Filter {
    /// The filter's reach to each side, in steps.
    fn reach(self) -> f64 {
        match self {
            Self::Nearest => 0.0,
            Self::Box => 0.5,
            Self::Bilinear | Self::Hamming => 1.0,
            Self::Bicubic => 2.0,
            Self::Lanczos => 3.0,
        }
    }

    /// The filter's weight at a distance in steps.
    fn weight(self, distance: f64) -> f64 {
        let x = distance.abs();
        match self {
            Self::Nearest => 1.0,
            // Of two numbers at the two ends of the box, one counts.
            Self::Box => f64::from(distance > -0.5 && distance <= 0.5),
            Self::Bilinear => (1.0 - x).max(0.0),
            Self::Hamming if x < 1.0 => sinc(x) * (0.54 + 0.46 * (PI * x).cos()),
            Self::Bicubic if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
            Self::Bicubic if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Self::Lanczos if x < 3.0 => sinc(x) * sinc(x / 3.0),
            Self::Hamming | Self::Bicubic | Self::Lanczos => 0.0,
        }
    }

    /// The binary places of a set of weights whose maximum is `largest`. The filters that
    /// torchvision has keep a weight within 16 bits; the other filters are Pillow's.
    fn places(self, largest: f64) -> u32 {
        match self {
            Self::Nearest => 0,
            Self::Box | Self::Hamming => PLACES,
            Self::Bilinear | Self::Bicubic | Self::Lanczos => (0..PLACES)
                .find(|&places| 0.5 + largest * f64::from(1 << (places + 1)) >= 32768.0)
                .unwrap_or(PLACES),
        }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// The old numbers that each number of a resampled side is made of, and their weights.
#[derive(Debug)]
pub struct Taps {
    /// The first old number of each new number, `[new side]`.
    firsts: Vec<usize>,
    /// The weights `[new side][width]`, padded with zeros.
    weights: Vec<i32>,
    width: usize,
    places: u32,
}

impl Taps {
    /// Weights from a side of `from` numbers to one of `to`; both are at least 1.
    #[expect(clippy::cast_sign_loss, reason = "places on a side are none below 0")]
    pub fn new(filter: Filter, from: usize, to: usize) -> Self {
        if filter == Filter::Nearest {
            // torchvision computes the place in f32.
            let step = from as f32 / to as f32;
            let place = |at| ((f64::from(at as u32) + 0.5) * f64::from(step)) as f32;
            let firsts = (0..to).map(|at| (place(at) as usize).min(from - 1)).collect();
            return Self { firsts, weights: vec![1; to], width: 1, places: 0 };
        }
        let step = from as f64 / to as f64;
        // When a side grows, the filter keeps the width of one old step.
        let spread = step.max(1.0);
        let reach = filter.reach() * spread;
        let mut firsts = Vec::with_capacity(to);
        let mut shares = Vec::with_capacity(to);
        for at in 0..to {
            let middle = (at as f64 + 0.5) * step;
            let first = (middle - reach + 0.5).max(0.0) as usize;
            let end = ((middle + reach + 0.5) as usize).min(from);
            let weight = |at: usize| filter.weight((at as f64 - middle + 0.5) / spread);
            let mut row: Vec<f64> = (first..end).map(weight).collect();
            let sum: f64 = row.iter().sum();
            if sum != 0.0 {
                for weight in &mut row {
                    *weight /= sum;
                }
            }
            firsts.push(first);
            shares.push(row);
        }
        let width = shares.iter().map(Vec::len).max().unwrap_or(0);
        let places = filter.places(shares.iter().flatten().copied().fold(0.0, f64::max));
        let unit = f64::from(1 << places);
        let mut weights = vec![0; width * to];
        for (row, shares) in weights.chunks_exact_mut(width.max(1)).zip(&shares) {
            for (weight, share) in row.iter_mut().zip(shares) {
                *weight = (share * unit).round() as i32;
            }
        }
        Self { firsts, weights, width, places }
    }

    /// The old numbers of new number `at`: the first one, and the weight of each.
    fn of(&self, at: usize) -> (usize, &[i32]) {
        (self.firsts[at], &self.weights[at * self.width..(at + 1) * self.width])
    }

    /// Half of the weights' unit, the start of each sum, so that the shift rounds.
    fn half(&self) -> i32 {
        (1 << self.places) >> 1
    }

    /// Resamples a row of pixels to its new length.
    pub fn across(&self, row: &[u8], out: &mut [u8]) {
        for (at, pixel) in out.chunks_exact_mut(PIXEL).enumerate() {
            let (first, weights) = self.of(at);
            let mut sums = [self.half(); PIXEL];
            for (old, &weight) in row[first * PIXEL..].chunks_exact(PIXEL).zip(weights) {
                for (sum, &byte) in sums.iter_mut().zip(old) {
                    *sum += weight * i32::from(byte);
                }
            }
            self.round(&sums, pixel);
        }
    }

    /// Row `at` of an image at its new height. `image` has the rows of the old height, each as long
    /// as `out`; `sums` is scratch memory of the same length.
    pub fn down(&self, image: &[u8], at: usize, sums: &mut [i32], out: &mut [u8]) {
        let (first, weights) = self.of(at);
        sums.fill(self.half());
        let rows = image[first * out.len()..].chunks_exact(out.len());
        for (row, &weight) in rows.zip(weights) {
            for (sum, &byte) in sums.iter_mut().zip(row) {
                *sum += weight * i32::from(byte);
            }
        }
        self.round(sums, out);
    }

    /// Converts sums of weighted bytes to bytes.
    fn round(&self, sums: &[i32], out: &mut [u8]) {
        for (byte, &sum) in out.iter_mut().zip(sums) {
            #[expect(clippy::cast_sign_loss, reason = "clamped above 0")]
            {
                *byte = (sum >> self.places).clamp(0, 255) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const FILTERS: [Filter; 6] = [
        Filter::Nearest,
        Filter::Box,
        Filter::Bilinear,
        Filter::Hamming,
        Filter::Bicubic,
        Filter::Lanczos,
    ];

    #[wasm_bindgen_test(unsupported = test)]
    fn one_colour_stays_itself_at_every_length() {
        for filter in FILTERS {
            for (from, to) in [(1, 1), (1, 9), (9, 1), (7, 5), (5, 7), (300, 2), (3, 200)] {
                let taps = Taps::new(filter, from, to);
                let mut out = vec![0; to * PIXEL];
                taps.across(&[0, 1, 200, 255].repeat(from), &mut out);
                assert_eq!(out, [0, 1, 200, 255].repeat(to), "{filter:?} {from} → {to}");
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn columns_are_resampled_as_rows_are() {
        let bytes: Vec<u8> = (0..23 * PIXEL).map(|at| (at * 91 % 251) as u8).collect();
        for filter in FILTERS {
            let taps = Taps::new(filter, 23, 10);
            let mut across = vec![0; 10 * PIXEL];
            taps.across(&bytes, &mut across);
            // A column of one pixel's width.
            let mut sums = [0; PIXEL];
            let mut row = [0; PIXEL];
            for (at, want) in across.chunks_exact(PIXEL).enumerate() {
                taps.down(&bytes, at, &mut sums, &mut row);
                assert_eq!(row, want, "{filter:?}");
            }
        }
    }
}
