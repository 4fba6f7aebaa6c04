// The margins of a pattern, in one row: the sums of its rows, then of its columns, then what
// `extent.wgsl` makes of the least and the largest number and the count of forbidden cells of each
// row, which stand behind. What is forbidden and what is no finite number is in no sum; both are
// told by their bits.

struct Shape { queries: u32, keys: u32 }

@group(0) @binding(0) var<storage, read> cells: array<u32>; // [queries, keys]
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

const FARTHEST: f32 = 3.4028234e38;

@compute @workgroup_size(LANES)
fn sum_rows(place: Place) {
    let row = row_of(place);
    if (row >= shape.queries) {
        return;
    }
    var own = 0.0;
    var least = FARTHEST;
    var largest = -FARTHEST;
    var forbidden = 0u;
    for (var key = place.lane; key < shape.keys; key += LANES) {
        let cell = cells[row * shape.keys + key];
        if (is_forbidden(cell)) {
            forbidden += 1u;
        } else if (is_finite(cell)) {
            let number = bitcast<f32>(cell);
            own += number;
            least = min(least, number);
            largest = max(largest, number);
        }
    }
    let total = sum_of_lanes(place.lane, own);
    let top = largest_of_lanes(place.lane, largest);
    let bottom = -largest_of_lanes(place.lane, -least);
    // A row has far fewer cells than f32 can count.
    let count = sum_of_lanes(place.lane, f32(forbidden));
    if (place.lane == 0u) {
        out[row] = bitcast<u32>(total);
        let at = shape.queries + shape.keys + 3u + 3u * row;
        out[at] = bitcast<u32>(bottom);
        out[at + 1u] = bitcast<u32>(top);
        out[at + 2u] = u32(count);
    }
}

@compute @workgroup_size(LANES)
fn sum_columns(place: Place) {
    let key = number_of(place);
    if (key >= shape.keys) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < shape.queries; row++) {
        let cell = cells[row * shape.keys + key];
        if (is_finite(cell) && !is_forbidden(cell)) {
            total += bitcast<f32>(cell);
        }
    }
    out[shape.queries + key] = bitcast<u32>(total);
}
