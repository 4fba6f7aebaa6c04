// A weight of bfloat16, in fours.
// (each weight)
@group(0) @binding(BINDING) var<storage, read> WEIGHT: array<vec2<u32>>;

fn four_of_WEIGHT(row: u32, four: u32, fours: u32) -> vec4<f32> {
    let bits = WEIGHT[row * fours + four];
    let tops = vec4(bits.x << 16u, bits.x & 0xffff0000u, bits.y << 16u, bits.y & 0xffff0000u);
    return bitcast<vec4<f32>>(tops);
}
