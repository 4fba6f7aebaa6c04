// SIDE x SIDE invocations compute a square of results, each of them four by four: what they read they
// share. The next numbers are on their way while these are multiplied.
//
// Where it says so, `linear_kernels.rs` writes a line for each column of an invocation: not every compiler
// keeps an array of sums in registers.

const TILE: u32 = 4u * SIDE;
const HALF: u32 = 2u * SIDE; // Columns of an invocation's first two sums, and of the others.
const DEPTH: u32 = SIDE / 4u; // Fours along `inner` that are held at once.
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
    // (sums)
    var next_x = four_of_x(first_row + line, depth);
    var next_matrix = four_of_weights(first_column + line, depth);
    for (var start = 0u; start < fours(); start += DEPTH) {
        x_tile[held] = next_x;
        matrix_tile[held] = next_matrix;
        workgroupBarrier();
        next_x = four_of_x(first_row + line, start + DEPTH + depth);
        next_matrix = four_of_weights(first_column + line, start + DEPTH + depth);
        for (var d = 0u; d < DEPTH; d++) {
            let at_x = d * STRIDE + cell.y;
            let at_matrix = d * STRIDE + cell.x;
            let a = transpose(mat4x4<f32>(
                x_tile[at_x],
                x_tile[at_x + SIDE],
                x_tile[at_x + 2u * SIDE],
                x_tile[at_x + 3u * SIDE],
            ));
            // (products)
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let row = first_row + cell.y + r * SIDE;
        let column = first_column + cell.x;
        // (results)
    }
}
