//! The request of a run: first as it was sent, then checked against a model.

use serde::{Deserialize, Serialize};

use super::continuation::{Continuation, GenerateRequest, Method};
use super::stream_dropout::StreamDropout;
use crate::axes::Stack;
use crate::edits::{EditFit, Edits, fit, longest_text, wire};
use crate::error::{Code, Error, Result, shown, whole};
use crate::model::ModelConfig;

/// A request as it is sent. Numbers arrive as f64 because that is what a page can send.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct RunRequest {
    /// The text's token ids, exactly as the model gets them; empty for an image.
    pub ids: Vec<f64>,
    /// An image, `[channels, height, width]`, normalised. It crosses the wasm API as a separate
    /// argument.
    #[serde(skip)]
    pub pixels: Option<Vec<f32>>,
    /// The dropout of the residual stream, while a model is trained: of a backend that records its
    /// operations; any other one refuses it.
    #[serde(skip)]
    pub dropout: Option<StreamDropout>,
    /// The segment type of each token, the first or second text; absent: the first for all tokens.
    pub token_type_ids: Option<Vec<f64>>,
    /// For each token 1 if it is real, 0 if it is padding; absent: all are real.
    pub attention_mask: Option<Vec<f64>>,
    /// The decoder's input, start token included.
    pub target_ids: Option<Vec<f64>>,
    /// Whether, how far and how the model goes on writing.
    pub generate: Option<GenerateRequest>,
    /// The edits of the mechanism.
    pub edits: Option<wire::Edits>,
    /// Whether edits are cut down to what the model and the text have, instead of refused.
    pub lenient: Option<bool>,
}

/// A checked request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    /// The ids that the first stack reads; for an image the positions of its tokens.
    pub ids: Vec<u32>,
    /// The patches of an image, row-major.
    pub patches: Option<Vec<f32>>,
    /// The segment types of the tokens, as many as `ids`.
    pub types: Vec<u32>,
    /// Whether each token is real, as many as `ids`.
    pub real: Vec<bool>,
    /// The ids that the decoder of an encoder-decoder reads at first.
    pub target: Vec<u32>,
    /// The continuation to write, if any is wanted.
    pub generate: Option<Continuation>,
    /// The checked edits.
    pub edits: Edits,
    /// The patches of activations, as they were sent.
    pub activation_patches: Vec<wire::PatchEdit>,
    /// The dropout of the residual stream.
    pub dropout: Option<StreamDropout>,
    /// The edits as they were sent, if they may be cut down to what fits.
    pub lenient: Option<wire::Edits>,
    /// The most tokens of its texts.
    pub longest: Longest,
}

/// The most tokens that each stack may have, by its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Longest {
    encoder: usize,
    decoder: usize,
}

impl Longest {
    fn of(sent: &wire::Edits, config: &ModelConfig) -> Self {
        let longest =
            |stack| longest_text(&sent.positions, stack, config.positions, config.max_tokens);
        Self { encoder: longest(Stack::Encoder), decoder: longest(Stack::Decoder) }
    }

    /// The most tokens of one stack.
    pub fn stack(self, stack: Stack) -> usize {
        match stack {
            Stack::Encoder => self.encoder,
            Stack::Decoder | Stack::Cross => self.decoder,
        }
    }
}

impl Request {
    /// Whether the request wants new tokens.
    pub fn writes(&self) -> bool {
        self.generate.as_ref().is_some_and(|wanted| wanted.most > 0)
    }

    /// The number of beams and the greatest length of their texts, if any are wanted.
    pub fn beams(&self, config: &ModelConfig) -> Option<(u64, u64)> {
        let wanted = self.generate.as_ref()?;
        let Method::Beams(beams) = wanted.method else { return None };
        let given = if config.encoder.is_some() { &self.target } else { &self.ids };
        let length = (given.len() + wanted.most).min(self.longest.stack(Stack::Decoder));
        Some((beams.n_beams as u64, length as u64))
    }

