//! Matrix product with a matrix packed beforehand: weights once at load, the keys and
//! values of a head once per run. Two rows by sixteen columns stay in registers.
//!
//! `out[r, n] = Σₖ x[r, k] · w[k, n] (+ bias[n])`
//!
//! Source: K. Goto and R. van de Geijn, "Anatomy of High-Performance Matrix
//! Multiplication", ACM TOMS 34 (2008), section 4 (packing, register tile).
//! Shapes: `x [count, inner]`, `w [inner, outer]`, `out [count, outer]`.
//!
//! Every output is summed over `k` from 0 to `inner`, one product at a
//! time, starting from 0, and the bias is added last. The tile only decides which
//! outputs are computed side by side, so a row alone has the same bits as in a batch.
//! It does not use threads, fused multiply-add or a sparse shortcut for zeros.

use std::ops::Range;

use super::lanes::{F32x4, LANES};

/// Columns in a panel: two vectors.
const WIDTH: usize = 2 * LANES;
/// The register tile: 2 rows by 16 columns. Its 8 accumulators, a pair of columns, a
/// factor and a product fit the 15 vector registers that browsers use on x86, and 8 sums
/// side by side hide the latency of an addition. 4 × 8 has as many and is up to a tenth
/// slower where decoding is narrow (it counts along more rows); 6 × 8 and 4 × 12 spill.
const TILE_ROWS: usize = 2;
const TILE_PANELS: usize = 2;

/// `WIDTH` columns of one row of `w`. The alignment keeps a load inside a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct PanelRow([f32; WIDTH]);

/// A matrix `w [inner, outer]` in panels of eight columns: for each panel, for each `k`,
/// eight contiguous numbers. The last panel is filled up with zeros.
#[derive(Debug, Clone)]
pub struct PackedMatrix {
    inner: usize,
    outer: usize,
    panels: Vec<PanelRow>,
}

/// Rows of `inner` numbers inside a larger slice: row `r` starts at `r · stride`.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All the numbers.
    pub data: &'a [f32],
    /// From the start of one row to the start of the next.
    pub stride: usize,
    /// How many rows.
    pub count: usize,
}

impl<'a> Rows<'a> {
    fn row(self, index: usize, inner: usize) -> &'a [f32] {
        &self.data[index * self.stride..][..inner]
    }
}

impl PackedMatrix {
    /// Packs a matrix whose rows run over the outputs, `data[k · stride + n]`: the values
    /// of one head, GPT-2's `Conv1D`.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn from_rows(inner: usize, outer: usize, data: &[f32], stride: usize) -> Self {
        Self::pack(inner, outer, |first, width, k, row| {
            row[..width].copy_from_slice(&data[k * stride + first..][..width]);
        })
    }

    /// Packs a matrix whose rows run over the inputs, `data[n · stride + k]`: the weight
    /// `[out, in]` of a linear layer, the keys of one head.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn from_columns(inner: usize, outer: usize, data: &[f32], stride: usize) -> Self {
        Self::pack(inner, outer, |first, width, k, row| {
            for (column, value) in row[..width].iter_mut().enumerate() {
                *value = data[(first + column) * stride + k];
            }
        })
    }

    /// `fill(first column, columns, k, row)` writes the columns that exist.
    fn pack(
        inner: usize,
        outer: usize,
        fill: impl Fn(usize, usize, usize, &mut [f32; WIDTH]),
    ) -> Self {
        let mut panels = Vec::with_capacity(inner * outer.div_ceil(WIDTH));
        for first in (0..outer).step_by(WIDTH) {
            let width = WIDTH.min(outer - first);
            for k in 0..inner {
                let mut row = [0.0; WIDTH];
                fill(first, width, k, &mut row);
                panels.push(PanelRow(row));
            }
        }
        Self { inner, outer, panels }
    }

    /// Length of the sums.
    pub fn inner(&self) -> usize {
        self.inner
    }

    /// Number of columns.
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.panels.as_slice())
    }

    /// Copies column `index` out: a token's embedding from a table packed as the output
    /// projection.
    ///
    /// # Panics
    /// When there is no such column or `out` is not `inner` long.
    pub fn column(&self, index: usize, out: &mut [f32]) {
        assert!(index < self.outer, "column {index} of {}", self.outer);
        assert_eq!(out.len(), self.inner, "a column holds `inner` numbers");
        for (value, row) in out.iter_mut().zip(self.panel(index / WIDTH)) {
            *value = row.0[index % WIDTH];
        }
    }

    fn panel(&self, index: usize) -> &[PanelRow] {
        &self.panels[index * self.inner..][..self.inner]
    }

    fn n_panels(&self) -> usize {
        self.outer.div_ceil(WIDTH)
    }
}

