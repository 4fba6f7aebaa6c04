//! The target that the core is compiled to for the page, and what a toolchain needs for it.

use std::path::Path;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Whether a folder of libraries holds the target's standard library.
pub fn has_standard_library(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}
