// out[r] = table[ids[r]] * scale, for a table [entries, width].

struct Shape { rows: u32, width: u32, scale: f32 }

@group(0) @binding(0) var<storage, read> table: array<f32>;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn embed(place: Place) {
    let at = number_of(place);
    if (at < shape.rows * shape.width) {
        let entry = ids[at / shape.width];
        out[at] = table[entry * shape.width + at % shape.width] * shape.scale;
    }
}
