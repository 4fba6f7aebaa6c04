//! The check of an edit of attention variants: the variant has a name and its own numbers, and the
//! settings of one head make sense together.

use super::limits::{LARGEST_FACTOR, LARGEST_RATE};
use super::scope::{Extent, index, only};
use super::wire::{ScaleName, ScoreScale};
use super::{Edits, wire};
use crate::error::{Code, Error, Result, shown};
use crate::kernels::random::seed_of;
use crate::variants::{Dropout, HeadVariant, Scale, Variant, VariantName, VariantNumber};

/// The settings of a head that an edit names.
pub(super) struct Change {
    variant: Option<Variant>,
    scale: Option<Scale>,
    temperature: Option<f32>,
    dropout: Option<wire::Dropout>,
}

impl Change {
    /// The variant that the edit names; otherwise the model's own, which fits everywhere.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or_default()
    }

    /// Applies the edit's settings to a head; random weights are drawn for each `[stack, layer,
    /// head]`.
    pub fn apply(&self, own: &mut HeadVariant, place: &[usize]) {
        if let Some(variant) = self.variant {
            own.variant = variant.at(place);
        }
        own.scale = self.scale.unwrap_or(own.scale);
        own.temperature = self.temperature.unwrap_or(own.temperature);
        if let Some(wire::Dropout { rate, seed }) = self.dropout {
            #[expect(clippy::cast_sign_loss, reason = "checked to be a whole number from 0")]
            let draw = seed as u64;
            let seed = seed_of(draw, place);
            own.dropout = (rate > 0.0).then_some(Dropout { rate, draw, seed });
        }
    }
}

/// Checks an attention edit as far as possible without the model.
pub(super) fn change(edit: &wire::AttentionEdit) -> Result<Change> {
    let variant = match (&edit.kind, &edit.parameters) {
        (None, None) => None,
        (None, Some(_)) => {
            let expected = "a variant that the parameters belong to";
            return Err(Error::new(
                Code::EditContradiction,
                "an attention variant",
                expected,
                "none",
            ));
        }
        (&Some(name), parameters) => Some(named(name, parameters.unwrap_or_default())?),
    };
    let scale = edit.scale.as_ref().map(scale).transpose()?;
    let temperature = edit.temperature.map(|sent| factor(sent, "the temperature")).transpose()?;
    if let Some(dropout) = edit.dropout {
        index(dropout.seed, "the seed of the dropout")?;
        if !(0.0..=LARGEST_RATE).contains(&dropout.rate) {
            let expected = format!("a number from 0 to {LARGEST_RATE}");
            let got = shown(dropout.rate);
            return Err(Error::new(Code::EditBadValue, "the rate of the dropout", expected, got));
        }
    }
    Ok(Change { variant, scale, temperature, dropout: edit.dropout })
}

/// A variant with its numbers; numbers of other variants are refused.
fn named(variant: VariantName, sent: wire::VariantParameters) -> Result<Variant> {
    let all = sent.all();
    let name = variant.name();
    let numbers = variant.numbers();
    let taken: Vec<&str> = numbers.iter().map(|number| number.name).collect();
    let is_sent = all.map(|(name, sent)| (name, sent.is_some()));
    only(&format!("the parameters of {name} attention"), &is_sent, &taken)?;
    let mut found = [0; 2];
    for (found, number) in found.iter_mut().zip(numbers) {
        let VariantNumber { name: number, least, most, usual } = *number;
        let sent = all.iter().find_map(|(name, sent)| sent.filter(|_| *name == number));
        let what = format!("the {number} of {name} attention");
        *found = sent.map_or(Ok(usual), |sent| index(sent, &what))?;
        if !(least..=most).contains(found) {
            let expected = format!("a whole number from {least} to {most}");
            return Err(Error::new(Code::EditBadValue, what, expected, found.to_string()));
        }
    }
    Ok(Variant::of(variant, found))
}

fn scale(sent: &ScoreScale) -> Result<Scale> {
    match sent {
        ScoreScale::Named(ScaleName::Model) => Ok(Scale::Model),
        ScoreScale::Named(ScaleName::None) => Ok(Scale::None),
        ScoreScale::By(by) => Ok(Scale::By(factor(*by, "the scale of the scores")?)),
    }
}

fn factor(sent: f64, what: &str) -> Result<f32> {
    if (1.0 / LARGEST_FACTOR..=LARGEST_FACTOR).contains(&sent) {
        return Ok(sent as f32);
    }
    let expected = format!("a number from {} to {LARGEST_FACTOR}", 1.0 / LARGEST_FACTOR);
    Err(Error::new(Code::EditBadValue, what, expected, shown(sent)))
}

/// Refuses settings of one head that make no sense together, after all edits are applied.
pub(super) fn check_sites(edits: &Edits, extents: &[Extent]) -> Result<()> {
    for extent in extents {
        for site in edits.sites(extent.stack) {
            for (_, own) in site.variants().iter() {
                check_head(own, extent)?;
            }
        }
    }
    Ok(())
}

fn check_head(own: &HeadVariant, extent: &Extent) -> Result<()> {
    let name = own.variant.name();
    let facts = own.variant.facts();
    let refused = |expected: &str, got: &str| {
        let what = format!("{name} attention in the {} stack", extent.stack.name());
        Err(Error::new(Code::EditContradiction, what, expected, got))
    };
    if own.dropout.is_some() && !facts.has_rows() {
        return refused("no dropout, since it holds no weights to drop", "one");
    }
    if !facts.has_scale() && (own.scale != Scale::Model || own.temperature != 1.0) {
        return refused("no scale or temperature, since it has no exponent", "one");
    }
    if !facts.stacks.contains(&extent.stack) {
        return refused(
            "a stack that reads all its tokens at once, as an encoder does",
            "one whose tokens are written one after another, and which would see those to come",
        );
    }
    let side = extent.n_queries.min(extent.n_keys);
    if let Some(longest) = facts.longest.filter(|&longest| side > longest) {
        return Err(Error::new(
            Code::SelectionTooLarge,
            format!("{name} attention"),
            format!("a text of at most {longest} tokens; shorten it"),
            format!("{side} tokens"),
        ));
    }
    Ok(())
}
