//! A direction in the space of a row: what a unit along each dimension adds to a number that is
//! explained. It is carried backwards through the operations that made the row: a linear map exactly,
//! a norm and an activation with their scale held as it is at the row.
//!
//! through `y = x W + b`: `u ← W u`, and `b · u` is added by the bias; through
//! `y = (x − μ) / σ ⊙ γ + β`: `v = u ⊙ γ / σ`, `u ← v − mean(v)`, and `β · u` by the bias (RMS norm:
//! without the means); through `y = f(x)`: `u ← u ⊙ (f(x) − f(0)) / x`, and `f(0) Σ u` by a constant.
//!
//! Sums are f64, of numbers in f32.

use crate::backend::{Backend, Linear};
use crate::blocks::{Norm, NormKind};
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::norm::{mean_square, moments};

/// The number of outputs of a map that are read at once, so that a large matrix is not in memory
/// twice.
const OUTPUTS_AT_ONCE: usize = 256;

/// A direction, `[d]`.
#[derive(Clone)]
pub(super) struct Direction(pub Vec<f64>);

impl Direction {
    /// The direction of one output of a map in its input, less that of another.
    pub async fn of_output<B: Backend>(
        backend: &B,
        map: &Linear<B>,
        id: usize,
        against: Option<usize>,
    ) -> Result<Self> {
        let own = backend.read(&map.column(backend, id)).await?;
        let mut direction = Self(own.into_iter().map(f64::from).collect());
        if let Some(against) = against {
            let other = backend.read(&map.column(backend, against)).await?;
            let pairs = direction.0.iter_mut().zip(other);
            pairs.for_each(|(own, other)| *own -= f64::from(other));
        }
        Ok(direction)
    }

    /// What a row adds.
    pub fn dot(&self, row: &[f32]) -> f64 {
        dot(&self.0, row)
    }

    pub fn scale(&mut self, factor: f64) {
        self.0.iter_mut().for_each(|number| *number *= factor);
    }

    /// Carries the direction to the input of a map, and returns what its bias adds.
    pub async fn through_map<B: Backend>(&mut self, backend: &B, map: &Linear<B>) -> Result<f64> {
        let bias = match map.bias() {
            Some(bias) => self.dot(&backend.read(bias).await?),
            None => 0.0,
        };
        let mut carried = Vec::new();
        for first in (0..self.0.len()).step_by(OUTPUTS_AT_ONCE) {
            let outputs = first..self.0.len().min(first + OUTPUTS_AT_ONCE);
            let rows = backend.read(&map.columns(backend, outputs.clone())).await?;
            let inner = rows.len() / outputs.len();
            carried.resize(inner, 0.0);
            for (&own, row) in self.0[outputs].iter().zip(rows.chunks_exact(inner)) {
                let numbers = carried.iter_mut().zip(row);
                numbers.for_each(|(sum, &weight)| *sum += own * f64::from(weight));
            }
        }
        self.0 = carried;
        Ok(bias)
    }

    /// Carries the direction to the input `x` of a norm, whose scale is that of `x`, and returns
    /// what its bias adds.
    pub async fn through_norm<B: Backend>(
        &mut self,
        backend: &B,
        norm: &Norm<B>,
        x: &[f32],
    ) -> Result<f64> {
        let gain = backend.read(&norm.gain).await?;
        let (bias, square) = match &norm.kind {
            NormKind::Layer(bias) => (self.dot(&backend.read(bias).await?), moments(x).1),
            NormKind::RootMeanSquare => (0.0, mean_square(x)),
        };
        let inverse = f64::from(1.0 / (square + norm.epsilon).sqrt());
        let numbers = self.0.iter_mut().zip(gain);
        numbers.for_each(|(number, gain)| *number *= f64::from(gain) * inverse);
        if matches!(norm.kind, NormKind::Layer(_)) {
            let mean = self.0.iter().sum::<f64>() / self.0.len() as f64;
            self.0.iter_mut().for_each(|number| *number -= mean);
        }
        Ok(bias)
    }

    /// Carries the direction to the input `x` of an activation with the output `y`, and returns what
    /// its value at 0 adds.
    pub fn through_activation(&mut self, activation: Activation, x: &[f32], y: &[f32]) -> f64 {
        let mut at_zero = [0.0];
        activation.apply(&mut at_zero);
        let at_zero = f64::from(at_zero[0]);
        let constant = at_zero * self.0.iter().sum::<f64>();
        for (number, (&x, &y)) in self.0.iter_mut().zip(x.iter().zip(y)) {
            let slope = (f64::from(y) - at_zero) / f64::from(x);
            *number *= if x == 0.0 { 0.0 } else { slope };
        }
        constant
    }
}

/// The product of a direction, or of a part of one, with numbers of a row.
pub(super) fn dot(direction: &[f64], row: &[f32]) -> f64 {
    direction.iter().zip(row).map(|(own, &number)| own * f64::from(number)).sum()
}
