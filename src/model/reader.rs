//! From the fields of a config.json to a validated config, by the entry of the family.

use std::rc::Rc;

use super::config::{ImageConfig, ModelConfig, Sight, StackConfig};
use super::family::{
    ActivationSetting, BuiltIn, DisentangledNames, Family, GroupSizes, LocalLayers, NormSetting,
    PositionNames, ProjectionNames, RelativeNames, Rope, ScoreScale, SkippedRows, SparseSetting,
    StackNames, TokenNames, Unturned, WindowSetting,
};
use super::generation::GenerationSettings;
use super::rope;
use super::validation::{MOST_LAYERS, validated};
use super::wire::{Fields, Setting};
use crate::axes::Stack;
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::positions::{BASE, Layout, Longer, Scheme};

/// The terms of disentangled attention: content to position, position to content.
pub(super) const TERMS: [&str; 2] = ["c2p", "p2c"];

/// Reads and validates a config.
///
/// # Errors
/// `config/…`, naming the field.
pub(super) fn config(family: &Family, fields: &Fields) -> Result<ModelConfig> {
    check_for_all(fields)?;
    for &(field, value) in family.required {
        fields.require(field, &json(value))?;
    }
    for &(field, value) in family.ignored {
        fields.expect(field, &json(value));
    }
    let sizes = family.sizes;
    let d_model = fields.size(sizes.width)?;
    let image = image(family, fields)?;
    let n_vocabulary = match image {
        Some(_) => {
            let labels = fields.object("id2label")?.map_or(2, |labels| labels.count());
            fields.size_or("num_labels", labels)?
        }
        None => fields.size("vocab_size")?,
    };
    let (n_source_vocabulary, n_vocabulary) = match sizes.target_vocabulary {
        Some(field) if !fields.flag_or("share_encoder_decoder_embeddings", true)? => {
            (n_vocabulary, fields.size_or(field, n_vocabulary)?)
        }
        _ => (n_vocabulary, n_vocabulary),
    };
    let [encoder, decoder] = [Stack::Encoder, Stack::Decoder]
        .map(|which| family.stack(which).map(|names| stack(fields, names, d_model)));
    let (encoder, decoder) = (encoder.transpose()?, decoder.transpose()?);
    let embedding_width = match sizes.embedding_width {
        Some(width) => fields.size_or(width.field, width.default.unwrap_or(d_model))?,
        None => d_model,
    };
    let is_said = fields.has("pad_token_id") || fields.is_null("pad_token_id");
    let pad_token = if is_said {
        fields.token("pad_token_id", n_vocabulary)
    } else {
        family.pad_token.filter(|&id| (id as usize) < n_vocabulary)
    };
    let (activation, is_gated) = activation(family.activation, fields)?;
    let config = ModelConfig {
        family: family.name().to_owned(),
        d_model,
        embedding_width,
        n_vocabulary,
        n_source_vocabulary,
        image,
        max_tokens: match image {
            Some(image) => image.n_tokens(),
            None => max_tokens(family, fields, pad_token)?,
        },
        n_token_types: token_types(family, fields)?,
        encoder,
        decoder,
        positions: Scheme::None,
        activation,
        is_gated,
        is_parallel: family.is_parallel.read(fields)?,
        sight: sight(family, fields)?,
        norm: placement(family.norm, fields)?,
        epsilon: sizes.epsilon.read(fields)? as f32,
        embedding_scale: if family.scales_embedding.read(fields)? {
            (d_model as f32).sqrt()
        } else {
            1.0
        },
        attention_scale: attention_scale(family, fields, encoder)?,
        score_divisors: Vec::new(),
        score_cap: cap(family.score_cap, fields)?,
        logit_cap: cap(family.logit_cap, fields)?,
        windows: Vec::new(),
        rotations: Vec::new(),
        is_relative: is_relative(family, fields)?,
        generation: GenerationSettings::default(),
        pad_token,
        warnings: Vec::new(),
    };
    complete(family, fields, config)
}

