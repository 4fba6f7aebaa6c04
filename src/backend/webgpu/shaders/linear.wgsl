// Products of x, [rows, inner], and weights, stored as [outer, inner] in fours along `inner`, the
// last of them filled up with 0. What is computed of the sums is in front of this file; what
// follows is how four numbers of x are read, and a kernel.

fn fours() -> u32 {
    return (shape.inner + 3u) / 4u;
}

// Adds products to four sums, in ascending order along `inner`.
fn added(sums: vec4<f32>, from_x: mat4x4<f32>, weights: vec4<f32>) -> vec4<f32> {
    return sums + from_x[0] * weights.x + from_x[1] * weights.y + from_x[2] * weights.z
        + from_x[3] * weights.w;
}
