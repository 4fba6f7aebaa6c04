//! An edit of attention variants as it was sent, checked: the variant has a name and the numbers
//! that it takes, and what comes together on one head makes sense.

use super::limits::{LARGEST_FACTOR, LARGEST_RATE, LONGEST_DECOMPOSED, MOST_UNITS};
use super::scope::{Extent, index, only};
use super::variant::{Band, Dropout, HeadVariant, Scale, Variant};
use super::wire::{ScaleName, ScoreScale, VariantName};
use super::{Edits, wire};
use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown};
use crate::kernels::random::seed_of;

/// The parts of a head's way that an edit names.
pub(super) struct Change {
    variant: Option<Variant>,
    scale: Option<Scale>,
    temperature: Option<f32>,
    dropout: Option<wire::Dropout>,
}

impl Change {
    /// The variant that it names; else the model's own, which fits everywhere.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or_default()
    }

    /// Changes those; what is drawn is drawn for each `[stack, layer, head]` by itself.
    pub fn apply(&self, own: &mut HeadVariant, place: &[usize]) {
        if let Some(variant) = self.variant {
            own.variant = match variant {
                Variant::Additive { width, seed } => {
                    Variant::Additive { width, seed: seed_of(seed, place) }
                }
                Variant::Performer { features, seed } => {
                    Variant::Performer { features, seed: seed_of(seed, place) }
                }
                other => other,
            };
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

/// Checks what can be checked without knowing the model.
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

/// A number of a variant: its name, the least and the most that it can be, and what it is if absent.
pub struct VariantNumber(pub &'static str, pub usize, pub usize, pub usize);

/// Only mixed, so that every whole number will do.
const SEED: VariantNumber = VariantNumber("seed", 0, u32::MAX as usize, 1);

const fn units(name: &'static str, least: usize, usual: usize) -> VariantNumber {
    VariantNumber(name, least, MOST_UNITS, usual)
}

impl VariantName {
    /// The numbers of the variant.
    pub const fn numbers(self) -> &'static [VariantNumber] {
        match self {
            Self::Softmax | Self::Cosine | Self::Linear => &[],
            Self::Additive => const { &[units("width", 0, 0), SEED] },
            Self::Sliding => const { &[units("width", 0, 2)] },
            Self::Blocks => const { &[units("size", 1, 4), units("neighbours", 0, 1)] },
            Self::Performer => const { &[units("features", 1, 64), SEED] },
            Self::LowRank => const { &[units("rank", 0, 4)] },
            Self::Linformer => const { &[units("keys", 1, 4)] },
            Self::Chunked => const { &[units("size", 1, 16)] },
        }
    }
}

/// A variant with the numbers that it takes, and a refusal of those that it does not.
pub fn named(variant: VariantName, sent: wire::VariantParameters) -> Result<Variant> {
    let wire::VariantParameters { width, size, neighbours, features, rank, keys, seed } = sent;
    let all = [
        ("width", width),
        ("size", size),
        ("neighbours", neighbours),
        ("features", features),
        ("rank", rank),
        ("keys", keys),
        ("seed", seed),
    ];
    let name = variant.name();
    let numbers = variant.numbers();
    let taken: Vec<&str> = numbers.iter().map(|number| number.0).collect();
    let is_sent = all.map(|(name, sent)| (name, sent.is_some()));
    only(&format!("the parameters of {name} attention"), &is_sent, &taken)?;
    let mut found = [0; 2];
    for (found, VariantNumber(number, least, most, usual)) in found.iter_mut().zip(numbers) {
        let sent = all.iter().find_map(|(name, sent)| sent.filter(|_| name == number));
        let what = format!("the {number} of {name} attention");
        *found = sent.map_or(Ok(*usual), |sent| index(sent, &what))?;
        if !(*least..=*most).contains(found) {
            let expected = format!("a whole number from {least} to {most}");
            return Err(Error::new(Code::EditBadValue, what, expected, found.to_string()));
        }
    }
    let [first, second] = found;
    Ok(match variant {
        VariantName::Cosine => Variant::Cosine,
        VariantName::Additive => Variant::Additive { width: first, seed: second as u64 },
        VariantName::Sliding => Variant::Banded(Band::Sliding { width: first }),
        VariantName::Blocks => Variant::Banded(Band::Blocks { size: first, neighbours: second }),
        VariantName::Linear => Variant::Linear,
        VariantName::Performer => Variant::Performer { features: first, seed: second as u64 },
        VariantName::LowRank => Variant::LowRank { rank: first },
        VariantName::Linformer => Variant::Linformer { keys: first },
        VariantName::Chunked => Variant::Chunked { size: first },
        VariantName::Softmax => Variant::Softmax,
    })
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

/// Refuses what makes no sense on one head, once all edits are there.
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

/// Whether a stack can have a variant: what mixes tokens needs them all at once.
pub fn fits_stack(variant: Variant, stack: Stack) -> bool {
    match variant {
        Variant::LowRank { .. } => stack == Stack::Encoder,
        // Cross-attention's keys are all there before the first query.
        Variant::Linformer { .. } => stack != Stack::Decoder,
        _ => true,
    }
}

fn check_head(own: &HeadVariant, extent: &Extent) -> Result<()> {
    let name = own.variant.name();
    let refused = |expected: &str, got: &str| {
        let what = format!("{name} attention in the {} stack", extent.stack.name());
        Err(Error::new(Code::EditContradiction, what, expected, got))
    };
    if own.dropout.is_some() && !own.variant.has_rows() {
        return refused("no dropout, since it holds no weights to drop", "one");
    }
    if !own.variant.has_scale() && (own.scale != Scale::Model || own.temperature != 1.0) {
        return refused("no scale or temperature, since it has no exponent", "one");
    }
    if !fits_stack(own.variant, extent.stack) {
        return refused(
            "a stack that reads all its tokens at once, as an encoder does",
            "one whose tokens are written one after another, and which would see those to come",
        );
    }
    let side = extent.n_queries.min(extent.n_keys);
    if matches!(own.variant, Variant::LowRank { .. }) && side > LONGEST_DECOMPOSED {
        return Err(Error::new(
            Code::SelectionTooLarge,
            "low-rank attention",
            format!("a text of at most {LONGEST_DECOMPOSED} tokens; shorten it"),
            format!("{side} tokens"),
        ));
    }
    Ok(())
}
