//! Weights in the formats of their files: numbers of 16 bits, or blocks of small whole numbers. A
//! product widens them to f32, exactly but for one rounding at the end.
//!
//! `w[k, n] = factor[b, n] · q[k, n] + offset[b, n]`, `b` the group of `k`
//!
//! Sources: ggml's quantised types (`ggml-quants.c`), blocks of 32 and of 256 numbers along `k`.
//! Other formats can be rounded to `Q8_0`: `factor = max |w| / 127`, rounded to half precision,
//! over 32 neighbours of a column. Activations stay f32.
//!
//! Shapes: a file has rows of `inner` numbers, one row for each column of the matrix. A panel has
//! the same bytes, sixteen rows side by side: its row `j` holds the `j`-th 16 bits of each.

mod blocks;
mod columns;

use super::lanes::{F32x4, LANES};
use super::panel::{PanelRow, VECTORS, WIDTH};
use blocks::{RowProduct, read};

/// The same 16 bits of each of a panel's sixteen columns.
pub(super) type Unit = [u16; WIDTH];

/// The storage format of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "names that IEEE 754 and ggml have")]
pub enum Format {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
    Iq4Nl,
    Iq4Xs,
    Mxfp4,
}

/// The numbers in a block of most formats.
const BLOCK: usize = 32;
/// The largest magnitude of a whole number of `Q8_0`.
const MOST: f32 = 127.0;
impl Format {
    /// All formats, each with ggml's number and name.
    const GGML: [(u32, &'static str, Self); 16] = [
        (0, "F32", Self::F32),
        (1, "F16", Self::F16),
        (30, "BF16", Self::Bf16),
        (2, "Q4_0", Self::Q4_0),
        (3, "Q4_1", Self::Q4_1),
        (6, "Q5_0", Self::Q5_0),
        (7, "Q5_1", Self::Q5_1),
        (8, "Q8_0", Self::Q8_0),
        (10, "Q2_K", Self::Q2K),
        (11, "Q3_K", Self::Q3K),
        (12, "Q4_K", Self::Q4K),
        (13, "Q5_K", Self::Q5K),
        (14, "Q6_K", Self::Q6K),
        (20, "IQ4_NL", Self::Iq4Nl),
        (23, "IQ4_XS", Self::Iq4Xs),
        (39, "MXFP4", Self::Mxfp4),
    ];

    /// The format with ggml's type number.
    pub fn of_ggml(number: u32) -> Option<Self> {
        Self::GGML.iter().find(|known| known.0 == number).map(|known| known.2)
    }

    /// The format with ggml's type name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::GGML.iter().find(|known| known.1 == name).map(|known| known.2)
    }

    /// The unquantised format of a name that ggml and safetensors share: `F32`, `F16`, `BF16`.
    pub fn of_numbers(name: &str) -> Option<Self> {
        Self::of_name(name).filter(|format| format.block()[0] == 1)
    }

    /// ggml's name of the format.
    pub fn name(self) -> &'static str {
        Self::GGML.iter().find(|known| known.2 == self).map_or("", |known| known.1)
    }

    /// The ggml names of all formats, for error messages.
    pub fn ggml_names() -> String {
        Self::GGML.map(|known| known.1).join(", ")
    }

    /// The count of numbers in a block, and its bytes in memory.
    pub fn block(self) -> [usize; 2] {
        match self {
            Self::F32 => [1, 4],
            Self::F16 | Self::Bf16 => [1, 2],
            Self::Q4_0 | Self::Iq4Nl | Self::Mxfp4 => [BLOCK, 18],
            Self::Q4_1 => [BLOCK, 20],
            Self::Q5_0 => [BLOCK, 22],
            Self::Q5_1 => [BLOCK, 24],
            Self::Q8_0 => [BLOCK, 34],
            Self::Q2K => [256, 84],
            Self::Q3K => [256, 110],
            Self::Q4K => [256, 144],
            Self::Q5K => [256, 176],
            Self::Q6K => [256, 210],
            Self::Iq4Xs => [256, 136],
        }
    }

    /// The bytes of a block in a file: the factor of `MXFP4` has 8 bits there.
    pub fn file_block(self) -> usize {
        if self == Self::Mxfp4 { 17 } else { self.block()[1] }
    }

    /// Converts blocks of a file to blocks in memory: those of `MXFP4` get a bfloat16 as factor,
    /// which holds every 8-bit exponent exactly.
    pub fn held(self, bytes: &[u8]) -> Vec<u8> {
        if self != Self::Mxfp4 {
            return bytes.to_vec();
        }
        let factor = |exponent: u8| match exponent {
            // Half of 2^-126 and of 2^-127 are subnormal.
            0 => 0x0020,
            1 => 0x0040,
            exponent => (u16::from(exponent) - 1) << 7,
        };
        let mut held = Vec::with_capacity(bytes.len() / 17 * 18);
        for block in bytes.as_chunks::<17>().0 {
            held.extend(factor(block[0]).to_le_bytes());
            held.extend(&block[1..]);
        }
        held
    }

    /// The bytes of a row of `inner` numbers.
    pub fn row_bytes(self, inner: usize) -> usize {
        let [numbers, bytes] = self.block();
        inner.div_ceil(numbers) * bytes
    }
}

