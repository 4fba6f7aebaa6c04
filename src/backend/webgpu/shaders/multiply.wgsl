// out = a * b, number by number.

struct Shape { count: u32 }

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn multiply(place: Place) {
    let at = number_of(place);
    if (at < shape.count) {
        out[at] = a[at] * b[at];
    }
}
