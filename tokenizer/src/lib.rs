//! Hugging Face's `tokenizers` for models that a user brings: a `tokenizer.json` in, ids, words and
//! texts out, as Python's library gives them. The crate is a wasm file of its own, so that a page
//! whose models are the bundled ones never fetches it.
//!
//! The one part that is not the library's is its regex engine: Python's build has Oniguruma, which
//! does not compile to wasm. [`pattern`] rewrites a pattern of Oniguruma for `fancy-regex`, or
//! refuses it.

pub mod charsmap;
pub mod pattern;
mod pattern_classes;
mod pattern_reader;
pub mod steps;
pub mod tokenizer;
#[cfg(target_arch = "wasm32")]
mod wasm;
