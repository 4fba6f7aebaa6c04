//! What a family of models is made of, as data: `families.json` has an entry for each, with what
//! it does not say taken from the family that it is `like` (null takes something away). An entry
//! has
//!
//! * `keys`: its names of sizes in config.json; `defaults`: Hugging Face's;
//! * `required`: values without which the config is refused; `ignored`: without which there is a
//!   warning, as Hugging Face does not compute with the field;
//! * `prefixes` of tensor names, those of a whole model before those of a bare one;
//! * `image`: how many tokens stand before the patches, in a family that reads images;
//! * `encoder`, `decoder`: tables, and the names of a block's tensors; `head`: the output head;
//! * switches. A value `["field", default]` is read from config.json.
//!
//! `loader.rs` reads checkpoints by it. A misspelt name shows in the parity test of the family.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::config::{ImageConfig, ModelConfig, StackConfig};
use super::rope;
use super::validation::{MOST_LAYERS, validated};
use super::wire::{ABSENT, Fields, Part};
use crate::axes::Stack;
use crate::edits::NormPlace;
use crate::error::{Code, Error, Result};
use crate::kernels::activation::Activation;
use crate::positions::{BASE, Layout, Scheme};

/// What joins the scores of disentangled attention: content to position, position to content.
pub(super) const TERMS: [&str; 2] = ["c2p", "p2c"];

/// One family.
pub(super) struct Family {
    pub name: String,
    entry: Value,
}

impl Family {
    /// The family that a config names in `model_type`.
    ///
    /// # Errors
    /// `config/unsupported-family`, with the names of those that can be opened.
    pub fn of(fields: &Fields) -> Result<Self> {
        let wanted = fields.text("model_type")?.unwrap_or("nothing");
        let all: Map<String, Value> =
            serde_json::from_str(include_str!("families.json")).unwrap_or_default();
        let families = all.keys().map(|name| Self { name: name.clone(), entry: whole(&all, name) });
        let is_wanted = |it: &Self| it.name == wanted || it.row().texts("also").contains(&wanted);
        if let Some(found) = families.into_iter().find(is_wanted) {
            return Ok(found);
        }
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        Err(Error::new(
            Code::ConfigUnsupportedFamily,
            "model_type in config.json",
            format!("one of {}", names.join(", ")),
            wanted.chars().take(40).collect::<String>(),
        ))
    }

