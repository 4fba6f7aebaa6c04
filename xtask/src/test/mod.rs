//! Every test there is, cheapest first, and the quick round.

mod libtest;
mod outcome;
mod playwright;
mod session;
mod skips;
mod suites;
mod vitest;

use anyhow::Result;

use crate::build::wasm::Variant;
use crate::build::{lockfile, site, wasm};
use crate::project::Project;
use crate::tools::wasm_rust::WasmRust;
use crate::tools::{node, vulkan};
use session::Session;
use suites::WasmHost;

/// Runs everything, or the suites in `only` if there are any; `false` when a test failed or was
/// skipped without leave.
pub fn run(project: &Project, only: Vec<String>) -> Result<bool> {
    let mut session = Session::new(project, only)?;
    checks(&mut session);
    typescript(&mut session);
    wasm_builds(&mut session);
    rust_tests(&mut session);
    whole_page(&mut session);
    session.finish()
}

/// The round for between two edits: no wasm, no browser.
pub fn run_quick(project: &Project) -> Result<bool> {
    let mut session = Session::new(project, vec![])?;
    session.check("format", &[], suites::format);
    session.check("lint-rust", &[], suites::lint_rust);
    typescript(&mut session);
    session.suite("native-unit", &[], |shell| {
        suites::native(shell, &["--package", "headscope", "--lib"])
    });
    session.finish()
}

fn checks(session: &mut Session) {
    session.check("versions", &[], |shell| lockfile::check_wasm_bindgen(shell.project));
    session.check("format", &[], suites::format);
    session.check("unused-rust", &[], suites::unused_rust_dependencies);
    session.check("lint-rust", &[], suites::lint_rust);
    session.check("lint-wasm", &[], suites::lint_wasm);
}

fn typescript(session: &mut Session) {
    session.check("npm-packages", &[], |shell| {
        node::ensure_node()?;
        node::ensure_packages(shell).map(drop)
    });
    for name in ["typecheck", "lint", "unused"] {
        session.check(name, &["npm-packages"], |shell| suites::script(shell, name));
    }
    session.suite("unit", &["npm-packages"], |shell| suites::vitest(shell, "unit"));
}

fn wasm_builds(session: &mut Session) {
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
}

fn rust_tests(session: &mut Session) {
    // In the profile that this program was just built with: its parts need no optimising.
    session.suite("xtask", &[], |shell| {
        suites::native(shell, &["--package", "xtask", "--profile", "dev"])
    });
    session.suite("native", &[], |shell| suites::native(shell, &["--package", "headscope"]));
    session.suite("wasm-node-simd128", &[], |shell| {
        suites::wasm(shell, Variant::Simd128, WasmHost::Node)
    });
    session.suite("wasm-node-portable", &[], |shell| {
        suites::wasm(shell, Variant::Portable, WasmHost::Node)
    });
    session.suite("wasm-chromium", &[], |shell| {
        suites::wasm(shell, Variant::Simd128, WasmHost::Browser)
    });
    session.check("lint-webgpu", &[], suites::lint_webgpu);
    session.check("lint-wasm-webgpu", &[], suites::lint_wasm_webgpu);
    session.suite("webgpu", &[], |shell| {
        vulkan::ensure(shell)?;
        suites::webgpu(shell)
    });
}

fn whole_page(session: &mut Session) {
    session.check("page", &["wasm"], site::build);
    session.suite("package-in-node", &["page"], |shell| suites::vitest(shell, "unit:node"));
    session.suite("end-to-end", &["page"], suites::end_to_end);
}