/// A row rounded to `Q8_0`, as bytes.
pub(super) fn rounded(row: &[f32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(Format::Q8_0.row_bytes(row.len()));
    for block in row.chunks(BLOCK) {
        let most = block.iter().fold(0.0, |most: f32, weight| most.max(weight.abs()));
        // Half-precision rounding as in `Bits::halves`; 65504 is the largest finite half.
        let bits = ((most / MOST).min(65504.0) * 2f32.powi(-112)).to_bits();
        let half = (bits + 0xFFF + (bits >> 13 & 1)) >> 13;
        let factor = f32::from_bits(half << 13) * 2f32.powi(112);
        bytes.extend((half as u16).to_le_bytes());
        // A block of zeros gives NaN here, which is 0 as a whole number.
        let whole = |weight: &f32| (weight / factor).round_ties_even().clamp(-MOST, MOST) as i8;
        bytes.extend(block.iter().map(|weight| whole(weight).cast_unsigned()));
        bytes.resize(bytes.len() + BLOCK - block.len(), 0);
    }
    bytes
}

/// Writes a row of a file, which is a column of the matrix, into its panel.
pub(super) fn pack(panel: &mut [Unit], column: usize, row: &[u8]) {
    // A vector's columns stand in the same halves of four words.
    let place = column / 8 * 8 + column % LANES * 2 + column / LANES % 2;
    for (unit, &bits) in panel.iter_mut().zip(row.as_chunks().0) {
        unit[place] = u16::from_le_bytes(bits);
    }
}

/// The numbers of rows of `inner` numbers each, as f32.
pub fn widened(format: Format, inner: usize, rows: &[u8]) -> Vec<f32> {
    if format == Format::F32 {
        return rows.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    }
    let stride = format.row_bytes(inner).max(1);
    let mut panel = vec![[0; WIDTH]; stride / 2];
    let mut room = vec![PanelRow([0.0; WIDTH]); inner.next_multiple_of(format.block()[0])];
    let mut numbers = Vec::with_capacity(rows.len() / stride * inner);
    for rows in rows.chunks(WIDTH * stride) {
        let rows = rows.chunks_exact(stride);
        rows.clone().enumerate().for_each(|(column, row)| pack(&mut panel, column, row));
        widen(format, &panel, &mut room);
        numbers.extend(
            (0..rows.len()).flat_map(|column| room[..inner].iter().map(move |row| row.0[column])),
        );
    }
    numbers
}

/// Converts a panel to f32 into `room`, which has a row for each number of a column's blocks.
pub(super) fn widen(format: Format, panel: &[Unit], room: &mut [PanelRow]) {
    read(format, panel, room);
}

/// One row of `x`, which has a number for each of a column's blocks, times a panel: with the bits
/// of `widen` and a product, but without writing the widened panel to memory.
#[inline(never)]
pub(super) fn row_products(format: Format, panel: &[Unit], x: &[f32]) -> [F32x4; VECTORS] {
    let mut product = RowProduct { x, sums: [F32x4::zero(); VECTORS] };
    read(format, panel, &mut product);
    product.sums
}
