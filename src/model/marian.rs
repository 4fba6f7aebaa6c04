//! Marian: the encoder-decoder of 2017 as the Marian project trains it, post-norm, with
//! sinusoids in split halves and one vocabulary for both languages.
//!
//! Sources: Vaswani et al. 2017; Junczys-Dowmunt et al. 2018; names and defaults after
//! Hugging Face's `MarianConfig` and `MarianMTModel`.

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
use crate::blocks::{Block, CrossAttention, Embedding, FeedForward, OutputHead};
use crate::edits::NormPlace;
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::positions::{Layout, Scheme, sinusoidal};

/// Hugging Face's `nn.LayerNorm` default; Marian's config has no field for it.
const EPSILON: f32 = 1e-5;

/// Whether embeddings are shared, and with what.
struct Tying {
    stacks: bool,
    output: bool,
}

/// Hugging Face's names.
const NAMES: FieldNames = FieldNames {
    width: "d_model",
    positions: "max_position_embeddings",
    epsilon: "the norm's epsilon",
    encoder: StackNames {
        layers: "encoder_layers",
        heads: "encoder_attention_heads",
        d_ff: "encoder_ffn_dim",
        ..StackNames::NONE
    },
    decoder: StackNames {
        layers: "decoder_layers",
        heads: "decoder_attention_heads",
        d_ff: "decoder_ffn_dim",
        ..StackNames::NONE
    },
};

