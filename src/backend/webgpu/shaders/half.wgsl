// A half-precision number. It is widened by whole numbers and one exact product, because an adapter
// may read a subnormal half as 0.
fn half(bits: u32) -> f32 {
    let normal = bitcast<f32>(((bits & 0x7fffu) << 13u) + (112u << 23u));
    let subnormal = f32(bits & 0x3ffu) * 5.9604645e-8; // 2^-24
    let size = select(normal, subnormal, (bits & 0x7c00u) == 0u);
    return select(size, -size, (bits & 0x8000u) != 0u);
}
