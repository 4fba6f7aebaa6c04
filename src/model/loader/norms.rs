//! Loading of norms, and of the residuals that they belong to.

use super::super::family::{NormFormula, StackNames, SublayerNorms};
use super::tensors::Loader;
use crate::backend::Backend;
use crate::blocks::{Norm, NormKind, Residual};
use crate::error::Result;

impl<B: Backend> Loader<'_, B> {
    /// A norm of rows of `width` numbers; old checkpoints name its weights `gamma` and `beta`.
    pub fn norm(&self, full_name: &str, width: usize) -> Result<Norm<B>> {
        let setting = self.family.norm;
        if !setting.is_trained.read(self.fields)? {
            return Ok(self.untrained_norm(width));
        }
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

    /// A norm without weights.
    fn untrained_norm(&self, width: usize) -> Norm<B> {
        let all = |number: f32| self.backend.upload(vec![number; width], width);
        let kind = match self.family.norm.kind {
            NormFormula::RootMeanSquare => NormKind::RootMeanSquare,
            NormFormula::Layer => NormKind::Layer(all(0.0)),
        };
        Norm { gain: all(1.0), kind, epsilon: self.config.epsilon }
    }

    /// The norm after the last block, in a stack that has one.
    pub fn final_norm(&self, names: &StackNames) -> Result<Option<Norm<B>>> {
        let setting = self.family.norm;
        // Norms that were moved behind the sublayers include one after the last block.
        let is_moved = setting.placement != self.config.norm;
        if is_moved || setting.lacks_final.read(self.fields)? {
            return Ok(None);
        }
        let norm = |name: &str| self.norm(&self.name(name), self.config.d_model);
        names.final_norm.map(norm).transpose()
    }

    /// A norm for a sublayer without one, for edits that add a norm.
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
