//! Four `f32` lanes, and two of `f64`, with the few operations the kernels need, in two versions
//! that agree bit for bit: wasm's 128-bit SIMD, and a plain array everywhere else.
//!
//! Sums and maxima across the lanes are taken in one fixed order:
//! `(l₀ + l₁) + (l₂ + l₃)`.
//! Operations follow the WebAssembly SIMD specification, section "Numeric
//! instructions" (`pmin`, `pmax` and comparisons with NaN in particular).
//! Shapes: a chunk of a row is `[4]`; a shorter one is filled up by the caller's choice.
//! Rounding is that of scalar code, except for `add_product` in a build with relaxed SIMD; there is
//! no approximate reciprocal.

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use portable::{F32x4, F64x2, Mask, Words};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{F32x4, F64x2, Mask, Words};

/// Lanes in one vector.
pub const LANES: usize = 4;
/// Lanes of f64 in one vector.
pub const WIDE_LANES: usize = 2;

/// A number whose addition rounds to a whole number, ties to even: `1.5 · 2²³`, above which `f32`
/// has no fraction bits.
pub(super) const ROUNDER: f32 = 12_582_912.0;
/// The exponent field of `f32`: its bias, and how many bits lie below it.
pub(super) const EXPONENT_BIAS: f32 = 127.0;
pub(super) const FRACTION_BITS: u32 = 23;

impl F32x4 {
    /// All lanes zero.
    #[inline]
    pub fn zero() -> Self {
        Self::splat(0.0)
    }

    /// `self + a · b`, with a rounding after the product and one after the sum.
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline]
    pub fn add_product(self, a: Self, b: Self) -> Self {
        self + a * b
    }

    /// The first `values.len()` lanes from `values`, the others `fill`.
    ///
    /// # Panics
    /// With more than four values.
    #[inline]
    pub fn load_partial(values: &[f32], fill: f32) -> Self {
        if let Ok(whole) = values.try_into() {
            return Self::load(whole);
        }
        let mut lanes = [fill; LANES];
        lanes[..values.len()].copy_from_slice(values);
        Self::load(&lanes)
    }

    /// Writes as many lanes as `out` has room for.
    ///
    /// # Panics
    /// With room for more than four.
    #[inline]
    pub fn store_partial(self, out: &mut [f32]) {
        if let Ok(whole) = out.try_into() {
            return self.store(whole);
        }
        out.copy_from_slice(&self.to_array()[..out.len()]);
    }

    /// The lanes as an array.
    #[inline]
    pub fn to_array(self) -> [f32; LANES] {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes);
        lanes
    }

    /// The sum of the lanes, in the fixed order.
    #[inline]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        (a + b) + (c + d)
    }

    /// The largest lane, in the fixed order. A NaN lane may or may not be ignored.
    #[inline]
    pub fn maximum(self) -> f32 {
        let larger = |a, b| if a < b { b } else { a };
        let [a, b, c, d] = self.to_array();
        larger(larger(a, b), larger(c, d))
    }
}

/// Calls `each` on four values of `row` at a time; the last call may see fewer real
/// values, its other lanes are `fill`.
#[inline]
pub fn for_each(row: &[f32], fill: f32, mut each: impl FnMut(F32x4)) {
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        each(F32x4::load(chunk));
    }
    if !rest.is_empty() {
        each(F32x4::load_partial(rest, fill));
    }
}

