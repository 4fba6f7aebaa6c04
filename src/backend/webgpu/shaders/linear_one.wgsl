// out = x W, and what follows: + bias, activation, * times, + plus. The weight may be a part of W.

struct Shape {
    rows: u32,
    inner: u32,
    outer: u32, // Of this part of W.
    columns: u32, // Of `out`: all parts, side by side.
    first_column: u32, // Of `out`, where this part begins.
    activation: u32, // NO_ACTIVATION, or which.
    follows: u32, // HAS_BIAS, HAS_TIMES, HAS_PLUS.
}

@group(0) @binding(2) var<storage, read> bias: array<f32>; // [columns]
@group(0) @binding(3) var<storage, read> times: array<f32>; // [rows, columns]
@group(0) @binding(4) var<storage, read> plus: array<f32>; // [rows, columns]
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<uniform> shape: Shape;

// Four numbers of a column of W, 0 outside of it.
fn four_of_weights(column: u32, four: u32) -> vec4<f32> {
    if (column >= shape.outer || four >= fours()) {
        return vec4<f32>(0.0);
    }
    return four_of_matrix(column, four, fours());
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