    /// Checks a request against a model.
    ///
    /// # Errors
    /// `input/…` and `edit/…`, each naming what is wrong.
    pub fn resolve(sent: &RunRequest, config: &ModelConfig) -> Result<Self> {
        let none = wire::Edits::default();
        let sent_edits = sent.edits.as_ref().unwrap_or(&none);
        let longest = Longest::of(sent_edits, config);
        let first = if config.encoder.is_some() { Stack::Encoder } else { Stack::Decoder };
        let patches = patches(sent, config)?;
        let ids = match config.image {
            Some(image) => (0..image.n_tokens() as u32).collect(),
            None => token_ids(
                &sent.ids,
                "the token ids",
                config.n_source_vocabulary,
                longest.stack(first),
            )?,
        };
        let types = token_types(sent.token_type_ids.as_deref(), ids.len(), config)?;
        let real = attention_mask(sent.attention_mask.as_deref(), ids.len())?;
        let target = target_ids(sent, config, longest.stack(Stack::Decoder))?;
        let n_given = if config.encoder.is_some() { target.len() } else { ids.len() };
        let generate = sent
            .generate
            .as_ref()
            .map(|wanted| Continuation::resolve(wanted, n_given, config))
            .transpose()?;

        // While a text grows, only the model's positions limit its length.
        let writes_source = generate.is_some() && config.encoder.is_none();
        let most = longest.stack(Stack::Decoder);
        let n_source = if writes_source { most } else { ids.len() };
        let n_target = match (config.encoder, &generate) {
            (Some(_), None) => target.len(),
            (Some(_), Some(_)) => most,
            (None, _) => n_source,
        };
        let extents = config.extents(n_source, n_target);
        let lenient = sent.edits.clone().filter(|_| sent.lenient == Some(true));
        let edits = match &lenient {
            Some(sent) => Edits::resolve(&fit(sent, &extents).edits, &extents)?,
            None => Edits::resolve(sent_edits, &extents)?,
        };
        let edits = edits.settled(config.norm, config.positions);
        Ok(Self {
            ids,
            patches,
            types,
            real,
            target,
            generate,
            edits,
            activation_patches: sent_edits.patches.clone(),
            dropout: sent.dropout,
            lenient,
            longest,
        })
    }

    /// The fit of lenient edits to texts of these lengths.
    pub fn fit(&self, n_source: usize, n_target: usize, config: &ModelConfig) -> Option<EditFit> {
        let extents = config.extents(n_source, n_target);
        self.lenient.as_ref().map(|sent| fit(sent, &extents))
    }

    /// The number of padding tokens before the text that a decoder-only model goes on writing.
    pub fn n_padding(&self, config: &ModelConfig) -> usize {
        match config.encoder {
            Some(_) => 0,
            None => self.real.iter().position(|&real| real).unwrap_or(0),
        }
    }

    /// The most tokens that a stack can have in this run.
    pub fn most_tokens(&self, stack: Stack, config: &ModelConfig) -> usize {
        let there = match (stack, config.encoder) {
            (Stack::Decoder, Some(_)) => self.target.len(),
            _ => self.ids.len(),
        };
        match &self.generate {
            Some(more) if stack == Stack::Decoder => {
                self.longest.stack(stack).min(there.saturating_add(more.most))
            }
            _ => there,
        }
    }
}

/// The patches of an image, in a model that reads one.
fn patches(sent: &RunRequest, config: &ModelConfig) -> Result<Option<Vec<f32>>> {
    let refuse =
        |code: Code, expected: &str, got: &str| Err(Error::new(code, "the input", expected, got));
    let (pixels, image) = match (&sent.pixels, config.image) {
        (None, None) => return Ok(None),
        (Some(pixels), Some(image)) if sent.ids.is_empty() => (pixels, image),
        (_, None) => {
            return refuse(Code::InputWrongKind, "a text, as the model reads", "an image");
        }
        (_, _) => return refuse(Code::InputWrongKind, "an image, as the model reads", "ids"),
    };
    let shape = [image.channels, image.size[0], image.size[1]];
    let is_whole = pixels.len() == shape.iter().product::<usize>();
    if is_whole && pixels.iter().all(|pixel| pixel.is_finite()) {
        return Ok(Some(image.patches(pixels)));
    }
    let got = if is_whole { "NaN or infinity" } else { &format!("{} pixels", pixels.len()) };
    refuse(Code::InputBadImage, &format!("finite pixels of the shape {shape:?}"), got)
}

