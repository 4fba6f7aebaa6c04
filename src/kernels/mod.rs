//! The numeric kernels: slices in, slices out, one thread, no allocation in a hot loop. Each is
//! written once over four lanes ([`lanes::F32x4`]) without fused multiply-add, so a native build, a
//! wasm build with SIMD and one without compute the same bits (with relaxed SIMD those of its
//! processor); [`scalar`] holds the plain versions that tests need.
//!
//! Rules of every kernel:
//! * no length has to be a multiple of the lane count, and empty input is allowed;
//! * a result does not depend on what was computed beside it: not on the other rows
//!   of a batch, not on the tile, not on masked entries appended to a row;
//! * wrong slice lengths are a programming error and panic; shapes that come from outside are
//!   checked long before, where the model is read.
//!
//! A kernel neither starts threads nor knows tensors with shapes.

pub mod activation;
pub mod counting;
pub mod distribution;
pub mod eigenvalues;
pub mod elementwise;
pub mod exponentials;
pub mod features;
pub mod lanes;
pub mod math;
pub mod matmul;
pub mod norm;
pub mod norm_backward;
pub mod orthogonal;
mod panel;
pub mod precise;
pub mod product;
pub mod random;
pub mod resample;
pub mod rotate;
pub mod scalar;
pub mod slope;
pub mod softmax;
pub mod softmax_backward;
pub mod stored;
pub mod top_k;
pub mod transpose;
pub mod truncate;
pub mod update;
pub mod vector;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

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
