//! Sixteen columns of a panel side by side: their 16 bits, and numbers made of them.

use std::array::from_fn;
use std::ops::{BitOr, Mul, Neg, Shl, Shr, Sub};

use super::super::lanes::{F32x4, Words};
use super::super::panel::VECTORS;
use super::Unit;

/// The 16 bits of each column, two columns to a word.
#[derive(Clone, Copy)]
pub(super) struct Bits([Words; 2]);

/// A number of each column.
#[derive(Clone, Copy)]
pub(super) struct Numbers(pub [F32x4; VECTORS]);

impl Bits {
    #[inline]
    pub(super) fn load(unit: &Unit) -> Self {
        let halves = unit.as_chunks().0;
        Self(from_fn(|half| Words::load(&halves[half])))
    }

    /// Every word, bitwise and with `mask`.
    #[inline]
    pub(super) fn masked(self, mask: u32) -> Self {
        Self(self.0.map(|word| word.masked(mask)))
    }

    /// Replaces every byte, an index below 16, by the byte of `table` at that index.
    #[inline]
    pub(super) fn of(self, table: Words) -> Self {
        Self(self.0.map(|word| word.of(table)))
    }

    /// The numbers `number` makes of the lower (0) and of the upper (1) column of every word.
    #[inline]
    pub(super) fn each(self, number: impl Fn(Words, usize) -> F32x4) -> Numbers {
        Numbers(from_fn(|vector| number(self.0[vector / 2], vector % 2)))
    }

    /// The first (`at` 0) or second byte of each column, as a signed number.
    #[inline]
    pub(super) fn bytes(self, at: u32) -> Numbers {
        self.each(|word, column| word.byte(24 - 8 * at - 16 * column as u32))
    }

    /// The bits of bfloat16 numbers, as f32.
    #[inline]
    pub(super) fn tops(self) -> Numbers {
        self.each(|word, column| top(word, column).as_f32())
    }

    /// The bits of half-precision numbers, as f32.
    #[inline]
    pub(super) fn halves(self) -> Numbers {
        let up = F32x4::splat(2f32.powi(112));
        let down = F32x4::splat(2f32.powi(-112));
        self.each(|word, column| {
            let bits = top(word, column);
            // The exponent is too small by 112. Infinity becomes 2¹⁶, which overflows the second
            // time.
            let small = bits.masked(0x8000_0000) | (bits.masked(0x7FFF_0000) >> 3);
            small.as_f32() * up * up * down
        })
    }
}

/// A column of every word above 16 zeros.
#[inline]
fn top(word: Words, column: usize) -> Words {
    if column == 0 { word << 16 } else { word.masked(0xFFFF_0000) }
}

impl Numbers {
    /// Numbers that are equal in every column.
    #[inline]
    pub(super) fn splat(number: f32) -> Self {
        Self([F32x4::splat(number); VECTORS])
    }
}

impl BitOr for Bits {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|half| self.0[half] | other.0[half]))
    }
}

impl Shl<u32> for Bits {
    type Output = Self;
    #[inline]
    fn shl(self, bits: u32) -> Self {
        Self(self.0.map(|word| word << bits))
    }
}

impl Shr<u32> for Bits {
    type Output = Self;
    #[inline]
    fn shr(self, bits: u32) -> Self {
        Self(self.0.map(|word| word >> bits))
    }
}

impl Mul for Numbers {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(from_fn(|vector| self.0[vector] * other.0[vector]))
    }
}

impl Sub for Numbers {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(from_fn(|vector| self.0[vector] - other.0[vector]))
    }
}

impl Neg for Numbers {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}
