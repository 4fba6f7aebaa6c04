// Softmax and log-softmax of every row in place, the largest cell subtracted first, a
// workgroup per row. Cells of minus infinity are detected by their bits and take part in no
// sum; a row of nothing else becomes 0 under softmax and stays as it is under its
// logarithm.

struct Shape { rows: u32, columns: u32 }

@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@group(0) @binding(1) var<uniform> shape: Shape;

const LOWEST: f32 = -3.4028234e38;

fn largest(first: u32, lane: u32) -> f32 {
    var top = LOWEST;
    for (var i = lane; i < shape.columns; i += LANES) {
        let cell = cells[first + i];
        if (cell != MINUS_INFINITY) {
            top = max(top, bitcast<f32>(cell));
        }
    }
    return largest_of_lanes(lane, top);
}

fn total_above(first: u32, lane: u32, top: f32) -> f32 {
    var part = 0.0;
    for (var i = lane; i < shape.columns; i += LANES) {
        let cell = cells[first + i];
        if (cell != MINUS_INFINITY) {
            part += exp(bitcast<f32>(cell) - top);
        }
    }
    return sum_of_lanes(lane, part);
}

@compute @workgroup_size(LANES)
fn softmax(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = row * shape.columns;
    let top = largest(first, place.lane);
    let total = total_above(first, place.lane, top);
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let cell = cells[first + i];
        // A row with a cell that is no number is none anywhere; detected by bits, as infinities are.
        let is_broken = (bitcast<u32>(total) & 0x7fffffffu) > 0x7f800000u;
        var weight = select(0.0, total, is_broken);
        if (cell != MINUS_INFINITY) {
            weight = exp(bitcast<f32>(cell) - top) / total;
        }
        cells[first + i] = bitcast<u32>(weight);
    }
}

@compute @workgroup_size(LANES)
fn log_softmax(place: Place) {
    let row = row_of(place);
    if (row >= shape.rows) {
        return;
    }
    let first = row * shape.columns;
    let top = largest(first, place.lane);
    let log_total = log(total_above(first, place.lane, top));
    for (var i = place.lane; i < shape.columns; i += LANES) {
        let cell = cells[first + i];
        if (cell != MINUS_INFINITY) {
            cells[first + i] = bitcast<u32>(bitcast<f32>(cell) - top - log_total);
        }
    }
}
