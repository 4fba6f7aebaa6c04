//! Headscope's core: the Transformer of 2017 and its relatives, exact and legible, with
//! every head, mask and intermediate open to look at and to change.
//!
//! Data flow: numbers ([`kernels`]) → mechanism ([`masks`], [`positions`], [`variants`],
//! [`backend`], [`attention`], [`blocks`]) → model ([`files`], [`model`]) → runs ([`run`],
//! [`decode`]; [`training`]) → JavaScript
//! (`wasm`). A module imports only modules to its left; `tests/core/modules.rs` guards it.
//!
//! # Example
//!
//! A folder is loaded, some tokens are run, and the weights of one head are read. Turning a text
//! into ids is the tokenizer's part, which is not in this crate.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::rc::Rc;
//!
//! use headscope::axes::{Stack, Stage};
//! use headscope::backend::Cpu;
//! use headscope::decode::Decoding;
//! use headscope::files::{self, Bytes};
//! use headscope::model::Model;
//! use headscope::run::RunRequest;
//!
//! let config = std::fs::read_to_string("models/tiny-bert/config.json")?;
//! let weights = std::fs::read("models/tiny-bert/model.safetensors")?;
//! let files = files::open(vec![Box::new(Bytes::new("model.safetensors", &weights))])?;
//! let model = Rc::new(Model::load(Cpu, Some(&config), None, files)?);
//!
//! let request = RunRequest { ids: vec![2.0, 17.0, 42.0, 3.0], ..RunRequest::default() };
//! let decoding = Decoding::begin(&model, &request, None)?;
//! // A step is a few milliseconds of work, so that a page stays responsive in between.
//! while !pollster::block_on(decoding.step())?.finished {}
//!
//! let head = (Stack::Encoder, 0, 0);
//! let reading = decoding.run().borrow().attention(head, Stage::Weights, None)?;
//! let pattern = pollster::block_on(reading)?;
//! assert_eq!(pattern.shape(), [4, 4]); // [query, key]
//! for row in pattern.into_data().chunks(4) {
//!     assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What is asked wrongly is refused with a stable code:
//!
//! ```
//! use headscope::backend::Cpu;
//! use headscope::files::{self, Bytes};
//! use headscope::model::Model;
//!
//! let no_weights = files::open(vec![Box::new(Bytes::new("model.safetensors", b"?"))]);
//! let refused = no_weights.and_then(|files| Model::load(Cpu, Some("{}"), None, files));
//! assert!(refused.is_err_and(|error| error.code.as_str().starts_with("checkpoint/")));
//! ```

pub mod analysis;
pub mod attention;
pub mod axes;
pub mod backend;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod bindings;
pub mod blocks;
pub mod decode;
pub mod demos;
pub mod edits;
pub mod error;
pub mod files;
#[doc(inline)]
pub use headscope_kernels as kernels;
pub mod masks;
pub mod model;
pub mod positions;
pub mod question;
pub mod run;
pub mod training;
pub mod variants;
pub mod warning;
#[cfg(target_arch = "wasm32")]
mod wasm;
