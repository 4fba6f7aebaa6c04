// out = the activation of x, number by number.

struct Shape { count: u32, kind: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn activate(place: Place) {
    let at = number_of(place);
    if (at < shape.count) {
        out[at] = activated(x[at], shape.kind);
    }
}
