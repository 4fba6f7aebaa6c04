// What attention computes first: the scores of a square of queries and keys.
//
// A workgroup has `ATTEND_LANES` lanes. Lane l has the row l / 8 of a square of `SQUARE` queries
// and keys, and four neighbouring keys of it. Queries and keys pass through workgroup memory a
// few dimensions at a time, so that heads of any width fit.
//
// `attend.wgsl` declares `query`, `key`, `heads`, `rows`, `more` and `shape`.

struct Shape {
    queries: u32,
    first_query: u32, // Of the record's queries, the first of these.
    keys: u32,
    columns: u32, // All heads of Q, side by side.
    width: u32, // One head.
    key_columns: u32, // All heads of K, side by side.
    group: u32, // Heads of Q that share one of K.
    row_words: u32, // Of `rows`.
    terms: u32, // What joins the scores: see TERMS_…
    tokens: u32, // Of which `more` has the places.
    far: u32, // The largest distance in the table of what joins.
    term_scale: f32, // On the terms that are products.
    first_row: u32, // Of what is written, where these queries begin.
    value_columns: u32, // All heads of V, side by side.
    value_width: u32, // One head.
}

// How a head makes a raw score; `heads` has HEAD_WORDS for each head.
struct Head {
    index: u32,
    kind: u32,
    factor: f32,
    gate: f32,
    row: u32, // Its first row in `rows`.
    units: u32, // Terms of a raw score.
    weights: u32, // Where `more` has the weights of additive attention.
    kept: f32, // On weights that are not dropped.
}

// Of a row of `rows`: what a forbidden cell adds as bits of an f32, the first key that counts
// and the one after the last, where `given` has the row's weights and `rows` the bits of dropped
// cells (or NONE); then a bit per key that is forbidden.
const ADDED = 0u;
const FIRST_KEY = 1u;
const END_KEY = 2u;
const GIVEN = 3u;
const DROPPED = 4u;
const BITS = 5u;

const NONE = 0xffffffffu;
const LOWEST: f32 = -3.4028234e38;
// Logarithms of the `cpu` backend's features: the smallest, the smallest of a product of two, and
// one that is below all sums, of a feature that is 0.
const LOWEST_FEATURE: f32 = -700.0;
const LOWEST_PRODUCT: f32 = -745.13;
const NO_FEATURE: f32 = -1e30;
const DIMENSIONS = 16u; // That pass at a time.

var<workgroup> query_tile: array<f32, 512>; // [query, dimension]
var<workgroup> key_tile: array<vec4<f32>, 128>; // [dimension, four keys]

fn head_of(index: u32) -> Head {
    let at = index * HEAD_WORDS;
    return Head(
        index,
        heads[at],
        bitcast<f32>(heads[at + 1u]),
        bitcast<f32>(heads[at + 2u]),
        heads[at + 3u],
        heads[at + 4u],
        heads[at + 5u],
        bitcast<f32>(heads[at + 6u]),
    );
}

fn number(at: u32) -> f32 {
    return bitcast<f32>(more[at]);
}

// One term of what a query or a key brings to a raw score. Of a feature it is the logarithm: the
// feature itself falls below what f32 can hold long before it falls below f64, which the `cpu`
// backend takes for it.
fn term(head: Head, x: f32) -> f32 {
    if (head.kind != KIND_FEATURES) {
        return x;
    }
    if (x > 0.0) {
        return log(x + 1.0);
    }
    return select(x, NO_FEATURE, x < LOWEST_FEATURE);
}

fn query_term(head: Head, row: u32, i: u32) -> f32 {
    if (row >= shape.queries || i >= head.units) {
        return 0.0;
    }
    let first = (shape.first_query + row) * shape.columns + head.index * shape.width;
    if (head.kind != KIND_ADDITIVE) {
        return term(head, query[first + i]);
    }
    var sum = 0.0;
    for (var d = 0u; d < shape.width; d++) {
        sum += query[first + d] * number(head.weights + d * head.units + i);
    }
    return sum;
}

fn key_term(head: Head, at: u32, i: u32) -> f32 {
    if (at >= shape.keys || i >= head.units) {
        return 0.0;
    }
    let first = at * shape.key_columns + head.index / shape.group * shape.width;
    if (head.kind != KIND_ADDITIVE) {
        return term(head, key[first + i]);
    }
    let weights = head.weights + shape.width * head.units;
    var sum = 0.0;
    for (var d = 0u; d < shape.width; d++) {
        sum += key[first + d] * number(weights + d * head.units + i);
    }
    return sum;
}

