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

use super::lanes::{F32x4, LANES, Words};
use super::panel::{PanelRow, VECTORS, WIDTH};

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
/// The values of ggml's non-linear types, `IQ4_NL` and `IQ4_XS`, by 4-bit index.
const UNEVEN: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
/// The values of `MXFP4`, doubled (OCP Microscaling Formats 1.0, E2M1); the factor is halved.
const MICROSCALED: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];
/// A mask of the lower four bits of every byte.
const NIBBLES: u32 = 0x0F0F_0F0F;

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
        // Half-precision rounding as in `floats`; 65504 is the largest finite half.
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
    let (numbers, units) = match format.block() {
        [1, _] => (room.len(), panel.len()),
        [numbers, bytes] => (numbers, bytes / 2),
    };
    let blocks = panel.chunks_exact(units.max(1));
    for (out, units) in room.chunks_exact_mut(numbers.max(1)).zip(blocks) {
        for half in 0..2 {
            let mut eight = Eight { units, out, half };
            match format {
                Format::F32 => unreachable!("f32 is as wide as it becomes"),
                Format::F16 => eight.plain(|eight, at| floats(eight.unit(at))),
                Format::Bf16 => eight.plain(|eight, at| tops(eight.unit(at)).map(Words::as_f32)),
                Format::Q8_0 => eight.bytes(),
                Format::Q4_0 => eight.nibbles(false, false),
                Format::Q4_1 => eight.nibbles(true, false),
                Format::Q5_0 => eight.nibbles(false, true),
                Format::Q5_1 => eight.nibbles(true, true),
                Format::Q2K => eight.two_bits(),
                Format::Q3K => eight.three_bits(),
                Format::Iq4Nl => eight.table_places(floats(eight.unit(0)), &UNEVEN),
                Format::Iq4Xs => eight.table_groups(),
                Format::Mxfp4 => {
                    let factor = tops(eight.unit(0)).map(Words::as_f32);
                    eight.table_places(factor, &MICROSCALED);
                }
                Format::Q4K => eight.groups(false),
                Format::Q5K => eight.groups(true),
                Format::Q6K => eight.six_bits(),
            }
        }
    }
}

/// One row of `x` times a panel of `Q8_0`, with the same bits as `widen` and a product, but without
/// writing the widened panel to memory.
pub(super) fn byte_products(panel: &[Unit], x: &[f32]) -> [F32x4; VECTORS] {
    let mut sums = [F32x4::zero(); VECTORS];
    for (units, x) in panel.chunks_exact(1 + BLOCK / 2).zip(x.chunks(BLOCK)) {
        let factor = [0, 1].map(|half| floats(half_of(&units[0], half)));
        for (unit, x) in units[1..].iter().zip(x.chunks(2)) {
            let q = [0, 1].map(|half| half_of(unit, half));
            for (&x, above) in x.iter().zip([[24, 8], [16, 0]]) {
                for (at, sum) in sums.iter_mut().enumerate() {
                    let half = at / 2;
                    let at = at % 2;
                    let w = factor[half][at] * q[half].byte(above[at]);
                    *sum = sum.add_product(F32x4::splat(x), w);
                }
            }
        }
    }
    sums
}

/// Two words of half-precision numbers as f32.
#[inline]
fn floats(halves: Words) -> Numbers {
    let up = F32x4::splat(2f32.powi(112));
    tops(halves).map(|bits| {
        // The exponent is too small by 112. Infinity becomes 2¹⁶, which overflows the second time.
        let small = bits.masked(0x8000_0000) | (bits.masked(0x7FFF_0000) >> 3);
        small.as_f32() * up * up * F32x4::splat(2f32.powi(-112))
    })
}

/// One number for each of eight columns.
type Numbers = [F32x4; 2];

/// Eight columns of a block, and their destination.
struct Eight<'a> {
    units: &'a [Unit],
    out: &'a mut [PanelRow],
    half: usize,
}

