//! How rotary positions are turned by what a config says: the share of a head that is turned, and
//! how speeds are slowed down for longer texts. Longer ones than the model's positions are refused
//! where the speeds would depend on the length.
//!
//! Sources: linear, Chen et al. 2023; `YaRN`, Peng et al. 2023, section 3; `longrope`, Ding et al.
//! 2024; `llama3`, Grattafiori et al. 2024; names and defaults after `modeling_rope_utils.py` of
//! Hugging Face transformers.

use std::f64::consts::TAU;

use super::config::ModelConfig;
use super::family::Part;
use super::wire::Fields;
use crate::error::{Code, Error, Result};
use crate::positions::Rotation;

/// Reads one rotation of a family's `rope`, which the config may name by the `layers` that it is for.
///
/// # Errors
/// `config/bad-field`, naming the field.
pub(super) fn rotation(
    fields: &Fields,
    config: &mut ModelConfig,
    rope: Part<'_>,
    layers: &str,
) -> Result<Rotation> {
    let mut base = rope.number("base", fields)?.unwrap_or(0.0);
    let has_share = rope.at("share").is_there();
    let mut share = rope.number("share", fields)?.unwrap_or(1.0);
    let mut scaling: Option<(Scale, Fields)> = None;
    for outer in ["rope_scaling", "rope_parameters"] {
        let Some(mut parameters) = fields.object(outer)? else { continue };
        if let Some(own) = parameters.object(layers)? {
            parameters = own;
        }
        let given = parameters.number_or("partial_rotary_factor", share)?;
        if has_share {
            share = given;
        } else if given.to_bits() != 1f64.to_bits() {
            fields.warn("partial_rotary_factor", &given.into());
        }
        base = parameters.number_or("rope_theta", base)?;
        for inner in ["rope_type", "type"] {
            let scale: Scale = match parameters.text(inner)? {
                // `dynamic` stretches only texts longer than the model's positions.
                None | Some("default" | "dynamic") => continue,
                Some("linear") => linear,
                Some("llama3") => llama3,
                Some("yarn") => yarn,
                Some("longrope" | "su") => long,
                Some(other) => {
                    let expected = "default, linear, dynamic, llama3, yarn or longrope";
                    return Err(bad(&format!("{outer}.{inner}"), expected, other));
                }
            };
            scaling = Some((scale, parameters));
            break;
        }
    }
    if !(base > 0.0 && base.is_finite()) {
        return Err(bad("rope_theta", "a positive number", &base.to_string()));
    }
    let head_dim = config.decoder.or(config.encoder).map_or(0, |stack| stack.head_dim);
    #[expect(clippy::cast_sign_loss, reason = "clamped to a share of the width")]
    let width = (head_dim as f64 * share.clamp(0.0, 1.0)) as usize;
    // Validated later, where its width is odd; heads of absurd widths are refused there too.
    let width = width.min(1 << 16);
    let mut rotation = Rotation::new(base, width - width % 2);
    if let Some((scale, parameters)) = scaling {
        scale(&parameters, fields, config, &mut rotation)?;
    }
    Ok(rotation)
}

type Scale = fn(&Fields, &Fields, &mut ModelConfig, &mut Rotation) -> Result<()>;

fn bad(field: &str, expected: &str, got: &str) -> Error {
    Error::new(Code::ConfigBadField, field, expected, got)
}

/// A number of the scaling that has no default, above 0.
fn positive(parameters: &Fields, field: &str) -> Result<f64> {
    let number = parameters.number_or(field, 0.0)?;
    if number > 0.0 {
        Ok(number)
    } else {
        Err(bad(field, "a positive number", &number.to_string()))
    }
}

/// The positions that the model had before it was stretched.
fn original(parameters: &Fields, fields: &Fields, config: &ModelConfig) -> Result<f64> {
    let field = "original_max_position_embeddings";
    let outside = fields.number_or(field, config.max_tokens as f64)?;
    Ok(parameters.number_or(field, outside)?.max(1.0))
}

fn linear(
    parameters: &Fields,
    _: &Fields,
    _: &mut ModelConfig,
    rotation: &mut Rotation,
) -> Result<()> {
    let factor = positive(parameters, "factor")?;
    rotation.periods.iter_mut().for_each(|period| *period *= factor);
    Ok(())
}

fn llama3(
    parameters: &Fields,
    fields: &Fields,
    config: &mut ModelConfig,
    rotation: &mut Rotation,
) -> Result<()> {
    let factor = positive(parameters, "factor")?;
    let [low, high] =
        ["low_freq_factor", "high_freq_factor"].map(|name| positive(parameters, name));
    let (low, high) = (low?, high?);
    let original = original(parameters, fields, config)?;
    for period in &mut rotation.periods {
        let turns = original / (*period * TAU);
        let smooth = ((turns - low) / (high - low)).clamp(0.0, 1.0);
        *period = 1.0 / ((1.0 - smooth) / (*period * factor) + smooth / *period);
    }
    Ok(())
}

fn yarn(
    parameters: &Fields,
    fields: &Fields,
    config: &mut ModelConfig,
    rotation: &mut Rotation,
) -> Result<()> {
    let factor = positive(parameters, "factor")?;
    let original = original(parameters, fields, config)?;
    let (pairs, base) = (rotation.periods.len() as f64, rotation.base);
    let pair_of = |turns: f64| pairs * (original / (turns * TAU)).ln() / base.ln();
    let mut low = pair_of(parameters.number_or("beta_fast", 32.0)?);
    let mut high = pair_of(parameters.number_or("beta_slow", 1.0)?);
    if parameters.flag_or("truncate", true)? {
        (low, high) = (low.floor(), high.ceil());
    }
    (low, high) = (low.max(0.0), high.min(2.0 * pairs - 1.0));
    if low.to_bits() == high.to_bits() {
        high += 0.001;
    }
    for (pair, period) in rotation.periods.iter_mut().enumerate() {
        let slowed = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
        *period = 1.0 / (slowed / (*period * factor) + (1.0 - slowed) / *period);
    }
    let scale = |by: f64| if factor <= 1.0 { 1.0 } else { 0.1 * by * factor.ln() + 1.0 };
    let [all, one] = ["mscale_all_dim", "mscale"].map(|name| parameters.number_or(name, 0.0));
    let (all, one) = (all?, one?);
    let own = if all > 0.0 && one > 0.0 { scale(one) / scale(all) } else { scale(1.0) };
    rotation.amplitude = parameters.number_or("attention_factor", own)?;
    Ok(())
}

/// The short text's factors, for texts of the original length alone.
fn long(
    parameters: &Fields,
    fields: &Fields,
    config: &mut ModelConfig,
    rotation: &mut Rotation,
) -> Result<()> {
    let original = original(parameters, fields, config)?;
    let stretched = parameters.number_or("factor", config.max_tokens as f64 / original)?;
    let factors = parameters.numbers("short_factor")?.unwrap_or_default();
    if factors.len() != rotation.periods.len() {
        let expected = format!("{} numbers, one for each pair", rotation.periods.len());
        return Err(bad("short_factor", &expected, &factors.len().to_string()));
    }
    rotation.periods.iter_mut().zip(&factors).for_each(|(period, factor)| *period *= factor);
    let own = if stretched <= 1.0 { 1.0 } else { (1.0 + stretched.ln() / original.ln()).sqrt() };
    rotation.amplitude = parameters.number_or("attention_factor", own)?;
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    let original = original as usize;
    config.max_tokens = config.max_tokens.min(original);
    Ok(())
}