/// Replaces each value of `row` by its image under `change`, four at a time; the last call may see
/// fewer real values, its other lanes are `fill` and their results are dropped.
#[inline]
pub fn map(row: &mut [f32], fill: f32, mut change: impl FnMut(F32x4) -> F32x4) {
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for chunk in whole {
        change(F32x4::load(chunk)).store(chunk);
    }
    if !rest.is_empty() {
        change(F32x4::load_partial(rest, fill)).store_partial(rest);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::testing::same_bits;
    use super::*;

    #[test]
    fn the_order_of_a_sum_is_fixed() {
        let lanes = F32x4::load(&[1.0, 1e8, -1e8, 1.0]);
        // (1 + 1e8) + (-1e8 + 1): each 1 is lost beside 1e8, but not in another order.
        assert_eq!(lanes.sum().to_bits(), 0.0_f32.to_bits());
        assert_eq!(lanes.maximum().to_bits(), 1e8_f32.to_bits());
    }

    #[test]
    fn a_shorter_row_is_filled_up_and_nothing_beyond_it_is_written() {
        let mut seen = Vec::new();
        for_each(&[1.0, 2.0, 3.0, 4.0, 5.0], -1.0, |lanes| seen.extend(lanes.to_array()));
        same_bits(&seen, &[1.0, 2.0, 3.0, 4.0, 5.0, -1.0, -1.0, -1.0], "visited");
        for_each(&[], 0.0, |_| panic!("an empty row has nothing to visit"));

        let mut row = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        map(&mut row[..6], 0.0, |lanes| lanes + lanes);
        same_bits(&row, &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 7.0], "changed");
    }

    #[test]
    fn not_a_number_keeps_the_first_operand() {
        let nan = F32x4::splat(f32::NAN);
        let one = F32x4::splat(1.0);
        assert!(nan.max(one).to_array().iter().all(|lane| lane.is_nan()));
        assert!(nan.min(one).to_array().iter().all(|lane| lane.is_nan()));
        same_bits(&one.max(nan).to_array(), &[1.0; 4], "maximum");
        same_bits(&one.min(nan).to_array(), &[1.0; 4], "minimum");
    }

    /// A test build for wasm with SIMD has both versions, so they can be compared.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[test]
    fn both_versions_agree_bit_for_bit() {
        let halves = [0x81FF, 0x3C00, 0, 0x7F80, 0xFFFF, 0x1234, 0x8001, 0x00F0];
        let ours = Words::load(&halves);
        let plain = portable::Words::load(&halves);
        for bits in [0, 8, 13] {
            let mixed = (ours << bits) | (ours >> 9).masked(0x0F0F);
            let ours = [ours.byte(bits), mixed.number(), mixed.as_f32()];
            let mixed = (plain << bits) | (plain >> 9).masked(0x0F0F);
            let plain = [plain.byte(bits), mixed.number(), mixed.as_f32()];
            for (ours, plain) in ours.into_iter().zip(plain) {
                let mut out = [0.0; LANES];
                plain.store(&mut out);
                same_bits(&ours.to_array(), &out, "bits");
            }
        }
        let table = [0, 1, -1, 2, -128, 127, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64];
        let places = [3, 0, 15, 7, 1, 2, 14, 9, 8, 4, 13, 5, 6, 12, 10, 11];
        let ours = Words::of_bytes(&places).of(Words::of_bytes(&table));
        let plain = portable::Words::of_bytes(&places).of(portable::Words::of_bytes(&table));
        for above in [0, 8, 16, 24] {
            let mut out = [0.0; LANES];
            plain.byte(above).store(&mut out);
            same_bits(&ours.byte(above).to_array(), &out, "bytes of a table");
        }
        let mut random = super::super::testing::Random::new(7);
        for _ in 0..500 {
            let [a, b]: [[f32; LANES]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.value(-50.0, 50.0)));
            let x = F32x4::load(&a);
            let y = F32x4::load(&b);
            let p = portable::F32x4::load(&a);
            let q = portable::F32x4::load(&b);
            let pairs = [
                (F32x4::splat(a[0]), portable::F32x4::splat(a[0])),
                (x + y, p + q),
                (x - y, p - q),
                (x * y, p * q),
                (x / y, p / q),
                (-x, -p),
                (x.abs(), p.abs()),
                (x.with_sign(y), p.with_sign(q)),
                (x.min(y), p.min(q)),
                (x.max(y), p.max(q)),
                (x.less(y).select(x, y), p.less(q).select(p, q)),
                (x.shift_left::<FRACTION_BITS>(), p.shift_left::<FRACTION_BITS>()),
            ];
            for (index, (ours, portable)) in pairs.into_iter().enumerate() {
                let mut left = [0.0; LANES];
                let mut right = [0.0; LANES];
                ours.store(&mut left);
                portable.store(&mut right);
                same_bits(&left, &right, &format!("operation {index} on {a:?} and {b:?}"));
            }
            let ours = [x.widened(), y.widened()];
            let plain = [p.widened(), q.widened()];
            for half in 0..2 {
                let (x, y) = (ours[0][half], ours[1][half]);
                let (p, q) = (plain[0][half], plain[1][half]);
                let both = [f64::from(a[half]), f64::from(b[half])];
                let pairs = [
                    (F64x2::load(&both), portable::F64x2::load(&both)),
                    (F64x2::splat(both[0]), portable::F64x2::splat(both[0])),
                    (x + y, p + q),
                    (x - y, p - q),
                    (x * y, p * q),
                ];
                for (ours, portable) in pairs {
                    let mut left = [0.0; WIDE_LANES];
                    let mut right = [0.0; WIDE_LANES];
                    ours.store(&mut left);
                    portable.store(&mut right);
                    assert_eq!(left.map(f64::to_bits), right.map(f64::to_bits), "{a:?}, {b:?}");
                }
            }
        }
    }
}
