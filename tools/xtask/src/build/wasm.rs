//! The builds of the Rust core as wasm: compiled, bound to JavaScript and optimised. Models for the
//! CPU, with and without relaxed SIMD, and for WebGPU; gradients and training, demos, which need no
//! model, and tokenizers of users' models in separate files, so that a first visit does not fetch
//! them. `cargo xtask serve` starts with a core for the CPU that builds in half the time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use wasm_bindgen_cli_support::Bindgen;

use super::exports;
use super::simd;
use crate::disk;
use crate::project::Project;
use crate::shell::{Shell, Tool};
use crate::stamp::{Inputs, Stamp};
use crate::tools::wasm_target::TARGET;
use crate::tools::{cargo, node};

/// The crate that links the core as a wasm file.
const CRATE: &str = "headscope-core";
/// The base name of the files of the core for the CPU.
const STEM: &str = "headscope";

/// The folder with a subfolder for each variant.
pub const CORES: &str = "www/engine/wasm";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    Simd128,
    Relaxed,
    WebGpu,
    Gradients,
    Demos,
    Tokenizer,
    /// The core for the CPU until the shipped one is built.
    Quick,
}

impl Variant {
    /// The variants that are shipped.
    pub const ALL: [Self; 6] =
        [Self::WebGpu, Self::Simd128, Self::Relaxed, Self::Gradients, Self::Demos, Self::Tokenizer];

    /// The name of the variant's folder in `www/engine/wasm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simd128 => "simd128",
            Self::Relaxed => "relaxed",
            Self::WebGpu => "webgpu",
            Self::Gradients => "gradients",
            Self::Demos => "demos",
            Self::Tokenizer => "tokenizer",
            Self::Quick => "quick",
        }
    }

    /// The crate of the variant.
    pub fn package(self) -> &'static str {
        if self == Self::Tokenizer { "headscope-tokenizer" } else { CRATE }
    }

    /// The source folder of the variant's crate.
    fn sources(self) -> &'static str {
        if self == Self::Tokenizer { "tokenizer" } else { "src" }
    }

    /// The Cargo profile of the variant.
    fn profile(self) -> &'static str {
        if self == Self::Quick { "wasm-quick" } else { "wasm-release" }
    }

    /// What the variant sets otherwise than `wasm-release`. A profile of its own would have a
    /// folder of its own, with procedural macros and build scripts that are compiled anew.
    fn settings(self) -> &'static [&'static str] {
        match self {
            // Where a GPU computes, kernels of the CPU are for a few edits.
            Self::WebGpu => &[
                r#"profile.wasm-release.package.headscope-core.opt-level="s""#,
                r#"profile.wasm-release.package.headscope-kernels.opt-level="s""#,
            ],
            // Fetched by those who bring a model: no part of it is hot.
            Self::Tokenizer => &[r#"profile.wasm-release.opt-level="z""#],
            _ => &[],
        }
    }

    /// The crate features of the variant.
    pub fn features(self) -> &'static str {
        match self {
            Self::Simd128 | Self::Relaxed | Self::Quick => "model",
            Self::WebGpu => "model,webgpu",
            Self::Gradients => "model,gradients",
            Self::Demos => "demos",
            Self::Tokenizer => "",
        }
    }

    /// The base name of the shipped files.
    fn stem(self) -> &'static str {
        match self {
            Self::Simd128 | Self::Relaxed | Self::Quick => STEM,
            Self::WebGpu => "headscope_gpu",
            Self::Gradients => "headscope_gradients",
            Self::Demos => "headscope_demos",
            Self::Tokenizer => "headscope_tokenizer",
        }
    }

    /// The compiler flags. Every browser since 2023 has SIMD. With a lower inlining threshold than
    /// the default, 275, the files are 8 % smaller; passes take as long.
    fn flags(self) -> &'static str {
        match self {
            Self::Relaxed => {
                "-C target-feature=+simd128,+relaxed-simd -C llvm-args=-inline-threshold=25"
            }
            // The source of random numbers; none is drawn.
            Self::Tokenizer => "-C target-feature=+simd128 --cfg getrandom_backend=\"wasm_js\"",
            _ => "-C target-feature=+simd128 -C llvm-args=-inline-threshold=25",
        }
    }

    /// The build folder of the variant's lane, so that no lane waits for another's. Builds of one
    /// lane share procedural macros and build scripts.
    fn target_folder(self, project: &Project) -> PathBuf {
        project.path(match self {
            Self::WebGpu | Self::Gradients | Self::Tokenizer => "target/wasm-webgpu",
            Self::Simd128 | Self::Relaxed | Self::Demos | Self::Quick => "target/wasm-cpu",
        })
    }

    /// A cargo command with the compiler flags of this variant.
    pub fn cargo(self) -> Tool {
        cargo().env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", self.flags())
    }

    /// The folder in which the page's bundler expects the result.
    pub fn output_folder(self, project: &Project) -> PathBuf {
        project.path(CORES).join(self.name())
    }

    fn wasm_name(self) -> String {
        let name = if self == Self::Relaxed { "headscope_relaxed" } else { self.stem() };
        format!("{name}_bg.wasm")
    }

    /// The shipped wasm file.
    pub fn shipped(self, project: &Project) -> PathBuf {
        self.output_folder(project).join(self.wasm_name())
    }

    /// The script that belongs to the wasm file.
    fn script(self, project: &Project) -> PathBuf {
        self.output_folder(project).join(format!("{}.js", self.stem()))
    }
}

