// What every kernel shares. `LANES` and its like are written in front of this file by
// `compiled.rs`.

var<workgroup> lane_values: array<f32, LANES>;

// Which invocation of a grid this is; the grid may be folded into two dimensions.
struct Place {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
}

// The number of its workgroup.
fn group_of(place: Place) -> u32 {
    return place.group.y * place.groups.x + place.group.x;
}

var<workgroup> row_of_group: u32;

// The same where a workgroup has a row and its invocations wait for each other. Browsers refuse a
// barrier behind what they cannot see to be the same for all of them, as `group_of` is.
fn row_of(place: Place) -> u32 {
    if (place.lane == 0u) {
        row_of_group = group_of(place);
    }
    return workgroupUniformLoad(&row_of_group);
}

// Its own number: the cell, where an invocation has a cell.
fn number_of(place: Place) -> u32 {
    return group_of(place) * LANES + place.lane;
}

// Where exponentials end in f32: WGSL leaves open what an overflow gives.
const LARGEST_EXPONENT: f32 = 88.0;

// WGSL's own tanh may be off by 1e-5.
fn hyperbolic_tangent(x: vec4<f32>) -> vec4<f32> {
    return 1.0 - 2.0 / (exp(min(2.0 * x, vec4(LARGEST_EXPONENT))) + 1.0);
}

// The sum of one value per lane, known to all of them. Always the same pairs are added.
fn sum_of_lanes(lane: u32, own: f32) -> f32 {
    workgroupBarrier(); // An earlier result may still be being read.
    lane_values[lane] = own;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_values[lane] += lane_values[lane + half];
        }
        workgroupBarrier();
    }
    return lane_values[0];
}

// The largest of one value per lane.
fn largest_of_lanes(lane: u32, own: f32) -> f32 {
    workgroupBarrier();
    lane_values[lane] = own;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_values[lane] = max(lane_values[lane], lane_values[lane + half]);
        }
        workgroupBarrier();
    }
    return lane_values[0];
}