impl Eight<'_> {
    #[inline]
    fn unit(&self, at: usize) -> Words {
        half_of(&self.units[at], self.half)
    }

    /// Widens numbers of 16 bits.
    #[inline]
    fn plain(&mut self, number: impl Fn(&Self, usize) -> Numbers) {
        for k in 0..self.units.len() {
            let numbers = number(self, k);
            store(&mut self.out[k], self.half, numbers);
        }
    }

    /// Widens sixteen rows from `k` on, whose bytes `q` makes of the units from `first` on.
    #[inline]
    fn sixteen(
        &mut self,
        k: usize,
        first: usize,
        q: impl Fn(Words, usize) -> Words,
        number: impl Fn(F32x4, usize) -> F32x4,
    ) {
        let rows = &mut self.out.as_chunks_mut::<2>().0[k / 2..][..8];
        for (j, ([even, odd], unit)) in rows.iter_mut().zip(&self.units[first..]).enumerate() {
            let q = q(half_of(unit, self.half), j);
            store(even, self.half, [number(q.byte(24), 0), number(q.byte(8), 1)]);
            store(odd, self.half, [number(q.byte(16), 0), number(q.byte(0), 1)]);
        }
    }

    /// Widens 32 signed bytes (`Q8_0`).
    #[inline(never)]
    fn bytes(&mut self) {
        let factor = floats(self.unit(0));
        for half in 0..2 {
            self.sixteen(16 * half, 1 + 8 * half, |unit, _| unit, |q, at| factor[at] * q);
        }
    }

    /// Widens 32 numbers of 4 bits, two to a byte (`Q4_0`, `Q4_1`), or of 5 bits, whose fifth bits
    /// are stored apart (`Q5_0`, `Q5_1`).
    fn nibbles(&mut self, has_minimum: bool, has_fifth: bool) {
        let factor = floats(self.unit(0));
        let zero = F32x4::splat(if has_fifth { -16.0 } else { -8.0 });
        let offset =
            if has_minimum { floats(self.unit(1)) } else { factor.map(|factor| zero * factor) };
        let fifth = 1 + usize::from(has_minimum);
        let low = fifth + 2 * usize::from(has_fifth);
        for upper in 0..2 {
            let number = |q: F32x4, at: usize| factor[at] * q + offset[at];
            let nibble = |unit: Words| (unit >> (4 * upper as u32)).masked(NIBBLES);
            let k = 16 * upper;
            if has_fifth {
                let bits = self.unit(fifth + upper);
                let five = |unit, j| {
                    let bits = bits >> (2 * j as u32);
                    let fifth = (bits << 4).masked(0x0010_0010) | (bits << 11).masked(0x1000_1000);
                    nibble(unit) | fifth
                };
                self.sixteen(k, low, five, number);
            } else {
                self.sixteen(k, low, |unit, _| nibble(unit), number);
            }
        }
    }

    /// Widens 256 numbers of 4 or 5 bits in eight groups (`Q4_K`, `Q5_K`); factor and minimum of a
    /// group have 6 bits.
    fn groups(&mut self, has_fifth: bool) {
        let factors = floats(self.unit(0));
        let minima = floats(self.unit(1));
        let low = if has_fifth { 24 } else { 8 };
        for group in 0..8 {
            let [a, b, c] = [2, 4, 6].map(|at| self.unit(at + group / 2 % 2));
            let [scales, least] = if group < 4 {
                [a.masked(0x3F3F_3F3F), b.masked(0x3F3F_3F3F)]
            } else {
                let upper = |bits: Words| (bits >> 2).masked(0x3030_3030);
                [c.masked(NIBBLES) | upper(a), (c >> 4).masked(NIBBLES) | upper(b)]
            };
            let factor = product(factors, bytes(scales, group % 2));
            let least = product(minima, bytes(least, group % 2));
            let number = |q: F32x4, at: usize| factor[at] * q - least[at];
            let nibble = |unit: Words| (unit >> (group as u32 % 2 * 4)).masked(NIBBLES);
            for half in 0..2 {
                let k = 32 * group + 16 * half;
                let first = low + group / 2 * 16 + 8 * half;
                if has_fifth {
                    let high: [Words; 8] = std::array::from_fn(|j| self.unit(8 + 8 * half + j));
                    let fifth = |j: usize| (high[j] >> group as u32).masked(0x0101_0101) << 4;
                    self.sixteen(k, first, |unit, j| nibble(unit) | fifth(j), number);
                } else {
                    self.sixteen(k, first, |unit, _| nibble(unit), number);
                }
            }
        }
    }

    /// Widens 32 numbers stored as 4-bit indices of a table, two to a byte (`IQ4_NL`, `MXFP4`).
    fn table_places(&mut self, factor: Numbers, table: &[i8; 16]) {
        let table = Words::of_bytes(table);
        for upper in 0..2 {
            let number = |unit: Words, _| (unit >> (4 * upper as u32)).masked(NIBBLES).of(table);
            self.sixteen(16 * upper, 1, number, |q, at| factor[at] * q);
        }
    }

    /// Widens 256 numbers stored as indices of a table in eight groups, whose factors have 6 bits
    /// (`IQ4_XS`).
    fn table_groups(&mut self) {
        let factors = floats(self.unit(0));
        let high = self.unit(1);
        let zero = F32x4::splat(32.0);
        let table = Words::of_bytes(&UNEVEN);
        for group in 0..8 {
            let low = self.unit(2 + group / 4) >> (4 * (group as u32 % 4));
            let high = (high >> (2 * group as u32)).masked(0x0003_0003) << 4;
            let scale = bytes(low.masked(0x000F_000F) | high, 0).map(|scale| scale - zero);
            let factor = product(factors, scale);
            for upper in 0..2 {
                let place = |unit: Words, _| (unit >> (4 * upper as u32)).masked(NIBBLES).of(table);
                let k = 32 * group + 16 * upper;
                let first = 4 + 8 * group;
                self.sixteen(k, first, place, |q, at| factor[at] * q);
            }
        }
    }

    /// Widens 256 numbers of 2 bits in sixteen groups (`Q2_K`); factor and minimum of a group have
    /// 4 bits.
    fn two_bits(&mut self) {
        let factors = floats(self.unit(40));
        let minima = floats(self.unit(41));
        for group in 0..16 {
            let scales = self.unit(group / 2) >> (8 * (group as u32 % 2));
            let factor = product(factors, bytes(scales.masked(0x000F_000F), 0));
            let least = product(minima, bytes((scales >> 4).masked(0x000F_000F), 0));
            let (first, shift) = pairs_of_bits(8, group);
            let two = |unit: Words, _| (unit >> shift).masked(0x0303_0303);
            self.sixteen(16 * group, first, two, |q, at| factor[at] * q - least[at]);
        }
    }

    /// Widens 256 numbers of 3 bits in sixteen groups, whose factors have 6 bits (`Q3_K`).
    fn three_bits(&mut self) {
        let factors = floats(self.unit(54));
        let [zero, middle] = [4.0, 32.0].map(F32x4::splat);
        for group in 0..16 {
            let byte = 8 * (group as u32 % 2);
            let row = group as u32 / 2;
            let low = self.unit(48 + group % 8 / 2) >> (byte + 4 * (group as u32 / 8));
            let high = self.unit(52 + group % 4 / 2) >> (byte + 2 * (group as u32 / 4));
            let scale = low.masked(0x000F_000F) | (high.masked(0x0003_0003) << 4);
            let factor = product(factors, bytes(scale, 0).map(|scale| scale - middle));
            let thirds: [Words; 8] = std::array::from_fn(|j| self.unit(group % 2 * 8 + j));
            let (first, shift) = pairs_of_bits(16, group);
            let three = |unit: Words, j: usize| {
                let third = (thirds[j] >> row).masked(0x0101_0101) << 2;
                (unit >> shift).masked(0x0303_0303) | third
            };
            self.sixteen(16 * group, first, three, |q, at| factor[at] * (q - zero));
        }
    }

    /// Widens 256 numbers of 6 bits in sixteen groups (`Q6_K`).
    fn six_bits(&mut self) {
        let factors = floats(self.unit(104));
        let zero = F32x4::splat(32.0);
        for group in 0..16 {
            let factor = product(factors, bytes(self.unit(96 + group / 2), group % 2));
            // Each half has four rows of 32, of which two share the bytes of their lower bits.
            let half = group / 8;
            let row = group / 2 % 4;
            let place = group % 2 * 8;
            let high: [Words; 8] = std::array::from_fn(|j| self.unit(64 + 16 * half + place + j));
            let six = |unit: Words, j: usize| {
                let high = (high[j] >> (2 * row as u32)).masked(0x0303_0303) << 4;
                (unit >> (row as u32 / 2 * 4)).masked(NIBBLES) | high
            };
            let first = 32 * half + row % 2 * 16 + place;
            self.sixteen(16 * group, first, six, |q, at| factor[at] * (q - zero));
        }
    }
}

