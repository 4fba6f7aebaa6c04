//! Disentangled attention: a distance has a key and a query of its own, whose products with the
//! content's queries and keys join the scores.
//!
//! `A_ij = q_i·k_j + q_i·k_δ + k_j·q_δ`, `k_δ = r_δ W_K`, `q_δ = r_δ W_Q`, `r_δ` the trained row of
//! the distance `δ = i − j`; all terms times `1/√(t·d_h)`, `t` the number of terms.
//!
//! Source: P. He et al., "`DeBERTa`" (2021), section 3.1, equation 4; far distances share rows as
//! in the code of its second version. The first term is `Q Kᵀ` and not computed here.

use super::Met;
use crate::kernels::lanes::{F32x4, LANES};

/// The tolerance by which rounding may not move a distance across the border of a shared row.
const BORDER: f64 = 1e-6;

/// The mapping of distances to the rows of a table, which has `2 · side` rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceRows {
    /// The number of rows for each sign.
    pub side: usize,
    /// The distance from which on all distances share the last row; far distances before it share
    /// rows, the more the farther. `None` if every distance has a row of its own.
    pub furthest: Option<f64>,
}

impl DistanceRows {
    /// The row of a distance.
    #[expect(clippy::cast_sign_loss, reason = "clamped to the rows of the table")]
    pub fn of(self, distance: i64) -> usize {
        let away = distance.unsigned_abs() as f64;
        let side = self.side as f64;
        let exact = (self.side / 2) as f64;
        let place = match self.furthest {
            Some(furthest) if away > exact => {
                let share = (away / exact).ln() / ((furthest - 1.0) / exact).ln();
                (share * (exact - 1.0) - BORDER).ceil() + exact
            }
            _ => away,
        };
        let signed = if distance < 0 { -place } else { place };
        (side + signed).clamp(0.0, 2.0 * side - 1.0) as usize
    }
}

/// The distance terms of one block.
#[derive(Debug)]
pub struct Disentangled {
    /// The mapping of distances to rows.
    pub rows: DistanceRows,
    /// One head's width.
    pub head_dim: usize,
    /// All heads' width.
    pub width: usize,
    /// The factor of both terms.
    pub scale: f32,
    /// The keys `k_δ` of all distances, a row of all heads each; empty in a model without this
    /// term.
    pub keys: Vec<f32>,
    /// The queries `q_δ` of all distances, a row of all heads each; empty in a model without this
    /// term.
    pub queries: Vec<f32>,
    /// The rows of the distances that were read before.
    pub met: Met,
}

impl Disentangled {
    /// The terms `q_i·k_δ` and `k_j·q_δ`, 0 for a term that the model lacks.
    pub fn terms(&self, head: usize, distance: i64, q: &[f32], k: &[f32]) -> [f32; 2] {
        let row = self.met.of(distance, |distance| self.rows.of(distance));
        let first = row * self.width + head * self.head_dim;
        [self.product(&self.keys, first, q), self.product(&self.queries, first, k)]
    }

    /// Adds `slope` times the gradients of both terms: to that of the query `k_δ`, to that of the
    /// key `q_δ`.
    pub(super) fn add_backward(
        &self,
        head: usize,
        distance: i64,
        slope: f32,
        gradients: [&mut [f32]; 2],
    ) {
        let row = self.met.of(distance, |distance| self.rows.of(distance));
        let first = row * self.width + head * self.head_dim;
        for (gradient, rows) in gradients.into_iter().zip([&self.keys, &self.queries]) {
            let Some(row) = rows.get(first..first + self.head_dim) else { continue };
            let numbers = gradient.iter_mut().zip(row);
            numbers.for_each(|(sum, number)| *sum += slope * self.scale * number);
        }
    }

    // Inlined, the product would stand twice in the loop over keys.
    #[inline(never)]
    fn product(&self, rows: &[f32], first: usize, content: &[f32]) -> f32 {
        let row = rows.get(first..first + self.head_dim);
        row.map_or(0.0, |row| self.scale * dot(row, content))
    }

    /// The row `k_δ` of all heads, or `q_δ` in a model that has that term alone.
    pub fn of_row(&self, distance: i64) -> &[f32] {
        let rows = if self.keys.is_empty() { &self.queries } else { &self.keys };
        let first = self.rows.of(distance) * self.width;
        rows.get(first..first + self.width).unwrap_or(&[])
    }
}

fn dot(x: &[f32], y: &[f32]) -> f32 {
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (y, y_rest) = y.as_chunks::<LANES>();
    let rest = F32x4::load_partial(x_rest, 0.0) * F32x4::load_partial(y_rest, 0.0);
    let whole = x.iter().zip(y);
    whole.fold(rest, |sum, (x, y)| sum.add_product(F32x4::load(x), F32x4::load(y))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn far_distances_share_rows_as_in_the_published_models() {
        let rows = DistanceRows { side: 256, furthest: Some(512.0) };
        // After `make_log_bucket_position` of Hugging Face transformers, with 256 added.
        let of = [(0, 256), (128, 384), (-128, 128), (129, 385), (200, 425), (511, 511), (-511, 1)];
        for (distance, row) in of.into_iter().chain([(512, 511), (-512, 0), (i64::MIN + 1, 0)]) {
            assert_eq!(rows.of(distance), row, "{distance}");
        }
        let near = DistanceRows { side: 6, furthest: None };
        assert_eq!([-9, -6, 0, 5, 6].map(|distance| near.of(distance)), [0, 0, 6, 11, 11]);
    }
}
