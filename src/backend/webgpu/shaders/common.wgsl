// What every kernel shares. `LANES` is written in front of this file by `kernels.rs`.

var<workgroup> lane_values: array<f32, LANES>;

// The number of a workgroup in a grid that may be folded into two dimensions.
fn group_number(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
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
