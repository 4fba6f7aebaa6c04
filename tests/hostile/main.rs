//! Hostile input to the core: every broken checkpoint, config, request, question and edit
//! is refused with its code and a sentence that says what to do, nothing panics, and
//! afterwards the same model computes the same bits.

mod checkpoint;
mod checkpoint_tensors;
mod config;
mod craft;
mod edits;
mod input;
#[path = "../support/mod.rs"]
mod support;
mod views;
mod witness;
