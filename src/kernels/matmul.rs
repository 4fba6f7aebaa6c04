//! Matrix product with a matrix packed beforehand: weights once at load, the keys and
//! values of a head once per run. Two rows by sixteen columns stay in registers.
//!
//! `out[r, n] = Σₖ x[r, k] · w[k, n] (+ bias[n])`
//!
//! Source: K. Goto and R. van de Geijn, "Anatomy of High-Performance Matrix
//! Multiplication", ACM TOMS 34 (2008), section 4 (packing, register tile).
//! Shapes: `x [count, inner]`, `w [inner, outer]`, `out [count, outer]`.
//!
//! Every output is summed over `k` from 0 to `inner`, one product at a time, starting from 0, and
//! the bias is added last. The tile only decides which outputs are computed side by side, so a row
//! alone has the same bits as in a batch. One thread computes all; zeros have no shortcut.

use std::borrow::Cow;

pub use super::panel::Rows;
use super::panel::{Output, PanelRow, WIDTH, row_by_panels, write_products};
use super::stored::{Format, Unit, pack, rounded, row_products, widen, widened};

/// The register tile: 2 rows by 16 columns. Its 8 accumulators, four columns, two factors
/// and a product fit the 15 vector registers that browsers use on x86, and 8 sums side by
/// side hide the latency of an addition; 6 × 8 and 4 × 12 spill.
const TILE_ROWS: usize = 2;

/// A matrix `w [inner, outer]` in panels of sixteen columns: for each panel, for each `k`, sixteen
/// contiguous numbers, so that the rows of a tile read one stream. The last panel is padded with
/// zeros.
#[derive(Debug, Clone)]
pub struct PackedMatrix {
    inner: usize,
    outer: usize,
    /// The rows that each panel has memory for, at least `inner`.
    room: usize,
    panels: Vec<PanelRow>,
    /// The panels in a format other than f32, in place of `panels`; their `inner` is fixed.
    units: Vec<Unit>,
    format: Format,
}

impl PackedMatrix {
    /// A matrix without columns or without rows, to be filled by `push_columns` or `push_rows`.
    pub fn empty(inner: usize, outer: usize) -> Self {
        let panels = Vec::new();
        let units = Vec::new();
        Self { inner, outer, room: inner, panels, units, format: Format::F32 }
    }

    /// A matrix in `format` without columns, with memory for `most` columns.
    pub fn stored(format: Format, inner: usize, most: usize) -> Self {
        let mut matrix = Self { format, ..Self::empty(inner, 0) };
        let n_panels = most.div_ceil(WIDTH);
        match format {
            Format::F32 => matrix.panels.reserve_exact(n_panels * inner),
            _ => matrix.units.reserve_exact(n_panels * matrix.n_units()),
        }
        matrix
    }

    /// Appends columns, given as rows of `inner` numbers in `format`: the matrix's own format, or
    /// any if the matrix is `Q8_0`, which rounds them.
    ///
    /// # Panics
    /// When the formats differ and the matrix is not `Q8_0`.
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
        assert_eq!(self.format, Format::Q8_0, "weights are rounded to bytes alone");
        numbers.chunks_exact(self.inner.max(1)).for_each(|row| self.push_row(&rounded(row)));
    }

    fn push_row(&mut self, row: &[u8]) {
        let first = self.outer / WIDTH * self.n_units();
        let column = self.outer % WIDTH;
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

    /// Appends `count` rows, `data[k · stride + n]`, which makes the sums longer.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn push_rows(&mut self, count: usize, data: &[f32], stride: usize) {
        let first = self.inner;
        self.inner += count;
        if self.inner > self.room {
            // Spare memory, so that a text that grows token by token is not copied at each token.
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

    /// Appends `count` columns, `data[n · stride + k]`.
    ///
    /// # Panics
    /// When `data` is too short.
    pub fn push_columns(&mut self, count: usize, data: &[f32], stride: usize) {
        let first = self.outer;
        let mut next = self.outer;
        self.outer += count;
        self.panels.resize(self.n_panels() * self.room, PanelRow([0.0; WIDTH]));
        while next < self.outer {
            let panel = next / WIDTH;
            let column = next % WIDTH;
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

    /// The length of the sums, that is the number of rows.
    pub fn inner(&self) -> usize {
        self.inner
    }

    /// The number of columns.
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// Copies column `index` into `out`: a token's embedding, if the matrix is the unembedding.
    ///
    /// # Panics
    /// When there is no such column or `out` is not `inner` long.
    pub fn column(&self, index: usize, out: &mut [f32]) {
        assert!(index < self.outer, "column {index} of {}", self.outer);
        assert_eq!(out.len(), self.inner, "a column holds `inner` numbers");
        let mut widened = Vec::new();
        let rows = self.panel(index / WIDTH, &mut widened);
        out.iter_mut().zip(rows).for_each(|(out, row)| *out = row.0[index % WIDTH]);
    }

    /// The rows of a panel; in a format other than f32, converted into `widened`.
    fn panel<'a>(&'a self, panel: usize, widened: &'a mut Vec<PanelRow>) -> &'a [PanelRow] {
        if self.format == Format::F32 {
            return self.rows(panel, self.inner);
        }
        let whole = self.inner.next_multiple_of(self.format.block()[0]);
        widened.resize(whole, PanelRow([0.0; WIDTH]));
        widen(self.format, self.units(panel), widened);
        &widened[..self.inner]
    }

    /// The first `inner` rows of a panel of f32.
    fn rows(&self, panel: usize, inner: usize) -> &[PanelRow] {
        &self.panels[panel * self.room..][..inner]
    }

    /// The units of a panel in a format other than f32.
    fn units(&self, panel: usize) -> &[Unit] {
        &self.units[panel * self.n_units()..][..self.n_units()]
    }

    /// A row of `inner` numbers, with zeros up to the end of the last block.
    fn whole_row<'a>(&self, row: &'a [f32]) -> Cow<'a, [f32]> {
        let whole = self.inner.next_multiple_of(self.format.block()[0]);
        if whole == self.inner {
            return Cow::Borrowed(row);
        }
        let mut padded = row.to_vec();
        padded.resize(whole, 0.0);
        Cow::Owned(padded)
    }

    /// The number of units of a panel.
    fn n_units(&self) -> usize {
        self.format.row_bytes(self.inner) / 2
    }

    fn n_panels(&self) -> usize {
        self.outer.div_ceil(WIDTH)
    }
}

/// The product `out[r · out_stride + n] = Σₖ x[r, k] · w[k, n] (+ bias[n])`, overwriting; numbers
/// between the rows of `out` stay unchanged.
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
    matmul_first(x, w, [w.inner, w.outer], bias, out, out_stride);
}

