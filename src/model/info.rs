//! The description of a model for the page.

use serde::Serialize;

use super::{ImageConfig, Model};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::warning::FieldWarning;

/// The numbers of trained parameters, by component. Tied weights are counted once, where they are
/// read first; fixed sinusoids are not trained and not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Parameters {
    /// The sum of all components.
    pub total: u64,
    /// Token, position and token-type tables.
    pub embedding: u64,
    /// Encoder layers.
    pub encoder: u64,
    /// Decoder layers without cross-attention.
    pub decoder: u64,
    /// Cross-attention with its norms.
    pub cross: u64,
    /// The output head, unless tied to the embedding.
    pub output: u64,
}

impl Parameters {
    /// The counts with their sum in `total`.
    pub(super) fn summed(self) -> Self {
        Self {
            total: self.embedding + self.encoder + self.decoder + self.cross + self.output,
            ..self
        }
    }
}

/// The stacks of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// Encoder-only: reads a text and fills masked tokens, or classifies an image.
    Encoder,
    /// Decoder-only: generates text.
    Decoder,
    /// Encoder–decoder: reads one text and generates another.
    EncoderDecoder,
}

/// The sizes of one attention stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StackInfo {
    /// The number of layers.
    pub layers: usize,
    /// The number of query heads per layer.
    pub heads: usize,
    /// The number of key/value heads per layer; with fewer than `heads`, neighbouring heads share
    /// one.
    pub kv_heads: usize,
    /// One head's width.
    pub head_dim: usize,
}

/// The attention stacks of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Stacks {
    /// Encoder self-attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<StackInfo>,
    /// Decoder self-attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoder: Option<StackInfo>,
    /// Cross-attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross: Option<StackInfo>,
}

/// The description of a model before it runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    /// The family, as `model_type` in config.json.
    pub family: String,
    /// The stacks of the model.
    pub architecture: Architecture,
    /// The attention stacks of the model.
    pub stacks: Stacks,
    /// The width of the residual stream.
    pub d_model: usize,
    /// The size of the vocabulary, or the number of an image's classes.
    pub vocab_size: usize,
    /// The conversion of an image to tokens, in a model that reads images.
    pub image: Option<ImageConfig>,
    /// The longest text, in tokens.
    pub max_tokens: usize,
    /// The number of token types.
    pub token_types: usize,
    /// The name of the positional encoding.
    pub positions: String,
    /// The place of the norms: `post`, `pre` or `none`.
    pub norm: String,
    /// The name of the activation inside the feed-forward network.
    pub activation: String,
    /// Whether the output of a second map multiplies the activated numbers.
    pub gated: bool,
    /// Whether scores are `q · k ÷ √d_h`, without another scale, a soft cap or a relative-position
    /// term.
    pub usual_scores: bool,
    /// The numbers of trained parameters, by component.
    pub parameters: Parameters,
    /// Whether the checkpoint has an output head.
    pub predicts: bool,
    /// What the folder has in place of an output head and is not computed: the class by which
    /// Hugging Face reads the folder, or a tensor.
    pub missing_head: Option<String>,
    /// The id of the token with which decoding begins.
    pub start_token: Option<u32>,
    /// The ids of the tokens that end a text.
    pub end_tokens: Vec<u32>,
    /// The id of the padding token.
    pub pad_token: Option<u32>,
    /// The name of the backend.
    pub backend: String,
    /// The name of the backend's kernel.
    pub kernel: String,
    /// Warnings of the fields of the model's files that have no effect.
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
