//! A tokenizer of the library, built from a `tokenizer.json`.

use std::collections::HashMap;

use tokenizers::{Decoder as _, Encoding, ModelWrapper, PostProcessorWrapper, TokenizerImpl};

use crate::steps::{Decoders, Normalizers, PreTokenizers};

type Library =
    TokenizerImpl<ModelWrapper, Normalizers, PreTokenizers, PostProcessorWrapper, Decoders>;

/// The encoding of a text or a pair of texts; all lists have an entry for each token.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The ids of the tokens.
    pub ids: Vec<u32>,
    /// The types of the tokens: which of two texts a token belongs to, by the model's template.
    pub types: Vec<u32>,
    /// The words of the tokens, counted on from the first text to the second; −1 for a token that
    /// the template adds.
    pub words: Vec<i32>,
    /// The part of the text that each token covers.
    pub texts: Vec<String>,
}

/// An added token, which a text may contain literally.
#[derive(Debug)]
pub struct Added {
    /// The token's id.
    pub id: u32,
    /// The token's text.
    pub content: String,
    /// Whether the token is special, that is stands for no part of a text.
    pub special: bool,
}

/// A tokenizer of the library.
pub struct Tokenizer {
    library: Library,
    /// Ids that differ from a piece's place in the model: of pieces that no text is split into, and
    /// of pieces that the model does not have.
    renumbered: HashMap<String, u32>,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`. `renumbered` holds other ids of some pieces.
    ///
    /// # Errors
    /// The library's sentence about what it cannot read.
    pub fn new(json: &str, renumbered: HashMap<String, u32>) -> Result<Self, String> {
        let mut library: Library = serde_json::from_str(json).map_err(|error| error.to_string())?;
        // Hugging Face's tokenizers truncate and pad only if the caller asks for it.
        library.with_truncation(None).map_err(|error| error.to_string())?;
        library.with_padding(None);
        Ok(Self { library, renumbered })
    }

    /// The encoding of a text or a pair of texts, with the special tokens of the model's template
    /// if `adds_special`.
    ///
    /// # Errors
    /// A search by a pattern that was given up, or a piece that the model needs and lacks.
    pub fn encode(
        &self,
        text: &str,
        pair: Option<&str>,
        adds_special: bool,
    ) -> Result<Encoded, String> {
        let encoding = match pair {
            None => self.library.encode(text, adds_special),
            Some(pair) => self.library.encode((text, pair), adds_special),
        };
        let encoding = encoding.map_err(|error| error.to_string())?;
        let sequences = encoding.get_sequence_ids();
        Ok(Encoded {
            ids: self.ids(&encoding),
            types: encoding.get_type_ids().to_vec(),
            words: words(&encoding, &sequences),
            texts: texts(&encoding, &sequences, text, pair.unwrap_or_default()),
        })
    }

    fn ids(&self, encoding: &Encoding) -> Vec<u32> {
        let ids = encoding.get_ids().iter().zip(encoding.get_tokens());
        ids.map(|(&id, piece)| self.renumbered.get(piece).copied().unwrap_or(id)).collect()
    }

    /// The text of some ids; without the special tokens if `skips_special`.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    pub fn decode(&self, ids: &[u32], skips_special: bool) -> Result<String, String> {
        if self.renumbered.is_empty() {
            return self.library.decode(ids, skips_special).map_err(|error| error.to_string());
        }
        let vocabulary = self.library.get_added_vocabulary();
        let pieces = ids.iter().filter_map(|&id| self.piece(id));
        let kept = pieces.filter(|piece| !skips_special || !vocabulary.is_special_token(piece));
        self.decode_pieces(kept.collect())
    }

    /// The text of some pieces.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    pub fn decode_pieces(&self, pieces: Vec<String>) -> Result<String, String> {
        match self.library.get_decoder() {
            None => Ok(pieces.join(" ")),
            Some(decoder) => decoder.decode(pieces).map_err(|error| error.to_string()),
        }
    }

    /// The piece with an id; `None` if no piece has it.
    pub fn piece(&self, id: u32) -> Option<String> {
        let is_named = |piece: &String| !piece.starts_with(UNNAMED) && self.id(piece) == Some(id);
        let others = || self.renumbered.iter().find(|(_, number)| **number == id);
        let own = self.library.id_to_token(id).filter(is_named);
        own.or_else(|| others().map(|(piece, _)| piece.clone()))
    }

    /// The id of a piece; `None` if the vocabulary lacks it.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.renumbered.get(piece).copied().or_else(|| self.library.token_to_id(piece))
    }

    /// The added tokens, by id.
    pub fn added(&self) -> Vec<Added> {
        let tokens = self.library.get_added_tokens_decoder();
        let mut added: Vec<_> = tokens
            .into_iter()
            .map(|(id, token)| Added { id, content: token.content, special: token.special })
            .collect();
        added.sort_unstable_by_key(|token| token.id);
        added
    }
}

/// The first character of the placeholder for a place of the vocabulary without a piece.
pub const UNNAMED: char = '\u{F0000}';

fn words(encoding: &Encoding, sequences: &[Option<usize>]) -> Vec<i32> {
    let numbers = encoding.get_word_ids().iter().zip(sequences);
    let of_first = numbers.clone().filter(|(_, sequence)| **sequence == Some(0));
    let count = of_first.filter_map(|(word, _)| *word).max().map_or(0, |word| word as i32 + 1);
    let number = |word: u32, sequence| word as i32 + if sequence == Some(1) { count } else { 0 };
    numbers.map(|(word, &sequence)| word.map_or(-1, |word| number(word, sequence))).collect()
}

fn texts(
    encoding: &Encoding,
    sequences: &[Option<usize>],
    first: &str,
    second: &str,
) -> Vec<String> {
    let spans = encoding.get_offsets().iter().zip(sequences);
    let texts = spans.map(|(&(start, end), sequence)| {
        let text = if *sequence == Some(1) { second } else { first };
        text.get(start..end).unwrap_or_default().to_owned()
    });
    texts.collect()
}
