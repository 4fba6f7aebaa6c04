//! Weights as files have them: their numbers, products to the bit, and what models make of 8 bits
//! beside f32.

use crate::support;

#[cfg(not(target_arch = "wasm32"))]
use headscope::backend::Cpu;
use headscope::kernels::matmul::{PackedMatrix, Rows, matmul};
use headscope::kernels::scalar;
use headscope::kernels::stored::{Format, widened};
use support::{Answers, assert_exact, assert_same_bits};
#[cfg(not(target_arch = "wasm32"))]
use support::{finished, hidden, request, streams_of, trained::inputs};
use wasm_bindgen_test::wasm_bindgen_test;

/// Numbers with one factor.
const BLOCK: usize = 32;
/// Blocks, and the numbers that ggml's library makes of them.
const BLOCKS: &[u8] = include_bytes!("../reference/files/blocks.safetensors");
const BLOCK_TYPES: [&str; 13] = [
    "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
    "IQ4_XS", "MXFP4",
];

fn numbers(seed: usize, count: usize) -> Vec<f32> {
    (0..count).map(|at| ((at + 1) as f32 * 1.618 + seed as f32 * 0.77).sin()).collect()
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn blocks(name: &str) -> (Format, Vec<u8>) {
    let bytes = Answers::open(BLOCKS).get(&format!("{name}.blocks")).0;
    let bytes: Vec<u8> = bytes.iter().map(|&byte| u8::try_from(byte as i16).unwrap()).collect();
    let format = Format::of_name(name).unwrap();
    (format, format.held(&bytes))
}

/// Products of a matrix, rows of `inner` numbers in `format`, are those of `w`, its numbers by row.
fn assert_products(format: Format, inner: usize, matrix: &PackedMatrix, w: &[f32]) {
    let outer = matrix.outer();
    let mut transposed = vec![0.0; w.len()];
    let mut column = vec![0.0; inner];
    for n in 0..outer {
        matrix.column(n, &mut column);
        assert_same_bits(&column, &w[n * inner..][..inner], "column");
        (0..inner).for_each(|k| transposed[k * outer + n] = column[k]);
    }
    for count in [0, 1, 2, 5] {
        let x = numbers(2, count * inner);
        let bias = numbers(3, outer);
        let [mut fast, mut plain] = [(); 2].map(|()| vec![f32::NAN; count * outer]);
        let rows = Rows { data: &x, stride: inner, count };
        matmul(rows, matrix, Some(&bias), &mut fast, outer);
        scalar::matmul(&x, &transposed, Some(&bias), (count, inner, outer), &mut plain);
        assert_same_bits(&fast, &plain, &format!("{format:?}: {count}×{inner}×{outer}"));
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn blocks_are_the_numbers_that_the_library_of_ggml_makes_of_them() {
    for name in BLOCK_TYPES {
        let (format, bytes) = blocks(name);
        let expected = Answers::open(BLOCKS).get(&format!("{name}.numbers")).0;
        assert_exact(&widened(format, format.block()[0], &bytes), &expected, name);
        assert_exact(&widened(format, expected.len(), &bytes), &expected, name);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn every_number_of_16_bits_is_widened_exactly() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let half = |bits: u16| {
        let exponent = i32::from(bits >> 10 & 31);
        let fraction = f32::from(bits & 1023);
        let size = match exponent {
            0 => fraction * 2f32.powi(-24),
            31 => f32::INFINITY,
            _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
        };
        if bits >> 15 == 1 { -size } else { size }
    };
    let wide: Vec<f32> = (0..=u16::MAX).map(|bits| f32::from_bits(u32::from(bits) << 16)).collect();
    assert_same_bits(&widened(Format::Bf16, 256, &all), &wide, "bf16");
    // What is no number is infinite, and refused as that is.
    let halves: Vec<f32> = (0..=u16::MAX).map(half).collect();
    assert_same_bits(&widened(Format::F16, 256, &all), &halves, "f16");
}

#[wasm_bindgen_test(unsupported = test)]
fn products_are_those_of_the_widened_weights() {
    let blocks = BLOCK_TYPES.map(blocks);
    let narrow: Vec<u8> =
        numbers(1, 99).iter().flat_map(|x| x.to_le_bytes().split_at(2).1.to_vec()).collect();
    let plain = [
        (Format::F32, bytes_of(&numbers(1, 99))),
        (Format::Bf16, narrow.clone()),
        (Format::F16, narrow),
    ];
    for (format, source) in blocks.into_iter().chain(plain) {
        for (units, outer) in [(1, 1), (2, 8), (3, 17), (1, 33)] {
            let inner = units * format.block()[0];
            let bytes: Vec<u8> =
                source.iter().copied().cycle().take(outer * format.row_bytes(inner)).collect();
            let mut matrix = PackedMatrix::stored(format, inner, outer);
            // Some at a time, as a file is read.
            for some in bytes.chunks(5 * format.row_bytes(inner)) {
                matrix.push_stored(format, some);
            }
            assert_products(format, inner, &matrix, &widened(format, inner, &bytes));
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn weights_are_rounded_to_a_step_of_their_block() {
    let sizes = [1, 3, 8, 9, 31, 33, 70];
    for (inner, outer) in sizes.map(|inner| sizes.map(|outer| (inner, outer))).concat() {
        let mut w = numbers(1, inner * outer);
        // Zeros alone, but for one number far from the others.
        w[..inner].fill(0.0);
        w[inner * outer - 1] = -1e4;
        let mut packed = PackedMatrix::stored(Format::Q8_0, inner, outer);
        packed.push_stored(Format::F32, &bytes_of(&w));
        let mut rounded = w.clone();
        for (n, column) in rounded.chunks_mut(inner).enumerate() {
            packed.column(n, column);
            for (found, w) in column.chunks(BLOCK).zip(w[n * inner..].chunks(BLOCK)) {
                let largest = w.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
                for (found, w) in found.iter().zip(w) {
                    assert!((found - w).abs() <= largest * 0.502 / 127.0);
                }
            }
        }
        assert_products(Format::Q8_0, inner, &packed, &rounded);
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[pollster::test]
async fn hidden_states_point_where_those_of_f32_do() {
    for reference in [bundled!("en-fr"), bundled!("tiny-gpt"), bundled!("tiny-bert")] {
        let [exact, narrow] = [false, true].map(|has_bytes| reference.load(Cpu { has_bytes }));
        for input in inputs(&reference).iter().take(4) {
            let request = request(input, exact.info().architecture);
            let a = finished(&exact, &request, None).await;
            let b = finished(&narrow, &request, None).await;
            for (stack, layer) in streams_of(&exact) {
                let a = hidden(&a, stack, layer).await.into_data();
                let b = hidden(&b, stack, layer).await.into_data();
                let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
                let cosine = dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
                assert!(a != b && cosine >= 0.999, "{}: {stack} {layer}: {cosine}", reference.name);
            }
        }
    }
}
