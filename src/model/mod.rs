//! A loaded model: validated config and weights. A family is an entry of names and settings
//! (`families/`); the parts of a stack are the same for all families.

mod checkpoint;
mod config;
mod families;
mod family;
mod generation;
mod head_weights;
mod image_processor;
mod image_settings;
mod info;
mod loader;
mod reader;
mod rope;
mod validation;
mod wire;

use std::mem::take;

use crate::axes::Step;
use crate::backend::Backend;
use crate::blocks::{Block, Embedding, Norm, OutputHead};
use crate::edits::Wiring;
use crate::error::{Code, Error, Result};
use crate::files::Files;

pub use checkpoint::{Checkpoint, MOST_WEIGHT_BYTES};
pub use config::{ImageConfig, ModelConfig, Sight, StackConfig};
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) use families::types_of_images;
pub use generation::{EarlyStopping, GenerationSettings, Sampling};
pub use head_weights::{HeadWeight, WeightsAsked};
pub use image_processor::{ImageProcessor, ProcessedImage};
pub use info::{Architecture, ModelInfo, Parameters, StackInfo, Stacks};

/// The weights of one stack.
pub struct StackWeights<B: Backend> {
    /// The embedding, from ids to the residual stream.
    pub embedding: Embedding<B>,
    /// The layers, from bottom to top.
    pub blocks: Vec<Block<B>>,
    /// The norm after the last layer, where there is one (GPT-2, Llama).
    pub final_norm: Option<Norm<B>>,
}

impl<B: Backend> StackWeights<B> {
    /// The step whose tensor is the output of the stack, with the wiring of its last block.
    pub fn last_step(&self, wiring: Wiring) -> Step {
        match self.blocks.last() {
            Some(last) if self.final_norm.is_none() => last.last_step(wiring),
            _ => Step::Final,
        }
    }
}

/// A model on a backend.
pub struct Model<B: Backend> {
    /// The backend that holds the weights.
    pub backend: B,
    /// The validated config.
    pub config: ModelConfig,
    /// The weights of the encoder.
    pub encoder: Option<StackWeights<B>>,
    /// The weights of the decoder.
    pub decoder: Option<StackWeights<B>>,
    /// The output head, if the checkpoint has one.
    pub head: Option<OutputHead<B>>,
    /// What the folder has in place of an output head and is not computed: the class by which
    /// Hugging Face reads the folder, or a tensor.
    pub missing_head: Option<String>,
    /// The numbers of trained parameters, by component.
    pub parameters: Parameters,
}

impl<B: Backend> Model<B> {
    /// Loads a model from opened files, by the text of the folder's `config.json` and, if it has
    /// one, `generation_config.json`, or by the config in the file of a whole model.
    ///
    /// # Errors
    /// `config/…` and `checkpoint/…`, each naming the field or tensor.
    pub fn load(
        backend: B,
        config_json: Option<&str>,
        generation_json: Option<&str>,
        mut files: Files<'_>,
    ) -> Result<Self> {
        let own =
            files.whole.as_mut().map(|whole| (take(&mut whole.config), take(&mut whole.unread)));
        let (own_config, unread) = own.unzip();
        let text = config_json.or(own_config.as_deref());
        let mut fields = wire::Fields::parse("config.json", text.ok_or_else(no_config)?)?;
        let family = families::find(&fields)?.resolved(&fields)?;
        fields.rename(family.aliases);
        let mut config = reader::config(&family, &fields)?;
        if config.decoder.is_some() {
            config.generation = GenerationSettings::read(
                generation_json,
                fields.all(),
                config.n_vocabulary,
                config.has_cross_attention(),
                &mut config.warnings,
            )?;
        }
        config.warnings.extend(unread.into_iter().flatten());
        let checkpoint = Checkpoint::new(files);
        let mut model = loader::load(backend, &family, config, &fields, &checkpoint)?;
        // Settings of generation are read by `generation.rs`.
        fields.warn_unread(|field| families::is_irrelevant(field) || generation::is_setting(field));
        model.config.warnings.extend(fields.warnings());
        Ok(model)
    }
}

impl<B: Backend> Model<B> {
    /// The weights of the stack that predicts: the decoder's if there is one.
    pub fn predicting(&self) -> Option<&StackWeights<B>> {
        self.decoder.as_ref().or(self.encoder.as_ref())
    }
}

fn no_config() -> Error {
    let expected = "config.json beside the weights, or a GGUF file";
    Error::new(Code::ConfigMissingField, "the model", expected, "none")
}
