//! BERT: an encoder that reads a whole text at once and fills in masked words.
//! Post-norm, learned positions, two kinds of token.
//!
//! Sources: Devlin et al. 2019; names and defaults after Hugging Face's `BertConfig`,
//! `BertModel` and `BertForMaskedLM`. The pooler and the next-sentence head are not read.

use std::rc::Rc;

use serde_json::json;

use super::checkpoint::Checkpoint;
use super::config::{Family, ModelConfig, StackConfig};
use super::loader::Loader;
use super::validation::{FieldNames, StackNames, validated};
use super::wire::Fields;
use super::{Model, Parameters, StackWeights};
use crate::attention::MultiHeadAttention;
use crate::backend::{Backend, Linear};
use crate::blocks::{Block, Embedding, FeedForward, OutputHead, Transform};
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::positions::Scheme;

/// Hugging Face's names.
const NAMES: FieldNames = FieldNames {
    width: "hidden_size",
    positions: "max_position_embeddings",
    epsilon: "layer_norm_eps",
    encoder: StackNames {
        layers: "num_hidden_layers",
        heads: "num_attention_heads",
        d_ff: "intermediate_size",
        ..StackNames::NONE
    },
    decoder: StackNames::NONE,
};

/// Reads the config.
pub(super) fn config(fields: &Fields) -> Result<ModelConfig> {
    fields.require("position_embedding_type", &json!("absolute"))?;
    fields.require("is_decoder", &json!(false))?;
    let n_token_types = fields.size_or("type_vocab_size", 2)?;
    if n_token_types == 0 {
        // Every token has a type: without one there is no row to add.
        return Err(Error::new(Code::ConfigBadField, "type_vocab_size", "at least 1", "0"));
    }
    let d_model = fields.size("hidden_size")?;
    let n_vocabulary = fields.size("vocab_size")?;
    let config = ModelConfig {
        family: Family::Bert,
        d_model,
        n_vocabulary,
        max_tokens: fields.size_or("max_position_embeddings", 512)?,
        n_token_types,
        encoder: Some(StackConfig::divided(
            fields.size("num_hidden_layers")?,
            fields.size("num_attention_heads")?,
            fields.size("intermediate_size")?,
            d_model,
        )),
        decoder: None,
        positions: Scheme::Learned,
        activation: fields.activation_or("hidden_act", Activation::Gelu)?,
        is_gated: false,
        norm: NormPlace::Post,
        epsilon: fields.number_or("layer_norm_eps", 1e-12)? as f32,
        embedding_scale: 1.0,
        start_token: None,
        end_token: None,
        pad_token: fields.token("pad_token_id", n_vocabulary),
        suppressed_tokens: Vec::new(),
        warnings: fields.warnings(),
    };
    validated(config, &NAMES)
}

/// Maps the checkpoint's names.
pub(super) fn load<B: Backend>(
    backend: B,
    config: ModelConfig,
    fields: &Fields,
    checkpoint: &Checkpoint<'_>,
) -> Result<Model<B>> {
    let loader = Loader::new(
        &backend,
        checkpoint,
        &config,
        &["bert.", ""],
        "embeddings.word_embeddings.weight",
    );
    let mut parameters = Parameters::default();
    let d = config.d_model;

    let tokens = Rc::new(
        loader.table(&loader.name("embeddings.word_embeddings.weight"), config.n_vocabulary)?,
    );
    let positions = loader
        .numbers(&loader.name("embeddings.position_embeddings.weight"), &[config.max_tokens, d])?;
    let types = loader
        .table(&loader.name("embeddings.token_type_embeddings.weight"), config.n_token_types)?;
    let embedding = Embedding {
        tokens: Rc::clone(&tokens),
        scale: config.embedding_scale,
        positions: Some(backend.upload(positions, d)),
        token_types: Some(types),
        norm: Some(loader.norm("embeddings.LayerNorm")?),
    };
    parameters.embedding = loader.counted();

    let mut blocks = Vec::new();
    if let Some(stack) = config.encoder {
        for layer in 0..stack.n_layers {
            blocks.push(block(&loader, &format!("encoder.layer.{layer}"), stack)?);
        }
    }
    parameters.encoder = loader.counted();

    let tied = fields.flag_or("tie_word_embeddings", true)?;
    let head = output_head(&loader, tokens, tied)?;
    parameters.output = loader.counted();
    let encoder = StackWeights { embedding, blocks, final_norm: None };
    Ok(Model {
        encoder: Some(encoder),
        decoder: None,
        head,
        parameters: parameters.summed(),
        config,
        backend,
    })
}

fn block<B: Backend>(loader: &Loader<'_, B>, name: &str, stack: StackConfig) -> Result<Block<B>> {
    let d = loader.config.d_model;
    let linear = |part: &str, inner, outer| loader.linear(&format!("{name}.{part}"), inner, outer);
    Ok(Block {
        self_attention: MultiHeadAttention {
            query: linear("attention.self.query", d, d)?,
            key: linear("attention.self.key", d, d)?,
            value: linear("attention.self.value", d, d)?,
            output: linear("attention.output.dense", d, d)?,
            n_heads: stack.n_heads,
            n_kv_heads: stack.n_kv_heads,
            head_dim: stack.head_dim,
            turns: None,
        },
        self_residual: loader.residual(&format!("{name}.attention.output.LayerNorm"))?,
        cross: None,
        feed_forward: FeedForward {
            inner: linear("intermediate.dense", d, stack.d_ff)?,
            outer: linear("output.dense", stack.d_ff, d)?,
            activation: loader.config.activation,
            linear: None,
        },
        feed_forward_residual: loader.residual(&format!("{name}.output.LayerNorm"))?,
    })
}

/// The masked-word head, of a checkpoint that has one. Its names stand outside the prefix.
fn output_head<B: Backend>(
    loader: &Loader<'_, B>,
    tokens: Rc<B::Matrix>,
    tied: bool,
) -> Result<Option<OutputHead<B>>> {
    let (d, vocabulary) = (loader.config.d_model, loader.config.n_vocabulary);
    let (checkpoint, backend) = (loader.checkpoint, loader.backend);
    if !checkpoint.has("cls.predictions.transform.dense.weight") {
        return Ok(None);
    }
    let outside = Loader::new(backend, checkpoint, loader.config, &["cls.predictions."], "bias");
    let matrix = if tied {
        tokens
    } else {
        Rc::new(outside.table("cls.predictions.decoder.weight", vocabulary)?)
    };
    // An untied projection has a bias of its own. Files from before transformers 5 store one bias.
    let own_bias = "cls.predictions.decoder.bias";
    let bias = if !tied && checkpoint.has(own_bias) { own_bias } else { "cls.predictions.bias" };
    let bias = outside.vector(bias, vocabulary)?;
    Ok(Some(OutputHead {
        transform: Some(Transform {
            dense: outside.linear("transform.dense", d, d)?,
            activation: loader.config.activation,
            norm: outside.norm("transform.LayerNorm")?,
        }),
        projection: Linear::new(matrix, Some(bias)),
    }))
}
