//! The core as its callers see it: one program for all of these files, because each program
//! compiles the whole generic engine anew.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod attention;
mod edits;
mod functions;
mod heads;
mod kinds;
mod llama;
mod long;
mod masks;
mod measures;
mod parity;
mod placed;
mod position_lab;
mod properties;
mod roles;
mod schemes;
mod steps;
mod stream;
mod together;
mod trained;
mod views;
mod way;
mod workbench;