/// The place of sixteen numbers of 2 bits: their first unit, among the units from `start` on, and
/// the shift of their bytes. Four rows of 32 share the same 32 bytes.
#[inline]
fn pairs_of_bits(start: usize, group: usize) -> (usize, u32) {
    (start + group / 8 * 16 + group % 2 * 8, group as u32 % 8 / 2 * 2)
}

/// Eight columns of a unit: its first or its second half.
#[inline]
fn half_of(unit: &Unit, half: usize) -> Words {
    Words::load(&unit.as_chunks().0[half % 2])
}

#[inline]
fn store(row: &mut PanelRow, half: usize, numbers: Numbers) {
    let eight = &mut row.0.as_chunks_mut::<{ 2 * LANES }>().0[half % 2];
    let out = eight.as_chunks_mut().0;
    out.iter_mut().zip(numbers).for_each(|(out, numbers)| numbers.store(out));
}

/// The two 16-bit numbers of every word, each above 16 zeros.
#[inline]
fn tops(words: Words) -> [Words; 2] {
    [words << 16, words.masked(0xFFFF_0000)]
}

/// The first (`at` 0) or second byte of the two 16-bit numbers of every word.
#[inline]
fn bytes(words: Words, at: usize) -> Numbers {
    let above = if at == 0 { [24, 8] } else { [16, 0] };
    above.map(|above| words.byte(above))
}

#[inline]
fn product(a: Numbers, b: Numbers) -> Numbers {
    [a[0] * b[0], a[1] * b[1]]
}
