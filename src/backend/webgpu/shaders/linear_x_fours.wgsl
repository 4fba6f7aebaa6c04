// x in fours, for an `inner` that four divides.

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;

fn four_of_x(row: u32, four: u32) -> vec4<f32> {
    if (row >= shape.rows || four >= fours()) {
        return vec4<f32>(0.0);
    }
    return x[row * fours() + four];
}
