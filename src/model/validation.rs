//! Checks of every config before memory is allocated for it, in every family. An error names the
//! field as the family's own file does.

use super::config::{ModelConfig, StackConfig};
use super::family::{Family, StackSizes};
use crate::error::{Code, Error, Result};
use crate::positions::Scheme;
use crate::warning::FieldWarning;

/// The most numbers of a table or matrix, which wasm's 32 bits can count; the checkpoint bounds
/// their bytes. The table of Gemma 2 2B has 590 million.
const LARGEST_TENSOR: usize = 1 << 30;

/// The most numbers of a computed position table (64 MiB): no file bounds its size.
const LARGEST_COMPUTED_TABLE: usize = 1 << 24;

/// The most layers, more than any model of these families has.
pub(super) const MOST_LAYERS: usize = 1024;

/// Validates a config.
///
/// # Errors
/// `config/bad-field`, `config/contradiction` or `config/too-large`, each naming the field.
pub(super) fn validated(mut config: ModelConfig, family: &Family) -> Result<ModelConfig> {
    let (width, positions) = (family.sizes.width, family.sizes.positions.field());
    let positive = [
        (width, config.d_model),
        ("vocab_size", config.n_vocabulary),
        (positions, config.max_tokens),
        ("num_channels", config.image.map_or(1, |image| image.channels)),
    ];
    for (field, value) in positive {
        at_least_one(field, value)?;
    }
    let stacks = [(family.encoder, config.encoder), (family.decoder, config.decoder)];
    let stacks = || stacks.iter().filter_map(|&(names, stack)| Some((names?.sizes, stack?)));
    for (names, stack) in stacks() {
        at_least_one(names.layers, stack.n_layers)?;
        at_least_one(names.heads, stack.n_heads)?;
        at_least_one(names.d_ff, stack.d_ff)?;
    }
    if !config.rotations.is_empty() {
        // A shorter table rotates the tokens of a shorter text the same.
        let widest = config.decoder.or(config.encoder).map_or(1, |stack| stack.head_dim.max(1));
        let most = (LARGEST_COMPUTED_TABLE / widest).max(1);
        if config.max_tokens > most {
            let value = config.max_tokens.to_string();
            config.warnings.push(FieldWarning::without_effect("config.json", positions, value));
            config.max_tokens = most;
        }
    }
    check_sizes(&config, family, stacks())?;
    for (names, stack) in stacks() {
        check_heads(&config, names, stack)?;
    }
    if !(config.epsilon.is_finite() && config.epsilon >= 0.0) {
        let (field, got) = (family.sizes.epsilon.field(), config.epsilon.to_string());
        return Err(Error::new(Code::ConfigBadField, field, "a small number from 0", got));
    }
    Ok(config)
}

/// Checks that heads share width, keys and values evenly, and have pairs of dimensions to rotate.
fn check_heads(config: &ModelConfig, names: StackSizes, stack: StackConfig) -> Result<()> {
    let contradiction = |field: &str, expected: String, got: usize| {
        Err(Error::new(Code::ConfigContradiction, field, expected, got.to_string()))
    };
    let is_divided = Some(stack.head_dim) == config.d_model.checked_div(stack.n_heads);
    // If the family has a field for the head's width, the shapes of tensors decide.
    if names.head_dim.is_none() && is_divided && !config.d_model.is_multiple_of(stack.n_heads) {
        let expected = format!("a number that divides the model's width, {}", config.d_model);
        return contradiction(names.heads, expected, stack.n_heads);
    }
    let kv_heads = names.kv_heads.unwrap_or(names.heads);
    let head_dim = names.head_dim.unwrap_or(names.heads);
    at_least_one(kv_heads, stack.n_kv_heads)?;
    at_least_one(head_dim, stack.head_dim)?;
    if !stack.n_heads.is_multiple_of(stack.n_kv_heads) {
        let expected = format!("a number that divides that of the heads, {}", stack.n_heads);
        return contradiction(kv_heads, expected, stack.n_kv_heads);
    }
    let turned = config.rotations.iter().flatten().map(|rotation| 2 * rotation.periods.len());
    if turned.max().is_some_and(|turned| turned > stack.head_dim) {
        let expected = format!(
            "an even number, as rotary positions turn pairs of dimensions; it follows from {}",
            names.heads
        );
        return contradiction(head_dim, expected, stack.head_dim);
    }
    Ok(())
}

fn at_least_one(field: &str, value: usize) -> Result<()> {
    if value > 0 {
        return Ok(());
    }
    Err(Error::new(Code::ConfigBadField, field, "at least 1", "0"))
}

/// Checks that no tensor is larger than memory.
fn check_sizes(
    config: &ModelConfig,
    family: &Family,
    stacks: impl Iterator<Item = (StackSizes, StackConfig)>,
) -> Result<()> {
    at_most(family.sizes.width, config.d_model, LARGEST_TENSOR.isqrt())?;
    let rows = LARGEST_TENSOR / config.d_model;
    let positions = match config.positions {
        Scheme::Sinusoidal { .. } => LARGEST_COMPUTED_TABLE / config.d_model,
        _ => rows,
    };
    at_most("vocab_size", config.n_vocabulary, rows)?;
    at_most(family.sizes.positions.field(), config.max_tokens, positions)?;
    at_most("type_vocab_size", config.n_token_types, rows)?;
    if let Some(image) = config.image {
        at_most("patch_size", image.patch_width(), rows)?;
        let pixels = image.size[0].saturating_mul(image.size[1]);
        at_most("image_size", pixels.saturating_mul(image.channels), LARGEST_TENSOR)?;
    }
    for (names, stack) in stacks {
        at_most(names.layers, stack.n_layers, MOST_LAYERS)?;
        at_most(names.d_ff, stack.d_ff, rows)?;
        at_most(names.heads, stack.n_heads, rows)?;
        at_most(names.head_dim.unwrap_or(names.heads), stack.head_dim, rows / stack.n_heads)?;
    }
    Ok(())
}

fn at_most(field: &str, size: usize, limit: usize) -> Result<()> {
    if size <= limit {
        return Ok(());
    }
    let expected = format!("at most {limit}, so that it fits in memory");
    Err(Error::new(Code::ConfigTooLarge, field, expected, size.to_string()))
}
