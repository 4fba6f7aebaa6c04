//! The validated config of a model: the same fields for every family, whose own config formats are
//! read into it.

use std::rc::Rc;

use serde::Serialize;

use super::generation::GenerationSettings;
use crate::axes::Stack;
use crate::edits::Extent;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;
use crate::positions::{Rotation, Scheme};
use crate::warning::FieldWarning;

/// The sizes of one stack of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackConfig {
    /// The number of layers.
    pub n_layers: usize,
    /// The number of query heads per layer.
    pub n_heads: usize,
    /// The number of key/value heads in self-attention; fewer than query heads with GQA.
    pub n_kv_heads: usize,
    /// One head's width.
    pub head_dim: usize,
    /// The width inside the feed-forward network.
    pub d_ff: usize,
}

impl StackConfig {
    /// The width of all heads' queries side by side, and so of the head outputs.
    pub fn query_width(&self) -> usize {
        self.n_heads * self.head_dim
    }

    /// The width of all heads' keys, or values, side by side.
    pub fn kv_width(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }
}

/// The conversion of an image to tokens: trained special tokens first, then one token per patch,
/// row after row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImageConfig {
    /// The numbers per pixel.
    pub channels: usize,
    /// Height and width of an image, in pixels.
    pub size: [usize; 2],
    /// Height and width of a patch, in pixels.
    pub patch: [usize; 2],
    /// The numbers of rows and columns of patches.
    pub grid: [usize; 2],
    /// Tokens before the first patch: the class token, in `DeiT` also the distillation token.
    pub specials: usize,
}

impl ImageConfig {
    /// The number of an image's tokens.
    pub fn n_tokens(&self) -> usize {
        self.specials.saturating_add(self.grid[0].saturating_mul(self.grid[1]))
    }

    /// The numbers of a patch.
    pub fn patch_width(&self) -> usize {
        self.channels.saturating_mul(self.patch[0]).saturating_mul(self.patch[1])
    }

    /// The patches `[n, channels · rows · columns]` of pixels `[channels, height, width]`. Pixels
    /// beyond the last whole patch are left out.
    pub fn patches(&self, pixels: &[f32]) -> Vec<f32> {
        let ([height, width], [rows, columns]) = (self.size, self.patch);
        let mut patches = Vec::with_capacity(self.grid[0] * self.grid[1] * self.patch_width());
        for at in 0..self.grid[0] * self.grid[1] {
            let (top, left) = (at / self.grid[1] * rows, at % self.grid[1] * columns);
            for row in 0..self.channels * rows {
                let from = (row / rows * height + top + row % rows) * width + left;
                patches.extend_from_slice(&pixels[from..from + columns]);
            }
        }
        patches
    }
}

/// The tokens that are visible to a decoder's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Itself and the tokens before it.
    Before,
    /// All tokens.
    Both,
}

/// The validated config of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// The family, by the first of its names.
    pub family: String,
    /// The width of the residual stream.
    pub d_model: usize,
    /// The width of the embedding tables.
    pub embedding_width: usize,
    /// The size of the predicted vocabulary, or the number of an image's classes.
    pub n_vocabulary: usize,
    /// The size of the vocabulary that the first stack reads.
    pub n_source_vocabulary: usize,
    /// The conversion of an image to tokens, in a model of images.
    pub image: Option<ImageConfig>,
    /// The longest text, in tokens, that the positions allow.
    pub max_tokens: usize,
    /// The number of token types (BERT's two texts); 0 for a model without token types.
    pub n_token_types: usize,
    /// The sizes of the encoder, if there is one.
    pub encoder: Option<StackConfig>,
    /// The sizes of the decoder, if there is one.
    pub decoder: Option<StackConfig>,
    /// The positional encoding.
    pub positions: Scheme,
    /// The activation inside the feed-forward network.
    pub activation: Activation,
    /// Whether the feed-forward network has a gate.
    pub is_gated: bool,
    /// Whether the feed-forward network reads the layer's input, in parallel with self-attention.
    pub is_parallel: bool,
    /// The tokens that are visible to a decoder's token.
    pub sight: Sight,
    /// The place of the norms.
    pub norm: NormPlace,
    /// The term `ε` of every norm.
    pub epsilon: f32,
    /// The factor of token embeddings.
    pub embedding_scale: f32,
    /// The factor of raw scores; `None` for `1/√d_h`.
    pub attention_scale: Option<f32>,
    /// By layer, a further divisor of raw scores; empty if there is none.
    pub score_divisors: Vec<f32>,
    /// Soft cap of the scaled scores.
    pub score_cap: Option<f32>,
    /// Soft cap of the logits.
    pub logit_cap: Option<f32>,
    /// By layer, the number of keys on each side that are visible to a query; `None` for all keys.
    pub windows: Vec<Option<usize>>,
    /// By layer, the rotation of queries and keys; `None` for a layer without rotary positions.
    pub rotations: Vec<Option<Rc<Rotation>>>,
    /// Whether trained relative-position terms join the scores of self-attention.
    pub is_relative: bool,
    /// The settings of greedy decoding; unset for an encoder alone.
    pub generation: GenerationSettings,
    /// The id of the padding token.
    pub pad_token: Option<u32>,
    /// Warnings of the fields of the model's files that have no effect.
    pub warnings: Vec<FieldWarning>,
}

impl ModelConfig {
    /// Whether the decoder attends to the encoder's output.
    pub fn has_cross_attention(&self) -> bool {
        self.encoder.is_some() && self.decoder.is_some()
    }

    /// Whether a relative-position term or a soft cap joins the scores of a site between scale and
    /// mask.
    pub fn joins_scores(&self, stack: Stack) -> bool {
        self.score_cap.is_some() || (self.is_relative && stack != Stack::Cross)
    }

    /// The sizes of the layers of an attention stack.
    pub fn stack(&self, stack: Stack) -> Option<StackConfig> {
        match stack {
            Stack::Encoder => self.encoder,
            Stack::Decoder => self.decoder,
            Stack::Cross => self.decoder.filter(|_| self.has_cross_attention()),
        }
    }

    /// The ranges of layers, heads and tokens that edits may name, for a text of `n_source` and
    /// `n_target` tokens.
    pub fn extents(&self, n_source: usize, n_target: usize) -> Vec<Extent> {
        let extent = |stack: Stack| {
            let (n_queries, n_keys) = match stack {
                Stack::Encoder => (n_source, n_source),
                Stack::Decoder => (n_target, n_target),
                Stack::Cross => (n_target, n_source),
            };
            self.stack(stack).map(|config| Extent {
                stack,
                n_layers: config.n_layers,
                n_heads: config.n_heads,
                head_dim: config.head_dim,
                n_queries,
                n_keys,
                joins_scores: self.joins_scores(stack),
            })
        };
        Stack::ALL.iter().filter_map(|&stack| extent(stack)).collect()
    }
}
