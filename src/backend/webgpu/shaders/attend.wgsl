// out[q] = for each head, side by side: gate * softmax(masked scores)[q] V_h.
//
// A workgroup takes a head, `SQUARE` queries and `WIDEST` columns of its values, and goes
// through the keys a square at a time. A row's weights are multiples of exp(score - m), m being
// the largest so far; when it grows, what was found shrinks. No pattern is ever stored.
//
// Source: Milakov and Gimelshein 2018; Dao et al. 2022, algorithm 1.

@group(0) @binding(0) var<storage, read> query: array<f32>;
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read> value: array<f32>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read> given: array<f32>; // [rows, keys]
@group(0) @binding(6) var<storage, read> more: array<u32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> shape: Shape;

var<workgroup> weight_tile: array<vec4<f32>, 256>; // [query, four keys]
var<workgroup> value_tile: array<vec4<f32>, 256>; // [16 keys, four columns]
var<workgroup> parts: array<f32, ATTEND_LANES>; // One number per lane.

fn value_at(head: Head, at: u32, column: u32) -> f32 {
    if (at >= shape.keys || column >= shape.value_width) {
        return 0.0;
    }
    let first = at * shape.value_columns + head.index / shape.group * shape.value_width;
    return value[first + column];
}

@compute @workgroup_size(ATTEND_LANES)
fn attend(
    @builtin(workgroup_id) place: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let head = head_of(place.y);
    let first_row = place.x * SQUARE;
    let row = first_row + lane / 8u;
    let quad = lane % 8u;
    let row_at = (head.row + min(row, shape.queries - 1u)) * shape.row_words;
    let given_at = rows[row_at + GIVEN];

    // Only keys that count for one of these queries are gone through: all of them for one whose
    // weights are given.
    var begin = shape.keys;
    var end = 0u;
    for (var q = first_row; q < min(first_row + SQUARE, shape.queries); q++) {
        let at = (head.row + q) * shape.row_words;
        let is_given = rows[at + GIVEN] != NONE;
        begin = min(begin, select(rows[at + FIRST_KEY], 0u, is_given));
        end = max(end, select(rows[at + END_KEY], shape.keys, is_given));
    }

    var top = LOWEST;
    var total = 0.0;
    var near = vec4(0.0);
    var far = vec4(0.0);
    for (var start = begin / SQUARE * SQUARE; start < end; start += SQUARE) {
        let raw = products(head, first_row, start, lane);
        let first_key = start + 4u * quad;
        var cells: array<Cell, 4>;
        var part = LOWEST;
        for (var i = 0u; i < 4u; i++) {
            let at = first_key + i;
            cells[i] = Cell(0.0, true);
            if (row < shape.queries && at < shape.keys && given_at == NONE) {
                cells[i] = masked(scored(head, raw[i], row, at), row_at, at);
            }
            if (!cells[i].closed) {
                part = max(part, cells[i].score);
            }
        }
        parts[lane] = part;
        workgroupBarrier();
        var highest = top;
        for (var i = 0u; i < 8u; i++) {
            highest = max(highest, parts[lane / 8u * 8u + i]);
        }
        var shrunk = 1.0;
        if (top != highest) {
            // Before the first cell there is nothing to shrink.
            shrunk = select(exp(top - highest), 0.0, top == LOWEST);
        }
        top = highest;
        var weights = vec4(0.0);
        part = 0.0;
        let dropped = rows[row_at + DROPPED];
        for (var i = 0u; i < 4u; i++) {
            let at = first_key + i;
            if (!cells[i].closed) {
                weights[i] = exp(cells[i].score - top);
                part += weights[i];
                if (dropped != NONE) {
                    let is_dropped = ((rows[dropped + at / 32u] >> (at % 32u)) & 1u) != 0u;
                    weights[i] *= select(head.kept, 0.0, is_dropped);
                }
            } else if (given_at != NONE && row < shape.queries && at < shape.keys) {
                weights[i] = given[given_at + at];
            }
        }
        workgroupBarrier();
        parts[lane] = part;
        weight_tile[lane] = weights;
        workgroupBarrier();
        total *= shrunk;
        for (var i = 0u; i < 8u; i++) {
            total += parts[lane / 8u * 8u + i];
        }
        near *= shrunk;
        far *= shrunk;
        for (var half = 0u; half < 2u; half++) {
            let at = start + half * 16u + lane / 16u;
            let column = place.z * WIDEST + lane % 16u * 4u;
            value_tile[lane] = vec4(
                value_at(head, at, column),
                value_at(head, at, column + 1u),
                value_at(head, at, column + 2u),
                value_at(head, at, column + 3u),
            );
            workgroupBarrier();
            for (var four = 0u; four < 4u; four++) {
                let own = weight_tile[lane / 8u * 8u + half * 4u + four];
                for (var i = 0u; i < 4u; i++) {
                    near += own[i] * value_tile[(four * 4u + i) * 16u + quad];
                    far += own[i] * value_tile[(four * 4u + i) * 16u + 8u + quad];
                }
            }
            workgroupBarrier();
        }
    }

    if (row >= shape.queries) {
        return;
    }
    // A row without a key has found nothing; one that is given is shared out already.
    var factor = head.gate;
    if (given_at == NONE) {
        near = select(near / total, vec4(0.0), total == 0.0);
        far = select(far / total, vec4(0.0), total == 0.0);
    }
    let n_heads = shape.columns / shape.width;
    let into = ((shape.first_row + row) * n_heads + head.index) * shape.value_width;
    for (var i = 0u; i < 4u; i++) {
        let column = place.z * WIDEST + 4u * quad + i;
        if (column < shape.value_width) {
            out[into + column] = near[i] * factor;
        }
        if (column + 32u < shape.value_width) {
            out[into + column + 32u] = far[i] * factor;
        }
    }
}