fn token_ids(sent: &[f64], what: &str, n_vocabulary: usize, most: usize) -> Result<Vec<u32>> {
    if sent.is_empty() {
        return Err(Error::new(
            Code::InputEmpty,
            what,
            "at least one token; type something",
            "none",
        ));
    }
    if sent.len() > most {
        return Err(Error::new(
            Code::InputTooLong,
            what,
            format!("at most {most} tokens; shorten the text"),
            format!("{} tokens", sent.len()),
        ));
    }
    sent.iter()
        .enumerate()
        .map(|(at, &id)| {
            below(id, n_vocabulary).ok_or_else(|| {
                Error::new(
                    Code::InputBadId,
                    format!("{what}, number {at}"),
                    format!("a whole number from 0 to {}", n_vocabulary - 1),
                    shown(id),
                )
            })
        })
        .collect()
}

fn token_types(sent: Option<&[f64]>, n: usize, config: &ModelConfig) -> Result<Vec<u32>> {
    let Some(sent) = sent else { return Ok(vec![0; n]) };
    let error = |got: String| {
        let expected = match config.n_token_types {
            0 => "none, since this model has no token types".to_owned(),
            types => format!("{n} whole numbers below {types}"),
        };
        Error::new(Code::InputBadTokenType, "the token types", expected, got)
    };
    if sent.len() != n {
        return Err(error(format!("{} of them", sent.len())));
    }
    sent.iter()
        .map(|&kind| below(kind, config.n_token_types).ok_or_else(|| error(shown(kind))))
        .collect()
}

fn attention_mask(sent: Option<&[f64]>, n: usize) -> Result<Vec<bool>> {
    let Some(sent) = sent else { return Ok(vec![true; n]) };
    let error = |got: String| {
        Error::new(
            Code::InputBadMask,
            "the attention mask",
            format!("{n} values, each 0 or 1"),
            got,
        )
    };
    if sent.len() != n {
        return Err(error(format!("{} values", sent.len())));
    }
    sent.iter()
        .map(|&real| below(real, 2).map(|real| real == 1).ok_or_else(|| error(shown(real))))
        .collect()
}

/// The ids that the decoder of an encoder-decoder begins with.
fn target_ids(sent: &RunRequest, config: &ModelConfig, most: usize) -> Result<Vec<u32>> {
    let refuse = |expected: &str, got: &str| {
        Err(Error::new(Code::InputUnexpectedTarget, "the target", expected, got))
    };
    if config.decoder.is_none() && sent.generate.is_some() {
        return refuse("no continuation, since this model has no decoder", "a request to generate");
    }
    match (&sent.target_ids, config.has_cross_attention()) {
        (None, false) => Ok(Vec::new()),
        (Some(_), false) => refuse("none, since this model has one stack", "target ids"),
        (Some(ids), true) => token_ids(ids, "the target ids", config.n_vocabulary, most),
        (None, true) => match (config.generation.start_token, &sent.generate) {
            (_, None) => refuse("target ids, or a request to generate them", "neither"),
            (Some(start), Some(_)) => Ok(vec![start]),
            (None, Some(_)) => refuse(
                "target ids, since the model's files name no start token of the vocabulary",
                "none",
            ),
        },
    }
}

/// A whole number from 0 to `end − 1`.
fn below(value: f64, end: usize) -> Option<u32> {
    whole(value, 0..=end.checked_sub(1)?).map(|value| value as u32)
}