/// The product of `matmul` with the first `inner` rows and `outer` columns of `w` alone.
///
/// # Panics
/// When a slice is too short for the shapes, or `w` has fewer rows or columns.
pub fn matmul_first(
    x: Rows<'_>,
    w: &PackedMatrix,
    [inner, outer]: [usize; 2],
    bias: Option<&[f32]>,
    out: &mut [f32],
    out_stride: usize,
) {
    if x.count == 1 {
        return multiply_row(x.data, w, [inner, outer], bias, out);
    }
    let n_panels = outer.div_ceil(WIDTH);
    let last = x.count - x.count % TILE_ROWS;
    let mut widened = Vec::new();
    for at in 0..n_panels {
        let mut output = Output::of_panel(at, outer, bias, out, out_stride);
        let panel = &w.panel(at, &mut widened)[..inner];
        let is_read_ahead = w.format == Format::F32 && at + 1 < n_panels;
        let next = if is_read_ahead { w.rows(at + 1, inner) } else { &[] };
        write_products::<TILE_ROWS>(&x, panel, 0..last, &mut output, next);
        write_products::<1>(&x, panel, last..x.count, &mut output, &[]);
    }
}

/// The product with a single row, whose time is that of reading the weights: of f32 two panels at a
/// time, which are two streams from memory.
fn multiply_row(
    row: &[f32],
    w: &PackedMatrix,
    [inner, outer]: [usize; 2],
    bias: Option<&[f32]>,
    out: &mut [f32],
) {
    let n_panels = outer.div_ceil(WIDTH);
    if w.format == Format::F32 {
        let row = &row[..inner];
        for pair in (0..n_panels / 2).map(|pair| [2 * pair, 2 * pair + 1]) {
            let sums = row_by_panels(row, pair.map(|panel| w.rows(panel, inner)));
            for (panel, sums) in pair.into_iter().zip(sums) {
                Output::of_panel(panel, outer, bias, out, outer).write(0, sums);
            }
        }
        if n_panels % 2 == 1 {
            let [sums] = row_by_panels(row, [w.rows(n_panels - 1, inner)]);
            Output::of_panel(n_panels - 1, outer, bias, out, outer).write(0, sums);
        }
        return;
    }
    let row = w.whole_row(&row[..w.inner]);
    for panel in 0..n_panels {
        let sums = row_products(w.format, w.units(panel), &row);
        Output::of_panel(panel, outer, bias, out, outer).write(0, sums);
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
        let shapes = AWKWARD_SIZES.into_iter().flat_map(|inner| {
            let counts = [0, 1, 2, 3, 4, 5, 6, 7, 9];
            AWKWARD_SIZES
                .into_iter()
                .flat_map(move |outer| counts.map(|count| (count, inner, outer)))
        });
        // Several stretches of a panel, the last shorter.
        for (count, inner, outer) in shapes.chain([(5, 2100, 70)]) {
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
