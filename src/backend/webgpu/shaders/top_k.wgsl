// Per row the k largest, largest first, the lower index first among equals, NaN last: out is
// [rows, 2k], indices and then values. A workgroup per row looks through it once for every rank,
// for what comes next after the rank before. Numbers are compared as bits, because WGSL leaves
// open what a comparison with NaN or an infinity gives.

struct Shape { rows: u32, columns: u32, k: u32 }

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

const NONE: u32 = 0xffffffffu;
const SIGN: u32 = 0x80000000u;
const INFINITY: u32 = 0x7f800000u;

// A number's height is greater where it is, 1 for NaN; that of no candidate is 0.
struct Candidate { height: u32, index: u32 }

var<workgroup> best_of_lanes: array<Candidate, MANY_LANES>;

fn height_of(bits: u32) -> u32 {
    if ((bits & ~SIGN) > INFINITY) {
        return 1u;
    }
    if ((bits & SIGN) == 0u || bits == SIGN) { // Both zeros are one height.
        return bits | SIGN;
    }
    return ~bits;
}

fn ranks_before(a: Candidate, b: Candidate) -> bool {
    return a.height > b.height || (a.height == b.height && a.index < b.index);
}

@compute @workgroup_size(MANY_LANES)
fn top_k(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let lane = place.lane;
    let first = row * shape.columns;
    var before = Candidate(NONE, 0u);
    for (var rank = 0u; rank < shape.k; rank++) {
        var best = Candidate(0u, NONE);
        for (var i = lane; i < shape.columns; i += MANY_LANES) {
            let candidate = Candidate(height_of(x[first + i]), i);
            if (ranks_before(before, candidate) && ranks_before(candidate, best)) {
                best = candidate;
            }
        }
        best_of_lanes[lane] = best;
        workgroupBarrier();
        for (var half = MANY_LANES / 2u; half > 0u; half /= 2u) {
            if (lane < half && ranks_before(best_of_lanes[lane + half], best_of_lanes[lane])) {
                best_of_lanes[lane] = best_of_lanes[lane + half];
            }
            workgroupBarrier();
        }
        before = best_of_lanes[0];
        workgroupBarrier();
        if (lane == 0u) {
            out[row * 2u * shape.k + rank] = bitcast<u32>(f32(before.index));
            out[row * 2u * shape.k + shape.k + rank] = x[first + before.index];
        }
    }
}
