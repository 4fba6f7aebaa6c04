// A part of a pattern in colours, a word of red, green, blue and alpha for each pixel. The ramp's
// entry follows from the pattern's extent, as `www/draw/scale.ts` has it; of several cells under
// a pixel the one farthest from 0 counts. Where none has a colour the pixel is transparent.

struct Shape {
    keys: u32, // Of the whole pattern.
    first_query: u32,
    first_key: u32,
    queries: u32, // Shown.
    shown_keys: u32,
    down: u32, // Pixels.
    across: u32,
    extent: u32, // Where `margins` has the least and the largest number.
    is_signed: u32,
}

@group(0) @binding(0) var<storage, read> cells: array<u32>; // [queries, keys]
@group(0) @binding(1) var<storage, read> margins: array<f32>;
@group(0) @binding(2) var<storage, read> ramp: array<u32>; // [RAMP_STEPS]
@group(0) @binding(3) var<storage, read_write> out: array<u32>; // [down, across]
@group(0) @binding(4) var<uniform> shape: Shape;

const TRANSPARENT: u32 = 0u;

fn step_of(number: f32) -> u32 {
    let least = margins[shape.extent];
    let largest = margins[shape.extent + 1u];
    let reach = max(abs(least), abs(largest));
    let is_signed = shape.is_signed != 0u;
    let low = select(0.0, -reach, is_signed);
    let width = select(largest, 2.0 * reach, is_signed);
    if (!(width > 0.0)) {
        return select(0u, RAMP_STEPS / 2u, is_signed);
    }
    let last = f32(RAMP_STEPS - 1u);
    return u32(clamp(floor((number - low) / width * last + 0.5), 0.0, last));
}

@compute @workgroup_size(LANES)
fn paint(place: Place) {
    let at = number_of(place);
    if (at >= shape.down * shape.across) {
        return;
    }
    let down = at / shape.across;
    let across = at % shape.across;
    // No more pixels than cells, so that each covers one at least.
    let first_row = down * shape.queries / shape.down;
    let end_row = (down + 1u) * shape.queries / shape.down;
    let first_column = across * shape.shown_keys / shape.across;
    let end_column = (across + 1u) * shape.shown_keys / shape.across;
    var farthest = 0.0;
    var is_drawn = false;
    for (var row = first_row; row < end_row; row++) {
        for (var column = first_column; column < end_column; column++) {
            let cell = cells[(shape.first_query + row) * shape.keys + shape.first_key + column];
            if (is_finite(cell) && !is_forbidden(cell)) {
                let number = bitcast<f32>(cell);
                if (!is_drawn || abs(number) > abs(farthest)) {
                    farthest = number;
                }
                is_drawn = true;
            }
        }
    }
    var colour = TRANSPARENT;
    if (is_drawn) {
        colour = ramp[step_of(farthest)];
    }
    out[at] = colour;
}
