//! The whole test round, in three lanes and then the page, and the quick round.

mod report;
pub mod round;
mod suites;
pub mod wasm_tests;

use anyhow::Result;

use crate::build::wasm::Variant;
use crate::build::{licences, lockfile, site, wasm};
use crate::project::Project;
use crate::tools::{node, vulkan, wasm_target};
use round::Round;

/// The prefix of page tests that measure speed. They assert no time, and `npm run figures` runs
/// them alone.
const FIGURES: &str = "figures:";

/// Runs all suites but those that must be named, or the suites in `only` if there are any; `false`
/// if a test failed or was skipped without permission.
pub fn run(project: &Project, only: Vec<String>) -> Result<bool> {
    let round = Round::new(project, only);
    round.check("versions", &[], |shell| lockfile::check_wasm_bindgen(shell.project));
    // More than one lane uses these tools, which are installed once.
    round.check("rust-for-wasm", &[], wasm_target::ensure);
    npm_packages(&round);
    round.check("format-python", &[], suites::check_python);
    round.side_by_side(&[&rust, &shipped, &typescript]);
    // After the lanes: two tests at a time use all of a small machine.
    let but_figures = format!("--grep-invert={FIGURES}");
    round.suite("pages", &["page"], |shell| suites::pages(shell, &[&but_figures]));
    // Some minutes, and downloads of 700 MB.
    round.named_suite("hosts", &["page"], suites::hosts);
    round.finish()
}

/// The quick round: no wasm, no browser.
pub fn run_quick(project: &Project) -> Result<bool> {
    let round = Round::new(project, vec![]);
    npm_packages(&round);
    round.side_by_side(&[&typescript, &|round| {
        round.check("format-rust", &[], suites::format_rust);
        round.check("lint-rust", &[], suites::lint_rust);
        round.suite("native-unit", &[], |shell| suites::core(shell, "kind(lib)"));
    }]);
    round.finish()
}

fn npm_packages(round: &Round) {
    round.check("npm-packages", &[], |shell| {
        node::ensure_node()?;
        node::ensure_packages(shell)
    });
}

fn typescript(round: &Round) {
    // The linter reads types, so it checks them in the same pass.
    for name in ["format", "lint", "unused"] {
        round.check(name, &["npm-packages"], |shell| suites::script(shell, name));
    }
    round.suite("unit", &["npm-packages"], |shell| suites::vitest(shell, "unit"));
}

/// The suites of Rust in one build folder, so that procedural macros and build scripts are compiled
/// once for all: for this machine, and the tests in wasm.
fn rust(round: &Round) {
    round.check("format-rust", &[], suites::format_rust);
    round.check("unused-rust", &[], suites::unused_rust_dependencies);
    round.check("lint-rust", &[], suites::lint_rust);
    round.check("lint-wasm", &[], suites::lint_wasm);
    for (name, package) in [("xtask", "xtask"), ("tokenizer", "headscope-tokenizer")] {
        round.suite(name, &[], |shell| suites::native(shell, &["--package", package]));
    }
    round.suite("native", &[], |shell| suites::core(shell, "not test(/^webgpu::/)"));
    round.suite("webgpu", &[], |shell| {
        vulkan::ensure(shell)?;
        suites::core(shell, "test(/^webgpu::/)")
    });
    round.suite("examples", &[], suites::examples);
    round.check("documentation", &[], suites::document);
    round.suite("wasm-simd128", &[], suites::wasm);
}

/// The suites of the shipped wasm, of page and package.
fn shipped(round: &Round) {
    round.check("wasm", &["npm-packages"], |shell| {
        wasm::build_all(shell, || Ok(()))?;
        Variant::ALL.into_iter().try_for_each(|variant| {
            wasm::check_vector_instructions(shell, variant)?;
            wasm::check_exports(shell, variant)
        })
    });
    round.check("random-tokenizers", &["wasm"], suites::random_tokenizers);
    round.check("page", &["wasm"], site::build);
    round.check("licences", &["page"], licences::check);
    round.suite("package", &["page"], |shell| suites::vitest(shell, "unit:node"));
    round.suite("python", &["page"], suites::python);
}
