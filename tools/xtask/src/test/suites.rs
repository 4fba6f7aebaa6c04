//! The suites: how each one is run and its result read.

use std::ffi::OsString;
use std::net::TcpListener;
use std::path::Path;

use anyhow::{Context, Result};

use super::report::{self, Outcome};
use super::wasm_tests;
use crate::build::wasm::Variant;
use crate::disk;
use crate::shell::{Shell, Tool};
use crate::tools::wasm_target::TARGET;
use crate::tools::{browser, cargo, cargo_tools, fonts, node, python};

const CRATE: &str = "headscope";
/// The crate of the kernels, which the core exports as a module.
const KERNELS: &str = "headscope-kernels";

pub fn format_rust(shell: &Shell) -> Result<()> {
    shell.run(cargo().args(["fmt", "--all", "--check"]).advice("run `cargo fmt --all`"))
}

/// Checks how every Python file is laid out, and lints it.
pub fn check_python(shell: &Shell) -> Result<()> {
    let advice = "run `ruff format` and `ruff check --fix`";
    shell.run(cargo_tools::ruff(shell)?.args(["format", "--check", "--quiet"]).advice(advice))?;
    shell.run(cargo_tools::ruff(shell)?.args(["check", "--quiet"]).advice(advice))
}

/// Lints everything that is compiled for this machine: all crates, all features, all targets.
pub fn lint_rust(shell: &Shell) -> Result<()> {
    let clippy = cargo().args(["clippy", "--workspace", "--all-targets", "--all-features"]);
    shell.run(denying_warnings(clippy))
}

/// Lints everything that is compiled to wasm: the core with its unit tests, and once more with
/// `gradients`, where the interface has another backend. The integration tests in wasm are among
/// those of this machine.
pub fn lint_wasm(shell: &Shell) -> Result<()> {
    ["demos,webgpu,model", "demos,webgpu,model,gradients"].into_iter().try_for_each(|features| {
        // Cargo checks unit tests if the profile is theirs.
        let clippy = Variant::Simd128.cargo().args(["clippy", "--lib", "--profile", "test"]);
        let clippy = clippy.args(["--package", CRATE, "--package", KERNELS, "--target", TARGET]);
        shell.run(denying_warnings(clippy.args(["--no-default-features", "--features", features])))
    })
}

fn denying_warnings(clippy: Tool) -> Tool {
    clippy.args(["--", "-D", "warnings"]).advice("correct what clippy names above")
}

pub fn unused_rust_dependencies(shell: &Shell) -> Result<()> {
    let shear = cargo_tools::shear(shell)?;
    shell.run(shear.arg("--deny-warnings").advice("remove what is named from Cargo.toml"))
}

/// Runs Rust's tests on this machine by nextest, with the arguments `selection`.
pub fn native(shell: &Shell, selection: &[&str]) -> Result<Outcome> {
    let nextest = cargo_tools::nextest(shell)?;
    let report = shell.project.path("target/nextest/default/junit.xml");
    let config = shell.project.path("tools/xtask/nextest.toml");
    let tests = nextest.args(["nextest", "run", "--config-file"]).arg(config).args(selection);
    reported(shell, tests, &report)
}

/// Runs the core's tests on this machine. `only` filters tests, in nextest's language; all
/// share one build, without the examples.
pub fn core(shell: &Shell, only: &str) -> Result<Outcome> {
    let packages = ["--package", CRATE, "--package", KERNELS];
    let tests = [&packages[..], &["--features", "webgpu", "--lib", "--tests"]].concat();
    native(shell, &[&tests[..], &["--filterset", only]].concat())
}

/// Runs the examples in the core's documentation, in the build of its tests.
pub fn examples(shell: &Shell) -> Result<Outcome> {
    let tests = cargo().args(["test", "--doc", "--package", CRATE, "--features", "webgpu"]);
    let transcript = shell.transcript(tests)?;
    let outcome = report::parse_test_runner(&transcript.text);
    Ok(outcome.confirmed_by(transcript.succeeded))
}

/// Builds the core's documentation; fails at a warning, such as a broken link.
pub fn document(shell: &Shell) -> Result<()> {
    let document = cargo().args(["doc", "--no-deps", "--package", CRATE, "--package", KERNELS]);
    let document = document.arg("--all-features");
    let document = document.env("RUSTDOCFLAGS", "-D warnings");
    shell.run(document.advice("correct the comments that rustdoc names above"))
}

