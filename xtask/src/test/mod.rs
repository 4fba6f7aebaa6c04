//! Every test there is, in lanes and then the stories of the whole page, and the quick round.

mod libtest;
mod outcome;
mod playwright;
mod session;
mod skips;
mod suites;
mod vitest;

use std::time::Duration;

use anyhow::{Context, Result};

use crate::build::wasm::Variant;
use crate::build::{lockfile, site, wasm};
use crate::project::Project;
use crate::tools::wasm_rust::WasmRust;
use crate::tools::{node, vulkan};
use session::Session;
use suites::WasmHost;

/// Set to how many minutes may pass before stories on a GPU are left out.
const MINUTES: &str = "HEADSCOPE_TEST_MINUTES";

/// Runs everything, or the suites in `only` if there are any; `false` when a test failed or was
/// skipped without leave.
pub fn run(project: &Project, only: Vec<String>) -> Result<bool> {
    let session = Session::new(project, only)?.within(time_limit()?);
    session.check("versions", &[], |shell| lockfile::check_wasm_bindgen(shell.project));
    // More than one lane uses these, and they are installed once.
    session.check("rust-for-wasm", &[], |shell| WasmRust::ensure(shell).map(drop));
    npm_packages(&session);
    session.side_by_side(&[&native_rust, &what_is_shipped, &|session| {
        typescript(session);
        wasm_tests(session);
    }]);
    // By themselves: two stories at a time use the whole of a small machine.
    whole_page(&session);
    session.finish()
}

/// How long a machine gives a round, if it says so.
fn time_limit() -> Result<Option<Duration>> {
    let Ok(minutes) = std::env::var(MINUTES) else { return Ok(None) };
    let number: u64 = minutes.parse().with_context(|| {
        format!("{MINUTES} must be a whole number of minutes, not \"{minutes}\"")
    })?;
    Ok(Some(Duration::from_secs(60 * number)))
}

/// The round for between two edits: no wasm, no browser.
pub fn run_quick(project: &Project) -> Result<bool> {
    let session = Session::new(project, vec![])?;
    session.check("format", &[], suites::format);
    session.check("lint-rust", &[], suites::lint_rust);
    npm_packages(&session);
    typescript(&session);
    session.suite("native-unit", &[], |shell| {
        suites::native(shell, &["--package", "headscope", "--lib"])
    });
    session.finish()
}

fn npm_packages(session: &Session) {
    session.check("npm-packages", &[], |shell| {
        node::ensure_node()?;
        node::ensure_packages(shell).map(drop)
    });
}

fn typescript(session: &Session) {
    for name in ["typecheck", "lint", "unused"] {
        session.check(name, &["npm-packages"], |shell| suites::script(shell, name));
    }
    session.suite("unit", &["npm-packages"], |shell| suites::vitest(shell, "unit"));
}

/// All that is compiled for this machine, in one build folder.
fn native_rust(session: &Session) {
    session.check("format", &[], suites::format);
    session.check("unused-rust", &[], suites::unused_rust_dependencies);
    session.check("lint-rust", &[], suites::lint_rust);
    // In the profile that this program was just built with: its parts need no optimising.
    session.suite("xtask", &[], |shell| {
        suites::native(shell, &["--package", "xtask", "--profile", "dev"])
    });
    session.suite("native", &[], |shell| suites::native(shell, &["--package", "headscope"]));
    session.check("lint-webgpu", &[], suites::lint_webgpu);
    session.suite("webgpu", &[], |shell| {
        vulkan::ensure(shell)?;
        suites::webgpu(shell)
    });
}

/// The wasm, the page and the package. Each variant of wasm has a build folder of its own.
fn what_is_shipped(session: &Session) {
    session.check("wasm", &["npm-packages"], |shell| {
        let rust = WasmRust::ensure(shell)?;
        Variant::ALL.into_iter().try_for_each(|variant| wasm::build(shell, &rust, variant))
    });
    session.check("vector-instructions", &["wasm"], |shell| {
        let mut variants = Variant::ALL.into_iter();
        variants.try_for_each(|variant| wasm::check_vector_instructions(shell, variant))
    });
    session.check("doors", &["wasm"], |shell| {
        Variant::ALL.into_iter().try_for_each(|variant| wasm::check_doors(shell, variant))
    });
    session.check("page", &["wasm"], site::build);
    session.suite("package-in-node", &["page"], |shell| suites::vitest(shell, "unit:node"));
    session.check("lint-wasm", &[], suites::lint_wasm);
    session.check("lint-wasm-webgpu", &[], suites::lint_wasm_webgpu);
}

fn wasm_tests(session: &Session) {
    session.suite("wasm-node-simd128", &[], |shell| {
        suites::wasm(shell, Variant::Simd128, WasmHost::Node)
    });
    session.suite("wasm-node-portable", &[], |shell| {
        suites::wasm(shell, Variant::Portable, WasmHost::Node)
    });
    session.suite("wasm-chromium", &[], |shell| {
        suites::wasm(shell, Variant::Simd128, WasmHost::Browser)
    });
}

fn whole_page(session: &Session) {
    // Before the other stories, whose pictures of what failed are then the ones that are kept.
    session.suite("figures", &["page"], suites::figures);
    session.suite("end-to-end", &["page"], suites::end_to_end);
    session.suite("gpu-first", &["page"], suites::gpu_first);
    // An imitated GPU takes long. The backend itself was held to the vectors before.
    session.suite_in_time("on-a-gpu", &["page"], suites::on_a_gpu);
    // What these show is compared by the suite before too, by the answers that the page was given.
    session.suite_in_time("told-twice", &["page"], suites::told_twice);
}
