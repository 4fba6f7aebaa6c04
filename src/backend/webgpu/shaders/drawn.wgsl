// Which cells of a pattern have a colour, told by their bits: WGSL leaves open what a comparison
// with an infinity gives.

fn is_finite(cell: u32) -> bool {
    return (cell & 0x7fffffffu) < 0x7f800000u;
}

fn is_forbidden(cell: u32) -> bool {
    return cell == MINUS_INFINITY || (is_finite(cell) && bitcast<f32>(cell) < bitcast<f32>(LEAST_SCORE));
}
