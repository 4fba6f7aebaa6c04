//! Llama: a decoder that goes on writing. Pre-norm by the root of the mean square, rotary
//! positions, heads that share keys and values, a gated feed-forward network.
//!
//! Sources: Touvron et al. 2023, section 2.2; names and defaults after Hugging Face's
//! `LlamaConfig`, `LlamaModel` and `LlamaForCausalLM`. Rotations that are stretched for
//! texts within the model's positions (`linear`, `yarn`, …) are refused; every
//! dimension is turned, as in `LlamaModel`.

use std::rc::Rc;

use super::checkpoint::Checkpoint;
use super::config::{Family, ModelConfig, StackConfig};
use super::loader::Loader;
use super::validation::{FieldNames, StackNames, validated};
use super::wire::Fields;
use super::{Model, Parameters, StackWeights};
use crate::attention::MultiHeadAttention;
use crate::backend::{Backend, Linear};
use crate::blocks::{Block, Embedding, FeedForward, OutputHead, Residual};
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::positions::{Scheme, rotary};

/// Hugging Face's names.
const NAMES: FieldNames = FieldNames {
    width: "hidden_size",
    positions: "max_position_embeddings",
    epsilon: "rms_norm_eps",
    encoder: StackNames::NONE,
    decoder: StackNames {
        layers: "num_hidden_layers",
        heads: "num_attention_heads",
        d_ff: "intermediate_size",
        kv_heads: "num_key_value_heads",
        head_dim: "head_dim",
    },
};

/// Reads the config.
pub(super) fn config(fields: &Fields) -> Result<ModelConfig> {
    let d_model = fields.size("hidden_size")?;
    let n_vocabulary = fields.size("vocab_size")?;
    let divided = StackConfig::divided(
        fields.size("num_hidden_layers")?,
        fields.size("num_attention_heads")?,
        fields.size("intermediate_size")?,
        d_model,
    );
    let config = ModelConfig {
        family: Family::Llama,
        d_model,
        n_vocabulary,
        max_tokens: fields.size_or("max_position_embeddings", 2048)?,
        n_token_types: 0,
        encoder: None,
        decoder: Some(StackConfig {
            n_kv_heads: fields.size_or("num_key_value_heads", divided.n_kv_heads)?,
            head_dim: fields.size_or("head_dim", divided.head_dim)?,
            ..divided
        }),
        positions: Scheme::Rotary { base: rotation_base(fields)? },
        activation: fields.activation_or("hidden_act", Activation::Silu)?,
        is_gated: true,
        norm: NormPlace::Pre,
        epsilon: fields.number_or("rms_norm_eps", 1e-6)? as f32,
        embedding_scale: 1.0,
        start_token: fields.token("bos_token_id", n_vocabulary),
        end_token: fields.token("eos_token_id", n_vocabulary),
        pad_token: fields.token("pad_token_id", n_vocabulary),
        suppressed_tokens: Vec::new(),
        warnings: fields.warnings(),
    };
    validated(config, &NAMES)
}

/// The base of the rotation's speeds: a field of its own, since transformers 5 one of
/// `rope_parameters`.
fn rotation_base(fields: &Fields) -> Result<f64> {
    let mut base = fields.number_or("rope_theta", 10_000.0)?;
    for outer in ["rope_scaling", "rope_parameters"] {
        let Some(parameters) = fields.object(outer)? else { continue };
        for inner in ["rope_type", "type"] {
            match parameters.text(inner)? {
                // `dynamic` stretches only texts longer than the model's positions.
                None | Some("default" | "dynamic") => {}
                Some(other) => {
                    let expected = "default; rotations that are stretched are not built in";
                    return Err(bad(&format!("{outer}.{inner}"), expected, other));
                }
            }
        }
        let share = parameters.number_or("partial_rotary_factor", 1.0)?;
        if share.to_bits() != 1f64.to_bits() {
            fields.warn("partial_rotary_factor", &share.into());
        }
        base = parameters.number_or("rope_theta", base)?;
    }
    if base > 0.0 {
        Ok(base)
    } else {
        Err(bad("rope_theta", "a positive number", &base.to_string()))
    }
}

