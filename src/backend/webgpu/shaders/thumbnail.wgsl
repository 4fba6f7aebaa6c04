// A pattern reduced to a small square: every small cell is the largest number among the cells it
// covers, as `analysis::thumbnail` has it. Minus infinity counts only where nothing else is
// covered, and what is no number never; both are told by their bits.

struct Shape {
    queries: u32,
    keys: u32,
    size: u32, // Small cells on a side.
    first: u32, // Of `out`, where this square begins.
}

@group(0) @binding(0) var<storage, read> cells: array<u32>; // [queries, keys]
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

fn first_covered(index: u32, n: u32) -> u32 {
    return index * n / shape.size;
}

fn end_covered(index: u32, n: u32) -> u32 {
    return clamp(((index + 1u) * n + shape.size - 1u) / shape.size, first_covered(index, n) + 1u, n);
}

@compute @workgroup_size(LANES)
fn thumbnail(place: Place) {
    let at = number_of(place);
    if (at >= shape.size * shape.size) {
        return;
    }
    let row = at / shape.size;
    let column = at % shape.size;
    var largest = MINUS_INFINITY;
    for (var q = first_covered(row, shape.queries); q < end_covered(row, shape.queries); q++) {
        for (var k = first_covered(column, shape.keys); k < end_covered(column, shape.keys); k++) {
            let cell = cells[q * shape.keys + k];
            let is_number = cell != MINUS_INFINITY && (cell & 0x7fffffffu) <= 0x7f800000u;
            if (is_number && (largest == MINUS_INFINITY || bitcast<f32>(cell) > bitcast<f32>(largest))) {
                largest = cell;
            }
        }
    }
    out[shape.first + at] = largest;
}
