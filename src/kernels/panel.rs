//! A panel of a packed matrix: sixteen columns side by side, and what a register tile sums of its
//! own rows and a panel's.

use super::lanes::{F32x4, LANES};

/// Columns in a panel: four vectors, a cache line.
pub(super) const WIDTH: usize = 4 * LANES;
/// `WIDTH` columns of one row of `w`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct PanelRow(pub [f32; WIDTH]);

/// Sums, by row and vector.
pub(super) type Tile<const R: usize, const V: usize> = [[F32x4; V]; R];

/// Every `Σₖ` of a panel with its first vectors, one product at a time.
#[inline]
pub(super) fn sums<const R: usize, const V: usize>(
    panel: &[PanelRow],
    rows: [&[f32]; R],
) -> Tile<R, V> {
    let mut sums = [[F32x4::zero(); V]; R];
    let rows = rows.map(|row| &row[..panel.len()]); // So that the loop checks no index.
    for (k, columns) in panel.iter().enumerate() {
        add_products(&mut sums, rows, k, columns.first());
    }
    sums
}

/// The register tile: one more product for every sum.
#[inline]
fn add_products<const R: usize, const V: usize>(
    sums: &mut Tile<R, V>,
    rows: [&[f32]; R],
    k: usize,
    columns: [F32x4; V],
) {
    for (sums, row) in sums.iter_mut().zip(rows) {
        let factor = F32x4::splat(row[k]);
        for (sum, column) in sums.iter_mut().zip(columns) {
            *sum = sum.add_product(factor, column);
        }
    }
}

impl PanelRow {
    /// Its first vectors.
    #[inline]
    pub fn first<const VECTORS: usize>(&self) -> [F32x4; VECTORS] {
        let (vectors, _) = self.0.as_chunks();
        std::array::from_fn(|at| F32x4::load(&vectors[at]))
    }
}