/// `out[r · out_stride + n] = Σₖ x[r, k] · w[k, n] (+ bias[n])`, overwriting; what lies
/// between the rows of `out` is left alone.
///
/// # Panics
/// When a slice is too short for the shapes.
pub fn matmul(
    x: Rows<'_>,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    out: &mut [f32],
    out_stride: usize,
) {
    let mut target = Target { w, bias, out, stride: out_stride };
    let paired = x.count - x.count % TILE_ROWS;
    target.rows::<TILE_ROWS, TILE_PANELS>(x, 0..paired);
    // A row left over, or the one row of a decoding step: as many accumulators, wider.
    target.rows::<1, { TILE_ROWS * TILE_PANELS }>(x, paired..x.count);
}

/// Where a product goes.
struct Target<'a> {
    w: &'a PackedMatrix,
    bias: Option<&'a [f32]>,
    out: &'a mut [f32],
    stride: usize,
}

impl Target<'_> {
    /// All columns of some rows, in tiles of `ROWS` by `PANELS`. Panels come outermost:
    /// while all rows pass by, the panels stay in the cache.
    fn rows<const ROWS: usize, const PANELS: usize>(&mut self, x: Rows<'_>, rows: Range<usize>) {
        let n_panels = self.w.n_panels();
        let grouped = n_panels - n_panels % PANELS;
        for panel in (0..grouped).step_by(PANELS) {
            for row in rows.clone().step_by(ROWS) {
                self.tile::<ROWS, PANELS>(x, row, panel);
            }
        }
        for panel in grouped..n_panels {
            for row in rows.clone().step_by(ROWS) {
                self.tile::<ROWS, 1>(x, row, panel);
            }
        }
    }

    /// `ROWS` rows from `row` by `PANELS` panels from `panel`.
    fn tile<const ROWS: usize, const PANELS: usize>(
        &mut self,
        x: Rows<'_>,
        row: usize,
        panel: usize,
    ) {
        let inner = self.w.inner;
        let rows: [&[f32]; ROWS] = std::array::from_fn(|r| x.row(row + r, inner));
        let panels: [&[PanelRow]; PANELS] = std::array::from_fn(|p| self.w.panel(panel + p));
        let sums = sums(inner, rows, panels);
        for (r, sums) in sums.into_iter().enumerate() {
            for (p, sums) in sums.into_iter().enumerate() {
                self.store(row + r, panel + p, sums);
            }
        }
    }

    fn store(&mut self, row: usize, panel: usize, sums: [F32x4; 2]) {
        let first = panel * WIDTH;
        let width = WIDTH.min(self.w.outer - first);
        let out = &mut self.out[row * self.stride + first..][..width];
        let bias = self.bias.map(|bias| &bias[first..][..width]);
        for (half, (out, sum)) in out.chunks_mut(LANES).zip(sums).enumerate() {
            let sum = match bias {
                Some(bias) => sum + F32x4::load_partial(&bias[half * LANES..][..out.len()], 0.0),
                None => sum,
            };
            sum.store_partial(out);
        }
    }
}

