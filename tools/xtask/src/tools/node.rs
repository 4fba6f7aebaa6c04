//! Node, npm and the packages of package-lock.json.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::disk;
use crate::project::Project;
use crate::shell::{Shell, Tool};
use crate::stamp::{Inputs, Stamp};

const GET_NODE: &str = "install Node 22.12 or newer (https://nodejs.org) and open a new terminal";

/// Major and minor version; the patch level does not matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32, u32);

impl Version {
    /// Parses Node's format, `v20.19.0`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().strip_prefix('v')?.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?.parse().ok()?;
        Some(Self(major, minor))
    }

    /// Whether Vite 8 supports the version: `^20.19.0 || >=22.12.0`.
    pub fn is_supported(self) -> bool {
        (self.0 == 20 && self >= Self(20, 19)) || self >= Self(22, 12)
    }
}

/// Fails unless a new enough Node is installed; returns its version.
pub fn ensure_node() -> Result<String> {
    let printed = Tool::new("node").arg("--version").advice(GET_NODE).capture()?;
    let printed = printed.trim();
    let version = Version::parse(printed)
        .with_context(|| format!("`node --version` says \"{printed}\": {GET_NODE}."))?;
    if !version.is_supported() {
        bail!("Node {printed} is too old for Vite 8 (20.19, or 22.12 and newer): {GET_NODE}.");
    }
    Ok(printed.to_owned())
}

/// Installs the npm packages when they are missing or older than package-lock.json.
pub fn ensure_packages(shell: &Shell) -> Result<()> {
    if packages_are_current(shell.project) {
        return Ok(());
    }
    shell.run(npm().args(["ci", "--no-audit", "--no-fund"]).advice(
        "the npm packages could not be installed, check the network (and `npm config get registry`) and run the command again",
    ))
}

/// The folder of the npm packages that build apps with the package: they are apart from those that
/// build it.
const HOSTS: &str = "target/hosts";

/// Installs the tools in whose pages and apps the package draws figures.
pub fn ensure_hosts(shell: &Shell) -> Result<()> {
    let project = shell.project;
    let folder = project.path(HOSTS);
    let mut inputs = Inputs::default();
    for file in ["package.json", "package-lock.json"] {
        let source = project.path("tests/hosts").join(file);
        inputs.path(&source)?;
        disk::write(&folder.join(file), disk::read(&source)?)?;
    }
    let stamp = Stamp::new(project, "hosts-packages", &inputs);
    if stamp.is_current(&[folder.join("node_modules")]) {
        return Ok(());
    }
    shell.run(npm().args(["ci", "--no-audit", "--no-fund"]).dir(folder).advice(
        "the npm packages of tests/hosts could not be installed, check the network and run the command again",
    ))?;
    stamp.record()
}

pub fn npm() -> Tool {
    Tool::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
        .advice("npm comes with Node: install both from https://nodejs.org")
}

/// A script of package.json; `arguments` follow `--` on npm's command line.
pub fn script(name: &str, arguments: &[&str]) -> Tool {
    let tool = npm().args(["run", name]);
    let tool = if arguments.is_empty() { tool } else { tool.arg("--").args(arguments) };
    tool.advice(format!("read what `npm run {name}` wrote above and mend it"))
}

fn packages_are_current(project: &Project) -> bool {
    // npm writes the first file at the end of an installation.
    let installed = modified(&project.path("node_modules/.package-lock.json"));
    let wanted = modified(&project.path("package-lock.json"));
    matches!((installed, wanted), (Some(installed), Some(wanted)) if installed >= wanted)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn the_supported_range_is_the_one_vite_states() {
        for (text, supported) in [
            ("v18.20.4", false),
            ("v20.18.3", false),
            ("v20.19.0", true),
            ("v20.20.2\n", true),
            ("v21.7.0", false),
            ("v22.11.0", false),
            ("v22.12.0", true),
            ("v25.1.0", true),
        ] {
            let version = Version::parse(text).unwrap();
            assert_eq!(version.is_supported(), supported, "{text}");
        }
    }

    #[test]
    fn something_else_is_no_version() {
        for text in ["", "20.19.0", "v20", "vx.y.z", "node: command not found"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}
