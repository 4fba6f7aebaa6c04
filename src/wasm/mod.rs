//! The door to JavaScript: parse, one call of the session, convert. Nothing else in the
//! crate knows `wasm_bindgen`. Numbers leave as copies, never as views of memory that
//! may move; every method takes `&self` and calls nothing back.
//!
//! There are two doors, for two wasm files: models and their runs, and the laboratories,
//! which need no model. Tests are compiled with both. Behind the first is the CPU backend, or
//! where the crate is built with `webgpu` that one: a third file with the same door.

mod convert;
#[cfg(feature = "model")]
mod engine;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "model")]
mod model;
#[cfg(feature = "model")]
#[cfg(feature = "model")]
mod question;
#[cfg(feature = "model")]
mod run;
#[cfg(feature = "model")]
mod spectrum;
#[cfg(feature = "model")]
mod steps;
#[cfg(feature = "model")]
mod tensor;
mod unknown;
