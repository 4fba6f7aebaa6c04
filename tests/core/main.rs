//! The core as its callers see it: one program for all of these files, because each program
//! compiles the whole generic engine anew. What may differ in wasm runs there too: kernels,
//! parity, edits, reuse and hostile input.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod edits;
mod families;
mod functions;
mod generation;
mod hostile;
mod images;
mod parity;
mod resolved;
mod reuse;
mod settings;
mod stored;

#[cfg(not(target_arch = "wasm32"))]
mod aggregates;
#[cfg(not(target_arch = "wasm32"))]
mod attribution;
#[cfg(not(target_arch = "wasm32"))]
mod beams;
#[cfg(not(target_arch = "wasm32"))]
mod circles;
#[cfg(not(target_arch = "wasm32"))]
mod circuits;
#[cfg(not(target_arch = "wasm32"))]
mod config_keys;
#[cfg(not(target_arch = "wasm32"))]
mod demos;
#[cfg(not(target_arch = "wasm32"))]
mod files;
#[cfg(not(target_arch = "wasm32"))]
mod gradients;
#[cfg(not(target_arch = "wasm32"))]
mod head_weights;
#[cfg(not(target_arch = "wasm32"))]
mod hooks;
#[cfg(not(target_arch = "wasm32"))]
mod influence;
#[cfg(not(target_arch = "wasm32"))]
mod lens;
#[cfg(not(target_arch = "wasm32"))]
mod long;
#[cfg(not(target_arch = "wasm32"))]
mod measures;
#[cfg(not(target_arch = "wasm32"))]
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod modules;
#[cfg(not(target_arch = "wasm32"))]
mod patches;
#[cfg(not(target_arch = "wasm32"))]
mod shares;
#[cfg(not(target_arch = "wasm32"))]
mod steps;
#[cfg(not(target_arch = "wasm32"))]
mod trained;
#[cfg(not(target_arch = "wasm32"))]
mod training;
#[cfg(not(target_arch = "wasm32"))]
mod variants;
#[cfg(not(target_arch = "wasm32"))]
mod views;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod webgpu;