fn bad(field: &str, expected: &str, got: &str) -> Error {
    Error::new(Code::ConfigBadField, field, expected, got)
}

/// Maps the checkpoint's names.
pub(super) fn load<B: Backend>(
    backend: B,
    config: ModelConfig,
    fields: &Fields,
    checkpoint: &Checkpoint<'_>,
) -> Result<Model<B>> {
    let loader = Loader::new(&backend, checkpoint, &config, &["model.", ""], "embed_tokens.weight");
    let mut parameters = Parameters::default();
    let vocabulary = config.n_vocabulary;

    let tokens = Rc::new(loader.table(&loader.name("embed_tokens.weight"), vocabulary)?);
    parameters.embedding = loader.counted();
    let mut blocks = Vec::new();
    if let (Some(stack), Scheme::Rotary { base }) = (config.decoder, config.positions) {
        let turns = rotary(config.max_tokens, stack.head_dim, base).into_raw_vec_and_offset().0;
        let turns = backend.upload(turns, stack.head_dim);
        let biases = Biases {
            attention: fields.flag_or("attention_bias", false)?,
            feed_forward: fields.flag_or("mlp_bias", false)?,
        };
        for layer in 0..stack.n_layers {
            blocks.push(block(&loader, &format!("layers.{layer}"), stack, &biases, &turns)?);
        }
    }
    let final_norm = Some(loader.rms_norm("norm")?);
    parameters.decoder = loader.counted();

    let tied = fields.flag_or("tie_word_embeddings", false)?;
    let matrix = if tied {
        Some(Rc::clone(&tokens))
    } else if loader.is_bare() && !checkpoint.has("lm_head.weight") {
        // Saved as a `LlamaModel`, which predicts nothing.
        None
    } else {
        Some(Rc::new(loader.table("lm_head.weight", vocabulary)?))
    };
    parameters.output = loader.counted();
    let embedding = Embedding {
        tokens,
        scale: config.embedding_scale,
        positions: None,
        token_types: None,
        norm: None,
    };
    let head =
        matrix.map(|matrix| OutputHead { transform: None, projection: Linear::new(matrix, None) });
    Ok(Model {
        encoder: None,
        decoder: Some(StackWeights { embedding, blocks, final_norm }),
        head,
        parameters: parameters.summed(),
        config,
        backend,
    })
}

/// Which maps have a bias.
struct Biases {
    attention: bool,
    feed_forward: bool,
}

fn block<B: Backend>(
    loader: &Loader<'_, B>,
    name: &str,
    stack: StackConfig,
    biases: &Biases,
    turns: &B::Tensor,
) -> Result<Block<B>> {
    let (d, queries, keys) = (loader.config.d_model, stack.query_width(), stack.kv_width());
    let attention = |part: &str, inner, outer| {
        loader.linear_with(&format!("{name}.self_attn.{part}"), inner, outer, biases.attention)
    };
    let network = |part: &str, inner, outer| {
        loader.linear_with(&format!("{name}.mlp.{part}"), inner, outer, biases.feed_forward)
    };
    let residual = |part: &str| {
        let norm = loader.rms_norm(&format!("{name}.{part}"))?;
        Ok(Residual { norm, placement: loader.config.norm })
    };
    Ok(Block {
        self_attention: MultiHeadAttention {
            query: attention("q_proj", d, queries)?,
            key: attention("k_proj", d, keys)?,
            value: attention("v_proj", d, keys)?,
            output: attention("o_proj", queries, d)?,
            n_heads: stack.n_heads,
            n_kv_heads: stack.n_kv_heads,
            head_dim: stack.head_dim,
            turns: Some(turns.clone()),
        },
        self_residual: residual("input_layernorm")?,
        cross: None,
        feed_forward: FeedForward {
            inner: network("gate_proj", d, stack.d_ff)?,
            outer: network("down_proj", stack.d_ff, d)?,
            activation: loader.config.activation,
            linear: Some(network("up_proj", d, stack.d_ff)?),
        },
        feed_forward_residual: residual("post_attention_layernorm")?,
    })
}
