// out = (x - mean) / sqrt(variance + epsilon) * gain + bias, a workgroup per row.

struct Shape { rows: u32, columns: u32, epsilon: f32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(4) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn layer_norm(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = row * shape.columns;
    var part = 0.0;
    for (var i = place.lane; i < shape.columns; i += LANES) {
        part += x[first + i];
    }
    let mean = sum_of_lanes(place.lane, part) / f32(shape.columns);
    part = 0.0;
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let distance = x[first + i] - mean;
        part += distance * distance;
    }
    let variance = sum_of_lanes(place.lane, part) / f32(shape.columns);
    let deviation = sqrt(variance + shape.epsilon);
    for (var i = place.lane; i < shape.columns; i += LANES) {
        out[first + i] = (x[first + i] - mean) / deviation * gain[i] + bias[i];
    }
}
