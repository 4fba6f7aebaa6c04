//! Python: the wheel of `python/`, and the environment of its tests.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::disk;
use crate::project::Project;
use crate::shell::{Shell, Tool};
use crate::stamp::{Inputs, Stamp};
use crate::tools::node;

const GET_PYTHON: &str = "install Python 3.9 or newer with pip and venv (on Debian python3-pip and \
    python3-venv), check the network and run the command again";

/// The folder of the wheel.
const WHEELS: &str = "dist/python";

/// An environment with the wheel and pinned packages.
pub struct Environment {
    /// The name of its record.
    name: &'static str,
    folder: &'static str,
    /// The list of its packages.
    packages: &'static str,
}

/// The environment of the tests of the wheel.
pub const WHEEL: Environment = Environment {
    name: "python",
    folder: "target/python",
    packages: "python/tests/requirements.txt",
};

/// The environment of the tools in whose pages the wheel draws figures.
pub const HOSTS: Environment = Environment {
    name: "hosts-python",
    folder: "target/hosts/python",
    packages: "tests/hosts/requirements.txt",
};

/// The installed Python.
pub fn program() -> Tool {
    Tool::new(if cfg!(windows) { "python" } else { "python3" }).advice(GET_PYTHON)
}

/// Builds the wheel from `python/` and the script in `dist/npm`.
pub fn wheel(shell: &Shell) -> Result<()> {
    disk::remove_folder(&shell.project.path(WHEELS))?;
    shell.run(node::script("build:python", &[]).advice(GET_PYTHON))
}

/// Builds the wheel where there is a Python; page and package need none.
pub fn wheel_if_possible(shell: &Shell) -> Result<()> {
    match program().arg("--version").capture() {
        Ok(_) => wheel(shell),
        Err(problem) => shell.say(&format!("No wheel was built: {problem}")),
    }
}

/// The Python of an environment, which is made once.
pub fn environment(shell: &Shell, wanted: &Environment) -> Result<PathBuf> {
    let project = shell.project;
    let folder = project.path(wanted.folder);
    let python = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(python);
    let mut inputs = Inputs::default();
    inputs.path(&project.path(wanted.packages))?;
    let stamp = Stamp::new(project, wanted.name, &inputs);
    if !stamp.is_current(std::slice::from_ref(&python)) {
        disk::remove_folder(&folder)?;
        shell.run(program().args(["-m", "venv"]).arg(&folder))?;
        shell.run(pip_install(&python).args(["--requirement", wanted.packages]))?;
        stamp.record()?;
    }
    let wheel = wheel_path(project)?;
    shell.run(pip_install(&python).args(["--no-deps", "--force-reinstall"]).arg(wheel))?;
    Ok(python)
}

fn pip_install(python: &PathBuf) -> Tool {
    Tool::new(python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .advice(GET_PYTHON)
}

/// The one wheel that was built.
fn wheel_path(project: &Project) -> Result<PathBuf> {
    let folder = project.path(WHEELS);
    let entries =
        fs::read_dir(&folder).with_context(|| format!("{} is missing", folder.display()))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .with_context(|| format!("{} has no wheel", folder.display()))
}
