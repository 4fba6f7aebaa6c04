// Joins what `marginals.wgsl` found of each row: the least and the largest number of all, 0 where
// there is none, and how many cells are forbidden. One workgroup.

struct Shape { queries: u32, keys: u32 }

@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<uniform> shape: Shape;

const FARTHEST: f32 = 3.4028234e38;

fn extent_at() -> u32 {
    return shape.queries + shape.keys;
}

var<workgroup> counts: array<u32, LANES>;

@compute @workgroup_size(LANES)
fn join_rows(place: Place) {
    let lane = place.lane;
    var least = FARTHEST;
    var largest = -FARTHEST;
    var forbidden = 0u;
    for (var row = lane; row < shape.queries; row += LANES) {
        let at = extent_at() + 3u + 3u * row;
        least = min(least, bitcast<f32>(out[at]));
        largest = max(largest, bitcast<f32>(out[at + 1u]));
        forbidden += out[at + 2u];
    }
    let top = largest_of_lanes(lane, largest);
    let bottom = -largest_of_lanes(lane, -least);
    counts[lane] = forbidden;
    workgroupBarrier();
    if (lane == 0u) {
        var total = 0u;
        for (var i = 0u; i < LANES; i++) {
            total += counts[i];
        }
        let is_empty = bottom > top;
        out[extent_at()] = bitcast<u32>(select(bottom, 0.0, is_empty));
        out[extent_at() + 1u] = bitcast<u32>(select(top, 0.0, is_empty));
        out[extent_at() + 2u] = total;
    }
}
