//! From the tensors of a checkpoint to a model, by the names of its family. Each part of the model
//! has a file; `tensors` reads the tensors and matrices of all parts.

mod attention;
mod block;
mod convolution;
mod embedding;
mod head;
mod norms;
mod positions;
mod tensors;

use super::checkpoint::Checkpoint;
use super::config::{ModelConfig, StackConfig};
use super::family::{Family, StackNames};
use super::wire::Fields;
use super::{Model, Parameters, StackWeights};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::Result;
use tensors::Loader;

/// Loads a model.
///
/// # Errors
/// `config/…` and `checkpoint/…`, each naming the field or tensor.
pub(super) fn load<B: Backend>(
    backend: B,
    family: &Family,
    mut config: ModelConfig,
    fields: &Fields,
    checkpoint: &Checkpoint<'_>,
) -> Result<Model<B>> {
    let mut parameters = Parameters::default();
    let (encoder, decoder, head, missing_head) = {
        let mut loader = Loader::new(&backend, family, &config, fields, checkpoint)?;
        let is_read = |name: &str| loader.may_read(name);
        checkpoint.check_size(is_read, |format| backend.held_format(format))?;
        let [encoder, decoder] = [Stack::Encoder, Stack::Decoder].map(|stack| {
            let found = family.stack(stack).zip(config.stack(stack));
            found.map(|(names, size)| loader.stack(stack, names, size, &mut parameters)).transpose()
        });
        let (encoder, decoder) = (encoder?, decoder?);
        let stack = decoder.as_ref().or(encoder.as_ref());
        let (head, missing_head) = loader.head_or_name(stack)?;
        parameters.output = loader.counted();
        config.positions = loader.scheme;
        (encoder, decoder, head, missing_head)
    };
    checkpoint.check_all_read()?;
    let parameters = parameters.summed();
    Ok(Model { backend, config, encoder, decoder, head, missing_head, parameters })
}

impl<B: Backend> Loader<'_, B> {
    /// The weights of a stack.
    fn stack(
        &mut self,
        stack: Stack,
        names: &StackNames,
        size: StackConfig,
        parameters: &mut Parameters,
    ) -> Result<StackWeights<B>> {
        let embedding = self.embedding(names, stack)?;
        parameters.embedding += self.counted();
        let own_count: fn(&mut Parameters) -> &mut u64 = match stack {
            Stack::Encoder => |all| &mut all.encoder,
            _ => |all| &mut all.decoder,
        };
        let mut blocks = Vec::new();
        for layer in 0..size.n_layers {
            let cross = self.cross(names, size, layer)?;
            parameters.cross += self.counted();
            if self.config.is_relative && layer == 0 {
                self.terms = self.terms(names, size, stack)?;
            }
            blocks.push(self.block(names, size, (stack, layer), cross)?);
            *own_count(parameters) += self.counted();
        }
        let final_norm = self.final_norm(names)?;
        *own_count(parameters) += self.counted();
        Ok(StackWeights { embedding, blocks, final_norm })
    }
}
