//! Relative positions as four terms of a score: content with content, content with distance, and
//! two terms that are the same for every query, with content and with distance.
//!
//! `A_ij = q_i·k_j + q_i·r_(i−j) + u·k_j + v·r_(i−j)`, `r_δ = s_δ W_R`, `s_δ` the wave of a
//! distance; all four terms times `1/√d_h`.
//!
//! Source: Z. Dai et al., "Transformer-XL" (2019), section 3.3; `u` and `v` (`[h, d_h]`) are shared
//! by all blocks, `W_R` (`[d, h·d_h]`) is each block's own. No supported model was trained with
//! these terms: the weights are drawn by seed. The first term is `Q Kᵀ` and not computed here.

use std::cell::RefCell;

use super::sinusoidal::{BASE, wave};
use super::untrained::drawn;

/// The parts that are drawn, as numbers in the path of a seed.
const U: usize = 0;
const V: usize = 1;
const W_R: usize = 2;

/// The sizes of heads and residual stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The number of query heads.
    pub n_heads: usize,
    /// One head's width.
    pub head_dim: usize,
    /// The width of the residual stream.
    pub d_model: usize,
}

/// The untrained weights of one block, and the rows of the distances that were looked up.
#[derive(Debug)]
pub struct TransformerXl {
    sizes: Sizes,
    scale: f64,
    content: Vec<f64>,
    distance: Vec<f64>,
    map: Vec<f64>,
    /// The rows `r_δ`, `[h·d_h]` each, at `2δ`, or at `−2δ − 1` for negative δ.
    rows: RefCell<Vec<Vec<f64>>>,
}

impl TransformerXl {
    /// Draws a block's weights: `u` and `v` with standard deviation 1, `W_R` with `√(2/d)`, so that
    /// a number of `r` has standard deviation 1 as well.
    pub fn new(sizes: Sizes, layer: usize, seed: u64) -> Self {
        let Sizes { n_heads, head_dim, d_model } = sizes;
        let width = n_heads * head_dim;
        let of_all = |part: usize| (0..width).map(|at| drawn(seed, &[part, at], 1.0)).collect();
        let deviation = (2.0 / d_model as f64).sqrt();
        let number = |at: usize| drawn(seed, &[W_R, layer, at / width, at % width], deviation);
        Self {
            sizes,
            scale: 1.0 / (head_dim as f64).sqrt(),
            content: of_all(U),
            distance: of_all(V),
            map: (0..d_model * width).map(number).collect(),
            rows: RefCell::default(),
        }
    }

    /// The sum of the three terms beside `q_i·k_j/√d_h`.
    pub(super) fn bias(&self, head: usize, distance: i64, q: &[f32], k: &[f32]) -> f64 {
        self.terms(head, distance, q, k).iter().sum()
    }

    /// The three terms beside `q_i·k_j/√d_h`: `q_i·r_(i−j)`, `u·k_j` and `v·r_(i−j)`, times
    /// `1/√d_h`.
    pub fn terms(&self, head: usize, distance: i64, q: &[f32], k: &[f32]) -> [f64; 3] {
        let own = self.own(head);
        let rows = self.met(distance);
        let r = &rows[place(distance)][own.clone()];
        let of_query: f64 = r.iter().zip(q).map(|(r, &q)| r * f64::from(q)).sum();
        let of_key: f64 = self.content[own].iter().zip(k).map(|(u, &k)| u * f64::from(k)).sum();
        [self.scale * of_query, self.scale * of_key, self.of_distance(head, distance)]
    }

    /// Adds `slope` times the gradients of the terms: to that of the query `r_(i−j)`, to that of
    /// the key `u`, times `1/√d_h`.
    pub(super) fn add_backward(
        &self,
        head: usize,
        distance: i64,
        slope: f32,
        gradients: [&mut [f32]; 2],
    ) {
        let own = self.own(head);
        let rows = self.met(distance);
        let factors = [&rows[place(distance)][own.clone()], &self.content[own]];
        for (gradient, row) in gradients.into_iter().zip(factors) {
            let numbers = gradient.iter_mut().zip(row);
            numbers.for_each(|(sum, r)| *sum += (f64::from(slope) * self.scale * r) as f32);
        }
    }