/// Builds all variants, two at a time, while `install` installs wasm-opt: the linker's optimiser,
/// which takes most of the time, has one thread.
pub fn build_all(shell: &Shell, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let is_installed = OnceLock::new();
    let build_each = |variants: &[Variant]| {
        variants.iter().try_for_each(|&variant| build(shell, variant, &is_installed))
    };
    let lanes: [&[Variant]; 2] = [
        &[Variant::WebGpu, Variant::Gradients, Variant::Tokenizer],
        &[Variant::Simd128, Variant::Relaxed, Variant::Demos],
    ];
    thread::scope(|scope| {
        let build_each = &build_each;
        let builds = lanes.map(|lane| scope.spawn(move || build_each(lane)));
        let installed = install();
        is_installed.get_or_init(|| installed.is_ok());
        for build in builds {
            build.join().map_err(|_| anyhow!("a build of the core stopped"))??;
        }
        installed
    })
}

/// Whether all shipped files were built from the present sources.
pub fn is_all_current(project: &Project) -> Result<bool> {
    for variant in Variant::ALL {
        if !is_current(project, variant)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes the files of cores that were built from other sources, so that a request for a core
/// never gets an earlier one.
pub fn remove_outdated(project: &Project) -> Result<()> {
    for variant in Variant::ALL {
        if !is_current(project, variant)? {
            disk::remove_folder(&variant.output_folder(project))?;
        }
    }
    Ok(())
}

/// Builds the core for the CPU faster, unless it is current: it is larger than the shipped one,
/// since no optimiser saw all of it.
pub fn build_quick(shell: &Shell) -> Result<()> {
    if is_current(shell.project, Variant::Quick)? {
        return shell.say("quick: unchanged");
    }
    let compiled = compile(shell, Variant::Quick)?;
    let staging = staging(shell.project, Variant::Quick)?;
    bind(&compiled, &staging, Variant::Quick)?;
    publish(shell.project, Variant::Quick, &staging)
}

/// Compiles, binds and optimises a variant, unless its inputs are unchanged.
fn build(shell: &Shell, variant: Variant, is_installed: &OnceLock<bool>) -> Result<()> {
    let project = shell.project;
    if is_current(project, variant)? {
        return shell.say(&format!("{}: unchanged", variant.name()));
    }
    let compiled = compile(shell, variant)?;
    if !is_installed.wait() {
        return Ok(());
    }
    let staging = staging(project, variant)?;
    bind(&compiled, &staging, variant)?;
    if variant == Variant::Relaxed {
        let relaxed = staging.join(variant.wasm_name());
        fs::rename(staging.join(format!("{STEM}_bg.wasm")), relaxed)?;
        check_same_script(project, &staging)?;
    }
    optimise(shell, &staging.join(variant.wasm_name()))?;
    publish(project, variant, &staging)?;
    let shipped = read(&variant.shipped(project))?;
    let found = simd::count(&shipped)?;
    let kilobytes = shipped.len() / 1000;
    shell.say(&format!("{}: {kilobytes} KB, {found} vector instructions", variant.name()))
}

fn is_current(project: &Project, variant: Variant) -> Result<bool> {
    let results = [variant.shipped(project), variant.script(project)];
    Ok(stamp(project, variant)?.is_current(&results))
}

fn stamp(project: &Project, variant: Variant) -> Result<Stamp> {
    let mut inputs = Inputs::default();
    let settings =
        ["Cargo.toml", "Cargo.lock", "tools/core", "rust-toolchain.toml", "package-lock.json"];
    for input in [&[variant.sources()], &settings[..]].concat() {
        inputs.path(&project.path(input))?;
    }
    for word in [&[variant.flags(), variant.features()], variant.settings()].concat() {
        inputs.word(word);
    }
    Ok(Stamp::new(project, &format!("wasm-{}", variant.name()), &inputs))
}

/// Compiles a variant; returns the compiler's output file.
fn compile(shell: &Shell, variant: Variant) -> Result<PathBuf> {
    let project = shell.project;
    let folder = variant.target_folder(project).join(TARGET).join(variant.profile());
    let file = format!("{}.wasm", variant.package().replace('-', "_"));
    // Cargo writes every variant to this file and would reuse another variant's.
    disk::remove(&folder.join("deps").join(&file))?;
    let cargo = variant
        .cargo()
        .env("CARGO_TARGET_DIR", variant.target_folder(project))
        .args(["build", "--package", variant.package(), "--lib", "--target", TARGET])
        .args(["--profile", variant.profile()])
        .args(["--no-default-features", "--features", variant.features()])
        .args(variant.settings().iter().flat_map(|setting| ["--config", *setting]))
        .advice("the core does not compile for wasm, mend what the compiler names above");
    shell.run(cargo)?;
    Ok(folder.join(&file))
}

/// An empty folder for the incomplete files of a variant.
fn staging(project: &Project, variant: Variant) -> Result<PathBuf> {
    let folder = project.path("target/bound").join(variant.name());
    disk::remove_folder(&folder)?;
    disk::create_folder(&folder)?;
    Ok(folder)
}

/// Moves complete files to the folder that the page reads, all at once.
fn publish(project: &Project, variant: Variant, staging: &Path) -> Result<()> {
    let output = variant.output_folder(project);
    disk::remove_folder(&output)?;
    fs::rename(staging, &output)
        .with_context(|| format!("{} could not be moved", staging.display()))?;
    stamp(project, variant)?.record()
}

/// Fails unless the shipped file has the vector instructions of its variant.
pub fn check_vector_instructions(shell: &Shell, variant: Variant) -> Result<()> {
    let found = simd::count(&read(&variant.shipped(shell.project))?)?;
    shell.say(&format!("{}: {found} vector instructions", variant.name()))?;
    simd::check(variant, found)
}

/// Fails unless the shipped file exports its own interface and no other.
pub fn check_exports(shell: &Shell, variant: Variant) -> Result<()> {
    let shipped = read(&variant.shipped(shell.project))?;
    exports::check(variant, &exports::exports(&shipped)?)
}

/// Fails unless the script of the plain build, the only shipped one, fits the relaxed build.
fn check_same_script(project: &Project, relaxed: &Path) -> Result<()> {
    let script = relaxed.join(format!("{}.js", Variant::Relaxed.stem()));
    if disk::read(&Variant::Simd128.script(project))? != disk::read(&script)? {
        bail!(
            "wasm-bindgen made another script of the relaxed build: import that one too in \
             www/engine/worker.ts."
        );
    }
    Ok(())
}

/// Writes the JavaScript beside the wasm, as ES modules for browsers and bundlers.
fn bind(compiled: &Path, output: &Path, variant: Variant) -> Result<()> {
    Bindgen::new()
        .input_path(compiled)
        .web(true)?
        .typescript(true)
        .remove_producers_section(true)
        // After a trap, the page creates a new tokenizer.
        .reset_state_function(variant == Variant::Tokenizer)
        .out_name(variant.stem())
        .generate(output)
        .with_context(|| format!("wasm-bindgen could not bind {}", compiled.display()))
}

fn optimise(shell: &Shell, wasm: &Path) -> Result<()> {
    // Without feature flags: the file declares its own features, and more would make older engines
    // refuse it. Functions with one caller are not inlined: the file compresses better, and
    // browsers give a kernel's loop all registers. Addresses below 1,024 are the end of the stack,
    // so that addresses may move into the offsets of loads.
    let file = wasm.to_string_lossy();
    let wasm_opt = node::script("optimise-wasm", &[&file, "-o", &file])
        .advice("delete node_modules and run the command again");
    shell.run(wasm_opt)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    disk::read(path).context("Run `cargo xtask build` first")
}
