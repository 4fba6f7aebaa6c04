// out = a + b, number by number.

struct Shape { count: u32 }

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = group_number(group, groups) * LANES + lane;
    if (at < shape.count) {
        out[at] = a[at] + b[at];
    }
}
