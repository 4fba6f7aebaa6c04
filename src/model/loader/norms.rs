//! Norms of a checkpoint, and the residuals that they stand at.

use super::super::family::{NormFormula, SublayerNorms};
use super::tensors::Loader;
use crate::backend::Backend;
use crate::blocks::{Norm, NormKind, Residual};
use crate::error::Result;

impl<B: Backend> Loader<'_, B> {
    /// A norm of rows of `width`; old checkpoints call its parts `gamma` and `beta`.
    pub fn norm(&self, full_name: &str, width: usize) -> Result<Norm<B>> {
        let setting = self.family.norm;
        let old = self.checkpoint.has(&format!("{full_name}.gamma"));
        let (gain, bias) = if old { ("gamma", "beta") } else { ("weight", "bias") };
        let mut gains = self.numbers(&format!("{full_name}.{gain}"), &[width])?;
        if setting.gain_offset != 0.0 {
            gains = gains.iter().map(|gain| gain + setting.gain_offset).collect();
        }
        let kind = match setting.kind {
            NormFormula::RootMeanSquare => NormKind::RootMeanSquare,
            NormFormula::Layer if setting.has_bias.read(self.fields)? => {
                NormKind::Layer(self.vector(&format!("{full_name}.{bias}"), width)?)
            }
            NormFormula::Layer => NormKind::Layer(self.backend.upload(vec![0.0; width], width)),
        };
        let gain = self.backend.upload(gains, width);
        Ok(Norm { gain, kind, epsilon: self.config.epsilon })
    }

    /// The norm of a sublayer that has none, which an edit may ask for.
    pub fn no_norm(&self) -> Norm<B> {
        let gain = self.backend.upload(vec![1.0; self.config.d_model], self.config.d_model);
        Norm { gain, kind: NormKind::RootMeanSquare, epsilon: self.config.epsilon }
    }

    /// The norms of a sublayer.
    pub fn residual(&self, block: &str, names: SublayerNorms) -> Result<Residual<B>> {
        let norm = |name: &str| self.norm(&format!("{block}.{name}"), self.config.d_model);
        Ok(Residual {
            norm: names.usual.map_or_else(|| Ok(self.no_norm()), norm)?,
            placement: self.config.norm,
            after: names.after.map(norm).transpose()?,
        })
    }
}
