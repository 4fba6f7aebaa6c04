//! A panel of a packed matrix, sixteen columns side by side, and the product of a register tile of
//! rows with a panel.

use std::hint::black_box;
use std::ops::Range;

use super::lanes::{F32x4, LANES};

/// The columns of a panel: four vectors, a cache line.
pub(super) const WIDTH: usize = VECTORS * LANES;
pub(super) const VECTORS: usize = 4;
/// The rows of a panel that a tile multiplies between two looks ahead.
const STRETCH: usize = 64;
/// The places from which the next panel is read side by side: a processor follows several streams
/// from memory. With two, an AMD EPYC is slower than without reading ahead.
const STREAMS: usize = 4;
/// The least number of tiles beside whose products the next panel is read. Those of fewer tiles are
/// too short to hide the loads.
const LEAST_TILES: usize = 4;
/// The `WIDTH` columns of one row of `w`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct PanelRow(pub [f32; WIDTH]);

/// Rows of numbers inside a larger slice: row `r` starts at `r · stride`.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// The numbers of all rows.
    pub data: &'a [f32],
    /// The distance from the start of one row to the start of the next.
    pub stride: usize,
    /// The number of rows.
    pub count: usize,
}

/// The destination of the sums of one panel, and its bias.
pub(super) struct Output<'a> {
    pub out: &'a mut [f32],
    pub stride: usize,
    pub columns: Range<usize>,
    pub bias: PanelRow,
}

impl<'a> Output<'a> {
    /// The destination of a panel's sums, of `outer` columns and their bias.
    pub(super) fn of_panel(
        panel: usize,
        outer: usize,
        bias: Option<&[f32]>,
        out: &'a mut [f32],
        stride: usize,
    ) -> Self {
        let first = panel * WIDTH;
        let columns = first..outer.min(first + WIDTH);
        let own = bias.map_or(&[][..], |bias| &bias[columns.clone()]);
        let mut bias = PanelRow([0.0; WIDTH]);
        bias.0.iter_mut().zip(own).for_each(|(number, &of)| *number = of);
        Self { out, stride, columns, bias }
    }

    #[inline]
    pub(super) fn write(&mut self, row: usize, sums: [F32x4; VECTORS]) {
        let bias = self.bias.vectors();
        let sums = std::array::from_fn(|at| sums[at] + bias[at]);
        let out = &mut self.out[row * self.stride..][self.columns.clone()];
        if let Ok(out) = (&mut *out).try_into() {
            store(sums, out);
        } else {
            let mut all = PanelRow([0.0; WIDTH]);
            all.store(sums);
            out.copy_from_slice(&all.0[..out.len()]);
        }
    }
}

/// Multiplies some rows of `x` by a panel. A tile of `R` rows stays in registers; the rows of
/// `rows` behind the last whole tile are not computed. Between the stretches of many tiles the lines
/// of `next`, the panel that follows, are read from memory into the cache, an equal share each
/// time: WebAssembly has no prefetch, and what no sum waits for is loaded beside the products.
#[inline(never)]
pub(super) fn write_products<const R: usize>(
    x: &Rows<'_>,
    panel: &[PanelRow],
    rows: Range<usize>,
    output: &mut Output<'_>,
    next: &[PanelRow],
) {
    let n_tiles = rows.len() / R;
    let n_looks = n_tiles * panel.len().div_ceil(STRETCH);
    let mut look = 0;
    for tile in 0..n_tiles {
        let first = rows.start + tile * R;
        let mut sums = [[F32x4::zero(); VECTORS]; R];
        let rows: [&[f32]; R] =
            std::array::from_fn(|r| &x.data[(first + r) * x.stride..][..panel.len()]);
        for (at, stretch) in panel.chunks(STRETCH).enumerate() {
            if n_tiles >= LEAST_TILES {
                look_ahead(next, look, n_looks);
                look += 1;
            }
            let rows = rows.map(|row| &row[at * STRETCH..][..stretch.len()]);
            for (k, columns) in stretch.iter().enumerate() {
                let columns = columns.vectors();
                for (sums, row) in sums.iter_mut().zip(rows) {
                    #[expect(
                        unsafe_code,
                        reason = "a check takes a quarter of the loop in browsers"
                    )]
                    // SAFETY: each row was cut to the number of rows of the stretch.
                    let factor = F32x4::splat(unsafe { *row.get_unchecked(k) });
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum = sum.add_product(factor, column);
                    }
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            output.write(first + r, sums);
        }
    }
}

/// Reads the lines of `next` that belong to the look `look` of `n_looks` into the cache.
#[inline]
fn look_ahead(next: &[PanelRow], look: usize, n_looks: usize) {
    let share = next.len() / STREAMS;
    for stream in 0..STREAMS {
        let lines = &next[stream * share..][share * look / n_looks..share * (look + 1) / n_looks];
        black_box(lines.iter().fold(0, |bits, line| bits ^ line.0[0].to_bits()));
    }
}

/// The products of one row of `x` with some panels, which are read side by side.
#[inline(never)]
pub(super) fn row_by_panels<const P: usize>(
    x: &[f32],
    panels: [&[PanelRow]; P],
) -> [[F32x4; VECTORS]; P] {
    let panels = panels.map(|panel| &panel[..x.len()]);
    let mut sums = [[F32x4::zero(); VECTORS]; P];
    for (k, &x) in x.iter().enumerate() {
        let x = F32x4::splat(x);
        for (sums, panel) in sums.iter_mut().zip(panels) {
            for (sum, column) in sums.iter_mut().zip(panel[k].vectors()) {
                *sum = sum.add_product(x, column);
            }
        }
    }
    sums
}

impl PanelRow {
    #[inline]
    fn vectors(&self) -> [F32x4; VECTORS] {
        let (vectors, _) = self.0.as_chunks();
        std::array::from_fn(|at| F32x4::load(&vectors[at]))
    }

    #[inline]
    pub(super) fn store(&mut self, numbers: [F32x4; VECTORS]) {
        store(numbers, &mut self.0);
    }
}

#[inline]
fn store(numbers: [F32x4; VECTORS], out: &mut [f32; WIDTH]) {
    let (vectors, _) = out.as_chunks_mut();
    vectors.iter_mut().zip(numbers).for_each(|(vector, numbers)| numbers.store(vector));
}
