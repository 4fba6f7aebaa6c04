//! Hostile input to the core: every broken checkpoint, config, request, query and edit
//! is refused with its code and a sentence that says what to do, nothing panics, and
//! afterwards the same model computes the same bits.

mod checkpoint;
mod checkpoint_tensors;
mod config;
mod craft;
mod edits;
#[cfg(not(target_arch = "wasm32"))]
mod files;
mod input;
mod mutations;
mod reference_model;
mod views;
