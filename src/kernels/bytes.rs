//! A weight as bytes, a quarter of its size: whole numbers from -127 to 127, with a factor for
//! every 32 neighbours of a column. A product is that of the widened weight to the bit.
//!
//! `w[k, n] ≈ s[⌊k / 32⌋, n] · q[k, n]`, `s[b, n] = max |w[k, n]| / 127` over the `k` of a block
//!
//! Source: T. Dettmers et al., "8-bit Optimizers via Block-wise Quantization", ICLR 2022, section
//! 2.1 (there with a table of values). Activations stay f32.

use super::lanes::{F32x4, LANES};
use super::panel::{PanelRow, Source, Tile, WIDTH, add_products};

/// The largest whole number: both signs have it.
const MOST: f32 = 127.0;
/// Neighbours in a column with one factor.
const BLOCK: usize = 32;

/// Some rows of a panel.
#[derive(Debug, Clone)]
pub(super) struct Block {
    factors: PanelRow,
    /// As `F32x4::load_bytes` reads them; the last block of a panel is filled up with zeros.
    rows: [[i8; WIDTH]; BLOCK],
}

/// The panels of a matrix that has `w[k, n]` at `data[k · steps[0] + n · steps[1]]`, rounded.
pub(super) fn rounded(inner: usize, outer: usize, data: &[f32], steps: [usize; 2]) -> Vec<Block> {
    let empty = Block { factors: PanelRow([0.0; WIDTH]), rows: [[0; WIDTH]; BLOCK] };
    let (n_panels, n_blocks) = (outer.div_ceil(WIDTH), inner.div_ceil(BLOCK));
    let mut blocks = vec![empty; n_panels * n_blocks];
    for n in 0..outer {
        let (panel, column) = (n / WIDTH, n % WIDTH);
        let byte = column % LANES * LANES + column / LANES;
        for (block, first) in blocks[panel * n_blocks..].iter_mut().zip((0..inner).step_by(BLOCK)) {
            let some = first..inner.min(first + BLOCK);
            let weights = some.map(|k| data[k * steps[0] + n * steps[1]]);
            let largest = weights.clone().fold(0.0, |most: f32, weight| most.max(weight.abs()));
            let factor = largest / MOST;
            block.factors.0[column] = factor;
            for (row, weight) in block.rows.iter_mut().zip(weights) {
                // A block of zeros gives NaN here, which is 0 as a whole number.
                row[byte] = (weight / factor).round_ties_even() as i8;
            }
        }
    }
    blocks
}

/// The panel in f32, written into `room`.
pub(super) fn widen<'a>(panel: &[Block], room: &'a mut [PanelRow]) -> &'a [PanelRow] {
    for (out, block) in room.chunks_mut(BLOCK).zip(panel) {
        let factors: [F32x4; 4] = block.factors.first();
        for (out, row) in out.iter_mut().zip(&block.rows) {
            let (out, _) = out.0.as_chunks_mut();
            out.iter_mut().zip(times(row, factors)).for_each(|(out, x)| x.store(out));
        }
    }
    room
}

impl Source for &[Block] {
    #[inline]
    fn sums<const R: usize, const V: usize>(self, x: [&[f32]; R]) -> Tile<R, V> {
        let mut sums = [[F32x4::zero(); V]; R];
        for (at, block) in self.iter().enumerate() {
            let factors = block.factors.first();
            let x = x.map(|x| &x[at * BLOCK..x.len().min((at + 1) * BLOCK)]);
            for (k, row) in block.rows.iter().take(x[0].len()).enumerate() {
                add_products(&mut sums, x, k, times(row, factors));
            }
        }
        sums
    }
}

/// Some bytes of a row, widened.
#[inline]
fn times<const V: usize>(row: &[i8; WIDTH], factors: [F32x4; V]) -> [F32x4; V] {
    let bytes = F32x4::load_bytes(row);
    std::array::from_fn(|at| bytes[at] * factors[at])
}