/// The tokens that are visible to a token of the decoder. Hugging Face takes null for false.
fn sight(family: &Family, fields: &Fields) -> Result<Sight> {
    let is_null = fields.is_null(family.is_causal.field());
    let is_causal = family.is_causal.read(fields)? && !is_null;
    Ok(if is_causal { Sight::Before } else { Sight::Both })
}

/// Adds positions and windows to a config, and validates it.
fn complete(family: &Family, fields: &Fields, mut config: ModelConfig) -> Result<ModelConfig> {
    let has_projection = family
        .first_stack()
        .is_some_and(|names| !matches!(names.embedding_projection, ProjectionNames::None));
    if config.embedding_width != config.d_model && !has_projection {
        let field = family.sizes.embedding_width.map_or("", |width| width.field);
        let (expected, got) = (config.d_model.to_string(), config.embedding_width.to_string());
        return Err(Error::new(Code::ConfigBadField, field, expected, got));
    }
    config.positions = scheme(family, fields, &config)?;
    let n_layers = config.decoder.or(config.encoder).map_or(0, |stack| stack.n_layers);
    let n_layers = n_layers.min(MOST_LAYERS);
    let unturned = family.rope.and_then(|names| names.unturned);
    let is_turned = turned_layers(unturned, fields, n_layers)?;
    let is_local = local_layers(family.window, fields, &is_turned)?;
    if let ScoreScale::HeadWidthIf { by_layer, .. } = family.score_scale
        && by_layer.read(fields)?
    {
        config.score_divisors = (1..=n_layers).map(|at| at as f32).collect();
    }
    if let Some(names) = family.rope {
        rotations(names, fields, &is_local, &is_turned, &mut config)?;
    }
    if let Some(window) = family.window {
        config.windows = windows(window, fields, &is_local, config.sight)?;
    }
    validated(config, family)
}

/// Refuses fields that no family computes with.
fn check_for_all(fields: &Fields) -> Result<()> {
    fields.refuse("per_layer_config", "nothing: settings of single blocks are not computed")?;
    for field in ["quantization_config", "compression_config"] {
        fields.refuse(
            field,
            "nothing: choose the model before it was quantised, or a GGUF file of it",
        )?;
    }
    Ok(())
}

/// A soft cap, which must be above 0.
fn cap(setting: Setting<Option<f64>>, fields: &Fields) -> Result<Option<f32>> {
    match setting.read(fields)? {
        Some(cap) if cap <= 0.0 => {
            let (field, got) = (setting.field(), cap.to_string());
            Err(Error::new(Code::ConfigBadField, field, "a number above 0, or null", got))
        }
        cap => Ok(cap.map(|cap| cap as f32)),
    }
}

/// The place of the norms.
fn placement(norm: NormSetting, fields: &Fields) -> Result<NormPlace> {
    let is_before = norm.before_if.map_or(Ok(true), |field| fields.flag_or(field, true))?;
    Ok(if is_before { norm.placement } else { NormPlace::Post })
}

/// A built-in value as JSON.
fn json(value: BuiltIn) -> serde_json::Value {
    match value {
        BuiltIn::Flag(flag) => flag.into(),
        BuiltIn::Text(text) => text.into(),
        BuiltIn::Nothing => serde_json::Value::Null,
    }
}

/// The sizes of one stack.
fn stack(fields: &Fields, names: &StackNames, d_model: usize) -> Result<StackConfig> {
    let (names, groups) = (names.sizes, names.groups);
    let n_heads = fields.size(names.heads)?;
    let or = |field: Option<&str>, size: usize| {
        field.map_or(Ok(size), |field| fields.size_or(field, size))
    };
    let layers = match names.layers_fallback {
        Some(other) if !fields.has(names.layers) => other,
        _ => names.layers,
    };
    Ok(StackConfig {
        n_layers: fields.size(layers)?.saturating_mul(inner_blocks(groups, fields)?),
        n_heads,
        n_kv_heads: match names.kv_heads {
            Some(field) if fields.is_null(field) => n_heads,
            field => or(field, names.kv_heads_default.unwrap_or(n_heads))?,
        },
        head_dim: {
            let shared = d_model.checked_div(n_heads).unwrap_or(0);
            or(names.head_dim, names.head_dim_default.unwrap_or(shared))?
        },
        d_ff: match names.d_ff_times {
            None => fields.size(names.d_ff)?,
            Some(times) => fields.size_or(names.d_ff, d_model.saturating_mul(times))?,
        },
    })
}

