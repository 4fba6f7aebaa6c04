//! The numbers of a panel's blocks, format by format, each given to a receiver as f32: what a
//! product with many rows reads, or the product with a single row itself.

use super::super::lanes::{F32x4, Words};
use super::super::panel::{PanelRow, VECTORS};
use super::columns::{Bits, Numbers};
use super::{Format, Unit};

/// The values of ggml's non-linear types, `IQ4_NL` and `IQ4_XS`, by 4-bit index.
const UNEVEN: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
/// The values of `MXFP4`, doubled (OCP Microscaling Formats 1.0, E2M1); the factor is halved.
const MICROSCALED: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];
/// A mask of the lower four bits of every byte.
const NIBBLES: u32 = 0x0F0F_0F0F;

/// A receiver of a panel's numbers, which come in the order of their rows `k`.
pub(super) trait Receiver {
    /// Takes the numbers of row `k`.
    fn take(&mut self, k: usize, numbers: Numbers);

    /// Takes the numbers of sixteen rows from `k` on: `pair(j)` makes those of rows `k + 2j` and
    /// `k + 2j + 1`.
    fn take_sixteen(&mut self, k: usize, pair: impl Fn(usize) -> [Numbers; 2]);
}

/// The rows of a panel as f32.
impl Receiver for [PanelRow] {
    #[inline]
    fn take(&mut self, k: usize, numbers: Numbers) {
        self[k].store(numbers.0);
    }

    #[inline]
    fn take_sixteen(&mut self, k: usize, pair: impl Fn(usize) -> [Numbers; 2]) {
        let rows = &mut self.as_chunks_mut::<2>().0[k / 2..][..8];
        for (j, rows) in rows.iter_mut().enumerate() {
            for (row, numbers) in rows.iter_mut().zip(pair(j)) {
                row.store(numbers.0);
            }
        }
    }
}

/// The product of one row of `x` with a panel.
pub(super) struct RowProduct<'a> {
    /// A number for each of the panel's rows.
    pub x: &'a [f32],
    pub sums: [F32x4; VECTORS],
}

impl Receiver for RowProduct<'_> {
    #[inline]
    fn take(&mut self, k: usize, numbers: Numbers) {
        let x = F32x4::splat(self.x[k]);
        for (sum, numbers) in self.sums.iter_mut().zip(numbers.0) {
            *sum = sum.add_product(x, numbers);
        }
    }

    #[inline]
    fn take_sixteen(&mut self, k: usize, pair: impl Fn(usize) -> [Numbers; 2]) {
        let x = &self.x.as_chunks::<2>().0[k / 2..][..8];
        // Sums behind a reference would be stored after each row.
        let mut sums = self.sums;
        for (j, x) in x.iter().enumerate() {
            for (x, numbers) in x.iter().zip(pair(j)) {
                for (sum, numbers) in sums.iter_mut().zip(numbers.0) {
                    *sum = sum.add_product(F32x4::splat(*x), numbers);
                }
            }
        }
        self.sums = sums;
    }
}

/// Gives every number of a panel to a receiver.
pub(super) fn read<R: Receiver + ?Sized>(format: Format, panel: &[Unit], receiver: &mut R) {
    let [numbers, units] = match format.block() {
        [1, _] => [panel.len(); 2],
        [numbers, bytes] => [numbers, bytes / 2],
    };
    for (block, units) in panel.chunks_exact(units.max(1)).enumerate() {
        let mut block = Block { units, receiver, k: block * numbers };
        match format {
            Format::F32 => unreachable!("f32 is as wide as it becomes"),
            Format::F16 => block.plain(Bits::halves),
            Format::Bf16 => block.plain(Bits::tops),
            Format::Q8_0 => block.bytes(),
            Format::Q4_0 => block.four_bits::<false>(),
            Format::Q4_1 => block.four_bits::<true>(),
            Format::Q5_0 => block.five_bits(false),
            Format::Q5_1 => block.five_bits(true),
            Format::Q2K => block.two_bits(),
            Format::Q3K => block.three_bits(),
            Format::Iq4Nl => block.table_places(block.unit(0).halves(), &UNEVEN),
            Format::Iq4Xs => block.table_groups(),
            Format::Mxfp4 => block.table_places(block.unit(0).tops(), &MICROSCALED),
            Format::Q4K => block.groups(false),
            Format::Q5K => block.groups(true),
            Format::Q6K => block.six_bits(),
        }
    }
}