/// The register tile: every `Σₖ`, one product at a time.
#[inline]
fn sums<const ROWS: usize, const PANELS: usize>(
    inner: usize,
    rows: [&[f32]; ROWS],
    panels: [&[PanelRow]; PANELS],
) -> [[[F32x4; 2]; PANELS]; ROWS] {
    let mut sums = [[[F32x4::zero(); 2]; PANELS]; ROWS];
    for k in 0..inner {
        let columns = panels.map(|panel| panel[k].halves());
        for (sums, row) in sums.iter_mut().zip(rows) {
            let factor = F32x4::splat(row[k]);
            for (sum, column) in sums.iter_mut().zip(columns) {
                sum[0] = sum[0] + factor * column[0];
                sum[1] = sum[1] + factor * column[1];
            }
        }
    }
    sums
}

impl PanelRow {
    #[inline]
    fn halves(&self) -> [F32x4; 2] {
        let (halves, _) = self.0.as_chunks::<LANES>();
        [F32x4::load(&halves[0]), F32x4::load(&halves[1])]
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::scalar;
    use super::super::testing::{AWKWARD_SIZES, Random, same_bits};
    use super::*;

    fn rows(data: &[f32], stride: usize, count: usize) -> Rows<'_> {
        Rows { data, stride, count }
    }

    #[test]
    fn every_size_has_the_bits_of_the_plain_loop() {
        let mut random = Random::new(1);
        for inner in AWKWARD_SIZES {
            for outer in AWKWARD_SIZES {
                for count in [0, 1, 2, 3, 4, 5, 6, 7, 9] {
                    let x = random.values(count * inner, -1.0, 1.0);
                    let w = random.values(inner * outer, -1.0, 1.0);
                    let bias = random.values(outer, -1.0, 1.0);
                    let packed = PackedMatrix::from_rows(inner, outer, &w, outer);
                    for bias in [None, Some(bias.as_slice())] {
                        let mut fast = vec![f32::NAN; count * outer];
                        let mut plain = fast.clone();
                        matmul(rows(&x, inner, count), &packed, bias, &mut fast, outer);
                        scalar::matmul(&x, &w, bias, (count, inner, outer), &mut plain);
                        same_bits(&fast, &plain, &format!("{count}×{inner}×{outer}"));
                    }
                }
            }
        }
    }

    #[test]
    fn both_ways_to_pack_agree_and_columns_come_back() {
        let mut random = Random::new(3);
        for inner in AWKWARD_SIZES {
            for outer in AWKWARD_SIZES {
                // Wider rows than used: the stride is not the width.
                let stride = outer + 2;
                let by_rows = random.values(inner * stride, -1.0, 1.0);
                let mut by_columns = vec![f32::NAN; outer * (inner + 3)];
                for k in 0..inner {
                    for n in 0..outer {
                        by_columns[n * (inner + 3) + k] = by_rows[k * stride + n];
                    }
                }
                let left = PackedMatrix::from_rows(inner, outer, &by_rows, stride);
                let right = PackedMatrix::from_columns(inner, outer, &by_columns, inner + 3);
                assert_eq!((left.inner(), left.outer()), (inner, outer));
                assert_eq!(left.bytes(), inner * outer.div_ceil(8) * 8 * 4);
                for n in 0..outer {
                    let (mut a, mut b) = (vec![0.0; inner], vec![0.0; inner]);
                    left.column(n, &mut a);
                    right.column(n, &mut b);
                    same_bits(&a, &b, "column");
                    same_bits(&a, &by_columns[n * (inner + 3)..][..inner], "column");
                }
            }
        }
    }

    #[test]
    fn strides_skip_and_what_lies_between_rows_is_left_alone() {
        let w = PackedMatrix::from_columns(2, 1, &[1.0, 10.0], 2);
        let x = [1.0, 2.0, f32::NAN, 3.0, 4.0, f32::NAN];
        let mut out = [-1.0; 6];
        matmul(rows(&x, 3, 2), &w, None, &mut out, 4);
        same_bits(&out, &[21.0, -1.0, -1.0, -1.0, 43.0, -1.0], "product");
    }

    #[test]
    fn padding_never_leaks_out_of_infinite_rows() {
        let w = PackedMatrix::from_rows(1, 9, &[1.0; 9], 9);
        let mut out = [0.0; 9];
        matmul(rows(&[f32::INFINITY], 1, 1), &w, None, &mut out, 9);
        same_bits(&out, &[f32::INFINITY; 9], "product");
    }
}
