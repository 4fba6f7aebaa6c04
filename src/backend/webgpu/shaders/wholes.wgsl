// By what the sums of each row of a joined pattern are divided: how many queries it stands for or,
// without one key, what they give to all others. A workgroup has a row.

struct Shape { keys: u32, rows: u32, without: u32 }

@group(0) @binding(0) var<storage, read> cells: array<u32>; // [queries, keys]
@group(0) @binding(1) var<storage, read> queries: array<u32>; // As in `join.wgsl`.
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // [rows]
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn wholes(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = queries[row];
    let end = queries[row + 1u];
    var own = 0.0;
    if (shape.without < shape.keys) {
        for (var member = first; member < end; member++) {
            let start = queries[shape.rows + 1u + member] * shape.keys;
            for (var key = place.lane; key < shape.keys; key += LANES) {
                let cell = cells[start + key];
                if (key != shape.without && is_finite(cell) && !is_forbidden(cell)) {
                    own += bitcast<f32>(cell);
                }
            }
        }
    }
    let total = sum_of_lanes(place.lane, own);
    if (place.lane == 0u) {
        out[row] = select(f32(end - first), total, shape.without < shape.keys);
    }
}
