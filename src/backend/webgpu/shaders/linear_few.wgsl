// For up to eight rows, as when one token after another is written: the weights are read once,
// side by side, and that is what takes the time. Sixteen invocations share a column; each sums
// every sixteenth four of it, and the sixteen sums are added in pairs.

const SHARE: u32 = 16u;
const COLUMNS: u32 = LANES / SHARE;
const HALF: u32 = COLUMNS / 2u;

var<workgroup> low_sums: array<vec4<f32>, LANES>; // Of rows 0 to 3.
var<workgroup> high_sums: array<vec4<f32>, LANES>; // Of rows 4 to 7.

@compute @workgroup_size(LANES)
fn linear(place: Place) {
    let own = place.lane % SHARE;
    let column = group_of(place) * COLUMNS + place.lane / SHARE;
    var low = vec4<f32>(0.0);
    var high = vec4<f32>(0.0);
    for (var four = own; four < fours(); four += SHARE) {
        let weights = four_of_weights(column, four);
        low.x += dot(four_of_x(0u, four), weights);
        if (shape.rows > 1u) {
            low.y += dot(four_of_x(1u, four), weights);
            low.z += dot(four_of_x(2u, four), weights);
            low.w += dot(four_of_x(3u, four), weights);
        }
        if (shape.rows > 4u) {
            high.x += dot(four_of_x(4u, four), weights);
            high.y += dot(four_of_x(5u, four), weights);
            high.z += dot(four_of_x(6u, four), weights);
            high.w += dot(four_of_x(7u, four), weights);
        }
    }
    low_sums[place.lane] = low;
    high_sums[place.lane] = high;
    workgroupBarrier();
    for (var half = SHARE / 2u; half > 0u; half /= 2u) {
        if (own < half) {
            low_sums[place.lane] += low_sums[place.lane + half];
            high_sums[place.lane] += high_sums[place.lane + half];
        }
        workgroupBarrier();
    }
    // A row for each of the first eight who shared the column. `linear_kernels.rs` writes which
    // columns have results, and the calls.
    let first = place.lane - own;
    if (place.lane < /* lanes */) {
        if (own < 4u) {
            // (low rows)
        } else if (own < 8u) {
            // (high rows)
        }
    }
}