/// The blocks that a layer applies: more than one in a family whose layers share groups of blocks.
fn inner_blocks(groups: Option<GroupSizes>, fields: &Fields) -> Result<usize> {
    let Some(groups) = groups else { return Ok(1) };
    for size in [groups.groups, groups.inner] {
        if size.read(fields)? == 0 {
            return Err(Error::new(Code::ConfigBadField, size.field(), "at least 1", "0"));
        }
    }
    groups.inner.read(fields)
}

/// The conversion of an image to tokens, in a model of images.
fn image(family: &Family, fields: &Fields) -> Result<Option<ImageConfig>> {
    let tokens = family.first_stack().map(|names| names.tokens);
    let Some(TokenNames::Patches { specials, .. }) = tokens else { return Ok(None) };
    let (size, patch) = (fields.sides_or("image_size", 224)?, fields.sides_or("patch_size", 16)?);
    let channels = fields.size_or("num_channels", 3)?;
    let grid = [size[0] / patch[0], size[1] / patch[1]];
    if grid.contains(&0) {
        let expected = format!("at most the sides of an image, {size:?}");
        let got = format!("{patch:?}");
        return Err(Error::new(Code::ConfigContradiction, "patch_size", expected, got));
    }
    Ok(Some(ImageConfig { channels, size, patch, grid, specials: specials.len() }))
}

/// The longest text, in tokens: the rows of the position table that a token may have.
fn max_tokens(family: &Family, fields: &Fields, pad_token: Option<u32>) -> Result<usize> {
    let positions = family.sizes.positions.read(fields)?;
    // The config counts the rows up to the padding token's id, which no token has.
    let last = match family.first_stack().map(|names| names.positions) {
        Some(PositionNames::Trained { skipped: SkippedRows::UpToPadding, .. }) => pad_token,
        Some(PositionNames::Trained { skipped: SkippedRows::UpToToken(id), .. }) => Some(id),
        _ => None,
    };
    let skipped = last.map_or(0, |id| id as usize + 1);
    let most = fully_seen(family.sparse, fields)?.unwrap_or(usize::MAX);
    Ok(positions.saturating_sub(skipped).min(most))
}

/// The longest text with full attention, in a family whose longer texts have block-sparse
/// attention.
fn fully_seen(sparse: Option<SparseSetting>, fields: &Fields) -> Result<Option<usize>> {
    let Some(sparse) = sparse else { return Ok(None) };
    match fields.text(sparse.kind)? {
        Some(kind) if kind == sparse.full => Ok(None),
        Some(kind) if kind != sparse.sparse => {
            let expected = format!("{} or {}", sparse.full, sparse.sparse);
            Err(Error::new(Code::ConfigBadField, sparse.kind, expected, kind))
        }
        _ => {
            let (size, random) = (sparse.size.read(fields)?, sparse.random.read(fields)?);
            Ok(Some(size.saturating_mul(random.saturating_mul(2).saturating_add(5))))
        }
    }
}

/// The number of token types.
fn token_types(family: &Family, fields: &Fields) -> Result<usize> {
    if family.first_stack().is_none_or(|names| names.token_types.is_none()) {
        return Ok(0);
    }
    let count = fields.size_or("type_vocab_size", family.sizes.token_types)?;
    if count == 0 && family.sizes.token_types > 0 {
        // Every token has a type: without types there is no row to add.
        return Err(Error::new(Code::ConfigBadField, "type_vocab_size", "at least 1", "0"));
    }
    Ok(count)
}

