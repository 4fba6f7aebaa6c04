//! A model's shape once it is known to make sense: the same few numbers for every
//! family. Each family reads its own file format into it (wire config → this).

use std::rc::Rc;

use serde::Serialize;

use super::generation::GenerationSettings;
use crate::axes::Stack;
use crate::edits::Extent;
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;
use crate::positions::{Rotation, Scheme};
use crate::warning::FieldWarning;

/// One stack of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackConfig {
    /// Blocks.
    pub n_layers: usize,
    /// Heads per block.
    pub n_heads: usize,
    /// Heads of keys and values in self-attention; fewer where heads share them.
    pub n_kv_heads: usize,
    /// One head's width.
    pub head_dim: usize,
    /// Width inside the feed-forward network.
    pub d_ff: usize,
}

impl StackConfig {
    /// All heads' queries side by side, and so the context.
    pub fn query_width(&self) -> usize {
        self.n_heads * self.head_dim
    }

    /// All heads' keys side by side, or values.
    pub fn kv_width(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }
}

/// How an image becomes tokens: trained ones that stand first, then one per patch, row
/// after row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImageConfig {
    /// Numbers per pixel.
    pub channels: usize,
    /// Height and width of an image, in pixels.
    pub size: [usize; 2],
    /// Those of a patch.
    pub patch: [usize; 2],
    /// Rows and columns of patches.
    pub grid: [usize; 2],
    /// Tokens before the first patch: the class token, in `DeiT` also the distillation token.
    pub specials: usize,
}

impl ImageConfig {
    /// The tokens of an image.
    pub fn n_tokens(&self) -> usize {
        self.specials.saturating_add(self.grid[0].saturating_mul(self.grid[1]))
    }

    /// The numbers of a patch.
    pub fn patch_width(&self) -> usize {
        self.channels.saturating_mul(self.patch[0]).saturating_mul(self.patch[1])
    }

    /// The patches of pixels `[channels, height, width]`, `[n, channels · rows · columns]`. Pixels
    /// beyond the last whole patch are in none.
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

/// Which tokens those of a decoder see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Themselves and those before them.
    Before,
    /// All.
    Both,
}

/// The validated config.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// Its family, by the first of its names.
    pub family: String,
    /// The width of the residual stream.
    pub d_model: usize,
    /// The width of the embedding tables.
    pub embedding_width: usize,
    /// Entries of the vocabulary that is predicted, or of an image's classes.
    pub n_vocabulary: usize,
    /// Entries of the vocabulary that the first stack reads.
    pub n_source_vocabulary: usize,
    /// What is read in place of a text, in a model of images.
    pub image: Option<ImageConfig>,
    /// The longest text the positions allow.
    pub max_tokens: usize,
    /// Kinds of token (BERT's two texts); 0 for a model that knows none.
    pub n_token_types: usize,
    /// The encoder, if there is one.
    pub encoder: Option<StackConfig>,
    /// The decoder, if there is one.
    pub decoder: Option<StackConfig>,
    /// Where order enters.
    pub positions: Scheme,
    /// Inside the feed-forward network.
    pub activation: Activation,
    /// Whether the feed-forward network has a gate.
    pub is_gated: bool,
    /// Whether the feed-forward network reads what entered the block.
    pub is_parallel: bool,
    /// Which tokens those of a decoder see.
    pub sight: Sight,
    /// On which side of the residual the norms stand.
    pub norm: NormPlace,
    /// `ε` of every norm.
    pub epsilon: f32,
    /// Embeddings are multiplied by it.
    pub embedding_scale: f32,
    /// Factor on the raw scores; by default `1/√d_h`.
    pub attention_scale: Option<f32>,
    /// By block what raw scores are also divided by, where that differs.
    pub score_divisors: Vec<f32>,
    /// Soft cap of the scaled scores.
    pub score_cap: Option<f32>,
    /// Soft cap of the logits.
    pub logit_cap: Option<f32>,
    /// By block how many keys on each side of a query it looks at, where these are not all.
    pub windows: Vec<Option<usize>>,
    /// By block how queries and keys are turned.
    pub rotations: Vec<Option<Rc<Rotation>>>,
    /// Whether trained terms by distance join the scores of self-attention.
    pub is_relative: bool,
    /// How it decodes greedily; of an encoder alone nothing is set.
    pub generation: GenerationSettings,
    /// The token that fills up a batch.
    pub pad_token: Option<u32>,
    /// The fields of its files that have no effect.
    pub warnings: Vec<FieldWarning>,
}

impl ModelConfig {
    /// Whether the decoder looks at the encoder.
    pub fn has_cross_attention(&self) -> bool {
        self.encoder.is_some() && self.decoder.is_some()
    }

    /// Whether something joins the scores of a site between scale and mask.
    pub fn joins_scores(&self, stack: Stack) -> bool {
        self.score_cap.is_some() || (self.is_relative && stack != Stack::Cross)
    }

    /// The blocks of a place where the model attends.
    pub fn stack(&self, stack: Stack) -> Option<StackConfig> {
        match stack {
            Stack::Encoder => self.encoder,
            Stack::Decoder => self.decoder,
            Stack::Cross => self.decoder.filter(|_| self.has_cross_attention()),
        }
    }

    /// What edits may name, for a text of so many tokens.
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
