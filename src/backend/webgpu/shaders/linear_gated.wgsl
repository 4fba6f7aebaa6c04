// out = activation(x W + bias) * (x W3 + bias3). The columns of a workgroup are HALF columns of W,
// then the same of W3.

struct Shape {
    rows: u32,
    inner: u32,
    outer: u32,
    activation: u32,
    has_bias: u32, // A bit for each map.
}

@group(0) @binding(3) var<storage, read> gate_bias: array<f32>;
@group(0) @binding(4) var<storage, read> factor_bias: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<uniform> shape: Shape;

// The column of `out` to which a column of the grid belongs.
fn own_column(column: u32) -> u32 {
    return column / (2u * HALF) * HALF + column % HALF;
}

// Four numbers of a column, 0 outside of both.
fn four_of_weights(column: u32, four: u32) -> vec4<f32> {
    let own = own_column(column);
    if (own >= shape.outer || four >= fours()) {
        return vec4<f32>(0.0);
    }
    if (column % (2u * HALF) < HALF) {
        return four_of_gate(own, four, fours());
    }
    return four_of_factor(own, four, fours());
}

// Writes a result, if it is one.
fn finish(row: u32, column: u32, gate_sum: f32, factor_sum: f32) {
    let own = own_column(column);
    if (row >= shape.rows || own >= shape.outer) {
        return;
    }
    var gate = gate_sum;
    var factor = factor_sum;
    if ((shape.has_bias & 1u) != 0u) {
        gate += gate_bias[own];
    }
    if ((shape.has_bias & 2u) != 0u) {
        factor += factor_bias[own];
    }
    out[row * shape.outer + own] = activated(gate, shape.activation) * factor;
}
