//! A loaded model: validated config and weights, ready to be run. A family is an entry of names and
//! settings (`families/`); what a stack is made of is the same for all.

mod checkpoint;
mod config;
mod families;
mod family;
mod generation;
mod image_processor;
mod image_settings;
mod info;
mod loader;
mod reader;
mod rope;
mod validation;
mod wire;

use std::mem::take;

use crate::backend::Backend;
use crate::blocks::{Block, Embedding, Norm, OutputHead};
use crate::error::{Code, Error, Result};
use crate::files::Files;

pub use checkpoint::{Checkpoint, MOST_WEIGHT_BYTES};
pub use config::{ImageConfig, ModelConfig, Sight, StackConfig};
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) use families::types_of_images;
pub use generation::GenerationSettings;
pub use image_processor::{ImageProcessor, ProcessedImage};
pub use info::{Architecture, ModelInfo, Parameters, StackInfo, Stacks};

/// The weights of one stack.
pub struct StackWeights<B: Backend> {
    /// From ids to the stream.
    pub embedding: Embedding<B>,
    /// From bottom to top.
    pub blocks: Vec<Block<B>>,
    /// After the last block, where there is one (GPT-2, Llama).
    pub final_norm: Option<Norm<B>>,
}

/// A model on a backend.
pub struct Model<B: Backend> {
    /// Where the numbers live.
    pub backend: B,
    /// Its shape.
    pub config: ModelConfig,
    /// The stack that reads.
    pub encoder: Option<StackWeights<B>>,
    /// The stack that writes.
    pub decoder: Option<StackWeights<B>>,
    /// Onto the vocabulary, if the checkpoint has it.
    pub head: Option<OutputHead<B>>,
    /// What stands in the place of a head onto the vocabulary and is not computed: the class that
    /// Hugging Face reads the folder by, or a tensor.
    pub missing_head: Option<String>,
    /// How many numbers were trained.
    pub parameters: Parameters,
}

impl<B: Backend> Model<B> {
    /// Builds a model of opened files, by the text of the folder's `config.json` and of its
    /// `generation_config.json` if it has one, or by what a file of a whole model says itself.
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
        // Settings of generation have a reader of their own.
        fields.warn_unread(|field| families::is_irrelevant(field) || generation::is_setting(field));
        model.config.warnings.extend(fields.warnings());
        Ok(model)
    }
}

fn no_config() -> Error {
    let expected = "config.json beside the weights, or a GGUF file";
    Error::new(Code::ConfigMissingField, "the model", expected, "none")
}
