// A weight of half-precision numbers, in fours.
// (each weight)
@group(0) @binding(BINDING) var<storage, read> WEIGHT: array<vec2<u32>>;

fn four_of_WEIGHT(row: u32, four: u32, fours: u32) -> vec4<f32> {
    let bits = WEIGHT[row * fours + four];
    return vec4(half(bits.x), half(bits.x >> 16u), half(bits.y), half(bits.y >> 16u));
}
