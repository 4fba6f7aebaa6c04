//! The compiler target of the core for the page, installed by rustup.

use std::path::Path;

use anyhow::Result;

use crate::shell::{Shell, Tool};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the target to the toolchain in use unless it is installed.
pub fn ensure(shell: &Shell) -> Result<()> {
    let rustc = Tool::new("rustc").args(["--print", "target-libdir", "--target", TARGET]);
    if rustc.capture().is_ok_and(|folder| has_standard_library(Path::new(folder.trim()))) {
        return Ok(());
    }
    shell.run(Tool::new("rustup").args(["target", "add", TARGET]).advice(format!(
        "Rust's {TARGET} target is missing, run `rustup target add {TARGET}` where that may use \
         the network, or install it as your system does, and run the command again"
    )))
}

/// Whether a folder of libraries holds the standard library of the target.
fn has_standard_library(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}