    /// The entry.
    pub fn row(&self) -> Part<'_> {
        Part(&self.entry)
    }

    /// The part of a stack, if the family has it.
    pub fn stack(&self, stack: Stack) -> Option<Part<'_>> {
        let name = if stack == Stack::Encoder { "encoder" } else { "decoder" };
        Some(self.row().at(name)).filter(|part| part.is_there())
    }

    /// Reads and checks a config.
    ///
    /// # Errors
    /// `config/…`, naming the field.
    pub fn config(&self, fields: &Fields) -> Result<ModelConfig> {
        let row = self.row();
        for (field, value) in row.at("required").entries() {
            fields.require(field, value)?;
        }
        for (field, value) in row.at("ignored").entries() {
            fields.expect(field, value);
        }
        let (keys, defaults) = (row.at("keys"), row.at("defaults"));
        let d_model = fields.size(keys.text("width"))?;
        let image = row.at("image").is_there().then(|| image(row, fields)).transpose()?;
        let n_vocabulary = match image {
            Some(_) => fields.object("id2label")?.map_or(2, |labels| labels.count()),
            None => fields.size("vocab_size")?,
        };
        let [encoder, decoder] = [Stack::Encoder, Stack::Decoder].map(|which| {
            let name = if which == Stack::Encoder { "encoder" } else { "decoder" };
            self.stack(which).map(|_| stack(fields, keys.at(name), d_model)).transpose()
        });
        let (encoder, decoder) = (encoder?, decoder?);
        let first = self.stack(Stack::Encoder).or(self.stack(Stack::Decoder)).unwrap_or(row);
        let has_types = !first.text("token_types").is_empty();
        let usual = defaults.size("token_types", fields, 2)?;
        let n_token_types = if has_types { fields.size_or("type_vocab_size", usual)? } else { 0 };
        if has_types && n_token_types == 0 && usual > 0 {
            // Every token has a type: without one there is no row to add.
            return Err(Error::new(Code::ConfigBadField, "type_vocab_size", "at least 1", "0"));
        }
        let token = |field: &str| fields.token(field, n_vocabulary);
        let pad_token = token("pad_token_id");
        let start_token = match (encoder, decoder) {
            (Some(_), Some(_)) if fields.has("decoder_start_token_id") => {
                token("decoder_start_token_id")
            }
            (Some(_), Some(_)) => pad_token,
            (None, Some(_)) => token("bos_token_id"),
            _ => None,
        };
        let (positions, epsilon) = (keys.text("positions"), keys.text("epsilon"));
        let max_tokens = defaults.size("positions", fields, 0)?;
        let max_tokens = image.map_or(max_tokens, |image| image.n_tokens());
        let default_epsilon = defaults.number("epsilon", fields)?.unwrap_or(0.0);
        let activation = Fields::activation_named("activation", defaults.text("activation"))?;
        let mut config = ModelConfig {
            family: self.name.clone(),
            d_model,
            embedding_width: row.size("embedding_width", fields, d_model)?,
            n_vocabulary,
            image,
            max_tokens: match positions {
                "" => max_tokens,
                field => fields.size_or(field, max_tokens)?,
            },
            n_token_types,
            encoder,
            decoder,
            positions: Scheme::None,
            activation: fields.activation_or(keys.text("activation"), activation)?,
            is_gated: row.flag("is_gated", fields)?,
            is_parallel: row.flag("is_parallel", fields)?,
            norm: match row.text("placement") {
                "pre" => NormPlace::Pre,
                "none" => NormPlace::None,
                _ => NormPlace::Post,
            },
            epsilon: match epsilon {
                "" => default_epsilon,
                field => fields.number_or(field, default_epsilon)?,
            } as f32,
            embedding_scale: 1.0,
            attention_scale: None,
            score_cap: row.number("score_cap", fields)?.map(|cap| cap as f32),
            logit_cap: row.number("logit_cap", fields)?.map(|cap| cap as f32),
            windows: Vec::new(),
            rotations: Vec::new(),
            is_relative: !first.text("buckets").is_empty()
                || first.at("disentangled").flag("switch", fields)?,
            start_token,
            forced_token: encoder.and(decoder).and_then(|_| token("forced_bos_token_id")),
            end_token: decoder.and_then(|_| token("eos_token_id")),
            pad_token,
            suppressed_tokens: match encoder.and(decoder) {
                Some(_) => fields.single_tokens("bad_words_ids", n_vocabulary),
                None => Vec::new(),
            },
            warnings: Vec::new(),
        };
        if config.embedding_width != d_model && first.text("embedding_projection").is_empty() {
            let (field, _) = row.field("embedding_width");
            let got = config.embedding_width.to_string();
            return Err(Error::new(Code::ConfigBadField, field, d_model.to_string(), got));
        }
        self.switch(fields, first, &mut config)?;
        config.warnings = fields.warnings();
        validated(config, keys)
    }

    /// Sets what follows from several fields.
    fn switch(&self, fields: &Fields, first: Part<'_>, config: &mut ModelConfig) -> Result<()> {
        let row = self.row();
        if row.flag("embedding_scale", fields)? {
            config.embedding_scale = (config.d_model as f32).sqrt();
        }
        config.attention_scale = row.number("attention_scale", fields)?.map(|width| {
            // A number of the entry is the factor itself, 1.
            (1.0 / width.sqrt()) as f32
        });
        let disentangled = first.at("disentangled");
        if disentangled.is_there() {
            let named = TERMS.iter().filter(|term| fields.mentions("pos_att_type", term)).count();
            let width = config.encoder.map_or(0, |stack| stack.head_dim) * (1 + named);
            config.attention_scale = (named > 0).then(|| 1.0 / (width as f32).sqrt());
        }
        config.positions = if first.at("later_waves").is_there() {
            // M2M100's wavelengths end with the base: `10000^(−i/(h−1))` for the `h` pairs.
            let pairs = (config.d_model / 2).max(2) as f64;
            let base = BASE.powf(pairs / (pairs - 1.0));
            Scheme::Sinusoidal { layout: Layout::SplitHalves, base }
        } else if !first.text("waves").is_empty() {
            Scheme::Sinusoidal { layout: Layout::SplitHalves, base: BASE }
        } else if !first.text("positions").is_empty()
            && first.unless_off("adds_positions", fields)?
        {
            Scheme::Learned
        } else if config.is_relative {
            if disentangled.is_there() { Scheme::Disentangled } else { Scheme::Buckets }
        } else {
            Scheme::None
        };
        if first.flag("skip_padding", fields)? {
            // The config counts rows up to the padding token's, which no token has.
            let skipped = config.pad_token.map_or(0, |id| id as usize + 1);
            config.max_tokens = config.max_tokens.saturating_sub(skipped);
        }
        if let Some(name) = fields.text(row.text("gated_activation"))? {
            config.is_gated = name.starts_with("gated-");
            config.activation = match name {
                // T5 calls the form with the hyperbolic tangent so.
                "gated-gelu" => Activation::GeluTanh,
                name => {
                    let name = name.trim_start_matches("gated-");
                    Fields::activation_named(row.text("gated_activation"), name)?
                }
            };
        }
        let n_layers = config.decoder.or(config.encoder).map_or(0, |stack| stack.n_layers);
        let is_local = local_layers(row.at("window"), fields, n_layers.min(MOST_LAYERS))?;
        let rope = row.at("rope");
        if rope.is_there() {
            let local = row.at("local_rope");
            let layers = if local.is_there() { "full_attention" } else { "" };
            let turn = Rc::new(rope::rotation(fields, config, rope, layers)?);
            let local = if local.is_there() {
                Rc::new(rope::rotation(fields, config, local, "sliding_attention")?)
            } else {
                Rc::clone(&turn)
            };
            config.positions = Scheme::Rotary { base: turn.base };
            let none_every = rope.size("none_every", fields, 0)?;
            let named = fields.numbers(rope.text("layers"))?;
            let is_turned = |layer: usize| match &named {
                Some(named) => named.get(layer) != Some(&0.0),
                None => none_every == 0 || !(layer + 1).is_multiple_of(none_every),
            };
            let rotations = is_local.iter().enumerate().map(|(layer, &is_local)| {
                is_turned(layer).then(|| Rc::clone(if is_local { &local } else { &turn }))
            });
            config.rotations = rotations.collect();
        }
        let window = row.at("window");
        if is_local.contains(&true)
            && let Some(size) = window.number("size", fields)?
        {
            #[expect(clippy::cast_sign_loss, reason = "a size, of which less than 1 is none")]
            let size = size.max(1.0) as usize;
            let whole = window.flag("is_whole_width", fields)?;
            let size = if whole { size / 2 } else { size - 1 };
            config.windows = is_local.iter().map(|&local| local.then_some(size)).collect();
        }
        Ok(())
    }
}

