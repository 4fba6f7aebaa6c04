//! The numeric kernels: slices in, slices out, one thread, no allocation in a hot
//! loop. Each is written once over four lanes ([`lanes::F32x4`]) without fused
//! multiply-add, so a native build, a wasm build with SIMD and one without compute
//! the same bits (with relaxed SIMD those of its processor); [`scalar`] holds the plain versions that
//! tests need.
//!
//! What holds everywhere:
//! * no length has to be a multiple of the lane count, and empty input is allowed;
//! * a result does not depend on what was computed beside it: not on the other rows
//!   of a batch, not on the tile, not on masked entries appended to a row;
//! * wrong slice lengths are a programming error and panic; shapes that come from
//!   outside are checked long before, where the model is read.
//!
//! What it does not do: threads, tensors with shapes, choosing what to compute.

pub mod activation;
pub mod features;
pub mod lanes;
pub mod math;
pub mod matmul;
pub mod orthogonal;
mod panel;
pub mod random;
pub mod rows;
pub mod scalar;
pub mod stored;
pub mod truncate;

#[cfg(test)]
pub(crate) mod testing;

/// What runs the kernels, for people: the lanes in use and the matmul's tile.
pub fn name() -> &'static str {
    if cfg!(target_feature = "relaxed-simd") {
        "relaxed simd128 2×16"
    } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
        "simd128 2×16"
    } else {
        "portable 2×16"
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::activation::Activation;
    use super::matmul::{PackedMatrix, Rows, matmul};
    use super::rows;
    use super::testing::Random;

    /// The result of [`fingerprint`], as a native build computes it.
    const SAME_EVERYWHERE: u64 = 0x6AA0_54B5_205C_EC25;

    /// FNV-1a (Fowler, Noll and Vo) over the bits of a small forward pass.
    fn fingerprint() -> u64 {
        let mut random = Random::new(61);
        let (count, inner, outer) = (7, 37, 53);
        let mut values = random.values(count * inner, -2.0, 2.0);
        let [gamma, beta] = [(); 2].map(|()| random.values(inner, -1.0, 1.0));
        for row in values.chunks_mut(inner) {
            let x = row.to_vec();
            rows::layer_norm_row(&x, &gamma, &beta, 1e-5, row);
            let x = row.to_vec();
            rows::rms_norm_row(&x, &gamma, 1e-6, row);
            rows::rotate_row(&mut row[1..], &beta[..12], 12);
        }
        let w = PackedMatrix::from_columns(
            inner,
            outer,
            &random.values(inner * outer, -1.0, 1.0),
            inner,
        );
        let mut out = vec![0.0; count * outer];
        matmul(Rows { data: &values, stride: inner, count }, &w, None, &mut out, outer);
        let activations =
            [Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu];
        for (row, activation) in out.chunks_mut(outer).zip(activations) {
            activation.apply(row);
        }
        let mut seen = out.clone();
        for row in out.chunks_mut(outer) {
            let mut logarithms = row.to_vec();
            rows::log_softmax_row(&mut logarithms);
            rows::softmax_row(row);
            seen.extend(logarithms);
            seen.extend_from_slice(row);
        }
        let bytes = seen.iter().flat_map(|value| value.to_bits().to_le_bytes());
        bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
    }

    #[test]
    fn native_wasm_with_simd_and_wasm_without_compute_the_same_bits() {
        assert_eq!(format!("{:x}", fingerprint()), format!("{SAME_EVERYWHERE:x}"));
    }
}
