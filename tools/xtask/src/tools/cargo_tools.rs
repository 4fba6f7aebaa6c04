//! Programs that only the tests need, at pinned versions, under `target/tools`: from a Python wheel
//! if there is one for this machine, else compiled from crates.io.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{cargo, find_on_path, python};
use crate::shell::{Shell, Tool};

const NEXTEST: (&str, &str) = ("cargo-nextest", "0.9.148");
const SHEAR: (&str, &str) = ("cargo-shear", "1.14.0");
const MDBOOK: (&str, &str) = ("mdbook", "0.5.4");
const RUFF: (&str, &str) = ("ruff", "0.17.6");

/// The prefix of a crate's name in the name of the wheel with its program.
const READY_MADE: &str = "astral-dev-toolchain-";

/// The program that finds unused dependencies in Cargo.toml.
pub fn shear(shell: &Shell) -> Result<Tool> {
    ready_made_or_compiled(shell, SHEAR).map(Tool::new)
}

/// The runner of native tests: an installed one, of any version that reads
/// `tools/xtask/nextest.toml`.
pub fn nextest(shell: &Shell) -> Result<Tool> {
    let installed = find_on_path(&format!("{}{}", NEXTEST.0, std::env::consts::EXE_SUFFIX));
    installed.map_or_else(|| ready_made_or_compiled(shell, NEXTEST), Ok).map(Tool::new)
}

/// The formatter and linter of Python, which Python's registry has for every machine.
pub fn ruff(shell: &Shell) -> Result<Tool> {
    let (name, version) = RUFF;
    let folder = folder_of(shell, name, version);
    let path = path_of(&folder, name);
    if !path.is_file() {
        unpack(shell, &folder, name, version)?;
    }
    Ok(Tool::new(path))
}

/// The tool that makes books of Markdown, for the tests of its preprocessor.
pub fn mdbook(shell: &Shell) -> Result<PathBuf> {
    let (name, version) = MDBOOK;
    ensure(shell, name, version, name, &["--debug", "--locked", "--no-default-features"])
}

/// The program of a crate with the same name, from a wheel or compiled.
fn ready_made_or_compiled(shell: &Shell, (name, version): (&str, &str)) -> Result<PathBuf> {
    let folder = folder_of(shell, name, version);
    let wheel = format!("{READY_MADE}{name}");
    let is_there = path_of(&folder, name).is_file();
    if !is_there && unpack(shell, &folder, &wheel, version).is_err() {
        shell.say(&format!("There is no ready-made {name} for this machine."))?;
    }
    ensure(shell, name, version, name, &["--debug", "--locked"])
}

/// Unpacks a wheel with a program by pip.
fn unpack(shell: &Shell, folder: &Path, wheel: &str, version: &str) -> Result<()> {
    let pip = python::program()
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--only-binary", ":all:", "--target"])
        .arg(folder)
        .arg(format!("{wheel}=={version}"));
    shell.run(pip)
}

fn folder_of(shell: &Shell, name: &str, version: &str) -> PathBuf {
    shell.project.tools().join(format!("{name}-{version}"))
}

fn path_of(folder: &Path, program: &str) -> PathBuf {
    folder.join("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
}

/// Compiles and installs `program` of a crate unless this version is installed already.
fn ensure(
    shell: &Shell,
    name: &str,
    version: &str,
    program: &str,
    flags: &[&str],
) -> Result<PathBuf> {
    let folder = folder_of(shell, name, version);
    let path = path_of(&folder, program);
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
