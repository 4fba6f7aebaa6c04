// Writes rows that are given, not computed, over those of a pattern.

struct Shape { rows: u32, keys: u32 }

@group(0) @binding(0) var<storage, read> given: array<f32>; // [rows, keys]
@group(0) @binding(1) var<storage, read> places: array<u32>; // Where each of them goes.
@group(0) @binding(2) var<storage, read_write> cells: array<f32>; // [all rows, keys]
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn given_rows(place: Place) {
    let at = number_of(place);
    if (at < shape.rows * shape.keys) {
        cells[places[at / shape.keys] * shape.keys + at % shape.keys] = given[at];
    }
}
