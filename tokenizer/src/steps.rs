//! Normalizers, pre-tokenizers and decoders of a `tokenizer.json`: the library's own, except those
//! that search by a pattern. These use the rewritten pattern, and fail if the search is given up,
//! where the library would continue as if there was no further match.

use fancy_regex::{Regex, RegexBuilder};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;
use tokenizers::normalizers::NormalizerWrapper;
use tokenizers::pattern::{Invert, Pattern};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::{
    Decoder, DecoderWrapper, NormalizedString, Normalizer, Offsets, PreTokenizedString,
    PreTokenizer, Result, SplitDelimiterBehavior,
};

use crate::charsmap::Charsmap;
use crate::pattern::translate;

/// The most backtracking steps of one search before it is given up, about a second.
const MOST_STEPS_BACK: usize = 20_000_000;

/// A pattern of Oniguruma, rewritten and compiled.
#[derive(Debug)]
struct Search(Regex);

impl Search {
    fn new(pattern: &str) -> std::result::Result<Self, String> {
        let translated = translate(pattern)?;
        let mut builder = RegexBuilder::new(&translated);
        let regex = builder.backtrack_limit(MOST_STEPS_BACK).build();
        regex
            .map(Self)
            .map_err(|error| format!("the pattern {pattern:?}, which is no pattern: {error}"))
    }
}

impl Pattern for &Search {
    fn find_matches(&self, inside: &str) -> Result<Vec<(Offsets, bool)>> {
        if inside.is_empty() {
            return Ok(vec![((0, 0), false)]);
        }
        let mut end = 0;
        let mut parts = Vec::new();
        for found in self.0.find_iter(inside) {
            let found = found?;
            if end != found.start() {
                parts.push(((end, found.start()), false));
            }
            parts.push(((found.start(), found.end()), true));
            end = found.end();
        }
        if end != inside.len() {
            parts.push(((end, inside.len()), false));
        }
        Ok(parts)
    }
}

/// The pattern of a component of a type; `None` if it searches for a plain text.
fn pattern_of<'a>(component: &'a Value, kind: &str) -> Option<&'a str> {
    let is_of_kind = component.get("type")?.as_str()? == kind;
    component.get("pattern")?.get("Regex")?.as_str().filter(|_| is_of_kind)
}

/// Lists the components of a sequence in order, or a single component.
fn flatten<'a>(component: &'a Value, list: &str, into: &mut Vec<&'a Value>) {
    let is_sequence = component.get("type").and_then(Value::as_str) == Some("Sequence");
    match component.get(list).and_then(Value::as_array).filter(|_| is_sequence) {
        Some(parts) => parts.iter().for_each(|part| flatten(part, list, into)),
        None => into.push(component),
    }
}

#[derive(Debug)]
enum NormalizerStep {
    Replace { search: Search, by: String },
    Charsmap(Charsmap),
    Library(NormalizerWrapper),
}

impl NormalizerStep {
    fn new(component: &Value) -> std::result::Result<Self, String> {
        let text = |key: &str| component.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(pattern) = pattern_of(component, "Replace") {
            let by = text("content").ok_or("a Replace without `content`")?;
            return Ok(Self::Replace { search: Search::new(pattern)?, by });
        }
        // `longest` is Headscope's own field: SentencePiece's way to apply the table.
        if component.get("longest").is_some_and(|longest| longest == true) {
            let table = text("precompiled_charsmap").unwrap_or_default();
            return Charsmap::new(&table).map(Self::Charsmap);
        }
        let library = NormalizerWrapper::deserialize(component);
        library.map(Self::Library).map_err(|error| format!("a normalizer: {error}"))
    }
}

/// The normalizers, applied to a text before pre-tokenization.
#[derive(Debug)]
pub struct Normalizers(Vec<NormalizerStep>);

impl<'de> Deserialize<'de> for Normalizers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let whole = Value::deserialize(deserializer)?;
        let mut parts = Vec::new();
        flatten(&whole, "normalizers", &mut parts);
        let steps =
            parts.into_iter().map(NormalizerStep::new).collect::<std::result::Result<_, _>>();
        steps.map(Self).map_err(D::Error::custom)
    }
}

impl Normalizer for Normalizers {
    fn normalize(&self, text: &mut NormalizedString) -> Result<()> {
        for step in &self.0 {
            match step {
                NormalizerStep::Replace { search, by } => text.replace(search, by)?,
                NormalizerStep::Charsmap(charsmap) => charsmap.normalize(text),
                NormalizerStep::Library(library) => library.normalize(text)?,
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
enum PreTokenizerStep {
    Split { search: Search, behavior: SplitDelimiterBehavior, invert: bool },
    Library(PreTokenizerWrapper),
}

impl PreTokenizerStep {
    fn new(component: &Value) -> std::result::Result<Self, String> {
        let refused = |error| format!("a pre-tokenizer: {error}");
        let Some(pattern) = pattern_of(component, "Split") else {
            return PreTokenizerWrapper::deserialize(component).map(Self::Library).map_err(refused);
        };
        let behavior = component.get("behavior").unwrap_or(&Value::Null);
        Ok(Self::Split {
            search: Search::new(pattern)?,
            behavior: SplitDelimiterBehavior::deserialize(behavior).map_err(refused)?,
            invert: component
                .get("invert")
                .and_then(Value::as_bool)
                .ok_or("a Split without `invert`")?,
        })
    }
}

/// The pre-tokenizers, which split a text into words.
#[derive(Debug)]
pub struct PreTokenizers(Vec<PreTokenizerStep>);

impl<'de> Deserialize<'de> for PreTokenizers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let whole = Value::deserialize(deserializer)?;
        let mut parts = Vec::new();
        flatten(&whole, "pretokenizers", &mut parts);
        let steps =
            parts.into_iter().map(PreTokenizerStep::new).collect::<std::result::Result<_, _>>();
        steps.map(Self).map_err(D::Error::custom)
    }
}

impl PreTokenizer for PreTokenizers {
    fn pre_tokenize(&self, text: &mut PreTokenizedString) -> Result<()> {
        for step in &self.0 {
            match step {
                PreTokenizerStep::Split { search, behavior, invert: false } => {
                    text.split(|_, part| part.split(search, *behavior))?;
                }
                PreTokenizerStep::Split { search, behavior, invert: true } => {
                    text.split(|_, part| part.split(Invert(search), *behavior))?;
                }
                PreTokenizerStep::Library(library) => library.pre_tokenize(text)?,
            }
        }
        Ok(())
    }
}

/// The decoder, which joins pieces to a text: the library's, with its patterns rewritten.
#[derive(Debug)]
pub struct Decoders(DecoderWrapper);

impl<'de> Deserialize<'de> for Decoders {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let mut whole = Value::deserialize(deserializer)?;
        rewrite(&mut whole).map_err(D::Error::custom)?;
        DecoderWrapper::deserialize(whole).map(Self).map_err(D::Error::custom)
    }
}

fn rewrite(component: &mut Value) -> std::result::Result<(), String> {
    if let Some(pattern) = pattern_of(component, "Replace") {
        component["pattern"]["Regex"] = Value::String(translate(pattern)?);
    }
    let parts = component.get_mut("decoders").and_then(Value::as_array_mut);
    parts.into_iter().flatten().try_for_each(rewrite)
}

impl Decoder for Decoders {
    fn decode_chain(&self, tokens: Vec<String>) -> Result<Vec<String>> {
        self.0.decode_chain(tokens)
    }
}
