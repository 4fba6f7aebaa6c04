//! The prerequisites, one file each: used if installed, installed if possible, and otherwise named
//! in a sentence.

pub mod apt;
pub mod browser;
pub mod cargo_tools;
pub mod fonts;
pub mod node;
pub mod python;
pub mod vulkan;
pub mod wasm_target;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::shell::Tool;

/// The cargo that runs this program, so that one toolchain builds everything.
pub fn cargo() -> Tool {
    Tool::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// The path of a program, as a shell would find it.
pub fn find_on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}
