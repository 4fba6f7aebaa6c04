// Adds to the forbidden cells of each row what its head adds to them. Minus infinity is put
// in place as bits, because WGSL leaves open what arithmetic with an infinity gives.

struct Shape { rows: u32, keys: u32, words: u32 }

// [rows, words]: what is added, as bits of an f32, then a bit per key.
@group(0) @binding(0) var<storage, read> forbidden: array<u32>;
@group(0) @binding(1) var<storage, read_write> cells: array<u32>; // [rows, keys]
@group(0) @binding(2) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn mask(place: Place) {
    let at = number_of(place);
    if (at >= shape.rows * shape.keys) {
        return;
    }
    let key = at % shape.keys;
    let row = at / shape.keys * shape.words;
    let word = forbidden[row + 1u + key / 32u];
    if ((word >> (key % 32u) & 1u) == 0u) {
        return;
    }
    let added = forbidden[row];
    if (added == MINUS_INFINITY) {
        cells[at] = MINUS_INFINITY;
    } else {
        cells[at] = bitcast<u32>(bitcast<f32>(cells[at]) + bitcast<f32>(added));
    }
}
