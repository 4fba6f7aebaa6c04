// As `linear_tile.wgsl`, for many rows and many columns: every invocation computes eight by eight
// results, so that it multiplies twice as often for each number that it reads.

const TILE: u32 = 8u * SIDE;
const DEPTH: u32 = SIDE / 8u; // Fours along `inner` that are held at once.
const STRIDE: u32 = TILE + 2u; // Neighbours lie in different banks.

var<workgroup> x_tile: array<vec4<f32>, DEPTH * STRIDE>;
var<workgroup> matrix_tile: array<vec4<f32>, DEPTH * STRIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn linear(
    @builtin(workgroup_id) tile: vec3<u32>,
    @builtin(local_invocation_id) cell: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let line = lane / DEPTH;
    let depth = lane % DEPTH;
    let held = depth * STRIDE + line;
    let first_row = tile.y * TILE;
    let first_column = tile.x * TILE;
    // Sums of the upper four rows and of the lower four, column by column. They are written out,
    // because not every compiler keeps an array in registers.
    var a0 = vec4<f32>(0.0);
    var a1 = vec4<f32>(0.0);
    var a2 = vec4<f32>(0.0);
    var a3 = vec4<f32>(0.0);
    var a4 = vec4<f32>(0.0);
    var a5 = vec4<f32>(0.0);
    var a6 = vec4<f32>(0.0);
    var a7 = vec4<f32>(0.0);
    var b0 = vec4<f32>(0.0);
    var b1 = vec4<f32>(0.0);
    var b2 = vec4<f32>(0.0);
    var b3 = vec4<f32>(0.0);
    var b4 = vec4<f32>(0.0);
    var b5 = vec4<f32>(0.0);
    var b6 = vec4<f32>(0.0);
    var b7 = vec4<f32>(0.0);
    var next_x = four_of_x(first_row + line, depth);
    var next_matrix = four_of_matrix(first_column + line, depth);
    for (var start = 0u; start < fours(); start += DEPTH) {
        x_tile[held] = next_x;
        matrix_tile[held] = next_matrix;
        workgroupBarrier();
        next_x = four_of_x(first_row + line, start + DEPTH + depth);
        next_matrix = four_of_matrix(first_column + line, start + DEPTH + depth);
        for (var d = 0u; d < DEPTH; d++) {
            let at_x = d * STRIDE + cell.y;
            let at_matrix = d * STRIDE + cell.x;
            let upper = transpose(mat4x4<f32>(
                x_tile[at_x],
                x_tile[at_x + SIDE],
                x_tile[at_x + 2u * SIDE],
                x_tile[at_x + 3u * SIDE],
            ));
            let lower = transpose(mat4x4<f32>(
                x_tile[at_x + 4u * SIDE],
                x_tile[at_x + 5u * SIDE],
                x_tile[at_x + 6u * SIDE],
                x_tile[at_x + 7u * SIDE],
            ));
            var weights: vec4<f32>;
            weights = matrix_tile[at_matrix];
            a0 = added(a0, upper, weights);
            b0 = added(b0, lower, weights);
            weights = matrix_tile[at_matrix + SIDE];
            a1 = added(a1, upper, weights);
            b1 = added(b1, lower, weights);
            weights = matrix_tile[at_matrix + 2u * SIDE];
            a2 = added(a2, upper, weights);
            b2 = added(b2, lower, weights);
            weights = matrix_tile[at_matrix + 3u * SIDE];
            a3 = added(a3, upper, weights);
            b3 = added(b3, lower, weights);
            weights = matrix_tile[at_matrix + 4u * SIDE];
            a4 = added(a4, upper, weights);
            b4 = added(b4, lower, weights);
            weights = matrix_tile[at_matrix + 5u * SIDE];
            a5 = added(a5, upper, weights);
            b5 = added(b5, lower, weights);
            weights = matrix_tile[at_matrix + 6u * SIDE];
            a6 = added(a6, upper, weights);
            b6 = added(b6, lower, weights);
            weights = matrix_tile[at_matrix + 7u * SIDE];
            a7 = added(a7, upper, weights);
            b7 = added(b7, lower, weights);
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let upper = first_row + cell.y + r * SIDE;
        let lower = upper + 4u * SIDE;
        let column = first_column + cell.x;
        finish(upper, column, a0[r]);
        finish(lower, column, b0[r]);
        finish(upper, column + SIDE, a1[r]);
        finish(lower, column + SIDE, b1[r]);
        finish(upper, column + 2u * SIDE, a2[r]);
        finish(lower, column + 2u * SIDE, b2[r]);
        finish(upper, column + 3u * SIDE, a3[r]);
        finish(lower, column + 3u * SIDE, b3[r]);
        finish(upper, column + 4u * SIDE, a4[r]);
        finish(lower, column + 4u * SIDE, b4[r]);
        finish(upper, column + 5u * SIDE, a5[r]);
        finish(lower, column + 5u * SIDE, b5[r]);
        finish(upper, column + 6u * SIDE, a6[r]);
        finish(lower, column + 6u * SIDE, b6[r]);
        finish(upper, column + 7u * SIDE, a7[r]);
        finish(lower, column + 7u * SIDE, b7[r]);
    }
}
