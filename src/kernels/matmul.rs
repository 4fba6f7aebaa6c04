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
//! It does not use threads or a sparse shortcut for zeros.

use std::ops::Range;

use super::lanes::{F32x4, LANES};
use super::panel::{PanelRow, WIDTH, sums};
use super::stored::{Format, Unit, pack, rounded, widen, widened};

/// The register tile: 2 rows by 16 columns. Its 8 accumulators, four columns, two factors
/// and a product fit the 15 vector registers that browsers use on x86, and 8 sums side by
/// side hide the latency of an addition; 6 × 8 and 4 × 12 spill.
const TILE_ROWS: usize = 2;

/// A matrix `w [inner, outer]` in panels of sixteen columns: for each panel, for each `k`,
/// sixteen contiguous numbers, so that the rows of a tile read one stream. The last panel is filled up with zeros. It grows at either side.
#[derive(Debug, Clone)]
pub struct PackedMatrix {
    inner: usize,
    outer: usize,
    /// Rows that a panel has room for, at least `inner`.
    room: usize,
    panels: Vec<PanelRow>,
    /// In place of `panels` where the format is not f32; such sums do not grow.
    units: Vec<Unit>,
    format: Format,
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
    /// A matrix without columns or without rows, which are pushed later.
    pub fn empty(inner: usize, outer: usize) -> Self {
        let (panels, units) = (Vec::new(), Vec::new());
        Self { inner, outer, room: inner, panels, units, format: Format::F32 }
    }

    /// A matrix without columns that has room for so many, which it holds in this format.
    pub fn stored(format: Format, inner: usize, most: usize) -> Self {
        let mut matrix = Self { format, ..Self::empty(inner, 0) };
        let n_panels = most.div_ceil(WIDTH);
        match format {
            Format::F32 => matrix.panels.reserve_exact(n_panels * inner),
            _ => matrix.units.reserve_exact(n_panels * matrix.n_units()),
        }
        matrix
    }

    /// More columns, whole rows of `inner` numbers in `format`. It is the matrix's own, or `Int8`
    /// rounds them.
    ///
    /// # Panics
    /// When the formats are two others.
    pub fn push_stored(&mut self, format: Format, rows: &[u8]) {
        let is_own = self.format == format;
        if is_own && format != Format::F32 {
            let rows = rows.chunks_exact(format.row_bytes(self.inner).max(1));
            return rows.for_each(|row| self.push_row(row));
        }
        let numbers = widened(format, self.inner, rows);
        if is_own {
            return self.push_columns(numbers.len() / self.inner.max(1), &numbers, self.inner);
        }
        assert_eq!(self.format, Format::Int8, "weights are rounded to bytes alone");
        numbers.chunks_exact(self.inner.max(1)).for_each(|row| self.push_row(&rounded(row)));
    }

    fn push_row(&mut self, row: &[u8]) {
        let (first, column) = (self.outer / WIDTH * self.n_units(), self.outer % WIDTH);
        self.outer += 1;
        self.units.resize(first + self.n_units(), [0; WIDTH]);
        pack(&mut self.units[first..], column, row);
    }

    /// Packs a matrix whose rows run over the outputs, `data[k · stride + n]`: the values
    /// of one head, GPT-2's `Conv1D`.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn from_rows(inner: usize, outer: usize, data: &[f32], stride: usize) -> Self {
        let mut matrix = Self::empty(0, outer);
        matrix.push_rows(inner, data, stride);
        matrix
    }

    /// Packs a matrix whose rows run over the inputs, `data[n · stride + k]`: the weight
    /// `[out, in]` of a linear layer, the keys of one head.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn from_columns(inner: usize, outer: usize, data: &[f32], stride: usize) -> Self {
        let mut matrix = Self::empty(inner, 0);
        matrix.push_columns(outer, data, stride);
        matrix
    }

    /// Longer sums: `count` more rows, `data[k · stride + n]`.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn push_rows(&mut self, count: usize, data: &[f32], stride: usize) {
        let first = self.inner;
        self.inner += count;
        if self.inner > self.room {
            // A text that grows by one token at a time is not copied for each.
            let room = if first == 0 { self.inner } else { self.inner + first / 8 };
            let mut panels = Vec::with_capacity(self.n_panels() * room);
            for panel in 0..self.n_panels() {
                panels.extend_from_slice(&self.panels[panel * self.room..][..first]);
                panels.resize((panel + 1) * room, PanelRow([0.0; WIDTH]));
            }
            (self.room, self.panels) = (room, panels);
        }
        for column in (0..self.outer).step_by(WIDTH) {
            let width = WIDTH.min(self.outer - column);
            let rows = &mut self.panels[column / WIDTH * self.room + first..][..count];
            for (k, row) in rows.iter_mut().enumerate() {
                row.0[..width].copy_from_slice(&data[k * stride + column..][..width]);
            }
        }
    }

    /// `count` more columns, `data[n · stride + k]`.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn push_columns(&mut self, count: usize, data: &[f32], stride: usize) {
        let (first, mut next) = (self.outer, self.outer);
        self.outer += count;
        self.panels.resize(self.n_panels() * self.room, PanelRow([0.0; WIDTH]));
        while next < self.outer {
            let (panel, column) = (next / WIDTH, next % WIDTH);
            let width = (WIDTH - column).min(self.outer - next);
            let rows = &mut self.panels[panel * self.room..][..self.inner];
            for (k, row) in rows.iter_mut().enumerate() {
                for (at, value) in row.0[column..column + width].iter_mut().enumerate() {
                    *value = data[(next - first + at) * stride + k];
                }
            }
            next += width;
        }
    }

    /// Length of the sums.
    pub fn inner(&self) -> usize {
        self.inner
    }

    /// Number of columns.
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// Copies column `index` out: a token's embedding from a table packed as the output
    /// projection.
    ///
    /// # Panics
    /// When there is no such column or `out` is not `inner` long.
    pub fn column(&self, index: usize, out: &mut [f32]) {
        assert!(index < self.outer, "column {index} of {}", self.outer);
        assert_eq!(out.len(), self.inner, "a column holds `inner` numbers");
        for (value, row) in out.iter_mut().zip(self.panel(index / WIDTH, &mut Vec::new())) {
            *value = row.0[index % WIDTH];
        }
    }

    /// A panel, in `widened` if it is not there in f32.
    fn panel<'a>(&'a self, index: usize, widened: &'a mut Vec<PanelRow>) -> &'a [PanelRow] {
        if self.format == Format::F32 {
            return &self.panels[index * self.room..][..self.inner];
        }
        let room = self.inner.next_multiple_of(self.format.block()[0]);
        widened.resize(room, PanelRow([0.0; WIDTH]));
        let n_units = self.n_units();
        widen(self.format, &self.units[index * n_units..][..n_units], widened);
        &widened[..self.inner]
    }

    /// Rows of a panel.
    fn n_units(&self) -> usize {
        self.format.row_bytes(self.inner) / 2
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
    let mut widened = Vec::new();
    // Panels come outermost: while all rows pass by, the panel stays in the cache.
    for index in 0..w.n_panels() {
        if w.outer - index * WIDTH > WIDTH / 2 {
            target.panel::<4>(x, index, w.panel(index, &mut widened));
        } else {
            target.panel::<2>(x, index, w.panel(index, &mut widened));
        }
    }
}

