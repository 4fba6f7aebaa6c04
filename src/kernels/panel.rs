//! A panel of a packed matrix: sixteen columns side by side, and what a register tile sums of its
//! own rows and a panel's.

use std::ops::Range;

use super::lanes::{F32x4, LANES};

/// Columns in a panel: four vectors, a cache line.
pub(super) const WIDTH: usize = VECTORS * LANES;
pub(super) const VECTORS: usize = 4;
/// `WIDTH` columns of one row of `w`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct PanelRow(pub [f32; WIDTH]);

/// Rows of numbers inside a larger slice: row `r` starts at `r · stride`.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All the numbers.
    pub data: &'a [f32],
    /// From the start of one row to the start of the next.
    pub stride: usize,
    /// How many rows.
    pub count: usize,
}

/// Some rows of a panel, and what they are multiplied with.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub x: Rows<'a>,
    /// The column of `x` that belongs to the first row.
    pub k: usize,
    pub rows: &'a [PanelRow],
    /// Rows that are needed next: some are read with each tile, so that they come from memory
    /// while it is computed.
    pub next: &'a [PanelRow],
}

/// Where the sums go.
pub(super) struct Output<'a> {
    pub out: &'a mut [f32],
    pub stride: usize,
    pub columns: Range<usize>,
    pub bias: PanelRow,
}

impl Output<'_> {
    #[inline]
    pub(super) fn write(&mut self, row: usize, sums: [F32x4; VECTORS]) {
        let bias = self.bias.vectors();
        let sums = std::array::from_fn(|at| sums[at] + bias[at]);
        let out = &mut self.out[row * self.stride..][self.columns.clone()];
        if let Ok(out) = (&mut *out).try_into() {
            store(sums, out);
        } else {
            let mut all = PanelRow([0.0; WIDTH]);
            store(sums, &mut all.0);
            out.copy_from_slice(&all.0[..out.len()]);
        }
    }
}

/// Adds the products of a part to the sums of some rows of `x`, from `first` on. A tile of `R` rows
/// stays in registers; `tiles` holds the sums between parts, those of the last part go to `output`.
/// Returns bits of what was read ahead, so that a compiler does not leave that out.
#[inline(never)]
pub(super) fn add_products<const R: usize>(
    part: &Part<'_>,
    first: usize,
    tiles: &mut [[PanelRow; R]],
    mut output: Option<&mut Output<'_>>,
) -> u32 {
    let n_ahead = part.next.len().div_ceil(tiles.len().max(1));
    let mut seen = 0;
    for (tile, held) in tiles.iter_mut().enumerate() {
        for row in part.next.iter().skip(tile * n_ahead).take(n_ahead) {
            seen |= row.0[0].to_bits();
        }
        let mut sums = [[F32x4::zero(); VECTORS]; R];
        if part.k > 0 {
            sums = std::array::from_fn(|r| held[r].vectors());
        }
        let first = first + tile * R;
        let rows: [&[f32]; R] = std::array::from_fn(|r| {
            &part.x.data[(first + r) * part.x.stride + part.k..][..part.rows.len()]
        });
        for (k, columns) in part.rows.iter().enumerate() {
            let columns = columns.vectors();
            for (sums, row) in sums.iter_mut().zip(rows) {
                #[expect(unsafe_code, reason = "a check takes a quarter of the loop in browsers")]
                // SAFETY: each row was cut to the number of rows of the part.
                let factor = F32x4::splat(unsafe { *row.get_unchecked(k) });
                for (sum, column) in sums.iter_mut().zip(columns) {
                    *sum = sum.add_product(factor, column);
                }
            }
        }
        for (r, (held, sums)) in held.iter_mut().zip(sums).enumerate() {
            let Some(output) = &mut output else {
                store(sums, &mut held.0);
                continue;
            };
            output.write(first + r, sums);
        }
    }
    seen
}

impl PanelRow {
    #[inline]
    fn vectors(&self) -> [F32x4; VECTORS] {
        let (vectors, _) = self.0.as_chunks();
        std::array::from_fn(|at| F32x4::load(&vectors[at]))
    }
}

#[inline]
fn store(numbers: [F32x4; VECTORS], out: &mut [f32; WIDTH]) {
    let (vectors, _) = out.as_chunks_mut();
    vectors.iter_mut().zip(numbers).for_each(|(vector, numbers)| numbers.store(vector));
}
