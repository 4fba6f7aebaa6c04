// Writes minus infinity into the forbidden cells. The cells are handled as bits, because
// WGSL leaves open what arithmetic with an infinity gives.

struct Shape { rows: u32, keys: u32, words: u32 }

@group(0) @binding(0) var<storage, read> forbidden: array<u32>; // [rows, words], a bit per key.
@group(0) @binding(1) var<storage, read_write> cells: array<u32>; // [rows, keys]
@group(0) @binding(2) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn mask(place: Place) {
    let at = number_of(place);
    if (at >= shape.rows * shape.keys) {
        return;
    }
    let key = at % shape.keys;
    let word = forbidden[at / shape.keys * shape.words + key / 32u];
    if ((word >> (key % 32u) & 1u) != 0u) {
        cells[at] = MINUS_INFINITY;
    }
}
