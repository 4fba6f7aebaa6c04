// out[q] = for each head, side by side: gate * sum over k of weights[h, q, k] * V_h[k].

struct Shape {
    queries: u32,
    keys: u32,
    columns: u32, // All heads of `out`, side by side.
    width: u32, // One head.
    value_columns: u32, // All heads of V, side by side.
    group: u32, // Heads of `out` that share one of V.
    first_row: u32, // Of `out`, where these queries begin.
}

@group(0) @binding(0) var<storage, read> weights: array<f32>;
@group(0) @binding(1) var<storage, read> value: array<f32>;
@group(0) @binding(2) var<storage, read> gates: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(4) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn context(place: Place) {
    let at = number_of(place);
    if (at >= shape.queries * shape.columns) {
        return;
    }
    let query = at / shape.columns;
    let column = at % shape.columns;
    let head = column / shape.width;
    let first = (head * shape.queries + query) * shape.keys;
    let own = head / shape.group * shape.width + column % shape.width;
    var sum = 0.0;
    for (var key = 0u; key < shape.keys; key++) {
        sum += weights[first + key] * value[key * shape.value_columns + own];
    }
    out[shape.first_row * shape.columns + at] = sum * gates[head];
}
