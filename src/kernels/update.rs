//! Updates of the parameters of a model from their gradients, in place.
//!
//! `AdamW`: `g ← c g`, `m ← β₁ m + (1 − β₁) g`, `v ← β₂ v + (1 − β₂) g²`,
//! `θ ← δ θ − η m / (√v · r + ε)`, `δ = 1 − η λ`, `r = 1 / √(1 − β₂ᵗ)`, `η` over `1 − β₁ᵗ`.
//! Momentum: `b ← μ b + c g`, `θ ← θ − η b`.
//!
//! Source: I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization" (2019), algorithm
//! 2, in the order of operations of PyTorch. Shapes: slices of equal length.

/// The numbers of a step of `AdamW`, the same for all parameters.
#[derive(Debug, Clone, Copy)]
pub struct Adam {
    /// The factor of gradients, `c`: below 1 where they are clipped.
    pub scale: f32,
    /// The learning rate over the bias of the first moment.
    pub rate: f32,
    /// The factor of the parameters, `δ`.
    pub decayed: f32,
    /// The shares of the moments that are kept, `β₁` and `β₂`.
    pub kept: [f32; 2],
    /// The shares of the gradient and of its square that are added.
    pub added: [f32; 2],
    /// The inverse root of the bias of the second moment, `r`.
    pub inverse_root: f32,
    /// The term of the divisor, `ε`.
    pub epsilon: f32,
}

impl Adam {
    /// One step of the parameters `values` with the moments `first` and `second`.
    pub fn update(
        &self,
        values: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let moments = first.iter_mut().zip(second);
        for ((value, slope), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
            let slope = self.scale * slope;
            *first = self.kept[0] * *first + self.added[0] * slope;
            *second = self.kept[1] * *second + self.added[1] * slope * slope;
            let divisor = second.sqrt() * self.inverse_root + self.epsilon;
            *value = *value * self.decayed - self.rate * *first / divisor;
        }
    }
}

/// One step along the running sum `sums` of gradients, of which a share `momentum` is kept.
pub fn descend(
    values: &mut [f32],
    gradient: &[f32],
    sums: &mut [f32],
    [momentum, scale, rate]: [f32; 3],
) {
    for ((value, slope), sum) in values.iter_mut().zip(gradient).zip(sums) {
        *sum = momentum * *sum + scale * slope;
        *value -= rate * *sum;
    }
}
