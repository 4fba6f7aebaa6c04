//! The door to JavaScript: parse, one call of the session, convert. Nothing else in the
//! crate knows `wasm_bindgen`. Numbers leave as copies, never as views of memory that
//! may move; every method takes `&self` and calls nothing back.

mod convert;
mod lab;
mod model;
mod question;
mod run;
mod spectrum;
mod steps;
mod unknown;
