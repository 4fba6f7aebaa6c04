//! An edit of kinds of attention as it was sent, checked: the kind has a name and the numbers
//! that it takes, and what comes together on one head makes sense.

use super::kind::{Band, Dropout, HeadKind, Kind, Scale};
use super::limits::{LARGEST_FACTOR, LARGEST_RATE, LONGEST_DECOMPOSED, MOST_UNITS};
use super::scope::{Extent, index};
use super::{Edits, wire};
use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown};
use crate::kernels::random::seed_of;

/// The parts of a head's way that an edit names.
pub(super) struct Change {
    kind: Option<Kind>,
    scale: Option<Scale>,
    temperature: Option<f32>,
    dropout: Option<wire::Dropout>,
}

impl Change {
    /// Changes those; what is drawn is drawn for each `[stack, layer, head]` by itself.
    pub fn apply(&self, own: &mut HeadKind, place: &[usize]) {
        if let Some(kind) = self.kind {
            own.kind = match kind {
                Kind::Additive { width, seed } => {
                    Kind::Additive { width, seed: seed_of(seed, place) }
                }
                Kind::Performer { features, seed } => {
                    Kind::Performer { features, seed: seed_of(seed, place) }
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
    let kind = match (&edit.kind, &edit.parameters) {
        (None, None) => None,
        (None, Some(_)) => {
            let expected = "a kind that the parameters belong to";
            return Err(Error::new(
                Code::EditContradiction,
                "a kind of attention",
                expected,
                "none",
            ));
        }
        (Some(name), parameters) => Some(named(name, parameters.unwrap_or_default())?),
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
    Ok(Change { kind, scale, temperature, dropout: edit.dropout })
}

/// A kind with the numbers that it takes, and a refusal of those that it does not.
fn named(name: &str, sent: wire::KindParameters) -> Result<Kind> {
    let wire::KindParameters { width, seed, size, neighbours, features, rank, keys } = sent;
    let all = [
        ("width", width),
        ("seed", seed),
        ("size", size),
        ("neighbours", neighbours),
        ("features", features),
        ("rank", rank),
        ("keys", keys),
    ];
    let taken: &[&str] = match name {
        "softmax" | "cosine" | "linear" => &[],
        "additive" => &["width", "seed"],
        "sliding" => &["width"],
        "blocks" => &["size", "neighbours"],
        "performer" => &["features", "seed"],
        "low-rank" => &["rank"],
        "linformer" => &["keys"],
        "chunked" => &["size"],
        other => {
            let expected = "softmax, cosine, additive, sliding, blocks, linear, performer, \
                            low-rank, linformer or chunked";
            let got = format!("{other:?}");
            return Err(Error::new(Code::EditUnsupported, "the kind of attention", expected, got));
        }
    };
    let given = |(name, value): (&'static str, Option<f64>)| value.map(|_| name);
    if let Some(foreign) = all.into_iter().filter_map(given).find(|one| !taken.contains(one)) {
        let expected = if taken.is_empty() { "none".to_owned() } else { taken.join(" and ") };
        let what = format!("the parameters of {name} attention");
        return Err(Error::new(Code::EditContradiction, what, expected, foreign));
    }
    let number = |value: Option<f64>, what: &str, least: usize, usual: usize| -> Result<usize> {
        let Some(value) = value else { return Ok(usual) };
        let what = format!("the {what} of {name} attention");
        let found = index(value, &what)?;
        if (least..=MOST_UNITS).contains(&found) {
            return Ok(found);
        }
        let expected = format!("a whole number from {least} to {MOST_UNITS}");
        Err(Error::new(Code::EditBadValue, what, expected, shown(value)))
    };
    // Only mixed, so that every whole number will do.
    let seed = |value: Option<f64>| index(value.unwrap_or(1.0), "a seed").map(|seed| seed as u64);
    Ok(match name {
        "cosine" => Kind::Cosine,
        "additive" => {
            Kind::Additive { width: number(width, "width", 0, 0)?, seed: seed(sent.seed)? }
        }
        "sliding" => Kind::Banded(Band::Sliding { width: number(width, "width", 0, 2)? }),
        "blocks" => Kind::Banded(Band::Blocks {
            size: number(size, "size", 1, 4)?,
            neighbours: number(neighbours, "neighbours", 0, 1)?,
        }),
        "linear" => Kind::Linear,
        "performer" => Kind::Performer {
            features: number(features, "features", 1, 64)?,
            seed: seed(sent.seed)?,
        },
        "low-rank" => Kind::LowRank { rank: number(rank, "rank", 0, 4)? },
        "linformer" => Kind::Linformer { keys: number(keys, "keys", 1, 4)? },
        "chunked" => Kind::Chunked { size: number(size, "size", 1, 16)? },
        _ => Kind::Softmax,
    })
}

fn scale(sent: &wire::ScoreScale) -> Result<Scale> {
    match sent {
        wire::ScoreScale::Named(name) if name == "model" => Ok(Scale::Model),
        wire::ScoreScale::Named(name) if name == "none" => Ok(Scale::None),
        wire::ScoreScale::Named(other) => Err(Error::new(
            Code::EditUnsupported,
            "the scale of the scores",
            "\"model\", \"none\" or a number",
            format!("{other:?}"),
        )),
        wire::ScoreScale::By(by) => Ok(Scale::By(factor(*by, "the scale of the scores")?)),
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
            for (_, own) in site.kinds().iter() {
                check_head(own, extent)?;
            }
        }
    }
    Ok(())
}

fn check_head(own: &HeadKind, extent: &Extent) -> Result<()> {
    let name = own.kind.name();
    let refused = |expected: &str, got: &str| {
        let what = format!("{name} attention in the {} stack", extent.stack.name());
        Err(Error::new(Code::EditContradiction, what, expected, got))
    };
    if own.dropout.is_some() && !own.kind.has_rows() {
        return refused("no dropout, since it holds no weights to drop", "one");
    }
    if !own.kind.has_scale() && (own.scale != Scale::Model || own.temperature != 1.0) {
        return refused("no scale or temperature, since it has no exponent", "one");
    }
    let at_once = match own.kind {
        Kind::LowRank { .. } => extent.stack == Stack::Encoder,
        // Cross-attention's keys are all there before the first query.
        _ => extent.stack != Stack::Decoder,
    };
    if own.kind.mixes_tokens() && !at_once {
        return refused(
            "a stack that reads all its tokens at once, as an encoder does",
            "one whose tokens are written one after another, and which would see those to come",
        );
    }
    let side = extent.n_queries.min(extent.n_keys);
    if matches!(own.kind, Kind::LowRank { .. }) && side > LONGEST_DECOMPOSED {
        return Err(Error::new(
            Code::SelectionTooLarge,
            "low-rank attention",
            format!("a text of at most {LONGEST_DECOMPOSED} tokens; shorten it"),
            format!("{side} tokens"),
        ));
    }
    Ok(())
}
