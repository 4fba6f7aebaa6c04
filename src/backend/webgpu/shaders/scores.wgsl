// out[h, q, k] = (Q_h K_h^T)[q, k] * scale, for some heads and some queries.

struct Shape {
    heads: u32,
    first_head: u32,
    queries: u32,
    first_query: u32,
    keys: u32,
    columns: u32, // All heads of Q and K, side by side.
    width: u32, // One head.
    scale: f32,
}

@group(0) @binding(0) var<storage, read> query: array<f32>;
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn scores(place: Place) {
    let at = number_of(place);
    if (at >= shape.heads * shape.queries * shape.keys) {
        return;
    }
    let row = at / shape.keys;
    let first_column = (shape.first_head + row / shape.queries) * shape.width;
    let q = (shape.first_query + row % shape.queries) * shape.columns + first_column;
    let k = (at % shape.keys) * shape.columns + first_column;
    var sum = 0.0;
    for (var i = 0u; i < shape.width; i++) {
        sum += query[q + i] * key[k + i];
    }
    out[at] = sum * shape.scale;
}
