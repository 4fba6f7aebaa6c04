//! A loaded model: validated config and weights, ready to be run. One file per family
//! maps names and switches; what a stack is made of is the same for all.

mod bert;
mod checkpoint;
mod config;
mod gpt2;
mod info;
mod llama;
mod loader;
mod marian;
mod validation;
mod wire;

use crate::backend::Backend;
use crate::blocks::{Block, Embedding, Norm, OutputHead};
use crate::error::{Code, Error, Result};

pub use checkpoint::{Checkpoint, CheckpointFile};
pub use config::{ConfigWarning, Family, ModelConfig, StackConfig};
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
    /// How many numbers were trained.
    pub parameters: Parameters,
}

impl<B: Backend> Model<B> {
    /// Reads a Hugging Face folder's `config.json` and `model.safetensors`.
    ///
    /// # Errors
    /// `config/…` and `checkpoint/…`, each naming the field or tensor.
    pub fn load(backend: B, config_json: &str, checkpoint: CheckpointFile<'_>) -> Result<Self> {
        let fields = wire::Fields::parse(config_json)?;
        let (config, load): (Configure, Load<B>) = match fields.text("model_type")? {
            Some("marian") => (marian::config, marian::load),
            Some("bert") => (bert::config, bert::load),
            Some("gpt2") => (gpt2::config, gpt2::load),
            Some("llama") => (llama::config, llama::load),
            other => {
                return Err(Error::new(
                    Code::ConfigUnsupportedFamily,
                    "model_type in config.json",
                    "marian, bert, gpt2 or llama",
                    other.unwrap_or("nothing"),
                ));
            }
        };
        load(backend, config(&fields)?, &fields, &Checkpoint::open(checkpoint)?)
    }
}

/// Reads a family's config.
type Configure = fn(&wire::Fields) -> Result<ModelConfig>;
/// Maps the names of its checkpoint.
type Load<B> = fn(B, ModelConfig, &wire::Fields, &Checkpoint<'_>) -> Result<Model<B>>;
