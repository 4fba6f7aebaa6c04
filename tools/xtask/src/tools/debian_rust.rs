//! Debian's Rust for machines where rustup cannot download: its compiler, and a wasm32 standard
//! library built once from its sources, under `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::apt;
use super::wasm_target::{TARGET, has_standard_library};
use crate::disk;
use crate::shell::{Shell, Tool};

const PACKAGES: [&str; 5] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy", "lld-22"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
/// From lld-22; Debian's compiler comes without a linker for wasm.
const WASM_LINKER: &str = "/usr/lib/llvm-22/bin/wasm-ld";
/// Debian's own libraries and the sources of std.
const RUSTLIB: &str = "/usr/lib/rustlib";

/// Prepares the folder that serves as the sysroot, once.
pub fn ensure(shell: &Shell) -> Result<PathBuf> {
    let prefix = shell.project.tools().join("debian-rust");
    let libraries = prefix.join("lib/rustlib").join(TARGET).join("lib");
    if has_standard_library(&libraries) && Path::new(RUSTC).is_file() {
        return Ok(prefix);
    }
    if !Path::new(RUSTLIB).join("src/rust/library/std").is_dir() || !Path::new(CARGO).is_file() {
        apt::install(shell, &PACKAGES)?;
    }
    shell.say("Building the standard library for wasm32 from Debian's sources, about a minute.")?;
    let built = build_standard_library(shell)?;
    copy_libraries(&built, &libraries)?;
    link_the_rest(&prefix.join("lib/rustlib"))?;
    write_wrapper(&prefix)?;
    Ok(prefix)
}

/// Debian's cargo with the prepared sysroot.
pub fn cargo(prefix: &Path) -> Tool {
    Tool::new(CARGO)
        .env("RUSTC", prefix.join("bin/rustc"))
        // clippy-driver is no wrapper around rustc: it takes the folder from here.
        .env("SYSROOT", prefix)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", WASM_LINKER)
        .env("PATH", debian_first())
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
}

/// Debian's programs before rustup's, so that `cargo clippy` finds its own driver.
fn debian_first() -> std::ffi::OsString {
    let mut path = std::ffi::OsString::from("/usr/bin:");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}

/// Compiles std by building an empty crate with it; returns the folder of the libraries.
fn build_standard_library(shell: &Shell) -> Result<PathBuf> {
    let folder = shell.project.tools().join("debian-std");
    disk::write(&folder.join("src/lib.rs"), "")?;
    disk::write(
        &folder.join("Cargo.toml"),
        "[package]\nname = \"empty\"\nedition = \"2021\"\n\n[workspace]\n",
    )?;
    let build = Tool::new(CARGO)
        .args(["build", "--release", "--target", TARGET])
        .arg("-Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro")
        .dir(&folder)
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("PATH", debian_first())
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .env_remove("RUSTFLAGS")
        .advice("Debian's sources do not build here, so add the target with rustup instead");
    shell.run(build)?;
    Ok(folder.join("target").join(TARGET).join("release/deps"))
}

fn copy_libraries(from: &Path, to: &Path) -> Result<()> {
    disk::create_folder(to)?;
    for entry in from.read_dir().with_context(|| format!("{} is missing", from.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rlib")
            && let Some(name) = path.file_name()
        {
            fs::copy(&path, to.join(name))
                .with_context(|| format!("{} could not be copied", path.display()))?;
        }
    }
    if !has_standard_library(to) {
        bail!("Building std left no library in {}: add the target with rustup.", from.display());
    }
    Ok(())
}

/// Links Debian's other targets and tools beside the new one.
fn link_the_rest(rustlib: &Path) -> Result<()> {
    for entry in Path::new(RUSTLIB).read_dir().context("Debian's Rust is incomplete")? {
        let entry = entry?;
        let link = rustlib.join(entry.file_name());
        if link.symlink_metadata().is_err() {
            symlink(&entry.path(), &link)
                .with_context(|| format!("{} could not be linked", link.display()))?;
        }
    }
    Ok(())
}

fn write_wrapper(prefix: &Path) -> Result<()> {
    let wrapper = prefix.join("bin/rustc");
    let script = format!("#!/bin/sh\nexec {RUSTC} --sysroot '{}' \"$@\"\n", prefix.display());
    disk::write(&wrapper, script)?;
    make_executable(&wrapper)
}

#[cfg(unix)]
fn symlink(original: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("{} could not be made executable", path.display()))
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    bail!("Debian's Rust needs Debian: add the target with rustup.")
}
