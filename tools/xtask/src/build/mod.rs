//! The build, from sources to `dist/npm` and `dist/site`.

mod exports;
pub mod licences;
pub mod lockfile;
pub mod simd;
pub mod site;
pub mod wasm;

use anyhow::Result;

use crate::project::Project;
use crate::shell::Shell;
use crate::steps::Steps;
use crate::tools::{node, python, wasm_target};

/// Builds everything, a step at a time.
pub fn run(project: &Project) -> Result<()> {
    let shell = Shell::live(project);
    let mut steps = Steps::new(4);
    steps.run("Node, Rust for wasm32 and the wasm-bindgen versions", || prepare(&shell))?;
    steps.run("npm packages; the core as wasm for the CPU, for WebGPU, and the demos", || {
        wasm::build_all(&shell, || node::ensure_packages(&shell))
    })?;
    steps.run("The package and the page", || site::build(&shell))?;
    steps.run("The Python wheel", || python::wheel_if_possible(&shell))?;
    println!("Built dist/npm, dist/site and dist/python in {:.1} s.", steps.seconds());
    Ok(())
}

/// Installs the prerequisites of every build.
pub fn prepare(shell: &Shell) -> Result<()> {
    shell.say(&format!("Node {}", node::ensure_node()?))?;
    lockfile::check_wasm_bindgen(shell.project)?;
    wasm_target::ensure(shell)
}
