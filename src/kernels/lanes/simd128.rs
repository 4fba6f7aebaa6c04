//! Four `f32` lanes, or two of `f64`, in one WebAssembly `v128`, one instruction per operation.
//! [`portable`](super::portable) says what each of them means.
//!
//! Source: WebAssembly SIMD, "fixed-width SIMD" (part of the 2.0 specification). A build with
//! `relaxed-simd` uses one relaxed instruction, whose result may differ between machines.

use std::arch::wasm32::{
    f32x4_abs, f32x4_add, f32x4_convert_i32x4, f32x4_div, f32x4_lt, f32x4_mul, f32x4_neg,
    f32x4_pmax, f32x4_pmin, f32x4_splat, f32x4_sub, f64x2_add, f64x2_mul, f64x2_promote_low_f32x4,
    f64x2_splat, f64x2_sub, i8x16, i8x16_swizzle, i32x4_shl, i32x4_shr, i64x2_shuffle, u32x4_shr,
    u32x4_splat, v128, v128_and, v128_bitselect, v128_load, v128_or, v128_store,
};
use std::ops::{Add, BitOr, Div, Mul, Neg, Shl, Shr, Sub};

use super::{LANES, WIDE_LANES};

/// Four `f32` lanes.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct F32x4(v128);

/// A comparison's result: in each lane all bits set or none.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Mask(v128);

impl F32x4 {
    /// Loads four values from memory.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
    pub fn load(values: &[f32; LANES]) -> Self {
        // SAFETY: the reference covers exactly the 16 bytes read; `v128.load` has no
        // alignment requirement.
        Self(unsafe { v128_load(values.as_ptr().cast()) })
    }

    /// Stores four values to memory.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
    pub fn store(self, out: &mut [f32; LANES]) {
        // SAFETY: the exclusive reference covers exactly the 16 bytes written;
        // `v128.store` has no alignment requirement.
        unsafe { v128_store(out.as_mut_ptr().cast(), self.0) }
    }

    /// One value in every lane.
    #[inline]
    pub fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    /// The smaller value; `self` when either is NaN.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(self.0, other.0))
    }

    /// The larger value; `self` when either is NaN.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(self.0, other.0))
    }

    /// `self + a · b`, rounded once or twice, as the machine does it.
    #[cfg(target_feature = "relaxed-simd")]
    #[inline]
    pub fn add_product(self, a: Self, b: Self) -> Self {
        Self(std::arch::wasm32::f32x4_relaxed_madd(a.0, b.0, self.0))
    }

    /// The absolute value of every lane.
    #[inline]
    pub fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }

    /// The magnitude of `self` with the sign of `other`, zeros included.
    #[inline]
    pub fn with_sign(self, other: Self) -> Self {
        let sign_bit = f32x4_splat(-0.0);
        Self(v128_bitselect(other.0, self.0, sign_bit))
    }

    /// The lanes in which `self` is below `other`; a comparison with NaN is false.
    #[inline]
    pub fn less(self, other: Self) -> Mask {
        Mask(f32x4_lt(self.0, other.0))
    }

    /// Every lane's bits, shifted left by `BITS`.
    #[inline]
    pub fn shift_left<const BITS: u32>(self) -> Self {
        Self(i32x4_shl(self.0, BITS))
    }

    /// The lanes as f64, the first two and the last two.
    #[inline]
    pub fn widened(self) -> [F64x2; 2] {
        let last = i64x2_shuffle::<1, 1>(self.0, self.0);
        [self.0, last].map(|lanes| F64x2(f64x2_promote_low_f32x4(lanes)))
    }
}

/// Two `f64` lanes.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct F64x2(v128);

impl F64x2 {
    /// Loads two values from memory.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
    pub fn load(values: &[f64; WIDE_LANES]) -> Self {
        // SAFETY: as in `F32x4::load`.
        Self(unsafe { v128_load(values.as_ptr().cast()) })
    }

    /// Stores two values to memory.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
    pub fn store(self, out: &mut [f64; WIDE_LANES]) {
        // SAFETY: as in `F32x4::store`.
        unsafe { v128_store(out.as_mut_ptr().cast(), self.0) }
    }

    /// One value in both lanes.
    #[inline]
    pub fn splat(value: f64) -> Self {
        Self(f64x2_splat(value))
    }
}

impl Mask {
    /// `yes` where the mask is set, `no` elsewhere.
    #[inline]
    pub fn select(self, yes: F32x4, no: F32x4) -> F32x4 {
        F32x4(v128_bitselect(yes.0, no.0, self.0))
    }
}

/// Four words of 32 bits.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Words(v128);

impl Words {
    /// Eight numbers of 16 bits from memory, two to a word, the earlier in its lower half.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
    pub fn load(halves: &[u16; 2 * LANES]) -> Self {
        // SAFETY: as in `F32x4::load`.
        Self(unsafe { v128_load(halves.as_ptr().cast()) })
    }

    /// Packs sixteen bytes into four words, the first byte lowest.
    #[inline]
    pub fn of_bytes(bytes: &[i8; 16]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *bytes;
        Self(i8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p))
    }

    /// Replaces every byte, an index below 16, by the byte of `table` at that index.
    #[inline]
    pub fn of(self, table: Self) -> Self {
        Self(i8x16_swizzle(table.0, self.0))
    }

    /// Every word, bitwise and with `mask`.
    #[inline]
    pub fn masked(self, mask: u32) -> Self {
        Self(v128_and(self.0, u32x4_splat(mask)))
    }

    /// The words' bits, reinterpreted as f32.
    #[inline]
    pub fn as_f32(self) -> F32x4 {
        F32x4(self.0)
    }

    /// Every word as a signed whole number.
    #[inline]
    pub fn number(self) -> F32x4 {
        F32x4(f32x4_convert_i32x4(self.0))
    }

    /// The signed byte of every word that has `above` bits above it, as a number.
    #[inline]
    pub fn byte(self, above: u32) -> F32x4 {
        F32x4(f32x4_convert_i32x4(i32x4_shr(i32x4_shl(self.0, above), 24)))
    }
}

impl BitOr for Words {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
}

impl Shl<u32> for Words {
    type Output = Self;
    #[inline]
    fn shl(self, bits: u32) -> Self {
        Self(i32x4_shl(self.0, bits))
    }
}

impl Shr<u32> for Words {
    type Output = Self;
    #[inline]
    fn shr(self, bits: u32) -> Self {
        Self(u32x4_shr(self.0, bits))
    }
}

macro_rules! operators {
    ($($lanes:ident: $operator:ident $method:ident $instruction:ident;)*) => {$(
        impl $operator for $lanes {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self($instruction(self.0, other.0))
            }
        }
    )*};
}

operators! {
    F32x4: Add add f32x4_add;
    F32x4: Sub sub f32x4_sub;
    F32x4: Mul mul f32x4_mul;
    F32x4: Div div f32x4_div;
    F64x2: Add add f64x2_add;
    F64x2: Sub sub f64x2_sub;
    F64x2: Mul mul f64x2_mul;
}

impl Neg for F32x4 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(f32x4_neg(self.0))
    }
}
