// Turns pairs of the first dimensions of every head; the partner of a dimension stands half of
// them away. A row of `turns` has the cosines of the pairs and then their sines.

struct Shape {
    rows: u32,
    columns: u32, // All heads, side by side.
    width: u32, // One head.
    turned: u32, // Dimensions of it that are turned.
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> turns: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn rotate(place: Place) {
    let at = number_of(place);
    if (at >= shape.rows * shape.columns) {
        return;
    }
    let half = shape.turned / 2u;
    let within = at % shape.columns % shape.width;
    if (within >= shape.turned) {
        out[at] = x[at];
        return;
    }
    let pair = within % half;
    let turn = at / shape.columns * shape.turned + pair;
    let cosine = turns[turn];
    let sine = turns[turn + half];
    if (within < half) {
        out[at] = x[at] * cosine - x[at + half] * sine;
    } else {
        out[at] = x[at] * cosine + x[at - half] * sine;
    }
}
