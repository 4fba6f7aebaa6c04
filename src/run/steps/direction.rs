//! A direction in the space of a row: what a unit along each dimension adds to a number that is
//! explained. It is carried backwards through the operations that made the row: a linear map
//! exactly, a norm and an activation with their scale held as it is at the row.
//!
//! through `y = x W + b`: `u ← W u`, and `b · u` is added by the bias; through
//! `y = (x − μ) / σ ⊙ γ + β`: `v = u ⊙ γ / σ`, `u ← v − mean(v)`, and `β · u` by the bias (RMS norm:
//! without the means);
//! through `y = f(x)`: `u ← u ⊙ (f(x) − f(0)) / x`, and `f(0) Σ u` by a constant.
//!
//! Sums are f64, of numbers in f32. What they are made of is read from the backend beforehand, all
//! at once, so that the arithmetic is the same for all backends.

use crate::backend::{Backend, Linear};
use crate::blocks::{Norm, NormKind};
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::norm::{mean_square, moments};
use crate::kernels::precise::add_multiple;
use crate::question::Reading;

/// The place of numbers among those that are read.
pub(super) type At = usize;

/// A norm on the way of a direction.
pub(super) struct NormRead {
    gain: At,
    /// The bias of a layer norm; RMS norm has none.
    bias: Option<At>,
    epsilon: f32,
    /// The input of the norm, which decides its scale.
    input: At,
}

/// A map on the way of a direction.
pub(super) struct MapRead {
    /// The weights of the inputs of each output, `[outer, inner]`.
    columns: At,
    pub bias: Option<At>,
}

/// Tensors that are to be read.
pub(super) struct Asking<'a, B: Backend> {
    pub backend: &'a B,
    pub readings: Vec<Reading<Vec<f32>>>,
}

impl<'a, B: Backend> Asking<'a, B> {
    pub fn new(backend: &'a B) -> Self {
        Self { backend, readings: Vec::new() }
    }

    pub fn tensor(&mut self, x: &B::Tensor) -> At {
        self.readings.push(Box::pin(self.backend.read(x)));
        self.readings.len() - 1
    }

    pub fn row(&mut self, x: &B::Tensor, row: usize) -> At {
        self.tensor(&self.backend.select(x, row..row + 1))
    }

    pub fn norm(&mut self, norm: &Norm<B>, input: At) -> NormRead {
        let bias = match &norm.kind {
            NormKind::Layer(bias) => Some(self.tensor(bias)),
            NormKind::RootMeanSquare => None,
        };
        NormRead { gain: self.tensor(&norm.gain), bias, epsilon: norm.epsilon, input }
    }

    /// All of a map with so many outputs.
    pub fn map(&mut self, map: &Linear<B>, outer: usize) -> MapRead {
        let columns = self.tensor(&map.columns(self.backend, 0..outer));
        MapRead { columns, bias: map.bias().map(|bias| self.tensor(bias)) }
    }
}

/// Waits for all readings.
pub(super) async fn read_all(readings: Vec<Reading<Vec<f32>>>) -> Result<Vec<Vec<f32>>> {
    let mut numbers = Vec::with_capacity(readings.len());
    for reading in readings {
        numbers.push(reading.await?);
    }
    Ok(numbers)
}

/// A direction, `[d]`.
#[derive(Clone)]
pub(super) struct Direction(pub Vec<f64>);

impl Direction {
    /// The direction of one output in the input of a map, less that of another.
    pub fn between(own: &[f32], against: Option<&[f32]>) -> Self {
        let mut direction = Self(own.iter().map(|&number| f64::from(number)).collect());
        if let Some(against) = against {
            let pairs = direction.0.iter_mut().zip(against);
            pairs.for_each(|(own, &other)| *own -= f64::from(other));
        }
        direction
    }

    /// What a row adds.
    pub fn dot(&self, row: &[f32]) -> f64 {
        dot(&self.0, row)
    }

    /// What a row adds, if there is one.
    pub fn dot_at(&self, at: Option<At>, numbers: &[Vec<f32>]) -> f64 {
        at.map_or(0.0, |at| self.dot(&numbers[at]))
    }

    pub fn scale(&mut self, factor: f64) {
        self.0.iter_mut().for_each(|number| *number *= factor);
    }

    /// Carries the direction to the input of a map, and returns what its bias adds.
    pub fn through_map(&mut self, map: &MapRead, numbers: &[Vec<f32>]) -> f64 {
        let bias = self.dot_at(map.bias, numbers);
        let columns = &numbers[map.columns];
        let inner = columns.len() / self.0.len().max(1);
        let mut carried = vec![0.0; inner];
        for (&own, row) in self.0.iter().zip(columns.chunks_exact(inner.max(1))) {
            add_multiple(&mut carried, own, row);
        }
        self.0 = carried;
        bias
    }

    /// Carries the direction to the input of a norm, whose scale is that of the input, and returns
    /// what its bias adds.
    pub fn through_norm(&mut self, norm: &NormRead, numbers: &[Vec<f32>]) -> f64 {
        let input = &numbers[norm.input];
        let is_layer = norm.bias.is_some();
        let square = if is_layer { moments(input).1 } else { mean_square(input) };
        let bias = self.dot_at(norm.bias, numbers);
        let inverse = f64::from(1.0 / (square + norm.epsilon).sqrt());
        let gains = self.0.iter_mut().zip(&numbers[norm.gain]);
        gains.for_each(|(number, &gain)| *number *= f64::from(gain) * inverse);
        if is_layer {
            let mean = self.0.iter().sum::<f64>() / self.0.len() as f64;
            self.0.iter_mut().for_each(|number| *number -= mean);
        }
        bias
    }

    /// Carries the direction to the input `x` of an activation with the output `y`, and returns
    /// what its value at 0 adds.
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
