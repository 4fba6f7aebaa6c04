//! The runner by which `cargo test` runs tests that are compiled to wasm: binds them to JavaScript
//! and calls them in Node. The library that binds the core does it, so that no other program is
//! compiled.
//!
//! What the tests expect of the script is that of `wasm-bindgen-test-runner`, at the version of
//! wasm-bindgen-test in Cargo.toml. There are no filters, benchmarks and browsers.

use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::disk;
use crate::shell::Tool;
use crate::tools::wasm_target::TARGET;

/// The command of this program that runs a file of tests.
pub const COMMAND: &str = "run-wasm-tests";
/// The name of the bound module.
const MODULE: &str = "tests";

/// Keeps what a test writes for its report, and calls the exported tests one after another.
const SCRIPT: &str = r#"
"use strict";
const tests = {};
global.__wbgtest_og_console_log = console.log;
global.__wbg_test_invoke = (test) => test();
for (const method of ["debug", "log", "info", "warn", "error"]) {
  console[method] = (...words) => tests[`__wbgtest_console_${method}`]?.(words);
}
Object.assign(tests, require("./tests.js"));
const context = new tests.WasmBindgenTestContext(false);
context.include_ignored(false);
context.filtered_count(0);
const exported = Object.entries(tests.__wasm).filter(([name]) => name.startsWith("__wbgt_"));
context.run(exported.map(([, test]) => test)).then(
  (passed) => process.exit(passed ? 0 : 1),
  (problem) => {
    process.stderr.write(`${problem?.stack ?? problem}\n`);
    process.exit(1);
  },
);
"#;

/// Cargo's setting by which it runs tests in wasm by this program.
pub fn setting() -> Result<String> {
    let program = std::env::current_exe().context("this program has no path")?;
    let command = serde_json::json!([program.to_string_lossy(), COMMAND]);
    Ok(format!("target.{TARGET}.runner={command}"))
}

/// Runs the tests of a file, in a folder beside it that is removed afterwards; `false` if one
/// failed.
pub fn run(file: &Path) -> Result<bool> {
    let folder = file.with_extension("bound");
    disk::remove_folder(&folder)?;
    Bindgen::new()
        .input_path(file)
        .nodejs(true)?
        .export_wasm(true)
        .emit_start(false)
        .typescript(false)
        .out_name(MODULE)
        .generate(&folder)
        .with_context(|| format!("wasm-bindgen could not bind {}", file.display()))?;
    // The repository's own package.json says that scripts are ES modules.
    disk::write(&folder.join("package.json"), "{}")?;
    let script = folder.join("run.js");
    disk::write(&script, SCRIPT)?;
    let passed = Tool::new("node").arg("--expose-gc").arg(&script).succeeds()?;
    disk::remove_folder(&folder)?;
    Ok(passed)
}
