//! The core as a wasm file: the crate `headscope` with the features of the file, whose exports are
//! those of its module `wasm`.

extern crate headscope as _;
