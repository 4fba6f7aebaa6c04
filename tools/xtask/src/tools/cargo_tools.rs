//! Programs from crates.io that only the tests need, at pinned versions, under `target/tools`.

use std::path::PathBuf;

use anyhow::Result;

use super::{cargo, find_on_path};
use crate::build::lockfile::Lockfile;
use crate::shell::{Shell, Tool};

const MACHETE_VERSION: &str = "0.9.2";
const NEXTEST_VERSION: &str = "0.9.143";

/// Finds dependencies of Cargo.toml that no source file mentions.
pub fn machete(shell: &Shell) -> Result<Tool> {
    // It reads a few small files: a debug build of it is there in a third of the time.
    let flags = ["--debug", "--locked"];
    Ok(Tool::new(ensure(shell, "cargo-machete", MACHETE_VERSION, "cargo-machete", &flags)?))
}

/// Runs native tests: an installed one, of any version that reads `tools/xtask/nextest.toml`.
pub fn nextest(shell: &Shell) -> Result<Tool> {
    let name = "cargo-nextest";
    let installed = find_on_path(&format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(Tool::new(match installed {
        Some(path) => path,
        None => ensure(shell, name, NEXTEST_VERSION, name, &["--debug", "--locked"])?,
    }))
}

/// Runs wasm tests in Node; as old as the wasm-bindgen crate, to the digit.
pub fn wasm_test_runner(shell: &Shell) -> Result<PathBuf> {
    let version = Lockfile::read(shell.project)?.version("wasm-bindgen")?;
    // Node needs no driver, so the runner needs no TLS.
    let flags = ["--no-default-features"];
    ensure(shell, "wasm-bindgen-cli", &version, "wasm-bindgen-test-runner", &flags)
}

/// Installs `program` of a crate unless this version is there already.
fn ensure(
    shell: &Shell,
    name: &str,
    version: &str,
    program: &str,
    flags: &[&str],
) -> Result<PathBuf> {
    let folder = shell.project.tools().join(format!("{name}-{version}"));
    let path = folder.join("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        return Ok(path);
    }
    shell.say(&format!("Installing {name} {version} into target/tools, once."))?;
    let install = cargo()
        .args(["install", name, "--version", &format!("={version}"), "--root"])
        .arg(&folder)
        .args(["--bin", program])
        .args(flags)
        .advice(format!(
            "{name} {version} could not be installed, check the network and run the command again"
        ));
    shell.run(install)?;
    Ok(path)
}
