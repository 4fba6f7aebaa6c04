//! What a page can read of a model.

use serde::Serialize;

use super::{ImageConfig, Model};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::warning::FieldWarning;

/// Trained numbers, by component. Tied weights are counted once, where they are read
/// first; fixed sinusoids are not trained and not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Parameters {
    /// All of them.
    pub total: u64,
    /// Token, position and type tables.
    pub embedding: u64,
    /// Encoder blocks.
    pub encoder: u64,
    /// Decoder blocks without cross-attention.
    pub decoder: u64,
    /// Cross-attention with its norms.
    pub cross: u64,
    /// Output head, as far as it is not tied.
    pub output: u64,
}

impl Parameters {
    /// The same with their sum.
    pub(super) fn summed(self) -> Self {
        Self {
            total: self.embedding + self.encoder + self.decoder + self.cross + self.output,
            ..self
        }
    }
}

/// Which stacks a model is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// It reads.
    Encoder,
    /// It writes.
    Decoder,
    /// It reads one text and writes another.
    EncoderDecoder,
}

/// One place where the model attends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StackInfo {
    /// Blocks.
    pub layers: usize,
    /// Heads per block.
    pub heads: usize,
    /// Heads of keys and values; where they are fewer, neighbouring heads share one.
    pub kv_heads: usize,
    /// One head's width.
    pub head_dim: usize,
}

/// The places where the model attends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Stacks {
    /// Source looks at source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<StackInfo>,
    /// Target looks at target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoder: Option<StackInfo>,
    /// Target looks at source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross: Option<StackInfo>,
}

/// Everything a page can read of a model before it runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    /// Its family, as `model_type` in config.json.
    pub family: String,
    /// Which stacks it is made of.
    pub architecture: Architecture,
    /// The places where it attends.
    pub stacks: Stacks,
    /// The width of the residual stream.
    pub d_model: usize,
    /// Entries of the vocabulary, or an image's classes.
    pub vocab_size: usize,
    /// What it takes in place of a text, if it does.
    pub image: Option<ImageConfig>,
    /// The longest text.
    pub max_tokens: usize,
    /// Kinds of token.
    pub token_types: usize,
    /// How it knows the order of tokens.
    pub positions: String,
    /// `post`, `pre` or `none`.
    pub norm: String,
    /// Inside the feed-forward network.
    pub activation: String,
    /// Whether the activated numbers are multiplied by a second map's.
    pub gated: bool,
    /// Whether scores are `q · k ÷ √d_h`, without a scale or soft cap of its own and with nothing
    /// joined.
    pub usual_scores: bool,
    /// Trained numbers by component.
    pub parameters: Parameters,
    /// Whether the checkpoint has an output head.
    pub predicts: bool,
    /// What stands in the place of a head onto the vocabulary and is not computed: the class that
    /// Hugging Face reads the folder by, or a tensor.
    pub missing_head: Option<String>,
    /// What decoding begins with.
    pub start_token: Option<u32>,
    /// What ends a text, each of them.
    pub end_tokens: Vec<u32>,
    /// What fills up a batch.
    pub pad_token: Option<u32>,
    /// What computes.
    pub backend: String,
    /// The kernel in use.
    pub kernel: String,
    /// The fields of its files that have no effect.
    pub warnings: Vec<FieldWarning>,
}

impl<B: Backend> Model<B> {
    /// The description of the model for the page.
    pub fn info(&self) -> ModelInfo {
        let config = &self.config;
        let stack = |stack: Stack| {
            config.stack(stack).map(|found| StackInfo {
                layers: found.n_layers,
                heads: found.n_heads,
                kv_heads: found.n_kv_heads,
                head_dim: found.head_dim,
            })
        };
        let architecture = match (config.encoder, config.decoder) {
            (Some(_), Some(_)) => Architecture::EncoderDecoder,
            (Some(_), None) => Architecture::Encoder,
            _ => Architecture::Decoder,
        };
        ModelInfo {
            family: config.family.clone(),
            architecture,
            stacks: Stacks {
                encoder: stack(Stack::Encoder),
                decoder: stack(Stack::Decoder),
                cross: stack(Stack::Cross),
            },
            d_model: config.d_model,
            vocab_size: config.n_vocabulary,
            image: config.image,
            max_tokens: config.max_tokens,
            token_types: config.n_token_types,
            positions: config.positions.name().to_owned(),
            norm: config.norm.name().to_owned(),
            activation: config.activation.name().to_owned(),
            gated: config.is_gated,
            usual_scores: config.attention_scale.is_none()
                && config.score_divisors.is_empty()
                && config.score_cap.is_none()
                && !config.is_relative,
            parameters: self.parameters,
            predicts: self.head.is_some(),
            missing_head: self.missing_head.clone(),
            start_token: config.generation.start_token,
            end_tokens: config.generation.end_tokens.clone(),
            pad_token: config.pad_token,
            backend: self.backend.name().to_owned(),
            kernel: self.backend.kernel(),
            warnings: config.warnings.clone(),
        }
    }
}
