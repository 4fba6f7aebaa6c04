//! The rotation of rotary positions by a config: the rotated share of a head, and the scaling of
//! frequencies for longer texts.
//!
//! Sources: linear, Chen et al. 2023; `YaRN`, Peng et al. 2023, section 3; `longrope`, Ding et al.
//! 2024; `llama3`, Grattafiori et al. 2024; names and defaults after `modeling_rope_utils.py` of
//! Hugging Face transformers.

use std::f64::consts::TAU;

use super::config::ModelConfig;
use super::family::Rope;
use super::wire::Fields;
use crate::error::{Code, Error, Result};
use crate::positions::{Longer, Rotation};

/// The names of layer types in `rope_parameters`: full attention, and attention with a window.
pub(super) const FULL: &str = "full_attention";
pub(super) const LOCAL: &str = "sliding_attention";

/// The field of the original length, in the parameters or outside them.
const ORIGINAL: &str = "original_max_position_embeddings";

/// Reads a rotation of a family; `layers` is the layer type that it is for, if the config
/// distinguishes types.
///
/// # Errors
/// `config/bad-field`, naming the field.
pub(super) fn rotation(
    fields: &Fields,
    config: &mut ModelConfig,
    rope: Rope,
    layers: &str,
) -> Result<Rotation> {
    let parameters = parameters(fields, rope, layers)?;
    let default_base = rope.base.read(fields)?;
    let base = parameters.number_or("rope_theta", default_base)?;
    let default_share = rope.share.map_or(Ok(1.0), |share| share.read(fields))?;
    let share = parameters.number_or("partial_rotary_factor", default_share)?;
    let is_turned_whole = rope.share.is_none();
    if is_turned_whole && share.to_bits() != 1f64.to_bits() {
        parameters.warn("partial_rotary_factor", &share.into());
    }
    let scale = scale(&parameters, rope)?;
    if is_turned_whole && scale.is_some() {
        let beside = fields.number_or("partial_rotary_factor", 1.0)?;
        let share = parameters.number_or("partial_rotary_factor", beside)?;
        if share != 1.0 {
            // Hugging Face scales fewer pairs than it turns.
            let expected = "1, or nothing, beside a scaling of frequencies: heads are turned whole";
            return Err(bad("partial_rotary_factor", expected, &share.to_string()));
        }
    }
    let share = if is_turned_whole { 1.0 } else { share };
    if !(base > 0.0 && base.is_finite()) {
        return Err(bad("rope_theta", "a positive number", &base.to_string()));
    }
    let head_dim = config.decoder.or(config.encoder).map_or(0, |stack| stack.head_dim);
    #[expect(clippy::cast_sign_loss, reason = "clamped to a share of the width")]
    let width = (head_dim as f64 * share.clamp(0.0, 1.0)) as usize;
    if width == 1 {
        let expected = "a share of a head that turns 2 of its dimensions; its width follows from \
                        hidden_size and num_attention_heads";
        return Err(bad("partial_rotary_factor", expected, &share.to_string()));
    }
    // Checked in `validation.rs` if the width is odd; absurd widths are refused there too.
    let width = width.min(1 << 16);
    let mut rotation = Rotation::new(base, width);
    if let Some(scale) = scale {
        let original = original(fields, rope, layers)?;
        let truncates = truncates(fields, &parameters, layers)?;
        let own = &parameters;
        let rotation = &mut rotation;
        scale(&mut Scaling { parameters: own, original, truncates, config, rotation })?;
    }
    config.warnings.extend(parameters.warnings());
    Ok(rotation)
}

