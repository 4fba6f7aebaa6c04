// out[r] = table[ids[r]] * scale, for a table [entries, width].

struct Shape { rows: u32, width: u32, scale: f32 }

@group(0) @binding(0) var<storage, read> table: array<f32>;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn embed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = group_number(group, groups) * LANES + lane;
    if (at < shape.rows * shape.width) {
        let entry = ids[at / shape.width];
        out[at] = table[entry * shape.width + at % shape.width] * shape.scale;
    }
}