/// Runs the tests of this machine again, compiled to wasm, in Node.
pub fn wasm(shell: &Shell) -> Result<Outcome> {
    let tests = Variant::Simd128
        .cargo()
        .args(["test", "--no-fail-fast", "--package", CRATE, "--package", KERNELS])
        .args(["--target", TARGET, "--lib", "--tests", "--config", &wasm_tests::setting()?])
        // Node names functions in a backtrace, not lines.
        .env("CARGO_PROFILE_TEST_DEBUG", "false");
    let transcript = shell.transcript(tests)?;
    let outcome = report::parse_test_runner(&transcript.text);
    Ok(outcome.confirmed_by(transcript.succeeded))
}

/// Compares the encodings of 10,000 texts by random tokenizers: those of Hugging Face's library as
/// in Python, and those of the wasm of the crate `tokenizer`. The library is built apart, since
/// cargo would give both the same regex engine.
pub fn random_tokenizers(shell: &Shell) -> Result<()> {
    let project = shell.project;
    let drawn = project.path("target/random-tokenizers.jsonl");
    let library = cargo()
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(project.path("tokenizer/reference/Cargo.toml"))
        .arg("--target-dir")
        .arg(project.path("target/tokenizer-reference"));
    shell.run(library.arg("--").arg(&drawn).args(["1100", "10", "1"]))?;
    let wasm = Tool::new("node").arg(project.path("tokenizer/reference/compare.mjs")).arg(&drawn);
    shell.run(wasm.advice("each line above is a tokenizer and a text that differ"))
}

/// Runs an npm script that only succeeds or fails.
pub fn script(shell: &Shell, name: &str) -> Result<()> {
    shell.run(node::script(name, &[]))
}

/// Runs Vitest by an npm script.
pub fn vitest(shell: &Shell, script: &str) -> Result<Outcome> {
    let report = shell.project.test_logs().join(format!("{}.xml", script.replace(':', "-")));
    let output = format!("--outputFile.junit={}", report.display());
    let tests = node::script(script, &["--reporter=default", "--reporter=junit", &output]);
    reported(shell, tests, &report)
}

/// Builds the Python wheel, and runs its tests where it is installed.
pub fn python(shell: &Shell) -> Result<Outcome> {
    python::wheel(shell)?;
    let python = python::environment(shell, &python::WHEEL)?;
    let report = shell.project.test_logs().join("python.xml");
    let mut option = OsString::from("--junitxml=");
    option.push(&report);
    let tests = Tool::new(python).args(["-m", "pytest", "--quiet"]).arg(option);
    reported(shell, tests.dir(shell.project.path("python")), &report)
}

/// Runs Playwright's tests in a real Chromium, against `dist/site`: two at a time, since a test
/// waits about as long for its page as it computes.
pub fn pages(shell: &Shell, arguments: &[&str]) -> Result<Outcome> {
    let report = shell.project.test_logs().join("pages.xml");
    fonts::ensure(shell)?;
    let tests = node::script("e2e", &["--reporter=list,junit", "--workers=2"])
        .args(arguments)
        .env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &report)
        .env("HEADSCOPE_CHROMIUM", browser::ensure(shell)?)
        .env("HEADSCOPE_E2E_PORT", free_port()?.to_string());
    reported(shell, tests, &report)
}

/// Builds pages and apps by other people's tools, and opens them in a real Chromium.
pub fn hosts(shell: &Shell) -> Result<Outcome> {
    let report = shell.project.test_logs().join("hosts.xml");
    python::wheel(shell)?;
    python::environment(shell, &python::HOSTS)?;
    node::ensure_hosts(shell)?;
    let tests = node::script("hosts", &["--reporter=list,junit"])
        .env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &report)
        .env("HEADSCOPE_CHROMIUM", browser::ensure(shell)?)
        .env("HEADSCOPE_MDBOOK", cargo_tools::mdbook(shell)?);
    reported(shell, tests, &report)
}

/// A free port, so that the tests do not collide with a running server.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    Ok(listener.local_addr().context("no port is free")?.port())
}

/// Runs tests and reads their JUnit report. An earlier report is removed first, so that it is not
/// taken for the new one.
fn reported(shell: &Shell, tests: Tool, report: &Path) -> Result<Outcome> {
    disk::remove(report)?;
    let succeeded = shell.transcript(tests)?.succeeded;
    let xml = disk::read_text(report)
        .context("the tests ended without a report: read what they wrote above")?;
    Ok(report::parse_junit(&xml)?.confirmed_by(succeeded))
}
