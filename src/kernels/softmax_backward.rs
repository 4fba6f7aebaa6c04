//! The reverse pass of softmax and log-softmax of one row.
//!
//! With `p` the softmax: `dx = p ⊙ (dp − Σ p ⊙ dp)`; of `y = ln p`: `dx = dy − p Σ dy`.
//!
//! Source: the derivatives of the formulas in `softmax`. Sums are f64. Shapes: rows `[n]`; the
//! gradient of the result is replaced by that of the row before it.

use super::lanes::map;
use super::math::Exp;

/// Replaces the gradient of a row of weights by that of its scores.
pub fn softmax_backward_row(weights: &[f32], slopes: &mut [f32]) {
    let products = weights.iter().zip(&*slopes);
    let along: f64 = products.map(|(&weight, &slope)| f64::from(weight) * f64::from(slope)).sum();
    for (slope, &weight) in slopes.iter_mut().zip(weights) {
        *slope = (f64::from(weight) * (f64::from(*slope) - along)) as f32;
    }
}

/// Replaces the gradient of rows of log-probabilities of `columns` entries by that of their logits.
pub fn log_softmax_backward(log_probabilities: &[f32], columns: usize, slopes: &mut [f32]) {
    let exp = Exp::load();
    let mut weights = log_probabilities.to_vec();
    map(&mut weights, f32::NEG_INFINITY, |y| exp.of(y));
    let columns = columns.max(1);
    for (slopes, weights) in slopes.chunks_exact_mut(columns).zip(weights.chunks_exact(columns)) {
        let sum: f64 = slopes.iter().map(|&slope| f64::from(slope)).sum();
        let sum = sum as f32;
        slopes.iter_mut().zip(weights).for_each(|(slope, weight)| *slope -= sum * weight);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::softmax::{log_softmax_row, softmax_row};
    use super::super::testing::Random;
    use super::*;

    /// The slope of `Σ dy ⊙ f(x)` by one number of `x`.
    fn difference(x: &[f32], at: usize, dy: &[f32], f: fn(&mut [f32])) -> f64 {
        let value = |step: f32| {
            let mut moved = x.to_vec();
            moved[at] += step;
            f(&mut moved);
            moved.iter().zip(dy).map(|(&y, &dy)| f64::from(y) * f64::from(dy)).sum::<f64>()
        };
        (value(1e-2) - value(-1e-2)) / 2e-2
    }

    #[test]
    fn gradients_are_slopes_of_both_functions() {
        let mut random = Random::new(21);
        for n in [1, 4, 7, 33] {
            let x = random.values(n, -2.0, 2.0);
            let dy = random.values(n, -1.0, 1.0);
            let mut weights = x.clone();
            softmax_row(&mut weights);
            let mut of_weights = dy.clone();
            softmax_backward_row(&weights, &mut of_weights);
            let mut logs = x.clone();
            log_softmax_row(&mut logs);
            let mut of_logs = dy.clone();
            log_softmax_backward(&logs, n, &mut of_logs);
            let softmax: fn(&mut [f32]) = |row| {
                softmax_row(row);
            };
            for at in 0..n {
                let wanted = difference(&x, at, &dy, softmax);
                assert!((f64::from(of_weights[at]) - wanted).abs() < 1e-3, "{n}: weight {at}");
                let wanted = difference(&x, at, &dy, log_softmax_row);
                assert!((f64::from(of_logs[at]) - wanted).abs() < 1e-3, "{n}: logarithm {at}");
            }
        }
    }
}
