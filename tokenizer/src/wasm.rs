//! The tokenizer as a class in JavaScript. Failures are thrown as the sentence that they are.

use std::collections::HashMap;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::tokenizer::{Encoded, Tokenizer};

/// Tokens of a text or two; all lists have an entry for each.
#[wasm_bindgen(getter_with_clone)]
pub struct WasmEncoded {
    /// Ids.
    pub ids: Vec<u32>,
    /// Which of two texts a token belongs to.
    pub types: Vec<u32>,
    /// Words, −1 for a token that the template adds.
    pub words: Vec<i32>,
    /// What stands in the text where a token is.
    pub texts: Vec<String>,
}

/// A tokenizer.
#[wasm_bindgen]
pub struct WasmTokenizer(Tokenizer);

#[wasm_bindgen]
impl WasmTokenizer {
    /// Reads a `tokenizer.json`. Each of `pieces` has the id of its place in `ids`.
    ///
    /// # Errors
    /// The library's sentence about what it cannot read.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str, pieces: Vec<String>, ids: &[u32]) -> Result<Self, String> {
        let renumbered: HashMap<_, _> = pieces.into_iter().zip(ids.iter().copied()).collect();
        Tokenizer::new(json, renumbered).map(Self)
    }

    /// Tokens of a text or two.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    pub fn encode(
        &self,
        text: &str,
        pair: Option<String>,
        adds_special: bool,
    ) -> Result<WasmEncoded, String> {
        let encoded = self.0.encode(text, pair.as_deref(), adds_special)?;
        let Encoded { ids, types, words, texts } = encoded;
        Ok(WasmEncoded { ids, types, words, texts })
    }

    /// The text that ids spell.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    pub fn decode(&self, ids: &[u32], skips_special: bool) -> Result<String, String> {
        self.0.decode(ids, skips_special)
    }

    /// The text that pieces spell.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    #[wasm_bindgen(js_name = decodePieces)]
    pub fn decode_pieces(&self, pieces: Vec<String>) -> Result<String, String> {
        self.0.decode_pieces(pieces)
    }

    /// The piece of an id.
    pub fn piece(&self, id: u32) -> Option<String> {
        self.0.piece(id)
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.0.id(piece)
    }

    /// Texts of the tokens that a text may spell out, by their ids.
    #[wasm_bindgen(js_name = addedTexts)]
    pub fn added_texts(&self) -> Vec<String> {
        self.0.added().into_iter().map(|token| token.content).collect()
    }

    /// The tokens' ids.
    #[wasm_bindgen(js_name = addedIds)]
    pub fn added_ids(&self) -> Vec<u32> {
        self.0.added().into_iter().map(|token| token.id).collect()
    }

    /// Of each of them 1 if it stands for no part of a text.
    #[wasm_bindgen(js_name = addedSpecial)]
    pub fn added_special(&self) -> Vec<u8> {
        self.0.added().into_iter().map(|token| u8::from(token.special)).collect()
    }
}
