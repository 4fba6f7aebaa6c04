//! The interface for JavaScript: it parses, calls the core, and converts. No other module of the
//! crate uses `wasm_bindgen`. Numbers leave as copies, never as views of memory that may move;
//! every method takes `&self` and makes no callbacks.
//!
//! There are two interfaces, for two wasm files: models and their runs, and the demos, which need
//! no model. Tests are compiled with both. The first computes on the CPU backend, or on the WebGPU
//! backend if the crate is built with `webgpu`: a third file with the same interface. A fourth,
//! built with `gradients`, computes on a backend that records its operations: its runs answer the
//! questions about gradients in place of the others, and it trains models.

mod convert;
#[cfg(feature = "demos")]
mod demos;
#[cfg(feature = "model")]
mod engine;
#[cfg(all(feature = "model", not(feature = "gradients")))]
mod images;
#[cfg(feature = "model")]
mod model;
#[cfg(feature = "model")]
mod query;
#[cfg(feature = "model")]
mod source;
#[cfg(all(feature = "model", feature = "gradients"))]
mod trainer;
