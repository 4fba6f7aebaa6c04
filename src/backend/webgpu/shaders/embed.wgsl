// out[r] = table[ids[r]] * scale, for the ids whose entries are in this part of the table,
// [entries, width]. In front of this file is how four numbers of it are read.

struct Shape { rows: u32, width: u32, first: u32, entries: u32, scale: f32 }

@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn embed(place: Place) {
    let at = number_of(place);
    if (at >= shape.rows * shape.width) {
        return;
    }
    let id = ids[at / shape.width];
    if (id < shape.first || id >= shape.first + shape.entries) {
        return;
    }
    let k = at % shape.width;
    let four = four_of_table(id - shape.first, k / 4u, (shape.width + 3u) / 4u);
    out[at] = four[k % 4u] * shape.scale;
}
