//! Headscope's core: the Transformer of 2017 and its relatives, exact and legible, with
//! every head, mask and intermediate open to look at and to change.
//!
//! Data flow: numbers ([`kernels`]) → mechanism ([`masks`], [`positions`],
//! [`backend`], [`attention`], [`blocks`]) → model ([`files`], [`model`]) → runs ([`run`]) → JavaScript
//! (`wasm`). A module imports only modules to its left; `tests/core/modules.rs` guards it.

pub mod analysis;
pub mod attention;
pub mod axes;
pub mod backend;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod bindings;
pub mod blocks;
pub mod demos;
pub mod edits;
pub mod error;
pub mod files;
pub mod kernels;
pub mod masks;
pub mod model;
pub mod positions;
pub mod run;
pub mod warning;
#[cfg(target_arch = "wasm32")]
mod wasm;