/// A block of sixteen columns, and the receiver of its numbers.
struct Block<'a, R: ?Sized> {
    units: &'a [Unit],
    receiver: &'a mut R,
    /// The first row of the block.
    k: usize,
}

impl<R: Receiver + ?Sized> Block<'_, R> {
    #[inline]
    fn unit(&self, at: usize) -> Bits {
        Bits::load(&self.units[at])
    }

    /// Widens numbers of 16 bits.
    #[inline]
    fn plain(&mut self, number: impl Fn(Bits) -> Numbers) {
        for (k, unit) in self.units.iter().enumerate() {
            self.receiver.take(k, number(Bits::load(unit)));
        }
    }

    /// Widens sixteen rows from `k` of the block on: `factor · q + offset`. The whole numbers `q`
    /// are the bits `mask` of the bytes that `bytes` makes of the units from `first` on.
    ///
    /// A byte is converted where it stands in its word, 256 times as large for each byte below it,
    /// and the factor is as much smaller. `factor · q` has at most 24 bits, so that a fused product
    /// and sum rounds as the two operations do.
    #[inline]
    fn unsigned(
        &mut self,
        k: usize,
        first: usize,
        mask: u32,
        bytes: impl Fn(Bits, usize) -> Bits,
        factor: Numbers,
        offset: Numbers,
    ) {
        let units = &self.units[first..][..8];
        // Of the rows of a pair the first has the lower byte of each column.
        let places = [0, 1].map(|row| [row, row + 2]);
        let factors = places.map(|places| {
            let scales = places.map(|place| F32x4::splat(2f32.powi(-8 * place)));
            Numbers(std::array::from_fn(|vector| factor.0[vector] * scales[vector % 2]))
        });
        self.receiver.take_sixteen(self.k + k, |j| {
            let bytes = bytes(Bits::load(&units[j]), j);
            [0, 1].map(|row| {
                let q = bytes.each(|word, at| word.masked(mask << (8 * places[row][at])).number());
                Numbers(std::array::from_fn(|vector| {
                    offset.0[vector].add_product(factors[row].0[vector], q.0[vector])
                }))
            })
        });
    }

    /// Widens sixteen rows from `k` of the block on: `factor · q`. The whole numbers `q` are the
    /// signed bytes that `bytes` makes of the units from `first` on.
    #[inline]
    fn signed(
        &mut self,
        k: usize,
        first: usize,
        bytes: impl Fn(Bits, usize) -> Bits,
        factor: Numbers,
    ) {
        let units = &self.units[first..][..8];
        // A byte is converted where it is the highest of its word, 2²⁴ times as large.
        let factor = factor * Numbers::splat(2f32.powi(-24));
        self.receiver.take_sixteen(self.k + k, |j| {
            let bytes = bytes(Bits::load(&units[j]), j);
            let top = |word: Words| word.masked(0xFF00_0000);
            let even = |word: Words, at| if at == 0 { word << 24 } else { top(word << 8) };
            let odd = |word: Words, at| if at == 0 { top(word << 16) } else { top(word) };
            let even = bytes.each(|word, at| even(word, at).number());
            let odd = bytes.each(|word, at| odd(word, at).number());
            [factor * even, factor * odd]
        });
    }

    /// Widens 32 signed bytes (`Q8_0`).
    fn bytes(&mut self) {
        let factor = self.unit(0).halves();
        for half in 0..2 {
            self.signed(16 * half, 1 + 8 * half, |unit, _| unit, factor);
        }
    }

    /// Widens 32 numbers of 4 bits, two to a byte (`Q4_0`, `Q4_1`).
    fn four_bits<const HAS_MINIMUM: bool>(&mut self) {
        let factor = self.unit(0).halves();
        let offset = self.offset(HAS_MINIMUM, factor, -8.0);
        let low = 1 + usize::from(HAS_MINIMUM);
        for upper in 0..2 {
            let shifted = |unit: Bits, _| unit >> (4 * upper as u32);
            self.unsigned(16 * upper, low, 0x0F, shifted, factor, offset);
        }
    }

    /// Widens 32 numbers of 5 bits, four of them two to a byte, the fifth bits apart (`Q5_0`,
    /// `Q5_1`).
    fn five_bits(&mut self, has_minimum: bool) {
        let factor = self.unit(0).halves();
        let offset = self.offset(has_minimum, factor, -16.0);
        let fifth = 1 + usize::from(has_minimum);
        for upper in 0..2 {
            let bits = self.unit(fifth + upper);
            let five = |unit: Bits, j| {
                let bits = bits >> (2 * j as u32);
                let fifth = (bits << 4).masked(0x0010_0010) | (bits << 11).masked(0x1000_1000);
                (unit >> (4 * upper as u32)).masked(NIBBLES) | fifth
            };
            self.unsigned(16 * upper, fifth + 2, 0x1F, five, factor, offset);
        }
    }

    /// The number that is added to all of a block: its own minimum, or that of a whole number
    /// `zero`.
    #[inline]
    fn offset(&self, has_minimum: bool, factor: Numbers, zero: f32) -> Numbers {
        if has_minimum { self.unit(1).halves() } else { factor * Numbers::splat(zero) }
    }

    /// Widens 256 numbers of 4 or 5 bits in eight groups (`Q4_K`, `Q5_K`); factor and minimum of a
    /// group have 6 bits.
    fn groups(&mut self, has_fifth: bool) {
        let factors = self.unit(0).halves();
        let minima = self.unit(1).halves();
        let low = if has_fifth { 24 } else { 8 };
        for group in 0..8 {
            let [a, b, c] = [2, 4, 6].map(|at| self.unit(at + group / 2 % 2));
            let [scales, least] = if group < 4 {
                [a.masked(0x3F3F_3F3F), b.masked(0x3F3F_3F3F)]
            } else {
                let upper = |bits: Bits| (bits >> 2).masked(0x3030_3030);
                [c.masked(NIBBLES) | upper(a), (c >> 4).masked(NIBBLES) | upper(b)]
            };
            let factor = factors * scales.bytes(group as u32 % 2);
            let offset = -(minima * least.bytes(group as u32 % 2));
            let shifted = |unit: Bits| unit >> (group as u32 % 2 * 4);
            for half in 0..2 {
                let k = 32 * group + 16 * half;
                let first = low + group / 2 * 16 + 8 * half;
                if has_fifth {
                    let high: [Bits; 8] = std::array::from_fn(|j| self.unit(8 + 8 * half + j));
                    let fifth = |j: usize| (high[j] >> group as u32).masked(0x0101_0101) << 4;
                    let five = |unit, j| shifted(unit).masked(NIBBLES) | fifth(j);
                    self.unsigned(k, first, 0x1F, five, factor, offset);
                } else {
                    self.unsigned(k, first, 0x0F, |unit, _| shifted(unit), factor, offset);
                }
            }
        }
    }

    /// Widens 32 numbers stored as 4-bit indices of a table, two to a byte (`IQ4_NL`, `MXFP4`).
    fn table_places(&mut self, factor: Numbers, table: &[i8; 16]) {
        let table = Words::of_bytes(table);
        for upper in 0..2 {
            let number = |unit: Bits, _| (unit >> (4 * upper as u32)).masked(NIBBLES).of(table);
            self.signed(16 * upper, 1, number, factor);
        }
    }

    /// Widens 256 numbers stored as indices of a table in eight groups, whose factors have 6 bits
    /// (`IQ4_XS`).
    fn table_groups(&mut self) {
        let factors = self.unit(0).halves();
        let high = self.unit(1);
        let zero = Numbers::splat(32.0);
        let table = Words::of_bytes(&UNEVEN);
        for group in 0..8 {
            let low = self.unit(2 + group / 4) >> (4 * (group as u32 % 4));
            let high = (high >> (2 * group as u32)).masked(0x0003_0003) << 4;
            let scale = (low.masked(0x000F_000F) | high).bytes(0) - zero;
            let factor = factors * scale;
            for upper in 0..2 {
                let place = |unit: Bits, _| (unit >> (4 * upper as u32)).masked(NIBBLES).of(table);
                self.signed(32 * group + 16 * upper, 4 + 8 * group, place, factor);
            }
        }
    }

    /// Widens 256 numbers of 2 bits in sixteen groups (`Q2_K`); factor and minimum of a group have
    /// 4 bits.
    fn two_bits(&mut self) {
        let factors = self.unit(40).halves();
        let minima = self.unit(41).halves();
        for group in 0..16 {
            let scales = self.unit(group / 2) >> (8 * (group as u32 % 2));
            let factor = factors * scales.masked(0x000F_000F).bytes(0);
            let offset = -(minima * (scales >> 4).masked(0x000F_000F).bytes(0));
            let (first, shift) = pairs_of_bits(8, group);
            self.unsigned(16 * group, first, 0x03, |unit, _| unit >> shift, factor, offset);
        }
    }

    /// Widens 256 numbers of 3 bits in sixteen groups, whose factors have 6 bits (`Q3_K`).
    fn three_bits(&mut self) {
        let factors = self.unit(54).halves();
        for group in 0..16 {
            let byte = 8 * (group as u32 % 2);
            let row = group as u32 / 2;
            let low = self.unit(48 + group % 8 / 2) >> (byte + 4 * (group as u32 / 8));
            let high = self.unit(52 + group % 4 / 2) >> (byte + 2 * (group as u32 / 4));
            let scale = low.masked(0x000F_000F) | (high.masked(0x0003_0003) << 4);
            let factor = factors * (scale.bytes(0) - Numbers::splat(32.0));
            let offset = factor * Numbers::splat(-4.0);
            let thirds: [Bits; 8] = std::array::from_fn(|j| self.unit(group % 2 * 8 + j));
            let (first, shift) = pairs_of_bits(16, group);
            let three = |unit: Bits, j: usize| {
                let third = (thirds[j] >> row).masked(0x0101_0101) << 2;
                (unit >> shift).masked(0x0303_0303) | third
            };
            self.unsigned(16 * group, first, 0x07, three, factor, offset);
        }
    }

    /// Widens 256 numbers of 6 bits in sixteen groups (`Q6_K`).
    fn six_bits(&mut self) {
        let factors = self.unit(104).halves();
        for group in 0..16 {
            let factor = factors * self.unit(96 + group / 2).bytes(group as u32 % 2);
            let offset = factor * Numbers::splat(-32.0);
            // Each half has four rows of 32, of which two share the bytes of their lower bits.
            let half = group / 8;
            let row = group / 2 % 4;
            let place = group % 2 * 8;
            let high: [Bits; 8] = std::array::from_fn(|j| self.unit(64 + 16 * half + place + j));
            let six = |unit: Bits, j: usize| {
                let high = (high[j] >> (2 * row as u32)).masked(0x0303_0303) << 4;
                (unit >> (row as u32 / 2 * 4)).masked(NIBBLES) | high
            };
            let first = 32 * half + row % 2 * 16 + place;
            self.unsigned(16 * group, first, 0x3F, six, factor, offset);
        }
    }
}

/// The place of sixteen numbers of 2 bits: their first unit, among the units from `start` on, and
/// the shift of their bytes. Four rows of 32 share the same 32 bytes.
#[inline]
fn pairs_of_bits(start: usize, group: usize) -> (usize, u32) {
    (start + group / 8 * 16 + group % 2 * 8, group as u32 % 8 / 2 * 2)
}
