//! How each suite is run and its result read.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::outcome::Outcome;
use super::{libtest, playwright, vitest};
use crate::build::wasm::Variant;
use crate::shell::{Shell, Tool};
use crate::tools::browser::Browser;
use crate::tools::wasm_rust::WasmRust;
use crate::tools::wasm_target::TARGET;
use crate::tools::{cargo, cargo_tools, fonts, node};

/// Seconds that one wasm test binary may take in a browser before the runner gives up: it
/// cannot say which test hangs, so this is far above what all of them need.
const BROWSER_TIMEOUT: &str = "300";

pub fn format(shell: &Shell) -> Result<()> {
    shell.run(cargo().args(["fmt", "--all", "--check"]).advice("run `cargo fmt --all`"))
}

pub fn lint_rust(shell: &Shell) -> Result<()> {
    let clippy = cargo().args(["clippy", "--workspace", "--all-targets"]);
    shell.run(denying_warnings(clippy))
}

pub fn lint_webgpu(shell: &Shell) -> Result<()> {
    let clippy = cargo().args(["clippy", "--package", "headscope", "--all-targets"]);
    shell.run(denying_warnings(clippy.args(["--features", "webgpu"])))
}

pub fn lint_wasm(shell: &Shell) -> Result<()> {
    let clippy = Variant::Simd128.cargo(shell.project, &WasmRust::ensure(shell)?);
    let clippy = clippy.args(["clippy", "--package", "headscope", "--lib", "--tests"]);
    shell.run(denying_warnings(clippy.args(["--target", TARGET])))
}

/// The backend that a browser's GPU computes with.
pub fn lint_wasm_webgpu(shell: &Shell) -> Result<()> {
    let variant = Variant::WebGpu;
    let clippy = variant.cargo(shell.project, &WasmRust::ensure(shell)?);
    let clippy = clippy.args(["clippy", "--package", "headscope", "--lib", "--target", TARGET]);
    let features = ["--no-default-features", "--features", variant.features()];
    shell.run(denying_warnings(clippy.args(features)))
}

fn denying_warnings(clippy: Tool) -> Tool {
    clippy.args(["--", "-D", "warnings"]).advice("mend what clippy names above")
}

pub fn unused_rust_dependencies(shell: &Shell) -> Result<()> {
    let machete = cargo_tools::machete(shell)?;
    shell.run(machete.arg(".").advice("remove what is named from Cargo.toml"))
}

/// Rust's tests on this machine, as `cargo test` runs them.
pub fn native(shell: &Shell, arguments: &[&str]) -> Result<Outcome> {
    harness(shell, cargo().args(["test", "--no-fail-fast"]).args(arguments))
}

/// The GPU backend on an adapter of this machine, which may be a software one.
pub fn webgpu(shell: &Shell) -> Result<Outcome> {
    // Its tests are small and wgpu is large: not optimising it saves minutes. Without capture,
    // because a test that finds no adapter says so in a line that is read here.
    let selection = ["--package", "headscope", "--features", "webgpu", "--test", "webgpu"];
    let tests = cargo().args(["test", "--profile", "dev"]).args(selection);
    harness(shell, tests.args(["--", "--nocapture", "--test-threads", "1"]))
}

/// Where the wasm tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WasmHost {
    Node,
    Browser,
}

