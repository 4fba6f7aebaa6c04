//! Chunked attention: the softmax chunk by chunk of keys, with a running maximum and sum. It is
//! exact and never stores a whole row.
//!
//! `raw = q·k`, `scores = f · raw`. A row's weights are multiples of `exp(score − m)`, with `m` the
//! largest score so far; when `m` grows, the sums so far are scaled down.
//!
//! Sources: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"; Rabe and
//! Staats 2021, "Self-attention does not need O(n²) memory".

use std::ops::Range;

use super::cost::{Cost, product, singles};
use super::view::{Found, HeadView};
use super::{AttentionVariant, Facts, Held, MOST_UNITS, Named, VariantNumber};
use crate::kernels::counting::count;
use crate::kernels::lanes::{F32x4, for_each, map};
use crate::kernels::math::Exp;
use crate::kernels::vector::add_multiple;
use crate::masks::MaskFill;

/// The softmax chunk by chunk of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunked {
    /// The number of keys of a chunk.
    pub size: usize,
}

impl Chunked {
    /// The range of keys of each chunk.
    fn chunks(self, n_keys: usize) -> impl Iterator<Item = Range<usize>> {
        (0..n_keys).step_by(self.size).map(move |start| start..n_keys.min(start + self.size))
    }
}

impl Named for Chunked {
    const NUMBERS: &'static [VariantNumber] =
        &[VariantNumber { name: "size", least: 1, most: MOST_UNITS, usual: 16 }];

    fn of([size, _]: [usize; 2]) -> Self {
        Self { size }
    }
}

/// The sums of a row after some chunks.
#[derive(Clone, Copy)]
struct Running {
    /// The sum of exponentials so far.
    total: f32,
    /// The largest score so far.
    top: f32,
}

impl AttentionVariant for Chunked {
    fn facts(&self) -> &'static Facts {
        const { &Facts { held: Held::Nothing, is_cheap: true, ..Facts::SOFTMAX } }
    }

    fn context(&self, view: &HeadView<'_>, queries: Range<usize>, out: &mut Found<'_>) -> bool {
        let n_keys = view.n_keys();
        let width = view.value_width();
        let exp = Exp::load();
        let size = self.size.min(n_keys.max(1));
        let mut scores = vec![0.0; queries.len() * size];
        let mut running = vec![Running { total: 0.0, top: f32::NEG_INFINITY }; queries.len()];
        for keys in self.chunks(n_keys) {
            for (at, query) in queries.clone().enumerate() {
                let row = &mut scores[at * size..][..keys.len()];
                view.masked_scores(query, keys.clone(), row);
            }
            for (at, out) in out.rows(width).enumerate() {
                let row = &mut scores[at * size..][..keys.len()];
                if running[at].take_in(exp, row, out) {
                    for (&weight, key) in row.iter().zip(keys.clone()) {
                        add_multiple(out, weight, view.value(key));
                    }
                }
            }
        }
        for (out, Running { total, .. }) in out.rows(width).zip(running) {
            count(width);
            for found in out {
                *found = if total == 0.0 { 0.0 } else { *found / total };
            }
        }
        true
    }

    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        let n_keys = view.n_keys();
        let width = view.value_width();
        // Chunks before the first open key of a row add nothing to it.
        let replaces = view.mask.fill(view.head) == MaskFill::MinusInfinity;
        let of_row = |query: usize| -> u64 {
            let visible = view.visible(query);
            let first = visible.iter().position(|&open| open).unwrap_or(n_keys);
            self.chunks(n_keys)
                .filter(|keys| !replaces || first < keys.end)
                .map(|keys| product([keys.len(), width + 2]) + width as u64 + 2)
                .sum()
        };
        let scores = product([rows.len(), n_keys, view.width()]);
        let quotients = product([rows.len(), width]);
        Cost {
            operations: scores + rows.clone().map(of_row).sum::<u64>() + quotients,
            bytes: singles(rows.len() * (self.size.min(n_keys.max(1)) + 2)),
        }
    }
}

impl Running {
    /// Adds the scores of a chunk, which become their exponentials; the sums so far are scaled down
    /// accordingly. Returns `false` if all cells so far are masked.
    fn take_in(&mut self, exp: Exp, row: &mut [f32], found: &mut [f32]) -> bool {
        let one = |x: f32| exp.of(F32x4::splat(x)).to_array()[0];
        let top = row.iter().copied().fold(self.top, f32::max);
        if top == f32::NEG_INFINITY {
            // The maximum ignores a NaN among masked cells; a NaN makes the whole row NaN.
            if row.iter().any(|score| score.is_nan()) {
                self.total = f32::NAN;
            }
            return false;
        }
        let shrunk = if self.top == f32::NEG_INFINITY { 0.0 } else { one(self.top - top) };
        let highest = F32x4::splat(top);
        map(row, f32::NEG_INFINITY, |score| exp.of(score - highest));
        let mut sum = F32x4::zero();
        for_each(row, 0.0, |weight| sum = sum + weight);
        self.total = self.total * shrunk + sum.sum();
        for cell in &mut *found {
            *cell *= shrunk;
        }
        self.top = top;
        count(2 * row.len() + found.len() + 2);
        true
    }
}
