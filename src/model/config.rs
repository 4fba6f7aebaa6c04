//! A model's shape once it is known to make sense: the same few numbers for every
//! family. Each family reads its own file format into it (wire config → this).

use serde::Serialize;

use crate::axes::Stack;
use crate::blocks::NormPlacement;
use crate::edits::Extent;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::positions::Scheme;

/// No single table or matrix may hold more numbers than this (1 GiB of f32): a file, its
/// weights and a run must fit in wasm's 4 GiB together.
const LARGEST_TENSOR: usize = 1 << 28;

/// A computed table of positions holds at most so many (64 MiB): no file bounds its size.
const LARGEST_COMPUTED_TABLE: usize = 1 << 24;

/// More blocks than any model of these families has.
const MOST_LAYERS: usize = 1024;

/// Which papers' model it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// The translator of 2017 as Marian trains it.
    Marian,
    /// The encoder with masked words.
    Bert,
    /// The decoder that goes on writing.
    Gpt2,
}

/// One stack of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackConfig {
    /// Blocks.
    pub n_layers: usize,
    /// Heads per block.
    pub n_heads: usize,
    /// Width inside the feed-forward network.
    pub d_ff: usize,
}

/// The validated config.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// Which family's checkpoint it describes.
    pub family: Family,
    /// The width of the residual stream.
    pub d_model: usize,
    /// Entries of the vocabulary.
    pub n_vocabulary: usize,
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
    /// On which side of the residual the norms stand.
    pub norm: NormPlacement,
    /// `ε` of every norm.
    pub epsilon: f32,
    /// Embeddings are multiplied by it.
    pub embedding_scale: f32,
    /// The token that a decoder begins with.
    pub start_token: Option<u32>,
    /// The token that ends a text.
    pub end_token: Option<u32>,
    /// The token that fills up a batch.
    pub pad_token: Option<u32>,
    /// Tokens that greedy decoding never writes.
    pub suppressed_tokens: Vec<u32>,
}

impl ModelConfig {
    /// Whether the decoder looks at the encoder.
    pub fn has_cross_attention(&self) -> bool {
        self.encoder.is_some() && self.decoder.is_some()
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
                n_queries,
                n_keys,
            })
        };
        Stack::ALL.iter().filter_map(|&stack| extent(stack)).collect()
    }

    /// Checks what every family has in common.
    ///
    /// # Errors
    /// `config/bad-field`, `config/contradiction` or `config/too-large`, each naming
    /// the field.
    pub fn validated(self) -> Result<Self> {
        let positive = [
            ("the model's width", self.d_model),
            ("vocab_size", self.n_vocabulary),
            ("the number of positions", self.max_tokens),
        ];
        for (field, value) in positive {
            if value == 0 {
                return Err(Error::new(Code::ConfigBadField, field, "at least 1", "0"));
            }
        }
        self.validate_sizes()?;
        for (name, stack) in [("encoder", self.encoder), ("decoder", self.decoder)] {
            if let Some(stack) = stack {
                self.validate_stack(name, stack)?;
            }
        }
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            let got = self.epsilon.to_string();
            return Err(Error::new(
                Code::ConfigBadField,
                "the norm's epsilon",
                "a small positive number",
                got,
            ));
        }
        self.validate_special_tokens()?;
        Ok(self)
    }

    fn validate_special_tokens(&self) -> Result<()> {
        let special = [
            ("the start token", self.start_token),
            ("the end token", self.end_token),
            ("the padding token", self.pad_token),
        ];
        let special = special.into_iter().filter_map(|(what, id)| Some((what, id?)));
        let suppressed = self.suppressed_tokens.iter().map(|&id| ("a token of bad_words_ids", id));
        match special.chain(suppressed).find(|&(_, id)| id as usize >= self.n_vocabulary) {
            None => Ok(()),
            Some((what, id)) => Err(Error::new(
                Code::ConfigContradiction,
                format!("{what} in the config"),
                format!("an id below vocab_size, {}", self.n_vocabulary),
                id.to_string(),
            )),
        }
    }

    /// Checks that no tensor is larger than memory, before anything is allocated.
    fn validate_sizes(&self) -> Result<()> {
        let widest = LARGEST_TENSOR.isqrt();
        at_most("the model's width", self.d_model, widest)?;
        let rows = LARGEST_TENSOR / self.d_model;
        let positions = match self.positions {
            Scheme::Sinusoidal(_) => LARGEST_COMPUTED_TABLE / self.d_model,
            Scheme::Learned => rows,
        };
        at_most("vocab_size", self.n_vocabulary, rows)?;
        at_most("the number of positions", self.max_tokens, positions)?;
        at_most("type_vocab_size", self.n_token_types, rows)?;
        for (name, stack) in [("encoder", self.encoder), ("decoder", self.decoder)] {
            let Some(stack) = stack else { continue };
            at_most(&format!("the {name}'s layers"), stack.n_layers, MOST_LAYERS)?;
            at_most(&format!("the {name}'s feed-forward width"), stack.d_ff, rows)?;
        }
        Ok(())
    }

    fn validate_stack(&self, name: &str, stack: StackConfig) -> Result<()> {
        let fields = [
            ("layers", stack.n_layers),
            ("heads", stack.n_heads),
            ("feed-forward width", stack.d_ff),
        ];
        for (field, value) in fields {
            if value == 0 {
                let doing = format!("the {name}'s {field}");
                return Err(Error::new(Code::ConfigBadField, doing, "at least 1", "0"));
            }
        }
        if !self.d_model.is_multiple_of(stack.n_heads) {
            return Err(Error::new(
                Code::ConfigContradiction,
                format!("the {name}'s heads"),
                format!("a number that divides the model's width, {}", self.d_model),
                stack.n_heads.to_string(),
            ));
        }
        Ok(())
    }
}

fn at_most(what: &str, size: usize, limit: usize) -> Result<()> {
    if size <= limit {
        return Ok(());
    }
    let expected = format!("at most {limit}, so that it fits in memory");
    Err(Error::new(Code::ConfigTooLarge, what, expected, size.to_string()))
}
