// Three maps of the same rows: out = x W + bias for each W, its results behind those of the one
// before. Columns are counted through all three.

struct Shape {
    rows: u32,
    inner: u32,
    first_outer: u32,
    second_outer: u32,
    third_outer: u32,
    second_start: u32, // Of `out`, where the second results begin.
    third_start: u32,
    has_bias: u32, // A bit for each map.
}

@group(0) @binding(4) var<storage, read> first_bias: array<f32>;
@group(0) @binding(5) var<storage, read> second_bias: array<f32>;
@group(0) @binding(6) var<storage, read> third_bias: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> shape: Shape;

// Four numbers of a column, 0 outside of all.
fn four_of_weights(column: u32, four: u32) -> vec4<f32> {
    if (four >= fours()) {
        return vec4<f32>(0.0);
    }
    var own = column;
    if (own < shape.first_outer) {
        return four_of_matrix_1(own, four, fours());
    }
    own -= shape.first_outer;
    if (own < shape.second_outer) {
        return four_of_matrix_2(own, four, fours());
    }
    own -= shape.second_outer;
    if (own < shape.third_outer) {
        return four_of_matrix_3(own, four, fours());
    }
    return vec4<f32>(0.0);
}

// Writes a result, if it is one.
fn finish(row: u32, column: u32, sum: f32) {
    if (row >= shape.rows) {
        return;
    }
    var own = column;
    var result = sum;
    if (own < shape.first_outer) {
        if ((shape.has_bias & 1u) != 0u) {
            result += first_bias[own];
        }
        out[row * shape.first_outer + own] = result;
        return;
    }
    own -= shape.first_outer;
    if (own < shape.second_outer) {
        if ((shape.has_bias & 2u) != 0u) {
            result += second_bias[own];
        }
        out[shape.second_start + row * shape.second_outer + own] = result;
        return;
    }
    own -= shape.second_outer;
    if (own < shape.third_outer) {
        if ((shape.has_bias & 4u) != 0u) {
            result += third_bias[own];
        }
        out[shape.third_start + row * shape.third_outer + own] = result;
    }
}
