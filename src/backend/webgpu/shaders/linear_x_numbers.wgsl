// x number by number, for any `inner`.

@group(0) @binding(0) var<storage, read> x: array<f32>;

fn number_of_x(row: u32, k: u32) -> f32 {
    if (row >= shape.rows || k >= shape.inner) {
        return 0.0;
    }
    return x[row * shape.inner + k];
}

fn four_of_x(row: u32, four: u32) -> vec4<f32> {
    let k = four * 4u;
    return vec4<f32>(
        number_of_x(row, k),
        number_of_x(row, k + 1u),
        number_of_x(row, k + 2u),
        number_of_x(row, k + 3u),
    );
}
