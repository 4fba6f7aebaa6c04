// out[q, k] = a head's raw score, score or masked score, as `attend` makes them; a workgroup
// takes a square of queries and keys.

@group(0) @binding(0) var<storage, read> query: array<f32>;
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read> heads: array<u32>;
@group(0) @binding(3) var<storage, read> rows: array<u32>;
@group(0) @binding(4) var<storage, read> more: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<u32>;
@group(0) @binding(6) var<uniform> shape: Shape;

const PLUS_INFINITY: u32 = 0x7f800000u;
// Of the largest number that f32 can hold.
const LARGEST_LOGARITHM: f32 = 88.72283;

@compute @workgroup_size(ATTEND_LANES)
fn pattern(
    @builtin(workgroup_id) place: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let head = head_of(shape.first_head);
    let row = place.x * SQUARE + lane / 8u;
    let first_key = place.y * SQUARE + 4u * (lane % 8u);
    let raw = products(head, place.x * SQUARE, place.y * SQUARE, lane);
    if (row >= shape.queries) {
        return;
    }
    let row_at = (head.row + row) * shape.row_words;
    for (var i = 0u; i < 4u; i++) {
        let at = first_key + i;
        if (at < shape.keys) {
            var cell = Cell(raw[i], false);
            var overflows = false;
            if (shape.stage == STAGE_RAW && head.kind == KIND_FEATURES) {
                // WGSL leaves open what comes of it; on the `cpu` backend it is infinite.
                overflows = raw[i] > LARGEST_LOGARITHM;
                if (!overflows) {
                    cell.score = exp(raw[i]);
                }
            }
            if (shape.stage != STAGE_RAW) {
                cell = scored(head, raw[i], row, at);
            }
            if (shape.stage == STAGE_MASKED) {
                cell = masked(cell, row_at, at);
            }
            let open = select(bitcast<u32>(cell.score), PLUS_INFINITY, overflows);
            out[row * shape.keys + at] = select(open, MINUS_INFINITY, cell.closed);
        }
    }
}
