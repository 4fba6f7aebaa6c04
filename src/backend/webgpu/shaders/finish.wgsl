// What comes after the softmax of a pattern: dropped weights are 0 and the others grow, and rows
// that are given take the place of those that were computed. `rows` is that of `score_tile.wgsl`.

struct Shape { queries: u32, keys: u32, row_words: u32, kept: f32 }

const GIVEN = 3u;
const DROPPED = 4u;
const NONE = 0xffffffffu;

@group(0) @binding(0) var<storage, read> rows: array<u32>;
@group(0) @binding(1) var<storage, read> given: array<f32>; // [given rows, keys]
@group(0) @binding(2) var<storage, read_write> cells: array<f32>; // [queries, keys]
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn finish(place: Place) {
    let at = number_of(place);
    if (at >= shape.queries * shape.keys) {
        return;
    }
    let key = at % shape.keys;
    let row_at = at / shape.keys * shape.row_words;
    let given_at = rows[row_at + GIVEN];
    let dropped = rows[row_at + DROPPED];
    if (given_at != NONE) {
        cells[at] = given[given_at + key];
    } else if (dropped != NONE) {
        let is_dropped = ((rows[dropped + key / 32u] >> (key % 32u)) & 1u) != 0u;
        cells[at] *= select(shape.kept, 0.0, is_dropped);
    }
}