/// Reads the config.
pub(super) fn config(fields: &Fields) -> Result<ModelConfig> {
    fields.expect("normalize_before", &json!(false));
    fields.expect("normalize_embedding", &json!(false));
    let d_model = fields.size("d_model")?;
    let n_vocabulary = fields.size("vocab_size")?;
    let scaled = fields.flag_or("scale_embedding", false)?;
    let stack = |side: &str| {
        Ok(StackConfig::divided(
            fields.size(&format!("{side}_layers"))?,
            fields.size(&format!("{side}_attention_heads"))?,
            fields.size(&format!("{side}_ffn_dim"))?,
            d_model,
        ))
    };
    let pad_token = fields.token("pad_token_id", n_vocabulary);
    let start = "decoder_start_token_id";
    let start_token = if fields.has(start) { fields.token(start, n_vocabulary) } else { pad_token };
    let config = ModelConfig {
        family: Family::Marian,
        d_model,
        n_vocabulary,
        max_tokens: fields.size_or("max_position_embeddings", 1024)?,
        n_token_types: 0,
        encoder: Some(stack("encoder")?),
        decoder: Some(stack("decoder")?),
        positions: Scheme::Sinusoidal(Layout::SplitHalves),
        activation: fields.activation_or("activation_function", Activation::Gelu)?,
        is_gated: false,
        norm: NormPlace::Post,
        epsilon: EPSILON,
        embedding_scale: if scaled { (d_model as f32).sqrt() } else { 1.0 },
        start_token,
        end_token: fields.token("eos_token_id", n_vocabulary),
        pad_token,
        suppressed_tokens: fields.single_tokens("bad_words_ids", n_vocabulary),
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
    let tying = Tying {
        stacks: fields.flag_or("share_encoder_decoder_embeddings", true)?,
        output: fields.flag_or("tie_word_embeddings", true)?,
    };
    let loader =
        Loader::new(&backend, checkpoint, &config, &["model.", ""], "encoder.layers.0.fc1.weight");
    let mut parameters = Parameters::default();

    let [source, target] = tables(&loader, &tying)?;
    let vocabulary = config.n_vocabulary;
    parameters.embedding = loader.counted();
    let output = if tying.output {
        Rc::clone(&target)
    } else {
        Rc::new(loader.table("lm_head.weight", vocabulary)?)
    };
    let bias = "final_logits_bias";
    let bias = if checkpoint.has(bias) {
        Some(backend.upload(loader.numbers(bias, &[1, vocabulary])?, vocabulary))
    } else {
        None
    };
    let head = OutputHead { transform: None, projection: Linear::new(output, bias) };
    parameters.output = loader.counted();

    let mut positions = config.positions;
    let mut embedding = |tokens, side| {
        let (table, scheme) = position_table(&loader, side)?;
        if scheme == Scheme::Learned {
            positions = scheme;
        }
        Ok(Embedding {
            tokens,
            scale: config.embedding_scale,
            positions: Some(backend.upload(table, config.d_model)),
            token_types: None,
            norm: None,
        })
    };
    let mut encoder = StackWeights {
        embedding: embedding(source, "encoder")?,
        blocks: Vec::new(),
        final_norm: None,
    };
    let mut decoder = StackWeights {
        embedding: embedding(target, "decoder")?,
        blocks: Vec::new(),
        final_norm: None,
    };
    let sides =
        [("encoder", config.encoder, &mut encoder), ("decoder", config.decoder, &mut decoder)];
    for (side, stack, weights) in sides {
        let Some(stack) = stack else { continue };
        for layer in 0..stack.n_layers {
            let name = format!("{side}.layers.{layer}");
            let cross = if side == "decoder" {
                Some(cross_attention(&loader, &name, stack)?)
            } else {
                None
            };
            parameters.cross += loader.counted();
            weights.blocks.push(block(&loader, &name, stack, cross)?);
            *(if side == "encoder" { &mut parameters.encoder } else { &mut parameters.decoder }) +=
                loader.counted();
        }
    }
    Ok(Model {
        encoder: Some(encoder),
        decoder: Some(decoder),
        head: Some(head),
        parameters: parameters.summed(),
        config: ModelConfig { positions, ..config },
        backend,
    })
}

/// The positions of a stack as the checkpoint stores them, and which scheme they are: sinusoids,
/// unless a number differs by more than rounding to f16 explains. Most checkpoints store none,
/// and Hugging Face then computes the sinusoids.
fn position_table<B: Backend>(loader: &Loader<'_, B>, side: &str) -> Result<(Vec<f32>, Scheme)> {
    let config = loader.config;
    let waves = sinusoidal(config.max_tokens, config.d_model, Layout::SplitHalves);
    let waves = waves.into_raw_vec_and_offset().0;
    let name = loader.name(&format!("{side}.embed_positions.weight"));
    if !loader.checkpoint.has(&name) {
        return Ok((waves, config.positions));
    }
    // Not counted as parameters: Hugging Face does not train them.
    let table = loader.checkpoint.read(&name, &[config.max_tokens, config.d_model])?;
    let is_waves = table.iter().zip(&waves).all(|(stored, wave)| (stored - wave).abs() < 1e-3);
    Ok((table, if is_waves { config.positions } else { Scheme::Learned }))
}

/// The token tables of encoder and decoder, under whichever of their names they were
/// saved: a tied one under any, an untied one under its own before the shared.
fn tables<B: Backend>(loader: &Loader<'_, B>, tying: &Tying) -> Result<[Rc<B::Matrix>; 2]> {
    let names = [
        loader.name("shared.weight"),
        loader.name("encoder.embed_tokens.weight"),
        loader.name("decoder.embed_tokens.weight"),
        "lm_head.weight".to_owned(),
    ];
    let [shared, encoder, decoder, output] = &names;
    let table = |candidates: &[&String]| {
        let found =
            candidates.iter().find(|name| loader.checkpoint.has(name)).unwrap_or(&candidates[0]);
        loader.table(found, loader.config.n_vocabulary).map(Rc::new)
    };
    if tying.stacks && tying.output {
        let tied = table(&[shared, encoder, decoder, output])?;
        return Ok([Rc::clone(&tied), tied]);
    }
    Ok([table(&[encoder, shared])?, table(&[decoder, shared])?])
}

fn attention<B: Backend>(
    loader: &Loader<'_, B>,
    name: &str,
    stack: StackConfig,
) -> Result<MultiHeadAttention<B>> {
    let d = loader.config.d_model;
    let projection = |part: &str| loader.linear(&format!("{name}.{part}"), d, d);
    Ok(MultiHeadAttention {
        query: projection("q_proj")?,
        key: projection("k_proj")?,
        value: projection("v_proj")?,
        output: projection("out_proj")?,
        n_heads: stack.n_heads,
        n_kv_heads: stack.n_kv_heads,
        head_dim: stack.head_dim,
        turns: None,
    })
}

fn cross_attention<B: Backend>(
    loader: &Loader<'_, B>,
    name: &str,
    stack: StackConfig,
) -> Result<CrossAttention<B>> {
    Ok(CrossAttention {
        attention: attention(loader, &format!("{name}.encoder_attn"), stack)?,
        residual: loader.residual(&format!("{name}.encoder_attn_layer_norm"))?,
    })
}

fn block<B: Backend>(
    loader: &Loader<'_, B>,
    name: &str,
    stack: StackConfig,
    cross: Option<CrossAttention<B>>,
) -> Result<Block<B>> {
    let d = loader.config.d_model;
    Ok(Block {
        self_attention: attention(loader, &format!("{name}.self_attn"), stack)?,
        self_residual: loader.residual(&format!("{name}.self_attn_layer_norm"))?,
        cross,
        feed_forward: FeedForward {
            inner: loader.linear(&format!("{name}.fc1"), d, stack.d_ff)?,
            outer: loader.linear(&format!("{name}.fc2"), stack.d_ff, d)?,
            activation: loader.config.activation,
            linear: None,
        },
        feed_forward_residual: loader.residual(&format!("{name}.final_layer_norm"))?,
    })
}
