// A weight of blocks of 32 whole numbers with a factor each: the whole numbers of a row, four in a
// word, and then its factors, two in a word.
// (each weight)
@group(0) @binding(BINDING) var<storage, read> WEIGHT: array<u32>;

fn four_of_WEIGHT(row: u32, four: u32, fours: u32) -> vec4<f32> {
    let blocks = (fours + 7u) / 8u;
    let first = row * (8u * blocks + (blocks + 1u) / 2u);
    let block = four / 8u;
    let factors = WEIGHT[first + 8u * blocks + block / 2u];
    let word = WEIGHT[first + four];
    let tops = vec4(word << 24u, word << 16u, word << 8u, word);
    let whole = vec4<f32>(bitcast<vec4<i32>>(tops) >> vec4(24u));
    return half(factors >> (16u * (block % 2u))) * whole;
}