/// The activation of the feed-forward network, and whether it has a gate.
fn activation(setting: ActivationSetting, fields: &Fields) -> Result<(Activation, bool)> {
    let (field, default) = match setting {
        ActivationSetting::Named { activation, is_gated, gelu } => {
            let is_gelu = fields.text(activation.field())? == Some("gelu");
            return Ok((if is_gelu { gelu } else { activation.read(fields)? }, is_gated));
        }
        ActivationSetting::WithGate { field, default } => (field, default),
    };
    let name = fields.text(field)?.unwrap_or(default);
    let is_gated = fields.flag_or("is_gated_act", name.starts_with("gated-"))?;
    let activation = match name {
        // T5's name for GELU with the hyperbolic tangent.
        "gated-gelu" => Activation::GeluTanh,
        _ => Fields::activation_named(field, name.trim_start_matches("gated-"))?,
    };
    Ok((fields.activation_or("dense_act_fn", activation)?, is_gated))
}

/// The names of disentangled attention, in a family that has it.
fn disentangled(family: &Family) -> Option<DisentangledNames> {
    match family.first_stack()?.relative {
        RelativeNames::Disentangled(names) => Some(names),
        _ => None,
    }
}

/// Whether relative-position terms join the scores.
fn is_relative(family: &Family, fields: &Fields) -> Result<bool> {
    match family.first_stack().map(|names| names.relative) {
        Some(RelativeNames::Buckets(_)) => Ok(true),
        Some(RelativeNames::Disentangled(names)) => names.switch.read(fields),
        Some(RelativeNames::None) | None => Ok(false),
    }
}

/// The factor of raw scores, if it is not `1/√d_h`.
fn attention_scale(
    family: &Family,
    fields: &Fields,
    encoder: Option<StackConfig>,
) -> Result<Option<f32>> {
    if let Some(disentangled) = disentangled(family) {
        let words = fields.words("pos_att_type")?;
        let is_term = |word: &&String| TERMS.contains(&word.as_str());
        let named = if disentangled.counts_all_words {
            words.len()
        } else {
            words.iter().filter(is_term).count()
        };
        let width = encoder.map_or(0, |stack| stack.head_dim) * (1 + named);
        return Ok((named > 0).then(|| 1.0 / (width as f32).sqrt()));
    }
    Ok(match family.score_scale {
        ScoreScale::HeadWidth => None,
        ScoreScale::One => Some(1.0),
        ScoreScale::HeadWidthIf { field, .. } => (!fields.flag_or(field, true)?).then_some(1.0),
        ScoreScale::RootOf(width) => width.read(fields)?.map(|width| (1.0 / width.sqrt()) as f32),
    })
}

/// The positional encoding, except rotary.
fn scheme(family: &Family, fields: &Fields, config: &ModelConfig) -> Result<Scheme> {
    let positions = family.first_stack().map_or(PositionNames::None, |names| names.positions);
    Ok(match positions {
        PositionNames::LaterWaves => {
            // M2M100's wavelengths end with the base: `10000^(−i/(h−1))` for the `h` pairs.
            let pairs = (config.d_model / 2).max(2) as f64;
            let base = BASE.powf(pairs / (pairs - 1.0));
            Scheme::Sinusoidal { layout: Layout::SplitHalves, base }
        }
        PositionNames::Waves(_) => Scheme::Sinusoidal { layout: Layout::SplitHalves, base: BASE },
        PositionNames::Trained { is_used, .. } if is_used.read(fields)? => Scheme::Learned,
        _ if !config.is_relative => Scheme::None,
        _ if disentangled(family).is_some() => Scheme::Disentangled,
        _ => Scheme::Buckets,
    })
}