/// The parameters of the rotation of a layer type. `rope_scaling`, the older name, wins; in a
/// family with a rotation for each layer type its fields are added to that type's.
fn parameters(fields: &Fields, rope: Rope, layers: &str) -> Result<Fields> {
    let scaling = fields.object("rope_scaling")?.filter(|scaling| scaling.count() > 0);
    let given = fields.object("rope_parameters")?;
    if rope.local_base.is_none() {
        let own = scaling.or(given).unwrap_or_default();
        for kind in [FULL, LOCAL] {
            // Hugging Face rotates all layers alike, by the fields beside the layer types.
            if let Some(value) = own.get(kind) {
                own.warn(kind, value);
            }
        }
        return Ok(own);
    }
    let own = match given {
        Some(given) => given.object(layers)?.unwrap_or_default(),
        // Hugging Face names the type of each layer before it adds `rope_scaling`.
        None => Fields::parse("config.json", r#"{"rope_type": "default"}"#)?,
    };
    let is_scaled = layers == FULL || rope.scales_local;
    Ok(match scaling.filter(|_| is_scaled) {
        Some(scaling) => own.extended(scaling),
        None => own,
    })
}

/// The original length in tokens, if the file gives it outside the parameters: there it wins,
/// unless layer types have parameters of their own.
fn original(fields: &Fields, rope: Rope, layers: &str) -> Result<Option<usize>> {
    if let Some(original) = rope.original {
        return original.read(fields).map(Some);
    }
    let is_given = layers.is_empty() && fields.has(ORIGINAL);
    is_given.then(|| fields.size(ORIGINAL)).transpose()
}

/// Whether the bounds of the pairs that `YaRN` slows are whole numbers. Hugging Face reads the field
/// beside the layer types, not among the parameters of one type.
fn truncates(fields: &Fields, parameters: &Fields, layers: &str) -> Result<bool> {
    let own = parameters.flag_or("truncate", true)?;
    if layers.is_empty() {
        return Ok(own);
    }
    if !own {
        parameters.warn("truncate", &own.into());
    }
    fields.object("rope_parameters")?.map_or(Ok(true), |given| given.flag_or("truncate", true))
}

/// The scaling of frequencies, if there is one.
fn scale(parameters: &Fields, rope: Rope) -> Result<Option<Scale>> {
    for field in ["rope_type", "type"] {
        let scale: Scale = match parameters.text(field)? {
            None => continue,
            Some("default") => {
                // The older name of the field has no effect beside the later one.
                if let Some(other) = parameters.get("type").filter(|&other| other != "default") {
                    parameters.warn("type", other);
                }
                return Ok(None);
            }
            Some("dynamic") => |it| it.dynamic(),
            Some("linear") => |it| it.linear(),
            Some("llama3") => |it| it.llama3(),
            // Files of Phi-3 mean `longrope` by `yarn`.
            Some("yarn") if rope.original.is_none() => |it| it.yarn(),
            Some("yarn" | "longrope" | "su") => |it| it.long(),
            Some(other) => {
                let expected = "default, linear, dynamic, llama3, yarn or longrope";
                return Err(bad(&parameters.named(field), expected, other));
            }
        };
        return Ok(Some(scale));
    }
    Ok(None)
}

/// A function that scales the frequencies of a rotation.
type Scale = fn(&mut Scaling<'_>) -> Result<()>;

fn bad(field: &str, expected: &str, got: &str) -> Error {
    Error::new(Code::ConfigBadField, field, expected, got)
}

/// A rotation during scaling, and the parameters.
struct Scaling<'a> {
    parameters: &'a Fields,
    /// The original length in tokens, if the file gives it outside the parameters.
    original: Option<usize>,
    /// Whether the bounds of the slowed pairs are whole numbers, in `YaRN`.
    truncates: bool,
    config: &'a mut ModelConfig,
    rotation: &'a mut Rotation,
}

impl Scaling<'_> {
    /// A number above 0, without a default.
    fn positive(&self, field: &str) -> Result<f64> {
        let number = self.parameters.number_or(field, 0.0)?;
        if number > 0.0 {
            return Ok(number);
        }
        Err(bad(&self.parameters.named(field), "a positive number", &number.to_string()))
    }

    /// The original length of the model, in tokens, before scaling.
    fn original(&self) -> Result<f64> {
        let inside = self.parameters.number_or(ORIGINAL, self.config.max_tokens as f64)?;
        Ok(self.original.map_or(inside, |original| original as f64).max(1.0))
    }

    fn linear(&mut self) -> Result<()> {
        let factor = self.positive("factor")?;
        self.rotation.periods.iter_mut().for_each(|period| *period *= factor);
        Ok(())
    }

    fn llama3(&mut self) -> Result<()> {
        let (factor, original) = (self.positive("factor")?, self.original()?);
        let (low, high) = (self.positive("low_freq_factor")?, self.positive("high_freq_factor")?);
        for period in &mut self.rotation.periods {
            let turns = original / (*period * TAU);
            let smooth = ((turns - low) / (high - low)).clamp(0.0, 1.0);
            *period = 1.0 / ((1.0 - smooth) / (*period * factor) + smooth / *period);
        }
        Ok(())
    }

    fn yarn(&mut self) -> Result<()> {
        let (factor, original) = (self.positive("factor")?, self.original()?);
        let (pairs, base) = (self.rotation.periods.len() as f64, self.rotation.base);
        let pair_of = |turns: f64| pairs * (original / (turns * TAU)).ln() / base.ln();
        let turns_or = |field: &str, default: f64| -> Result<f64> {
            let turns = self.parameters.number_or(field, default)?;
            Ok(if turns == 0.0 { default } else { turns })
        };
        let mut low = pair_of(turns_or("beta_fast", 32.0)?);
        let mut high = pair_of(turns_or("beta_slow", 1.0)?);
        if self.truncates {
            (low, high) = (low.floor(), high.ceil());
        }
        (low, high) = (low.max(0.0), high.min(2.0 * pairs - 1.0));
        if low.to_bits() == high.to_bits() {
            high += 0.001;
        }
        for (pair, period) in self.rotation.periods.iter_mut().enumerate() {
            let slowed = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
            *period = 1.0 / (slowed / (*period * factor) + (1.0 - slowed) / *period);
        }
        let scale = |by: f64| if factor <= 1.0 { 1.0 } else { 0.1 * by * factor.ln() + 1.0 };
        let one = self.parameters.number_or("mscale", 0.0)?;
        let all = self.parameters.number_or("mscale_all_dim", 0.0)?;
        let own = if all > 0.0 && one > 0.0 { scale(one) / scale(all) } else { scale(1.0) };
        self.rotation.amplitude = self.parameters.number_or("attention_factor", own)?;
        Ok(())
    }

    /// Dynamic scaling: the base grows with texts beyond the model's length.
    fn dynamic(&mut self) -> Result<()> {
        let (factor, beyond) = (self.positive("factor")?, self.config.max_tokens);
        self.rotation.longer = Longer::Base { factor, beyond };
        Ok(())
    }

    /// `longrope` scaling: factors for short texts, and for texts beyond the original length. A
    /// GGUF file may have the first alone: its texts end with that length.
    fn long(&mut self) -> Result<()> {
        let original = self.original()?;
        let stretched = self.config.max_tokens as f64 / original;
        let stretched = self.parameters.number_or("factor", stretched)?;
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let beyond = original as usize;
        let short = self.slowed("short_factor")?;
        if self.parameters.has("long_factor") {
            let periods = self.slowed("long_factor")?;
            self.rotation.longer = Longer::Periods { periods, beyond };
        } else {
            self.config.max_tokens = self.config.max_tokens.min(beyond);
        }
        self.rotation.periods = short;
        let own =
            if stretched <= 1.0 { 1.0 } else { (1.0 + stretched.ln() / original.ln()).sqrt() };
        self.rotation.amplitude = self.parameters.number_or("attention_factor", own)?;
        Ok(())
    }

    /// The periods times factors, one for each pair.
    fn slowed(&self, field: &str) -> Result<Vec<f64>> {
        let (factors, periods) = (self.parameters.numbers(field)?, &self.rotation.periods);
        let factors = factors.unwrap_or_default();
        if factors.len() != periods.len() {
            let expected = format!("{} numbers, one for each pair", periods.len());
            return Err(bad(field, &expected, &factors.len().to_string()));
        }
        Ok(periods.iter().zip(&factors).map(|(period, factor)| period * factor).collect())
    }
}
