//! `ALiBi` alone: the slope of each head, what a score loses by distance, and one head's matrix.
//!
//! `b_h(i, j) = −m_h · |i − j|`
//!
//! Source: O. Press, N. A. Smith and M. Lewis, "Train Short, Test Long: Attention with Linear
//! Biases Enables Input Length Extrapolation" (2022), section 3. Slopes and biases are those of
//! `positions::Relative`, which models are edited with.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::whole::{distance, whole};
use crate::error::Result;
use crate::positions::{Relative, Terms, alibi_slopes};

/// Heads at most.
const MOST_HEADS: usize = 64;
/// Tokens at most.
const LONGEST: usize = 128;

/// How many heads, how many tokens, and which head's matrix.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct AlibiAsked {
    /// From 1 to 64.
    pub heads: f64,
    /// Tokens, from 1 to 128.
    pub length: f64,
    /// The head whose matrix is wanted, from 0.
    pub head: f64,
}

/// Slopes and what follows from them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
pub struct Alibi {
    /// Of each head.
    pub slopes: Vec<f64>,
    /// `[head, distance]`, distances from 0.
    pub biases: Vec<f64>,
    /// Of the head that was asked for, `[query, key]`; both sides count alike.
    pub matrix: Vec<f32>,
}

/// The biases that were asked for.
pub fn alibi(asked: &AlibiAsked) -> Result<Alibi> {
    let heads = whole("the number of heads", asked.heads, 1, MOST_HEADS)?;
    let length = whole("the number of tokens", asked.length, 1, LONGEST)?;
    let head = whole("the head", asked.head, 0, heads - 1)?;
    let relative = Relative { terms: Terms::alibi(heads), order: Rc::new([]) };
    Ok(Alibi {
        slopes: alibi_slopes(heads),
        biases: (0..heads)
            .flat_map(|head| (0..length).map(move |away| (head, away)))
            .map(|(head, away)| relative.by_distance(head, distance(away, 0)))
            .collect(),
        matrix: (0..length * length)
            .map(|at| relative.bias(head, (at / length, &[]), (at % length, &[])))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn asked(heads: f64, length: f64, head: f64) -> AlibiAsked {
        AlibiAsked { heads, length, head }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn slopes_are_a_geometric_progression_and_lines_are_straight() {
        for heads in [1usize, 2, 4, 8, 16, 32, 64] {
            let found = alibi(&asked(heads as f64, 9.0, 0.0)).unwrap();
            let ratio = (-8.0 / heads as f64).exp2();
            assert!((found.slopes[0] - ratio).abs() < 1e-15);
            for pair in found.slopes.windows(2) {
                assert!((pair[1] / pair[0] - ratio).abs() < 1e-12);
            }
            for (head, line) in found.biases.chunks_exact(9).enumerate() {
                for (distance, bias) in line.iter().enumerate() {
                    assert!((bias + found.slopes[head] * distance as f64).abs() < 1e-12);
                }
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn other_numbers_of_heads_take_every_other_slope_of_twice_as_many() {
        let slopes = |heads: f64| alibi(&asked(heads, 1.0, 0.0)).unwrap().slopes;
        let twelve = slopes(12.0);
        assert_eq!(twelve[..8], slopes(8.0));
        let of_sixteen: Vec<f64> = slopes(16.0).into_iter().step_by(2).take(4).collect();
        assert_eq!(twelve[8..], of_sixteen);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_matrix_is_that_of_its_head_and_alike_on_both_sides() {
        let found = alibi(&asked(6.0, 5.0, 4.0)).unwrap();
        for (at, bias) in found.matrix.iter().enumerate() {
            let distance = (at / 5).abs_diff(at % 5);
            assert_eq!(*bias, found.biases[4 * 5 + distance] as f32);
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn numbers_that_cannot_be_used_are_refused() {
        let hostile = [(0.0, 4.0, 0.0), (65.0, 4.0, 0.0), (8.0, 129.0, 0.0), (8.0, 4.0, 8.0)];
        for (heads, length, head) in hostile.into_iter().chain([(f64::NAN, 4.0, 0.0)]) {
            let error = alibi(&asked(heads, length, head)).unwrap_err();
            assert_eq!(error.code, Code::InputOutOfRange, "{heads} {length} {head}");
        }
    }
}
