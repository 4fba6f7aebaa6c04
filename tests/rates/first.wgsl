// The first kernels of this project's history, as a measure for those that took their place: a
// product in squares of 16, a result for each invocation and a number for each read; attention as
// scores, softmax and context, each a kernel with an invocation for each cell, which store weights.

struct Product { rows: u32, inner: u32, outer: u32 }

const TILE: u32 = 16u;

@group(0) @binding(0) var<storage, read> x: array<f32>; // [rows, inner]
@group(0) @binding(1) var<storage, read> matrix: array<f32>; // [outer, inner]
@group(0) @binding(2) var<storage, read_write> found: array<f32>; // [rows, outer]
@group(0) @binding(3) var<uniform> product: Product;

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
    for (var start = 0u; start < product.inner; start += TILE) {
        let k = start + cell.x;
        var from_x = 0.0;
        var from_matrix = 0.0;
        if (k < product.inner && row < product.rows) {
            from_x = x[row * product.inner + k];
        }
        if (k < product.inner && loaded_column < product.outer) {
            from_matrix = matrix[loaded_column * product.inner + k];
        }
        x_tile[cell.y][cell.x] = from_x;
        matrix_tile[cell.y][cell.x] = from_matrix;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += x_tile[cell.y][i] * matrix_tile[cell.x][i];
        }
        workgroupBarrier();
    }
    if (row < product.rows && column < product.outer) {
        found[row * product.outer + column] = sum;
    }
}

// A causal site, for some of its queries.
struct Site {
    heads: u32,
    width: u32, // One head.
    keys: u32,
    queries: u32,
    first_query: u32,
    scale: f32,
}

const LANES: u32 = 64u;
const LOWEST: f32 = -3.4028234e38;

@group(0) @binding(0) var<storage, read> query: array<f32>; // [n, heads * width], as key and value
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read> value: array<f32>;
@group(0) @binding(3) var<storage, read_write> cells: array<f32>; // [heads, queries, keys]
@group(0) @binding(4) var<storage, read_write> context: array<f32>; // [n, heads * width]
@group(0) @binding(5) var<uniform> site: Site;

var<workgroup> lane_values: array<f32, LANES>;

fn number(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * LANES + lane;
}

@compute @workgroup_size(LANES)
fn scores(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = number(group, groups, lane);
    if (at >= site.heads * site.queries * site.keys) {
        return;
    }
    let row = at / site.keys;
    let columns = site.heads * site.width;
    let head = row / site.queries * site.width;
    let own = site.first_query + row % site.queries;
    let other = at % site.keys;
    var sum = 0.0;
    for (var i = 0u; i < site.width; i++) {
        sum += query[own * columns + head + i] * key[other * columns + head + i];
    }
    cells[at] = select(sum * site.scale, LOWEST, other > own);
}

@compute @workgroup_size(LANES)
fn softmax(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let row = group.y * groups.x + group.x;
    let is_row = row < site.heads * site.queries;
    let first = select(0u, row * site.keys, is_row);
    var top = LOWEST;
    for (var i = lane; i < site.keys; i += LANES) {
        top = max(top, cells[first + i]);
    }
    lane_values[lane] = top;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_values[lane] = max(lane_values[lane], lane_values[lane + half]);
        }
        workgroupBarrier();
    }
    top = lane_values[0];
    workgroupBarrier();
    var part = 0.0;
    for (var i = lane; i < site.keys; i += LANES) {
        part += exp(cells[first + i] - top);
    }
    lane_values[lane] = part;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_values[lane] += lane_values[lane + half];
        }
        workgroupBarrier();
    }
    let total = lane_values[0];
    for (var i = lane; i < site.keys && is_row; i += LANES) {
        cells[first + i] = exp(cells[first + i] - top) / total;
    }
}

@compute @workgroup_size(LANES)
fn mix(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = number(group, groups, lane);
    let columns = site.heads * site.width;
    if (at >= site.queries * columns) {
        return;
    }
    let row = at / columns;
    let column = at % columns;
    let first = (column / site.width * site.queries + row) * site.keys;
    var sum = 0.0;
    for (var other = 0u; other < site.keys; other++) {
        sum += cells[first + other] * value[other * columns + column];
    }
    context[site.first_query * columns + at] = sum;
}
