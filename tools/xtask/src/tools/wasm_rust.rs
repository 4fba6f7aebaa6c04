//! A Rust that compiles to wasm32: the toolchain in use with rustup's target, or, where rustup
//! cannot fetch one, Debian's compiler with a standard library built from Debian's sources.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::wasm_target::{TARGET, has_standard_library};
use super::{apt, cargo, debian_rust, find_on_path};
use crate::shell::{Shell, Tool};

/// Set to `debian` to try the second way on a machine where the first one works.
const FORCE: &str = "HEADSCOPE_WASM_RUST";

/// How to call cargo for wasm32.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WasmRust {
    /// The toolchain that also builds native code.
    InUse,
    /// Debian's, with the folder that holds its wasm32 standard library.
    Debian(PathBuf),
}

impl WasmRust {
    pub fn ensure(shell: &Shell) -> Result<Self> {
        if std::env::var(FORCE).is_ok_and(|way| way == "debian") {
            return Ok(Self::Debian(debian_rust::ensure(shell)?));
        }
        if toolchain_in_use_has_target() {
            return Ok(Self::InUse);
        }
        if find_on_path(&format!("rustup{}", std::env::consts::EXE_SUFFIX)).is_some()
            && shell.run(Tool::new("rustup").args(["target", "add", TARGET])).is_ok()
        {
            return Ok(Self::InUse);
        }
        if !apt::is_usable() {
            bail!(
                "Rust's {TARGET} target is missing: run `rustup target add {TARGET}` where that \
                 may use the network, then run the command again."
            );
        }
        shell.say("rustup cannot add the target here: Debian's packages have to do.")?;
        Ok(Self::Debian(debian_rust::ensure(shell)?))
    }

    /// A cargo whose `--target wasm32-unknown-unknown` works, with its own build folder.
    pub fn cargo(&self, target_folder: &Path) -> Tool {
        let tool = match self {
            Self::InUse => cargo(),
            Self::Debian(prefix) => debian_rust::cargo(prefix),
        };
        tool.env("CARGO_TARGET_DIR", target_folder)
    }
}

fn toolchain_in_use_has_target() -> bool {
    let rustc = Tool::new("rustc").args(["--print", "target-libdir", "--target", TARGET]);
    rustc.capture().is_ok_and(|folder| has_standard_library(Path::new(folder.trim())))
}
