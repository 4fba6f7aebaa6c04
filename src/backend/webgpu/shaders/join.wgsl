// A pattern whose rows and columns stand for groups of queries and keys. A list of groups is where
// each begins, and the end of the last, behind which their members stand one after the other.
// What is forbidden and what is no finite number is in no sum.

struct Shape {
    keys: u32, // Of the pattern.
    rows: u32, // Groups.
    columns: u32,
    without: u32, // A key, or `keys`: then nothing is left out.
}

@group(0) @binding(0) var<storage, read> cells: array<u32>; // [queries, keys]
@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> wholes: array<f32>; // [rows]
@group(0) @binding(4) var<storage, read_write> out: array<u32>; // [rows, columns]
@group(0) @binding(5) var<uniform> shape: Shape;

@compute @workgroup_size(LANES)
fn join(place: Place) {
    let at = number_of(place);
    if (at >= shape.rows * shape.columns) {
        return;
    }
    let row = at / shape.columns;
    let column = at % shape.columns;
    let first_key = keys[column];
    let end_key = keys[column + 1u];
    let is_single = end_key - first_key == 1u && queries[row + 1u] - queries[row] == 1u;
    if (is_single && shape.without == shape.keys) {
        let query = queries[shape.rows + 1u + queries[row]];
        out[at] = cells[query * shape.keys + keys[shape.columns + 1u + first_key]];
        return;
    }
    var total = 0.0;
    for (var member = queries[row]; member < queries[row + 1u]; member++) {
        total += sum_of(member, first_key, end_key, 1u);
    }
    out[at] = mean_of(total, row);
}

// The same where groups are so large that a workgroup has one cell.
@compute @workgroup_size(LANES)
fn join_many(place: Place) {
    let at = row_of(place);
    if (at >= shape.rows * shape.columns) {
        return;
    }
    let row = at / shape.columns;
    let column = at % shape.columns;
    var own = 0.0;
    for (var member = queries[row]; member < queries[row + 1u]; member++) {
        own += sum_of(member, keys[column] + place.lane, keys[column + 1u], LANES);
    }
    let total = sum_of_lanes(place.lane, own);
    if (place.lane == 0u) {
        out[at] = mean_of(total, row);
    }
}

// What a query gives to some members of a group of keys.
fn sum_of(member: u32, first: u32, end: u32, stride: u32) -> f32 {
    let start = queries[shape.rows + 1u + member] * shape.keys;
    var total = 0.0;
    for (var other = first; other < end; other += stride) {
        let cell = cells[start + keys[shape.columns + 1u + other]];
        if (is_finite(cell) && !is_forbidden(cell)) {
            total += bitcast<f32>(cell);
        }
    }
    return total;
}

fn mean_of(total: f32, row: u32) -> u32 {
    let whole = wholes[row];
    var mean = 0.0;
    if (whole != 0.0) {
        mean = total / whole;
    }
    return bitcast<u32>(mean);
}
