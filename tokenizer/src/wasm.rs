//! The tokenizer as a JavaScript class. An error is thrown as its sentence.

use std::collections::HashMap;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::tokenizer::{Encoded, Tokenizer};

/// The encoding of a text or a pair of texts; all lists have an entry for each token.
#[wasm_bindgen(getter_with_clone)]
pub struct WasmEncoded {
    /// The ids of the tokens.
    pub ids: Vec<u32>,
    /// The types of the tokens: which of two texts a token belongs to.
    pub types: Vec<u32>,
    /// The words of the tokens, −1 for a token that the template adds.
    pub words: Vec<i32>,
    /// The part of the text that each token covers.
    pub texts: Vec<String>,
}

/// A tokenizer of the library.
#[wasm_bindgen]
pub struct WasmTokenizer(Tokenizer);

#[wasm_bindgen]
impl WasmTokenizer {
    /// Reads a `tokenizer.json`. `pieces` and `ids` are pieces with other ids than their place.
    ///
    /// # Errors
    /// The library's sentence about what it cannot read.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str, pieces: Vec<String>, ids: &[u32]) -> Result<Self, String> {
        let renumbered: HashMap<_, _> = pieces.into_iter().zip(ids.iter().copied()).collect();
        Tokenizer::new(json, renumbered).map(Self)
    }

    /// The encoding of a text or a pair of texts.
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

    /// The text of some ids.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    pub fn decode(&self, ids: &[u32], skips_special: bool) -> Result<String, String> {
        self.0.decode(ids, skips_special)
    }

    /// The text of some pieces.
    ///
    /// # Errors
    /// A search by a pattern that was given up.
    #[wasm_bindgen(js_name = decodePieces)]
    pub fn decode_pieces(&self, pieces: Vec<String>) -> Result<String, String> {
        self.0.decode_pieces(pieces)
    }

    /// The piece with an id.
    pub fn piece(&self, id: u32) -> Option<String> {
        self.0.piece(id)
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.0.id(piece)
    }

    /// The texts of the added tokens, which a text may contain literally, by id.
    #[wasm_bindgen(js_name = addedTexts)]
    pub fn added_texts(&self) -> Vec<String> {
        self.0.added().into_iter().map(|token| token.content).collect()
    }

    /// The ids of the added tokens.
    #[wasm_bindgen(js_name = addedIds)]
    pub fn added_ids(&self) -> Vec<u32> {
        self.0.added().into_iter().map(|token| token.id).collect()
    }

    /// For each added token, 1 if it is special.
    #[wasm_bindgen(js_name = addedSpecial)]
    pub fn added_special(&self) -> Vec<u8> {
        self.0.added().into_iter().map(|token| u8::from(token.special)).collect()
    }
}
