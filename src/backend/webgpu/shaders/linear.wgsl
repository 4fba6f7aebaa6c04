// out = x W + bias, with x [rows, inner] and W stored as [outer, inner]. A workgroup
// computes a square of `TILE` x `TILE` results and shares what it reads. Every result is
// summed over `inner` in ascending order, whichever rows are computed together.

struct Shape { rows: u32, inner: u32, outer: u32, has_bias: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> matrix: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(4) var<uniform> shape: Shape;

var<workgroup> x_tile: array<array<f32, TILE>, TILE>;
var<workgroup> matrix_tile: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn linear(
    @builtin(workgroup_id) tile: vec3<u32>,
    @builtin(local_invocation_id) cell: vec3<u32>,
) {
    let row = tile.y * TILE + cell.y;
    let column = tile.x * TILE + cell.x;
    let loaded_column = tile.x * TILE + cell.y;
    var sum = 0.0;
    for (var start = 0u; start < shape.inner; start += TILE) {
        let k = start + cell.x;
        var from_x = 0.0;
        var from_matrix = 0.0;
        if (k < shape.inner && row < shape.rows) {
            from_x = x[row * shape.inner + k];
        }
        if (k < shape.inner && loaded_column < shape.outer) {
            from_matrix = matrix[loaded_column * shape.inner + k];
        }
        x_tile[cell.y][cell.x] = from_x;
        matrix_tile[cell.y][cell.x] = from_matrix;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += x_tile[cell.y][i] * matrix_tile[cell.x][i];
        }
        workgroupBarrier();
    }
    if (row < shape.rows && column < shape.outer) {
        if (shape.has_bias != 0u) {
            sum += bias[column];
        }
        out[row * shape.outer + column] = sum;
    }
}
