//! The program `cargo xtask …`: the commands of this repository for people and CI.

mod bench;
mod build;
mod cli;
mod disk;
mod metrics;
mod project;
mod serve;
mod shell;
mod stamp;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use cli::Command;
use project::Project;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("\nerror: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command; `false` means that it ran to its end and found a fault.
fn run() -> anyhow::Result<bool> {
    let command = Command::parse(std::env::args().skip(1))?;
    // Not for the tests in wasm: cargo runs them with the environment of their own package.
    let project = Project::locate;
    match command {
        Command::Help => print!("{}", cli::HELP),
        Command::Build => build::run(&project()?)?,
        Command::Serve { port, open } => serve::run(&project()?, port, open)?,
        Command::Test { only } => return test::run(&project()?, only),
        Command::Check => return test::run_quick(&project()?),
        Command::Bench(options) => bench::run(&project()?, &options)?,
        Command::Metrics => metrics::print(&project()?)?,
        Command::WasmTests(file) => return test::wasm_tests::run(&file),
    }
    Ok(true)
}