/// Sets the rotation of queries and keys of each layer.
fn rotations(
    names: Rope,
    fields: &Fields,
    is_local: &[bool],
    is_turned: &[bool],
    config: &mut ModelConfig,
) -> Result<()> {
    let layers = if names.local_base.is_some() { rope::FULL } else { "" };
    let turn = Rc::new(rope::rotation(fields, config, names, layers)?);
    let local = match names.local_base {
        Some(base) => {
            let own = Rope { base, ..names };
            Rc::new(rope::rotation(fields, config, own, rope::LOCAL)?)
        }
        None => Rc::clone(&turn),
    };
    config.positions = Scheme::Rotary { base: turn.base };
    if let Longer::Base { factor, beyond } = turn.longer {
        // The base is not meant to grow for longer texts than this.
        #[expect(clippy::cast_sign_loss, reason = "a positive factor")]
        let most = (beyond as f64 * factor) as usize;
        config.max_tokens = config.max_tokens.max(most);
    }
    let rotations = is_local.iter().zip(is_turned).map(|(&is_local, &is_turned)| {
        is_turned.then(|| Rc::clone(if is_local { &local } else { &turn }))
    });
    config.rotations = rotations.collect();
    Ok(())
}

/// Whether each layer has rotary positions.
fn turned_layers(
    unturned: Option<Unturned>,
    fields: &Fields,
    n_layers: usize,
) -> Result<Vec<bool>> {
    let Some(names) = unturned else { return Ok(vec![true; n_layers]) };
    let listed = fields.numbers(names.layers)?;
    let every = names.every.read(fields)?;
    let is_turned = |layer: usize| match &listed {
        Some(listed) => listed.get(layer) != Some(&0.0),
        None => every == 0 || !(layer + 1).is_multiple_of(every),
    };
    Ok((0..n_layers).map(is_turned).collect())
}

/// Whether each layer has a window: by the config's list, else by the family's rule.
fn local_layers(
    window: Option<WindowSetting>,
    fields: &Fields,
    is_turned: &[bool],
) -> Result<Vec<bool>> {
    let n_layers = is_turned.len();
    let none = Ok(vec![false; n_layers]);
    let Some(window) = window else { return none };
    let is_on = window.switch.map_or(Ok(true), |field| fields.flag_or(field, false))?;
    if !is_on || window.size.read(fields)?.is_none() {
        return none;
    }
    if let Some(field) = window.layers
        && let Some(list) = fields.each_is(field, window.local)?
    {
        return Ok((0..n_layers).map(|layer| list.get(layer) == Some(&true)).collect());
    }
    if let Some(field) = window.repeated_layers
        && let Some(list) = fields.repeated(field, window.local)?
    {
        return Ok((0..n_layers).map(|layer| list.get(layer) == Some(&true)).collect());
    }
    Ok(match window.rule {
        LocalLayers::All => vec![true; n_layers],
        LocalLayers::Unturned => is_turned.iter().map(|is_turned| !is_turned).collect(),
        LocalLayers::From(first) => {
            let first = first.read(fields)?;
            (0..n_layers).map(|layer| layer >= first).collect()
        }
        LocalLayers::ButEvery { every, offset } => {
            let every = every.read(fields)?;
            let is_global = |layer: usize| every > 0 && (layer + offset).is_multiple_of(every);
            (0..n_layers).map(|layer| !is_global(layer)).collect()
        }
    })
}

/// The number of keys on each side that are visible to a query, by layer.
fn windows(
    window: WindowSetting,
    fields: &Fields,
    is_local: &[bool],
    sight: Sight,
) -> Result<Vec<Option<usize>>> {
    let Some(size) = window.size.read(fields)?.filter(|_| is_local.contains(&true)) else {
        return Ok(Vec::new());
    };
    if size < if window.is_whole_width { 0.0 } else { 1.0 } {
        let (field, got) = (window.size.field(), size.to_string());
        return Err(Error::new(Code::ConfigBadField, field, "at least 1, or null", got));
    }
    #[expect(clippy::cast_sign_loss, reason = "it is at least 0")]
    let size = size as usize;
    // Without a causal mask Hugging Face counts the distance, not the keys.
    let size = match (window.is_whole_width, sight) {
        (true, _) => size / 2,
        (false, Sight::Before) => size - 1,
        (false, Sight::Both) => size,
    };
    Ok(is_local.iter().map(|&local| local.then_some(size)).collect())
}