/// Where a product goes.
struct Target<'a> {
    w: &'a PackedMatrix,
    bias: Option<&'a [f32]>,
    out: &'a mut [f32],
    stride: usize,
}

impl Target<'_> {
    /// The first `VECTORS` of a panel's four, for all rows. Out of line: a function with the tiles
    /// of several widths does not keep them in registers.
    #[inline(never)]
    fn panel<const VECTORS: usize>(&mut self, x: Rows<'_>, index: usize, panel: &[PanelRow]) {
        let paired = x.count - x.count % TILE_ROWS;
        self.tiles::<TILE_ROWS, VECTORS>(x, 0..paired, index, panel);
        self.tiles::<1, VECTORS>(x, paired..x.count, index, panel);
    }

    /// The same for some rows, in tiles of `ROWS`.
    #[inline]
    fn tiles<const ROWS: usize, const VECTORS: usize>(
        &mut self,
        x: Rows<'_>,
        rows: Range<usize>,
        index: usize,
        panel: &[PanelRow],
    ) {
        let first = index * WIDTH;
        let columns = first..self.w.outer.min(first + WIDTH);
        let bias: Option<[F32x4; VECTORS]> = self.bias.map(|bias| {
            let mut parts = bias[columns.clone()].chunks(LANES);
            std::array::from_fn(|_| F32x4::load_partial(parts.next().unwrap_or_default(), 0.0))
        });
        for row in rows.step_by(ROWS) {
            let rows: [&[f32]; ROWS] = std::array::from_fn(|r| x.row(row + r, self.w.inner));
            for (r, mut sums) in sums::<ROWS, VECTORS>(panel, rows).into_iter().enumerate() {
                if let Some(bias) = bias {
                    sums.iter_mut().zip(bias).for_each(|(sum, bias)| *sum = *sum + bias);
                }
                let out = &mut self.out[(row + r) * self.stride..][columns.clone()];
                let (whole, _) = out.as_chunks_mut();
                match <&mut [[f32; LANES]; VECTORS]>::try_from(whole) {
                    Ok(out) => out.iter_mut().zip(sums).for_each(|(out, sum)| sum.store(out)),
                    Err(_) => store_some(out, sums),
                }
            }
        }
    }
}

/// Stores fewer columns than a tile has. Out of line, so that a whole tile stays in registers.
#[inline(never)]
fn store_some<const VECTORS: usize>(out: &mut [f32], sums: [F32x4; VECTORS]) {
    out.chunks_mut(LANES).zip(sums).for_each(|(out, sum)| sum.store_partial(out));
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
    fn all_ways_to_pack_agree_and_columns_come_back() {
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
                // A text that grows, token by token at last.
                let [mut longer, mut wider] =
                    [PackedMatrix::empty(0, outer), PackedMatrix::empty(inner, 0)];
                for k in 0..inner {
                    longer.push_rows(1, &by_rows[k * stride..], stride);
                }
                for half in [0..outer / 2, outer / 2..outer] {
                    let rest = &by_columns[half.start * (inner + 3)..];
                    wider.push_columns(half.len(), rest, inner + 3);
                }
                assert_eq!((left.inner(), left.outer()), (inner, outer));
                for n in 0..outer {
                    for matrix in [&left, &right, &longer, &wider] {
                        let mut column = vec![0.0; inner];
                        matrix.column(n, &mut column);
                        same_bits(&column, &by_columns[n * (inner + 3)..][..inner], "column");
                    }
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
