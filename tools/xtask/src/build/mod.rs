//! From sources to `dist/npm` and `dist/site`.

mod exports;
pub mod lockfile;
pub mod simd;
pub mod site;
pub mod wasm;

use anyhow::Result;

use crate::project::Project;
use crate::shell::Shell;
use crate::steps::Steps;
use crate::tools::node;
use crate::tools::wasm_rust::WasmRust;

/// Builds everything, a step at a time.
pub fn run(project: &Project) -> Result<()> {
    let shell = Shell::live(project);
    let mut steps = Steps::new(4);
    steps.run("Node and the wasm-bindgen versions", || {
        shell.say(&format!("Node {}", node::ensure_node()?))?;
        lockfile::check_wasm_bindgen(project)
    })?;
    let rust = steps.run("Rust for wasm32", || WasmRust::ensure(&shell))?;
    steps.run("npm packages; the core as wasm for the CPU, for WebGPU, and the demos", || {
        wasm::build_all(&shell, &rust, || node::ensure_packages(&shell))
    })?;
    steps.run("The package and the page", || site::build(&shell))?;
    println!("Built dist/npm and dist/site in {:.1} s.", steps.seconds());
    Ok(())
}
