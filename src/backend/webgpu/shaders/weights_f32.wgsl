// A weight of f32, in fours.
// (each weight)
@group(0) @binding(BINDING) var<storage, read> WEIGHT: array<vec4<f32>>;

fn four_of_WEIGHT(row: u32, four: u32, fours: u32) -> vec4<f32> {
    return WEIGHT[row * fours + four];
}
