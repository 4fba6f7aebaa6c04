// out = x / sqrt(mean of x squared + epsilon) * gain, a workgroup per row.

struct Shape { rows: u32, columns: u32, epsilon: f32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn rms_norm(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = row * shape.columns;
    var part = 0.0;
    for (var i = place.lane; i < shape.columns; i += LANES) {
        part += x[first + i] * x[first + i];
    }
    let mean_square = sum_of_lanes(place.lane, part) / f32(shape.columns);
    let root = sqrt(mean_square + shape.epsilon);
    for (var i = place.lane; i < shape.columns; i += LANES) {
        out[first + i] = x[first + i] / root * gain[i];
    }
}