    /// The term of the distance alone, `v·r/√d_h`.
    pub(super) fn of_distance(&self, head: usize, distance: i64) -> f64 {
        let own = self.own(head);
        let rows = self.met(distance);
        let r = &rows[place(distance)][own.clone()];
        self.scale * r.iter().zip(&self.distance[own]).map(|(r, v)| r * v).sum::<f64>()
    }

    /// The vector `u` of all heads, side by side.
    pub fn content(&self) -> &[f64] {
        &self.content
    }

    /// The factor of all terms, `1/√d_h`.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Calls `look` with the row `r` of a distance, all heads side by side.
    pub fn of_row(&self, distance: i64, look: impl FnOnce(&[f64])) {
        look(&self.met(distance)[place(distance)]);
    }

    /// Computes the rows of all distances up to `away`, of both signs.
    pub(super) fn meet(&self, away: usize) {
        drop(self.met(i64::try_from(away).unwrap_or(i64::MAX)));
    }

    /// The multiplications of the two rows that one more token needs.
    pub(super) fn work_per_token(&self) -> usize {
        2 * self.map.len()
    }

    /// The multiplications of the three terms for one head and pair.
    pub(super) fn work_per_pair(&self) -> usize {
        3 * self.sizes.head_dim
    }

    /// The bytes of one block's weights and rows in a text of `n` tokens.
    pub fn bytes(Sizes { n_heads, head_dim, d_model }: Sizes, n: usize) -> u64 {
        let width = (n_heads * head_dim) as u64;
        let d = d_model as u64;
        let n = n as u64;
        (2 + d + 2 * n) * width * size_of::<f64>() as u64
    }

    fn own(&self, head: usize) -> std::ops::Range<usize> {
        head * self.sizes.head_dim..(head + 1) * self.sizes.head_dim
    }

    /// The rows of all distances up to `distance`, computed if missing.
    fn met(&self, distance: i64) -> std::cell::Ref<'_, Vec<Vec<f64>>> {
        let wanted = place(distance) + 1;
        let known = self.rows.borrow().len();
        if known < wanted {
            let more = (known..wanted).map(|at| self.row(at));
            let more: Vec<Vec<f64>> = more.collect();
            self.rows.borrow_mut().extend(more);
        }
        self.rows.borrow()
    }

    /// Computes one row, `s_δ W_R`, of the distance at `place`.
    fn row(&self, place: usize) -> Vec<f64> {
        let Sizes { n_heads, head_dim, d_model } = self.sizes;
        // The sines of a negative distance have the opposite sign.
        let away = place.div_ceil(2);
        let is_later = place % 2 == 1;
        let mut row = vec![0.0; n_heads * head_dim];
        for (dimension, weights) in self.map.chunks_exact(row.len()).enumerate() {
            let is_sine = dimension % 2 == 0;
            let wave = wave(away, dimension / 2, is_sine, d_model, BASE);
            let wave = if is_sine && is_later { -wave } else { wave };
            row.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += wave * weight);
        }
        row
    }
}

/// The index of a distance in a table of both signs: 0, −1, 1, −2, 2, …
pub(super) fn place(distance: i64) -> usize {
    let away = usize::try_from(distance.unsigned_abs()).unwrap_or(usize::MAX);
    if distance < 0 { 2 * away - 1 } else { 2 * away }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const SIZES: Sizes = Sizes { n_heads: 2, head_dim: 3, d_model: 8 };

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_are_made_for_as_many_tokens_as_were_announced() {
        let terms = TransformerXl::new(SIZES, 0, 5);
        terms.meet(9);
        let stored = || terms.rows.borrow().len();
        assert_eq!(stored(), 19);
        let q = [0.5, -1.0, 2.0];
        let k = [1.5, 0.25, -0.5];
        let far = terms.bias(0, -9, &q, &k);
        assert_eq!(stored(), 19, "nothing was left to be made");
        assert_eq!(far, TransformerXl::new(SIZES, 0, 5).bias(0, -9, &q, &k));
        let numbers = terms.map.len() + stored() * 6 + 12;
        let counted = TransformerXl::bytes(SIZES, 10);
        assert!(counted >= (numbers * size_of::<f64>()) as u64, "{counted} bytes, {numbers}");
    }
}