/// The same test bodies, compiled to wasm.
pub fn wasm(shell: &Shell, variant: Variant, host: WasmHost) -> Result<Outcome> {
    let runner = cargo_tools::wasm_test_runner(shell)?;
    let tests = variant
        .cargo(shell.project, &WasmRust::ensure(shell)?)
        .args(["test", "--no-fail-fast", "--package", "headscope", "--lib", "--tests"])
        .args(["--target", TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner);
    harness(shell, if host == WasmHost::Browser { in_browser(shell, tests)? } else { tests })
}

fn in_browser(shell: &Shell, tests: Tool) -> Result<Tool> {
    let browser = Browser::ensure(shell)?;
    let driver = browser.driver(shell)?;
    let capabilities = shell.project.test_logs().join("webdriver.json");
    browser.write_capabilities(&capabilities)?;
    Ok(tests
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        .env("CHROMEDRIVER", driver))
}

fn harness(shell: &Shell, tests: Tool) -> Result<Outcome> {
    let transcript = shell.transcript(tests)?;
    Ok(libtest::parse(&transcript.text).confirmed_by(transcript.succeeded))
}

/// An npm script that only says yes or no.
pub fn script(shell: &Shell, name: &str) -> Result<()> {
    shell.run(node::script(name, &[]))
}

/// A Vitest project, by the npm script that runs it.
pub fn vitest(shell: &Shell, script: &str) -> Result<Outcome> {
    let report =
        shell.project.test_logs().join(format!("vitest-{}.json", script.replace(':', "-")));
    forget(&report)?;
    let output = format!("--outputFile.json={}", report.display());
    let tests = node::script(script, &["--reporter=default", "--reporter=json", &output]);
    let succeeded = shell.transcript(tests)?.succeeded;
    Ok(vitest::parse(&read_report(&report, script)?)?.confirmed_by(succeeded))
}

/// What the titles of stories begin with that measure how the page feels.
const FIGURES: &str = "figures:";
/// Files whose stories need Chromium's imitation of a GPU.
const ON_A_GPU: &str = r"gpu[a-z-]*\.spec";
/// Of these, the files that hold the GPU to the vectors in a browser, and the page to what becomes of
/// it where there is none, or where it fails.
const GPU_FIRST: &str = r"gpu(-absent|-long|-lost|-parity)?\.spec";
/// Files whose stories are told on the CPU, and then on a GPU.
const TWICE: &str = r"twice-[a-z]+\.spec";

/// Playwright's stories in a real Chromium, against `dist/site`: two at a time, since one waits
/// about as long for its page as it computes.
pub fn end_to_end(shell: &Shell) -> Result<Outcome> {
    let others = format!("--grep-invert={FIGURES}|{ON_A_GPU}|{TWICE}");
    playwright(shell, "end-to-end", &["--workers=2", &others])
}

/// The stories on a GPU that every round tells.
pub fn gpu_first(shell: &Shell) -> Result<Outcome> {
    playwright(shell, "gpu-first", &["--workers=2", &format!("--grep={GPU_FIRST}")])
}

/// The other stories on a GPU.
pub fn on_a_gpu(shell: &Shell) -> Result<Outcome> {
    let (these, others) = (format!("--grep={ON_A_GPU}"), format!("--grep-invert={GPU_FIRST}"));
    playwright(shell, "on-a-gpu", &["--workers=2", &these, &others])
}

/// The stories that are told twice.
pub fn told_twice(shell: &Shell) -> Result<Outcome> {
    playwright(shell, "told-twice", &["--workers=2", &format!("--grep={TWICE}")])
}

/// Those that measure, which nothing may disturb.
pub fn figures(shell: &Shell) -> Result<Outcome> {
    playwright(shell, "figures", &["--workers=1", &format!("--grep={FIGURES}")])
}

fn playwright(shell: &Shell, name: &str, arguments: &[&str]) -> Result<Outcome> {
    let report = shell.project.test_logs().join(format!("playwright-{name}.json"));
    forget(&report)?;
    fonts::ensure(shell)?;
    let tests = node::script("e2e", &["--reporter=list,json"])
        .args(arguments)
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report)
        .env("HEADSCOPE_CHROMIUM", Browser::ensure(shell)?.chromium)
        .env("HEADSCOPE_E2E_PORT", free_port()?.to_string());
    let succeeded = shell.transcript(tests)?.succeeded;
    Ok(playwright::parse(&read_report(&report, "e2e")?)?.confirmed_by(succeeded))
}

/// So that a server somebody has running does not get in the way.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    Ok(listener.local_addr().context("no port is free")?.port())
}

/// Removes the report of an earlier run, which must not be taken for this one's.
fn forget(report: &Path) -> Result<()> {
    match fs::remove_file(report) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            bail!("{} could not be removed ({error})", report.display())
        }
        _ => Ok(()),
    }
}

fn read_report(report: &Path, script: &str) -> Result<String> {
    fs::read_to_string(report).with_context(|| {
        format!("`npm run {script}` ended without a report: read what it wrote above")
    })
}
