//! Hugging Face's `tokenizers` for a user's own models: a `tokenizer.json` in, ids, words and texts
//! out, the same as from Python's library. The crate is a separate wasm file, so that a page with
//! bundled models alone never fetches it.
//!
//! The regex engine differs from the library's: Python's build has Oniguruma, which does not
//! compile to wasm. [`pattern`] rewrites a pattern of Oniguruma for `fancy-regex`, or refuses it.

pub mod charsmap;
pub mod pattern;
mod pattern_classes;
mod pattern_reader;
pub mod steps;
pub mod tokenizer;
#[cfg(target_arch = "wasm32")]
mod wasm;
