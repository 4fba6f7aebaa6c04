// out = x W, and what follows: + bias, activation, * times, + plus. x is [rows, inner], W is
// stored as [outer, inner] in fours along `inner`, the last of them filled up with 0.
//
// What follows this file is how four numbers of x are read, and a kernel.

struct Shape {
    rows: u32,
    inner: u32,
    outer: u32, // Of this part of W.
    columns: u32, // Of `out`: all parts, side by side.
    first_column: u32, // Of `out`, where this part begins.
    activation: u32, // NO_ACTIVATION, or which.
    follows: u32, // HAS_BIAS, HAS_TIMES, HAS_PLUS.
}

@group(0) @binding(1) var<storage, read> matrix: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bias: array<f32>; // [columns]
@group(0) @binding(3) var<storage, read> times: array<f32>; // [rows, columns]
@group(0) @binding(4) var<storage, read> plus: array<f32>; // [rows, columns]
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<uniform> shape: Shape;

fn fours() -> u32 {
    return (shape.inner + 3u) / 4u;
}

// Four numbers of a column of W, 0 outside of it.
fn four_of_matrix(column: u32, four: u32) -> vec4<f32> {
    if (column >= shape.outer || four >= fours()) {
        return vec4<f32>(0.0);
    }
    return matrix[column * fours() + four];
}

// Adds products to four sums, in ascending order along `inner`.
fn added(sums: vec4<f32>, from_x: mat4x4<f32>, weights: vec4<f32>) -> vec4<f32> {
    return sums + from_x[0] * weights.x + from_x[1] * weights.y + from_x[2] * weights.z
        + from_x[3] * weights.w;
}

// Writes a result, if it is one.
fn finish(row: u32, column_of_part: u32, sum: f32) {
    if (row >= shape.rows || column_of_part >= shape.outer) {
        return;
    }
    let column = shape.first_column + column_of_part;
    let at = row * shape.columns + column;
    var result = sum;
    if ((shape.follows & HAS_BIAS) != 0u) {
        result += bias[column];
    }
    if (shape.activation != NO_ACTIVATION) {
        result = activated(result, shape.activation);
    }
    if ((shape.follows & HAS_TIMES) != 0u) {
        result *= times[at];
    }
    if ((shape.follows & HAS_PLUS) != 0u) {
        result += plus[at];
    }
    out[at] = result;
}
