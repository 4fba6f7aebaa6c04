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

use crate::backend::Backend;
use crate::blocks::{Block, Embedding, Norm, OutputHead};
use crate::error::Result;

pub use checkpoint::{Checkpoint, CheckpointFile, MOST_WEIGHT_BYTES};
pub use config::{ImageConfig, ModelConfig, StackConfig};
#[cfg(test)]
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
    /// Reads a Hugging Face folder's `config.json`, its `generation_config.json` if it has one, and
    /// its safetensors files.
    ///
    /// # Errors
    /// `config/…` and `checkpoint/…`, each naming the field or tensor.
    pub fn load(
        backend: B,
        config_json: &str,
        generation_json: Option<&str>,
        files: Vec<CheckpointFile<'_>>,
    ) -> Result<Self> {
        let fields = wire::Fields::parse("config.json", config_json)?;
        let family = families::find(&fields)?.resolved(&fields)?;
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
        loader::load(backend, &family, config, &fields, &Checkpoint::open(files)?)
    }
}
