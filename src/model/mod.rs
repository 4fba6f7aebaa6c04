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

pub use checkpoint::Checkpoint;
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
    pub fn load(backend: B, config_json: &str, checkpoint: &[u8]) -> Result<Self> {
        let fields = wire::Fields::parse(config_json)?;
        match fields.text("model_type")? {
            Some("marian") => {
                let config = marian::config(&fields)?;
                marian::load(backend, config, &fields, &Checkpoint::open(checkpoint)?)
            }
            Some("bert") => {
                let config = bert::config(&fields)?;
                bert::load(backend, config, &fields, &Checkpoint::open(checkpoint)?)
            }
            Some("gpt2") => {
                let config = gpt2::config(&fields)?;
                gpt2::load(backend, config, &fields, &Checkpoint::open(checkpoint)?)
            }
            Some("llama") => {
                let config = llama::config(&fields)?;
                llama::load(backend, config, &fields, &Checkpoint::open(checkpoint)?)
            }
            other => Err(Error::new(
                Code::ConfigUnsupportedFamily,
                "model_type in config.json",
                "marian, bert, gpt2 or llama",
                other.unwrap_or("nothing"),
            )),
        }
    }
}
