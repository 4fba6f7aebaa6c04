//! Four `f32` lanes, or two of `f64`, as a plain array, for every build without wasm SIMD. Each
//! operation does what the WebAssembly instruction does, NaN included, so both builds agree bit for
//! bit.

use std::array::from_fn;
use std::ops::{Add, BitOr, Div, Mul, Neg, Shl, Shr, Sub};

use super::{LANES, WIDE_LANES};

/// Four `f32` lanes.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct F32x4([f32; LANES]);

/// A comparison's result: one bool per lane.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Mask([bool; LANES]);

impl F32x4 {
    /// Loads four values from memory.
    #[inline]
    pub fn load(values: &[f32; LANES]) -> Self {
        Self(*values)
    }

    /// Stores four values to memory.
    #[inline]
    pub fn store(self, out: &mut [f32; LANES]) {
        *out = self.0;
    }

    /// One value in every lane.
    #[inline]
    pub fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    /// The smaller value; `self` when either is NaN.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        self.pair(other, |a, b| if b < a { b } else { a })
    }

    /// The larger value; `self` when either is NaN.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        self.pair(other, |a, b| if a < b { b } else { a })
    }

    /// The absolute value of every lane.
    #[inline]
    pub fn abs(self) -> Self {
        self.each(f32::abs)
    }

    /// The magnitude of `self` with the sign of `other`, zeros included.
    #[inline]
    pub fn with_sign(self, other: Self) -> Self {
        self.pair(other, f32::copysign)
    }

    /// The lanes in which `self` is below `other`; a comparison with NaN is false.
    #[inline]
    pub fn less(self, other: Self) -> Mask {
        Mask(from_fn(|lane| self.0[lane] < other.0[lane]))
    }

    /// Every lane's bits, shifted left by `BITS`.
    #[inline]
    pub fn shift_left<const BITS: u32>(self) -> Self {
        self.each(|value| f32::from_bits(value.to_bits() << BITS))
    }

    /// The lanes as f64, the first two and the last two.
    #[inline]
    pub fn widened(self) -> [F64x2; 2] {
        let [a, b, c, d] = self.0.map(f64::from);
        [F64x2([a, b]), F64x2([c, d])]
    }

    #[inline]
    fn each(self, change: impl Fn(f32) -> f32) -> Self {
        Self(self.0.map(change))
    }

    #[inline]
    fn pair(self, other: Self, combine: impl Fn(f32, f32) -> f32) -> Self {
        Self(from_fn(|lane| combine(self.0[lane], other.0[lane])))
    }
}

/// Two `f64` lanes.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct F64x2([f64; WIDE_LANES]);

impl F64x2 {
    /// Loads two values from memory.
    #[inline]
    pub fn load(values: &[f64; WIDE_LANES]) -> Self {
        Self(*values)
    }

    /// Stores two values to memory.
    #[inline]
    pub fn store(self, out: &mut [f64; WIDE_LANES]) {
        *out = self.0;
    }

    /// One value in both lanes.
    #[inline]
    pub fn splat(value: f64) -> Self {
        Self([value; WIDE_LANES])
    }

    #[inline]
    fn pair(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self(from_fn(|lane| combine(self.0[lane], other.0[lane])))
    }
}

impl Mask {
    /// `yes` where the mask is set, `no` elsewhere.
    #[inline]
    pub fn select(self, yes: F32x4, no: F32x4) -> F32x4 {
        F32x4(from_fn(|lane| if self.0[lane] { yes.0[lane] } else { no.0[lane] }))
    }
}

/// Four words of 32 bits.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Words([u32; LANES]);

impl Words {
    /// Eight numbers of 16 bits from memory, two to a word, the earlier in its lower half.
    #[inline]
    pub fn load(halves: &[u16; 2 * LANES]) -> Self {
        Self(from_fn(|at| u32::from(halves[2 * at]) | u32::from(halves[2 * at + 1]) << 16))
    }

    /// Packs sixteen bytes into four words, the first byte lowest.
    #[inline]
    pub fn of_bytes(bytes: &[i8; 16]) -> Self {
        Self(from_fn(|at| {
            u32::from_le_bytes(from_fn(|byte| bytes[LANES * at + byte].cast_unsigned()))
        }))
    }

    /// Replaces every byte, an index below 16, by the byte of `table` at that index.
    #[inline]
    pub fn of(self, table: Self) -> Self {
        let byte = |at: u8| table.0[usize::from(at / 4)].to_le_bytes()[usize::from(at % 4)];
        Self(self.0.map(|word| u32::from_le_bytes(word.to_le_bytes().map(|at| byte(at % 16)))))
    }

    /// Every word, bitwise and with `mask`.
    #[inline]
    pub fn masked(self, mask: u32) -> Self {
        Self(self.0.map(|word| word & mask))
    }

    /// The words' bits, reinterpreted as f32.
    #[inline]
    pub fn as_f32(self) -> F32x4 {
        F32x4(self.0.map(f32::from_bits))
    }

    /// Every word as a signed whole number.
    #[inline]
    pub fn number(self) -> F32x4 {
        F32x4(self.0.map(|word| word.cast_signed() as f32))
    }

    /// The signed byte of every word that has `above` bits above it, as a number.
    #[inline]
    pub fn byte(self, above: u32) -> F32x4 {
        F32x4(self.0.map(|word| ((word << above >> 24) as i8).into()))
    }
}

impl BitOr for Words {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl Shl<u32> for Words {
    type Output = Self;
    #[inline]
    fn shl(self, bits: u32) -> Self {
        Self(self.0.map(|word| word << bits))
    }
}

impl Shr<u32> for Words {
    type Output = Self;
    #[inline]
    fn shr(self, bits: u32) -> Self {
        Self(self.0.map(|word| word >> bits))
    }
}

macro_rules! operators {
    ($($lanes:ident, $number:ident: $operator:ident $method:ident;)*) => {$(
        impl $operator for $lanes {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                self.pair(other, $number::$method)
            }
        }
    )*};
}

operators! {
    F32x4, f32: Add add;
    F32x4, f32: Sub sub;
    F32x4, f32: Mul mul;
    F32x4, f32: Div div;
    F64x2, f64: Add add;
    F64x2, f64: Sub sub;
    F64x2, f64: Mul mul;
}

impl Neg for F32x4 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.each(|value| -value)
    }
}
