//! Updates of parameters from their gradients.
//!
//! Their formulas are in the kernel `update`. A gradient longer than a limit is scaled to it
//! before.
//!
//! Sources: I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization" (2019), algorithm
//! 2; R. Pascanu et al. 2013, algorithm 1 (clipping); in the order of operations of PyTorch.

use super::Parameter;
use crate::kernels::update::{Adam, descend};

/// The rule of an update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// `AdamW`.
    AdamW {
        /// The decays `β₁` and `β₂` of the moments.
        betas: [f64; 2],
        /// The term `ε` of the divisor.
        epsilon: f64,
        /// The decay of weights, `λ`.
        weight_decay: f64,
    },
    /// Gradient descent with momentum `μ`.
    Sgd {
        /// The share of the former step that is kept, `μ`.
        momentum: f64,
    },
}

/// The learning rate by step: a linear warm-up, then constant, or falling to 0 along half a cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// The largest learning rate, `η`.
    pub rate: f64,
    /// The number of steps of the warm-up.
    pub warmup: usize,
    /// The step at which a cosine ends; `None` for a constant rate.
    pub cosine_until: Option<usize>,
}

impl Schedule {
    /// The learning rate of a step, counted from 0.
    pub fn rate(&self, step: usize) -> f64 {
        if step < self.warmup {
            return self.rate * (step + 1) as f64 / self.warmup as f64;
        }
        let Some(end) = self.cosine_until else { return self.rate };
        let whole = end.saturating_sub(self.warmup).max(1) as f64;
        let done = ((step - self.warmup) as f64 / whole).min(1.0);
        self.rate * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())
    }
}

/// An optimiser with its moments.
#[derive(Debug, Clone)]
pub struct Optimiser {
    method: Method,
    schedule: Schedule,
    /// The greatest length of a gradient, if there is one.
    clip: Option<f64>,
    steps: usize,
    /// The first and second moment of each parameter; of SGD the first alone.
    moments: Vec<[Vec<f32>; 2]>,
}

impl Optimiser {
    /// An optimiser before its first step.
    pub fn new(method: Method, schedule: Schedule, clip: Option<f64>) -> Self {
        Self { method, schedule, clip, steps: 0, moments: Vec::new() }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The first and second moment of each parameter, before the first step none.
    pub(super) fn moments(&self) -> &[[Vec<f32>; 2]] {
        &self.moments
    }

    /// Goes on after so many steps, with their moments.
    pub(super) fn restore(&mut self, steps: usize, moments: Vec<[Vec<f32>; 2]>) {
        self.steps = steps;
        self.moments = moments;
    }

    /// One step. A parameter with an empty gradient had no influence, and stays.
    pub fn update(&mut self, parameters: &mut [Parameter], gradients: &[Vec<f32>], norm: f64) {
        let rate = self.schedule.rate(self.steps);
        self.steps += 1;
        self.moments.resize_with(parameters.len(), Default::default);
        // The same small term as in PyTorch's `clip_grad_norm_`.
        let scale = self.clip.map_or(1.0, |clip| (clip / (norm + 1e-6)).min(1.0));
        for ((parameter, gradient), moments) in
            parameters.iter_mut().zip(gradients).zip(&mut self.moments)
        {
            let values = &mut parameter.values;
            if gradient.is_empty() {
                continue;
            }
            match self.method {
                Method::AdamW { betas, epsilon, weight_decay } => {
                    let [first, second] = moments;
                    first.resize(values.len(), 0.0);
                    second.resize(values.len(), 0.0);
                    let decayed = 1.0 - rate * weight_decay;
                    let adam = adam([rate, decayed, scale, epsilon], betas, self.steps);
                    adam.update(values, gradient, first, second);
                }
                Method::Sgd { momentum } => {
                    let [kept, _] = moments;
                    kept.resize(values.len(), 0.0);
                    descend(values, gradient, kept, [momentum, scale, rate].map(|x| x as f32));
                }
            }
        }
    }
}

/// The numbers of a step of `AdamW`, in f32, as PyTorch computes it.
fn adam([rate, decayed, scale, epsilon]: [f64; 4], betas: [f64; 2], step: usize) -> Adam {
    let power = i32::try_from(step).unwrap_or(i32::MAX);
    let [first, second] = betas.map(|beta| 1.0 - beta.powi(power));
    Adam {
        scale: scale as f32,
        rate: (rate / first) as f32,
        decayed: decayed as f32,
        kept: betas.map(|beta| beta as f32),
        added: betas.map(|beta| (1.0 - beta) as f32),
        inverse_root: (1.0 / second.sqrt()) as f32,
        epsilon: epsilon as f32,
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_rate_rises_and_falls_as_its_schedule_says() {
        let schedule = Schedule { rate: 0.4, warmup: 4, cosine_until: Some(12) };
        let rates = [0, 1, 3, 4, 8, 12, 99].map(|step| schedule.rate(step));
        let wanted = [0.1, 0.2, 0.4, 0.4, 0.2, 0.0, 0.0];
        for (rate, want) in rates.into_iter().zip(wanted) {
            assert!((rate - want).abs() < 1e-12, "{rates:?}");
        }
        let constant = Schedule { rate: 0.4, warmup: 0, cosine_until: None };
        assert_eq!([0, 1000].map(|step| constant.rate(step)), [0.4; 2]);
    }
}