// Raw scores of four keys for a lane's row; where they are products of features, the logarithms of
// those.
fn products(head: Head, first_row: u32, first_key: u32, lane: u32) -> vec4<f32> {
    let row = lane / 8u;
    let quad = lane % 8u;
    var sum = vec4(0.0);
    var own = 0.0;
    var theirs = vec4(0.0);
    // Of the logarithms so far; `sum` is in units of it. It begins with the lowest product, not lower:
    // what lies between them has an exponential.
    var highest = vec4(2.0 * NO_FEATURE);
    for (var start = 0u; start < head.units; start += DIMENSIONS) {
        workgroupBarrier();
        for (var at = lane; at < SQUARE * DIMENSIONS; at += ATTEND_LANES) {
            let i = start + at % DIMENSIONS;
            query_tile[at] = query_term(head, first_row + at / DIMENSIONS, i);
        }
        if (lane < 128u) {
            let i = lane % DIMENSIONS;
            let four = lane / DIMENSIONS;
            let at = first_key + 4u * four;
            key_tile[i * 8u + four] = vec4(
                key_term(head, at, start + i),
                key_term(head, at + 1u, start + i),
                key_term(head, at + 2u, start + i),
                key_term(head, at + 3u, start + i),
            );
        }
        workgroupBarrier();
        if (head.kind == KIND_ADDITIVE) {
            let out = head.weights + 2u * shape.width * head.units + start;
            for (var i = 0u; i < min(DIMENSIONS, head.units - start); i++) {
                let both = query_tile[row * DIMENSIONS + i] + key_tile[i * 8u + quad];
                sum += number(out + i) * hyperbolic_tangent(both);
            }
        } else if (head.kind == KIND_FEATURES) {
            for (var i = 0u; i < min(DIMENSIONS, head.units - start); i++) {
                let both = query_tile[row * DIMENSIONS + i] + key_tile[i * 8u + quad];
                let higher = max(both, highest);
                sum = sum * exp(highest - higher) + exp(both - higher);
                highest = higher;
            }
        } else {
            for (var i = 0u; i < DIMENSIONS; i++) {
                sum += query_tile[row * DIMENSIONS + i] * key_tile[i * 8u + quad];
            }
        }
        if (head.kind == KIND_COSINE) {
            for (var i = 0u; i < DIMENSIONS; i++) {
                let q = query_tile[row * DIMENSIONS + i];
                let k = key_tile[i * 8u + quad];
                own += q * q;
                theirs += k * k;
            }
        }
    }
    if (head.kind == KIND_COSINE) {
        // A vector of zeros has no direction: it is like nothing.
        let lengths = sqrt(own) * sqrt(theirs);
        sum = select(sum / lengths, vec4(0.0), lengths == vec4(0.0));
    }
    if (head.kind == KIND_FEATURES) {
        sum = log(sum) + highest;
    }
    return sum;
}

// Where a token stands.
fn stands(token: u32) -> i32 {
    return i32(more[token]);
}

// What relative positions add to a score. `more` has where tokens stand, then a table of
// [head, distance], then the parts of the terms that are products.
fn joining(head: Head, row: u32, at: u32) -> f32 {
    let query_at = shape.first_query + row;
    let distances = 2u * shape.far + 1u;
    let distance = u32(stands(query_at) - stands(at) + i32(shape.far));
    var sum = number(shape.tokens + head.index * distances + distance);
    if (shape.terms == TERMS_PRODUCTS) {
        let n_heads = shape.columns / shape.width;
        let content = shape.tokens + n_heads * distances + head.index * shape.width;
        let rows_of_distances = shape.tokens + n_heads * distances + shape.columns;
        let turn = rows_of_distances + distance * shape.columns + head.index * shape.width;
        let q = query_at * shape.columns + head.index * shape.width;
        let k = at * shape.key_columns + head.index / shape.group * shape.width;
        var both = 0.0;
        for (var i = 0u; i < shape.width; i++) {
            both += number(content + i) * key[k + i] + number(turn + i) * query[q + i];
        }
        sum += shape.term_scale * both;
    }
    return sum;
}

// A cell under the mask; where it is closed it is minus infinity, of which WGSL leaves open what
// arithmetic gives.
struct Cell {
    score: f32,
    closed: bool,
}

// A raw score, factor and positions joined.
fn scored(head: Head, raw: f32, row: u32, at: u32) -> Cell {
    var cell = Cell(raw * head.factor, false);
    if (head.kind == KIND_FEATURES) {
        cell = Cell(raw, raw < LOWEST_PRODUCT);
    }
    if (shape.terms != TERMS_NONE) {
        cell.score += joining(head, row, at);
    }
    return cell;
}

// A score under the mask; `row_at` is where its row begins in `rows`.
fn masked(cell: Cell, row_at: u32, at: u32) -> Cell {
    if (at < rows[row_at + FIRST_KEY] || at >= rows[row_at + END_KEY]) {
        return Cell(0.0, true);
    }
    if (((rows[row_at + BITS + at / 32u] >> (at % 32u)) & 1u) == 0u) {
        return cell;
    }
    let added = rows[row_at + ADDED];
    return Cell(cell.score + bitcast<f32>(added), cell.closed || added == MINUS_INFINITY);
}
