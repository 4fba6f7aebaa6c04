// out[h, q, k] = (Q_h K_h^T)[q, k] * scale, for some heads and some queries.

struct Shape {
    heads: u32,
    first_head: u32,
    queries: u32,
    first_query: u32,
    keys: u32,
    columns: u32, // All heads of Q, side by side.
    width: u32, // One head.
    key_columns: u32, // All heads of K, side by side.
    group: u32, // Heads of Q that share one of K.
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
    let head = shape.first_head + row / shape.queries;
    let q = (shape.first_query + row % shape.queries) * shape.columns + head * shape.width;
    let k = (at % shape.keys) * shape.key_columns + head / shape.group * shape.width;
    var sum = 0.0;
    for (var i = 0u; i < shape.width; i++) {
        sum += query[q + i] * key[k + i];
    }
    out[at] = sum * shape.scale;
}
