//! GPT-2: a decoder that goes on writing. Pre-norm, learned positions, one more norm at
//! the end; Q, K and V of a block stand in one matrix.
//!
//! Sources: Radford et al. 2019; names and defaults after Hugging Face's `GPT2Config`
//! and `GPT2LMHeadModel`, whose `Conv1D` stores weights `[inner, outer]`.

use std::rc::Rc;

use serde_json::json;

use super::checkpoint::Checkpoint;
use super::config::{Family, ModelConfig, StackConfig};
use super::loader::Loader;
use super::validation::{FieldNames, StackNames, validated};
use super::wire::Fields;
use super::{Model, Parameters, StackWeights};
use crate::attention::MultiHeadAttention;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::{Block, Embedding, FeedForward, OutputHead};
use crate::edits::NormPlace;
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::positions::Scheme;

/// Hugging Face's names.
const NAMES: FieldNames = FieldNames {
    width: "n_embd",
    positions: "n_positions",
    epsilon: "layer_norm_epsilon",
    encoder: StackNames::NONE,
    decoder: StackNames { layers: "n_layer", heads: "n_head", d_ff: "n_inner", ..StackNames::NONE },
};

/// Reads the config.
pub(super) fn config(fields: &Fields) -> Result<ModelConfig> {
    fields.require("scale_attn_weights", &json!(true))?;
    fields.require("scale_attn_by_inverse_layer_idx", &json!(false))?;
    // Cross-attention without an encoder's output is left out.
    fields.expect("add_cross_attention", &json!(false));
    let d_model = fields.size("n_embd")?;
    let n_vocabulary = fields.size("vocab_size")?;
    let four_times = d_model.saturating_mul(4);
    let config = ModelConfig {
        family: Family::Gpt2,
        d_model,
        n_vocabulary,
        max_tokens: fields.size_or("n_positions", 1024)?,
        n_token_types: 0,
        encoder: None,
        decoder: Some(StackConfig::divided(
            fields.size("n_layer")?,
            fields.size("n_head")?,
            fields.size_or("n_inner", four_times)?,
            d_model,
        )),
        positions: Scheme::Learned,
        activation: fields.activation_or("activation_function", Activation::GeluTanh)?,
        is_gated: false,
        norm: NormPlace::Pre,
        epsilon: fields.number_or("layer_norm_epsilon", 1e-5)? as f32,
        embedding_scale: 1.0,
        start_token: fields.token("bos_token_id", n_vocabulary),
        end_token: fields.token("eos_token_id", n_vocabulary),
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
    let loader = Loader::new(&backend, checkpoint, &config, &["transformer.", ""], "wte.weight");
    let mut parameters = Parameters::default();
    let (d, vocabulary) = (config.d_model, config.n_vocabulary);

    let tokens = Rc::new(loader.table(&loader.name("wte.weight"), vocabulary)?);
    let positions = loader.numbers(&loader.name("wpe.weight"), &[config.max_tokens, d])?;
    parameters.embedding = loader.counted();
    let mut blocks = Vec::new();
    if let Some(stack) = config.decoder {
        for layer in 0..stack.n_layers {
            blocks.push(block(&loader, &format!("h.{layer}"), stack)?);
        }
    }
    let final_norm = Some(loader.norm("ln_f")?);
    parameters.decoder = loader.counted();

    let tied = fields.flag_or("tie_word_embeddings", true)?;
    let matrix = if tied {
        Rc::clone(&tokens)
    } else {
        Rc::new(loader.table("lm_head.weight", vocabulary)?)
    };
    parameters.output = loader.counted();
    let embedding = Embedding {
        tokens,
        scale: config.embedding_scale,
        positions: Some(backend.upload(positions, d)),
        token_types: None,
        norm: None,
    };
    let decoder = StackWeights { embedding, blocks, final_norm };
    let head = OutputHead { transform: None, projection: Linear::new(matrix, None) };
    Ok(Model {
        encoder: None,
        decoder: Some(decoder),
        head: Some(head),
        parameters: parameters.summed(),
        config,
        backend,
    })
}

fn block<B: Backend>(loader: &Loader<'_, B>, name: &str, stack: StackConfig) -> Result<Block<B>> {
    let d = loader.config.d_model;
    let [query, key, value] =
        fused_projections(loader, &loader.name(&format!("{name}.attn.c_attn")))?;
    let conv = |part: &str, inner, outer| {
        convolution(loader, &loader.name(&format!("{name}.{part}")), inner, outer)
    };
    Ok(Block {
        self_attention: MultiHeadAttention {
            query,
            key,
            value,
            output: conv("attn.c_proj", d, d)?,
            n_heads: stack.n_heads,
            n_kv_heads: stack.n_kv_heads,
            head_dim: stack.head_dim,
            turns: None,
        },
        self_residual: loader.residual(&format!("{name}.ln_1"))?,
        cross: None,
        feed_forward: FeedForward {
            inner: conv("mlp.c_fc", d, stack.d_ff)?,
            outer: conv("mlp.c_proj", stack.d_ff, d)?,
            activation: loader.config.activation,
            linear: None,
        },
        feed_forward_residual: loader.residual(&format!("{name}.ln_2"))?,
    })
}

/// A `Conv1D`: `weight` `[inner, outer]` and `bias`.
fn convolution<B: Backend>(
    loader: &Loader<'_, B>,
    name: &str,
    inner: usize,
    outer: usize,
) -> Result<Linear<B>> {
    let weight = loader.numbers(&format!("{name}.weight"), &[inner, outer])?;
    let matrix = loader.backend.matrix(&weight, inner, outer, Order::InnerOuter);
    Ok(Linear::new(Rc::new(matrix), Some(loader.vector(&format!("{name}.bias"), outer)?)))
}

/// Q, K and V out of the one matrix `[d, 3d]` that holds them side by side.
fn fused_projections<B: Backend>(loader: &Loader<'_, B>, name: &str) -> Result<[Linear<B>; 3]> {
    let d = loader.config.d_model;
    let weight = loader.numbers(&format!("{name}.weight"), &[d, 3 * d])?;
    let bias = loader.numbers(&format!("{name}.bias"), &[3 * d])?;
    Ok([0, 1, 2].map(|part| {
        let columns = part * d..(part + 1) * d;
        let own: Vec<f32> = weight
            .chunks_exact(3 * d)
            .flat_map(|row| row[columns.clone()].iter().copied())
            .collect();
        let matrix = loader.backend.matrix(&own, d, d, Order::InnerOuter);
        Linear::new(Rc::new(matrix), Some(loader.backend.upload(bias[columns].to_vec(), d)))
    }))
}
