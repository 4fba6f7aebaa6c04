// Per row the k largest, largest first, the lower index first among equals: out is
// [rows, 2k], indices and then values. A workgroup per row looks through it once for
// every rank, for what comes next after the rank before. Rows hold no NaN.

struct Shape { rows: u32, columns: u32, k: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

const NOBODY: u32 = 0xffffffffu;

struct Candidate { value: f32, index: u32 }

var<workgroup> best_of_lanes: array<Candidate, LANES>;

fn ranks_before(a: Candidate, b: Candidate) -> bool {
    if (a.index == NOBODY || b.index == NOBODY) {
        return b.index == NOBODY && a.index != NOBODY;
    }
    return a.value > b.value || (a.value == b.value && a.index < b.index);
}

@compute @workgroup_size(LANES)
fn top_k(place: Place) {
    let row = group_of(place);
    if (row >= shape.rows) {
        return;
    }
    let lane = place.lane;
    var before = Candidate(0.0, NOBODY);
    for (var rank = 0u; rank < shape.k; rank++) {
        var best = Candidate(0.0, NOBODY);
        for (var i = lane; i < shape.columns; i += LANES) {
            let candidate = Candidate(x[row * shape.columns + i], i);
            let is_new = before.index == NOBODY || ranks_before(before, candidate);
            if (is_new && ranks_before(candidate, best)) {
                best = candidate;
            }
        }
        best_of_lanes[lane] = best;
        workgroupBarrier();
        for (var half = LANES / 2u; half > 0u; half /= 2u) {
            if (lane < half && ranks_before(best_of_lanes[lane + half], best_of_lanes[lane])) {
                best_of_lanes[lane] = best_of_lanes[lane + half];
            }
            workgroupBarrier();
        }
        before = best_of_lanes[0];
        workgroupBarrier();
        if (lane == 0u) {
            out[row * 2u * shape.k + rank] = f32(before.index);
            out[row * 2u * shape.k + shape.k + rank] = before.value;
        }
    }
}