/// What a model of images reads.
fn image(row: Part<'_>, fields: &Fields) -> Result<ImageConfig> {
    let (size, patch) = (fields.sides_or("image_size", 224)?, fields.sides_or("patch_size", 16)?);
    let channels = fields.size_or("num_channels", 3)?;
    let grid = [size[0] / patch[0], size[1] / patch[1]];
    if grid.contains(&0) {
        let expected = format!("at most the sides of an image, {size:?}");
        let got = format!("{patch:?}");
        return Err(Error::new(Code::ConfigContradiction, "patch_size", expected, got));
    }
    let specials = row.size("image", fields, 0)?;
    Ok(ImageConfig { channels, size, patch, grid, specials })
}

/// Which blocks have a window: as the config's list says, else by the family's rule.
fn local_layers(window: Part<'_>, fields: &Fields, n_layers: usize) -> Result<Vec<bool>> {
    let switch = window.text("switch");
    let is_off = !switch.is_empty() && !fields.flag_or(switch, false)?;
    if !window.is_there() || is_off || window.number("size", fields)?.is_none() {
        return Ok(vec![false; n_layers]);
    }
    let list = match window.text("layers") {
        "" => fields.each_is("layer_types", "sliding_attention")?,
        own => fields.each_is(own, "local")?,
    };
    let every = window.size("global_every", fields, 0)?;
    let offset = window.size("offset", fields, 0)?;
    let first = window.size("first", fields, 0)?;
    let by_rule =
        |layer: usize| layer >= first && (every == 0 || !(layer + offset).is_multiple_of(every));
    let is_local =
        |layer| list.as_ref().map_or(by_rule(layer), |list| list.get(layer) == Some(&true));
    Ok((0..n_layers).map(is_local).collect())
}

/// An entry with what it takes over.
fn whole(all: &Map<String, Value>, name: &str) -> Value {
    let own = all.get(name).unwrap_or(ABSENT);
    let Some(like) = own.get("like").and_then(Value::as_str) else { return own.clone() };
    let mut entry = whole(all, like);
    merge(&mut entry, own);
    entry
}

fn merge(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (name, value) in over {
                merge(base.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}

/// The sizes of one stack.
fn stack(fields: &Fields, keys: Part<'_>, d_model: usize) -> Result<StackConfig> {
    let n_heads = fields.size(keys.text("heads"))?;
    let or = |key: &str, size: usize| match keys.text(key) {
        "" => Ok(size),
        field => fields.size_or(field, size),
    };
    Ok(StackConfig {
        n_layers: match keys.text("layers_by_default") {
            other if !other.is_empty() && !fields.has(keys.text("layers")) => fields.size(other)?,
            _ => fields.size(keys.text("layers"))?,
        },
        n_heads,
        n_kv_heads: or("kv_heads", n_heads)?,
        head_dim: or("head_dim", d_model.checked_div(n_heads).unwrap_or(0))?,
        d_ff: match keys.size("d_ff_times", fields, 0)? {
            0 => fields.size(keys.text("d_ff"))?,
            times => fields.size_or(keys.text("d_ff"), d_model.saturating_mul(times))?,
        },
    })
}
