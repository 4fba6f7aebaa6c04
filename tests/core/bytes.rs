//! Weights of bytes: their products to the bit, and what models make of them beside f32.

use crate::support;

#[cfg(not(target_arch = "wasm32"))]
use headscope::backend::Cpu;
use headscope::kernels::matmul::{PackedMatrix, Rows, matmul};
use headscope::kernels::scalar;
use support::assert_same_bits;
#[cfg(not(target_arch = "wasm32"))]
use support::{finished, hidden, request, streams_of, trained::inputs};
use wasm_bindgen_test::wasm_bindgen_test;

/// Numbers with one factor.
const BLOCK: usize = 32;

fn numbers(seed: usize, count: usize) -> Vec<f32> {
    (0..count).map(|at| ((at + 1) as f32 * 1.618 + seed as f32 * 0.77).sin()).collect()
}

#[wasm_bindgen_test(unsupported = test)]
fn products_are_those_of_weights_rounded_to_a_step_of_their_block() {
    let sizes = [0, 1, 3, 8, 9, 31, 33, 70];
    for (inner, outer) in sizes.map(|inner| sizes.map(|outer| (inner, outer))).concat() {
        let mut w = numbers(1, inner * outer);
        // Zeros alone, but for one number far from the others.
        w.iter_mut().step_by(outer.max(1)).for_each(|zero| *zero = 0.0);
        w.iter_mut().last().into_iter().for_each(|far| *far = -1e4);
        let packed = PackedMatrix::rounded(inner, outer, &w, [outer, 1]);
        let (mut rounded, mut column) = (w.clone(), vec![0.0; inner]);
        for n in 0..outer {
            packed.column(n, &mut column);
            for (k, &found) in column.iter().enumerate() {
                let block = k - k % BLOCK..inner.min(k - k % BLOCK + BLOCK);
                let largest = block.fold(0.0, |most: f32, k| most.max(w[k * outer + n].abs()));
                assert!((found - w[k * outer + n]).abs() <= largest * 0.501 / 127.0);
                rounded[k * outer + n] = found;
            }
        }
        for count in [0, 1, 2, 5] {
            let (x, bias) = (numbers(2, count * inner), numbers(3, outer));
            let [mut fast, mut plain] = [(); 2].map(|()| vec![f32::NAN; count * outer]);
            let rows = Rows { data: &x, stride: inner, count };
            matmul(rows, &packed, Some(&bias), &mut fast, outer);
            scalar::matmul(&x, &rounded, Some(&bias), (count, inner, outer), &mut plain);
            assert_same_bits(&fast, &plain, &format!("{count}×{inner}×{outer}"));
        }
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
