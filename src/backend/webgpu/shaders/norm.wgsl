// out = (y - mean) / sqrt(variance + epsilon) * gain + bias, y being x or the sum of x and what is
// added to it; a workgroup per row, which reads it once. A root mean square has no mean to take
// away and no bias.

struct Shape { rows: u32, columns: u32, epsilon: f32, has: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> plus: array<f32>;
@group(0) @binding(2) var<storage, read> gain: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> shape: Shape;

const HELD: u32 = 2048u; // Numbers of a row; what is beyond them is read again.

// A lane reads what it wrote itself.
var<workgroup> held: array<f32, HELD>;

fn summed(at: u32) -> f32 {
    if ((shape.has & HAS_PLUS) == 0u) {
        return x[at];
    }
    return plus[at] + x[at];
}

fn number(first: u32, i: u32) -> f32 {
    if (i < HELD) {
        return held[i];
    }
    return summed(first + i);
}

@compute @workgroup_size(LANES)
fn norm(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = row * shape.columns;
    let is_centred = (shape.has & HAS_BIAS) != 0u;
    var part = 0.0;
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let own = summed(first + i);
        if (i < HELD) {
            held[i] = own;
        }
        part += own;
    }
    var mean = 0.0;
    if (is_centred) {
        mean = sum_of_lanes(place.lane, part) / f32(shape.columns);
    }
    part = 0.0;
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let distance = number(first, i) - mean;
        part += distance * distance;
    }
    let variance = sum_of_lanes(place.lane, part) / f32(shape.columns);
    let deviation = sqrt(variance + shape.epsilon);
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let normed = (number(first, i) - mean) / deviation * gain[i];
        out[first + i] = select(normed, normed + bias[i], is_centred);
    }
}
